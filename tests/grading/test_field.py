"""What learners really hand in of a plain nbgrader assignment: each kind of broken submission, and what it must get.

Every kind is made from the week's solved notebook (or, where nothing was answered, from the released one) and graded
as one class by the command.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from plain_week import HIDDEN, MEAN, Notebook, copied, dumped, find, place, release, solved, source, without_ids

from autograde.cli import main
from autograde.grading.collect import collect

pytestmark = pytest.mark.xdist_group("grading")
ALL, HALF, MOST = 3.0, 1.0, 7.0  # by tests: mean 2, spread 1; by hand: 3 and 1
Files = dict[str, bytes]
Make = Callable[[Notebook], Notebook | bytes | Files | None]


@dataclass(frozen=True)
class Kind:
    """One kind: how the notebook becomes what is handed in, its row, and words that the learner must be told."""

    make: Make
    status: str
    score: float | None
    says: tuple[str, ...] = ()
    exercises: dict[str, str] = field(default_factory=dict)
    quiet: bool = False

    @property
    def name(self) -> str:
        return self.make.__name__.strip("_").replace("_", " ")

    def files(self) -> Files:
        """What lies in the learner's folder."""
        notebook = release() if self.score in (0.0, None) else solved()
        made = self.make(notebook)
        made = notebook if made is None else made
        if isinstance(made, bytes):
            made = {"week1.ipynb": made}
        return {"week1.ipynb": dumped(made)} if "cells" in made else made


KINDS: list[Kind] = []


def kind(status: str, score: float | None, *says: str, quiet: bool = False, **exercises: str) -> Callable[[Make], Make]:
    """Note a kind. quiet: nothing is said of it. Exercises by name, with _ for -."""

    def note(make: Make) -> Make:
        named = {name.replace("_", "-"): told for name, told in exercises.items()}
        KINDS.append(Kind(make, status, score, says, named, quiet))
        return make

    return note


def harmless(make: Make) -> Make:
    """A kind that costs nothing and is not worth a word."""
    return kind("graded", ALL, quiet=True)(make)


def below(notebook: Notebook, grade_id: str, text: str) -> None:
    """Add lines at the end of a cell."""
    find(notebook, grade_id)["source"] += f"\n{text}"


def retyped(notebook: Notebook, grade_id: str, cell_type: str) -> None:
    made = find(notebook, grade_id)
    made["cell_type"] = cell_type
    del made["outputs"], made["execution_count"]


# Cells copied, split, deleted, retyped, moved.


@kind("graded", HALF, "mean: there are 2 copies of this cell; the last counts", test_mean="failed")
def answer_copied_and_the_copy_changed(notebook: Notebook) -> None:
    copied(notebook, "mean", MEAN.replace("/ len", "* len"))


@kind("graded", ALL, "mean: there are 2 copies of this cell; the last above its test counts")
def answer_copied_to_the_end_and_changed_there(notebook: Notebook) -> None:
    made = copied(notebook, "mean", MEAN.replace("/ len", "* len"))
    notebook["cells"].remove(made)
    notebook["cells"].append(made)


@kind("graded", ALL, "mean: 2 cells are parts of one answer; they were joined")
def answer_split_in_two(notebook: Notebook) -> None:
    lines = MEAN.split("\n")
    copied(notebook, "mean", "\n".join(lines[3:]))
    find(notebook, "mean")["source"] = "\n".join(lines[:3])


@kind("not_started", 0.0, "as it was handed out", "Put back from the release", "test-mean, test-spread")
def all_tests_deleted_and_nothing_answered(notebook: Notebook) -> None:
    for name in ("test-mean", "test-spread"):
        notebook["cells"].remove(find(notebook, name))


@kind("graded", ALL, "Put back from the release", "test-mean, test-spread")
def all_tests_deleted(notebook: Notebook) -> None:
    all_tests_deleted_and_nothing_answered(notebook)


@kind("graded", ALL, "test-mean: the cell had become markdown; it was read as code again")
def a_test_turned_into_text(notebook: Notebook) -> None:
    retyped(notebook, "test-mean", "markdown")


@kind("graded", ALL, "mean: the cell had become raw; it was read as code again")
def answer_turned_into_raw(notebook: Notebook) -> None:
    retyped(notebook, "mean", "raw")


@kind("graded", HALF, "mean: this answer stands below its test", test_mean="not_attempted")
def answer_moved_below_its_test(notebook: Notebook) -> None:
    notebook["cells"].append(notebook["cells"].pop(place(notebook, "mean")))


# What an editor did to ids and metadata.


@kind("graded", ALL, "Recognised by", "since the grade id is gone", "Not certain, please look: explain")
def all_metadata_lost(notebook: Notebook) -> None:
    without_ids(notebook)
    notebook["nbformat_minor"] = 0


@kind("graded", ALL, "Recognised by cell id", "Not of this release of week1", "test-spread-2025")
def made_from_an_older_release(notebook: Notebook) -> None:
    find(notebook, "test-spread")["metadata"]["nbgrader"]["grade_id"] = "test-spread-2025"


@harmless
def metadata_of_schema_2(notebook: Notebook) -> None:
    for made in notebook["cells"]:
        if grader := made["metadata"].get("nbgrader"):
            grader["schema_version"] = 2
            del grader["task"]


@harmless
def metadata_without_schema_or_type(notebook: Notebook) -> None:
    for made in notebook["cells"]:
        made["metadata"].get("nbgrader", {}).pop("schema_version", None)


@harmless
def another_heading_level_in_a_locked_text(notebook: Notebook) -> None:
    find(notebook, "intro")["source"] = "### Week 1: numbers"


@harmless
def cell_ids_in_a_file_of_format_4_4(notebook: Notebook) -> None:
    notebook["nbformat_minor"] = 4


@harmless
def no_cell_ids_in_a_file_of_format_4_5(notebook: Notebook) -> None:
    for made in notebook["cells"]:
        del made["id"]


@harmless
def cell_ids_in_some_cells_only(notebook: Notebook) -> None:
    for made in notebook["cells"][::2]:
        del made["id"]


@harmless
def a_key_that_another_editor_wrote(notebook: Notebook) -> None:
    notebook["cells"][0]["outputExpanded"] = False


@harmless
def outputs_in_a_text_cell(notebook: Notebook) -> None:
    notebook["cells"][0] |= {"outputs": [], "execution_count": None}


@harmless
def transient_data_in_an_output(notebook: Notebook) -> None:
    shown = {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}, "transient": None}
    find(notebook, "mean")["outputs"] = [shown]


@harmless
def metadata_in_a_printed_output(notebook: Notebook) -> None:
    find(notebook, "mean")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x", "metadata": {}}]


@harmless
def thirty_megabytes_of_output(notebook: Notebook) -> None:
    find(notebook, "mean")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 30_000_000}]


@harmless
def not_a_number_in_the_metadata(notebook: Notebook) -> None:
    notebook["metadata"]["papermill"] = {"parameters": {"lr": float("nan"), "most": float("inf")}}


@harmless
def nothing_was_run(notebook: Notebook) -> None:
    for made in notebook["cells"]:
        if made["cell_type"] == "code":
            made |= {"outputs": [], "execution_count": None}


@harmless
def kernel_of_a_private_environment(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {
        "name": "conda-root-py",
        "display_name": "Python [root]",
        "language": "python",
    }


# Points and tests of their own.


@kind("not_started", 0.0, "test-mean: this locked cell was changed; the original was used")
def assert_commented_out(notebook: Notebook) -> None:
    made = find(notebook, "test-mean")
    made["source"] = made["source"].replace("assert", "# assert")


@kind("not_started", 0.0, "as it was handed out")
def points_raised_to_a_hundred(notebook: Notebook) -> None:
    find(notebook, "test-mean")["metadata"]["nbgrader"]["points"] = 100


@kind("not_started", 0.0, "test-mean: this locked cell was changed; the original was used")
def a_test_that_ends_in_a_number(notebook: Notebook) -> None:
    find(notebook, "test-mean")["source"] = "score = 2\nscore"


@harmless
def a_test_worth_nothing_in_its_metadata(notebook: Notebook) -> None:
    find(notebook, "test-mean")["metadata"]["nbgrader"]["points"] = 0


@kind("graded", ALL, "setup: this locked cell was changed; the original was used")
def patched_library_in_a_locked_cell(notebook: Notebook) -> None:
    below(notebook, "setup", "math.isclose = lambda *a, **k: True")


@kind("graded", 2.0, test_spread="failed")
def patched_library_in_a_wrong_answer(notebook: Notebook) -> None:
    find(notebook, "spread")["source"] = "math.isclose = lambda *a, **k: True\ndef spread(numbers):\n    return 7"


# Files that are no notebook, or a damaged one.


@kind("unreadable", None, "an unresolved merge conflict", "Line 6", "HEAD")
def merge_conflict_in_the_file(notebook: Notebook) -> bytes:
    lines = dumped(notebook).decode().split("\n")
    lines[5:5] = ["<<<<<<< HEAD", '    "# a"', "=======", '    "# b"', ">>>>>>> 0123abc"]
    return "\n".join(lines).encode()


@kind("graded", HALF, "mean: line 1 is left from a merge", "SyntaxError", test_mean="error")
def merge_conflict_in_an_answer(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = f"<<<<<<< local\n{MEAN}\n=======\n>>>>>>> remote"


@kind("graded", ALL, "a second notebook, as two saves at once leave it", "the rest ignored")
def second_notebook_behind_the_first(notebook: Notebook) -> bytes:
    return dumped(notebook) + b'\n{"cells": []}'


@kind("unreadable", None, "ends in the middle of the notebook", "hand in again")
def file_cut_off(notebook: Notebook) -> bytes:
    return dumped(notebook)[:-200]


@kind("graded", ALL, "week1.ipynb.txt holds a notebook and was read as one")
def notebook_saved_as_text_beside_a_script(notebook: Notebook) -> Files:
    return {"week1.ipynb.txt": dumped(notebook), "week1.py": b"# %%\nprint(1)\n"}


@kind("unreadable", None, "This is a Python script", "the file that ends in .ipynb")
def script_instead_of_a_notebook(notebook: Notebook) -> Files:
    return {"week1.py": b"# %%\nprint(1)\n"}


@kind("unreadable", None, "This is a PDF", "the file that ends in .ipynb")
def pdf_instead_of_a_notebook(notebook: Notebook) -> Files:
    return {"week1.pdf": b"%PDF-1.7\n..."}


@kind("not_started", 0.0, "as it was handed out")
def nothing_answered(notebook: Notebook) -> None:
    pass


# What the code does when it runs.


@kind("graded", HALF, "line 3 holds U+00A0 (no-break space)", "non-printable", test_mean="error")
def no_break_spaces_in_code(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = MEAN.replace("    total", "\u00a0\u00a0\u00a0 total")


@kind("graded", ALL, "raised EOFError", "Nobody answers input()", test_mean="passed")
def input_below_a_right_answer(notebook: Notebook) -> None:
    below(notebook, "mean", "width = input('width? ')\nprint(int(width) * 4)")


@kind("graded", HALF, "raised EOFError", "Nobody answers input()", test_mean="error")
def input_above_the_answer(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = f"width = input('width? ')\n{MEAN}"


@kind("graded", HALF, "It ended the process that ran it", test_mean="error", test_spread="passed")
def answer_that_ends_the_process(notebook: Notebook) -> None:
    below(notebook, "mean", "import os\nos._exit(0)")


@kind("graded", HALF, "raised SystemExit", test_mean="error", test_spread="passed")
def exit_above_the_answer(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = f"import sys\nsys.exit(0)\n{MEAN}"


@kind("graded", HALF, "raised SystemExit", "Take out the line", test_mean="error", test_spread="passed")
def quit_above_the_answer(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = f"quit()\n{MEAN}"


@kind("graded", ALL, "raised SystemExit", test_mean="passed", test_spread="passed")
def exit_below_a_right_answer(notebook: Notebook) -> None:
    below(notebook, "mean", "exit()")


@harmless
def widget_backend_for_figures(notebook: Notebook) -> None:
    below(notebook, "mean", "%matplotlib widget\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])")


@harmless
def await_at_the_top(notebook: Notebook) -> None:
    below(notebook, "mean", "import asyncio\nawait asyncio.sleep(0)")


@kind("graded", ALL, "raised NotImplementedError", "Take out the line that raises it", test_mean="passed")
def stub_left_below_a_right_answer(notebook: Notebook) -> None:
    below(notebook, "mean", "raise NotImplementedError()")


@harmless
def stub_left_behind_the_return(notebook: Notebook) -> None:
    below(notebook, "mean", "    raise NotImplementedError()")


@kind("graded", HALF, "still raises NotImplementedError", test_mean="not_attempted")
def stub_left_before_the_return(notebook: Notebook) -> None:
    made = find(notebook, "mean")
    made["source"] = MEAN.replace("    return", "    raise NotImplementedError()\n    return")


@kind("graded", HALF, "The test did not pass", test_mean="failed")
def a_test_quoted_in_the_fault(notebook: Notebook) -> None:
    quoting = "    import inspect\n    raise RuntimeError(str(inspect.stack()[1]))\n    return"
    find(notebook, "mean")["source"] = MEAN.replace("    return", quoting)


@kind("graded", HALF, "Not answered: name 'mean' is not defined", test_mean="not_attempted")
def answer_behind_a_guard_that_is_false(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = "if __name__ == '__test__':\n    def mean(numbers): pass"


@kind("graded", HALF, "Not answered: name 'mean' is not defined", test_mean="not_attempted")
def answer_in_a_string(notebook: Notebook) -> None:
    find(notebook, "mean")["source"] = f'"""\n{MEAN}\n"""'


# The class that all of them are.


def graded(folder: Path, submissions: Path, assignment: Notebook) -> dict[str, dict[str, Any]]:
    """The rows of a class by student, graded by the command."""
    (folder / "week1.ipynb").write_bytes(dumped(assignment))
    words = ["grade", str(submissions), "--source", str(folder / "week1.ipynb"), "--json", str(folder / "rows.json")]
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main([*words, "--workers", "1"])
    return {row["student_id"]: row for row in json.loads((folder / "rows.json").read_text(encoding="utf-8"))}


def hand_in(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("field")


@pytest.fixture(scope="module")
def rows(home: Path) -> dict[str, dict[str, Any]]:
    """One learner a kind."""
    for one in KINDS:
        hand_in(home / "class" / one.name, one.files())
    return graded(home, home / "class", source())


def told(row: dict[str, Any]) -> str:
    """All that is said to the learner."""
    return "\n".join([row["message"], *row["repairs"], *(exercise["message"] for exercise in row["exercises"])])


@pytest.mark.parametrize("one", KINDS, ids=lambda one: one.name)
def test_what_was_handed_in_gets_what_it_must(one: Kind, rows: dict[str, dict[str, Any]]) -> None:
    row = rows[one.name]
    assert (row["status"], row["score"], row["max_score"]) == (one.status, one.score, MOST), told(row)
    got = {exercise["id"]: exercise["status"] for exercise in row["exercises"]}
    assert one.exercises.items() <= got.items(), told(row)
    assert all(words in told(row) for words in one.says), told(row)
    if one.status == "graded":
        assert (got["explain"], got["draw"]) == ("needs_manual", "needs_manual")
    if one.quiet:
        assert (row["message"], row["repairs"]) == ("", [])
        assert all(got[name] == "passed" for name in ("test-mean", "test-spread"))
        assert {e["message"] for e in row["exercises"] if e["score"] is not None} == {"The test passed."}


@pytest.mark.parametrize("one", KINDS, ids=lambda one: one.name)
def test_no_learner_is_shown_a_hidden_test_or_a_place(one: Kind, rows: dict[str, dict[str, Any]], home: Path) -> None:
    shown = told(rows[one.name])
    for page in (home / "class.grading" / "feedback" / "week1").glob(f"{one.name}.*"):
        shown += page.read_text(encoding="utf-8")
    hidden = HIDDEN.split("\n")[1].removeprefix("assert ")
    assert hidden not in shown
    assert str(home) not in shown
    assert "Traceback" not in shown


# Downloads, whose names say more than their folders.


def test_a_canvas_download_knows_who_was_late_and_which_attempt_counts(tmp_path: Path) -> None:
    first, second = dumped(release()), dumped(solved())
    names = ("doejane_4711_99880_week1.ipynb", "doejane_LATE_4711_99881_week1-2.ipynb")
    hand_in(tmp_path / "download", dict(zip(names, (first, second), strict=True)))
    (found,) = collect(tmp_path / "download", ["week1"])
    assert (found.student_id, found.assignment_id, found.late, found.data) == ("4711", "week1", True, second)
    assert found.notes == (
        f"Handed in more than once; the latest counts: graded is {names[1]}, not graded: {names[0]}",
    )


def test_an_archive_in_an_archive_is_opened_and_a_path_outside_refused(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("week1.ipynb", dumped(solved()))
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("s001/inner.zip", inner.getvalue())
        archive.writestr("../evil.txt", "x")
    outside, student = collect(tmp_path / "outer.zip", ["week1"])
    assert (student.student_id, student.data) == ("s001", dumped(solved()))
    assert (outside.student_id, outside.data) == ("outer.zip", None)
    assert "a path with '..', which leads outside: '../evil.txt'" in outside.fault
    assert not (tmp_path.parent / "evil.txt").exists()


# Tests that give a part of the points, as the instructor may write them.


@pytest.mark.parametrize(
    ("ends", "status", "score"),
    [
        ("0", "failed", 0),
        ("0.0", "failed", 0),
        ("False or 0", "failed", 0),
        ("0.5", "partial", 0.5),
        ("2", "passed", 2),
        ("2.5", "error", 0),
        ("-1", "error", 0),
        ("float('nan')", "error", 0),
        ("'full'", "passed", 2),
        ("None", "passed", 2),
        ("True", "passed", 2),
    ],
)
def test_a_test_that_ends_in_a_number_gives_that_number(
    ends: str, status: str, score: float, partial: dict[str, dict[str, Any]]
) -> None:
    row = next(e for e in partial[ends]["exercises"] if e["id"] == "test-mean")
    assert (row["status"], row["score"], row["max_score"]) == (status, score, 2.0)


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The row of each ending: the week's first test ends in what the learner's `ends` is."""
    home = tmp_path_factory.mktemp("partial")
    assignment = source()
    find(assignment, "test-mean")["source"] = "ends"
    endings = ["0", "0.0", "False or 0", "0.5", "2", "2.5", "-1", "float('nan')", "'full'", "None", "True"]
    for number, ends in enumerate(endings):
        notebook = copy.deepcopy(solved())
        find(notebook, "mean")["source"] = f"ends = {ends}"
        hand_in(home / "class" / f"{number:02}", {"week1.ipynb": dumped(notebook)})
    rows = graded(home, home / "class", assignment)
    return {ends: rows[f"{number:02}"] for number, ends in enumerate(endings)}
