"""What a learner's exception says: its type, its message, and the last line of the learner's own code on its way."""

from __future__ import annotations

import linecache
import traceback

from autograde.evidence import Raised


def raised(fault: BaseException) -> Raised:
    """The exception as plain data."""
    message = _message(fault)
    if isinstance(fault, SyntaxError) and fault.lineno is not None:
        return Raised(
            type(fault).__name__, (fault.msg or message)[:500], fault.lineno, (fault.text or "").strip()[:200]
        )
    for frame, line in reversed(list(traceback.walk_tb(fault.__traceback__))):
        if frame.f_globals.get("__name__") == "__main__":
            text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
            return Raised(type(fault).__name__, message, line, text[:200])
    return Raised(type(fault).__name__, message)


def _message(fault: BaseException) -> str:
    try:
        return str(fault)[:500]
    except Exception:  # an exception class of the learner's whose text fails
        return ""
