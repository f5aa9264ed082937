"""Progress: which exercises a learner tried and solved, in SQLite.

One row a try. SQLite's rollback journal (no WAL) is used because a learner's home may be on a network file system; a
busy database is waited for; a kill leaves a journal that the next opening rolls back. A database that cannot be read is
set aside, never overwritten.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from autograde.place import is_recording, progress_folder

_FILE = "progress.sqlite"
_SCHEMA = """
create table if not exists tries (
    id integer primary key, at real not null, lesson text not null, exercise text not null,
    status text not null, score real not null, max_score real not null, answer text not null
);
create index if not exists tries_exercise on tries (exercise);
"""
_INSERT = """
insert into tries (at, lesson, exercise, status, score, max_score, answer) values (?, ?, ?, ?, ?, ?, ?)
"""
_HONEST = ("passed", "partial", "failed", "error", "timeout")
_BUSY_SECONDS = 1
"""How long a check waits for another program; what could not be written is written later."""


@dataclass(frozen=True)
class Try:
    """One try of one exercise; answer is a digest of what was handed in."""

    lesson: str
    exercise: str
    status: str
    score: float
    max_score: float
    answer: str


class Progress:
    """A learner's tries. What cannot be written is kept for this session, `trouble` says why, and is written later."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._session: list[Try] = []
        self._waiting: list[tuple[float, Try]] = []
        self.trouble = ""

    @property
    def file(self) -> Path:
        """The database."""
        return (self._folder or progress_folder()) / _FILE

    def record(self, attempt: Try) -> None:
        """Keep a try, unless it repeats the exercise's last one; what waits to be written is written too.

        Never raises: a check must not fail for want of a disk.
        """
        if attempt.status in _HONEST and self._last(attempt.exercise) != attempt:
            self._session.append(attempt)
            self._waiting += [(time.time(), attempt)] if is_recording() else []
        if self._waiting:
            with self._open(write=True) as database:
                if database is not None:
                    database.executemany(_INSERT, [(at, *astuple(waiting)) for at, waiting in self._waiting])

    def tries(self) -> list[Try]:
        """All tries, oldest first."""
        kept: list[Try] = []
        if is_recording() and self._is_there():
            with self._open(write=False) as database:
                if database is not None:
                    rows = database.execute(
                        "select lesson, exercise, status, score, max_score, answer from tries order by id"
                    )
                    kept = [Try(*row) for row in rows]
        known = set(kept)
        return kept + [attempt for attempt in self._session if attempt not in known]

    def solved(self) -> set[str]:
        """Exercises that were passed at least once."""
        return {attempt.exercise for attempt in self.tries() if attempt.status == "passed"}

    def honest_tries(self, exercise: str) -> int:
        """How many different wrong answers were tried."""
        return len(
            {attempt.answer for attempt in self.tries() if attempt.exercise == exercise and attempt.status != "passed"}
        )

    def _last(self, exercise: str) -> Try | None:
        return next((attempt for attempt in reversed(self._session) if attempt.exercise == exercise), None)

    def _is_there(self) -> bool:
        try:
            return self.file.exists()
        except OSError:  # a folder that may not be looked into, a name that is too long
            return False

    @contextlib.contextmanager
    def _open(self, *, write: bool) -> Iterator[sqlite3.Connection | None]:
        """An open database in a transaction, or None where that cannot be had; trouble says why.

        What waits is written once the transaction is. Trouble is told until it is over.
        """
        try:
            database = self._connect(write)
        except (sqlite3.Error, OSError) as fault:
            self._tell(fault)
            yield None
            return
        damaged = False
        try:
            yield database
            database.execute("commit")
            self._waiting = [] if write else self._waiting
            self.trouble = self.trouble if self._waiting else ""
        except sqlite3.Error as fault:
            self._tell(fault)
            damaged = _is_damage(fault)
        finally:
            database.close()
        if damaged:
            self._set_aside()

    def _tell(self, fault: Exception) -> None:
        if _is_busy(fault):
            held = f"another program holds {self.file} ({fault})"
            self.trouble = f"Progress was not recorded: {held}. It is kept for this session; a later check records it."
        else:
            self.trouble = f"Progress is kept for this session only: {self.file} cannot be used ({fault})."

    def _connect(self, write: bool) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._begin(write)
        except sqlite3.Error as fault:
            if not _is_damage(fault):
                raise
            self._set_aside()
            return self._begin(write)

    def _set_aside(self) -> None:
        with contextlib.suppress(OSError):
            self.file.rename(self.file.with_name(f"{_FILE}.damaged-{time.time_ns()}"))

    def _begin(self, write: bool) -> sqlite3.Connection:
        patience = _BUSY_SECONDS if write or not self.trouble else 0  # a check waits once: what it reads comes after
        database = sqlite3.connect(self.file, timeout=patience, isolation_level=None)
        try:
            database.execute("pragma journal_mode=delete")
            database.executescript(_SCHEMA)
            database.execute("begin immediate" if write else "begin")
        except sqlite3.Error:
            database.close()
            raise
        return database


def _is_busy(fault: Exception) -> bool:
    """Whether another program holds the database."""
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _is_damage(fault: sqlite3.Error) -> bool:
    """Whether the file is no database, or not a whole one; a busy or forbidden one is no damage."""
    return isinstance(fault, sqlite3.DatabaseError) and not isinstance(fault, sqlite3.OperationalError)
