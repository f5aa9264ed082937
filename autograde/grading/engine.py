"""The engine: a class's submissions through warm workers into the store, one row each.

A bad submission costs its own row, never the run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograde.evidence import Plain
from autograde.grading.assignment import Assignment
from autograde.grading.collect import Found, HandedIn
from autograde.grading.judging import add_up, exercise_rows
from autograde.grading.late import Clock
from autograde.grading.match import Script, prepare
from autograde.grading.pool import Pool, Work
from autograde.grading.read import read_notebook
from autograde.grading.run import Budget
from autograde.grading.sandbox import Sandbox
from autograde.grading.store import Run, Store, plans_key, run_key
from autograde.grading.submission import Row, Submission, Unreadable
from autograde.rubric import Rubric

_SEAL = re.compile(r'^lesson\("[^"]*", """.*?"""\)', re.DOTALL | re.MULTILINE)
Progress = Callable[[int, int, Mapping[str, int]], None]
"""Called with: done, of how many, how many rows of each status."""


@dataclass(frozen=True)
class Task:
    """One assignment as a class is graded on it: the release, what is asked of the probes, how it is judged."""

    assignment: Assignment
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    clock: Clock = field(default_factory=Clock)
    hints: Mapping[str, str] = field(default_factory=dict)
    """By exercise, for feedback pages; none where the course does not allow it."""

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

    @property
    def work(self) -> Work:
        """What a pool runs."""
        task = self.task
        return Work(self.key, self.script, task.names, task.plans, task.budget, task.assignment.in_process)


def grade_class(
    handed_in: Sequence[HandedIn],
    tasks: Mapping[str, Task],
    store: Store,
    sandbox: Sandbox,
    pool: Pool,
    progress: Progress = lambda done, total, counts: None,
    rows: list[Row] | None = None,
) -> list[Row]:
    """A row for each submission, in the order found; each is in the store when it is counted as done.

    A file is read when its turn comes, and let go once it has run. Rows are put into `rows` as they get done, for
    whoever is interrupted. Raises StoreFault; what was done is kept.
    """
    rows = [] if rows is None else rows
    counts: dict[str, int] = {}
    for row in _rows(handed_in, tasks, store, sandbox, pool):
        rows.append(row)
        counts[row.status] = counts.get(row.status, 0) + 1
        progress(len(rows), len(handed_in), counts)
    places = ((one.found.student_id, one.found.assignment_id, one.found.file) for one in handed_in)
    order = {place: i for i, place in enumerate(places)}
    return sorted(rows, key=lambda row: order[row.student_id, row.assignment_id, row.file])


def _rows(
    handed_in: Iterable[HandedIn], tasks: Mapping[str, Task], store: Store, sandbox: Sandbox, pool: Pool
) -> Iterator[Row]:
    """Rows as they get done. What needs no run is answered here; the rest goes through the pool, the same once."""
    running: dict[str, list[_Job]] = {}
    with pool:
        for one in handed_in:
            made = _begin(one.read(), tasks, sandbox)
            if isinstance(made, Row):
                yield _keep(store, made, "")
                continue
            if made.key in running:
                running[made.key].append(made)
                continue
            run = store.run(made.key)
            if run is not None:
                yield _finish(store, made, run)
                continue
            running[made.key] = [made]
            pool.put(made.work)
            while pool.is_full:
                yield from _done(store, running, *pool.take())
        while pool.waiting:
            yield from _done(store, running, *pool.take())


def _begin(item: Found, tasks: Mapping[str, Task], sandbox: Sandbox) -> Row | _Job:
    """A submission read and matched, or its row where that is all there is to say."""
    task = tasks.get(item.assignment_id)
    row = Row.empty(item.student_id, item.assignment_id, item.file, task.assignment.max_score if task else 0.0)
    row = replace(row, repairs=item.notes, stamp=item.handed_in, marked_late=item.late)
    row = task.clock.timed(row) if task else row
    if item.fault or item.data is None:
        return replace(row, status="refused", message=item.fault or "There is no file.")
    if task is None:
        known = ", ".join(tasks)
        return replace(row, status="unreadable", message=f"It belongs to no assignment that is graded here ({known}).")
    try:
        cells, repairs = read_notebook(item.data, item.file)
    except Unreadable as fault:
        return replace(row, status="unreadable", message=str(fault))
    submission = Submission(item.student_id, item.assignment_id, item.file, cells, repairs)
    script = prepare(submission, task.assignment)
    row = replace(row, repairs=(*item.notes, *repairs, *script.repairs), sandbox=_label(task, sandbox.label))
    if script.untouched:
        return replace(
            row, status="not_started", score=0.0, raw_score=0.0, message="The notebook is as it was handed out."
        )
    return _Job(row, task, script, run_key(_content(script), task.asked))


def _label(task: Task, layers: str) -> str:
    return f"in-process, {layers}" if task.assignment.in_process else layers


def _content(script: Script) -> str:
    """The digest of what is run. A lesson's seal is no part of it: new points or sentences run nothing again."""
    steps = tuple(replace(step, source=_SEAL.sub("lesson()", step.source)) for step in script.steps)
    return replace(script, steps=steps).digest


def _done(store: Store, running: dict[str, list[_Job]], key: str, run: Run | None, fault: str) -> Iterator[Row]:
    """The rows of all who handed in this content."""
    if run is not None:
        store.keep_run(key, run)
    for job in running.pop(key, []):
        if run is None:
            yield _keep(store, replace(job.row, status="failed", message=f"It could not be run: {fault}"), "")
        else:
            yield _finish(store, job, run)


def _finish(store: Store, job: _Job, run: Run) -> Row:
    return _keep(store, judged(job.row, job.task, run), job.key)


def judged(row: Row, task: Task, run: Run) -> Row:
    """A row with its verdicts."""
    exercises = exercise_rows(task.assignment, task.rubrics, run)
    row = task.clock.timed(replace(row, max_score=task.assignment.max_score))
    row = replace(row, sandbox=_label(task, run.sandbox)) if run.sandbox else row
    row = task.clock.charged(add_up(row, exercises))
    stopped = [f"{name} ({reason})" for name, reason in run.missing.items()]
    message = f"Stopped on the way: {', '.join(stopped)}." if stopped else ""
    return replace(row, status="graded", message=message, cpu_s=run.cpu_s, wall_s=run.wall_s)


def _keep(store: Store, row: Row, key: str) -> Row:
    store.keep_row(row.student_id, row.assignment_id, key, row.to_store())
    return row
