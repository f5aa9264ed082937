"""A lesson's source as it was read: cells with their roles and lines, and the exercises that they form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograde.authoring.faults import Fault, one_fault, shown

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


@dataclass(frozen=True)
class Cell:
    """One cell. role is lesson, text, code, prompt, answer, exercise or grade."""

    role: str
    source: str
    line: int
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def is_markdown(self) -> bool:
        """Whether it is text."""
        return self.role in ("text", "prompt")


@dataclass(frozen=True)
class Task:
    """The four cells of an exercise. name is what the grade cell passes."""

    id: str
    name: str
    points: float
    prompt: Cell
    answer: Cell
    exercise: Cell
    grade: Cell

    @property
    def title(self) -> str:
        """The prompt's heading without "Exercise:"."""
        heading = self.prompt.source.splitlines()[0].lstrip("# ").strip()
        return re.sub(r"^(Exercise|Prediction|Stretch)( \(stretch\))?\s*:\s*", "", heading)


@dataclass(frozen=True)
class LessonText:
    """A lesson's source, read."""

    path: Path
    root: Path
    cells: list[Cell]
    tasks: list[Task]

    @property
    def slug(self) -> str:
        """The lesson's id: the file's name without number and ending."""
        return self.path.stem.partition("-")[2]

    @property
    def file(self) -> str:
        """The path as an author knows it."""
        return shown(self.path, self.root)

    def task(self, exercise: str) -> Task:
        """One exercise's cells. Raises AuthorError."""
        for task in self.tasks:
            if task.id == exercise:
                return task
        known = ", ".join(task.id for task in self.tasks)
        raise one_fault(self.file, "the lesson has no such exercise", f"It has {known}", exercise)

    def fault(self, cell: Cell, what: str, todo: str, exercise: str = "") -> Fault:
        """A fault at a cell."""
        return Fault(self.file, cell.line, exercise, what, todo)


def without_solution(source: str) -> str:
    """An answer cell as it is handed out: each region is one blank line of its indentation, as nbgrader leaves it."""
    kept, inside = [], False
    for line in source.split("\n"):
        if line.strip() == BEGIN:
            inside = True
            kept.append(line[: len(line) - len(line.lstrip())])
        elif line.strip() == END:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def solution_of(source: str) -> str:
    """An answer cell solved, without the marks."""
    return "\n".join(line for line in source.split("\n") if line.strip() not in (BEGIN, END)) + "\n"
