"""An instructor's evening: submissions in, grades out. Says what was done and what was not."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping

from autograde.grading.assignment import BadAssignment
from autograde.grading.beforehand import obstacles, unwritable
from autograde.grading.cluster import DaskPool
from autograde.grading.collect import find
from autograde.grading.engine import Task, grade_class
from autograde.grading.gradebook import GradebookError
from autograde.grading.hand_back import Evening, hand_back
from autograde.grading.lms_table import ExportError
from autograde.grading.pool import LocalPool, Pool
from autograde.grading.report import summary_table
from autograde.grading.roster import RosterError, read_roster
from autograde.grading.sandbox import Sandbox, SandboxMissing, choose
from autograde.grading.scheduler import ClusterLost, ClusterMissing
from autograde.grading.store import Store, StoreFault
from autograde.grading.submission import Refused, Row

Say = Callable[[str], None]
_EVERY_SECONDS = 1.0


def grade(evening: Evening, tasks_for: Callable[[Store], Mapping[str, Task]], say: Say) -> int:
    """Grade a class. 0 when every submission was graded, 1 when some were not, 2 where nothing could begin."""
    rows: list[Row] = []
    try:
        return _grade(evening, tasks_for, say, rows)
    except (ClusterMissing, SandboxMissing, RosterError, Refused, BadAssignment) as fault:
        say(str(fault))
        return 2
    except (ClusterLost, StoreFault, GradebookError, ExportError, OSError) as fault:
        say(str(fault))
        return 1
    finally:
        if evening.json is not None and (rows or not unwritable(evening.json)):
            text = json.dumps([row.to_data() for row in rows], indent=1, ensure_ascii=False)
            evening.json.write_text(text + "\n", encoding="utf-8")


def _grade(evening: Evening, tasks_for: Callable[[Store], Mapping[str, Task]], say: Say, rows: list[Row]) -> int:
    if told := obstacles(evening):
        say("\n".join(told))
        return 2
    roster = read_roster(evening.roster) if evening.roster else None
    sandbox = choose(evening.sandbox)
    pool = _pool(evening, sandbox, say)
    with Store(evening.folder) as store:
        tasks = tasks_for(store)
        handed_in = list(find(evening.submissions, list(tasks)))
        done = grade_class(handed_in, tasks, store, sandbox, pool, _Ticker(say), rows)
    rows[:] = done
    print(summary_table(rows))
    for word in hand_back(evening, tasks, handed_in, rows, roster):
        say(word)
    labels = ", ".join(sorted({row.sandbox for row in rows if row.sandbox})) or sandbox.label
    say(f"{labels}; results are in {evening.folder}")
    return 0 if all(row.status in ("graded", "not_started") for row in rows) else 1


def _pool(evening: Evening, sandbox: Sandbox, say: Say) -> Pool:
    workers = evening.workers or os.cpu_count() or 1
    if evening.engine == "dask":
        return DaskPool(evening.sandbox, workers, evening.scheduler, say)
    if evening.scheduler:
        raise ClusterMissing("--scheduler is for --engine dask: name both, or neither.")
    return LocalPool(sandbox, workers)


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
