"""The store: what a class's submissions did when they ran, and what they earned. SQLite, in the class's folder.

Evidence is kept under a key made of the submission's content, the probes' version and the plans: an unchanged
submission never runs twice, and a class is judged again without running anything. A kill at any moment leaves a store
that goes on.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograde.evidence import PROBE_VERSION, Evidence, Plain, from_bytes, to_bytes
from autograde.wording import ended

_SCHEMA = """
create table if not exists seeds (assignment text primary key, seed text not null);
create table if not exists rubrics (assignment text primary key, key text not null, data blob not null);
create table if not exists runs (key text primary key, data blob not null);
create table if not exists rows (
    student text not null, assignment text not null, key text not null, row text not null,
    primary key (student, assignment)
);
"""


LARGEST = 1 << 30
"""Bytes of a run: many exercises' evidence, each of which may be as large as evidence gets."""


class StoreFault(RuntimeError):
    """The store cannot be read or written; says where and what to do next. Nothing that was kept is lost."""


@dataclass
class Run:
    """What running one submission gave: evidence by exercise, and where there is none, why."""

    evidence: dict[str, Evidence] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    printed: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    rss_kb: int = 0
    sandbox: str = ""
    """The layers that it ran in: another machine, or another time, may have had others."""


def plans_key(plans: Mapping[str, Mapping[str, Plain]]) -> str:
    """What was asked: the probes' version and the plans. Evidence of another key cannot be compared."""
    asked = b"".join(name.encode() + b"\0" + to_bytes(dict(plans[name])) for name in sorted(plans))
    return hashlib.sha256(f"{PROBE_VERSION}:".encode() + asked).hexdigest()[:32]


def run_key(digest: str, asked: str) -> str:
    """The key of a run: a submission's content, and what was asked."""
    return f"{digest[:32]}-{asked}"


class Store:
    """One class's store. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "store.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.file, timeout=30, isolation_level=None)
            self._database.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as fault:
            raise self._fault(fault) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self._database.close()

    def _fault(self, fault: Exception) -> StoreFault:
        todo = (
            "Make room or name a folder that can be written, then run the same command again: it goes on where it was"
        )
        return StoreFault(f"{self.file}: {ended(str(fault))} {todo}.")

    def _write(self, statement: str, *values: Any) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.Error as fault:
            raise self._fault(fault) from None

    def _one(self, statement: str, *values: Any) -> Any:
        try:
            return self._database.execute(statement, values).fetchone()
        except sqlite3.Error as fault:
            raise self._fault(fault) from None

    def seed(self, assignment: str, *, fresh: bool = False) -> str:
        """The secret seed of a class's assignment: drawn once, kept until a fresh one is asked for."""
        kept = self._one("select seed from seeds where assignment = ?", assignment)
        if kept is not None and not fresh:
            return str(kept[0])
        seed = secrets.token_hex(16)
        self._write("insert or replace into seeds values (?, ?)", assignment, seed)
        return seed

    def rubrics(self, assignment: str, key: str) -> dict[str, Plain] | None:
        """Rubrics as plain data, where they were kept under this key."""
        kept = self._one("select key, data from rubrics where assignment = ?", assignment)
        if kept is None or kept[0] != key:
            return None
        found = from_bytes(zlib.decompress(kept[1]), LARGEST)
        return found if isinstance(found, dict) else None

    def keep_rubrics(self, assignment: str, key: str, data: dict[str, Plain]) -> None:
        """Keep an assignment's rubrics."""
        self._write("insert or replace into rubrics values (?, ?, ?)", assignment, key, zlib.compress(to_bytes(data)))

    def run(self, key: str) -> Run | None:
        """A run that was kept."""
        kept = self._one("select data from runs where key = ?", key)
        return None if kept is None else _run(kept[0])

    def keep_run(self, key: str, run: Run) -> None:
        """Keep a run; the first one under a key stays."""
        data: dict[str, Any] = dict(vars(run))
        self._write("insert or ignore into runs values (?, ?)", key, zlib.compress(to_bytes(data), 1))

    def row(self, student: str, assignment: str) -> tuple[str, dict[str, Any]] | None:
        """The key and the row that a student's submission got last."""
        kept = self._one("select key, row from rows where student = ? and assignment = ?", student, assignment)
        return None if kept is None else (str(kept[0]), json.loads(kept[1]))

    def keep_row(self, student: str, assignment: str, key: str, row: Mapping[str, Any]) -> None:
        """Keep a row in place of the last one."""
        text = json.dumps(row, ensure_ascii=False)
        self._write("insert or replace into rows values (?, ?, ?, ?)", student, assignment, key, text)

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """All rows with their keys, by student."""
        for key, text in self._database.execute("select key, row from rows order by student, assignment").fetchall():
            yield str(key), json.loads(text)

    def runs(self) -> Iterator[tuple[str, Run]]:
        """All runs by key."""
        for key, data in self._database.execute("select key, data from runs"):
            yield str(key), _run(data)

    def keep_rows(self, changed: Mapping[tuple[str, str], tuple[str, Mapping[str, Any]]]) -> None:
        """Keep many rows at once, or none."""
        self._write("begin immediate")
        for (student, assignment), (key, row) in changed.items():
            self.keep_row(student, assignment, key, row)
        self._write("commit")


def _run(data: bytes) -> Run:
    found: Any = from_bytes(zlib.decompress(data), LARGEST)
    return Run(**found)
