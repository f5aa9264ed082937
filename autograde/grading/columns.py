"""Which column of an LMS's gradebook an assignment's grades belong in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from autograde.grading.roster import Roster

# Moodle's name of a grade's form, at the end of a column; a percentage or a letter is no place for points.
_POINTS = r"real|punkte|réel(le)?|valor"
_OTHER_FORM = re.compile(r"\((percentage|letter|prozentsatz|feedback|rückmeldung)\)$")
_CANVAS_ID = re.compile(r"\s*\(\d+\)$")
_NO_GRADE = re.compile(
    r"(institution|department|suspended|abteilung|institución|departamento|groups?"
    r"|(course|category) total.*|kurs gesamt.*|.* total \(real\)"
    r"|last downloaded from this course|zuletzt aus diesem kurs geladen|.*descargado.*de este curso)"
)


def grade_column(roster: Roster, names: Sequence[str]) -> int | None:
    """The column of the assignment with these names (id, title, ...), or None. Raises ValueError where two fit."""
    columns = grade_columns(roster)
    wanted = [_words(name) for name in names if _words(name)]
    for fits in (_equal, _within):
        found = [index for index in columns if any(fits(name, _title(roster, index)) for name in wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(repr(roster.columns[index]) for index in found)
            raise ValueError(f"{roster.file}: more than one column fits {names[0]!r}: {listed}; name the one you mean")
    return None


def grade_columns(roster: Roster) -> list[int]:
    """All columns that hold an assignment's grades."""
    taken = set(roster.roles.values())
    if roster.kind == "worksheet":
        return [roster.roles["grade"]]
    if roster.kind == "canvas":
        start = roster.roles["section"] + 1
        free = [i for i in range(start, len(roster.columns)) if i not in taken and not _read_only(roster, i)]
        numbered = [i for i in free if _CANVAS_ID.search(roster.columns[i].strip())]
        return numbered or free  # the others are a teacher's notes, where Canvas itself wrote the file
    if roster.kind == "moodle":
        names = [name.strip().casefold() for name in roster.columns]
        return [
            i
            for i, n in enumerate(names)
            if i not in taken and not _NO_GRADE.fullmatch(n) and not _OTHER_FORM.search(n)
        ]
    return []


def feedback_column(roster: Roster, column: int) -> int | None:
    """The column for the feedback that goes with a column of grades, where there is one."""
    if roster.kind == "worksheet":
        return roster.roles.get("comments")
    if roster.kind != "moodle":
        return None
    wanted = _title(roster, column)
    feedback = [
        i for i, name in enumerate(roster.columns) if name.strip().casefold().endswith(("(feedback)", "(rückmeldung)"))
    ]
    return next((i for i in feedback if _title(roster, i) == wanted), None)


def new_column_place(roster: Roster) -> int:
    """Where a new column of grades goes: before what the LMS computes."""
    if roster.kind == "canvas":
        start = roster.roles["section"] + 1
        computed = (i for i in range(start, len(roster.columns)) if _read_only(roster, i))
        return next(computed, len(roster.columns))
    last = re.compile(r"(last downloaded from this course|zuletzt aus diesem kurs geladen|.*descargado.*de este curso)")
    names = [name.strip().casefold() for name in roster.columns]
    return next((i for i, name in enumerate(names) if last.fullmatch(name)), len(names))


def _read_only(roster: Roster, column: int) -> bool:
    """Whether Canvas computes it. Without its row of points only the name tells."""
    line = roster.points_line
    if line is not None and "read only" in roster.lines[line][column]:
        return True
    computed = r"(.* )?(Unposted )?(Current|Final|Override) (Score|Points|Grade|Status)( \(.*\))?"
    return re.fullmatch(computed, roster.columns[column].strip()) is not None


def _title(roster: Roster, column: int) -> str:
    name = roster.columns[column].strip()
    if roster.kind == "canvas":
        return _words(_CANVAS_ID.sub("", name))
    name = re.sub(rf"\s*\(({_POINTS}|feedback|rückmeldung)\)$", "", name, flags=re.IGNORECASE)
    return _words(re.sub(r"^[^:]{1,24}:\s*", "", name))  # "Assignment: ..."


def _words(text: str) -> str:
    """Letters and digits, in words."""
    text = unicodedata.normalize("NFC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", text))


def _equal(name: str, column: str) -> bool:
    return name.replace(" ", "") == column.replace(" ", "")


def _within(name: str, column: str) -> bool:
    return f" {name} " in f" {column} "
