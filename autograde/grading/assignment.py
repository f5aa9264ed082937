"""An assignment as it was handed out, with what grading adds: its tests, its points, and what each cell is for.

The release is the authority: nothing that a submission says of points, tests or cell types counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

ROLES = ("given", "answer", "grade", "manual", "text")
_CODE_STUB, _TEXT_STUB = "# YOUR CODE HERE\nraise NotImplementedError()", "YOUR ANSWER HERE"
_SOLUTION, _HIDDEN, _SCHEME = "SOLUTION", "HIDDEN TESTS", "MARK SCHEME"


class BadAssignment(ValueError):
    """The release or the instructor's notebook cannot be graded with; says which cell, why, and what to do next."""


@dataclass(frozen=True)
class ReleaseCell:
    """One cell of an assignment. role is given, answer, grade, manual or text; source is what a learner gets.

    A grade cell's source has its hidden tests; name is what it passes to check, in a course's lesson. A cell that is
    not locked is the learner's to change, a given one too.
    """

    kind: str
    source: str
    grade_id: str
    role: str
    points: float = 0.0
    name: str = ""
    cell_id: str = ""
    locked: bool = False

    @property
    def is_answered(self) -> bool:
        """Whether a learner writes into it: an answer cell, or one that a human reads."""
        return self.role in ("answer", "manual") and not self.locked


@dataclass(frozen=True)
class Assignment:
    """An assignment. in_process: its tests run beside the learner's code, as a plain assignment's do."""

    id: str
    cells: tuple[ReleaseCell, ...]
    in_process: bool

    @cached_property
    def exercises(self) -> tuple[ReleaseCell, ...]:
        """The cells that earn points: grade cells and manual ones, those worth no points included."""
        return tuple(cell for cell in self.cells if cell.role in ("grade", "manual"))

    @property
    def max_score(self) -> float:
        """All points, those of manual cells included."""
        return sum(cell.points for cell in self.exercises)


def assignment_from_release(notebook: Mapping[str, Any], assignment: str) -> Assignment:
    """A lesson of a course, from its released notebook: grade cells are one line, check("id", name).

    Raises BadAssignment.
    """
    cells = tuple(_cell(cell, place, released=True) for place, cell in enumerate(notebook["cells"], 1))
    return _checked(Assignment(assignment, cells, in_process=False))


def assignment_from_source(notebook: Mapping[str, Any], assignment: str) -> Assignment:
    """A plain nbgrader assignment, from the instructor's solved notebook. Raises BadAssignment."""
    cells = tuple(_cell(cell, place, released=False) for place, cell in enumerate(notebook["cells"], 1))
    return _checked(Assignment(assignment, cells, in_process=True))


def handed_out(source: str) -> str:
    """A test or task as learners get it: without hidden tests and mark schemes. Raises ValueError on an open region."""
    return _without(_without(source, _HIDDEN, ""), _SCHEME, "")


def _checked(made: Assignment) -> Assignment:
    places: dict[str, int] = {}
    for place, cell in enumerate(made.cells, 1):
        if cell.grade_id and places.setdefault(cell.grade_id, place) != place:
            raise BadAssignment(
                f"{made.id}, cells {places[cell.grade_id]} and {place}: both are called {cell.grade_id!r}. Rename one"
            )
    if not made.exercises:
        raise BadAssignment(
            f"{made.id}: no cell of it is graded. Give the notebook whose cells have nbgrader's metadata and points"
        )
    return made


def _cell(cell: Mapping[str, Any], place: int, *, released: bool) -> ReleaseCell:
    source, kind = cell["source"], str(cell["cell_type"])
    source = source if isinstance(source, str) else "".join(source)
    grader = cell.get("metadata", {}).get("nbgrader", {})
    role = _role(grader, kind)
    locked = role == "grade" or bool(grader.get("task")) or (role in ("given", "text") and bool(grader.get("locked")))
    grade_id = str(grader.get("grade_id", ""))
    if not grade_id and (locked or role in ("answer", "manual")):
        raise BadAssignment(f"cell {place} has nbgrader's metadata without a grade_id. Give it one")
    points = _points(grader, grade_id) if role in ("grade", "manual") else 0.0
    name = _checked_name(source, grade_id) if released and role == "grade" else ""
    try:
        if locked:
            handed_out(source)
        source = source if released else _as_handed_out(source, kind, role, locked=locked)
    except ValueError as fault:
        raise BadAssignment(f"cell {place} ({grade_id or role}): {fault}") from None
    return ReleaseCell(kind, source, grade_id, role, points, name, str(cell.get("id", "")), locked)


def _role(grader: Mapping[str, Any], kind: str) -> str:
    if grader.get("task") or (grader.get("grade") and (grader.get("solution") or kind != "code")):
        return "manual"
    if grader.get("grade"):
        return "grade"
    if grader.get("solution"):
        return "answer"
    return "given" if kind == "code" else "text"


def _points(grader: Mapping[str, Any], grade_id: str) -> float:
    try:
        points = float(grader.get("points") or 0)
    except (TypeError, ValueError):
        points = -1.0
    if not 0 <= points < float("inf"):
        raise BadAssignment(f"{grade_id}: its points are {grader.get('points')!r}. Set a number, 0 or more")
    return points


def _checked_name(source: str, grade_id: str) -> str:
    """What a lesson's grade cell passes to check. Raises BadAssignment."""
    try:
        body = ast.parse(source.strip()).body
    except SyntaxError:
        body = []
    match body:
        case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(value), ast.Name(name)], []))] if value == grade_id:
            return str(name)
    raise BadAssignment(f'{grade_id}: its grade cell is not one line check("{grade_id}", name). Build the lesson again')


def _as_handed_out(source: str, kind: str, role: str, *, locked: bool) -> str:
    """A cell of the solved notebook as a learner gets it; a grade cell keeps all its tests. Raises ValueError."""
    if role == "grade":
        if re.search(r"^\s*#+ *(HASHED )?AUTOTEST\b", source, re.MULTILINE):
            raise ValueError("AUTOTEST makes its tests when nbgrader generates an assignment. Write them as asserts")
        return source
    stub = _CODE_STUB if kind == "code" else _TEXT_STUB
    if role in ("answer", "manual") and not locked and f"BEGIN {_SOLUTION}" not in source:
        return stub
    return _without(handed_out(source), _SOLUTION, stub)


def _without(source: str, region: str, stub: str) -> str:
    """A source whose regions, from BEGIN to END, are replaced as nbgrader does. Raises ValueError on an open one."""
    begin, end = f"BEGIN {region}", f"END {region}"
    lines: list[str] = []
    inside = False
    for line in source.split("\n"):
        if begin in line:
            if inside:
                raise ValueError(f"{begin} stands twice without {end}. Close the first region")
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stubbed for stubbed in stub.split("\n")] if stub else []
        elif end in line:
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise ValueError(f"{begin} has no {end}. Close the region")
    return "\n".join(lines)
