"""A plain nbgrader assignment of our own, and ways to mangle what a learner hands in of it."""

from __future__ import annotations

import copy
import json
from typing import Any

from autograde.grading.assignment import Assignment, assignment_from_source
from autograde.grading.match import Script, prepare
from autograde.grading.read import read_notebook
from autograde.grading.submission import Submission

Notebook = dict[str, Any]
NbCell = dict[str, Any]

STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
MEAN = "def mean(numbers):\n    # add up\n    total = sum(numbers)\n    return total / len(numbers)"
SPREAD = "def spread(numbers):\n    return max(numbers) - min(numbers)"
HIDDEN = "### BEGIN HIDDEN TESTS\nassert mean([5]) == 5\n### END HIDDEN TESTS"
SCHEME = "### BEGIN MARK SCHEME\n1 for axes\n### END MARK SCHEME"


def cell(kind: str, source: str, grade_id: str = "", number: int = 0, **grader: Any) -> NbCell:
    """One cell of format 4.5."""
    made: NbCell = {"cell_type": kind, "id": f"id-{number:02}", "metadata": {}, "source": source}
    if grade_id:
        flags = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
        made["metadata"]["nbgrader"] = {**flags, "grade_id": grade_id, **grader}
    if kind == "code":
        made |= {"outputs": [], "execution_count": None}
    return made


def source() -> Notebook:
    """The instructor's solved notebook: 2 + 1 points by tests, 3 by hand, 1 for a task."""
    test = {"grade": True, "locked": True}
    cells = [
        cell("markdown", "# Week 1: numbers", "intro", locked=True),
        cell("code", "import math", "setup", locked=True),
        cell("markdown", "Write `mean`."),
        cell("code", MEAN, "mean", solution=True),
        cell("code", f"values = [1, 2, 6]\nassert mean(values) == 3\n{HIDDEN}", "test-mean", points=2, **test),
        cell("code", "print('between')"),
        cell("code", f"# both ends\n### BEGIN SOLUTION\n{SPREAD}\n### END SOLUTION", "spread", solution=True),
        cell("code", "assert math.isclose(spread([1, 4]), 3)", "test-spread", points=1, **test),
        cell("markdown", "The mean moves with every number.", "explain", solution=True, grade=True, points=3),
        cell("markdown", f"Draw it.\n{SCHEME}", "draw", task=True, locked=True, points=1),
    ]  # fmt: skip
    for number, made in enumerate(cells):
        made["id"] = f"id-{number:02}"
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def release() -> Notebook:
    """What nbgrader would hand out of it."""
    notebook = source()
    for made, handed in zip(notebook["cells"], week().cells, strict=True):
        made["source"] = handed.source.replace(f"\n{HIDDEN}", "")
    return notebook


def solved() -> Notebook:
    """A learner's notebook with every answer right."""
    notebook = release()
    find(notebook, "mean")["source"] = MEAN
    find(notebook, "spread")["source"] = SPREAD
    find(notebook, "explain")["source"] = "One large number pulls it."
    return notebook


def week() -> Assignment:
    """The assignment."""
    return assignment_from_source(source(), "week1")


def find(notebook: Notebook, grade_id: str) -> NbCell:
    """A cell by its grade id."""
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def place(notebook: Notebook, grade_id: str) -> int:
    """A cell's place."""
    return int(notebook["cells"].index(find(notebook, grade_id)))


def copied(notebook: Notebook, grade_id: str, source: str) -> NbCell:
    """Copy a cell behind itself, with another source."""
    made = copy.deepcopy(find(notebook, grade_id)) | {"id": "a-copy", "source": source}
    notebook["cells"].insert(place(notebook, grade_id) + 1, made)
    return made


def own(notebook: Notebook, at: int, source: str) -> None:
    """Put a learner's own code cell in."""
    notebook["cells"].insert(at, {"cell_type": "code", "id": "own", "metadata": {}, "source": source})


def without_ids(notebook: Notebook, *, cell_ids: bool = True) -> Notebook:
    """The notebook as an editor leaves it that knows nothing of nbgrader."""
    for made in notebook["cells"]:
        made["metadata"].pop("nbgrader", None)
        if cell_ids:
            made.pop("id")
    return notebook


def dumped(notebook: Notebook) -> bytes:
    """The file."""
    return json.dumps(notebook, indent=1).encode()


def script_of(notebook: Notebook, assignment: Assignment | None = None) -> Script:
    """What is run of a notebook."""
    cells, repairs = read_notebook(dumped(notebook), "week1.ipynb")
    return prepare(Submission("ann", "week1", "week1.ipynb", cells, repairs), assignment or week())


def order(script: Script) -> list[str]:
    """The steps by id, the learner's own and unnamed ones by role."""
    return [step.id or step.role for step in script.steps]
