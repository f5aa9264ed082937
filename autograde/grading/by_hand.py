"""What humans graded in formgrader, carried into rows: for feedback, reports and exports that are made after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograde.grading.gradebook import COURSE, opened
from autograde.grading.submission import ExerciseRow, Row

_Key = tuple[str, str]


@dataclass
class _Hand:
    """One student's assignment in the gradebook: what it adds up to, and the cells that a human graded."""

    total: float = 0.0
    waits: bool = False
    penalties: dict[str, float] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)


def with_manual_grades(url: str, rows: Iterable[Row], *, course: str = COURSE) -> list[Row]:
    """The rows with what humans graded since. A row that no human touched stays as it is. Raises GradebookError."""
    with opened(url, course) as gradebook:
        hands = _hands(gradebook.db)
    return [_merged(row, hands.get((row.student_id, row.assignment_id))) for row in rows]


def _merged(row: Row, hand: _Hand | None) -> Row:
    if hand is None or (row.score is None and hand.waits):  # without a score until every cell has one
        return row
    penalty = min(hand.total, sum(hand.penalties.values()))
    return replace(
        row,
        status="graded",
        score=round(hand.total - penalty, 6),
        raw_score=round(hand.total, 6),
        penalty=round(penalty, 6),
        needs_manual=hand.waits,
        exercises=tuple(_graded(exercise, hand) for exercise in row.exercises),
    )


def _graded(exercise: ExerciseRow, hand: _Hand) -> ExerciseRow:
    """An exercise as the human left it."""
    score = hand.scores.get(exercise.id)
    if score is None:
        return exercise
    status = "passed" if score >= exercise.max_score else "partial" if score > 0 else "failed"
    said = hand.comments.get(exercise.id) or "Graded by hand."
    return replace(exercise, status=status, score=score, message=said)


def _hands(db: Any) -> dict[_Key, _Hand]:
    """The students' assignments of which a human graded something."""
    from nbgrader.api import Assignment, BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy import or_, select

    is_ours = or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None))
    touched = (
        select(SubmittedNotebook.assignment_id).join(Grade, Grade.notebook_id == SubmittedNotebook.id).where(is_ours)
    )

    def asked(part: Any, *columns: Any) -> Sequence[Any]:
        """Columns of a part of those assignments, after student, assignment and cell."""
        owner = (SubmittedAssignment.student_id, Assignment.name, BaseCell.name)
        joined = (
            select(*owner, *columns)
            .select_from(part)
            .join(BaseCell, BaseCell.id == part.cell_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == part.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(SubmittedAssignment.id.in_(touched))
        )
        found: Sequence[Any] = db.execute(joined).all()
        return found

    hands: dict[_Key, _Hand] = defaultdict(_Hand)
    penalty = SubmittedNotebook.late_submission_penalty
    grades = (Grade.score, Grade.needs_manual_grade, is_ours, Grade.notebook_id, penalty)
    for student, assignment, cell, score, waits, ours, notebook, charged in asked(Grade, *grades):
        hand = hands[student, assignment]
        hand.total += score
        hand.waits = hand.waits or waits
        hand.penalties[notebook] = charged or 0.0
        if ours:
            hand.scores[cell] = score
    for student, assignment, cell, comment in asked(Comment, Comment.manual_comment):
        if comment:
            hands[student, assignment].comments[cell] = comment
    return dict(hands)
