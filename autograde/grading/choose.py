"""Choosing: which of one learner's files counts for which assignment, and what is said about the others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from autograde.grading.archive import Item, is_archive, items_in
from autograde.grading.lms import LmsName, attempt
from autograde.grading.naming import Naming
from autograde.grading.submission import Refused

STAMP = "timestamp.txt"
_MAYBE = (".ipynb.txt", ".json", ".txt")
_LESSON = re.compile(rb'lesson\(\s*\\?["\']([a-z0-9-]+)')
_SHOWN = 5
# How surely a file is an assignment's: its own name or its folder's, a part of its name or its content, a guess.
_NAMED, _MENTIONED, _GUESSED, _UNKNOWN = 3, 2, 1, 0


@dataclass(frozen=True)
class File:
    """An item of one learner: its path below the learner's folder, and what an LMS's name says."""

    item: Item
    path: tuple[str, ...]
    lms: LmsName | None = None
    unpack: Callable[[], bytes] | None = None
    """Of a file in a learner's archive: how to read it without the archive being held meanwhile."""

    @property
    def name(self) -> str:
        """The name that the learner gave it."""
        return self.lms.file if self.lms else self.path[-1]

    @property
    def shown(self) -> str:
        """Where it is."""
        return "/".join(self.item.parts)

    @cached_property
    def content(self) -> bytes:
        """Its bytes, for a look inside; nothing where it cannot be read. Kept until the file is let go."""
        try:
            return self.item.read()
        except (Refused, OSError):
            return b""


@dataclass(frozen=True)
class Choice:
    """The file that counts for one assignment. No file: fault says why, or nothing at all was handed in."""

    assignment_id: str
    file: File | None
    fault: str = ""
    notes: tuple[str, ...] = ()


def stem_of(name: str) -> str:
    """A file's name without its ending, double endings included."""
    for ending in (".ipynb.txt", ".ipynb.json", ".tar.gz"):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name.rpartition(".")[0] or name


def choose(files: Sequence[File], naming: Naming, others: Container[str] = ()) -> Iterator[Choice]:
    """What one learner handed in, by assignment. others are folders of assignments that are not asked for."""
    files, faults = _opened([file for file in files if file.name != STAMP])
    readable = [file for file in files if not file.item.fault]
    notebooks = [file for file in readable if file.name.lower().endswith(".ipynb")]
    notebooks = notebooks or [file for file in readable if is_notebook(file)]
    if not notebooks:
        yield from _no_notebook(readable, faults, naming, others)
        return
    ranked: dict[str, list[tuple[int, File]]] = defaultdict(list)
    for file in notebooks:
        assignment, rank = _belongs(file, naming)
        if rank > _GUESSED or len(file.path) < 2 or file.path[0] not in others:
            ranked[assignment].append((rank, file))
    asked = {assignment: group for assignment, group in ranked.items() if assignment in naming}
    if not asked and len(notebooks) > 1:  # another lesson's notebooks say nothing about this one
        ranked = {"": ranked[""]} if ranked.get("") else {}
    for assignment, group in sorted((asked or ranked).items()):
        yield _best(assignment, group, [f"{where}: {fault}" for where, fault in faults])


def _opened(files: Sequence[File]) -> tuple[list[File], list[tuple[str, str]]]:
    """The files, archives replaced by what is in them, and what was not opened: (where, why)."""
    found: list[File] = []
    faults = [(file.shown, file.item.fault) for file in files if file.item.fault]
    for file in files:
        if file.item.fault or not is_archive(file.name):
            found.append(file)
            continue
        try:
            inside = items_in(file.item.read(), file.name, strict=True)
        except (Refused, OSError) as fault:
            faults.append((file.shown, str(fault)))
            continue
        for i, item in enumerate(inside):
            if not item.parts[-1] or any(part.startswith((".", "__MACOSX")) for part in item.parts):
                continue
            place = Item((*file.item.parts, *item.parts), item.read, item.time)
            lms = file.lms and _renamed(file.lms, item.parts[-1])
            inner = File(place, (*file.path[:-1], *item.parts), lms, partial(_unpacked, file, i))
            if is_archive(item.parts[-1]):
                faults.append((inner.shown, "an archive inside an archive is not opened. Hand in the notebook itself"))
            else:
                found.append(inner)
    return found, faults


def _unpacked(archive: File, number: int) -> bytes:
    """One of an archive's files, by its number. Raises Refused, OSError."""
    inside = items_in(archive.item.read(), archive.name, strict=True)
    if number >= len(inside):
        raise Refused("Its archive has changed")
    return inside[number].read()


def _renamed(lms: LmsName, file: str) -> LmsName:
    return replace(lms, file=file)


def is_notebook(file: File) -> bool:
    """Whether a .json or .txt holds a notebook, after a look inside."""
    if not file.name.lower().endswith(_MAYBE):
        return False
    content = file.content.replace(b"\0", b"")
    return b'"nbformat"' in content and (b'"cells"' in content or b'"worksheets"' in content)


def _belongs(file: File, naming: Naming) -> tuple[str, int]:
    """The assignment that a notebook is for, and how surely."""
    stem = stem_of(file.name)
    for name in (*file.path[:-1], stem, attempt(stem)[0]):
        if assignment := naming.of(name):
            return assignment, _NAMED
    if assignment := naming.inside(stem):
        return assignment, _MENTIONED
    if lesson := _LESSON.search(file.content):
        return lesson[1].decode(), _MENTIONED
    return (naming.only, _GUESSED) if naming.only else ("", _UNKNOWN)


def _best(assignment: str, group: Sequence[tuple[int, File]], notes: Sequence[str]) -> Choice:
    """The file that counts: surely the assignment's before guessed, then the latest."""
    guessing = len(group) > 1 and all(rank <= _GUESSED for rank, _ in group)

    def order(ranked: tuple[int, File]) -> tuple[object, ...]:
        rank, file = ranked
        number = file.lms.number if file.lms else 0
        released = guessing and b"grade_id" in file.content
        return (
            rank > _GUESSED,
            released,
            number,
            file.unpack is None,
            rank,
            attempt(stem_of(file.name))[1],
            file.item.time,
            file.shown,
        )

    *left, (_, best) = sorted(group, key=order)
    said = []
    if left:
        again = {attempt(stem_of(file.name))[0] for _, file in group}
        what = "Handed in more than once; the latest counts" if len(again) == 1 else "More than one notebook"
        said = [f"{what}: graded is {best.shown}, not graded: {_list([file.shown for _, file in left])}"]
    return Choice(assignment, best, notes=(*said, *_short(notes)))


def _no_notebook(
    files: Sequence[File], faults: Sequence[tuple[str, str]], naming: Naming, others: Container[str]
) -> Iterator[Choice]:
    """Where no file is a notebook: the reason, or a file whose reading will say what it is."""
    mine = [file for file in files if len(file.path) < 2 or file.path[0] not in others]
    by_folder = next((naming.of(part) for file in mine for part in file.path[:-1] if naming.of(part)), naming.only)
    if faults:
        where, why = faults[0]
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        file = File(Item(tuple(where.split("/"))), (where,))
        yield Choice(by_folder, file, f"{where}: {why}{more}")
    elif mine:
        latest = max(mine, key=lambda file: (file.lms.number if file.lms else 0, file.item.time, file.shown))
        none = [f"No notebook among {_list([file.shown for file in mine])}"] if len(mine) > 1 else []
        yield Choice(by_folder, latest, notes=_short(none))
    elif not files:
        yield Choice(by_folder, None)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _short(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(note[:400] for note in notes[:_SHOWN])
