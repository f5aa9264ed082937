"""Python as a learner types it into a cell: whether it can be read, and what a merge or a web page left in it.

Nothing is run. Magics and top-level await are a notebook's Python.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings

_LONGEST = 100_000
_MAGIC = re.compile(r"^([ \t]*+)(?:[%!?].*|[\w.]+\?{1,2})$", re.MULTILINE)
_ASSIGNED_MAGIC = re.compile(r"^([ \t]*+[\w, ]++=[ \t]*+)[%!].*$", re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: .*)?$", re.MULTILINE)
# Spaces and quotes that look right and are not Python's: from web pages, office programs, chats.
_LOOKALIKE = re.compile("[\u00a0\u2000-\u200f\u2018\u2019\u201c\u201d\u202f\u2060\u3000\ufeff]")


def parses(source: str) -> bool:
    """Whether a notebook could run a cell's source; a source of more than 100,000 characters is not looked at."""
    if source.startswith("%%"):
        return True
    if len(source) > _LONGEST:
        return False
    source = _ASSIGNED_MAGIC.sub(r"\1None", _MAGIC.sub(r"\1pass", source))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<cell>", "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def fault_of(source: str) -> str:
    """What a merge or a copied text left in a cell that cannot be read; empty where that is not it."""
    if (conflict := _CONFLICT.search(source)) and not parses(source):
        line = source.count("\n", 0, conflict.start()) + 1
        return f"line {line} is left from a merge ({conflict[0][:40]}). Keep one side and remove such lines"
    if (found := _LOOKALIKE.search(source)) and not parses(source) and parses(_LOOKALIKE.sub(_meant, source)):
        line = source.count("\n", 0, found.start()) + 1
        name = unicodedata.name(found[0], "an invisible character").lower()
        return f"line {line} holds U+{ord(found[0]):04X} ({name}), which Python does not know. Type it on the keyboard"
    return ""


def _meant(found: re.Match[str]) -> str:
    return {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}.get(found[0], " ")
