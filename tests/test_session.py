"""A lesson at work in a notebook: whatever a learner does there, the verdict is on the answer."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from notebooks import LESSON, SOLVED, Notebook, first_cell, hidden, notebook, sealed_lesson

import autograde.notebook
import autograde.session
from autograde.notebook import NoLesson
from autograde.progress import Progress
from autograde.seal import BadSeal
from autograde.session import CheckFault, UnknownDimension, UnknownExercise, WrongCall


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    """A notebook in which no cell has run."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("AUTOGRADE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("AUTOGRADE_RECORD", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(autograde.notebook, "_open", [])
    monkeypatch.chdir(tmp_path)
    with notebook() as opened:
        yield opened


@pytest.fixture
def cells(empty: Notebook) -> Notebook:
    """A notebook whose first cell has run."""
    empty.run(first_cell())
    return empty


class TestBeforeTheLesson:
    @pytest.mark.parametrize(
        "call",
        ['check("fs-number", 3)', 'hint("fs-number")', 'solution("fs-number")', "progress()", 'dimensions("n_embd")'],
    )
    def test_without_its_first_cell_a_notebook_says_what_to_do(self, empty: Notebook, call: str) -> None:
        empty.run("from autograde import *")
        fault = empty.fail(call)
        assert isinstance(fault, NoLesson)
        assert "run its first cell" in str(fault)

    def test_a_damaged_seal_says_what_to_do(self, empty: Notebook) -> None:
        fault = empty.fail(first_cell(sealed_lesson()[:-8]))
        assert isinstance(fault, BadSeal)
        assert "download the lesson again" in str(fault)
        assert isinstance(empty.fail('check("fs-number", 3)'), NoLesson)

    def test_an_exercise_of_another_lesson_is_not_known(self, cells: Notebook) -> None:
        for call in ('check("ff-number", 3)', 'hint("ff-number")', 'solution("ff-number")'):
            fault = cells.fail(call)
            assert isinstance(fault, UnknownExercise)
            assert "it has fs-choice, fs-function, fs-number" in str(fault)


class TestCheck:
    @pytest.mark.parametrize(
        ("exercise", "name"), [("fs-number", "fs_number"), ("fs-choice", "fs_choice"), ("fs-function", "double")]
    )
    @pytest.mark.parametrize("released", ["", "{name} = ...", "def {name}(x):\n    '''Doc.'''", "{name} = None"])
    def test_an_untouched_exercise_is_not_attempted(
        self, cells: Notebook, exercise: str, name: str, released: str
    ) -> None:
        cells.run(released.format(name=name) if "def" not in released or name == "double" else "")
        verdict = cells.check(exercise, name)
        assert (verdict.status, verdict.score) == ("not_attempted", 0.0)

    @pytest.mark.parametrize(
        ("cell", "status", "score", "message"),
        [
            ("fs_number = 131_712", "passed", 2.0, "Yes."),
            ("fs_number = 131,712", "passed", 2.0, "Yes."),
            ("fs_number = '131,712'", "passed", 2.0, "Yes."),
            ("import torch\nfs_number = torch.tensor(131712.0)", "passed", 2.0, "Yes."),
            ("fs_number = 512 * 128 + 512 + 128 * 512 + 128", "passed", 2.0, "Yes."),
            ("fs_number = 131072", "failed", 0.0, "The biases are missing."),
            ("fs_number = 1", "failed", 0.0, "That is not it, and it is none of the usual slips."),
            ("fs_number = True", "uncheckable", 0.0, "True is no number. Type a number, such as 1024 or 1_024."),
        ],
    )
    def test_a_typed_answer(self, cells: Notebook, cell: str, status: str, score: float, message: str) -> None:
        cells.run(cell)
        verdict = cells.check("fs-number", "fs_number")
        assert (verdict.status, verdict.score, verdict.message) == (status, score, message)

    @pytest.mark.parametrize(
        ("cell", "status", "score"),
        [
            (SOLVED, "passed", 3.0),
            ("double = lambda x: x + x", "passed", 3.0),
            ("def double(x): return x / 2", "failed", 0.0),
            ("def double(x): return x.mul_(2)", "failed", 0.0),
            ("def double(x): return x.missing", "error", 0.0),
            ("double = 3", "failed", 0.0),
        ],
    )
    def test_a_function(self, cells: Notebook, cell: str, status: str, score: float) -> None:
        cells.run(cell)
        verdict = cells.check("fs-function", "double")
        assert (verdict.status, verdict.score) == (status, score)

    def test_a_known_wrong_answer_has_its_sentence(self, cells: Notebook) -> None:
        cells.run("def double(x): return x / 2")
        assert cells.check("fs-function", "double").message == "That is the half."

    def test_an_error_shows_the_learners_line_and_the_call(self, cells: Notebook) -> None:
        cells.run("def double(x):\n    y = x\n    return y @ undefined")
        verdict = cells.check("fs-function", "double")
        assert "line 3 of your cell:  return y @ undefined" in verdict.detail
        assert "NameError: name 'undefined' is not defined" in verdict.detail
        assert "double((2,))   [ones]" in verdict.detail
        assert "autograde" not in str(verdict)

    def test_a_verdict_prints_as_its_score(self, cells: Notebook) -> None:
        cells.run(SOLVED)
        assert repr(cells.check("fs-function", "double")) == "3"

    def test_the_first_cell_may_run_again(self, cells: Notebook) -> None:
        cells.run(SOLVED, first_cell(), first_cell())
        assert cells.check("fs-function", "double").status == "passed"


def test_a_check_without_its_value_takes_the_answers_name(cells: Notebook) -> None:
    assert cells.run("fs_number = 131_712", 'check("fs-number")').status == "passed"


class TestOtherNames:
    """A value that went to another name is pointed at."""

    @pytest.mark.parametrize(
        ("exercise", "name", "cell", "other"),
        [
            ("fs-number", "fs_number", "fs_numbr = 131_712", "fs_numbr"),
            ("fs-number", "fs_number", "fsNumber = 131_712", "fsNumber"),
            ("fs-choice", "fs_choice", "fs_choise = 'b'", "fs_choise"),
            ("fs-function", "double", "def Double(x): return 2 * x", "Double"),
            ("fs-function", "double", "def dubble(x): return 2 * x", "dubble"),
        ],
    )
    def test_a_misspelt_name_is_named(self, cells: Notebook, exercise: str, name: str, cell: str, other: str) -> None:
        cells.run(cell)
        verdict = cells.check(exercise, name)
        assert (verdict.status, verdict.score) == ("not_attempted", 0.0)
        assert f"`{name}` is still `...`" in verdict.message
        assert f"You gave a value to `{other}`. Did you mean `{name}`?" in verdict.message

    @pytest.mark.parametrize(
        ("cell", "state"),
        [("", "still `...`"), ("fs_number = None", "None"), ("fs_number = ...", "still `...`")],
    )
    def test_the_state_of_the_name_is_told(self, cells: Notebook, cell: str, state: str) -> None:
        cells.run(cell)
        says = f"Nothing to check yet: `fs_number` is {state}. Write your answer in the cell above and run it."
        assert cells.check("fs-number", "fs_number").message == says

    def test_an_empty_function_is_still_empty(self, cells: Notebook) -> None:
        cells.run('def double(x):\n    "doc"')
        assert "`double` is still empty" in cells.check("fs-function", "double").message

    def test_names_that_mean_something_else_are_not_proposed(self, empty: Notebook) -> None:
        empty.run(first_cell(sealed_lesson(given=["fs_numbers"])), "fs_numbers = [1]\nfs_choice = 'b'\nother = 3")
        assert "You gave" not in empty.check("fs-number", "fs_number").message


class TestStaleErrors:
    """An error of the answer cell is told as long as it is the last word on the answer."""

    def test_a_value_from_another_cell_is_judged(self, cells: Notebook) -> None:
        cells.fail("fs_number = undefined")
        cells.run("globals()['fs_number'] = 131_712")
        assert cells.check("fs-number", "fs_number").status == "passed"

    def test_a_value_from_the_same_cell_as_the_check_is_judged(self, cells: Notebook) -> None:
        cells.fail("def double(x) return")
        assert cells.run(f"{SOLVED}\ncheck('fs-function', double)").status == "passed"

    def test_a_value_in_the_call_is_judged(self, cells: Notebook) -> None:
        cells.fail("fs_number = undefined")
        assert cells.run("check('fs-number', 131_712)").status == "passed"

    def test_a_mended_cause_is_no_new_value_and_the_cell_is_to_run_again(self, cells: Notebook) -> None:
        cells.fail("fs_number = factor * 2")
        cells.run("factor = 65_856")
        verdict = cells.check("fs-number", "fs_number")
        assert verdict.status == "error"
        assert verdict.message == (
            "The answer cell stopped with a NameError, so `fs_number` has no new value. "
            "Change it, or what it needs, and run it again."
        )
        assert verdict.detail.startswith("line 1 of your cell:  fs_number = factor * 2")
        cells.run("fs_number = factor * 2")
        assert cells.check("fs-number", "fs_number").status == "passed"


class TestFailedCells:
    @pytest.mark.parametrize(
        ("cell", "line"),
        [
            ("fs_number = 131,072", "line 1 of your cell:  fs_number = 131,072"),
            ("fs_number = ...\n\nfs_number = 1 / 0", "line 3 of your cell:  fs_number = 1 / 0"),
            ("fs_number = (", "line 1 of your cell:  fs_number = ("),
        ],
    )
    def test_it_comes_back_as_the_learners_line(self, cells: Notebook, cell: str, line: str) -> None:
        cells.fail(cell)
        verdict = cells.check("fs-number", "fs_number")
        assert (verdict.status, verdict.score) == ("error", 0.0)
        assert verdict.detail.startswith(line)

    def test_a_comma_in_a_number_is_explained(self, cells: Notebook) -> None:
        cells.fail("fs_number = 131,072")
        assert "not 1,024" in cells.check("fs-number", "fs_number").message

    def test_a_syntax_error_in_a_function_is_the_learners(self, cells: Notebook) -> None:
        cells.fail("def double(x)\n    return 2 * x")
        verdict = cells.check("fs-function", "double")
        assert verdict.status == "error"
        assert "Python cannot read your answer cell" in verdict.message
        assert "line 1 of your cell:  def double(x)" in verdict.detail

    @pytest.mark.parametrize("broken", ["def double(x): return 2 * x +", "1 / 0\ndef double(x): return x"])
    def test_a_stale_value_is_not_judged(self, cells: Notebook, broken: str) -> None:
        cells.run(SOLVED)
        assert cells.check("fs-function", "double").status == "passed"
        cells.fail(broken)
        assert cells.check("fs-function", "double").status == "error"
        cells.run(SOLVED)
        assert cells.check("fs-function", "double").status == "passed"

    def test_a_stale_value_is_not_judged_though_the_first_cell_ran_again(self, cells: Notebook) -> None:
        cells.run("fs_number = 131_712")
        cells.fail("fs_number = 131,072")
        cells.run(first_cell())
        assert cells.check("fs-number", "fs_number").status == "error"

    def test_a_cell_that_fails_after_its_answer_is_judged_by_its_answer(self, cells: Notebook) -> None:
        cells.fail(f"{SOLVED}\n\nassert double(2) == 5")
        assert cells.check("fs-function", "double").status == "passed"

    def test_another_exercise_does_not_suffer(self, cells: Notebook) -> None:
        cells.run(SOLVED)
        cells.fail("fs_number = 1 / 0")
        assert cells.check("fs-function", "double").status == "passed"


class TestSurroundings:
    """What a learner does elsewhere in the notebook changes no verdict, and a check changes nothing of theirs."""

    @pytest.mark.parametrize(
        "cell",
        [
            "list = [1, 2]; sum = 3; len = max = range = isinstance = print = None",
            "torch = nn = F = 'mine'",
            "check = lesson = 'mine'",
            "import torch\ntorch.set_default_dtype(torch.float64)",
            "import torch\ntorch.set_grad_enabled(False)",
            "import torch, random\ntorch.manual_seed(1); random.seed(1)",
            "import warnings\nwarnings.simplefilter('error')",
            "import sys\nsys.path.clear()",
            "del double",
            "__name__ = 'mine'",
            "import sys\nsys.setrecursionlimit(200)",
        ],
    )
    def test_the_verdict_is_the_same(self, cells: Notebook, cell: str) -> None:
        with warnings.catch_warnings():
            path, limit = sys.path[:], sys.getrecursionlimit()
            try:
                cells.run("import torch", SOLVED + " + 0 * torch.rand(1)", "kept = double", cell)
                cells.variables.setdefault("double", cells.variables["kept"])
                assert cells.check("fs-function", "double").status == "passed"
                cells.run("def double(x): return x.sum() * torch.ones(2, dtype=x.dtype)")
                assert cells.check("fs-function", "double").status == "passed"
            finally:
                sys.path[:] = path
                sys.setrecursionlimit(limit)
                torch.set_default_dtype(torch.float32)
                torch.set_grad_enabled(True)

    def test_an_answer_cell_meets_clean_names_too(self, cells: Notebook) -> None:
        cells.run("list = check = torch = 'mine'", "def double(x: torch.Tensor): return list((x, x))[0] + x")
        assert cells.check("fs-function", "double").status == "passed"
        assert cells.variables["torch"] == "mine"

    def test_a_learners_own_names_stay_theirs(self, cells: Notebook) -> None:
        cells.run("list = [1]; torch = 'mine'", "def double(x): return list((2, 2)) and torch.add(x, x)")
        assert cells.check("fs-function", "double").status == "passed"
        assert cells.variables["list"] == [1]
        assert cells.variables["torch"] == "mine"

    def test_names_of_the_answer_cell_are_the_learners_in_the_check_too(self, cells: Notebook) -> None:
        cells.run("def sum(x): return x + x\n\ndef double(x): return sum(x)")
        assert cells.check("fs-function", "double").status == "passed"

    def test_a_learners_own_helper_from_another_cell_is_used(self, cells: Notebook) -> None:
        cells.run("def twice(x): return x + x", "def double(x): return twice(x)")
        assert cells.check("fs-function", "double").status == "passed"

    def test_random_numbers_go_on_as_if_nothing_had_been_checked(self, cells: Notebook) -> None:
        cells.run("import torch\ntorch.manual_seed(3)\nfirst = torch.rand(2)\ntorch.manual_seed(3)", SOLVED)
        cells.check("fs-function", "double")
        assert torch.equal(cells.run("torch.rand(2)"), cells.variables["first"])

    def test_a_check_inside_a_loop_works(self, cells: Notebook) -> None:
        cells.run(SOLVED, 'verdicts = [check("fs-function", double) for _ in range(3)]')
        assert {verdict.status for verdict in cells.variables["verdicts"]} == {"passed"}


NOISE = {
    "print": "import sys; print('noise', file=sys.stderr)",
    "write": "import sys; sys.stderr.write('noise')",
    "original": "import sys; sys.__stderr__.write('noise')",
    "descriptor": "import os; os.write(2, b'noise')",
    "process": "import os; os.system('echo noise >&2')",
    "warning": "import warnings; warnings.warn('noise')",
    "deprecation": "import warnings; warnings.warn('noise', DeprecationWarning)",
    "log": "import logging; logging.warning('noise')",
    "logger": "import logging; logging.getLogger('learner').error('noise')",
    "stdout": "print('noise')",
}


@pytest.mark.parametrize("noise", NOISE)
class TestNoise:
    """Stock nbgrader gives no points to a test cell that writes to stderr."""

    def test_nothing_reaches_stderr(self, cells: Notebook, noise: str, capfd: pytest.CaptureFixture[str]) -> None:
        cells.run(f"def double(x):\n    {NOISE[noise]}\n    return 2 * x")
        capfd.readouterr()
        verdict = cells.check("fs-function", "double")
        assert verdict.status == "passed"
        assert capfd.readouterr().err == ""

    def test_a_stream_that_was_kept_before_is_quiet_too(
        self, cells: Notebook, noise: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        cells.run(
            "import sys, logging\nkept = sys.stderr",
            "logger = logging.Logger('kept'); logger.addHandler(logging.StreamHandler())",
        )
        cells.run(
            f"def double(x):\n    {NOISE[noise]}\n    kept.write('noise'); logger.error('noise')\n    return 2 * x"
        )
        capfd.readouterr()
        assert cells.check("fs-function", "double").status == "passed"
        assert capfd.readouterr().err == ""


class KernelStream:
    """Like a kernel's sys.stderr: what is written goes to the notebook, not to the file descriptor."""

    def __init__(self) -> None:
        self.shown = ""

    def write(self, text: str) -> int:
        self.shown += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


def test_a_kernels_stream_that_was_kept_before_is_quiet_and_works_again(
    cells: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = KernelStream()
    monkeypatch.setattr(sys, "stderr", stream)
    logger = logging.Logger("learner")
    logger.addHandler(logging.StreamHandler())
    cells.variables["logger"] = logger
    cells.run("def double(x):\n    logger.warning('noise')\n    return 2 * x")
    verdict = cells.check("fs-function", "double")
    assert verdict.status == "passed"
    assert stream.shown == ""
    logger.warning("after")
    assert stream.shown == "after\n"


def test_what_the_learners_code_prints_is_on_the_card_and_nowhere_else(
    cells: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    cells.run("def double(x):\n    print('seen:', len(x))\n    return 2 * x")
    capsys.readouterr()
    verdict = cells.check("fs-function", "double")
    assert "seen: 2" in verdict._repr_html_()
    assert "seen:" not in capsys.readouterr().out


class TestHints:
    def test_they_come_one_after_the_other_and_then_again(self, cells: Notebook) -> None:
        notes = [cells.run('hint("fs-number")') for _ in range(3)]
        assert [note.title for note in notes] == ["Hint 1 of 2", "Hint 2 of 2", "Hint 1 of 2"]
        assert [note.text for note in notes[:2]] == ["Count the weights.", "Count the biases."]

    def test_an_exercise_without_hints_says_so(self, cells: Notebook) -> None:
        assert "There is none for fs-choice" in repr(cells.run('hint("fs-choice")'))

    def test_a_wrong_answer_is_told_of_them_and_a_right_one_is_not(self, cells: Notebook) -> None:
        cells.run("fs_number = 5")
        assert 'hint("fs-number")' in cells.check("fs-number", "fs_number").next
        cells.run("fs_number = 131712")
        assert cells.check("fs-number", "fs_number").next == ""

    def test_a_graded_class_gets_none(self, empty: Notebook) -> None:
        empty.run(first_cell(sealed_lesson(hints={}, solutions={})), "fs_number = 5")
        assert empty.check("fs-number", "fs_number").next == ""
        assert "none" in repr(empty.run('hint("fs-number")'))
        assert "none" in repr(empty.run('solution("fs-number")'))


class TestSolution:
    def tried(self, cells: Notebook, *answers: str) -> str:
        """The solution's text after some answers."""
        for answer in answers:
            cells.run(f"fs_number = {answer}")
            cells.check("fs-number", "fs_number")
        return repr(cells.run('solution("fs-number")'))

    @pytest.mark.parametrize("answers", [[], ["5"], ["5", "5", "5"], ["...", "None", "True", "'x'"], ["5", "True"]])
    def test_without_two_honest_tries_there_is_none(self, cells: Notebook, answers: list[str]) -> None:
        says = self.tried(cells, *answers)
        assert "Check 2 different answers of your own first" in says
        assert "512" not in says

    @pytest.mark.parametrize("answers", [["5", "6"], ["5", "131072"], ["131712"], ["5", "131712"]])
    def test_after_two_or_a_pass_it_is_shown(self, cells: Notebook, answers: list[str]) -> None:
        assert self.tried(cells, *answers) == "Worked solution: 512 * 128, twice, and 640.\nfs_number = ..."

    def test_what_python_cannot_read_is_no_try(self, cells: Notebook) -> None:
        for typo in ("fs_number = 131 712", "fs_number = (1"):
            cells.fail(typo)
            cells.check("fs-number", "fs_number")
        assert "0 so far" in repr(cells.run('solution("fs-number")'))

    def test_an_error_is_an_honest_try(self, cells: Notebook) -> None:
        cells.fail("fs_number = 1 / 0")
        cells.check("fs-number", "fs_number")
        assert "Worked solution" in self.tried(cells, "5")

    def test_the_last_honest_try_is_told_of_it(self, cells: Notebook) -> None:
        for answer, told in (("5", False), ("6", True)):
            cells.run(f"fs_number = {answer}")
            assert ('solution("fs-number")' in cells.check("fs-number", "fs_number").next) is told

    def test_the_course_decides_how_many(self, empty: Notebook) -> None:
        empty.run(first_cell(sealed_lesson(tries_before_solution=0)))
        assert "Worked solution" in repr(empty.run('solution("fs-number")'))

    def test_tries_of_another_exercise_do_not_count(self, cells: Notebook) -> None:
        cells.run("fs_choice = 'a'")
        cells.check("fs-choice", "fs_choice")
        assert "(1 so far)" in self.tried(cells, "5")


class TestProgress:
    def test_it_moves(self, cells: Notebook) -> None:
        assert repr(cells.run("progress()")) == "Progress: 0 of 3 exercises, 0 of 1 lessons. This lesson: 0 of 3."
        cells.run("fs_number = 131712", "fs_choice = 'b'")
        cells.check("fs-number", "fs_number")
        cells.check("fs-choice", "fs_choice")
        assert repr(cells.run("progress()")) == "Progress: 2 of 3 exercises, 0 of 1 lessons. This lesson: 2 of 3."
        cells.run(SOLVED)
        cells.check("fs-function", "double")
        assert repr(cells.run("progress()")) == "Progress: 3 of 3 exercises, 1 of 1 lessons. This lesson: 3 of 3."

    def test_it_is_the_whole_courses_where_its_index_is_at_hand(self, cells: Notebook, tmp_path: Path) -> None:
        (tmp_path / "course.yml").touch()
        (tmp_path / "lessons").mkdir()
        lessons = [{"id": LESSON, "exercises": [{"id": "fs-number"}]}, {"id": "other", "exercises": [{"id": "x"}]}]
        (tmp_path / "lessons" / "course.json").write_text(json.dumps({"lessons": lessons}), encoding="utf-8")
        cells.run("fs_number = 131712")
        cells.check("fs-number", "fs_number")
        assert repr(cells.run("progress()")) == "Progress: 1 of 2 exercises, 1 of 2 lessons. This lesson: 1 of 1."

    def test_it_is_kept_for_the_next_notebook(self, cells: Notebook) -> None:
        cells.run("fs_number = 131712")
        cells.check("fs-number", "fs_number")
        (one,) = Progress().tries()
        assert (one.lesson, one.exercise, one.status, one.score, one.max_score) == (
            LESSON,
            "fs-number",
            "passed",
            2.0,
            2.0,
        )
        assert "131712" not in one.answer

    @pytest.mark.parametrize("variable", ["AUTOGRADE_RECORD", "NBGRADER_EXECUTION"])
    def test_it_is_not_kept_while_grading(
        self, cells: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
    ) -> None:
        monkeypatch.setenv(variable, "0")
        cells.run("fs_number = 131712")
        assert cells.check("fs-number", "fs_number").status == "passed"
        assert not (tmp_path / "home").exists()

    def test_a_busy_database_costs_no_check_and_is_told_once(self, cells: Notebook, tmp_path: Path) -> None:
        cells.run("fs_number = 5")
        cells.check("fs-number", "fs_number")
        held = sqlite3.connect(tmp_path / "home" / "progress.sqlite", isolation_level=None)
        held.execute("begin immediate")
        cells.run("fs_number = 6")
        verdict = cells.check("fs-number", "fs_number")
        held.close()
        assert verdict.status == "failed"
        assert str(verdict).count("Progress was not recorded") == 1
        assert "Progress was not recorded" in verdict._repr_html_()
        cells.run("fs_number = 131712")
        assert "Progress" not in str(cells.check("fs-number", "fs_number"))
        assert [one.status for one in Progress().tries()] == ["failed", "failed", "passed"]

    def test_a_full_disk_costs_no_check(self, cells: Notebook, tmp_path: Path) -> None:
        (tmp_path / "home").write_text("in the way")
        cells.run("fs_number = 131712")
        verdict = cells.check("fs-number", "fs_number")
        assert verdict.status == "passed"
        assert "kept for this session only" in verdict.next
        assert "1 of 3 exercises" in repr(cells.run("progress()"))


SULKING = """
import torch

class Sulking:
    def __repr__(self):
        return 1 / 0

    __str__ = __eq__ = __bool__ = __len__ = __hash__ = __repr__
"""
ODD = [
    "Sulking",
    "Sulking()",
    "[Sulking()]",
    "{1: Sulking()}",
    "torch.nn.Linear(2, 2)",
    "torch.zeros(10**7)",
    "'x' * 10**7",
    "'\\ud800'",
    "[[0] * 1000] * 1000",
    "10**5000",
    "float('nan')",
    "lambda: 1",
    "exit",
]


class TestFaults:
    """Where we fail, it is no verdict: the cell raises, and nothing is earned or recorded."""

    @pytest.mark.parametrize("broken", ["probe", "judge", "to_bytes", "evidence_from_bytes"])
    def test_a_fault_of_ours_is_raised(self, cells: Notebook, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
        def fail(*_: Any) -> None:
            raise RuntimeError("we are broken")

        monkeypatch.setattr(autograde.session, broken, fail)
        cells.run("fs_number = 131712")
        fault = cells.fail('check("fs-number", fs_number)')
        assert isinstance(fault, CheckFault)
        assert "'fs-number' failed in itself (RuntimeError: we are broken); please report it" in str(fault)
        assert Progress().tries() == []

    def test_a_damaged_rubric_passes_nothing(self, empty: Notebook) -> None:
        item = {"kind": "function", "name": "double", "points": 1, "hidden": hidden("fs-function", [])}
        empty.run(first_cell(sealed_lesson(exercises={"fs-function": item})), SOLVED)
        assert isinstance(empty.fail('check("fs-function", double)'), BadSeal)

    def test_an_interrupt_is_an_interrupt(self, cells: Notebook) -> None:
        cells.run("def double(x): raise KeyboardInterrupt")
        assert isinstance(cells.fail('check("fs-function", double)'), KeyboardInterrupt)
        assert Progress().tries() == []
        cells.run(SOLVED)
        assert cells.check("fs-function", "double").status == "passed"

    @pytest.mark.parametrize("answer", ODD)
    def test_whatever_a_learner_hands_in_there_is_a_verdict(self, cells: Notebook, answer: str) -> None:
        cells.run(SULKING)
        for exercise in ("fs-number", "fs-choice", "fs-function"):
            verdict = cells.run(f'check("{exercise}", {answer})')
            assert verdict.score == 0.0
            assert verdict._repr_html_()
            assert str(verdict)

    def test_an_output_of_any_size_has_a_verdict(self, cells: Notebook) -> None:
        for output in (
            "torch.zeros(10**6)",
            "[torch.zeros(10**4) for _ in range(500)]",
            "['x' * 10**4] * 1000",
            "1e300",
            "10**400",
        ):
            cells.run(f"import torch\ndef double(x): return {output}")
            assert cells.check("fs-function", "double").status == "failed"


def test_dimensions_come_from_the_course(cells: Notebook) -> None:
    assert cells.run('dimensions("n_head", "n_embd")') == (4, 128)
    fault = cells.fail('dimensions("n_heads")')
    assert isinstance(fault, KeyError)
    assert str(fault) == "no dimension 'n_heads' (did you mean 'n_head'?); the course has n_embd, n_head"


class TestWrongCalls:
    """A call that does not fit fails in one line, which says what to write."""

    @pytest.mark.parametrize(
        ("call", "type_", "says"),
        [
            (
                'check("fs_number", 3)',
                UnknownExercise,
                "no exercise 'fs_number' (did you mean 'fs-number'?); it has fs-",
            ),
            ('hint("fs-numbr")', UnknownExercise, "(did you mean 'fs-number'?)"),
            ('solution("FS-NUMBER")', UnknownExercise, "(did you mean 'fs-number'?)"),
            ('check("")', UnknownExercise, "no exercise ''; it has fs-choice"),
            ("check()", WrongCall, "check takes an exercise's id in quotes and one value"),
            ("check(3)", WrongCall, 'this lesson has "fs-choice", "fs-function", "fs-number"'),
            ("check(fs_number, 3)", WrongCall, "id in quotes"),
            ("check([1], 3)", WrongCall, "id in quotes"),
            ('check("fs-number", 2, 3)', WrongCall, "(a shape is one value: (2, 3), in brackets)"),
            ("hint()", WrongCall, "hint takes an exercise's id in quotes; this lesson has"),
            ("hint(fs_number)", WrongCall, "id in quotes"),
            ('hint("fs-number", "fs-choice")', WrongCall, "id in quotes"),
            ("solution()", WrongCall, "solution takes an exercise's id in quotes"),
            ("solution({})", WrongCall, "id in quotes"),
            ('dimensions("embd")', UnknownDimension, "(did you mean 'n_embd'?); the course has n_embd, n_head"),
            ("dimensions()", WrongCall, "dimensions takes names in quotes; the course has n_embd, n_head"),
            ("dimensions([])", WrongCall, "names in quotes"),
            ("dimensions(n_head)", WrongCall, "names in quotes"),
        ],
    )
    def test_it_is_told_in_one_line(
        self, cells: Notebook, call: str, type_: type[Exception], says: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cells.run("n_head = 4")
        capsys.readouterr()
        fault = cells.fail(call)
        assert type(fault) is type_
        assert says in str(fault)
        shown = capsys.readouterr().out
        assert shown.strip() == f"{type_.__name__}: {fault}"
        assert Progress().tries() == []

    def test_so_are_a_notebook_without_its_lesson_and_a_damaged_seal(
        self, empty: Notebook, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for cell in ("from autograde import check\ncheck('fs-number', 3)", first_cell(sealed_lesson()[:-8])):
            fault = empty.fail(cell)
            assert capsys.readouterr().out.strip() == f"{type(fault).__name__}: {fault}"

    def test_a_fault_of_ours_is_shown_with_where_it_came_from(
        self, cells: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(autograde.session, "judge", None)
        cells.run("fs_number = 3")
        cells.fail("check('fs-number', fs_number)")
        assert "Traceback" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer here")
class TestLimit:
    """Code that never ends is stopped, and leaves everything as it was."""

    @pytest.fixture
    def hurried(self, empty: Notebook) -> Notebook:
        """A notebook whose lesson gives an exercise a moment."""
        empty.run("import time", first_cell(sealed_lesson(exercise_cpu_s=0.2)))
        return empty

    @pytest.mark.parametrize(
        "body",
        [
            "while True:\n        pass",
            "while True:\n        time.sleep(0.01)",
            "time.sleep(600)",
            "try:\n        time.sleep(600)\n    except Exception:\n        return 2 * x",
            "try:\n        time.sleep(600)\n    except:\n        time.sleep(600)",
        ],
    )
    def test_it_is_a_timeout_with_a_sentence(self, hurried: Notebook, body: str) -> None:
        hurried.run(f"def double(x):\n    {body}")
        before = surroundings()
        verdict = hurried.check("fs-function", "double")
        assert surroundings() == before
        assert (verdict.status, verdict.score) == ("timeout", 0.0)
        assert "still running after 0.2 seconds, so it was stopped" in verdict.message
        assert verdict.detail.startswith("line ")
        assert "double" in hurried.variables
        assert [one.status for one in Progress().tries()] == ["timeout"]
        hurried.run(SOLVED)
        assert hurried.check("fs-function", "double").status == "passed"

    def test_what_it_printed_is_shown(self, hurried: Notebook) -> None:
        hurried.run("def double(x):\n    print('step 1')\n    while True: pass")
        assert hurried.check("fs-function", "double").printed == "step 1\n"

    def test_the_courses_limit_is_generous_where_it_says_nothing(
        self, cells: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[float] = []

        def noted(which: int, seconds: float, interval: float = 0.0) -> None:
            given.append(seconds)

        monkeypatch.setattr(signal, "setitimer", noted)
        cells.run(SOLVED)
        assert cells.check("fs-function", "double").status == "passed"
        assert given == [20, 0]

    def test_an_interrupt_leaves_everything_as_it_was(self, cells: Notebook, tmp_path: Path) -> None:
        cells.run(
            "import os, signal, torch",
            "def double(x):\n    torch.set_default_dtype(torch.float64)\n    torch.manual_seed(3)\n"
            "    print('seen')\n    os.kill(os.getpid(), signal.SIGINT)\n    return 2 * x",
            "list = [1]",
        )
        before = surroundings()
        assert isinstance(cells.fail('check("fs-function", double)'), KeyboardInterrupt)
        assert surroundings() == before
        assert cells.variables["list"] == [1]
        assert Progress().tries() == []
        cells.run(SOLVED)
        assert cells.check("fs-function", "double").status == "passed"


def surroundings() -> tuple[Any, ...]:
    """What a check that is stopped might leave changed."""
    return (
        sys.stdout,
        sys.stderr,
        vars(sys.stderr).get("write"),
        os.fstat(2),
        list(warnings.filters),
        random.getstate(),
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.random.get_rng_state().tolist(),
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGALRM),
        signal.getitimer(signal.ITIMER_REAL),
    )


class TestAuthor:
    """A solved lesson has no seal: its exercises come from the author cells."""

    DECLARE = "from autograde import check, hint, lesson, exercise\nlesson('first-steps')"

    def test_a_solution_passes_its_own_check(self, empty: Notebook) -> None:
        empty.run(
            self.DECLARE,
            "exercise.number('fs-number', answer=3, wrong={4: 'Four.'}, hints=['One.', 'Two.'])",
            "exercise.function('fs-function', calls=lambda draw: [exercise.call('one', draw.normal(2))])",
        )
        assert empty.run("check('fs-number', 3)").status == "passed"
        assert empty.run("check('fs-number', 4)").message == "Four."
        assert empty.run("check('fs-function', lambda x: 2 * x)").status == "passed"
        assert "Hint 1 of 2: One." in repr(empty.run("hint('fs-number')"))

    def test_an_unsound_solution_is_told(self, empty: Notebook) -> None:
        empty.run(
            self.DECLARE, "exercise.function('fs-function', calls=lambda draw: [exercise.call('one', draw.normal(2))])"
        )
        fault = empty.fail("check('fs-function', lambda x: x / 0 * 0)")
        assert isinstance(fault, CheckFault)
        assert "one: holds NaN" in str(fault)

    def test_an_exercise_that_is_not_declared_is_told(self, empty: Notebook) -> None:
        empty.run(self.DECLARE)
        fault = empty.fail("check('fs-number', 3)")
        assert isinstance(fault, UnknownExercise)
        assert "run its author cell" in str(fault)


def test_a_script_without_ipython_checks_too(tmp_path: Path) -> None:
    script = f"{first_cell()}\nverdict = check('fs-number', 131_712)\nprint(verdict.status, repr(verdict))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"AUTOGRADE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("passed 2\n", "")
