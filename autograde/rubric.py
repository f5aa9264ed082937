"""Rubrics: what a judge knows of an exercise, made from what its author wrote.

A rubric is open or was sealed; the judge does not see the difference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, Protocol

from autograde.answer import Unreadable, describe, normal_forms
from autograde.draw import Draw
from autograde.evidence import Evidence, Opaque, Plain, Raised, Tensor, Tuple
from autograde.exercise import Code, Typed
from autograde.layout import is_recognised
from autograde.plain import plain
from autograde.plan import TYPED_PLAN, Call, Case, plan_of

CLUE = ": unregistered"
"""What explains a fault, and is none: no answer is compared with the solution in it."""
_MUST_HOLD = (": unchanged", ": repeatable", ": gradients", ": used")
_RESERVED = ("answer", "untouched", "not callable", "not a class", "forbidden", "gradient", "measure")


class BadExercise(ValueError):
    """An exercise that cannot be judged; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Outcome:
    """What one typed answer earns: a share of the points (0..1) and its sentence."""

    share: float
    says: str


class Answers(Protocol):
    """The answers that an exercise knows, right and wrong, by their normal form."""

    def look_up(self, form: str) -> Outcome | None:
        """The outcome of an answer, None where it is not known."""


@dataclass(frozen=True)
class OpenAnswers:
    """Answers that can be read."""

    outcomes: Mapping[str, Outcome]

    def look_up(self, form: str) -> Outcome | None:
        """The outcome of an answer, None where it is not known."""
        return self.outcomes.get(form)


@dataclass(frozen=True)
class TypedRubric:
    """How a typed answer is judged."""

    id: str
    kind: str
    name: str
    points: float
    answers: Answers
    places: int | None = None
    options: tuple[str, ...] = ()

    @property
    def plan(self) -> dict[str, Plain]:
        """What the probe does: read the value."""
        return TYPED_PLAN


@dataclass(frozen=True)
class KnownWrong:
    """A wrong answer's evidence (what is stable of it) and its sentence."""

    says: str
    evidence: Evidence


@dataclass(frozen=True)
class CodeRubric:
    """How a code answer is judged: the expected evidence, the wrong answers' evidence, sentences by observation."""

    id: str
    kind: str
    name: str
    points: float
    plan: dict[str, Plain]
    expected: Evidence
    wrong: tuple[KnownWrong, ...] = ()
    passed: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    forbid: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What the solution calls its parameters: a function's by its name, a class's by method."""


Rubric = TypedRubric | CodeRubric


def typed_rubric(exercise: Typed, name: str, points: float) -> TypedRubric:
    """The open rubric of a typed exercise. Raises BadExercise where its answers contradict each other."""
    options = tuple(exercise.options)
    if exercise.kind in ("choice", "choices"):
        outcomes = _option_outcomes(exercise)
    else:
        outcomes = _value_outcomes(exercise)
    return TypedRubric(exercise.id, exercise.kind, name, points, OpenAnswers(outcomes), exercise.places, options)


def _option_outcomes(exercise: Typed) -> dict[str, Outcome]:
    letters = sorted(exercise.options)
    right = {exercise.answer} if exercise.kind == "choice" else set(exercise.answer)
    if not right <= set(letters):
        raise BadExercise(f"the answer {exercise.answer!r} is none of the options {', '.join(letters)}")
    if len(letters) < 2 or any(len(letter) != 1 or letter != letter.lower() for letter in letters):
        raise BadExercise("give at least two options, each by one small letter")
    if exercise.kind == "choice":
        return {letter: Outcome(float(letter in right), exercise.options[letter]) for letter in letters}
    outcomes = {}
    for count in range(len(letters) + 1):
        for chosen in combinations(letters, count):
            off = [letter for letter in letters if (letter in chosen) != (letter in right)]
            share = max(0.0, (len(letters) - 2 * len(off)) / len(letters))
            says = " ".join(exercise.options[letter] for letter in off) or exercise.passed or "Right, all of them."
            outcomes[",".join(chosen) or "none"] = Outcome(share, says)
    return outcomes


def _value_outcomes(exercise: Typed) -> dict[str, Outcome]:
    """Outcomes by normal form. A right answer at a rounding edge is right rounded either way."""

    def forms(value: Any) -> list[str]:
        try:
            return normal_forms(exercise.kind, plain(value), exercise.places)
        except Unreadable as fault:
            raise BadExercise(f"{value!r} cannot be read as a {exercise.kind}: {fault}") from None

    right = Outcome(1.0, exercise.passed or "Right.")
    outcomes = {form: right for value in (exercise.answer, *exercise.right) for form in forms(value)}
    for value, says in exercise.wrong:
        form = forms(value)[0]
        if form in outcomes:
            raise BadExercise(
                f"wrong answer {value!r} reads the same as another answer ({form}): merge them, or raise places"
            )
        outcomes[form] = Outcome(0.0, says)
    return outcomes


def code_rubric(
    exercise: Code,
    name: str,
    points: float,
    calls: Sequence[Call],
    expected: Evidence,
    wrong: tuple[KnownWrong, ...],
    parameters: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> CodeRubric:
    """The rubric of a code exercise, from its drawn calls and the evidence of the solution and the wrong answers.

    Raises BadExercise where there is nothing to judge by, or where its parts do not add up.
    """
    if not expected and not exercise.expect:
        raise BadExercise("nothing is observed, so every answer would pass; give it calls, cases or bounds")
    _check_parts(exercise, points, [*expected, *(e.name for e in exercise.expect)])
    says = (
        dict(exercise.says)
        | {call.label: call.says for call in calls if call.says}
        | {e.name: e.says for e in exercise.expect}
    )
    return CodeRubric(
        id=exercise.id,
        kind=exercise.kind,
        name=name,
        points=points,
        plan=plan_for(exercise, calls),
        expected={name: value for name, value in expected.items() if not name.endswith(CLUE)},
        wrong=wrong,
        passed=exercise.passed or "",
        says=says,
        forbid=dict(exercise.forbid),
        parts=dict(exercise.parts),
        tolerances={call.label: call.tolerance for call in calls},
        bounds={e.name: (e.low, e.high) for e in exercise.expect},
        parameters=dict(parameters),
    )


def _check_parts(exercise: Code, points: float, observed: Sequence[str]) -> None:
    unknown = [name for name in exercise.parts if name not in observed]
    if unknown:
        raise BadExercise(f"parts names {unknown[0]!r}, which is not observed; there are {', '.join(observed)}")
    if sum(exercise.parts.values()) > points:
        raise BadExercise(f"parts add up to {sum(exercise.parts.values()):g}, the exercise is worth {points:g}")


def draw_calls(exercise: Code, seed: str) -> list[Call]:
    """The exercise's calls or cases, drawn with a seed. Raises BadExercise where labels cannot be told apart."""
    calls = list(exercise.calls(Draw(seed, exercise.id))) if exercise.calls else []
    labels = [call.label for call in calls]
    if len(set(labels)) < len(labels):
        raise BadExercise(f"two calls share a label; give each its own: {', '.join(labels)}")
    unfit = [label for label in labels if ": " in label or label in _RESERVED]
    if unfit:
        raise BadExercise(f"{unfit[0]!r} cannot be a call's label: observations are named so; choose another")
    return [_with_seed(call, f"{seed}:{exercise.id}") for call in calls]


def _with_seed(call: Call, owner: str) -> Call:
    """A case with the seed of its parameters' numbers, from which nobody can tell the seed of the class."""
    if not isinstance(call, Case) or not call.drawn:
        return call
    return replace(call, seed=hashlib.sha256(f"{owner}:{call.label}".encode()).hexdigest()[:16])


def plan_for(exercise: Code, calls: Sequence[Call]) -> dict[str, Plain]:
    """What the probe shall do for these calls."""
    return plan_of(
        exercise.kind, calls, gradient=exercise.gradient, forbid=tuple(exercise.forbid), measure=exercise.measure
    )


def unsound(evidence: Evidence) -> list[str]:
    """What in a solution's own evidence shows that it cannot be the reference.

    That is an exception, None, NaN, an object of which only the type is known, or a property that does not hold.
    """
    faults = []
    for name, value in evidence.items():
        if isinstance(value, Raised):
            faults.append(f"{name}: raised {value.type}: {value.message}")
        elif value is None:
            faults.append(f"{name}: is None")
        elif name.endswith(": layout") and not is_recognised(value, value):
            faults.append(f"{name}: a parameter with three axes gets no drawn numbers; leave `drawn` out of this case")
        elif value is False and (name == "gradient" or name.endswith(_MUST_HOLD)):
            faults.append(f"{name}: does not hold")
        elif _holds(value, lambda part: isinstance(part, Opaque)):
            faults.append(f"{name}: holds an object that cannot be compared ({describe(value)})")
        elif _holds(value, lambda part: isinstance(part, float) and part != part):
            faults.append(f"{name}: holds NaN")
    if "untouched" in evidence:
        faults.append("the solution is empty")
    return faults


def _holds(value: Plain, is_bad: Callable[[Plain], bool]) -> bool:
    if isinstance(value, Tensor):
        return any(map(is_bad, value.numbers()))
    if isinstance(value, Tuple | list):
        return any(_holds(item, is_bad) for item in (value.items if isinstance(value, Tuple) else value))
    if isinstance(value, dict):
        return any(_holds(item, is_bad) for item in value.values())
    return is_bad(value)
