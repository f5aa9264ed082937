"""Wording: small words of messages that are made of parts, so that each reads as a sentence."""

from __future__ import annotations

import re

_ENDED = re.compile(r"[.!?][\"'`)\]]*$")


def counted(number: float, noun: str) -> str:
    """How many: 1 fault, 2 faults, 1.5 points, 1,200 rows."""
    return f"{number:{'g' if isinstance(number, float) else ','}} {noun}{'' if number == 1 else 's'}"


def ended(text: str) -> str:
    """A text as a sentence: with a full stop, unless it ends as one already."""
    text = text.rstrip()
    return text if _ENDED.search(text) else f"{text}."
