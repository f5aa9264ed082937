"""A plan: what a probe shall do, as plain data, so that it can be sealed into a notebook or sent into a sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograde.evidence import Plain, Source, Tensor, Tuple
from autograde.plain import plain

TYPED_PLAN: dict[str, Plain] = {"kind": "typed"}


@dataclass(frozen=True)
class Call:
    """One call of a function."""

    label: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    says: str = ""
    tolerance: float = 1e-5


@dataclass(frozen=True)
class Case(Call):
    """One instance of a module; inputs are fed to it, fills are (weight, bias) constants.

    Where drawn is true its parameters get numbers by their shapes too, drawn with the seed. `count_heads` asks how many
    heads weigh the tokens in their own way; the inputs are (B, T, C) then.
    """

    inputs: tuple[Any, ...] = ()
    fills: tuple[tuple[float, float], ...] = ()
    drawn: bool = False
    count_heads: bool = False
    seed: str = ""


@dataclass(frozen=True)
class Expect:
    """The bounds, both included, that an experiment's measure must keep."""

    name: str
    low: float
    high: float
    says: str


def plan_of(
    kind: str, calls: Sequence[Call], *, gradient: bool = False, forbid: Sequence[str] = (), measure: str = ""
) -> dict[str, Plain]:
    """The plan of a code exercise."""
    return {
        "kind": kind,
        "calls": [_call(call) for call in calls],
        "gradient": gradient,
        "forbid": list(forbid),
        "measure": measure,
    }


def _call(call: Call) -> dict[str, Plain]:
    data: dict[str, Plain] = {
        "label": call.label,
        "args": [_argument(value) for value in call.args],
        "kwargs": {name: _argument(value) for name, value in call.kwargs.items()},
    }
    if isinstance(call, Case):
        data["inputs"] = [_argument(value) for value in call.inputs]
        data["fills"] = [[float(weight), float(bias)] for weight, bias in call.fills]
        data |= {"drawn": call.seed} if call.drawn else {}
        data |= {"count_heads": True} if call.count_heads else {}
    return data


def _argument(value: Any) -> Plain:
    if isinstance(value, Source):
        return value
    if isinstance(value, dict):
        return {key: _argument(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_argument(item) for item in value]
    if isinstance(value, tuple):
        return Tuple(tuple(_argument(item) for item in value))
    return plain(value)


def describe_arguments(call: dict[str, Any]) -> str:
    """A call's arguments in a few words: tensors by their shapes."""
    shown = [_short(value) for value in call["args"]]
    shown += [f"{name}={_short(value)}" for name, value in call["kwargs"].items()]
    return ", ".join(shown)


def _short(value: Plain) -> str:
    if isinstance(value, Tensor):
        kind = "mask " if value.dtype == "bool" else ""
        return f"{kind}{tuple(value.shape)}"
    if isinstance(value, Source):
        return value.code if len(value.code) <= 80 and "\n" not in value.code else "a function"
    text = _collection(value) if isinstance(value, list | Tuple | dict) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _collection(value: list[Plain] | Tuple | dict[str, Plain]) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_short(item)}" for key, item in value.items()) + "}"
    items = [_short(item) for item in (value if isinstance(value, list) else value.items)]
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
