"""Observing a torch module without knowing its layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import MappingProxyType
from typing import Any

from autograde.compare import close
from autograde.evidence import Evidence, Plain, Raised, Tensor
from autograde.layout import LARGEST, numbers_for
from autograde.live import attempt, hand_over, is_unchanged, live, send_gradient
from autograde.plain import plain
from autograde.probe_heads import observe_heads
from autograde.trace import raised

REACHES = 1e-7
"""A token's output counts as moved above this, relative to the largest output."""


def observe_case(evidence: Evidence, case: dict[str, Any], cls: Callable[..., Any]) -> None:
    """Build one instance and put its observations into the evidence."""
    import torch

    label, inputs = case["label"], case["inputs"]
    try:
        module = hand_over(cls, *live(case["args"]), **live(case["kwargs"]))
    except (Exception, SystemExit) as fault:
        evidence[label] = raised(fault)
        return
    if not isinstance(module, torch.nn.Module):
        evidence[label] = plain(module)
        return
    # Called before it is counted: a lazy layer has no parameters until then.
    first = attempt(lambda: _feed(module.eval(), inputs[0]))
    evidence[f"{label}: parameters"] = attempt(partial(_count, module))
    if evidence[f"{label}: parameters"] == 0:
        evidence[f"{label}: unregistered"] = attempt(partial(_unregistered, module))
    if not isinstance(first, Tensor):
        evidence[label] = first
        return
    _observe_behaviour(evidence, label, module, inputs[0])
    _observe_fills(evidence, case, module)
    if "drawn" in case:
        evidence[f"{label}: layout"] = attempt(partial(_layout, module))
        evidence[f"{label}: drawn"] = attempt(partial(_output_drawn, module, case))
    if "count_heads" in case and first.shape == inputs[0].shape:
        observe_heads(evidence, label, module, first.shape[-1])


def _count(module: Any) -> int:
    return sum(p.numel() for p in module.parameters() if p.requires_grad)


def _unregistered(module: Any) -> str:
    """Where the parameters of a module without trainable ones may be: frozen, or in layers or tensors of its own."""
    import torch

    if any(True for _ in module.parameters()):
        return "frozen"
    own = [vars(cls) for cls in type(module).__mro__ if not cls.__module__.startswith("torch.")]
    torchs = vars(torch.nn.Module()).keys() - {"_buffers"}
    held = list(_held([{name: item for name, item in vars(module).items() if name not in torchs}, *own]))
    if any(isinstance(item, torch.nn.Module | torch.nn.Parameter) for item in held):
        return "layers"
    return "tensors" if any(isinstance(item, torch.Tensor) for item in held) else "nothing"


def _held(values: Iterable[Any], depth: int = 3) -> Iterator[Any]:
    """Values, and what lies in the lists, tuples, sets and dicts among them."""
    for value in values:
        if isinstance(value, dict | list | tuple | set | MappingProxyType) and depth:
            yield from _held(value.values() if isinstance(value, dict | MappingProxyType) else value, depth - 1)
        else:
            yield value


def _feed(module: Any, given: Plain) -> Any:
    return hand_over(module, live(given))


def _observe_behaviour(evidence: Evidence, label: str, module: Any, given: Plain) -> None:
    """What holds at the learner's own initial values: who depends on whom, what gets gradients, what stays."""
    x = live(given)
    first, again = attempt(partial(hand_over, module, x)), attempt(partial(_feed, module, given))
    evidence[f"{label}: unchanged"] = is_unchanged(x, given)
    evidence[f"{label}: repeatable"] = close(first, again)
    # Other axes, or NaN, are told by the output itself; asking who depends on whom would be our own error.
    if _keeps(first, x, -2):
        evidence[f"{label}: tokens"] = attempt(lambda: _dependence(module, live(given), -2))
    if len(x.shape) > 2 and _keeps(first, x, 0):
        evidence[f"{label}: batch"] = attempt(lambda: _dependence(module, live(given), 0))
    evidence[f"{label}: gradients"] = _reaches_parameters(module, live(given))


def _keeps(output: Plain, x: Any, axis: int) -> bool:
    """Whether an output has as many entries along an axis as the input, as many axes, and no NaN."""
    if not isinstance(output, Tensor) or len(output.shape) != len(x.shape):
        return False
    return bool(output.shape[axis] == x.shape[axis]) and not any(number != number for number in output.numbers())


def _dependence(module: Any, x: Any, axis: int) -> Any:
    """Boolean matrix (outputs, inputs) along an axis of x: does output i move when input j is moved?"""
    import torch

    size = x.shape[axis]
    with torch.no_grad():
        base = hand_over(module, x)
        moved = torch.zeros(size, size, dtype=torch.bool)
        for j in range(size):
            changed = x.clone()
            row = changed.select(axis, j)
            row.add_(torch.randn(row.shape) + 0.5)
            off = (hand_over(module, changed) - base).abs().movedim(axis, 0).reshape(size, -1).amax(1)
            moved[:, j] = ~(off <= REACHES * (1 + base.abs().amax()))
    return moved


def _reaches_parameters(module: Any, x: Any) -> bool:
    """Whether every parameter gets a gradient."""
    try:
        module.zero_grad(set_to_none=True)
        send_gradient(hand_over(module, x))
        reached = [p.grad is not None for p in module.parameters()]
        module.zero_grad(set_to_none=True)
    except (Exception, SystemExit):
        return False
    return bool(reached) and all(reached)


def _observe_fills(evidence: Evidence, case: dict[str, Any], module: Any) -> None:
    """Outputs with every weight matrix one constant and every bias another: no layout has to be known."""
    import torch

    for i, (weight, bias) in enumerate(case["fills"], 1):
        with torch.no_grad():
            filled = attempt(partial(_fill, module, weight, bias))
            for j, given in enumerate(case["inputs"], 1):
                output = filled if isinstance(filled, Raised) else attempt(partial(_feed, module, given))
                evidence[f"{case['label']}: fill {i}, input {j}"] = output


def _fill(module: Any, weight: float, bias: float) -> None:
    for parameter in module.parameters():
        parameter.fill_(weight if sum(size > 1 for size in parameter.shape) > 1 else bias)


def _layout(module: Any) -> list[list[int]]:
    return [[*p.shape] for p in module.parameters() if p.requires_grad]


def _output_drawn(module: Any, case: dict[str, Any]) -> Any:
    """The output with a number of its own for each element of a parameter; None where they are too many."""
    import torch

    if _count(module) > LARGEST:
        return None
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.requires_grad:
                drawn = torch.tensor(numbers_for(parameter.shape, case["drawn"]))
                parameter.copy_(drawn.reshape(parameter.shape))
        return _feed(module, case["inputs"][0])
