"""What to say of an observation that is off and belongs to no known wrong answer: a sentence, and what was seen."""

from __future__ import annotations

import re
from typing import Any

from autograde.answer import describe
from autograde.compare import close
from autograde.evidence import Evidence, Opaque, Plain, Raised, Source, Tensor, Tuple
from autograde.plan import describe_arguments
from autograde.rubric import CLUE, CodeRubric

_KINDS = {
    "unchanged": "Your code changes what it was given. Work on a copy: whoever called it still needs the input.",
    "repeatable": "Called twice with the same input, your code gives two different outputs. "
    "Something random is left on.",
    "parameters": "The number of trainable parameters is not what the exercise asks for.",
    "drawn": "With one number for all weights your module gives the right output, but not once each weight is a number "
    "of its own. Does every weight reach the output where it should?",
    "tokens": "Tokens depend on each other in another way than they should: moving one token moves the wrong outputs.",
    "batch": "The entries of a batch influence each other; each must be computed on its own.",
    "gradients": "Not every parameter gets a gradient, so training could not move it. "
    "Are all parts registered and used?",
    "heads": "The heads do not weigh the tokens each in its own way: some share their weights, or there are more or "
    "fewer heads than asked for.",
    "used": "Some numbers of the parameters have no effect. Does each head read a part of its own, and is every part "
    "read?",
    "gradient": "The values are right, but no gradient flows back to the inputs. Stay within torch's operations.",
}

_UNREGISTERED = {
    "layers": "Your layers stand where torch does not look, such as a plain list or dict, so it finds no parameters to "
    "train. Make each an attribute of `self`, or use nn.ModuleList.",
    "tensors": "Your weights are plain tensors, so torch finds no parameters to train. Make layers such as nn.Linear "
    "in `__init__`, or wrap each tensor in nn.Parameter.",
    "frozen": "Every parameter is frozen: `requires_grad` is off, so training could not move it.",
    "nothing": "torch finds no parameters to train. Either `__init__` makes no layers, or it keeps them where torch "
    "does not look. Make each layer in `__init__`, as an attribute of `self`.",
}
_SIGNATURE = re.compile(r"\(\) (takes |missing |got an unexpected keyword|got multiple values|got some positional)")


def cause(evidence: Evidence, name: str) -> Plain:
    """An observation; where it is missing, what stands in its call's place: an exception, or None."""
    return evidence[name] if name in evidence else evidence.get(name.partition(": ")[0])


def sentence(rubric: CodeRubric, evidence: Evidence, name: str) -> tuple[str, str]:
    """The sentence and the detail for an observation."""
    label, _, kind = name.partition(": ")
    kind = kind or (name if name in _KINDS else "")
    got, calling = cause(evidence, name), _calling(rubric, label)
    if isinstance(got, Raised):
        is_built = f"{label}: parameters" in evidence
        says = _wanted_call(rubric, label, is_built=is_built) if _is_of_signature(got) else "Your code raised an error."
        return says, f"{got.text()}\nwhile calling {calling}"
    if kind in _KINDS and name in evidence:
        says = _of_no_parameters(evidence, label, kind) or rubric.says.get(kind) or _KINDS[kind]
        return says, calling + _count(kind, got)
    if got is None:
        return f"Your code returned None for {calling}. Did you forget a return?", ""
    want = rubric.expected.get(name)
    wanted = _other_kind(got, want, kind)
    if wanted:
        return f"{wanted} is expected.", f"{calling}\ngave {_type_name(got)}"
    says, gave = _difference(got, want, rubric.tolerances.get(label, 1e-5))
    return rubric.says.get(label) or says, f"{calling}\ngave {gave}"


def _is_of_signature(fault: Raised) -> bool:
    """Whether the learner's code could not even be called: not one line of it was reached."""
    return fault.type == "TypeError" and fault.line is None and _SIGNATURE.search(fault.message) is not None


def _wanted_call(rubric: CodeRubric, label: str, *, is_built: bool) -> str:
    """How the exercise calls what was handed in, in the solution's words where they are known."""
    if is_built:
        names = [*rubric.parameters.get("forward", [])[:1]] or ["x"]
        return f"Your module does not take what it is called with, one tensor. Write `def forward(self, {names[0]})`."
    call, is_class = _call(rubric, label), rubric.kind == "module"
    if call is None:
        return "Your code does not take what it is called with."
    names = [*rubric.parameters.get("__init__" if is_class else rubric.name, [])]
    known = names[: len(call["args"])] if len(names) >= len(call["args"]) else []
    shown = describe_arguments(call | ({"args": [Source(name) for name in known]} if known else {}))
    says = f"Your {'class' if is_class else 'function'} does not take what it is called with. It is called as"
    return f"{says} `{rubric.name}({shown})`" + (", and its methods take `self` first." if is_class else ".")


def _of_no_parameters(evidence: Evidence, label: str, kind: str) -> str:
    """Where a module without parameters may have them: that explains more than their number."""
    where = evidence.get(f"{label}{CLUE}")
    explained = kind == "parameters" and evidence.get(f"{label}: parameters") == 0 and isinstance(where, str)
    return _UNREGISTERED.get(str(where), "") if explained else ""


def _other_kind(got: Plain, want: Plain, kind: str) -> str:
    """What kind of value is expected, where the given one is of another kind; else empty."""
    one = Tensor.of_number(0) if isinstance(got, bool | int | float) else got
    is_one = isinstance(one, Tensor) and one.shape == ()
    is_truth = isinstance(got, bool) or (isinstance(got, Tensor) and got.dtype == "bool")
    if isinstance(want, bool):
        if kind in _KINDS:  # a property of a module, which gave back no tensor at all
            return "" if isinstance(got, Tensor) else "A tensor"
        return "" if is_truth and is_one else "One True or False"
    if isinstance(want, int | float):
        return "" if is_one and not is_truth else "One number"
    if isinstance(want, Tensor):
        return "" if isinstance(got, Tensor) or (is_one and not is_truth and want.shape == ()) else "A tensor"
    if isinstance(want, Tuple | list | dict | str):
        return "" if _sort(got) == _sort(want) else _sort(want).capitalize()
    return ""


def _sort(value: Plain) -> str:
    """What sort of value it is, with the number of a collection's items."""
    if isinstance(value, Tuple):
        return f"a {'set' if value.is_set else 'tuple'} of {len(value.items)}"
    if isinstance(value, list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return "a text" if isinstance(value, str) else type(value).__name__


def _difference(got: Plain, want: Plain, tolerance: float) -> tuple[str, str]:
    """The sentence for an output, and what the code gave."""
    if isinstance(want, Tensor) and isinstance(got, Tensor) and got.shape != want.shape:
        shapes = f"shape {tuple(got.shape)}, expected shape {tuple(want.shape)}"
        return "The output has the wrong shape.", shapes
    return "The output is not what the exercise asks for.", _first_off(got, want, tolerance)


def _count(kind: str, got: Plain) -> str:
    counted = {"parameters": "trainable parameters", "heads": "heads with weights of their own"}.get(kind, "")
    return f"\nhas {got} {counted}" if counted and isinstance(got, int) else ""


def _calling(rubric: CodeRubric, label: str) -> str:
    call = _call(rubric, label)
    return f"{rubric.name}({describe_arguments(call)})   [{label}]" if call is not None else rubric.name


def _call(rubric: CodeRubric, label: str) -> dict[str, Any] | None:
    calls = rubric.plan.get("calls")
    found = (c for c in (calls if isinstance(calls, list) else []) if isinstance(c, dict) and c["label"] == label)
    return next(found, None)


def _type_name(value: Plain) -> str:
    if isinstance(value, Tensor):
        return f"a {value.dtype} tensor of shape {tuple(value.shape)}"
    if isinstance(value, Tuple):
        return _sort(value)
    return describe(value) if isinstance(value, Opaque) else f"{type(value).__name__} {describe(value)}"


def _first_off(got: Plain, want: Plain, tolerance: float) -> str:
    """Where an output of the right shape first differs: the learner's own number there, never the expected one."""
    if not (isinstance(got, Tensor) and isinstance(want, Tensor)):
        return describe(got)
    for position, (mine, right) in enumerate(zip(got.numbers(), want.numbers(), strict=True)):
        if not close(float(mine), float(right), tolerance):
            where = f"is off first at {_index(position, got.shape)}: yours is {mine:.6g} there"
            return f"an output of shape {tuple(got.shape)} that {where}"
    return describe(got)


def _index(position: int, shape: tuple[int, ...]) -> list[int]:
    """The index of a row-major position."""
    index: list[int] = []
    for size in reversed(shape):
        position, at = divmod(position, size)
        index.insert(0, at)
    return index
