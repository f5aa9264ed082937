"""What a learner handed in for each exercise: its title in the text, and the source that was graded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograde.grading.assignment import Assignment
from autograde.grading.match import prepare
from autograde.grading.pairing import pair
from autograde.grading.submission import Cell, ExerciseRow, Submission


@dataclass(frozen=True)
class Answer:
    """One exercise's answer. kind is code or markdown; sources are empty where nothing was found."""

    title: str = ""
    kind: str = "code"
    sources: tuple[str, ...] = ()


def answers(
    exercises: Sequence[ExerciseRow], cells: Sequence[Cell], assignment: Assignment | None
) -> dict[str, Answer]:
    """Each exercise's answer: with the assignment, as it was matched for grading; else by grade ids alone."""
    if assignment is None:
        return _by_ids(exercises, cells)
    submission = Submission("", assignment.id, "", tuple(cells))
    graded: dict[str, list[str]] = {}
    for step in prepare(submission, assignment).steps if cells else ():
        if step.role == "answer":
            graded.setdefault(step.id, []).append(step.source)
    pairing = pair(cells, assignment.cells)
    found: dict[str, Answer] = {}
    heading, before = "", list[str]()
    for number, cell in enumerate(assignment.cells):
        if cell.role == "text":
            heading = heading_of(cell.source) or heading
        elif cell.role == "answer":
            before += graded.get(cell.grade_id, [])
        elif cell.role == "manual":
            places = pairing.handed_in(number)
            sources = graded.get(cell.grade_id) or [cells[i].source for i in places[-1:] if not cell.locked]
            found[cell.grade_id] = Answer(heading, cell.kind, tuple(sources))
        elif cell.role == "grade":
            found[cell.grade_id] = Answer(heading, "code", tuple(before))
            heading, before = "", []
    return found


def _by_ids(exercises: Iterable[ExerciseRow], cells: Sequence[Cell]) -> dict[str, Answer]:
    known = {exercise.id: exercise for exercise in exercises}
    found: dict[str, Answer] = {}
    heading, before = "", list[Cell]()
    for cell in cells:
        exercise = known.get(cell.grade_id)
        if cell.kind == "markdown" and exercise is None:
            heading = heading_of(cell.source) or heading
        elif exercise is not None:
            own = exercise.status == "needs_manual"
            sources = (cell.source,) if own else tuple(one.source for one in before)
            found[exercise.id] = Answer(heading, cell.kind if own else "code", sources)
            heading, before = "", []
        elif cell.grade_id and not cell.grade_id.endswith("-lesson"):
            before.append(cell)
    for cell in before:  # its grade cell was deleted
        name = cell.grade_id.removesuffix("-answer")
        if name in known:
            found.setdefault(name, Answer("", "code", (cell.source,)))
    return found


def heading_of(source: str) -> str:
    """The last heading of a text, without its marks and without the word exercise."""
    headings = re.findall(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", source, re.MULTILINE)
    label = r"^(exercise|prediction)\s*(\([^)]*\))?\s*[:.]\s*"
    plain = re.sub(label, "", headings[-1], flags=re.IGNORECASE) if headings else ""
    return re.sub(r"[`*]", "", plain)[:120]


def loose_code(cells: Sequence[Cell], found: Mapping[str, Answer]) -> list[str]:
    """All code without a grade id, where nothing tells which cell answers what. No test is among it."""
    if any(answer.sources for answer in found.values()):
        return []
    return [cell.source for cell in cells if cell.kind == "code" and not cell.grade_id and cell.source.strip()]
