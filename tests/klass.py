"""A class's submissions of a lesson: honest, wrong, half, mangled and hostile ones, made from the released notebook."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path

import nbformat
from tiny import TinyCourse, answered, solutions

NEVER_ENDS = "while True:\n    pass"
ENDS = "import os\nos._exit(0)"


def hand_in(course: TinyCourse, folder: Path, slug: str, count: int, broken: Mapping[str, str]) -> dict[str, str]:
    """Write `count` submissions, one folder a student, of nine kinds in turn; the kind of each student.

    `broken` maps an exercise to the code that breaks its answer cell in the hostile ones.
    """
    released, solved = course.notebook(slug), solutions(course.text(slug))
    exercise, attack = next(iter(broken.items()))
    kinds: dict[str, nbformat.NotebookNode | str] = {
        "right": answered(copy.deepcopy(released), solved),
        "half": answered(copy.deepcopy(released), dict(list(solved.items())[::2])),
        "empty": released,
        "syntax": answered(copy.deepcopy(released), solved | {exercise: "x = 1,072 +"}),
        "hostile": answered(copy.deepcopy(released), solved | {exercise: attack}),
        "ends": answered(copy.deepcopy(released), solved | {exercise: ENDS}),
        "bare": without_metadata(answered(copy.deepcopy(released), solved)),
        "torn": json.dumps(released)[:-40],
        "doubled": doubled(answered(copy.deepcopy(released), solved), exercise),
    }
    names = list(kinds)
    told = {}
    for i in range(count):
        kind = names[i % len(names)]
        student = f"{i:03} {kind} é@x"
        path = folder / student / f"{course.source(slug).stem}.ipynb"
        path.parent.mkdir(parents=True)
        made = kinds[kind]
        if not isinstance(made, str):
            made = nbformat.writes(made if kind == "empty" else own_cell(made, i))
        path.write_text(made, encoding="utf-8")
        told[student] = kind
    return told


def own_cell(notebook: nbformat.NotebookNode, i: int) -> nbformat.NotebookNode:
    """A copy with a cell of the student's own, so that no two are the same."""
    mine = copy.deepcopy(notebook)
    mine.cells.append(nbformat.v4.new_code_cell(f"mine = {i}", id=f"mine-{i}"))
    return mine


def without_metadata(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook as an editor leaves it that knows nothing of nbgrader."""
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    return notebook


def doubled(notebook: nbformat.NotebookNode, exercise: str) -> nbformat.NotebookNode:
    """An answer cell that was copied: the same twice."""
    at = place_of(notebook, f"{exercise}-answer")
    twin = copy.deepcopy(notebook.cells[at])
    twin.id = "twin"
    notebook.cells.insert(at + 1, twin)
    return notebook


def place_of(notebook: nbformat.NotebookNode, grade_id: str) -> int:
    """Where a cell stands."""
    return [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells].index(grade_id)
