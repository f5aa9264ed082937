"""Judging code: which observations are off, whether they are a known wrong answer's, and what is earned."""

from __future__ import annotations

from itertools import takewhile

from autograde.answer import describe
from autograde.compare import close, read_as
from autograde.evidence import Evidence, Plain, Raised, Tensor
from autograde.judge_says import cause, sentence
from autograde.judge_slips import slip
from autograde.layout import is_consistent, is_recognised
from autograde.rubric import CodeRubric, KnownWrong
from autograde.verdict import Verdict, not_attempted


def judge_code(rubric: CodeRubric, evidence: Evidence) -> Verdict:
    """The verdict on a function, a class or an experiment that was handed in."""
    refusal = _refusal(rubric, evidence)
    if refusal is not None:
        return Verdict(rubric.id, "failed", 0.0, rubric.points, refusal)
    failing = _failing(rubric, evidence)
    if not failing and not rubric.expected and not rubric.bounds:
        raise ValueError(f"the rubric of {rubric.id} expects nothing, so it could only pass")
    if not failing:
        return Verdict(rubric.id, "passed", rubric.points, rubric.points, rubric.passed or "It does what was asked.")
    if all(name in rubric.parts for name in failing):
        score = rubric.points - sum(rubric.parts[name] for name in failing)
        return Verdict(rubric.id, "partial", score, rubric.points, sentence(rubric, evidence, failing[0])[0])
    return _failed(rubric, evidence, failing)


def _refusal(rubric: CodeRubric, evidence: Evidence) -> str | None:
    """Why the answer is not looked at any further: it is of another kind, or uses what the exercise forbids."""
    if "not callable" in evidence:
        wanted = "class" if rubric.kind == "module" else "function"
        return f"`{rubric.name}` is {describe(evidence['not callable'])}, not a {wanted}."
    if evidence.get("not a class") is True:
        return f"`{rubric.name}` must be a class: hand in the class itself, not an instance of it, and no function."
    used = evidence.get("forbidden")
    if rubric.forbid and used != []:
        named = [name for name in rubric.forbid if isinstance(used, list) and name in used]
        return rubric.forbid[named[0] if named else next(iter(rubric.forbid))]
    return None


def _failed(rubric: CodeRubric, evidence: Evidence, failing: list[str]) -> Verdict:
    failing = _shapes_first(rubric, evidence, failing)
    first = cause(evidence, failing[0])
    if isinstance(first, Raised) and first.type == "NotImplementedError" and first.line is not None:
        return not_attempted(rubric.id, rubric.points)
    status = "error" if isinstance(first, Raised) else "failed"
    says, detail = sentence(rubric, evidence, failing[0])
    says = _recognised(rubric, evidence, failing) or slip(rubric, evidence, failing[0]) or says
    return Verdict(rubric.id, status, 0.0, rubric.points, says, detail)


def _shapes_first(rubric: CodeRubric, evidence: Evidence, failing: list[str]) -> list[str]:
    """An output of the wrong shape explains properties that fail; what is missing explains nothing."""
    if isinstance(cause(evidence, failing[0]), Raised):
        return failing

    def rank(name: str) -> tuple[bool, bool]:
        got = evidence.get(name)
        return not _is_other_shape(got, rubric.expected.get(name)), cause(
            evidence, name
        ) is None and name not in evidence

    return sorted(failing, key=rank)


def _is_other_shape(got: Plain, want: Plain) -> bool:
    return isinstance(got, Tensor) and isinstance(want, Tensor) and want.dtype != "bool" and got.shape != want.shape


def _failing(rubric: CodeRubric, evidence: Evidence) -> list[str]:
    """Names of the observations that are not as they should be, in order."""
    failing = [name for name in rubric.expected if not _holds(rubric, evidence, name)]
    for name, (low, high) in rubric.bounds.items():
        if not _is_within(evidence.get(name), low, high):
            failing.append("measure" if isinstance(evidence.get("measure"), Raised) else name)
    return failing


def _holds(rubric: CodeRubric, evidence: Evidence, name: str) -> bool:
    """Whether an observation is as it should be. Drawn parameters bind where the solution's layout is claimed only."""
    label, _, kind = name.partition(": ")
    claimed, known = evidence.get(f"{label}: layout"), rubric.expected.get(f"{label}: layout")
    if kind == "layout":
        return is_consistent(claimed, evidence.get(f"{label}: parameters"))
    if kind == "drawn" and not is_recognised(claimed, known):
        return True
    return _fits(rubric, name, rubric.expected[name], evidence.get(name))


def _is_within(value: Plain, low: float, high: float) -> bool:
    measured = value.numbers()[0] if isinstance(value, Tensor) and value.shape == () else value
    return isinstance(measured, int | float) and not isinstance(measured, bool) and low <= measured <= high


def _fits(rubric: CodeRubric, name: str, want: Plain, got: Plain) -> bool:
    return close(read_as(got, want), want, rubric.tolerances.get(name.partition(": ")[0], 1e-5))


def _recognised(rubric: CodeRubric, evidence: Evidence, failing: list[str]) -> str | None:
    """The sentence of the wrong answer whose evidence this is.

    Where several faults meet, it is that of the wrong answer which explains the first failing output, and fails at no
    output before it.
    """
    for wrong in rubric.wrong:
        if wrong.evidence and all(_shows(rubric, evidence, wrong, name) for name in wrong.evidence):
            return wrong.says
    first = next((name for name in failing if _is_output(evidence.get(name))), None)
    if first is None:
        return None
    upto = [name for name in takewhile(lambda name: name != first, rubric.expected) if _is_output(evidence.get(name))]
    return next((wrong.says for wrong in rubric.wrong if _explains(rubric, evidence, wrong, [*upto, first])), None)


def _explains(rubric: CodeRubric, evidence: Evidence, wrong: KnownWrong, outputs: list[str]) -> bool:
    """Whether a wrong answer gives these outputs, the last one at least."""
    given = [name for name in outputs if name in wrong.evidence]
    return given[-1:] == outputs[-1:] and all(_shows(rubric, evidence, wrong, name) for name in given)


def _is_output(value: Plain) -> bool:
    """Whether it is numbers that code gave back, not who depends on whom."""
    return isinstance(value, Tensor) and value.dtype.startswith("float")


def _shows(rubric: CodeRubric, evidence: Evidence, wrong: KnownWrong, name: str) -> bool:
    return name in evidence and _fits(rubric, name, wrong.evidence[name], evidence[name])
