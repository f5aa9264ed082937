"""Faults in what an author wrote: where, what, and what to do next. All of them are told, not the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograde.wording import ended


@dataclass(frozen=True)
class Fault:
    """One fault. line is 1-based, 0 where it concerns the whole file; exercise is empty where none is concerned."""

    file: str
    line: int
    exercise: str
    what: str
    todo: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        whom = f" [{self.exercise}]" if self.exercise else ""
        return f"{where}:{whom} {ended(self.what)} {ended(self.todo)}"


class AuthorError(ValueError):
    """Faults of an author's files; str() lists them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = list(faults)


def one_fault(file: str, what: str, todo: str, exercise: str = "", line: int = 0) -> AuthorError:
    """An error of one fault, to be raised."""
    return AuthorError([Fault(file, line, exercise, what, todo)])


def shown(path: Path, root: Path) -> str:
    """A path as an author knows it: from the course's root."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
