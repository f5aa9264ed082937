"""Which known name somebody may have meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_CLOSE = 0.75


def closest(word: str, known: Iterable[str]) -> str:
    """The known name that looks most like a word, whatever its case and dashes; empty where none is close."""
    by_look = {_look(name): name for name in known}
    found = difflib.get_close_matches(_look(word), by_look, 1, _CLOSE)
    return by_look[found[0]] if found else ""


def _look(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question that names the closest, to be put after the word; else empty."""
    close = closest(word, known)
    return f" (did you mean {close!r}?)" if close else ""
