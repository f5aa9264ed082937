"""Judging a class again from what is stored: after a change of points, sentences, wrong answers or late policy.

Nothing of a submission is run. Whose grade changes, and why, is told before anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autograde.grading.engine import Task, judged
from autograde.grading.page import how_late
from autograde.grading.store import Run, Store
from autograde.grading.submission import ExerciseRow, Row


@dataclass(frozen=True)
class Change:
    """One learner's row, before and after. reasons name the exercises whose verdict is another one."""

    before: Row
    after: Row
    reasons: tuple[str, ...]

    @property
    def moves(self) -> bool:
        """Whether the score or what is needed changes, not only a sentence."""
        return (self.before.score, self.before.max_score) != (self.after.score, self.after.max_score)

    def __str__(self) -> str:
        shown = f"{_points(self.before)} -> {_points(self.after)}"
        return f"{self.after.student_id} {self.after.assignment_id}: {shown} ({'; '.join(self.reasons) or 'the sum'})"


@dataclass(frozen=True)
class Rejudged:
    """What judging again gives: rows that change, how many stay, and those that would have to run again."""

    changes: tuple[Change, ...]
    unchanged: int
    stale: tuple[str, ...]


def rejudge(store: Store, tasks: Mapping[str, Task]) -> Rejudged:
    """Judge every stored run again. Nothing is written."""
    runs = dict(store.runs())
    changes, unchanged, stale = [], 0, []
    for key, data in store.rows():
        row = Row.from_store(data)
        task = tasks.get(row.assignment_id)
        if row.status != "graded" or task is None:
            change = _timing_change(row, task) if task else None
            changes += [change] if change is not None else []
            unchanged += change is None
        elif key not in runs or not key.endswith(task.asked):
            stale.append(f"{row.student_id} {row.assignment_id}")
        else:
            change = _change(row, task, runs[key])
            changes += [change] if change is not None else []
            unchanged += change is None
    return Rejudged(tuple(changes), unchanged, tuple(stale))


def write(store: Store, rejudged: Rejudged) -> None:
    """Put the changed rows in place of the old ones, all or none."""
    keys = {(data["student_id"], data["assignment_id"]): key for key, data in store.rows()}
    changed = {}
    for change in rejudged.changes:
        row = change.after
        name = (row.student_id, row.assignment_id)
        changed[name] = (keys[name], row.to_store())
    store.keep_rows(changed)


def _change(before: Row, task: Task, run: Run) -> Change | None:
    after = judged(before, task, run)
    if _counts(after) == _counts(before):
        return None
    old = {exercise.id: exercise for exercise in before.exercises}
    reasons = [_reason(old.get(new.id), new) for new in after.exercises if old.get(new.id) != new]
    return Change(before, after, (*reasons, *_timing(before, after)))


def _timing_change(before: Row, task: Task) -> Change | None:
    """The same of a row that was not graded: only its time can be another one."""
    after = task.clock.timed(before)
    return None if _counts(after) == _counts(before) else Change(before, after, _timing(before, after))


def _counts(row: Row) -> tuple[object, ...]:
    """What a change is a change of."""
    timing = (row.submitted_at, row.late, row.late_by_s, row.penalty)
    return (row.score, row.max_score, row.exercises, *timing)


def _timing(before: Row, after: Row) -> tuple[str, ...]:
    """What another due time, zone or late policy changes."""
    said = []
    if before.penalty != after.penalty:
        said.append(f"penalty {before.penalty:g} -> {after.penalty:g}")
    if (before.late, before.late_by_s) != (after.late, after.late_by_s):
        said.append(f"{how_late(before) or 'in time'} -> {how_late(after) or 'in time'}")
    elif before.submitted_at != after.submitted_at:
        said.append(f"handed in {before.submitted_at or 'at no known time'} -> {after.submitted_at}")
    return tuple(said)


def _reason(old: ExerciseRow | None, new: ExerciseRow) -> str:
    if old is None:
        return f"{new.id}: new"
    if (old.status, old.score, old.max_score) == (new.status, new.score, new.max_score):
        return f"{new.id}: another sentence"
    return f"{new.id}: {old.status} {_of(old)} -> {new.status} {_of(new)}"


def _of(exercise: ExerciseRow) -> str:
    return f"{'-' if exercise.score is None else format(exercise.score, 'g')}/{exercise.max_score:g}"


def _points(row: Row) -> str:
    return f"{'-' if row.score is None else format(row.score, 'g')}/{row.max_score:g}"
