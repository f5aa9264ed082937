"""Roster: who is in the class, from the CSV that an LMS gives. Every cell stays the text that it was.

Read are Canvas's gradebook, Moodle's gradebook and its offline grading worksheet (in English, German, French or
Spanish), and a plain CSV with a column student_id.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

KINDS = ("canvas", "moodle", "worksheet", "plain")
_SEPARATORS = ",;\t"
_LONGEST_CELL = 1 << 24  # a Moodle worksheet may hold an essay

# What each role's column is called, in small letters.
ROLES: dict[str, frozenset[str]] = {
    "name": frozenset({"student", "name", "full name", "vollständiger name", "nom complet", "nombre completo"}),
    "first": frozenset({"first name", "firstname", "first_name", "vorname", "prénom", "nombre"}),
    "last": frozenset({"last name", "lastname", "last_name", "surname", "nachname", "nom de famille", "apellido(s)"}),
    "email": frozenset(
        {"email", "e-mail", "email address", "e-mail-adresse", "adresse de courriel", "dirección de correo"}
    ),
    "login": frozenset({"sis login id", "username", "login", "user", "anmeldename", "nombre de usuario"}),
    "number": frozenset({"sis user id", "id number", "id-nummer", "numéro d'identification", "número de id"}),
    "participant": frozenset({"identifier", "identifiant", "identificador"}),
    "student": frozenset({"student_id", "student id", "studentid", "student-id"}),
    "integration": frozenset({"integration id"}),
    "section": frozenset({"section"}),
    "grade": frozenset({"grade", "bewertung", "note", "calificación"}),
    "maximum": frozenset({"maximum grade", "bestwertung", "note maximale", "calificación máxima"}),
    "changeable": frozenset(
        {
            "grade can be changed",
            "bewertung kann geändert werden",
            "la note peut être modifiée",
            "la calificación puede ser cambiada",
        }
    ),
    "graded": frozenset(
        {
            "last modified (grade)",
            "zuletzt geändert (bewertung)",
            "dernière modification (note)",
            "última modificación (calificación)",
        }
    ),
    "comments": frozenset(
        {
            "feedback comments",
            "feedback als kommentar",
            "feedback par commentaires",
            "comentarios de retroalimentación",
        }
    ),
}
# A column called just "id" is Canvas's user, a German Moodle's participant, or a plain list's student.
_ID_IS = {"canvas": "canvas", "moodle": "number", "worksheet": "participant", "plain": "student"}
# Which columns say who somebody is, best first.
_IDENTIFYING = ("student", "login", "number", "canvas", "integration", "email", "participant", "name")


class RosterError(ValueError):
    """The roster cannot be read; str() says what, where, and what to do."""


@dataclass(frozen=True)
class Student:
    """One student: the line in Roster.lines, and what identifies them, as (role, text) with the best first."""

    line: int
    keys: tuple[tuple[str, str], ...]
    name: str = ""
    first: str = ""
    last: str = ""
    email: str = ""

    @property
    def id(self) -> str:
        """The best of the texts that identify them."""
        return self.keys[0][1]


@dataclass(frozen=True)
class Roster:
    """A class. lines are all rows below the header, cell for cell; those of no student (Points Possible) included."""

    file: str
    kind: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    students: tuple[Student, ...]
    roles: dict[str, int]
    separator: str = ","
    newline: str = "\r\n"
    bom: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def points_line(self) -> int | None:
        """Canvas's row of possible points, as an index into lines."""
        if self.kind != "canvas":
            return None
        return next((i for i, line in enumerate(self.lines) if "Points Possible" in line[0]), None)

    @cached_property
    def decimal_comma(self) -> bool:
        """Whether its numbers are written 4,5."""
        cells = [cell for line in self.lines for cell in line]
        return any(re.fullmatch(r"-?\d+,\d+", c) for c in cells) and not any(
            re.fullmatch(r"-?\d+\.\d+", c) for c in cells
        )

    def to_bytes(self, columns: Sequence[str], lines: Iterable[Sequence[str]]) -> bytes:
        """A CSV in this one's own dialect."""
        return to_csv([columns, *lines], separator=self.separator, newline=self.newline, bom=self.bom)


def to_csv(lines: Iterable[Sequence[str]], *, separator: str = ",", newline: str = "\r\n", bom: bool = False) -> bytes:
    """Lines as UTF-8 CSV; every cell is written as the text that it is."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=newline).writerows(lines)
    return out.getvalue().encode("utf-8-sig" if bom else "utf-8")


def read_roster(path: Path) -> Roster:
    """The roster in a CSV. Raises RosterError."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise RosterError(f"{path}: the roster cannot be read: {fault.strerror or fault}") from None
    text, bom, notes = _decode(data, path)
    separator, rows = _rows(text, path)
    columns = tuple(cell.strip() for cell in rows[0])
    kind, roles = _understand(columns, path)
    lines = tuple(tuple(row) + ("",) * (len(columns) - len(row)) for row in rows[1:] if any(c.strip() for c in row))
    first = text.split("\n", 1)[0]
    students = tuple(_students(kind, roles, lines))
    if not students:
        raise RosterError(f"{path}: the roster has a header and no student; export it again")
    return Roster(
        file=path.name,
        kind=kind,
        columns=tuple(rows[0]),
        lines=lines,
        students=students,
        roles=roles,
        separator=separator,
        newline="\r\n" if first.endswith("\r") else "\n",
        bom=bom,
        notes=notes,
    )


def _decode(data: bytes, path: Path) -> tuple[str, bool, tuple[str, ...]]:
    """The text, whether a byte order mark stood before it, and what is worth saying."""
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise RosterError(f"{path}: this is a spreadsheet, not CSV; export it from the LMS again as CSV")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace").replace("\0", ""), True, ()
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8-sig").replace("\0", ""), bom, ()
    except UnicodeDecodeError:
        note = f"{path.name} is not UTF-8; it was read as Windows-1252: look whether its names are right"
        return data.decode("cp1252", errors="replace").replace("\0", ""), bom, (note,)


def _rows(text: str, path: Path) -> tuple[str, list[list[str]]]:
    """The separator, and the rows; the header comes first."""
    stated = re.match(r"sep=(.)\r?\n", text)  # what a spreadsheet sometimes writes first
    text = text[stated.end() :] if stated else text
    tries = []
    for separator in stated[1] if stated else _SEPARATORS:
        header = next(_parse(text, separator), [])
        known = sum(_role(name) is not None for name in header)
        tries.append((known, len(header), separator))
    known, _, separator = max(tries, key=lambda found: found[:2])
    try:
        rows = list(_parse(text, separator)) if known else []
    except csv.Error as fault:
        raise RosterError(f"{path}: this is no valid CSV: {fault}") from None
    while rows and not any(cell.strip() for cell in rows[0]):
        rows.pop(0)
    if not rows:
        shown = text.strip().split("\n", 1)[0].strip()[:120]
        raise RosterError(
            f"{path}:1: no column says who the students are (the first line is {shown!r}). "
            "Take the gradebook that Canvas or Moodle exports, or call the column with the ids student_id"
        )
    return separator, rows


def _parse(text: str, separator: str) -> Iterator[list[str]]:
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    finally:
        csv.field_size_limit(before)


def _role(name: str) -> str | None:
    name = name.strip().casefold()
    if name == "id":
        return "id"
    return next((role for role, names in ROLES.items() if name in names), None)


def _understand(columns: Sequence[str], path: Path) -> tuple[str, dict[str, int]]:
    """The kind, and each role's column."""
    found: dict[str, int] = {}
    for index, name in enumerate(columns):
        if (role := _role(name)) is not None:
            found.setdefault(role, index)
    named = "name" in found or {"first", "last"} <= found.keys()
    if "student" not in found and {"id", "section"} <= found.keys() and named:
        kind = "canvas"
    elif {"grade", "graded"} <= found.keys() and found.keys() & {"participant", "id"}:
        kind = "worksheet"
    elif "student" not in found and {"first", "last"} <= found.keys() and found.keys() & {"email", "number", "login"}:
        kind = "moodle"
    else:
        kind = "plain"
    if "id" in found:
        found.setdefault(_ID_IS[kind], found.pop("id"))
    if not found.keys() & set(_IDENTIFYING):
        raise RosterError(f"{path}:1: no column says who the students are; call the column with the ids student_id")
    return kind, found


def _students(kind: str, roles: dict[str, int], lines: Sequence[Sequence[str]]) -> Iterator[Student]:
    def cell(line: Sequence[str], role: str) -> str:
        return line[roles[role]] if role in roles else ""

    for index, line in enumerate(lines):
        if kind == "canvas" and _is_no_student(line, roles):
            continue
        first, last = cell(line, "first"), cell(line, "last")
        name = cell(line, "name") or " ".join(part for part in (first, last) if part)
        keys = [(role, cell(line, role)) for role in _IDENTIFYING if cell(line, role).strip()]
        if name and "name" not in roles:
            keys.append(("name", name))
        if keys:
            yield Student(index, tuple(keys), name, first, last, cell(line, "email"))


def _is_no_student(line: Sequence[str], roles: dict[str, int]) -> bool:
    """Whether it is Canvas's row of possible points, of posting policies, or its test student."""
    name = line[0].strip()
    return (not line[roles["canvas"]].strip() and (not name or "Points Possible" in name)) or name == "Student, Test"
