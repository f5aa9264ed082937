"""Rows in nbgrader's gradebook: grades and comments of one notebook, in batches. A human's part is never touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from autograde.grading.assignment import Assignment
from autograde.grading.gradebook_cells import Book
from autograde.grading.page import SHAPES, clean, no_markup, number, points, word
from autograde.grading.submission import ExerciseRow, Row

_LONGEST_NAME = 128


class Writer:
    """One assignment's grades on their way into an open gradebook. digests are by student."""

    def __init__(
        self,
        gradebook: Any,
        assignment: Assignment,
        book: Book,
        digests: Mapping[str, str],
    ) -> None:
        self.db = gradebook.db
        self.assignment, self.book = assignment, book
        self.digests = digests
        self.students = 0
        self.to_review: set[str] = set()
        self.notes: list[str] = list(book.notes)
        self.comments_on = _commented_cells(assignment)
        self.kept = _digest_table(self.db)

    def save(self, rows: Sequence[Row], people: Mapping[str, Mapping[str, str]]) -> None:
        """A batch of rows, all of it or nothing."""
        rows = [row for row in rows if self._can_be_kept(row)]
        ids = [row.student_id for row in rows]
        self._save_students(ids, people)
        books = self._submitted(ids)
        last = self._last_digests(ids)
        for row in rows:
            book = books[row.student_id]
            digest = self.digests.get(row.student_id)
            changed = digest is not None and last.get(row.student_id, digest) != digest
            self._save_row(row, book, changed=changed)
            self._save_time(row, book.assignment)
            if digest is not None:
                self._keep_digest(row.student_id, digest)
        self.db.commit()
        self.db.expunge_all()
        self.students += len(rows)

    def _can_be_kept(self, row: Row) -> bool:
        fits = 0 < len(row.student_id) <= _LONGEST_NAME and "\0" not in row.student_id
        if not fits:
            self.notes.append(
                f"{row.student_id[:40]!r}: nbgrader keeps ids of 1 to {_LONGEST_NAME} characters; left out"
            )
        return fits

    def _save_students(self, ids: Sequence[str], people: Mapping[str, Mapping[str, str]]) -> None:
        from nbgrader.api import Student
        from sqlalchemy import select

        known = {one.id: one for one in self.db.scalars(select(Student).where(Student.id.in_(ids)))}
        for one in ids:
            student = known.get(one)
            if student is None:
                student = Student(id=one)
                self.db.add(student)
            for attribute, value in people.get(one, {}).items():
                setattr(student, attribute, clean(value)[:_LONGEST_NAME])
        self.db.flush()

    def _submitted(self, ids: Sequence[str]) -> dict[str, Any]:
        """Each student's submitted notebook, with a grade and a comment for every cell; made where there is none."""
        from nbgrader.api import Assignment as Kind
        from nbgrader.api import Comment, Grade, SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import select
        from sqlalchemy.orm import selectinload

        asked = select(SubmittedAssignment).where(
            SubmittedAssignment.assignment_id == self.book.assignment_id, SubmittedAssignment.student_id.in_(ids)
        )
        parts = selectinload(SubmittedAssignment.notebooks)
        loaded = asked.options(
            parts.selectinload(SubmittedNotebook.grades), parts.selectinload(SubmittedNotebook.comments)
        )
        known = {one.student_id: one for one in self.db.scalars(loaded)}
        kind = self.db.get(Kind, self.book.assignment_id)
        books = {}
        for one in ids:
            submitted = known.get(one)
            if submitted is None:
                submitted = SubmittedAssignment(assignment_id=self.book.assignment_id, student_id=one)
                self.db.add(submitted)
            there = {book.notebook_id: book for book in submitted.notebooks}
            for notebook in kind.notebooks:
                book = there.get(notebook.id)
                if book is None:
                    book = SubmittedNotebook(notebook_id=notebook.id, assignment=submitted)
                    self.db.add(book)
                if notebook.id == self.book.id:
                    books[one] = book
                    graded, answers = self.book.graded, self.book.answers
                elif notebook.id in there:
                    continue
                else:
                    graded = {cell.id: cell.name for cell in (*notebook.grade_cells, *notebook.task_cells)}
                    answers = {cell.id: cell.name for cell in (*notebook.solution_cells, *notebook.task_cells)}
                for cell in graded.keys() - {grade.cell_id for grade in book.grades}:
                    self.db.add(Grade(cell_id=cell, notebook=book))
                for cell in answers.keys() - {comment.cell_id for comment in book.comments}:
                    self.db.add(Comment(cell_id=cell, notebook=book))
        self.db.flush()
        return books

    def _save_row(self, row: Row, book: Any, *, changed: bool) -> None:
        exercises = {exercise.id: exercise for exercise in row.exercises}
        for grade in book.grades:
            exercise = exercises.get(self.book.graded.get(grade.cell_id, ""))
            if self._save_grade(grade, exercise.score if exercise else None, changed=changed):
                self.to_review.add(row.student_id)
        said = _comments(row, self.comments_on)
        for comment in book.comments:
            comment.auto_comment = said.get(self.book.answers.get(comment.cell_id, "")) or None
        book.late_submission_penalty = row.penalty or None

    def _save_time(self, row: Row, submitted: Any) -> None:
        if row.submitted_at:  # nbgrader's times are UTC and do not say so
            submitted.timestamp = datetime.fromisoformat(row.submitted_at).replace(tzinfo=None)
        if submitted.extension and row.late:
            self.notes.append(
                f"{row.student_id}: nbgrader's gradebook grants an extension of {submitted.extension}, "
                "which the late policy does not know; look at the penalty"
            )

    def _save_grade(self, grade: Any, score: float | None, *, changed: bool) -> bool:
        """Set the autograder's part. True where a human's grade has to be looked at again."""
        is_graded = grade.manual_score is not None
        another = changed or grade.auto_score != score
        grade.auto_score = score
        if not is_graded:
            grade.needs_manual_grade = score is None
        elif another:
            grade.needs_manual_grade = True
        return bool(is_graded and another)

    def _last_digests(self, ids: Sequence[str]) -> dict[str, str]:
        table = self.kept
        asked = table.select().where(table.c.assignment == self.assignment.id, table.c.student.in_(ids))
        return {line.student: line.digest for line in self.db.execute(asked)}

    def _keep_digest(self, student: str, digest: str) -> None:
        table = self.kept
        of_it = (table.c.assignment == self.assignment.id, table.c.student == student)
        if not self.db.execute(table.update().where(*of_it).values(digest=digest)).rowcount:
            self.db.execute(table.insert().values(assignment=self.assignment.id, student=student, digest=digest))


def _digest_table(db: Any) -> Any:
    """A table of our own beside nbgrader's, which does not mind it: what each student's work was when graded."""
    from sqlalchemy import Column, MetaData, String, Table

    table = Table(
        "autograde_submission",
        MetaData(),
        Column("assignment", String(_LONGEST_NAME), primary_key=True),
        Column("student", String(_LONGEST_NAME), primary_key=True),
        Column("digest", String(64), nullable=False),
    )
    table.create(db.connection(), checkfirst=True)
    db.commit()
    return table


def _commented_cells(assignment: Assignment) -> dict[str, str]:
    """Exercise -> the cell whose comment speaks of it: the last answer cell before its tests, or the cell itself."""
    found, answer = {}, ""
    for cell in assignment.cells:
        if cell.role == "answer":
            answer = cell.grade_id
        elif cell.role == "manual":
            found[cell.grade_id] = cell.grade_id
        elif cell.role == "grade" and answer:
            found[cell.grade_id] = answer
    return found


def _comments(row: Row, comments_on: Mapping[str, str]) -> dict[str, str]:
    """Cell -> what is said there, as text that is no HTML (nbgrader reads comments as Markdown)."""
    if row.score is None:
        said = f"No score ({word(row.status)}): {row.message or 'no reason was given'}"
        return {cell: no_markup(said) for cell in comments_on.values()}
    parts: dict[str, list[str]] = {}
    for exercise in row.exercises:
        if exercise.score is not None and exercise.id in comments_on:
            parts.setdefault(comments_on[exercise.id], []).append(_told(exercise))
    return {cell: no_markup("\n\n".join(lines)) for cell, lines in parts.items()}


def _told(exercise: ExerciseRow) -> str:
    earned = f"{number(exercise.score or 0)} of {points(exercise.max_score)}"
    sign = SHAPES.get(exercise.status, "!")
    return f"{sign} {exercise.id}: {word(exercise.status)}, {earned}. {exercise.message}".strip()
