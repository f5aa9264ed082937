"""Rules of form that every lesson's source keeps; each gives the faults that it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from autograde.authoring.faults import Fault
from autograde.authoring.lesson_text import BEGIN, END, Cell, LessonText, solution_of, without_solution

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_GRADE_KEYS = {"grade", "grade_id", "locked", "points", "schema_version", "solution", "task"}


def form_faults(lesson: LessonText) -> list[Fault]:
    """Every fault of a lesson's form."""
    return [fault for rule in _RULES for fault in rule(lesson)]


def _first_cell(lesson: LessonText) -> Iterator[Fault]:
    first = lesson.cells[0] if lesson.cells else Cell("code", "", 1)
    call = f'lesson("{lesson.slug}")'
    if first.role != "lesson" or call not in first.source:
        what = f"the first cell is not the locked cell that calls {call}"
        yield lesson.fault(first, what, "Take it from another lesson, or start with `autograde new lesson`")


def _metadata(lesson: LessonText) -> Iterator[Fault]:
    for cell in lesson.cells:
        grader = cell.metadata.get("nbgrader")
        if grader is None:
            continue
        wanted = _GRADE_KEYS - (set() if cell.role == "grade" else {"points"})
        if set(grader) != wanted or grader.get("schema_version") != 3 or grader.get("task") is not False:
            what = f"nbgrader metadata is not complete ({', '.join(sorted(grader))})"
            todo = f"Give it {', '.join(sorted(wanted))}, with schema_version 3 and task false"
            yield lesson.fault(cell, what, todo)
        elif cell.role in ("grade", "lesson") and not grader["locked"]:
            yield lesson.fault(cell, f"the {cell.role} cell is not locked", 'Set "locked": true')


def _ids(lesson: LessonText) -> Iterator[Fault]:
    seen: set[str] = set()
    for task in lesson.tasks:
        answer, grade = (cell.metadata["nbgrader"].get("grade_id") for cell in (task.answer, task.grade))
        if not _ID.fullmatch(task.id):
            todo = "Use kebab-case with the lesson's two letters, such as ff-parameters"
            yield lesson.fault(task.answer, f"{task.id!r} is no exercise id", todo, task.id)
        if (answer, grade) != (f"{task.id}-answer", task.id):
            todo = f'Call them "{task.id}-answer" and "{task.id}"'
            yield lesson.fault(task.grade, f"grade ids are {answer!r} and {grade!r}", todo, task.id)
        if task.id in seen:
            yield lesson.fault(task.answer, "this exercise id stands twice", "Give each exercise its own", task.id)
        seen.add(task.id)


def _solutions(lesson: LessonText) -> Iterator[Fault]:
    for task in lesson.tasks:
        source = task.answer.source
        marks = [line.strip() for line in source.split("\n") if line.strip() in (BEGIN, END)]
        if not marks or marks != [BEGIN, END] * (len(marks) // 2):
            todo = f"Put it between `{BEGIN}` and `{END}`"
            yield lesson.fault(task.answer, "the solution is not marked", todo, task.id)
            continue
        stub, solved = _unreadable(without_solution(source)), _unreadable(solution_of(source))
        if stub:
            what = f"without its solution the cell is no Python ({stub})"
            yield lesson.fault(task.answer, what, "Leave `name = ...` or a docstring outside the region", task.id)
        elif solved:
            yield lesson.fault(task.answer, f"the answer cell is no Python ({solved})", "Correct it", task.id)


def _author_cells(lesson: LessonText) -> Iterator[Fault]:
    for task in lesson.tasks:
        unreadable = _unreadable(task.exercise.source)
        if unreadable:
            yield lesson.fault(task.exercise, f"the author cell is no Python ({unreadable})", "Correct it", task.id)


def _unreadable(source: str) -> str:
    """Why Python cannot read a cell; empty where it can."""
    try:
        compile(source, "<cell>", "exec")
    except SyntaxError as fault:
        return f"{fault.msg} at its line {fault.lineno}"
    return ""


def _prompts(lesson: LessonText) -> Iterator[Fault]:
    for task in lesson.tasks:
        if not re.match(r"### (Exercise|Prediction|Stretch)( \(stretch\))?: ", task.prompt.source):
            todo = "Begin it with `### Exercise: ...` (or Prediction, Stretch)"
            yield lesson.fault(task.prompt, "the prompt has no heading", todo, task.id)


_RULES: tuple[Callable[[LessonText], Iterator[Fault]], ...] = (
    _first_cell,
    _metadata,
    _ids,
    _solutions,
    _author_cells,
    _prompts,
)
