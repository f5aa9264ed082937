"""What was handed in, as it is graded, and the row that grading it gives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

KINDS = ("code", "markdown", "raw")
STATUSES = ("graded", "not_started", "unreadable", "refused", "failed")


class Unreadable(ValueError):
    """A file that cannot be read as a notebook; the message tells its learner why, and what to hand in."""


class Refused(ValueError):
    """A file that is not touched: a path that leads outside, a link, a bomb; the message says which."""


@dataclass(frozen=True)
class Cell:
    """One cell as it was handed in. kind is code, markdown or raw; ids are empty where they are gone."""

    kind: str
    source: str
    grade_id: str = ""
    cell_id: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a cell's kind is {self.kind!r}. Use one of {', '.join(KINDS)}")


@dataclass(frozen=True)
class Submission:
    """One learner's notebook for one assignment. file is where it was found; repairs say what was mended in reading."""

    student_id: str
    assignment_id: str
    file: str
    cells: tuple[Cell, ...]
    repairs: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256, hex, of what is graded: kinds, sources and grade ids; of no output, metadata, name or place."""
        graded = [[cell.kind, cell.source, cell.grade_id] for cell in self.cells]
        return hashlib.sha256(json.dumps(graded).encode()).hexdigest()


@dataclass(frozen=True)
class ExerciseRow:
    """One exercise's verdict. score is None where there is none yet: graded by hand, or nothing to grade."""

    id: str
    status: str
    score: float | None
    max_score: float
    message: str = ""


@dataclass(frozen=True)
class Row:
    """One learner's result for one assignment. score counts what was graded automatically, max_score everything.

    score is None only where nothing could be graded; it is raw_score, the exercises' sum, less the penalty for being
    late. late_by_s is None where that cannot be told. submitted_at is ISO, UTC; stamp is what was found of it, and
    marked_late an LMS's word. cpu_s and wall_s are seconds.
    """

    student_id: str
    assignment_id: str
    file: str
    status: str
    score: float | None
    max_score: float
    needs_manual: bool = False
    sandbox: str = ""
    repairs: tuple[str, ...] = ()
    message: str = ""
    exercises: tuple[ExerciseRow, ...] = ()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    submitted_at: str = ""
    late: bool = False
    late_by_s: int | None = None
    raw_score: float | None = None
    penalty: float = 0.0
    stamp: str = ""
    marked_late: bool = False

    @staticmethod
    def empty(student_id: str, assignment_id: str, file: str, max_score: float) -> Row:
        """The row of a submission before anything came of it: failed, no score."""
        return Row(student_id, assignment_id, file, "failed", None, max_score)

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"a row's status is {self.status!r}. Use one of {', '.join(STATUSES)}")

    def to_data(self) -> dict[str, Any]:
        """The row as one JSON object."""
        return {name: value for name, value in self.to_store().items() if name not in ("stamp", "marked_late")}

    def to_store(self) -> dict[str, Any]:
        """The same with what the clock needs to judge it again."""
        return asdict(self) | {"repairs": list(self.repairs), "exercises": [asdict(row) for row in self.exercises]}

    @staticmethod
    def from_store(data: Mapping[str, Any]) -> Row:
        """A row as it was kept."""
        exercises = tuple(ExerciseRow(**exercise) for exercise in data["exercises"])
        return Row(**dict(data) | {"repairs": tuple(data["repairs"]), "exercises": exercises})
