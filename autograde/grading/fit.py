"""Fitting: which student of the roster a submission's id belongs to. What is not certain is said, never guessed."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from autograde.grading.lms import known_as
from autograde.grading.roster import Roster, Student

_Table = dict[str, dict[str, list[Student]]]
"""Key -> role -> students."""
Keys = Callable[[str, str], Iterator[str]]


@dataclass(frozen=True)
class Fit:
    """Who is whom. unknown are the ids that fit no student, or more than one, each with the reason."""

    students: dict[str, Student]
    unknown: dict[str, str]


def fit(ids: Iterable[str], roster: Roster) -> Fit:
    """The roster's student of each id.

    The exact text counts first, in the column that knows most of the ids; then the text without case and accents'
    spelling; then what the LMS makes of a name in its downloads; last, of a folder that Moodle made, its participant
    and its full name, which must not contradict each other. Leading zeros always count.
    """
    wanted = list(dict.fromkeys(ids))
    exact, alike, derived = (_table(roster, keys) for keys in (_exact, _alike, _derived))
    trust = Counter(role for one in wanted for role in exact.get(one, {}))
    found: dict[str, Student] = {}
    unknown: dict[str, str] = {}
    for one in wanted:
        for table, key in ((exact, one), (alike, _plain(one)), (derived, _plain(one)), (derived, _squeezed(one))):
            if owners := table.get(key):
                break
        else:
            student, reason = _by_folder(one, roster, alike, derived)
            if student is not None:
                found[one] = student
            else:
                unknown[one] = reason or _reason(one, roster)
            continue
        role = max(owners, key=lambda role: trust[role]) if table is exact else ""
        students = owners[role] if role else list(dict.fromkeys(s for group in owners.values() for s in group))
        if len(students) == 1:
            found[one] = students[0]
        else:
            unknown[one] = f"fits {len(students)} students of {roster.file}: {', '.join(s.id for s in students[:5])}"
    return _without_rivals(found, unknown)


def _by_folder(one: str, roster: Roster, alike: _Table, derived: _Table) -> tuple[Student | None, str]:
    """The student of a folder that Moodle made, or why it is not certain; neither where it is no such folder."""
    if not (known := known_as(one)):
        return None, ""
    number, name = known
    numbered = derived.get(number, {}).get("participant", [])
    named = [*alike.get(_plain(name), {}).get("name", []), *derived.get(_squeezed(name), {}).get("name", [])]
    named = list(dict.fromkeys(named))
    if numbered and named and not set(numbered) & set(named):
        who = (
            f"participant {number} is {numbered[0].name or numbered[0].id} in {roster.file}, and the folder is {name}'s"
        )
        return None, f"{who}: take the worksheet of this assignment"
    fits = [student for student in numbered if student in named] or numbered or named
    if len(fits) == 1:
        return fits[0], ""
    many = f"{name!r} fits {len(fits)} students of {roster.file}: {', '.join(student.id for student in fits[:5])}"
    return None, many if fits else ""


def _without_rivals(found: dict[str, Student], unknown: dict[str, str]) -> Fit:
    """Two ids of one student are a question for a human."""
    owners: dict[int, list[str]] = defaultdict(list)
    for one, student in found.items():
        owners[student.line].append(one)
    for rivals in owners.values():
        if len(rivals) > 1:
            for one in rivals:
                others = ", ".join(repr(other) for other in rivals if other != one)
                unknown[one] = f"fits the student {found.pop(one).id}, and so does {others}"
    return Fit(found, unknown)


def _table(roster: Roster, keys: Keys) -> _Table:
    table: _Table = defaultdict(dict)
    for student in roster.students:
        for role, text in student.keys:
            for key in set(keys(role, text)) - {""}:
                table[key].setdefault(role, []).append(student)
    return table


def _exact(role: str, text: str) -> Iterator[str]:
    yield text


def _alike(role: str, text: str) -> Iterator[str]:
    yield _plain(text)


def _derived(role: str, text: str) -> Iterator[str]:
    if role == "participant" and (number := re.search(r"\d+$", text.strip())):
        yield number[0]
    if role in ("email", "login") and "@" in text:
        yield _plain(text).partition("@")[0]
    if role == "name":
        last, comma, first = text.partition(",")
        swapped = f"{first.strip()} {last.strip()}" if comma else text
        yield from (_squeezed(text), _squeezed(swapped), _plain(swapped))


def _plain(text: str) -> str:
    """One spelling of an accent, no case, no spaces at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _squeezed(text: str) -> str:
    """Letters and digits alone, as Canvas names a download."""
    return "".join(c for c in _plain(text) if c.isalnum())


def _reason(one: str, roster: Roster) -> str:
    bare = one.strip().lstrip("0")
    for student in roster.students:
        for _, text in student.keys:
            if bare and text.strip().lstrip("0") == bare:
                return (
                    f"fits no student of {roster.file}; {text!r} differs in leading zeros, which a spreadsheet may eat"
                )
    return f"fits no student of {roster.file}"
