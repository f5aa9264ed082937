"""Observing a function: what it returns for a call, whether it keeps its inputs, whether a gradient gets through."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograde.compare import close
from autograde.evidence import Evidence, Raised
from autograde.live import attempt, hand_over, is_unchanged, live, send_gradient


def observe_call(evidence: Evidence, call: dict[str, Any], function: Callable[..., Any]) -> None:
    """Put the observations of one call into the evidence."""
    label = call["label"]
    args, kwargs = live(call["args"]), live(call["kwargs"])
    first = attempt(partial(hand_over, function, *args, **kwargs))
    evidence[label] = first
    if isinstance(first, Raised):
        return
    kept = is_unchanged(args, call["args"])
    evidence[f"{label}: unchanged"] = kept and all(is_unchanged(kwargs[k], v) for k, v in call["kwargs"].items())
    again = attempt(lambda: hand_over(function, *live(call["args"]), **live(call["kwargs"])))
    evidence[f"{label}: repeatable"] = close(first, again)


def reaches_inputs(calls: list[dict[str, Any]], function: Callable[..., Any]) -> bool:
    """Whether a gradient reaches every float tensor of the first call that has one."""
    import torch

    for call in calls:
        args, kwargs = live(call["args"]), live(call["kwargs"])
        floats = [a for a in [*args, *kwargs.values()] if isinstance(a, torch.Tensor) and a.is_floating_point()]
        if floats:
            return _reaches(floats, partial(hand_over, function, *args, **kwargs))
    return False


def _reaches(floats: list[Any], act: Callable[[], Any]) -> bool:
    for tensor in floats:
        tensor.requires_grad_(True)
    try:
        output = act()
        send_gradient(output[0] if isinstance(output, tuple) else output)
    except (Exception, SystemExit):
        return False
    return all(tensor.grad is not None for tensor in floats)
