"""Late: when a submission was handed in, whether that was too late, by how much, and what it costs. Nowhere else.

A submission's own stamp and the lesson's due time decide. Where one of them is missing, an LMS's mark that it was late
counts, as the least that it can mean: one day.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo

from autograde.clock import BadTime, stamp_instant, utc_text
from autograde.course import LatePolicy
from autograde.grading.submission import Row

_DAY = 86_400


@dataclass(frozen=True)
class Clock:
    """One assignment's clock. due is the last instant in time, in UTC; zone is that of stamps without one."""

    due: datetime | None = None
    zone: tzinfo = UTC
    policy: LatePolicy = field(default_factory=LatePolicy)

    def timed(self, row: Row) -> Row:
        """A row with when it was handed in and how late that was, from its stamp and its LMS's mark."""
        submitted = self._submitted(row.stamp)
        by = None if submitted is None or self.due is None else _seconds_after(self.due, submitted)
        late = row.marked_late if by is None else by > 0
        return replace(row, submitted_at=utc_text(submitted) if submitted else "", late=late, late_by_s=by)

    def charged(self, row: Row) -> Row:
        """A timed row whose raw score is known, with its penalty and what is left."""
        if row.raw_score is None:
            return replace(row, score=None, penalty=0.0)
        penalty = round(row.raw_score * self._share(row), 6)
        return replace(row, score=round(row.raw_score - penalty, 6), penalty=penalty)

    def _submitted(self, stamp: str) -> datetime | None:
        """None where there is no stamp, or none that names an instant."""
        try:
            return stamp_instant(stamp, self.zone) if stamp else None
        except BadTime:
            return None

    def _share(self, row: Row) -> float:
        """The share of the score that lateness takes."""
        if not row.late:
            return 0.0
        by, policy = row.late_by_s, self.policy
        if by is not None and by <= policy.grace_minutes * 60:
            return 0.0
        if policy.zero_after_days is not None and (by or 0) > policy.zero_after_days * _DAY:
            return 1.0
        days = 1 if by is None else math.ceil(by / _DAY)
        return min(days * policy.penalty_per_day, policy.at_most, 1.0)


def _seconds_after(due: datetime, submitted: datetime) -> int:
    """How many seconds too late, a started one whole and at least one; 0 where it is in time."""
    over = submitted - due - timedelta(microseconds=1)  # due itself is still in time
    return max(1, math.ceil(over.total_seconds())) if submitted > due else 0


def untimed(rows: Iterable[Row], clock: Clock) -> list[str]:
    """What an instructor should know of rows whose time could not be told though there is a due time."""
    rows = list(rows)
    unknown = [row for row in rows if clock.due is not None and row.late_by_s is None and not row.marked_late]
    odd = [row for row in unknown if row.stamp]
    told, silent = list[str](), len(unknown) - len(odd)
    if odd:
        named = f"{odd[0].student_id}'s {odd[0].stamp[:60]!r}"
        told.append(f"taken as in time, since a time stamp names no time: {len(odd)}, such as {named}")
    if silent:
        told.append(f"taken as in time, since nothing says when they were handed in: {silent} of {len(rows)}")
    return told
