"""An assignment, from a course's released lesson or an instructor's solved notebook: the release is the authority."""

from __future__ import annotations

import json
from typing import Any

import pytest
from plain_week import HIDDEN, STUB, cell, find, source, week
from tiny import TinyCourse

from autograde.grading.assignment import BadAssignment, assignment_from_release, assignment_from_source, handed_out


def test_a_plain_assignment_knows_what_each_cell_is_for() -> None:
    assert [(c.grade_id, c.role, c.points, c.locked) for c in week().cells] == [
        ("intro", "text", 0, True),
        ("setup", "given", 0, True),
        ("", "text", 0, False),
        ("mean", "answer", 0, False),
        ("test-mean", "grade", 2, True),
        ("", "given", 0, False),
        ("spread", "answer", 0, False),
        ("test-spread", "grade", 1, True),
        ("explain", "manual", 3, False),
        ("draw", "manual", 1, True),
    ]
    assert week().in_process
    assert week().max_score == 7
    assert [c.grade_id for c in week().exercises] == ["test-mean", "test-spread", "explain", "draw"]
    assert [c.grade_id for c in week().cells if c.is_answered] == ["mean", "spread", "explain"]


def test_a_plain_assignment_holds_what_learners_get_and_its_hidden_tests() -> None:
    sources = {c.grade_id: c.source for c in week().cells}
    assert sources["mean"] == STUB
    assert sources["spread"] == f"# both ends\n{STUB}"
    assert sources["explain"] == "YOUR ANSWER HERE"
    assert sources["draw"] == "Draw it."
    assert HIDDEN in sources["test-mean"]
    assert handed_out(sources["test-mean"]) == "values = [1, 2, 6]\nassert mean(values) == 3"


def test_the_release_is_what_nbgrader_makes_of_the_same_notebook() -> None:
    """Its own preprocessors are the measure."""
    nbformat = pytest.importorskip("nbformat")
    preprocessors = pytest.importorskip("nbgrader.preprocessors")
    made = nbformat.reads(json.dumps(source()), as_version=4)
    resources: dict[str, Any] = {}
    for name in ("ClearSolutions", "ClearHiddenTests", "ClearMarkScheme"):
        made, resources = getattr(preprocessors, name)().preprocess(made, resources)
    assert [handed_out(c.source) for c in week().cells] == [c.source for c in made.cells]


def test_a_region_keeps_its_indentation() -> None:
    notebook = source()
    find(notebook, "mean")["source"] = "def mean(x):\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION"
    cells = assignment_from_source(notebook, "week1").cells
    assert cells[3].source == "def mean(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"


def test_sources_may_be_lists_and_metadata_old() -> None:
    notebook = source()
    mean, test = find(notebook, "mean"), find(notebook, "test-mean")
    mean["source"] = ["def mean(x):\n", "    return 1"]
    for made in (mean, test):
        made["metadata"]["nbgrader"] = {k: v for k, v in made["metadata"]["nbgrader"].items() if v}
    test["metadata"]["nbgrader"]["points"] = "2"
    assert assignment_from_source(notebook, "week1").cells == week().cells


def test_an_ordinary_cell_with_an_id_stays_the_learners() -> None:
    notebook = source()
    notebook["cells"].append(cell("code", "1 + 1", "scratch"))
    last = assignment_from_source(notebook, "week1").cells[-1]
    assert (last.role, last.locked, last.grade_id) == ("given", False, "scratch")


@pytest.mark.parametrize(
    ("grade_id", "change", "says"),
    [
        ("spread", {"grade_id": "mean"}, "cells 4 and 7: both are called 'mean'"),
        ("test-mean", {"points": "many"}, "test-mean: its points are 'many'"),
        ("test-mean", {"points": -1}, "its points are -1"),
        ("test-mean", {"points": float("nan")}, "its points are nan"),
        ("mean", {"grade_id": ""}, "cell 4 has nbgrader's metadata without a grade_id"),
    ],
)
def test_faults_of_metadata_name_the_cell(grade_id: str, change: dict[str, Any], says: str) -> None:
    notebook = source()
    find(notebook, grade_id)["metadata"]["nbgrader"].update(change)
    with pytest.raises(BadAssignment) as told:
        assignment_from_source(notebook, "week1")
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("grade_id", "text", "says"),
    [
        ("spread", "### BEGIN SOLUTION\nx = 1", "cell 7 (spread): BEGIN SOLUTION has no END SOLUTION"),
        ("spread", "### BEGIN SOLUTION\n### BEGIN SOLUTION", "stands twice"),
        ("test-mean", "### BEGIN HIDDEN TESTS\nassert 1", "BEGIN HIDDEN TESTS has no END"),
        ("draw", "### BEGIN MARK SCHEME\n1", "BEGIN MARK SCHEME has no END"),
        ("test-mean", "### AUTOTEST mean([1])", "Write them as asserts"),  # as it stands it would pass everything
        ("test-mean", "### HASHED AUTOTEST mean([1])", "Write them as asserts"),
    ],
)
def test_faults_of_regions_name_the_cell(grade_id: str, text: str, says: str) -> None:
    notebook = source()
    find(notebook, grade_id)["source"] = text
    with pytest.raises(BadAssignment) as told:
        assignment_from_source(notebook, "week1")
    assert says in str(told.value)


def test_a_notebook_without_graded_cells_is_no_assignment() -> None:
    with pytest.raises(BadAssignment, match="no cell of it is graded"):
        assignment_from_source({"cells": [cell("code", "x")]}, "week1")


def test_a_test_worth_no_points_is_allowed() -> None:
    notebook = source()
    find(notebook, "test-mean")["metadata"]["nbgrader"]["points"] = 0
    made = assignment_from_source(notebook, "week1")
    assert made.max_score == 5
    assert made.exercises[0].points == 0


def test_a_lesson_of_a_course_knows_what_its_checks_pass(built: TinyCourse) -> None:
    lesson, tasks = assignment_from_release(built.notebook("every-kind"), "every-kind"), built.text("every-kind").tasks
    assert not lesson.in_process
    assert lesson.cells[0].role == "given"
    assert lesson.cells[0].locked
    graded = {c.grade_id: (c.name, c.points) for c in lesson.exercises}
    assert graded == {task.id: (task.name, task.points) for task in tasks}
    assert lesson.max_score == sum(task.points for task in tasks)
    assert [c.grade_id for c in lesson.cells if c.role == "answer"] == [f"{task.id}-answer" for task in tasks]


def test_a_lesson_whose_grade_cell_is_no_check_is_refused() -> None:
    graded = {"grade": True, "locked": True, "points": 1}
    for text in ('check("other", x)', "assert x == 1", "x =", 'check("ff-x", x)\nprint(1)'):
        with pytest.raises(BadAssignment, match="ff-x: its grade cell is not one line"):
            assignment_from_release({"cells": [cell("code", text, "ff-x", **graded)]}, "ff")
