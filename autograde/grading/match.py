"""Matching: a submission and the release -> the steps that are run. What was handed in is mended, and that is said.

The learner's order of cells is kept. Everything that is not the learner's to change comes from the release.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from autograde.grading.assignment import Assignment, ReleaseCell
from autograde.grading.pairing import BY_ID, Pairing, defined, is_same, pair
from autograde.grading.python_text import fault_of, parses
from autograde.grading.submission import Cell, Submission
from autograde.wording import counted

_STUBS = {"raise NotImplementedError()", "raise NotImplementedError", "pass", "..."}
_SHOWN = 8


@dataclass(frozen=True)
class Step:
    """One piece of code to run. role is given, answer, extra (the learner's own) or grade; id is a grade id."""

    role: str
    source: str
    id: str = ""


@dataclass(frozen=True)
class Script:
    """A submission as it is run. repairs are those made here, besides the submission's own.

    untouched: nothing was answered. missing are the ids of answer cells that are not there.
    """

    steps: tuple[Step, ...]
    repairs: tuple[str, ...]
    untouched: bool
    missing: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256, hex, of the steps: what running depends on."""
        steps = [[step.role, step.source, step.id] for step in self.steps]
        return hashlib.sha256(json.dumps(steps).encode()).hexdigest()


def prepare(submission: Submission, assignment: Assignment) -> Script:
    """The steps of a submission, in the learner's order, with the release's cells restored."""
    return _Matcher(submission.cells, assignment).script()


class _Matcher:
    def __init__(self, cells: Sequence[Cell], assignment: Assignment) -> None:
        self.cells, self.assignment, self.release = cells, assignment, assignment.cells
        self.pairing: Pairing = pair(cells, self.release)
        self.repairs: list[str] = []
        self.place: dict[int, int] = {}  # the release's cell -> where the handed-in one that counts stands
        self.source: dict[int, str] = {}  # and its source
        self.dropped: set[int] = set()

    def script(self) -> Script:
        for j in sorted(set(self.pairing.how)):
            self._settle(j, self.pairing.handed_in(j))
        self._say_how_paired()
        at: dict[int, list[Step]] = defaultdict(list)
        for i, cell in enumerate(self.cells):
            at[i] += self._steps(i, cell)
        steps = tuple(step for _, group in sorted(self._with_restored(at).items()) for step in group)
        missing = tuple(c.grade_id for j, c in enumerate(self.release) if c.is_answered and j not in self.place)
        if missing:
            self.repairs.append(f"No cell with an answer to {_names(missing)} was found")
        self._say_what_comes_too_late()
        return Script(steps, tuple(self.repairs), self._is_untouched(), missing)

    def _settle(self, j: int, copies: list[int]) -> None:
        """Which of several copies counts, or whether they are halves of one answer."""
        release = self.release[j]
        name = release.grade_id or "a cell"
        counts, source = copies[-1], self.cells[copies[-1]].source
        if len(copies) > 1 and release.is_answered:
            joined = _joined([self.cells[i].source for i in copies]) if release.kind == "code" else None
            answered = [i for i in copies if not _is_empty(self.cells[i], release)]
            above = [i for i in answered if i < self._test_of(j)] or answered  # a copy below is not what is tested
            if joined is not None:
                start, source = joined
                counts = copies[start]
                self.dropped |= set(copies[start:])
                self.repairs.append(f"{name}: {len(copies) - start} cells are parts of one answer; they were joined")
            elif answered:
                counts, source = above[-1], self.cells[above[-1]].source
                self.dropped |= set(copies) - set(answered)
                which = "one that is filled in" if len(answered) == 1 else "last"
                which += " above its test" if len(above) < len(answered) else ""
                self.repairs.append(f"{name}: there are {len(copies)} copies of this cell; the {which} counts")
            else:
                self.dropped |= set(copies)
        elif len(copies) > 1 and release.role == "grade":
            self.dropped |= {i for i in copies if is_same(self.cells[i], release)}
            self.repairs.append(f"{name}: there are {len(copies)} copies of this cell; the test runs at the last one")
        self.place[j], self.source[j] = counts, source
        self.dropped.discard(counts)
        self._say_what_changed(release, self.cells[counts], source)

    def _test_of(self, j: int) -> int:
        """Where the test of an answer stands in what was handed in; behind everything where it is not there."""
        following = (k for k in range(j + 1, len(self.release)) if self.release[k].role == "grade")
        places = self.pairing.handed_in(test) if (test := next(following, None)) is not None else []
        return places[-1] if places else len(self.cells)

    def _say_what_comes_too_late(self) -> None:
        """Answers below their own test: it was right in the learner's kernel, which remembered."""
        for j, release in enumerate(self.release):
            if release.role == "answer" and j in self.place and self.place[j] > self._test_of(j):
                self.repairs.append(
                    f"{release.grade_id}: this answer stands below its test, and cells run from top to bottom. "
                    "Move it above the test"
                )

    def _say_what_changed(self, release: ReleaseCell, cell: Cell, source: str) -> None:
        if cell.kind != release.kind and (release.is_answered or release.locked or is_same(cell, release)):
            name = release.grade_id or "A given cell"
            self.repairs.append(f"{name}: the cell had become {cell.kind}; it was read as {release.kind} again")
        if release.locked and release.kind == "code" and not is_same(cell, release):
            self.repairs.append(f"{release.grade_id}: this locked cell was changed; the original was used")
        if release.is_answered and release.kind == "code" and (fault := fault_of(source)):
            self.repairs.append(f"{release.grade_id}: {fault}")

    def _steps(self, i: int, cell: Cell) -> list[Step]:
        """What a handed-in cell becomes."""
        j = self.pairing.release[i]
        if j is None or self.place[j] != i:
            is_run = cell.kind == "code" and cell.source.strip() and i not in self.dropped
            return [Step("extra", cell.source)] if is_run else []
        release = self.release[j]
        if release.kind != "code":
            is_own = release.role == "text" and cell.kind == "code" and not is_same(cell, release)
            return [Step("extra", cell.source)] if is_own and cell.source.strip() else []
        if release.is_answered:
            return [Step("answer", self.source[j], release.grade_id)]
        if release.locked or is_same(cell, release):
            return [_restored(release)]
        return [Step("extra", cell.source)] if cell.kind == "code" and cell.source.strip() else []

    def _with_restored(self, at: dict[int, list[Step]]) -> dict[float, list[Step]]:
        """The steps by place, with the release's cells that were deleted put back: tests late, other cells early."""
        steps: dict[float, list[Step]] = defaultdict(list, {float(i): group for i, group in at.items()})
        restored, unnamed = [], 0
        for j, release in enumerate(self.release):
            if j in self.place or release.role not in ("given", "grade"):
                continue
            before = next((self.place[k] for k in range(j - 1, -1, -1) if k in self.place), -1)
            after = next((self.place[k] for k in range(j + 1, len(self.release)) if k in self.place), len(self.cells))
            late = release.role == "grade" and after > before
            steps[after - 0.25 if late else before + 0.25].append(_restored(release))
            restored += [release.grade_id] if release.grade_id else []
            unnamed += not release.grade_id
        if unnamed:
            restored.append(counted(unnamed, "given cell"))
        if restored:
            self.repairs.append(f"Put back from the release, since it was not there: {_names(restored)}")
        return steps

    def _say_how_paired(self) -> None:
        how = {self.release[j].grade_id: way for j, way in self.pairing.how.items() if self.release[j].grade_id}
        found = [name for name, way in how.items() if way != BY_ID]
        unsure = [self.release[j].grade_id for j in sorted(self.pairing.unsure) if self.release[j].grade_id]
        known = {cell.grade_id for cell in self.release}
        strange = [c.grade_id for i, c in enumerate(self.cells) if c.grade_id and c.grade_id not in known]
        if found:
            ways = ", ".join(sorted({how[name] for name in found}))
            self.repairs.append(f"Recognised by {ways}, since the grade id is gone or another one: {_names(found)}")
        if unsure:
            self.repairs.append(f"Not certain, please look: {_names(unsure)}")
        if strange:
            self.repairs.append(
                f"Not of this release of {self.assignment.id}, perhaps of an older one: {_names(strange)}"
            )
        if not any(self.release[j].grade_id for j in self.pairing.how):
            self.repairs.append(f"No cell of {self.assignment.id} was recognised: it may be another notebook")

    def _is_untouched(self) -> bool:
        """Whether nothing was answered: no answer cell holds anything new, and the learner added no code elsewhere."""
        empty = all(
            _is_empty(self.cells[i], self.release[j])
            for i, j in enumerate(self.pairing.release)
            if j is not None and self.release[j].is_answered
        )
        own = [c for i, c in enumerate(self.cells) if self.pairing.release[i] is None and c.kind == "code"]
        return empty and not any(cell.source.strip() for cell in own)


def _restored(release: ReleaseCell) -> Step:
    return Step("grade" if release.role == "grade" else "given", release.source, release.grade_id)


def _is_empty(cell: Cell, release: ReleaseCell) -> bool:
    """Whether an answer cell holds nothing but what was handed out, or nothing at all."""
    lines = [line.strip() for line in cell.source.split("\n")]
    written = [line for line in lines if line and not (release.kind == "code" and line.startswith("#"))]
    return is_same(cell, release) or not written or (release.kind == "code" and set(written) <= _STUBS)


def _joined(sources: Sequence[str]) -> tuple[int, str] | None:
    """The answer that pieces of it are together, and the piece where it begins; None where they are copies."""
    if all(parses(source) for source in sources):
        names = [defined(source) for source in sources]
        cut_between_definitions = all(names) and sum(map(len, names)) == len(set().union(*names))
        return (0, "\n".join(sources)) if cut_between_definitions else None
    for start in range(len(sources) - 2, -1, -1):  # the last ones that need each other: before them may be a copy
        pieces = sources[start:]
        if not all(parses(piece) for piece in pieces):
            for between in ("\n", ""):
                if parses(whole := between.join(pieces)):
                    return start, whole
    return None


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
