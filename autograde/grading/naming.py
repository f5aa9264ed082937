"""Naming: which assignment a folder's or a file's name means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_NUMBER = re.compile(r"^\d+-")


class Naming:
    """The assignments that are asked for, by the names that people give to files."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.only = ids[0] if len(ids) == 1 else ""
        self._ids = {_plain(one): one for one in ids}
        bare = Counter(_NUMBER.sub("", _plain(one)) for one in ids)
        self._bare = {name: one for one in ids if bare[name := _NUMBER.sub("", _plain(one))] == 1}

    def __contains__(self, assignment: str) -> bool:
        return assignment in self._ids.values()

    def of(self, name: str) -> str:
        """The assignment that a whole name means, as slug or NN-slug in any spelling; empty where it means none."""
        plain = _plain(name)
        return self._ids.get(plain) or self._bare.get(_NUMBER.sub("", plain), "")

    def inside(self, name: str) -> str:
        """The assignment that stands somewhere in a name; empty where none does, or several."""
        found = [one for one in self._ids.values() if self._pattern(one).search(name)]
        longest = max(map(len, found), default=0)
        found = [one for one in found if len(one) == longest]
        return found[0] if len(found) == 1 else ""

    def without(self, stem: str) -> str:
        """A loose file's stem without the assignment's name: what is left names the learner."""
        assignment = self.inside(stem)
        left = self._pattern(assignment).sub("", stem, count=1) if assignment else stem
        return left.strip("-_. +") or stem

    @staticmethod
    def _pattern(assignment: str) -> re.Pattern[str]:
        words = "[-_ +]".join(re.escape(word) for word in _plain(assignment).split("-"))
        return re.compile(rf"(?<![^-_. +])(?:\d\d-)?{words}(?![^-_. +])", re.IGNORECASE)


def _plain(name: str) -> str:
    return re.sub(r"[_ +]", "-", name.strip().casefold())
