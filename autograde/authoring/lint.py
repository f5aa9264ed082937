"""Linting: what reads well or works, but shows an answer too early or breaks a rule of the lessons.

The released lessons are run as a learner meets them; what their cells print, draw and say is searched for answers, in
order, across lessons.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograde.authoring.faults import Fault
from autograde.authoring.jobs import run_jobs
from autograde.authoring.lesson_text import LessonText, Task
from autograde.authoring.prose import unprinted
from autograde.authoring.released import read_released
from autograde.authoring.telling import answer_patterns, literal
from autograde.course import Course, line_of
from autograde.place import COURSE_FILE

_ALLOWED = {"autograde", "explorables"}
_SURFACE = {"check", "dimensions", "hint", "lesson", "progress", "solution"}


@dataclass(frozen=True)
class Shown:
    """A text that a learner has before them, and where."""

    lesson: LessonText
    where: str
    text: str


def lint(root: Path, course: Course, texts: Sequence[LessonText], say: Callable[[str], None]) -> list[Fault]:
    """Every fault of the lessons' content, in order."""
    faults = [fault for text in texts for rule in _RULES for fault in rule(text, course)]
    runs = run_jobs("released", root, [text.path.stem for text in texts], say)
    solved = run_jobs("solved", root, [text.slug for text in texts], say)
    before: list[Shown] = []
    for text in texts:
        faults += list(_shown_too_early(root, text, runs[text.path.stem]["cells"], before))
        faults += list(unprinted(text, course, solved[text.slug]["shown"]))
    return faults


def _shown_too_early(root: Path, text: LessonText, cells: list[dict[str, Any]], before: list[Shown]) -> Iterator[Fault]:
    """Walk a released lesson; `before` grows by what it shows."""
    for i, (cell, shown) in enumerate(zip(read_released(root, text.path.stem).cells, cells, strict=True), 1):
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if shown["fault"]:
            yield Fault(
                f"lessons/{text.path.stem}.ipynb",
                0,
                grade_id,
                f"cell {i} raises {shown['fault']} while nothing is answered",
                "Guard it, or use the library's form",
            )
        if i == 1:
            continue
        before.append(Shown(text, f"cell {i}", cell.source))
        task = next((task for task in text.tasks if f"{task.id}-answer" == grade_id), None)
        if task is not None:
            yield from _found(text, task, before)
        before.append(Shown(text, f"cell {i}'s output", shown["text"]))


def _found(text: LessonText, task: Task, before: Sequence[Shown]) -> Iterator[Fault]:
    """The first place where the answer stands, unless the author says why it may be seen."""
    if _shown_reason(task):
        return
    for pattern in answer_patterns(task):
        for shown in before:
            if pattern.search(shown.text):
                what = f"its answer stands before it, in {shown.where} of {shown.lesson.file}"
                todo = 'Ask first and show after, or say why it may be seen: shown="..."'
                yield text.fault(task.answer, what, todo, task.id)
                return


def _shown_reason(task: Task) -> str:
    for node in ast.walk(ast.parse(task.exercise.source)):
        if isinstance(node, ast.keyword) and node.arg == "shown" and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    return ""


def _imports(text: LessonText, course: Course) -> Iterator[Fault]:
    for cell in text.cells:
        if cell.is_markdown or cell.role == "exercise":
            continue
        try:
            tree = ast.parse(cell.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.partition(".")[0] in _ALLOWED and "." in module:
                yield text.fault(
                    cell, f"it imports from {module}", "A lesson imports only names of autograde and explorables"
                )
            if (
                isinstance(node, ast.ImportFrom)
                and module == "autograde"
                and not {a.name for a in node.names} <= _SURFACE
            ):
                yield text.fault(
                    cell, "it imports more of autograde than a lesson may", f"Use {', '.join(sorted(_SURFACE))}"
                )


def _minutes(text: LessonText, course: Course) -> Iterator[Fault]:
    total = 0.0
    for task in text.tasks:
        minutes = [
            n.value.value
            for n in ast.walk(ast.parse(task.exercise.source))
            if isinstance(n, ast.keyword) and n.arg == "minutes" and isinstance(n.value, ast.Constant)
        ]
        if not minutes:
            yield text.fault(task.exercise, "it says no minutes", "Add minutes=..., an honest guess", task.id)
        total += float(minutes[0]) if minutes else 0  # type: ignore[arg-type]
    entry = course.lesson(text.slug)
    if total > entry.minutes:
        what = f"{text.slug}: minutes is {entry.minutes}, its exercises take {total:g}"
        line = line_of(text.root, "lessons", course.lessons.index(entry), "minutes")
        yield Fault(COURSE_FILE, line, "", what, "Make the times add up")


def _help(text: LessonText, course: Course) -> Iterator[Fault]:
    """Two hints and a worked solution."""
    for task in text.tasks:
        keywords = {n.arg: n.value for n in ast.walk(ast.parse(task.exercise.source)) if isinstance(n, ast.keyword)}
        hints = literal(ast.unparse(keywords["hints"])) if "hints" in keywords else ()
        if not isinstance(hints, list | tuple) or len(hints) < 2:
            yield text.fault(task.exercise, "it has fewer than two hints", "Give two, the second stronger", task.id)
        if "explain" not in keywords:
            yield text.fault(task.exercise, "it has no worked solution", "Add explain=...", task.id)


def _options(text: LessonText, course: Course) -> Iterator[Fault]:
    """Each option of a choice stands in the prompt, by its letter."""
    for task in text.tasks:
        call = next(
            (
                n
                for n in ast.walk(ast.parse(task.exercise.source))
                if isinstance(n, ast.Call)
                and isinstance(n.func, ast.Attribute)
                and n.func.attr in ("choice", "choices")
            ),
            None,
        )
        options = next((k.value for k in call.keywords if k.arg == "options"), None) if call else None
        if isinstance(options, ast.Dict):
            letters = [str(k.value) for k in options.keys if isinstance(k, ast.Constant)]
            missing = [letter for letter in letters if f"**{letter}**" not in task.prompt.source]
            if missing:
                yield text.fault(
                    task.prompt,
                    f"the prompt does not list option {', '.join(missing)}",
                    "List each as `- **a** text`",
                    task.id,
                )


_RULES: tuple[Callable[[LessonText, Course], Iterator[Fault]], ...] = (_imports, _minutes, _help, _options)
