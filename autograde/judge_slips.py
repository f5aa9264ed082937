"""Slips that an exception's own text gives away, whatever the exercise."""

from __future__ import annotations

import re

from autograde.evidence import Plain, Raised

_UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined")


def slip(kind: str, fault: Plain) -> str:
    """The sentence for an exception in an exercise of this kind; empty where its text gives nothing away."""
    if not isinstance(fault, Raised) or kind != "module" or fault.type != "NameError":
        return ""
    found = _UNKNOWN_NAME.search(fault.message)
    return _unknown_name(found[1]) if found else ""


def _unknown_name(name: str) -> str:
    """A name that a class's method does not know: most often one that belongs to `self`."""
    if name.startswith("self_") and name != "self_":
        own = name.removeprefix("self_")
        return (
            f"`{name}` is a plain name, gone when its method ends. With a dot, `self.{own}`, it belongs to the module."
        )
    return f"`{name}` is not known where it is used. What `__init__` made is reached through `self`: `self.{name}`."
