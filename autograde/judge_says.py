"""What to say of an observation that is off and belongs to no known wrong answer: a sentence, and what was seen."""

from __future__ import annotations

from autograde.answer import describe
from autograde.compare import close
from autograde.evidence import Evidence, Opaque, Plain, Raised, Tensor, Tuple
from autograde.plan import describe_arguments
from autograde.rubric import CodeRubric

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


def cause(evidence: Evidence, name: str) -> Plain:
    """An observation; where it is missing, what stands in its call's place: an exception, or None."""
    return evidence[name] if name in evidence else evidence.get(name.partition(": ")[0])


def sentence(rubric: CodeRubric, evidence: Evidence, name: str) -> tuple[str, str]:
    """The sentence and the detail for an observation."""
    label, _, kind = name.partition(": ")
    kind = kind or (name if name in _KINDS else "")
    got, calling = cause(evidence, name), _calling(rubric, label)
    if isinstance(got, Raised):
        return "Your code raised an error.", f"{got.text()}\nwhile calling {calling}"
    if kind in _KINDS and name in evidence:
        return rubric.says.get(kind) or _KINDS[kind], calling + _count(kind, got)
    if got is None:
        return f"Your code returned None for {calling}. Did you forget a return?", ""
    want = rubric.expected.get(name)
    wanted = _other_kind(got, want, kind)
    if wanted:
        return f"{wanted} is expected.", f"{calling}\ngave {_type_name(got)}"
    says, gave = _difference(got, want, rubric.tolerances.get(label, 1e-5))
    return rubric.says.get(label) or says, f"{calling}\ngave {gave}"


def _other_kind(got: Plain, want: Plain, kind: str) -> str:
    """What kind of value is expected, where the given one is of another kind; else empty."""
    if isinstance(want, bool):
        if kind in _KINDS:  # a property of a module, which gave back no tensor at all
            return "" if isinstance(got, Tensor) else "A tensor"
        return "" if isinstance(got, bool) or (isinstance(got, Tensor) and got.dtype == "bool") else "True or False"
    if isinstance(want, Tensor) and not isinstance(got, Tensor):
        is_number = isinstance(got, int | float) and not isinstance(got, bool)
        return "" if is_number and want.shape == () else "A tensor"
    return ""


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
    calls = rubric.plan.get("calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict) and call["label"] == label:
            return f"{rubric.name}({describe_arguments(call)})   [{label}]"
    return rubric.name


def _type_name(value: Plain) -> str:
    if isinstance(value, Tuple):
        return f"a tuple of {len(value.items)}"
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
