"""The notebooks under autograded/STUDENT/ASSIGNMENT/ that formgrader opens: the learner's work beside its verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autograde.grading.assignment import Assignment, ReleaseCell
from autograde.grading.match import prepare
from autograde.grading.page import clean, no_markup, word
from autograde.grading.pairing import pair
from autograde.grading.submission import Cell, Row, Submission
from autograde.verdict import STATUSES, Verdict

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_LONGEST_SOURCE = 200_000  # characters of one cell that a human is shown


def write_autograded(
    folder: Path,
    assignment: Assignment,
    rows: Iterable[Row],
    submissions: Iterable[Submission],
    *,
    notebook: str = "",
) -> list[str]:
    """Write folder/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb for every row; returns whose could not be, with the reason.

    folder is nbgrader's autograded directory. A row without a submission gets the release's cells and its reason.
    """
    of_student = {one.student_id: one for one in submissions if one.assignment_id == assignment.id}
    left = []
    for row in rows:
        if row.assignment_id != assignment.id:
            continue
        if not _is_folder_name(row.student_id):
            left.append(f"{row.student_id[:40]!r}: this id cannot be a folder's name, so formgrader cannot show it")
            continue
        submission = of_student.get(row.student_id)
        made = autograded_notebook(assignment, row, submission.cells if submission else ())
        target = folder / row.student_id / assignment.id
        try:
            target.mkdir(parents=True, exist_ok=True)
            fresh = target / f".{notebook or assignment.id}.new"
            fresh.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", errors="replace")
            fresh.replace(target / f"{notebook or assignment.id}.ipynb")
        except OSError as fault:
            left.append(f"{row.student_id}: the notebook for formgrader was not written: {fault.strerror or fault}")
    return left


def autograded_notebook(assignment: Assignment, row: Row, cells: Sequence[Cell]) -> dict[str, Any]:
    """A submission as formgrader shows it: in the learner's order, the metadata whole, a verdict under each test."""
    placed = _placed(assignment, cells)
    made = [_note(row)] if row.score is None or row.message or row.repairs else []
    for cell, own in placed:
        made.append(_node(cell.kind, cell.source) if own is None else _graded_node(own, cell.source, row))
    for number, node in enumerate(made):
        node["id"] = f"cell-{number}"
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}, "autograde": {"status": row.status}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def cell_metadata(cell: ReleaseCell) -> dict[str, Any]:
    """nbgrader's metadata of a cell that has a grade id, schema 3."""
    is_task = cell.role == "manual" and cell.locked
    meta: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": cell.grade_id,
        "grade": cell.role == "grade" or (cell.role == "manual" and not is_task),
        "solution": cell.role == "answer" or (cell.role == "manual" and not is_task),
        "task": is_task,
        "locked": cell.locked,
        "cell_type": cell.kind,
    }
    return meta | ({"points": cell.points} if cell.role in ("grade", "manual") else {})


def _placed(assignment: Assignment, cells: Sequence[Cell]) -> list[tuple[Cell, ReleaseCell | None]]:
    """All cells in order, each with the release's cell that it is: one of several copies, and none is missing."""
    release = assignment.cells
    pairing = pair(cells, release)
    answered: dict[str, str] = {}
    if cells:
        script = prepare(Submission("", assignment.id, "", tuple(cells)), assignment)
        answered = {step.id: step.source for step in script.steps if step.role == "answer"}
    at: dict[int, int] = {j: i for i, j in enumerate(pairing.release) if j is not None}
    placed: list[tuple[float, Cell, ReleaseCell | None]] = []
    for i, cell in enumerate(cells):
        j = pairing.release[i]
        own = release[j] if j is not None and at[j] == i and release[j].grade_id else None
        if own is not None:
            placed.append((i, Cell(own.kind, _counted(own, cell, answered)), own))
        elif j is None or not release[j].grade_id or cell.source.strip() not in answered.get(release[j].grade_id, ""):
            placed.append((i, cell, None))
    for j, gone in enumerate(release):
        if j not in at and gone.grade_id:
            before = max((at[k] for k in range(j) if k in at), default=-1)
            placed.append((before + (j + 1) / (len(release) + 2), Cell(gone.kind, gone.source), gone))
    return [(cell, own) for _, cell, own in sorted(placed, key=lambda item: item[0])]


def _counted(own: ReleaseCell, cell: Cell, answered: dict[str, str]) -> str:
    """The source that counts: the release's where it is locked, what was graded where it is an answer."""
    return own.source if own.locked else answered.get(own.grade_id, cell.source)


def _graded_node(own: ReleaseCell, source: str, row: Row) -> dict[str, Any]:
    node = _node(own.kind, source, {"nbgrader": cell_metadata(own)})
    exercise = next((one for one in row.exercises if one.id == own.grade_id), None)
    if own.kind == "code" and exercise is not None and exercise.score is not None and exercise.status in STATUSES:
        verdict = Verdict(own.grade_id, exercise.status, exercise.score, own.points, clean(exercise.message))
        shown = {"text/plain": repr(verdict), "text/html": verdict._repr_html_()}
        node["outputs"] = [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": shown}]
        node["execution_count"] = 1
    return node


def _note(row: Row) -> dict[str, Any]:
    """What a human should know first."""
    lines = [f"**No score: {word(row.status)}.**"] if row.score is None else []
    lines += [row.message] if row.message else []
    lines += ["", *(f"- {repair}" for repair in row.repairs)] if row.repairs else []
    return _node("markdown", "\n".join(lines))


def _node(kind: str, source: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    shown = source if len(source) <= _LONGEST_SOURCE else f"{source[:_LONGEST_SOURCE]}\n# cut here"
    if kind == "raw":  # formgrader would put it into its page as it is
        kind = "code"
    if kind == "markdown":  # formgrader would obey a learner's HTML
        shown = no_markup(shown)
    node: dict[str, Any] = {"cell_type": kind, "id": "", "metadata": metadata or {}, "source": shown}
    return node | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _is_folder_name(name: str) -> bool:
    return name not in ("", ".", "..") and not any(c in name for c in "/\\\0") and len(name.encode()) < 256
