"""Trying one answer from the command line: one verdict, found in two ways that must agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tiny import Said, TinyCourse

from autograde.authoring.attempt import attempt
from autograde.grading.single import judge_answer

KEYS = {"exercise", "status", "score", "max_score", "message", "paths"}
AGREED = {status: {"notebook": status, "grading": status} for status in ("passed", "failed", "error", "not_attempted")}


def tried(course: TinyCourse, folder: Path, exercise: str, answer: str, *options: str) -> Said:
    """Try an answer's code."""
    file = folder / "answer.py"
    file.write_text(answer, encoding="utf-8")
    return course.run("try", exercise, file, *options)


def verdict(course: TinyCourse, folder: Path, exercise: str, answer: str) -> dict[str, Any]:
    """The one JSON object that trying an answer gives; the exit code is 0 for any verdict."""
    said = tried(course, folder, exercise, answer, "--json")
    assert said.code == 0, said.err
    assert said.data.keys() == KEYS
    assert said.data["exercise"] == exercise
    return said.data


def test_a_right_answer_passes_under_the_name_of_the_grade_cell_with_other_names_beside_it(
    built: TinyCourse, tmp_path: Path
) -> None:
    said = verdict(
        built, tmp_path, "sum-hundred", "pairs = 50\nprint(pairs)\nsum_hundred = pairs * 101\nchecked = True\n"
    )
    assert (said["status"], said["score"], said["max_score"]) == ("passed", 1, 1)
    assert said["message"] == "Right: fifty pairs of 101."
    assert said["paths"] == AGREED["passed"]


def test_an_answer_may_be_called_answer_and_a_wrong_one_earns_its_own_sentence(
    built: TinyCourse, tmp_path: Path
) -> None:
    said = verdict(built, tmp_path, "sum-squares", "answer = 328_350\n")
    assert (said["status"], said["score"], said["max_score"]) == ("failed", 0, 2)
    assert said["message"] == "You stopped at 99."
    assert said["paths"] == AGREED["failed"]


def test_an_empty_file_is_not_attempted(built: TinyCourse, tmp_path: Path) -> None:
    assert verdict(built, tmp_path, "sum-hundred", "# nothing yet\n")["paths"] == AGREED["not_attempted"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("total = [1, 2]\nsum_hundred = total[5]\n", "line 2 of your cell:  sum_hundred = total[5]\nIndexError:"),
        ("sum_hundred = (5_050\n", "Python cannot read your answer cell, so `sum_hundred` has no value yet."),
        ("import os\nos._exit(0)\n", "The answer ended the process that ran it."),
    ],
    ids=["raises", "a syntax error", "ends the process"],
)  # fmt: skip
def test_an_answer_that_breaks_is_an_error_in_its_own_words(
    built: TinyCourse, tmp_path: Path, answer: str, told: str
) -> None:
    said = verdict(built, tmp_path, "sum-hundred", answer)
    assert (said["status"], said["score"]) == ("error", 0)
    assert told in said["message"]
    assert "Traceback" not in said["message"]
    assert said["paths"] == AGREED["error"]


def test_an_answer_that_never_ends_is_stopped(built: TinyCourse, tmp_path: Path) -> None:
    file = tmp_path / "answer.py"
    file.write_text("while True:\n    pass\n", encoding="utf-8")
    said = attempt(built.root, "sum-hundred", file, judge_answer, seconds=3).to_data()
    assert (said["status"], said["score"], said["max_score"]) == ("timeout", 0, 1)
    assert said["message"] == "The answer took too long."
    assert said["paths"] == {"notebook": "timeout", "grading": "timeout"}


def test_functions_are_called_by_position_so_other_parameter_names_are_fine(built: TinyCourse, tmp_path: Path) -> None:
    said = tried(built, tmp_path, "kind-function", "def answer(values, more=0.0):\n    return values + values + more\n")
    assert said.code == 0
    assert said.out.startswith("✓ passed (3 of 3 points): kind-function\n")


# Knows the outputs for the inputs that are in the notebook, and nothing else.
STORED = """\
from autograde.draw import PUBLIC_SEED, Draw

draw = Draw(PUBLIC_SEED, "kind-function")
known = [(draw.normal(*draw.sizes(2)), 0.0), (draw.normal(4), draw.choice([0.5, 1.5]))]


def double_shifted(x, shift=0.0):
    for seen, moved in known:
        if seen.shape == x.shape and torch.equal(seen, x):
            return 2 * x + moved
    return x
"""


def test_stored_outputs_pass_in_the_notebook_and_fail_when_graded_and_that_is_told(
    built: TinyCourse, tmp_path: Path
) -> None:
    said = tried(built, tmp_path, "kind-function", STORED, "--json")
    assert said.code == 3
    assert said.data["paths"] == {"notebook": "passed", "grading": "failed"}
    assert (said.data["status"], said.data["score"]) == ("failed", 0)
    assert said.data["message"].startswith("the paths disagree: Right: doubled, then shifted. / ")


def test_the_usage_is_told(built: TinyCourse, tmp_path: Path) -> None:
    said = tried(built, tmp_path, "sum-cubes", "answer = 1\n", "--json")
    assert (said.code, said.out) == (2, "")
    assert "[sum-cubes] no lesson has this exercise. Choose one of: kind-number, " in said.err

    said = built.run("try", "sum-hundred", tmp_path / "nowhere.py")
    assert said.code == 2
    assert "nowhere.py: there is no such file." in said.err

    (tmp_path / "latin.py").write_bytes("answer = 'é'".encode("latin-1"))
    said = built.run("try", "sum-hundred", tmp_path / "latin.py")
    assert said.code == 2
    assert "latin.py: it is no UTF-8." in said.err

    assert built.run("try", "sum-hundred").code == 2
    assert TinyCourse(tmp_path).run("try", "sum-hundred", tmp_path / "latin.py").code == 2


def test_where_we_fail_it_is_our_fault(course: TinyCourse, tmp_path: Path) -> None:
    course.edit(
        "lessons/02-long-sums.ipynb", 'lesson(\\"long-sums\\", \\"\\"\\"\\n', 'lesson(\\"long-sums\\", \\"\\"\\"\\nXX'
    )
    said = tried(course, tmp_path, "sum-hundred", "answer = 5_050\n", "--json")
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("We failed: ")


def test_an_exercise_that_was_not_built_yet_is_told(course: TinyCourse, tmp_path: Path) -> None:
    course.run("new", "exercise", "long-sums", "sum-cubes", "number")
    said = tried(course, tmp_path, "sum-cubes", "answer = 1024\n")
    assert (said.code, said.out) == (2, "")
    assert "[sum-cubes] the notebook is older than its source. Run `autograde build long-sums`." in said.err
