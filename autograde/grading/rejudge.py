"""Judging a class again from what is stored: after a change of points, sentences, wrong answers or late policy.

Nothing of a submission is run. Whose grade changes, and why, is told before anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograde.grading.engine import Task, judged
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
        row = row_from_data(data)
        task = tasks.get(row.assignment_id)
        if row.status != "graded" or task is None:
            unchanged += 1
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
        changed[name] = (keys[name], row.to_data() | {"late": row.late})
    store.keep_rows(changed)


def row_from_data(data: Mapping[str, Any]) -> Row:
    """A row as it was kept."""
    exercises = tuple(ExerciseRow(**exercise) for exercise in data["exercises"])
    return Row(**dict(data) | {"repairs": tuple(data["repairs"]), "exercises": exercises})


def _change(before: Row, task: Task, run: Run) -> Change | None:
    after = judged(before, task, run)
    if (after.score, after.max_score, after.exercises) == (before.score, before.max_score, before.exercises):
        return None
    old = {exercise.id: exercise for exercise in before.exercises}
    reasons = [_reason(old.get(new.id), new) for new in after.exercises if old.get(new.id) != new]
    return Change(before, after, tuple(reasons))


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
