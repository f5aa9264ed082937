"""Handing out: a folder for students, searched for answers before it is called done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from tiny import TinyCourse

from autograde import seal
from autograde.authoring.faults import AuthorError
from autograde.authoring.hand_out import hand_out
from autograde.authoring.released import seal_in

LESSONS = ("every-kind", "long-sums")
BODY = "doubled = 2 * x\nreturn doubled + shift\n"


def handed_out(course: TinyCourse, target: Path, *, graded: bool = False) -> list[str]:
    """The files that students get of both lessons."""
    return hand_out(course.root, target, [course.text(slug) for slug in LESSONS], graded=graded)


def sealed_in(folder: Path, stem: str = "01-every-kind") -> dict[str, Any]:
    """The seal of a notebook in a folder."""
    return seal.from_text(seal_in(folder / "lessons" / f"{stem}.ipynb"))


def test_students_get_lessons_data_and_the_course_file_and_nothing_else(course: TinyCourse, tmp_path: Path) -> None:
    (course.root / "lessons" / "data").mkdir()
    (course.root / "lessons" / "data" / "words.csv").write_text("the,cat\n", encoding="utf-8")
    files = handed_out(course, tmp_path / "out")
    assert files == [
        "course.yml",
        "lessons/01-every-kind.ipynb",
        "lessons/02-long-sums.ipynb",
        "lessons/course.json",
        "lessons/data/words.csv",
    ]
    for file in files:
        assert (tmp_path / "out" / file).read_bytes() == (course.root / file).read_bytes()


def test_self_paced_learners_get_hints_and_worked_solutions(built: TinyCourse, tmp_path: Path) -> None:
    handed_out(built, tmp_path / "out")
    sealed = sealed_in(tmp_path / "out")
    assert len(sealed["hints"]) == len(sealed["solutions"]) == len(sealed["exercises"]) == 9


def test_a_graded_class_gets_no_hints_no_worked_solutions_and_no_wrong_answers_of_code(
    built: TinyCourse, tmp_path: Path
) -> None:
    handed_out(built, tmp_path / "out", graded=True)
    sealed = sealed_in(tmp_path / "out")
    assert (sealed["hints"], sealed["solutions"]) == ({}, {})
    for exercise in ("kind-function", "kind-module", "kind-experiment"):
        rubric: Any = seal.open_rubric(exercise, sealed["exercises"][exercise], "tiny-course")
        assert rubric.wrong == ()
        assert rubric.plan
    mine, graded = (sealed_in(folder)["exercises"] for folder in (built.root, tmp_path / "out"))
    assert mine["kind-number"] == graded["kind-number"]


def test_a_graded_notebook_is_the_other_one_but_for_its_first_cell(built: TinyCourse, tmp_path: Path) -> None:
    handed_out(built, tmp_path / "out", graded=True)
    graded = nbformat.read(tmp_path / "out" / "lessons" / "01-every-kind.ipynb", as_version=4)
    first, *others = graded.cells
    mine, *same = built.notebook("every-kind").cells
    assert others == same
    assert first.source != mine.source
    assert first.metadata.nbgrader.checksum != mine.metadata.nbgrader.checksum


def plant_in_prose(course: TinyCourse, text: str) -> None:
    course.edit("lessons/02-long-sums.ipynb", "A lesson without torch.", text)


def plant_in_data(course: TinyCourse, text: str) -> None:
    (course.root / "lessons" / "data" / "deep").mkdir(parents=True)
    (course.root / "lessons" / "data" / "deep" / "numbers.csv").write_text(f"n,sum\n100,{text}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("plant", "text", "exercise", "file"),
    [
        (plant_in_prose, "It is 5050.", "sum-hundred", "lessons/02-long-sums.ipynb cell 2"),
        (plant_in_prose, "It is 5,050.", "sum-hundred", "lessons/02-long-sums.ipynb cell 2"),
        (plant_in_prose, "It is `338_350`.", "sum-squares", "lessons/02-long-sums.ipynb cell 2"),
        (plant_in_data, "338350", "sum-squares", "lessons/data/deep/numbers.csv"),
        (plant_in_data, BODY, "kind-function", "lessons/data/deep/numbers.csv"),
        (plant_in_prose, BODY.replace("\n", "\\n"), "kind-function", "lessons/02-long-sums.ipynb cell 2"),
    ],
    ids=["digits", "grouped", "as Python writes it", "in data", "code in data", "code in a cell"],
)
def test_a_planted_answer_is_found_and_nothing_is_released(
    course: TinyCourse,
    tmp_path: Path,
    plant: Callable[[TinyCourse, str], None],
    text: str,
    exercise: str,
    file: str,
) -> None:
    plant(course, text)
    with pytest.raises(AuthorError) as told:
        handed_out(course, tmp_path / "out")
    (fault,) = told.value.faults
    assert (fault.file, fault.exercise) == (file, exercise)
    assert "an answer can be read in it" in fault.what
    assert not (tmp_path / "out").exists()


def test_every_planted_answer_is_told(course: TinyCourse, tmp_path: Path) -> None:
    plant_in_prose(course, "They are 5050 and 338350.")
    plant_in_data(course, "5_050")
    with pytest.raises(AuthorError) as told:
        handed_out(course, tmp_path / "out")
    assert [fault.exercise for fault in told.value.faults] == ["sum-hundred", "sum-squares", "sum-hundred"]


@pytest.mark.parametrize("text", ["15050", "50501", "5.050", "5 050"])
def test_another_number_is_no_answer(course: TinyCourse, tmp_path: Path, text: str) -> None:
    plant_in_prose(course, f"Not the answer: {text}.")
    assert handed_out(course, tmp_path / "out")


def test_a_folder_that_holds_something_is_refused_and_left_alone(built: TinyCourse, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(AuthorError, match=r"not an empty folder\. Name a new folder; nothing is overwritten"):
        handed_out(built, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_the_command_refuses_such_a_folder_before_it_builds(course: TinyCourse, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    course.edit("long-sums", "A lesson without torch.", "Another text.")  # which building would notice
    said = course.run("release", tmp_path)
    assert (said.code, said.out) == (1, "")
    what = "it exists and is not an empty folder. Name a new folder; nothing is overwritten."
    assert said.err == f"{tmp_path}: {what}\n1 fault.\n"


def test_an_empty_folder_will_do(built: TinyCourse, tmp_path: Path) -> None:
    assert len(handed_out(built, tmp_path)) == 4


def test_the_command_says_what_it_released(built: TinyCourse, tmp_path: Path) -> None:
    said = built.run("release", tmp_path / "out", "--graded")
    assert said.code == 0
    assert said.out.endswith(f"Released 4 files to {tmp_path / 'out'}; no answer was found in them.\n")
    assert sealed_in(tmp_path / "out")["hints"] == {}


def test_the_command_releases_nothing_stale(course: TinyCourse, tmp_path: Path) -> None:
    course.edit("long-sums", "A lesson without torch.", "Another text.")
    said = course.run("release", tmp_path / "out")
    assert said.code == 1
    assert said.out == "stale lessons/02-long-sums.ipynb\nRun `autograde build` first; nothing was released.\n"
    assert not (tmp_path / "out").exists()
