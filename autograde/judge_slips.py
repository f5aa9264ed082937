"""Slips that give themselves away, whatever the exercise."""

from __future__ import annotations

import re

from autograde.evidence import Evidence, Opaque, Raised
from autograde.judge_says import cause
from autograde.rubric import CodeRubric

_UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined")


def slip(rubric: CodeRubric, evidence: Evidence, name: str) -> str:
    """The sentence for a failing observation; empty where it gives nothing away."""
    got = cause(evidence, name)
    if isinstance(got, Raised) and got.type == "NameError":
        found = _UNKNOWN_NAME.search(got.message)
        return _unknown_name(rubric.kind, found[1]) if found else ""
    is_built = f"{name.partition(': ')[0]}: parameters" in evidence
    if rubric.kind == "module" and isinstance(got, Opaque) and not is_built:
        return (
            f"Your class is no torch module. Begin it with `class {rubric.name}(nn.Module):` and `super().__init__()`."
        )
    return ""


def _unknown_name(kind: str, name: str) -> str:
    """A name that is not known: in a module most often one that belongs to `self`, else one of a library."""
    unknown = f"`{name}` is not known where it is used."
    if kind != "module":
        return f"{unknown} Is it misspelt, or does the library stand in front of it, as in `torch.sqrt`?"
    if name.startswith("self_") and name != "self_":
        own = name.removeprefix("self_")
        return (
            f"`{name}` is a plain name, gone when its method ends. With a dot, `self.{own}`, it belongs to the module."
        )
    return f"{unknown} What `__init__` made is reached through `self`: `self.{name}`."
