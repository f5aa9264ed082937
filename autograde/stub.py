"""Is an answer cell's function or class still the empty one that was handed out?"""

from __future__ import annotations

import dis
from types import FunctionType

_EMPTY = {
    "RESUME",
    "NOP",
    "CACHE",
    "LOAD_CONST",
    "RETURN_CONST",
    "RETURN_VALUE",
    "POP_TOP",
    "COPY_FREE_VARS",
    "EXTENDED_ARG",
}
_SUPER = {"super", "__init__", "__class__"}


def is_stub(value: object) -> bool:
    """Whether nothing was written: a function that only returns None, a class of such methods (or calls of super's)."""
    if isinstance(value, FunctionType):
        return _returns_none(value)
    if isinstance(value, type):
        methods = {name: item for name, item in vars(value).items() if isinstance(item, FunctionType)}
        return bool(methods) and all(
            _returns_none(m) or (n == "__init__" and _only_super(m)) for n, m in methods.items()
        )
    return False


def _returns_none(function: FunctionType) -> bool:
    instructions = list(dis.get_instructions(function))
    returned = [i.argval for i in instructions if i.opname in ("LOAD_CONST", "RETURN_CONST")]
    return {i.opname for i in instructions} <= _EMPTY and returned[-1:] == [None]


def _only_super(function: FunctionType) -> bool:
    code = function.__code__
    stores = {i.opname for i in dis.get_instructions(function)} & {
        "STORE_ATTR",
        "STORE_FAST",
        "STORE_GLOBAL",
        "STORE_SUBSCR",
    }
    hands_on = any(i.arg for i in dis.get_instructions(function) if i.opname == "CALL")
    return set(code.co_names) <= _SUPER and not stores and not hands_on
