"""The engine: a class's submissions through warm workers into the store, one row each.

A bad submission costs its own row, never the run.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from autograde.evidence import Plain
from autograde.grading.assignment import Assignment
from autograde.grading.attempt import run_submission
from autograde.grading.collect import Found
from autograde.grading.judging import add_up, exercise_rows
from autograde.grading.match import Script, prepare
from autograde.grading.read import read_notebook
from autograde.grading.run import Budget, Worker, WorkerLost
from autograde.grading.sandbox import Sandbox
from autograde.grading.store import Run, Store, plans_key, run_key
from autograde.grading.submission import Row, Submission, Unreadable
from autograde.rubric import Rubric

Progress = Callable[[int, int, Mapping[str, int]], None]
"""Called with: done, of how many, how many rows of each status."""
_AHEAD = 4


@dataclass(frozen=True)
class Task:
    """One assignment as a class is graded on it: the release, what is asked of the probes, how it is judged."""

    assignment: Assignment
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    late_share: float = 1.0

    @cached_property
    def plans(self) -> dict[str, dict[str, Plain]]:
        """What each graded exercise's probe is sent; a plain assignment's tests need nothing."""
        graded = [cell.grade_id for cell in self.assignment.exercises if cell.role != "manual"]
        return {name: dict(self.rubrics[name].plan) if name in self.rubrics else {} for name in graded}

    @cached_property
    def names(self) -> dict[str, str]:
        """What each grade cell passes to check."""
        return {cell.grade_id: cell.name for cell in self.assignment.exercises}

    @cached_property
    def asked(self) -> str:
        """The key of what is asked of the probes."""
        return plans_key(self.plans)


@dataclass(frozen=True)
class _Job:
    row: Row
    task: Task
    script: Script
    key: str


def grade_class(
    found: Sequence[Found],
    tasks: Mapping[str, Task],
    store: Store,
    sandbox: Sandbox,
    *,
    workers: int = 1,
    data: Path | None = None,
    progress: Progress = lambda done, total, counts: None,
) -> list[Row]:
    """A row for each submission, in the order found; each is in the store when it is counted as done.

    Raises StoreFault (what was done is kept), WorkerLost where no worker can be started.
    """
    rows: list[Row] = []
    counts: dict[str, int] = {}
    for row in _rows(found, tasks, store, sandbox, max(1, workers), data):
        rows.append(row)
        counts[row.status] = counts.get(row.status, 0) + 1
        progress(len(rows), len(found), counts)
    order = {(item.student_id, item.assignment_id, item.file): i for i, item in enumerate(found)}
    return sorted(rows, key=lambda row: order[row.student_id, row.assignment_id, row.file])


def _rows(
    found: Iterable[Found], tasks: Mapping[str, Task], store: Store, sandbox: Sandbox, workers: int, data: Path | None
) -> Iterator[Row]:
    """Rows as they get done. What needs no run is answered here; the rest goes through the pool."""
    with _Pool(sandbox, workers, data) as pool:
        for item in found:
            made = _begin(item, tasks, sandbox)
            if isinstance(made, Row):
                yield _keep(store, made, "")
                continue
            run = store.run(made.key)
            if run is not None:
                yield _finish(store, made, run)
                continue
            pool.put(made)
            while pool.is_full:
                yield _done(store, *pool.take())
        while pool.waiting:
            yield _done(store, *pool.take())


def _begin(item: Found, tasks: Mapping[str, Task], sandbox: Sandbox) -> Row | _Job:
    """A submission read and matched, or its row where that is all there is to say."""
    task = tasks.get(item.assignment_id)
    row = Row.empty(item.student_id, item.assignment_id, item.file, task.assignment.max_score if task else 0.0)
    row = replace(row, repairs=item.notes)
    if item.fault or item.data is None:
        return replace(row, status="refused", message=item.fault or "There is no file.")
    if task is None:
        known = ", ".join(tasks)
        return replace(row, status="unreadable", message=f"It belongs to no assignment that is graded here ({known}).")
    try:
        cells, repairs = read_notebook(item.data, item.file)
    except Unreadable as fault:
        return replace(row, status="unreadable", message=str(fault))
    submission = Submission(item.student_id, item.assignment_id, item.file, cells, repairs, item.late)
    script = prepare(submission, task.assignment)
    label = "in-process, " + sandbox.label if task.assignment.in_process else sandbox.label
    row = replace(row, repairs=(*item.notes, *repairs, *script.repairs), sandbox=label, late=item.late)
    if script.untouched:
        return replace(row, status="not_started", score=0.0, message="The notebook is as it was handed out.")
    return _Job(row, task, script, run_key(script.digest, task.asked))


def _done(store: Store, job: _Job, run: Run | None, fault: str) -> Row:
    if run is None:
        return _keep(store, replace(job.row, status="failed", message=f"It could not be run: {fault}"), "")
    store.keep_run(job.key, run)
    return _finish(store, job, run)


def _finish(store: Store, job: _Job, run: Run) -> Row:
    return _keep(store, judged(job.row, job.task, run), job.key)


def judged(row: Row, task: Task, run: Run) -> Row:
    """A row with its verdicts."""
    exercises = exercise_rows(task.assignment, task.rubrics, run)
    row = replace(row, max_score=task.assignment.max_score)
    row = add_up(row, exercises, task.late_share if row.late else 1.0)
    stopped = [f"{name} ({reason})" for name, reason in run.missing.items()]
    message = f"Stopped on the way: {', '.join(stopped)}." if stopped else ""
    return replace(row, status="graded", message=message, cpu_s=run.cpu_s, wall_s=run.wall_s)


def _keep(store: Store, row: Row, key: str) -> Row:
    store.keep_row(row.student_id, row.assignment_id, key, row.to_data() | {"late": row.late})
    return row


class _Pool:
    """Threads, each with a warm worker of its own; a worker that is lost is started again, a job is tried twice."""

    def __init__(self, sandbox: Sandbox, workers: int, data: Path | None) -> None:
        self._sandbox, self._data = sandbox, data
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._results: queue.Queue[tuple[_Job, Run | None, str]] = queue.Queue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        self._started = False
        self.waiting = 0

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        if exc[0] is not None:  # stopped on the way: what waits is not begun
            while not self._jobs.empty():
                self._jobs.get_nowait()
        for _ in self._threads:
            self._jobs.put(None)
        if self._started:
            for thread in self._threads:
                thread.join()

    @property
    def is_full(self) -> bool:
        """Whether enough jobs wait; reading ahead without end would hold every submission in memory."""
        return self.waiting >= len(self._threads) * _AHEAD

    def put(self, job: _Job) -> None:
        """Give a job to whichever worker is free."""
        if not self._started:
            self._started = True
            for thread in self._threads:
                thread.start()
        self._jobs.put(job)
        self.waiting += 1

    def take(self) -> tuple[_Job, Run | None, str]:
        """The next job that is done; waits."""
        self.waiting -= 1
        return self._results.get()

    def _work(self) -> None:
        worker = Worker(self._sandbox, data=self._data)
        try:
            while (job := self._jobs.get()) is not None:
                self._results.put((job, *self._try(worker, job)))
        finally:
            worker.stop()

    def _try(self, worker: Worker, job: _Job) -> tuple[Run | None, str]:
        fault = ""
        for turn in range(2):
            try:
                if not worker.is_running:
                    worker.start()
                task = job.task
                run = run_submission(
                    worker, job.script, task.names, task.plans, task.budget, in_process=task.assignment.in_process
                )
                return run, ""
            except (WorkerLost, OSError) as lost:
                fault = str(lost)
                worker.stop()
                time.sleep(0.2 * (turn + 1))
        return None, fault
