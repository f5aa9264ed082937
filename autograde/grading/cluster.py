"""A pool on a Dask cluster: each Dask worker owns a warm worker of ours.

Dask runs a task at least once; the store takes the first run under a content key, so each submission is graded once.
What travels is bytes that we wrote; a submission's own objects never do.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from autograde.evidence import from_bytes, to_bytes
from autograde.grading.match import Script, Step
from autograde.grading.pool import Done, Work, try_twice
from autograde.grading.run import Budget, Worker
from autograde.grading.sandbox import Sandbox, choose
from autograde.grading.store import Run

_RETRIES = 3
_AHEAD = 4
_workers: dict[str, Worker] = {}
"""In a Dask worker's process: its own warm worker, started with the first task."""


class DaskPool:
    """Submits work to a scheduler, or to a local cluster where none is named."""

    def __init__(self, sandbox: Sandbox, workers: int, scheduler: str = "") -> None:
        import distributed

        made: Any = distributed  # it has no annotations of its own
        self._sandbox = sandbox
        self._cluster: Any = (
            None
            if scheduler
            else made.LocalCluster(
                n_workers=max(1, workers), threads_per_worker=1, processes=True, dashboard_address=None
            )
        )
        self._client: Any = made.Client(scheduler or self._cluster)
        self._done: Any = made.as_completed([], with_results=True, raise_errors=False)
        self.waiting = 0

    def __enter__(self) -> DaskPool:
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.run(_stop)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    @property
    def is_full(self) -> bool:
        """Whether each Dask worker has enough ahead of it."""
        return self.waiting >= _AHEAD * max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def put(self, work: Work) -> None:
        """Submit; the content key is the task's name, so that the same work is never there twice."""
        mode = "off" if not self._sandbox.on else "best"
        future = self._client.submit(
            run_bytes, work_to_bytes(work), mode, key=f"autograde-{work.key}", pure=False, retries=_RETRIES
        )
        self._done.add(future)
        self.waiting += 1

    def take(self) -> Done:
        """The next that is done; its future is let go at once."""
        future, result = next(self._done)
        self.waiting -= 1
        key = str(future.key).removeprefix("autograde-")
        failed = future.status != "finished"
        future.release()
        if failed:
            return key, None, f"the cluster could not run it: {result}"
        return key, *_run_from_bytes(result)


def work_to_bytes(work: Work) -> bytes:
    """Work as bytes, for another machine."""
    steps: list[Any] = [[step.role, step.source, step.id] for step in work.script.steps]
    return to_bytes(
        {
            "key": work.key,
            "steps": steps,
            "names": dict(work.names),
            "plans": {name: dict(plan) for name, plan in work.plans.items()},
            "budget": asdict(work.budget),
            "in_process": work.in_process,
        }
    )


def run_bytes(data: bytes, mode: str) -> bytes:
    """In a Dask worker: run the work, give the run back as bytes."""
    told: Any = from_bytes(data)
    script = Script(tuple(Step(*step) for step in told["steps"]), (), untouched=False, missing=())
    work = Work(told["key"], script, told["names"], told["plans"], Budget(**told["budget"]), told["in_process"])
    if mode not in _workers:
        _workers[mode] = Worker(choose(mode))
    run, fault = try_twice(_workers[mode], work)
    return to_bytes({"run": None if run is None else asdict(run) | {"evidence": run.evidence}, "fault": fault})


def _run_from_bytes(data: bytes) -> tuple[Run | None, str]:
    told: Any = from_bytes(data)
    return (None if told["run"] is None else Run(**told["run"])), str(told["fault"])


def _stop() -> None:
    for worker in _workers.values():
        worker.stop()
    _workers.clear()
