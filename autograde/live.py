"""Live values: plain data as arguments of the learner's code, and what that code did with them as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograde.compare import close
from autograde.evidence import Plain, Source, Tensor, Tuple
from autograde.plain import plain
from autograde.trace import raised

SOURCE = "autograde_probe"
"""The module's name that a plan's own code runs under."""


def hand_over(learners: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call what the learner wrote: what torch is asked to do from here on, they ask for (see calm.watch)."""
    return learners(*args, **kwargs)


def scope() -> dict[str, Any]:
    """Names that a plan's own code sees."""
    import torch
    from torch import nn
    from torch.nn import functional as F

    return {"torch": torch, "nn": nn, "F": F, "math": math, "__name__": SOURCE}


def live(value: Plain) -> Any:
    """Plain data as a live argument, fresh each time."""
    if isinstance(value, Tensor):
        return _tensor(value)
    if isinstance(value, Source):
        return _evaluate(value.code)
    if isinstance(value, Tuple):
        return tuple(live(item) for item in value.items)
    if isinstance(value, list):
        return [live(item) for item in value]
    if isinstance(value, dict):
        return {key: live(item) for key, item in value.items()}
    return value


def _tensor(value: Tensor) -> Any:
    import torch

    dtype = getattr(torch, value.dtype)
    if not value.data:  # frombuffer takes no empty buffer
        return torch.zeros(value.shape, dtype=dtype)
    return torch.frombuffer(bytearray(value.data), dtype=dtype).reshape(value.shape).clone()


def _evaluate(code: str) -> Any:
    """The value of a source: an expression, or statements whose last one defines a function or class."""
    names = scope()
    try:
        return eval(compile(code, "<probe>", "eval"), names)
    except SyntaxError:
        known = {*names, "__builtins__"}
        exec(compile(code, "<probe>", "exec"), names)
        return names[[name for name in names if name not in known][-1]]


def attempt(act: Callable[[], Any]) -> Plain:
    """What the learner's code returns or raises, as plain data."""
    try:
        return plain(act())
    except (Exception, SystemExit) as fault:
        return raised(fault)


def is_unchanged(argument: Any, given: Plain) -> bool:
    """Whether a live argument still is what was handed in (NaN counts as equal to NaN)."""
    if isinstance(given, Source):
        return True
    if isinstance(given, Tuple | list):
        items = list(given.items) if isinstance(given, Tuple) else given
        same_length = isinstance(argument, tuple | list) and len(argument) == len(items)
        return same_length and all(map(is_unchanged, argument, items))
    if isinstance(given, dict):
        same_keys = isinstance(argument, dict) and list(argument) == list(given)
        return same_keys and all(is_unchanged(argument[key], item) for key, item in given.items())
    return close(plain(argument), given, tolerance=0.0)


def send_gradient(output: Any) -> None:
    """Send a gradient back from an output, a different one to each of its numbers."""
    import torch

    (output * torch.linspace(0.5, 1.5, output.numel()).reshape(output.shape)).sum().backward()
