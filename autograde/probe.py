"""The probe: runs beside the learner's code, does what a plan says, and brings back evidence.

It knows no expected value, no reference and no score. Everything that it returns is a claim of the process in which the learner's code runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from autograde import calm
from autograde.compare import close
from autograde.evidence import Evidence, Plain, Raised, Source, Tensor, Tuple
from autograde.plain import plain
from autograde.stub import is_stub
from autograde.trace import raised

REACHES = 1e-7
"""A token's output counts as moved above this, relative to the largest output."""


def probe(plan: dict[str, Any], value: object, seed: int = calm.SEED) -> Evidence:
    """Evidence of the learner's value. Errors of the learner's code become Raised; others are ours and propagate."""
    kind = plan["kind"]
    if kind == "typed":
        return {"answer": plain(value)}
    if value is None or value is ... or is_stub(value):
        return {"untouched": True}
    with calm.calm(seed):
        if kind == "experiment":
            return _experiment(plan, value)
        if not callable(value):
            return {"not callable": plain(value)}
        if kind == "module" and not isinstance(value, type):
            return {"not a class": True}
        observe = _observe_call if kind == "function" else _observe_case
        evidence: Evidence = {}
        with calm.watch(plan["forbid"]) as used:
            for call in plan["calls"]:
                observe(evidence, call, value)
            if plan["gradient"]:
                evidence["gradient"] = _gradient(plan["calls"], value)
        if plan["forbid"]:
            evidence["forbidden"] = [*sorted(used)]
        return evidence


def _experiment(plan: dict[str, Any], value: object) -> Evidence:
    scope = _scope()
    exec(compile(plan["measure"], "<measure>", "exec"), scope)
    measured = _attempt(lambda: scope["measure"](value), plain)
    return measured if isinstance(measured, dict) else {"measure": measured}


def _scope() -> dict[str, Any]:
    import torch
    from torch import nn
    from torch.nn import functional as F

    return {"torch": torch, "nn": nn, "F": F, "math": math, "__name__": "autograde_probe"}


def live(value: Plain) -> Any:
    """Plain data as a live argument, fresh each time."""
    if isinstance(value, Tensor):
        import torch

        dtype = getattr(torch, value.dtype)
        if not value.data:
            return torch.zeros(value.shape, dtype=dtype)
        return torch.frombuffer(bytearray(value.data), dtype=dtype).reshape(value.shape).clone()
    if isinstance(value, Source):
        return _evaluate(value.code)
    if isinstance(value, Tuple):
        return tuple(live(item) for item in value.items)
    if isinstance(value, list):
        return [live(item) for item in value]
    if isinstance(value, dict):
        return {key: live(item) for key, item in value.items()}
    return value


def _evaluate(code: str) -> Any:
    """The value of a source: an expression, or statements whose last one defines a function or class."""
    scope = _scope()
    try:
        return eval(compile(code, "<probe>", "eval"), scope)
    except SyntaxError:
        known = set(scope)
        exec(compile(code, "<probe>", "exec"), scope)
        return scope[[name for name in scope if name not in known and name != "__builtins__"][-1]]


def _attempt(act: Callable[[], Any], read: Callable[[Any], Plain]) -> Plain:
    try:
        return read(act())
    except Exception as fault:
        return raised(fault)
    except SystemExit as fault:
        return raised(fault)


def _same(left: Any, right: Plain) -> bool:
    """Whether a live argument still is what was handed in (NaN counts as equal to NaN)."""
    import torch

    other = live(right)
    if isinstance(left, torch.Tensor) and isinstance(other, torch.Tensor):
        return close(plain(left), plain(other), tolerance=0.0)
    if isinstance(right, Source):
        return True
    if isinstance(left, list | tuple) and isinstance(right, list):
        return len(left) == len(right) and all(_same(one, two) for one, two in zip(left, right, strict=True))
    return bool(left == other)


def _observe_call(evidence: Evidence, call: dict[str, Any], function: Callable[..., Any]) -> None:
    label = call["label"]
    args, kwargs = live(call["args"]), live(call["kwargs"])
    first = _attempt(lambda: function(*args, **kwargs), plain)
    evidence[label] = first
    if isinstance(first, Raised):
        return
    evidence[f"{label}: unchanged"] = _same(args, call["args"]) and all(
        _same(kwargs[k], v) for k, v in call["kwargs"].items()
    )
    again = _attempt(lambda: function(*live(call["args"]), **live(call["kwargs"])), plain)
    evidence[f"{label}: repeatable"] = close(first, again)


def _gradient(calls: list[dict[str, Any]], function: Callable[..., Any]) -> bool:
    """Whether a gradient reaches every float tensor of the first call that has one."""
    import torch

    for call in calls:
        args, kwargs = live(call["args"]), live(call["kwargs"])
        floats = [a for a in [*args, *kwargs.values()] if isinstance(a, torch.Tensor) and a.is_floating_point()]
        if not floats:
            continue
        for tensor in floats:
            tensor.requires_grad_(True)
        try:
            output = function(*args, **kwargs)
            output = output[0] if isinstance(output, tuple) else output
            (output * torch.linspace(0.5, 1.5, output.numel()).reshape(output.shape)).sum().backward()
        except Exception:
            return False
        return all(tensor.grad is not None for tensor in floats)
    return False


def _observe_case(evidence: Evidence, case: dict[str, Any], cls: Callable[..., Any]) -> None:
    import torch

    label = case["label"]
    try:
        module = cls(*live(case["args"]), **live(case["kwargs"]))
    except (Exception, SystemExit) as fault:
        evidence[label] = raised(fault)
        return
    if not isinstance(module, torch.nn.Module):
        evidence[label] = plain(module)
        return
    module.eval()
    evidence[f"{label}: parameters"] = sum(p.numel() for p in module.parameters() if p.requires_grad)
    inputs = case["inputs"]
    first = _attempt(lambda: module(live(inputs[0])), plain)
    if isinstance(first, Raised) or not isinstance(first, Tensor):
        evidence[label] = first
        return
    _observe_behaviour(evidence, label, module, inputs)
    _observe_fills(evidence, case, module)


def _feed(module: Any, given: Plain) -> Any:
    return module(live(given))


def _observe_behaviour(evidence: Evidence, label: str, module: Any, inputs: list[Plain]) -> None:
    """What holds at the learner's own initial values: repeatable, input unchanged, who depends on whom, what gets gradients."""
    given = live(inputs[0])
    outputs = [_attempt(partial(module, given), plain), _attempt(partial(_feed, module, inputs[0]), plain)]
    evidence[f"{label}: unchanged"] = _same(given, inputs[0])
    evidence[f"{label}: repeatable"] = close(outputs[0], outputs[1])
    evidence[f"{label}: tokens"] = _attempt(lambda: _dependence(module, live(inputs[0]), -2), plain)
    if len(given.shape) > 2:
        evidence[f"{label}: batch"] = _attempt(lambda: _dependence(module, live(inputs[0]), 0), plain)
    evidence[f"{label}: gradients"] = _gradients(module, live(inputs[0]))


def _dependence(module: Any, x: Any, axis: int) -> Any:
    """Boolean matrix (outputs, inputs) along an axis of x: does output i move when input j is moved?"""
    import torch

    size = x.shape[axis]
    with torch.no_grad():
        base = module(x)
        moved = torch.zeros(size, size, dtype=torch.bool)
        for j in range(size):
            changed = x.clone()
            row = changed.select(axis, j)
            row.add_(torch.randn(row.shape) + 0.5)
            off = (module(changed) - base).abs().movedim(axis, 0).reshape(size, -1).amax(1)
            moved[:, j] = ~(off <= REACHES * (1 + base.abs().amax()))
    return moved


def _gradients(module: Any, x: Any) -> bool:
    """Whether every parameter gets a gradient."""
    import torch

    module.zero_grad(set_to_none=True)
    try:
        output = module(x)
        (output * torch.linspace(0.5, 1.5, output.numel()).reshape(output.shape)).sum().backward()
    except Exception:
        return False
    grads = [p.grad is not None for p in module.parameters()]
    module.zero_grad(set_to_none=True)
    return bool(grads) and all(grads)


def _observe_fills(evidence: Evidence, case: dict[str, Any], module: Any) -> None:
    """Outputs with every weight matrix one constant and every bias another: no layout has to be known."""
    import torch

    for i, (weight, bias) in enumerate(case["fills"], 1):
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.fill_(weight if sum(size > 1 for size in parameter.shape) > 1 else bias)
        for j, given in enumerate(case["inputs"], 1):
            with torch.no_grad():
                evidence[f"{case['label']}: fill {i}, input {j}"] = _attempt(partial(_feed, module, given), plain)
