"""Pools: where submissions are run. The local one has a thread and a warm worker for each core."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from autograde.evidence import Plain
from autograde.grading.attempt import run_submission
from autograde.grading.match import Script
from autograde.grading.run import Budget, Worker, WorkerLost
from autograde.grading.sandbox import Sandbox
from autograde.grading.store import Run

_AHEAD = 4


@dataclass(frozen=True)
class Work:
    """One submission to run; the key is its content's."""

    key: str
    script: Script
    names: Mapping[str, str] = field(default_factory=dict)
    plans: Mapping[str, Mapping[str, Plain]] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    in_process: bool = False


Done = tuple[str, Run | None, str]
"""A key, and its run or why there is none."""


class Pool(Protocol):
    """Takes work, gives back what is done, in any order."""

    waiting: int

    def __enter__(self) -> Pool:
        """Nothing is started before the first work."""

    def __exit__(self, *exc: object) -> None:
        """What was begun is ended; after an exception nothing more is begun."""

    @property
    def is_full(self) -> bool:
        """Whether enough waits; reading ahead without end would hold every submission in memory."""

    def put(self, work: Work) -> None:
        """Give work to whoever is free."""

    def take(self) -> Done:
        """The next that is done; waits."""


def try_twice(worker: Worker, work: Work) -> tuple[Run | None, str]:
    """The run, in a worker that is started when it is not there; where it is lost, once more in a new one."""
    fault = ""
    for turn in range(2):
        try:
            if not worker.is_running:
                worker.start()
            run = run_submission(worker, work.script, work.names, work.plans, work.budget, in_process=work.in_process)
            return run, ""
        except (WorkerLost, OSError) as lost:
            fault = str(lost)
            worker.stop()
            time.sleep(0.2 * (turn + 1))
    return None, fault


class LocalPool:
    """Threads, each with a warm worker of its own."""

    def __init__(self, sandbox: Sandbox, workers: int, data: Path | None = None) -> None:
        self._sandbox, self._data = sandbox, data
        self._jobs: queue.Queue[Work | None] = queue.Queue()
        self._results: queue.Queue[Done] = queue.Queue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(max(1, workers))]
        self._started = False
        self.waiting = 0

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(self, *exc: object) -> None:
        while exc[0] is not None and not self._jobs.empty():
            self._jobs.get_nowait()
        for _ in self._threads:
            self._jobs.put(None)
        if self._started:
            for thread in self._threads:
                thread.join()

    @property
    def is_full(self) -> bool:
        """Whether each worker has enough ahead of it."""
        return self.waiting >= len(self._threads) * _AHEAD

    def put(self, work: Work) -> None:
        """Give work to whichever worker is free."""
        if not self._started:
            self._started = True
            for thread in self._threads:
                thread.start()
        self._jobs.put(work)
        self.waiting += 1

    def take(self) -> Done:
        """The next that is done; waits."""
        self.waiting -= 1
        return self._results.get()

    def _work(self) -> None:
        worker = Worker(self._sandbox, data=self._data)
        try:
            while (work := self._jobs.get()) is not None:
                self._results.put((work.key, *try_twice(worker, work)))
        finally:
            worker.stop()
