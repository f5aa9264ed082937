"""An assignment in nbgrader's gradebook: its notebook, and the cells that earn points or are commented on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from autograde.grading.assignment import Assignment
from autograde.grading.autograded import KERNEL, cell_metadata
from autograde.grading.page import points


@dataclass(frozen=True)
class Book:
    """A notebook in the gradebook: its ids, and its cells' ids with their names. notes are worth saying."""

    id: str
    assignment_id: str
    graded: dict[str, str]
    answers: dict[str, str]
    notes: tuple[str, ...] = ()


def save_cells(gradebook: Any, assignment: Assignment, notebook: str = "") -> Book:
    """Bring the gradebook's assignment up to the release. notebook is its name, where it is not to be found out."""
    from nbgrader.api import MissingEntry

    name = notebook or _known_notebook(gradebook, assignment)
    try:
        gradebook.find_assignment(assignment.id)
    except MissingEntry:
        gradebook.add_assignment(assignment.id, course_id=gradebook.course_id)
    try:
        notes = _remove_old_cells(gradebook, assignment, gradebook.find_notebook(name, assignment.id))
        is_new = False
    except MissingEntry:
        gradebook.add_notebook(name, assignment.id, kernelspec=json.dumps(KERNEL))
        notes, is_new = (), True
    for cell in assignment.cells:
        if not cell.grade_id:
            continue
        meta = cell_metadata(cell)
        kind = "code" if cell.kind == "code" else "markdown"
        place = (cell.grade_id, name, assignment.id)
        if meta["task"]:
            gradebook.update_or_create_task_cell(*place, max_score=cell.points, cell_type=kind)
        elif meta["grade"]:
            gradebook.update_or_create_grade_cell(*place, max_score=cell.points, cell_type=kind)
        if meta["solution"]:
            gradebook.update_or_create_solution_cell(*place)
        if is_new:  # what stock nbgrader kept of its own cells is more than we know
            source = {"source": cell.source, "locked": meta["locked"], "checksum": _checksum(kind, cell.source, meta)}
            gradebook.update_or_create_source_cell(*place, cell_type=kind, **source)
    gradebook.db.expire_all()
    known = gradebook.find_notebook(name, assignment.id)
    graded = {cell.id: cell.name for cell in (*known.grade_cells, *known.task_cells)}
    answers = {cell.id: cell.name for cell in (*known.solution_cells, *known.task_cells)}
    return Book(known.id, known.assignment_id, graded, answers, notes)


def _known_notebook(gradebook: Any, assignment: Assignment) -> str:
    """The notebook that the gradebook has for this assignment; the one with our cells where it has several."""
    from nbgrader.api import MissingEntry

    try:
        notebooks = gradebook.find_assignment(assignment.id).notebooks
    except MissingEntry:
        return assignment.id
    own = {cell.grade_id for cell in assignment.exercises}
    shared = {book.name: len(own & {c.name for c in (*book.grade_cells, *book.task_cells)}) for book in notebooks}
    best = max(shared, key=lambda name: shared[name], default=assignment.id)
    return best if len(shared) == 1 or shared.get(best) else assignment.id


def _remove_old_cells(gradebook: Any, assignment: Assignment, known: Any) -> tuple[str, ...]:
    """Cells that are no longer graded would count in the maximum. Those that a human graded stay, and that is said."""
    own = {cell.grade_id: cell_metadata(cell) for cell in assignment.cells if cell.grade_id}
    notes = []
    for cell in [*known.grade_cells, *known.task_cells]:
        is_task = cell.type == "TaskCell"
        if (meta := own.get(cell.name)) is not None and meta["task" if is_task else "grade"]:
            continue
        if any(grade.manual_score is not None or grade.extra_credit is not None for grade in cell.grades):
            notes.append(
                f"{cell.name} is no longer in {assignment.id}, but a human graded it: "
                f"it stays and counts {points(cell.max_score)}"
            )
            continue
        for part in (*cell.grades, *(cell.comments if is_task else ())):
            gradebook.db.delete(part)
        gradebook.db.delete(cell)
    gradebook.db.commit()
    return tuple(notes)


def _checksum(kind: str, source: str, meta: dict[str, Any]) -> str:
    from nbformat import NotebookNode
    from nbgrader.utils import compute_checksum

    node = NotebookNode(cell_type=kind, source=source, metadata=NotebookNode(nbgrader=NotebookNode(meta)))
    return str(compute_checksum(node))
