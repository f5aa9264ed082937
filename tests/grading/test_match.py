"""Mangled notebooks, mended: the release is the authority, the learner's code and its order stay, and it is said."""

from __future__ import annotations

import copy
import random

import pytest
from plain_week import (
    HIDDEN,
    MEAN,
    SPREAD,
    STUB,
    Notebook,
    copied,
    find,
    order,
    own,
    place,
    release,
    script_of,
    solved,
    week,
    without_ids,
)
from tiny import TinyCourse, answered, solutions

from autograde.grading import pairing
from autograde.grading.assignment import assignment_from_release
from autograde.grading.match import Script

HONEST = script_of(solved())
ORDER = ["setup", "mean", "test-mean", "given", "spread", "test-spread"]


def said(script: Script, *parts: str) -> bool:
    """Whether one repair holds all these texts."""
    return any(all(part in repair for part in parts) for repair in script.repairs)


def source_of(script: Script, step: str) -> str:
    """The source of a step."""
    return next(s.source for s in script.steps if s.id == step)


def test_an_honest_notebook_is_run_as_it_is() -> None:
    assert order(HONEST) == ORDER
    assert [step.role for step in HONEST.steps] == ["given", "answer", "grade", "given", "answer", "grade"]
    assert (HONEST.repairs, HONEST.untouched, HONEST.missing) == ((), False, ())
    assert source_of(HONEST, "mean") == MEAN
    assert HIDDEN in source_of(HONEST, "test-mean")


def test_what_was_handed_out_is_untouched() -> None:
    assert script_of(release()).untouched
    assert script_of(release()).repairs == ()


@pytest.mark.parametrize("left", ["", "  \n", "# my plan\n", "pass", f"{STUB}\n\n", "raise NotImplementedError"])
def test_an_emptied_answer_is_no_answer(left: str) -> None:
    notebook = release()
    find(notebook, "mean")["source"] = left
    assert script_of(notebook).untouched


def test_one_answer_of_any_kind_is_a_start() -> None:
    for grade_id in ("mean", "spread", "explain"):
        notebook = release()
        find(notebook, grade_id)["source"] = "x = 1"
        assert not script_of(notebook).untouched
    notebook = release()
    own(notebook, 4, "x = 1")
    assert not script_of(notebook).untouched


def test_the_learners_own_cells_run_where_they_stand() -> None:
    notebook = solved()
    own(notebook, place(notebook, "test-mean"), "helper = 1")
    own(notebook, 0, "%matplotlib widget")
    own(notebook, 3, "   \n")
    script = script_of(notebook)
    assert order(script) == ["extra", "setup", "mean", "extra", "test-mean", *ORDER[3:]]
    assert script.repairs == ()


def test_a_given_cell_that_is_not_locked_may_be_changed() -> None:
    notebook = solved()
    notebook["cells"][5]["source"] = "print('more between')"
    script = script_of(notebook)
    assert script.steps[3].role == "extra"
    assert script.steps[3].source == "print('more between')"
    assert script.repairs == ()
    notebook = release()
    notebook["cells"][5]["source"] = "print('more between')"
    assert script_of(notebook).untouched  # trying is not answering


# What is not the learner's to change: (cell, its new source).
TAMPERED = [
    ("test-mean", "# assert mean(values) == 3"),
    ("test-mean", "score = 0\nscore"),
    ("test-mean", ""),
    ("setup", "import math\nmath.isclose = lambda *a: True"),
]


@pytest.mark.parametrize(("grade_id", "text"), TAMPERED)
def test_a_changed_locked_cell_gets_the_releases_source(grade_id: str, text: str) -> None:
    notebook = solved()
    find(notebook, grade_id)["source"] = text
    script = script_of(notebook)
    assert script.steps == HONEST.steps
    assert script.repairs == (f"{grade_id}: this locked cell was changed; the original was used",)


def test_locked_text_and_points_are_restored_quietly() -> None:
    notebook = solved()
    find(notebook, "intro")["source"] = "### Week 1: numbers"
    find(notebook, "test-mean")["metadata"]["nbgrader"] |= {"points": 100, "solution": True, "locked": False}
    find(notebook, "setup")["source"] = "import math  \n\n"
    assert script_of(notebook) == HONEST


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("grade_id", ["mean", "test-mean", "setup"])
def test_a_cell_of_another_type_becomes_code_again(grade_id: str, kind: str) -> None:
    notebook = solved()
    find(notebook, grade_id)["cell_type"] = kind
    script = script_of(notebook)
    assert script.steps == HONEST.steps
    assert script.repairs == (f"{grade_id}: the cell had become {kind}; it was read as code again",)


def test_a_text_that_became_code_runs_only_where_it_is_the_learners_code() -> None:
    notebook = solved()
    notebook["cells"][2] |= {"cell_type": "code", "source": "mine = 1"}
    find(notebook, "explain")["cell_type"] = "code"
    script = script_of(notebook)
    assert order(script) == ["setup", "extra", *ORDER[1:]]
    assert said(script, "explain", "markdown again")


def test_deleted_cells_are_put_back_at_the_releases_place() -> None:
    for grade_id in ("setup", "test-mean", "test-spread"):
        notebook = solved()
        del notebook["cells"][place(notebook, grade_id)]
        script = script_of(notebook)
        assert script.steps == HONEST.steps
        assert said(script, "Put back", grade_id)
    notebook = solved()
    del notebook["cells"][5]
    assert script_of(notebook).steps == HONEST.steps
    assert said(script_of(notebook), "Put back", "1 given cell")


def test_a_deleted_test_runs_after_what_the_learner_put_behind_the_answer() -> None:
    notebook = solved()
    own(notebook, place(notebook, "test-mean"), "helper = 1")
    del notebook["cells"][place(notebook, "test-mean")]
    assert order(script_of(notebook)) == ["setup", "mean", "extra", "test-mean", *ORDER[3:]]


def test_all_tests_deleted_is_still_everything_that_can_be_earned() -> None:
    notebook = release()
    notebook["cells"] = [c for c in notebook["cells"] if not c["metadata"].get("nbgrader", {}).get("grade")]
    script = script_of(notebook)
    assert [step.id for step in script.steps if step.role == "grade"] == ["test-mean", "test-spread"]
    assert script.untouched
    assert script.missing == ("explain",)


def test_a_deleted_answer_is_named() -> None:
    notebook = solved()
    for grade_id in ("mean", "explain"):
        del notebook["cells"][place(notebook, grade_id)]
    script = script_of(notebook)
    assert script.missing == ("mean", "explain")
    assert said(script, "No cell with an answer to mean, explain")
    assert order(script) == ["setup", *ORDER[2:]]


def test_of_copies_the_last_counts_and_it_is_said() -> None:
    notebook = solved()
    copied(notebook, "mean", MEAN.replace("len(numbers)", "2"))
    script = script_of(notebook)
    assert order(script) == ["setup", "extra", *ORDER[1:]]
    assert source_of(script, "mean").endswith("/ 2")
    assert said(script, "mean", "2 copies", "the last counts")


def test_a_copy_that_is_empty_does_not_count_and_does_not_run() -> None:
    notebook = solved()
    copied(notebook, "mean", STUB)
    script = script_of(notebook)
    assert script.steps == HONEST.steps
    assert said(script, "mean", "the one that is filled in counts")
    notebook = release()
    copied(notebook, "mean", STUB)
    assert script_of(notebook).untouched
    assert order(script_of(notebook)) == ORDER


@pytest.mark.parametrize("cut", ["\n    total", "\n    return", "(numbers):\n    #", "total = "])
def test_halves_of_an_answer_are_joined(cut: str) -> None:
    at = MEAN.index(cut)
    notebook = solved()
    find(notebook, "mean")["source"] = MEAN[:at]
    copied(notebook, "mean", MEAN[at:].removeprefix("\n"))
    script = script_of(notebook)
    assert script.steps == HONEST.steps
    assert said(script, "mean", "joined")


def test_an_answer_cut_between_two_definitions_is_joined_too() -> None:
    notebook = solved()
    find(notebook, "mean")["source"] = "%matplotlib inline\nhelper = 1"
    copied(notebook, "mean", MEAN)
    script = script_of(notebook)
    assert source_of(script, "mean") == f"%matplotlib inline\nhelper = 1\n{MEAN}"
    assert order(script) == ORDER


def test_halves_behind_an_older_copy_are_joined_alone() -> None:
    notebook = solved()
    find(notebook, "mean")["source"] = "def mean(numbers):\n    return 0"
    second = MEAN.index("\n    return")
    copied(notebook, "mean", MEAN[second + 1 :])
    copied(notebook, "mean", MEAN[:second])
    script = script_of(notebook)
    assert order(script) == ["setup", "extra", *ORDER[1:]]
    assert source_of(script, "mean") == MEAN


def test_a_copied_test_runs_once_and_a_changed_copy_is_the_learners_own() -> None:
    notebook = solved()
    copied(notebook, "test-mean", find(notebook, "test-mean")["source"])
    assert order(script_of(notebook)) == ORDER
    notebook = solved()
    copied(notebook, "test-mean", find(notebook, "test-mean")["source"])
    find(notebook, "test-mean")["source"] = "print(mean([1]))"
    script = script_of(notebook)
    assert order(script) == ["setup", "mean", "extra", *ORDER[2:]]
    assert script.steps[3].source == source_of(HONEST, "test-mean")


def test_the_learners_order_is_kept() -> None:
    notebook = solved()
    notebook["cells"].append(notebook["cells"].pop(place(notebook, "mean")))
    script = script_of(notebook)
    assert order(script) == ["setup", "test-mean", "given", "spread", "test-spread", "mean"]
    (told,) = script.repairs
    assert told.startswith("mean: this answer stands below its test")


def test_lost_metadata_is_recognised_by_cell_id() -> None:
    script = script_of(without_ids(solved(), cell_ids=False))
    assert script.steps == HONEST.steps
    assert said(script, "Recognised by cell id", "mean")
    assert not said(script, "Not certain")


def test_all_ids_lost_is_recognised_by_content_and_place() -> None:
    script = script_of(without_ids(solved()))
    assert script.steps == HONEST.steps
    assert script.missing == ()
    assert said(script, "Recognised by content, place", "test-mean")
    assert said(script, "Not certain, please look: explain")


def test_all_ids_lost_and_an_answer_that_defines_something_else() -> None:
    notebook = without_ids(solved())
    notebook["cells"][3]["source"] = "average = 3"
    script = script_of(notebook)
    assert order(script) == ORDER
    assert said(script, "Not certain, please look: mean")


def test_all_ids_lost_and_nothing_answered_is_untouched() -> None:
    script = script_of(without_ids(release()))
    assert script.untouched
    assert script.steps == script_of(release()).steps


def test_all_ids_lost_and_a_test_that_was_changed_a_little() -> None:
    notebook = without_ids(solved())
    notebook["cells"][4]["source"] = "values = [1, 2, 6]\nassert mean(values) == 4"
    script = script_of(notebook)
    assert script.steps == HONEST.steps
    assert said(script, "test-mean: this locked cell was changed")


def test_an_answer_moved_into_a_new_cell_is_found_by_what_it_defines() -> None:
    notebook = solved()
    del notebook["cells"][place(notebook, "mean")]
    own(notebook, place(notebook, "test-mean"), MEAN)
    own(notebook, 0, "values = 2")
    script = script_of(notebook)
    assert order(script) == ["extra", *ORDER]
    assert script.missing == ()
    assert said(script, "Recognised by content", "mean")


def test_an_id_of_another_release_is_matched_where_possible_and_listed() -> None:
    notebook = solved()
    find(notebook, "test-mean")["metadata"]["nbgrader"]["grade_id"] = "test-mean-2025"
    own(notebook, 1, "y = 1")
    notebook["cells"][1]["metadata"] = {"nbgrader": {"grade_id": "gone"}}
    script = script_of(notebook)
    assert order(script) == ["extra", *ORDER]
    assert script.steps[1:] == HONEST.steps
    assert said(script, "Recognised by cell id", "test-mean")
    assert said(script, "Not of this release of week1", "gone, test-mean-2025")


def test_another_notebook_altogether_is_said() -> None:
    script = script_of({"cells": [{"cell_type": "code", "source": "x = 1", "metadata": {}}]})
    assert said(script, "No cell of week1 was recognised")
    assert script.missing == ("mean", "spread", "explain")
    assert not script.untouched
    assert {step.id for step in script.steps if step.role == "grade"} == {"test-mean", "test-spread"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"<<<<<<< local\n{MEAN}\n=======\n>>>>>>> remote", "mean: line 1 is left from a merge (<<<<<<< local)"),
        (MEAN.replace("    total", "\u00a0\u00a0\u00a0 total"), "mean: line 3 holds U+00A0 (no-break space)"),
        (MEAN + "\nname = \u201cme\u201d", "mean: line 5 holds U+201C (left double quotation mark)"),
    ],
)
def test_what_a_merge_or_the_web_left_is_named_and_not_mended(text: str, says: str) -> None:
    notebook = solved()
    find(notebook, "mean")["source"] = text
    script = script_of(notebook)
    assert source_of(script, "mean") == text
    assert said(script, says)


@pytest.mark.parametrize(
    "text", ["x = '\u00a0'", "await f()\n# \u201cx\u201d", "!ls \u00a0", "x = (  # \u00a0", "%%time\n\u00a0"]
)
def test_odd_characters_that_are_no_fault_or_not_the_fault_are_left_alone(text: str) -> None:
    notebook = solved()
    find(notebook, "mean")["source"] = text
    assert script_of(notebook).repairs == ()


def test_any_cells_deleted_copied_and_shuffled_every_test_runs_once_and_no_line_is_lost() -> None:
    tests = {"test-mean", "test-spread"}
    for seed in range(60):
        draw = random.Random(seed)
        notebook = solved() if seed % 2 else without_ids(solved())
        cells = [c for c in notebook["cells"] if draw.random() > 0.2]
        cells += [copy.deepcopy(draw.choice(cells)) for _ in range(draw.randrange(3))]
        draw.shuffle(cells)
        notebook["cells"] = cells
        script = script_of(notebook)
        assert sorted(step.id for step in script.steps if step.role == "grade") == sorted(tests)
        assert {step.source for step in script.steps if step.role == "grade"} == {source_of(HONEST, t) for t in tests}
        ran = "\n".join(step.source for step in script.steps)
        assert all(text in ran for text in (MEAN, SPREAD) if any(text in c["source"] for c in cells))


def test_the_digest_depends_on_what_is_run() -> None:
    notebook = solved()
    notebook["cells"][2]["source"] = "Other text"
    assert script_of(notebook).digest == HONEST.digest
    find(notebook, "mean")["source"] += "\n"
    assert script_of(notebook).digest != HONEST.digest


def test_a_thousand_cells_that_resemble_nothing_are_compared_in_bounds() -> None:
    words = [f"{' '.join(reversed(HIDDEN.split()))} {i}\n" * 40 for i in range(1_000)]
    notebook: Notebook = {"cells": [{"cell_type": "code", "source": text, "metadata": {}} for text in words]}
    cells = [pairing.Cell("code", text) for text in words]
    pairer = pairing._Pairer(cells, week().cells)
    pairer.paired()
    assert pairer.thorough <= pairing._LOOKS
    assert len(script_of(notebook).steps) == 1_004


def test_a_lesson_of_a_course_is_matched_and_its_seal_may_be_another(built: TinyCourse) -> None:
    lesson = assignment_from_release(built.notebook("every-kind"), "every-kind")
    notebook = built.notebook("every-kind")
    assert script_of(notebook, lesson).untouched
    notebook.cells[0].source = notebook.cells[0].source.replace('"""\n', '"""\nAAAA', 1)
    answered(notebook, solutions(built.text("every-kind")))
    script = script_of(notebook, lesson)
    assert script.steps[0].source == lesson.cells[0].source
    assert (script.repairs, script.untouched) == ((), False)
    bare = script_of(without_ids(notebook), lesson)
    assert bare.steps == script.steps
    assert not said(bare, "Not certain")
