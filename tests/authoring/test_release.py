"""What a learner gets: no author cells, no solutions, nothing that tells an answer; and a seal that still judges."""

from __future__ import annotations

import base64
import json
import re

import nbformat
import pytest
from tiny import TinyCourse, solutions

from autograde import seal
from autograde.authoring.lesson_text import without_solution
from autograde.authoring.released import seal_in
from autograde.rubric import CodeRubric

LESSONS = ("every-kind", "long-sums")
TYPED = {"kind", "name", "points", "salt", "iterations", "table"}


@pytest.mark.parametrize("slug", LESSONS)
def test_the_release_is_the_solved_lesson_without_author_cells_and_solutions(built: TinyCourse, slug: str) -> None:
    lesson = built.text(slug)
    kept = [cell for cell in lesson.cells if cell.role != "exercise"]
    released = built.notebook(slug).cells
    assert len(released) == len(kept)
    for cell, mine in zip(released, kept, strict=True):
        assert cell.cell_type == ("markdown" if mine.is_markdown else "code")
        if mine.role == "answer":
            assert cell.source.rstrip() == without_solution(mine.source).rstrip()
        elif mine.role in ("code", "grade"):
            assert cell.source == mine.source


@pytest.mark.parametrize("slug", LESSONS)
def test_a_release_shows_neither_a_solution_nor_a_mark_of_one(built: TinyCourse, slug: str) -> None:
    shown = "\n".join(cell.source for cell in built.notebook(slug).cells)
    assert "SOLUTION" not in shown
    assert "exercise." not in shown
    for solution in solutions(built.text(slug)).values():
        assert solution not in shown


@pytest.mark.parametrize("slug", LESSONS)
def test_an_answer_cell_can_be_edited_and_the_others_of_an_exercise_cannot(built: TinyCourse, slug: str) -> None:
    for cell in built.notebook(slug).cells:
        grader = cell.metadata.get("nbgrader", {})
        if grader:
            assert grader["schema_version"] == 3
            assert re.fullmatch(r"[0-9a-f]{32}", grader["checksum"])
            assert cell.metadata.get("deletable") is False
            assert cell.metadata.get("editable", True) is bool(grader["solution"])


def test_points_stand_in_the_grade_cells(built: TinyCourse) -> None:
    graders = [cell.metadata.nbgrader for cell in built.notebook("every-kind").cells if "nbgrader" in cell.metadata]
    points = {grader.grade_id: grader.points for grader in graders if grader.grade}
    assert points["kind-function"] == 3
    assert points["kind-choice"] == 0
    assert sum(points.values()) == 14


@pytest.mark.parametrize("slug", LESSONS)
def test_of_a_typed_answer_only_salt_digest_and_ciphertext_are_released(built: TinyCourse, slug: str) -> None:
    sealed = seal.from_text(seal_in(built.notebook_file(slug)))
    typed = [item for item in sealed["exercises"].values() if "hidden" not in item]
    assert typed
    for item in typed:
        assert item.keys() - {"places", "options"} == TYPED
        assert len(base64.b64decode(item["salt"])) == 16
        for digest, ciphertext in item["table"].items():
            assert re.fullmatch(r"[A-Za-z0-9+/]{16}", digest)
            assert re.fullmatch(r"[A-Za-z0-9+/]+=*", ciphertext)
        assert len({len(text) for text in item["table"].values()}) == 1  # a right answer looks as a wrong one


def test_a_seal_tells_no_sentence_to_who_only_reads_it(built: TinyCourse) -> None:
    read = json.dumps(seal.from_text(seal_in(built.notebook_file("every-kind"))))
    for sentence in ("You forgot the quarter.", "That takes one only.", "You did not double.", "Three years first."):
        assert sentence not in read


def test_a_seal_holds_no_code_of_a_solution_but_the_worked_one_that_is_shown_after_honest_tries(
    built: TinyCourse,
) -> None:
    sealed = seal.from_text(seal_in(built.notebook_file("every-kind")))
    for exercise in ("kind-function", "kind-module"):
        rubric = seal.unhide(sealed["exercises"][exercise]["hidden"], f"tiny-course:{exercise}")
        assert "return" not in repr(rubric)
        worked = seal.unhide(sealed["solutions"][exercise], f"tiny-course:{exercise}:solutions")
        assert "return" in repr(worked)


def test_a_seal_knows_what_checks_tell_learners_besides_their_verdicts(built: TinyCourse) -> None:
    sealed = seal.from_text(seal_in(built.notebook_file("every-kind")))
    assert {"torch", "nn", "n_embd", "n_head"} <= set(sealed["given"])
    assert not {"kind_number", "double_shifted", "exercise", "kind_calls"} & set(sealed["given"])
    assert sealed["exercise_cpu_s"] == 20
    words = {
        "kind-function": {"double_shifted": ["x", "shift"]},
        "kind-module": {"__init__": ["width"], "forward": ["x"]},
    }
    for exercise, parameters in words.items():
        rubric = seal.open_rubric(exercise, sealed["exercises"][exercise], "tiny-course")
        assert isinstance(rubric, CodeRubric)
        assert rubric.parameters == parameters


def test_nbgraders_source_folder_holds_the_solved_lesson_under_the_same_seal(built: TinyCourse) -> None:
    source = nbformat.read(built.root / "build/nbgrader/source/long-sums/long-sums.ipynb", as_version=4)
    assert source.cells[0].source == built.notebook("long-sums").cells[0].source
    answers = [cell.source for cell in source.cells if cell.id.endswith("-answer")]
    assert ["BEGIN SOLUTION" in answer for answer in answers] == [True, True]
