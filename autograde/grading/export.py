"""Export: grades as the file that an LMS takes back, or as a plain CSV.

Canvas and Moodle get their own columns, every cell as it came, with the points filled in. No score stays as it was,
usually empty, and never becomes 0. What could not be written, and why, goes into a second file beside it, since an LMS
would take a column of ours for an assignment.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograde.grading.fit import fit
from autograde.grading.lms_table import ExportError, Left, LmsTable, built_roster
from autograde.grading.roster import Roster, to_csv
from autograde.grading.submission import Row
from autograde.wording import counted, ended

KINDS = ("canvas", "moodle", "csv")
_OWN_COLUMNS = (
    "student_id",
    "name",
    "assignment_id",
    "score",
    "max_score",
    "status",
    "needs_manual",
    "late",
    "submitted_at",
    "late_by_s",
    "raw_score",
    "penalty",
    "message",
    "repairs",
    "file",
)


@dataclass(frozen=True)
class Exported:
    """What an export wrote. left are the grades that are not in the file; beside is the file that lists them."""

    path: Path
    written: int
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    beside: Path | None = None

    def __str__(self) -> str:
        lines = [f"{self.path}: {counted(self.written, 'grade')} written"]
        lines += [f"  {note}" for note in self.notes]
        if self.left:
            lines.append(
                f"  {len(self.left)} not written, never as 0; each with its reason in {self.beside or self.path}"
            )
        return "\n".join(lines)


def export(
    kind: str,
    rows: Sequence[Row],
    roster: Roster | None,
    path: Path,
    names: Mapping[str, Sequence[str]] | None = None,
) -> Exported:
    """Write the grades. names: what else an assignment is called in the LMS (its title, its column).

    Raises ExportError.
    """
    check_export(kind, path, roster.file if roster else "")
    if kind == "csv":
        return _export_own(rows, roster, path)
    wanted = ("canvas",) if kind == "canvas" else ("moodle", "worksheet")
    other = "" if roster is None else f"{roster.file} is no gradebook of {kind.capitalize()}: its columns were built"
    if roster is None or roster.kind not in wanted:
        roster = built_roster(kind, rows, roster)
        other = other or "no roster was given: look whether the LMS finds all students"
    table = LmsTable(roster, names or {})
    table.fill(rows)
    data = roster.to_bytes(table.columns, table.lines)
    return _write(path, data, table.written, table.left, [*([other] if other else []), *roster.notes, *table.notes])


def check_export(kind: str, path: Path, roster: str = "") -> None:
    """Raises ExportError where there is no such export, or where it would replace the roster of this name."""
    if kind not in KINDS:
        raise ExportError(f"--export {kind}: there is no such export; take one of {', '.join(KINDS)}")
    if path.name == roster and path.exists():
        raise ExportError(f"{path}: this is the name of the roster, which is never changed; choose another name")


def _export_own(rows: Sequence[Row], roster: Roster | None, path: Path) -> Exported:
    """A row a student and assignment; students of the roster without one come last."""
    people = fit((row.student_id for row in rows), roster) if roster else None
    lines: list[list[str]] = []
    left: list[Left] = []
    handed_in: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        student = people.students.get(row.student_id) if people else None
        if student:
            handed_in[row.assignment_id].add(student.line)
        reason = people.unknown.get(row.student_id, "") if people else ""
        if row.score is None or reason:
            left.append(Left(row.student_id, student.name if student else "", row.assignment_id, reason or row.message))
        message = " ".join(part for part in (reason and ended(reason), row.message) if part)
        lines.append(
            [
                row.student_id if student else _safe_id(row.student_id),
                student.name if student else "",
                row.assignment_id,
                _number(row.score),
                f"{row.max_score:g}",
                row.status,
                "yes" if row.needs_manual else "no",
                "yes" if row.late else "no",
                row.submitted_at,
                "" if row.late_by_s is None else str(row.late_by_s),
                _number(row.raw_score),
                _number(row.penalty),
                neutral(message),
                neutral("; ".join(row.repairs)),
                neutral(row.file),
            ]
        )
    for assignment in dict.fromkeys(row.assignment_id for row in rows):
        for student in roster.students if roster else ():
            if student.line not in handed_in[assignment]:
                left.append(Left(student.id, student.name, assignment, "no submission"))
                nothing = [""] * (len(_OWN_COLUMNS) - 8)
                lines.append([student.id, student.name, assignment, "", "", "no submission", "no", "no", *nothing])
    written = sum(row.score is not None for row in rows)
    return _write(
        path,
        to_csv([_OWN_COLUMNS, *lines], bom=bool(roster and roster.bom)),
        written,
        left,
        roster.notes if roster else (),
        beside=False,
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def neutral(text: str) -> str:
    """A text of ours for a spreadsheet: one line, and never a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _safe_id(text: str) -> str:
    """An id that comes from a file's name alone: as it is, unless a spreadsheet would compute it."""
    formula = text.lstrip().startswith("=") or (text.lstrip()[:1] in tuple("+-@") and re.search(r"[(|!]", text))
    return f"'{text}" if formula else text


def _beside(left: Sequence[Left]) -> Iterator[Sequence[str]]:
    yield ("student_id", "name", "assignment_id", "reason")
    for one in left:
        yield (_safe_id(one.student_id), neutral(one.name), one.assignment_id, neutral(one.reason))


def _write(
    path: Path, data: bytes, written: int, left: Sequence[Left], notes: Sequence[str], *, beside: bool = True
) -> Exported:
    other = path.with_name(f"{path.stem}.not-written.csv") if beside else None
    try:
        _replace(path, data)
        if other is not None and left:
            _replace(other, to_csv(_beside(left), bom=True))
        elif other is not None:
            other.unlink(missing_ok=True)  # of an earlier export
    except OSError as fault:
        raise ExportError(f"{path}: the grades cannot be written: {fault.strerror or fault}") from None
    return Exported(path, written, tuple(left), tuple(notes), other if left else None)


def _replace(path: Path, data: bytes) -> None:
    """Write all of it or nothing."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(data)
    fresh.replace(path)
