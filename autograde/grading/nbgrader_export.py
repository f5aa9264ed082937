"""An exporter for `nbgrader export` that leaves a missing score empty, where nbgrader's own writes 0.0.

nbgrader export --exporter=autograde.grading.nbgrader_export.GradesCsv --to grades.csv
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from nbgrader.plugins.export import ExportPlugin
from sqlalchemy import func, select

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


class GradesCsv(ExportPlugin):  # type: ignore[misc]
    """nbgrader's columns as proper CSV; no submission, or one without any grade yet, has no score."""

    def export(self, gradebook: Any) -> None:
        """Write all grades, or those of the students and assignments that were asked for."""
        target = Path(self.to or "grades.csv")
        self.log.info("Exporting grades to %s", target)
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for assignment in gradebook.assignments:
                if self.assignment and assignment.name not in map(str, self.assignment):
                    continue
                submissions = {one.student_id: one for one in assignment.submissions}
                graded = _graded(gradebook, assignment)
                for student in gradebook.students:
                    if not self.student or student.id in map(str, self.student):
                        writer.writerow(_line(assignment, student, submissions.get(student.id), graded))


def _graded(gradebook: Any, assignment: Any) -> set[str]:
    """The submissions that somebody, or the autograder, gave any score."""
    from nbgrader.api import Grade, SubmittedAssignment, SubmittedNotebook

    scored = func.coalesce(Grade.manual_score, Grade.auto_score, Grade.extra_credit)
    asked = (
        select(SubmittedAssignment.id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .where(SubmittedAssignment.assignment_id == assignment.id, scored.is_not(None))
        .distinct()
    )
    return set(gradebook.db.scalars(asked))


def _line(assignment: Any, student: Any, submission: Any, graded: set[str]) -> list[Any]:
    who = [student.id, student.last_name, student.first_name, student.email]
    if submission is None or submission.id not in graded:
        earned = ["", "", ""]
    else:
        penalty = submission.late_submission_penalty
        earned = [submission.score, penalty, max(0.0, submission.score - penalty)]
    timestamp = submission.timestamp if submission is not None else None
    return [assignment.name, assignment.duedate, timestamp, *who, *earned, assignment.max_score]
