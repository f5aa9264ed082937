"""nbgrader's gradebook: points and comments go where formgrader, manual grading and nbgrader's exports look for them.

Where there is no score there is none: the grade stays empty and waits for a human, with the reason as its comment.
What a human graded or wrote is never written over.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograde.grading.assignment import Assignment
from autograde.grading.autograded import write_autograded as write_autograded
from autograde.grading.fit import fit
from autograde.grading.gradebook_cells import save_cells
from autograde.grading.gradebook_rows import Writer
from autograde.grading.roster import Roster
from autograde.grading.submission import Row

COURSE = "default_course"  # what nbgrader calls a course that was given no name
_BATCH = 200


class GradebookError(RuntimeError):
    """The gradebook cannot be read or written; str() says why and what to do next."""


@dataclass(frozen=True)
class Kept:
    """What was written: how many students, whose manual grades wait for a second look, and what is worth saying."""

    students: int
    to_review: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def write_gradebook(
    url: str,
    assignment: Assignment,
    rows: Iterable[Row],
    digests: Mapping[str, str] | None = None,
    *,
    notebook: str = "",
    course: str = COURSE,
    roster: Roster | None = None,
    due: datetime | None = None,
) -> Kept:
    """Write an assignment's rows into the gradebook at url (SQLAlchemy's form). The last row of a student counts.

    digests, of each student's work, tell whether it is another one than last time: then what a human graded is marked
    for review. notebook is its name in nbgrader, the assignment's id without one. due, where there is one, becomes
    nbgrader's due date. Raises GradebookError.
    """
    of_student = {row.student_id: row for row in rows if row.assignment_id == assignment.id}
    with opened(url, course) as gradebook:
        book = save_cells(gradebook, assignment, notebook)
        if due is not None:
            gradebook.find_assignment(assignment.id).duedate = due.astimezone(UTC).replace(tzinfo=None)
        writer = Writer(gradebook, assignment, book, digests or {})
        people = _people(of_student, roster)
        everybody = list(of_student.values())
        for start in range(0, len(everybody), _BATCH):
            writer.save(everybody[start : start + _BATCH], people)
    return Kept(writer.students, tuple(sorted(writer.to_review)), tuple(writer.notes))


def check_url(url: str, made: Path) -> None:
    """Raises GradebookError where an address is none, its driver or its folder not there; `made` will be made."""
    from sqlalchemy import create_engine
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        create_engine(url).dispose()
        file = make_url(url).database if url.startswith("sqlite") else None
    except ModuleNotFoundError as fault:
        raise GradebookError(_no_driver("--gradebook", fault)) from None
    except SQLAlchemyError:
        todo = "Write it as sqlite:///FILE.db or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
        raise GradebookError(f"--gradebook: this is no address of a database. {todo}") from None
    folder = Path(file or ".").parent
    if not folder.is_dir() and folder != made:
        raise GradebookError(f"--gradebook {url}: the folder {folder} is not there. Make it, or name another")


def _no_driver(where: str, fault: ModuleNotFoundError) -> str:
    return f"{where}: the database's driver is not installed: pip install {fault.name}"


@contextlib.contextmanager
def opened(url: str, course: str) -> Iterator[Any]:
    """The gradebook, closed again; what its database says becomes a GradebookError."""
    from nbgrader.api import Gradebook, InvalidEntry
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    shown = url
    try:
        shown = make_url(url).render_as_string(hide_password=True)
        with _alembic_on_path():
            gradebook = Gradebook(url, course)
        with gradebook:
            yield gradebook
    except ModuleNotFoundError as fault:
        raise GradebookError(_no_driver(shown, fault)) from None
    except (SQLAlchemyError, InvalidEntry, OSError) as fault:
        said = str(getattr(fault, "orig", None) or fault).strip().split("\n")[0]
        old = "no such column" in said or "UndefinedColumn" in type(getattr(fault, "orig", None)).__name__
        what = "run `nbgrader db upgrade`, then this command" if old else "mend that and run this command"
        raise GradebookError(f"{shown}: {said}; {what} again: it goes on where it was") from None


@contextlib.contextmanager
def _alembic_on_path() -> Iterator[None]:
    """nbgrader calls the command alembic for a new gradebook; it is beside this Python, which PATH may not know."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), before))
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _people(of_student: Mapping[str, Row], roster: Roster | None) -> dict[str, dict[str, str]]:
    """nbgrader's names of those whom the roster knows."""
    if roster is None:
        return {}
    known = {}
    for one, student in fit(of_student, roster).students.items():
        last, comma, first = student.name.partition(",")
        named = {
            "first_name": student.first or (first.strip() if comma else ""),
            "last_name": student.last or (last.strip() if comma else student.name),
            "email": student.email,
        }
        known[one] = {attribute: value for attribute, value in named.items() if value}
    return known
