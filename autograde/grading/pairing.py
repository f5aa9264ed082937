"""Pairing: which handed-in cell is which cell of the release. By grade id, else by cell id, by content, by place."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache

from autograde.grading.assignment import ReleaseCell, handed_out
from autograde.grading.submission import Cell

BY_ID, BY_CELL_ID, BY_CONTENT, BY_PLACE = "grade id", "cell id", "content", "place"
_ALIKE, _SURELY_ALIKE = 0.6, 0.85
# Comparing costs time, and what is compared was handed in: words a cell, looks, and thorough looks a submission.
_WORDS, _LOOKS, _THOROUGH = 300, 2_000, 200
_WORD = re.compile(r"\w+|[^\w\s]")
_DEFINED = re.compile(r"^(?:(?:async +)?def|class) +(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_SEALED = re.compile(r'lesson\("([a-z0-9-]+)".*', re.DOTALL)


@dataclass
class Pairing:
    """release[i] is the number of the release's cell that handed-in cell i is, or None; several may be the same one.

    how says how each of the release's cells was recognised; unsure are those where it is not certain.
    """

    release: list[int | None]
    how: dict[int, str] = field(default_factory=dict)
    unsure: set[int] = field(default_factory=set)

    @cached_property
    def _by_number(self) -> dict[int | None, list[int]]:
        found: dict[int | None, list[int]] = {}
        for i, paired in enumerate(self.release):
            found.setdefault(paired, []).append(i)
        return found

    def handed_in(self, number: int) -> list[int]:
        """The handed-in cells that are this cell of the release, in order."""
        return self._by_number.get(number, [])


@lru_cache(4096)  # the release's cells are asked for with each submission
def plain(source: str) -> str:
    """A source without what nobody sees: space at the ends of lines, and the seal of a lesson's first cell."""
    source = "\n".join(line.rstrip() for line in source.strip().split("\n"))
    return _SEALED.sub(r'lesson("\1")', source)


def is_same(cell: Cell, release: ReleaseCell) -> bool:
    """Whether a cell's source is the release's, hidden tests aside."""
    shown = handed_out(release.source) if release.locked else release.source
    return plain(cell.source) in (plain(shown), plain(release.source))


def defined(source: str) -> set[str]:
    """Names that a cell's own lines define, by pattern: what was handed in is not parsed for this."""
    return {first or second for first, second in _DEFINED.findall(source)}


def pair(cells: Sequence[Cell], release: Sequence[ReleaseCell]) -> Pairing:
    """The pairs, each surer way first."""
    return _Pairer(cells, release).paired()


class _Pairer:
    def __init__(self, cells: Sequence[Cell], release: Sequence[ReleaseCell]) -> None:
        self.cells, self.release = cells, release
        self.pairing = Pairing([None] * len(cells))
        self.defines = cache(lambda i: defined(cells[i].source))
        self.looks = self.thorough = 0
        ids = {cell.grade_id for cell in release if cell.grade_id}
        self.ids_are_lost = not any(cell.grade_id in ids for cell in cells)

    def paired(self) -> Pairing:
        self._by_ids()
        self._by_same_content()
        for j in self._open(answered=False):
            self._by_likeness(j)
        for j in self._open(answered=True):
            self._by_name_or_place(j)
        return self.pairing

    def _take(self, i: int, j: int, how: str, *, sure: bool = True) -> None:
        self.pairing.release[i] = j
        self.pairing.how[j] = how
        if not sure:
            self.pairing.unsure.add(j)

    def _open(self, *, answered: bool) -> Iterator[int]:
        """The release's cells that are not found yet."""
        for j, cell in enumerate(self.release):
            if j not in self.pairing.how and cell.is_answered is answered:
                yield j

    def _free(self, j: int) -> list[int]:
        """The handed-in cells that are nothing yet, between the neighbours of a release's cell; else all of them."""
        before = max(
            (i for i, k in self._found() if k < j), default=-1, key=lambda i: (self.pairing.release[i] or 0, i)
        )
        after = min(
            (i for i, k in self._found() if k > j),
            default=len(self.cells),
            key=lambda i: (self.pairing.release[i] or 0, i),
        )
        inside = range(before + 1, after) if before < after else range(len(self.cells))
        return [i for i in inside if self.pairing.release[i] is None and self.cells[i].source.strip()]

    def _found(self) -> Iterator[tuple[int, int]]:
        return ((i, j) for i, j in enumerate(self.pairing.release) if j is not None)

    def _by_ids(self) -> None:
        by_grade_id = {cell.grade_id: j for j, cell in enumerate(self.release) if cell.grade_id}
        for i, cell in enumerate(self.cells):
            if cell.grade_id in by_grade_id:
                self._take(i, by_grade_id[cell.grade_id], BY_ID)
        by_cell_id = {
            cell.cell_id: j for j, cell in enumerate(self.release) if cell.cell_id and j not in self.pairing.how
        }
        for i, cell in enumerate(self.cells):
            if self.pairing.release[i] is None and cell.cell_id in by_cell_id:
                self._take(i, by_cell_id[cell.cell_id], BY_CELL_ID)

    def _by_same_content(self) -> None:
        """Cells whose source is the release's; an empty answer counts only where no other looks the same."""
        shown: dict[str, list[int]] = defaultdict(list)
        sources = [plain(handed_out(cell.source) if cell.locked else cell.source) for cell in self.release]
        often = Counter(sources)
        for j, cell in enumerate(self.release):
            if j not in self.pairing.how and sources[j] and (not cell.is_answered or often[sources[j]] == 1):
                shown[sources[j]].append(j)
        for i, handed in enumerate(self.cells):
            same = shown.get(plain(handed.source)) if self.pairing.release[i] is None else None
            if same:
                self._take(i, same.pop(0), BY_CONTENT)

    def _by_likeness(self, j: int) -> None:
        """A given, locked or text cell that was changed a little."""
        wanted = handed_out(self.release[j].source) if self.release[j].locked else self.release[j].source
        likeness, i = max(((self._likeness(self.cells[i].source, wanted), i) for i in self._free(j)), default=(0.0, -1))
        if likeness >= _ALIKE:
            self._take(i, j, BY_CONTENT, sure=likeness >= _SURELY_ALIKE)

    def _by_name_or_place(self, j: int) -> None:
        """An answer: it defines what is asked for, resembles what was handed out, or stands where the answer stood."""
        release = self.release[j]
        free = self._free(j)
        if release.kind == "code":
            own = defined(release.source)
            wanted = own or self._asked_for(j)
            everywhere = [i for i, paired in enumerate(self.pairing.release) if paired is None] if own else []
            for i in (*free, *everywhere):
                if self.defines(i) & wanted:
                    return self._take(i, j, BY_CONTENT, sure=i in free)
        free = [i for i in free if self.cells[i].kind == release.kind]
        likeness, i = max(((self._likeness(self.cells[i].source, release.source), -i) for i in free), default=(0.0, 0))
        if likeness >= _ALIKE:
            return self._take(-i, j, BY_CONTENT, sure=likeness >= _SURELY_ALIKE)
        placed = free if self.ids_are_lost else [i for i in free if self.cells[i].grade_id]
        if placed and any(self.release[k].locked for k in self.pairing.how):  # else there is nothing to be beside
            self._take(placed[0], j, BY_PLACE, sure=False)
        return None

    def _asked_for(self, j: int) -> set[str]:
        """The names that the next grade cell uses and does not define."""
        following = next((cell for cell in self.release[j + 1 :] if cell.role == "grade"), None)
        return set(re.findall(r"[^\W\d]\w*", following.source)) - defined(following.source) if following else set()

    def _likeness(self, one: str, other: str) -> float:
        """0 to 1, by words; 0 where it is surely little, or where too much was compared already."""
        self.looks += 1
        if self.looks > _LOOKS:
            return 0.0
        matcher = SequenceMatcher(None, _words(one), _words(other), autojunk=False)
        if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
            return 0.0
        self.thorough += 1
        return matcher.ratio() if self.thorough <= _THOROUGH else 0.0


def _words(source: str) -> list[str]:
    return _WORD.findall(source[: 20 * _WORDS])[:_WORDS]
