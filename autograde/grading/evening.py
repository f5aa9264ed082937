"""An instructor's evening: submissions in, grades out. Says what was done and what was not."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograde.grading.collect import collect
from autograde.grading.engine import Task, grade_class
from autograde.grading.export import export
from autograde.grading.feedback import feedback_page, feedback_text
from autograde.grading.gradebook import write_gradebook
from autograde.grading.pool import LocalPool, Pool
from autograde.grading.report import class_report, summary_table
from autograde.grading.roster import Roster, read_roster
from autograde.grading.sandbox import Sandbox, SandboxMissing, choose
from autograde.grading.store import Store, StoreFault
from autograde.grading.submission import Refused, Row

Say = Callable[[str], None]
_EVERY_SECONDS = 1.0


@dataclass(frozen=True)
class Evening:
    """What an instructor asked for."""

    submissions: Path
    roster: Path | None = None
    json: Path | None = None
    export: tuple[str, Path] | None = None
    gradebook: str = ""
    workers: int = 0
    sandbox: str = "best"
    fresh: bool = False
    engine: str = "local"
    scheduler: str = ""

    @property
    def folder(self) -> Path:
        """The class's folder, beside the submissions: store, feedback, report, gradebook."""
        return self.submissions.with_name(self.submissions.stem + ".grading")


def grade(evening: Evening, tasks_for: Callable[[Store], Mapping[str, Task]], say: Say) -> int:
    """Grade a class. 0 when every submission was graded, 1 when some were not, 2 where nothing could begin."""
    rows: list[Row] = []
    try:
        if not evening.submissions.exists():
            say(f"{evening.submissions}: there is no such folder or archive.")
            return 2
        roster = read_roster(evening.roster) if evening.roster else None
        sandbox = choose(evening.sandbox)
        with Store(evening.folder) as store:
            tasks = tasks_for(store)
            found = collect(evening.submissions, list(tasks))
            rows = grade_class(found, tasks, store, sandbox, _pool(evening, sandbox), _Ticker(say))
        _hand_back(evening, tasks, rows, roster, sandbox, say)
    except (SandboxMissing, Refused, ValueError) as fault:
        say(str(fault))
        return 2
    except StoreFault as fault:
        say(str(fault))
        return 1
    finally:
        if evening.json is not None:
            _write_json(evening.json, rows)
    print(summary_table(rows))
    say(f"{sandbox.label}; results are in {evening.folder}")
    return 0 if all(row.status in ("graded", "not_started") for row in rows) else 1


def _pool(evening: Evening, sandbox: Sandbox) -> Pool:
    workers = evening.workers or os.cpu_count() or 1
    if evening.engine == "local":
        return LocalPool(sandbox, workers)
    from autograde.grading.cluster import DaskPool

    return DaskPool(sandbox, workers, evening.scheduler)


def _write_json(path: Path, rows: Sequence[Row]) -> None:
    path.write_text(json.dumps([row.to_data() for row in rows], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _hand_back(
    evening: Evening, tasks: Mapping[str, Task], rows: Sequence[Row], roster: Roster | None, sandbox: Sandbox, say: Say
) -> None:
    """Feedback pages, the class report, the gradebook and the LMS's file."""
    pages = evening.folder / "feedback"
    for row in rows:
        folder = pages / _safe(row.assignment_id)
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / _safe(row.student_id)
        stem.with_name(stem.name + ".html").write_text(feedback_page(row, (), row.assignment_id), encoding="utf-8")
        stem.with_name(stem.name + ".txt").write_text(feedback_text(row), encoding="utf-8")
    for name, task in tasks.items():
        of_it = [row for row in rows if row.assignment_id == name]
        if of_it:
            report = class_report(of_it, task.assignment, sandbox.off)
            (evening.folder / f"report-{_safe(name)}.html").write_text(report, encoding="utf-8")
            url = evening.gradebook or f"sqlite:///{(evening.folder / 'gradebook.db').resolve()}"
            write_gradebook(url, task.assignment, of_it, ())
    if evening.export is not None:
        kind, path = evening.export
        for word in export(kind, rows, roster, path):
            say(word)


def _safe(name: str) -> str:
    """An opaque id as a file name: what a file name may not hold is written as its number."""
    return "".join(c if c.isalnum() or c in "-_.@ " else f"%{ord(c):02X}" for c in name).strip(". ") or "%"


class _Ticker:
    """A line a second: how many are done, how fast, how long it takes, what failed."""

    def __init__(self, say: Say) -> None:
        self._say, self._began, self._last = say, time.monotonic(), 0.0

    def __call__(self, done: int, total: int, counts: Mapping[str, int]) -> None:
        now = time.monotonic()
        if now - self._last < _EVERY_SECONDS and done < total:
            return
        self._last = now
        rate = done / max(now - self._began, 1e-3)
        bad = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()) if status != "graded")
        self._say(
            f"{done} of {total} done, {rate:.1f} a second, {(total - done) / rate:.0f} s left"
            + (f"; {bad}" if bad else "")
        )
