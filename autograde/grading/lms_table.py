"""An LMS's gradebook being filled in: its own columns, every cell as it came, a reason for each grade left out."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograde.grading.columns import feedback_column, grade_column, grade_columns, new_column_place
from autograde.grading.feedback import feedback_text
from autograde.grading.fit import fit
from autograde.grading.page import points
from autograde.grading.roster import Roster, Student
from autograde.grading.submission import Row

_OURS = "<p>Graded by autograde"
_CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_MOODLE_COLUMNS = ("First name", "Last name", "ID number", "Email address")


class ExportError(ValueError):
    """The export cannot be written; str() says why and what to do."""


@dataclass(frozen=True)
class Left:
    """One grade that was not written, and why; student_id is the submission's, else the roster's."""

    student_id: str
    name: str
    assignment_id: str
    reason: str


class LmsTable:
    """The roster's cells, being filled in. Raises ExportError where rows and roster do not go together."""

    def __init__(self, roster: Roster, names: Mapping[str, Sequence[str]]) -> None:
        self.roster = roster
        self.names = names
        self.columns = list(roster.columns)
        self.lines = [list(line) for line in roster.lines]
        self.written = 0
        self.left: list[Left] = []
        self.notes: list[str] = []

    def fill(self, rows: Sequence[Row]) -> None:
        """Write every row's score, or its reason."""
        assignments = list(dict.fromkeys(row.assignment_id for row in rows))
        if self.roster.kind == "worksheet" and len(assignments) > 1:
            raise ExportError(
                f"{self.roster.file}: Moodle's grading worksheet is for one assignment, "
                f"and these are {len(assignments)}: {', '.join(assignments)}; name one with --assignment"
            )
        people = fit((row.student_id for row in rows), self.roster)
        places = {assignment: self._place(assignment, assignments, rows) for assignment in assignments}
        self._insert(places, rows)
        for assignment in assignments:
            done: dict[int, Row] = {}
            for row in rows:
                if row.assignment_id != assignment:
                    continue
                student = people.students.get(row.student_id)
                if student is None:
                    self._leave(row, "", people.unknown[row.student_id])
                elif student.line in done:
                    self._leave(row, student.name, f"a second row of this student; {done[student.line].file} counts")
                else:
                    done[student.line] = row
                    self._grade(student, row, places[assignment])
            for student in self.roster.students:
                if student.line not in done:
                    self.left.append(Left(student.id, student.name, assignment, "no submission"))
        waiting = sum(row.needs_manual for row in rows)
        if waiting:
            self.notes.append(f"{waiting} of them wait for a human: their points so far are the autograded ones")

    def _place(self, assignment: str, assignments: Sequence[str], rows: Sequence[Row]) -> int:
        """The assignment's column; one that is new counts from len(columns) on."""
        if self.roster.kind == "worksheet":
            return self.roster.roles["grade"]
        try:
            found = grade_column(self.roster, [assignment, *self.names.get(assignment, ())])
        except ValueError as fault:
            raise ExportError(str(fault)) from None
        if found is not None:
            return found
        open_columns = grade_columns(self.roster)
        if len(assignments) == len(open_columns) == 1 and self._is_empty(open_columns[0]):
            self.notes.append(f"the only column, {self.columns[open_columns[0]]!r}, was taken for {assignment}")
            return open_columns[0]
        place = len(self.roster.columns) + len(self.columns[len(self.roster.columns) :])
        title = next(iter(self.names.get(assignment, ())), assignment)
        self.columns.append(f"Assignment: {title} (Real)" if self.roster.kind == "moodle" else title)
        self.notes.append(f"no column is called {assignment}: a new one, {title!r}, is offered to the LMS")
        return place

    def _is_empty(self, column: int) -> bool:
        return all(self.lines[student.line][column].strip() in ("", "-") for student in self.roster.students)

    def _insert(self, places: dict[str, int], rows: Sequence[Row]) -> None:
        """Move new columns to where the LMS wants them, and state their points."""
        old = len(self.roster.columns)
        new = self.columns[old:]
        if not new:
            return
        at = new_column_place(self.roster)
        self.columns = [*self.columns[:at], *new, *self.columns[at:old]]
        self.lines = [[*line[:at], *[""] * len(new), *line[at:]] for line in self.lines]
        for assignment, place in places.items():
            places[assignment] = at + place - old if place >= old else place + len(new) * (place >= at)
            if place >= old and self.roster.points_line is not None:
                most = max(row.max_score for row in rows if row.assignment_id == assignment)
                self.lines[self.roster.points_line][places[assignment]] = self._number(most)

    def _grade(self, student: Student, row: Row, place: int) -> None:
        line = self.lines[student.line]
        before = line[place].strip()
        self._comment(student, row, place)
        if row.score is None:
            kept = f"; the LMS's own {before} was kept" if before not in ("", "-") else ""
            self._leave(row, student.name, f"{row.status}: {row.message or 'there is no score'}{kept}")
        elif before.upper() in ("EX", "N/A"):
            why = "the student is excused" if before.upper() == "EX" else "the assignment is not this student's"
            self._leave(row, student.name, f"{why} in {self.roster.file} ({before}); the score would be {row.score:g}")
        elif self._is_locked(line):
            self._leave(row, student.name, f"Moodle says that this grade cannot be changed; it would be {row.score:g}")
        else:
            line[place] = self._number(row.score)
            self.written += 1
            self._compare_maximum(line, row, place)

    def _is_locked(self, line: Sequence[str]) -> bool:
        column = self.roster.roles.get("changeable") if self.roster.kind == "worksheet" else None
        return column is not None and line[column].strip().casefold() in ("no", "nein", "non")

    def _comment(self, student: Student, row: Row, place: int) -> None:
        """Feedback goes where Moodle has a column for it, unless a human wrote there."""
        column = feedback_column(self.roster, place) if len(self.columns) == len(self.roster.columns) else None
        if column is None:
            return
        before = self.lines[student.line][column].strip()
        if not before or before.startswith(_OURS):
            text = html.escape(feedback_text(row), quote=False).strip().replace("\n", "<br>")
            total = "no score" if row.score is None else f"{row.score:g} of {points(row.max_score)}"
            self.lines[student.line][column] = f"{_OURS}: {total}.</p><p>{text}</p>"

    def _compare_maximum(self, line: Sequence[str], row: Row, place: int) -> None:
        stated = ""
        if self.roster.kind == "worksheet" and "maximum" in self.roster.roles:
            stated = line[self.roster.roles["maximum"]]
        elif self.roster.points_line is not None:
            stated = self.lines[self.roster.points_line][place]
        stated = stated.strip().replace(",", ".")
        if re.fullmatch(r"\d+(\.\d+)?", stated) and float(stated) != row.max_score:
            note = (
                f"{row.assignment_id} has {points(row.max_score)}, and {float(stated):g} in {self.roster.file}: "
                "the points were not converted; set the maximum in the LMS"
            )
            if note not in self.notes:
                self.notes.append(note)

    def _number(self, value: float) -> str:
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if self.roster.decimal_comma else text

    def _leave(self, row: Row, name: str, reason: str) -> None:
        self.left.append(Left(row.student_id, name, row.assignment_id, reason))


def built_roster(kind: str, rows: Sequence[Row], source: Roster | None) -> Roster:
    """A gradebook of the LMS's shape, from another roster or from the submissions alone."""
    people = (
        source.students
        if source
        else [Student(i, (("student", one),)) for i, one in enumerate(dict.fromkeys(row.student_id for row in rows))]
    )
    lines = list[tuple[str, ...]]()
    students = list[Student]()
    if kind == "canvas":
        lines.append(("    Points Possible", "", "", "", ""))
    for student in people:
        keys = dict(student.keys)
        login = keys.get("login") or student.id
        number = keys.get("number") or keys.get("student") or student.id
        email = student.email or (student.id if "@" in student.id else "")
        cells: tuple[str, ...] = (
            (student.name or student.id, keys.get("canvas", ""), number, login, "")
            if kind == "canvas"
            else (student.first, student.last or student.name, number, email)
        )
        students.append(Student(len(lines), student.keys, student.name, student.first, student.last, email))
        lines.append(cells)
    columns = _CANVAS_COLUMNS if kind == "canvas" else _MOODLE_COLUMNS
    roles = (
        {"name": 0, "canvas": 1, "number": 2, "login": 3, "section": 4}
        if kind == "canvas"
        else {
            "first": 0,
            "last": 1,
            "number": 2,
            "email": 3,
        }
    )
    file = source.file if source else "the submissions"
    return Roster(file, kind, columns, tuple(lines), tuple(students), roles)
