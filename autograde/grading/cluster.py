"""A pool on a Dask cluster: each thread of a Dask worker has a warm worker of ours.

Dask runs a task at least once; the store takes the first run under a content key, so each submission is graded once.
What travels is bytes that we wrote; a submission's own objects never do.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import asdict
from typing import Any

from autograde.evidence import PROBE_VERSION, from_bytes, to_bytes
from autograde.grading.match import Script, Step
from autograde.grading.pool import Done, Work, try_twice
from autograde.grading.run import Budget, Worker
from autograde.grading.sandbox import choose
from autograde.grading.scheduler import ClusterLost, check_scheduler
from autograde.grading.store import LARGEST, Run

_RETRIES, _AHEAD = 3, 4
_PATIENCE, _GOODBYE = 10.0, 10.0
_idle: dict[str, list[Worker]] = {}
"""In a Dask worker's process: warm workers that nobody uses now, by the sandbox's mode."""
_over: set[str] = set()
"""In a Dask worker's process: gradings that have ended; what still runs for them keeps no worker warm."""


class DaskPool:
    """Submits work to a scheduler, or to a local cluster where none is named. Raises ClusterMissing, ClusterLost."""

    def __init__(
        self, mode: str, workers: int, scheduler: str = "", say: Callable[[str], None] = lambda text: None
    ) -> None:
        check_scheduler(scheduler)
        self._mode, self._workers, self._scheduler, self._say = mode, max(1, workers), scheduler, say
        self._grading = secrets.token_hex(8)
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._cluster: Any = None
        self.waiting = 0

    def __enter__(self) -> DaskPool:
        import distributed

        made: Any = distributed  # it has no annotations of its own
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # ClusterLost says it in one line
        if not self._scheduler:
            self._cluster = made.LocalCluster(
                n_workers=self._workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        self._client: Any = made.Client(self._scheduler or self._cluster)
        return self

    def __exit__(self, *exc: object) -> None:
        # A machine that is gone does not answer, and nobody shall wait for it: all that was done is stored by now.
        goodbye = threading.Thread(target=self._stop_workers, daemon=True)
        goodbye.start()
        goodbye.join(_GOODBYE)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _stop_workers(self) -> None:
        with contextlib.suppress(Exception):  # whatever a cluster on its way down says, the grades are there
            self._client.run(_stop, self._grading, on_error="ignore")

    def _threads(self) -> int:
        """How many submissions the cluster runs at once now."""
        try:
            return sum(self._client.nthreads().values())
        except OSError as fault:
            raise ClusterLost(self._scheduler) from fault

    @property
    def is_full(self) -> bool:
        """Whether each thread of the cluster has enough ahead of it."""
        return self.waiting >= _AHEAD and self.waiting >= _AHEAD * self._threads()

    def put(self, work: Work) -> None:
        """Submit; the content key is the task's name, so that the same work is never there twice."""
        key = f"autograde-{self._mode}-{work.key}"
        if self._client.status not in ("running", "connecting"):
            raise ClusterLost(self._scheduler)
        told = (work_to_bytes(work), self._mode, self._grading)
        future = self._client.submit(run_bytes, *told, key=key, pure=False, retries=_RETRIES)
        future.add_done_callback(lambda done: self._finished.put((work.key, done)))
        self.waiting += 1

    def take(self) -> Done:
        """The next that is done; its future is let go at once."""
        key, future = self._next()
        self.waiting -= 1
        try:
            result = future.result()
        except CancelledError as fault:  # nobody cancels but a scheduler that is gone, or began anew
            raise ClusterLost(self._scheduler) from fault
        except Exception as fault:
            return key, None, f"the cluster could not run it: {type(fault).__name__}: {fault}"
        finally:
            future.release()
        return key, *run_from_bytes(result)

    def _next(self) -> tuple[str, Any]:
        while True:
            try:
                found: tuple[str, Any] = self._finished.get(timeout=_PATIENCE)
                return found
            except queue.Empty:
                if not self._threads():
                    self._say("The scheduler has no Dask worker now; waiting for one.")


def work_to_bytes(work: Work) -> bytes:
    """Work as bytes, for another machine."""
    steps: list[Any] = [[step.role, step.source, step.id] for step in work.script.steps]
    return to_bytes(
        {
            "probes": PROBE_VERSION,
            "key": work.key,
            "steps": steps,
            "names": dict(work.names),
            "plans": {name: dict(plan) for name, plan in work.plans.items()},
            "budget": asdict(work.budget),
            "in_process": work.in_process,
        }
    )


def run_bytes(data: bytes, mode: str, grading: str) -> bytes:
    """In a Dask worker: run the work, give the run back as bytes. Raises SandboxMissing where it is required."""
    told: Any = from_bytes(data, LARGEST)
    if told["probes"] != PROBE_VERSION:
        raise RuntimeError("this Dask worker has another version of autograde; install the same one everywhere")
    script = Script(tuple(Step(*step) for step in told["steps"]), (), untouched=False, missing=())
    work = Work(told["key"], script, told["names"], told["plans"], Budget(**told["budget"]), told["in_process"])
    worker = _warm(mode)
    try:
        run, fault = try_twice(worker, work)
    finally:
        _idle.setdefault(mode, []).append(worker)
        if grading in _over:
            _stop(grading)
    return to_bytes({"run": None if run is None else asdict(run) | {"evidence": run.evidence}, "fault": fault})


def _warm(mode: str) -> Worker:
    """A worker that nobody uses: a Dask worker may have several threads, and a worker runs one submission at a time."""
    try:
        return _idle[mode].pop()
    except (KeyError, IndexError):
        return Worker(choose(mode))


def run_from_bytes(data: bytes) -> tuple[Run | None, str]:
    """What run_bytes gave: the run, or why there is none."""
    told: Any = from_bytes(data, LARGEST)
    return (None if told["run"] is None else Run(**told["run"])), str(told["fault"])


def _stop(grading: str) -> None:
    """In a Dask worker: a grading is over. Another that uses the same cluster starts its workers again."""
    _over.add(grading)
    for mode in _idle:
        with contextlib.suppress(IndexError):
            while True:
                _idle[mode].pop().stop()
