"""The judge: a pure function of a rubric and the evidence. It runs no learner's code and touches nothing.

Evidence is a claim of the learner's process: anything in it may be missing or of another kind, and then counts as wrong.
"""

from __future__ import annotations

from autograde.answer import Unreadable, describe, is_untouched, normal_forms
from autograde.compare import close
from autograde.evidence import Evidence, Opaque, Plain, Raised, Tensor, Tuple
from autograde.plan import describe_arguments
from autograde.rubric import CodeRubric, Rubric, TypedRubric
from autograde.verdict import Verdict

_UNTOUCHED = "Nothing to check yet: write your answer in the cell above and run it."
_KINDS = {
    "unchanged": "Your code changes what it was given. Work on a copy: whoever called it still needs the input.",
    "repeatable": "Called twice with the same input, your code gives two different outputs. Something random is left on.",
    "parameters": "The number of trainable parameters is not what the exercise asks for.",
    "tokens": "Tokens depend on each other in another way than they should: moving one token moves the wrong outputs.",
    "batch": "The entries of a batch influence each other; each must be computed on its own.",
    "gradients": "Not every parameter gets a gradient, so training could not move it. Are all parts registered and used?",
    "gradient": "The values are right, but no gradient flows back to the inputs. Stay within torch's operations.",
}


def judge(rubric: Rubric, evidence: Evidence) -> Verdict:
    """The verdict on one exercise."""
    verdict = _judge_typed(rubric, evidence) if isinstance(rubric, TypedRubric) else _judge_code(rubric, evidence)
    return verdict


def raised_verdict(rubric: Rubric, fault: Raised) -> Verdict:
    """The verdict where the learner's answer cell itself raised."""
    name = rubric.name
    if fault.type in ("SyntaxError", "IndentationError", "TabError"):
        says = f"Python cannot read your answer cell, so `{name}` has no value yet."
        if rubric.kind == "number" and "leading zeros" in fault.message:
            says += " Write numbers without commas: 1024 or 1_024, not 1,024."
        if rubric.kind == "shape" and "leading zeros" in fault.message:
            says += " Write sizes without leading zeros."
    elif fault.type == "NameError" and rubric.kind in ("choice", "choices", "text"):
        says = "Your answer cell raised an error. Put letters in quotes" + (
            ', such as "a".' if rubric.kind == "choice" else ', such as {"a", "b"}.'
        )
    else:
        says = f"Your answer cell raised an error, so `{name}` has no new value."
    return Verdict(rubric.id, "error", 0.0, rubric.points, says, _raised_detail(fault))


def _raised_detail(fault: Raised, calling: str = "") -> str:
    where = f"line {fault.line} of your cell:  {fault.code}\n" if fault.line is not None and fault.code else ""
    return f"{where}{fault.type}: {fault.message}" + (f"\nwhile calling {calling}" if calling else "")


def _judge_typed(rubric: TypedRubric, evidence: Evidence) -> Verdict:
    value = evidence.get("answer")
    if is_untouched(value):
        return Verdict(rubric.id, "not_attempted", 0.0, rubric.points, _UNTOUCHED)
    given = describe(value)
    if isinstance(value, Raised):
        return raised_verdict(rubric, value)
    try:
        forms = normal_forms(rubric.kind, value, rubric.places, rubric.options)
    except Unreadable as fault:
        return Verdict(rubric.id, "uncheckable", 0.0, rubric.points, str(fault), given=given)
    outcomes = [outcome for outcome in map(rubric.answers.look_up, forms) if outcome is not None]
    if not outcomes:
        return Verdict(rubric.id, "failed", 0.0, rubric.points, _unknown(rubric), given=given)
    best = max(outcomes, key=lambda outcome: outcome.share)
    status = "passed" if best.share == 1 else "partial" if best.share > 0 else "failed"
    return Verdict(rubric.id, status, best.share * rubric.points, rubric.points, best.says, given=given)


def _unknown(rubric: TypedRubric) -> str:
    places = f" Compared to {rubric.places} decimal places." if rubric.places else ""
    return "That is not it, and it is none of the usual slips." + places


def _judge_code(rubric: CodeRubric, evidence: Evidence) -> Verdict:
    if evidence.get("untouched") is True:
        return Verdict(rubric.id, "not_attempted", 0.0, rubric.points, _UNTOUCHED)
    broken = evidence.get("answer")
    if isinstance(broken, Raised):
        return raised_verdict(rubric, broken)
    if "not callable" in evidence:
        says = f"`{rubric.name}` is {describe(evidence['not callable'])}, not a {'class' if rubric.kind == 'module' else 'function'}."
        return Verdict(rubric.id, "failed", 0.0, rubric.points, says)
    if evidence.get("not a class") is True:
        return Verdict(
            rubric.id, "failed", 0.0, rubric.points, f"Hand in the class `{rubric.name}` itself, not an instance of it."
        )
    used = evidence.get("forbidden")
    failing = _failing(rubric, evidence)
    if rubric.forbid and used != []:
        name = next((n for n in rubric.forbid if isinstance(used, list) and n in used), next(iter(rubric.forbid)))
        return Verdict(rubric.id, "failed", 0.0, rubric.points, rubric.forbid[name])
    if not failing:
        return Verdict(rubric.id, "passed", rubric.points, rubric.points, rubric.passed or "It does what was asked.")
    if all(name in rubric.parts for name in failing):
        lost = sum(rubric.parts[name] for name in failing)
        return Verdict(
            rubric.id, "partial", rubric.points - lost, rubric.points, _fallback(rubric, evidence, failing[0])[0]
        )
    return _failed(rubric, evidence, failing)


def _failed(rubric: CodeRubric, evidence: Evidence, failing: list[str]) -> Verdict:
    first = _cause(evidence, failing[0])
    says, detail = _fallback(rubric, evidence, failing[0])
    if isinstance(first, Raised) and first.type == "NotImplementedError":
        return Verdict(rubric.id, "not_attempted", 0.0, rubric.points, _UNTOUCHED)
    status = "error" if isinstance(first, Raised) else "failed"
    return Verdict(rubric.id, status, 0.0, rubric.points, recognised(rubric, evidence, failing) or says, detail)


def _cause(evidence: Evidence, name: str) -> Plain:
    """An observation; where it is missing, what stands in its call's place: an exception, or None."""
    return evidence[name] if name in evidence else evidence.get(name.partition(": ")[0])


def _failing(rubric: CodeRubric, evidence: Evidence) -> list[str]:
    """Names of the observations that are not as they should be, in order."""
    failing = [name for name, want in rubric.expected.items() if not _fits(rubric, name, want, evidence.get(name))]
    for name, (low, high) in rubric.bounds.items():
        value = evidence.get(name)
        measured = value.numbers()[0] if isinstance(value, Tensor) and value.shape == () else value
        if isinstance(measured, bool) or not isinstance(measured, int | float) or not low <= measured <= high:
            failing.append("measure" if isinstance(evidence.get("measure"), Raised) else name)
    return failing


def _fits(rubric: CodeRubric, name: str, want: Plain, got: Plain) -> bool:
    return close(_as_tensor_like(got, want), want, rubric.tolerances.get(name.partition(": ")[0], 1e-5))


def _as_tensor_like(got: Plain, want: Plain) -> Plain:
    """A number where a 0-d tensor is wanted, a 0-d tensor where a number is: read as the person means it."""
    if isinstance(got, Tensor) and got.shape == () and isinstance(want, bool | int | float):
        number = got.numbers()[0]
        return (
            bool(number)
            if isinstance(want, bool) and got.dtype == "bool"
            else number
            if not isinstance(want, bool)
            else got
        )
    if isinstance(want, float) and isinstance(got, int) and not isinstance(got, bool):
        return float(got)
    if isinstance(want, int) and not isinstance(want, bool) and isinstance(got, float):
        return int(got) if got == got and abs(got) < 2**53 and got == int(got) else got
    if isinstance(want, Tensor) and want.shape == () and isinstance(got, int | float) and not isinstance(got, bool):
        return Tensor.of_number(got, want.dtype if want.dtype.startswith("float") else "float64")
    return got


def recognised(rubric: CodeRubric, evidence: Evidence, failing: list[str]) -> str | None:
    """The sentence of the wrong answer whose evidence this is; where several faults meet, of the one that explains the first failing output."""
    for wrong in rubric.wrong:
        if all(
            _fits(rubric, name, seen, evidence.get(name)) and name in evidence for name, seen in wrong.evidence.items()
        ):
            return wrong.says
    first = next((name for name in failing if isinstance(evidence.get(name), Tensor)), None)
    if first is not None and ": tokens" not in first and ": batch" not in first:
        for wrong in rubric.wrong:
            if first in wrong.evidence and _fits(rubric, first, wrong.evidence[first], evidence[first]):
                return wrong.says
    return None


def _fallback(rubric: CodeRubric, evidence: Evidence, name: str) -> tuple[str, str]:
    """The sentence and the detail for an observation that is not as it should be and belongs to no known wrong answer."""
    label, _, kind = name.partition(": ")
    kind = kind or (name if name in _KINDS else "")
    got, want = _cause(evidence, name), rubric.expected.get(name)
    calling = _calling(rubric, label)
    if isinstance(got, Raised):
        return "Your code raised an error.", _raised_detail(got, calling)
    if kind in _KINDS and name in evidence:
        return rubric.says.get(kind) or _KINDS[kind], _shown(kind, got, calling)
    if got is None:
        return f"Your code returned None for {calling}. Did you forget a return?", ""
    says = rubric.says.get(label, "")
    if isinstance(want, Tensor) and isinstance(got, Tensor) and got.shape != want.shape:
        return (
            says or "The output has the wrong shape.",
            f"{calling}\ngave shape {tuple(got.shape)}, expected shape {tuple(want.shape)}",
        )
    if isinstance(want, Tensor) and not isinstance(got, Tensor):
        return says or "A tensor is expected.", f"{calling}\ngave {_type_name(got)}"
    return says or "The output is not what the exercise asks for.", f"{calling}\ngave {_first_off(got, want)}"


def _shown(kind: str, got: Plain, calling: str) -> str:
    return f"{calling}\nhas {got} trainable parameters" if kind == "parameters" and isinstance(got, int) else calling


def _calling(rubric: CodeRubric, label: str) -> str:
    calls = rubric.plan.get("calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict) and call["label"] == label:
            return f"{rubric.name}({describe_arguments(call)})   [{label}]"
    return rubric.name


def _type_name(value: Plain) -> str:
    if isinstance(value, Tuple):
        return f"a tuple of {len(value.items)}"
    return (
        f"an object of type {value.type}" if isinstance(value, Opaque) else f"{type(value).__name__} {describe(value)}"
    )


def _first_off(got: Plain, want: Plain) -> str:
    """Where an output of the right shape first differs: the learner's own number there, never the expected one."""
    if not (isinstance(got, Tensor) and isinstance(want, Tensor)):
        return describe(got)
    for position, (mine, right) in enumerate(zip(got.numbers(), want.numbers(), strict=True)):
        if not close(float(mine), float(right), 1e-5):
            index = []
            for size in reversed(got.shape):
                position, at = divmod(position, size)
                index.append(at)
            return f"an output of shape {tuple(got.shape)} that is off first at {list(reversed(index))}: yours is {mine:.6g} there"
    return describe(got)
