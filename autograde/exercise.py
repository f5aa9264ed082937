"""Exercises as an author writes them: right and wrong answers and what each means, hints, what a probe shall do.

An author cell of a lesson declares one exercise:

    from autograde import exercise

    exercise.number("ff-parameters", answer=131_712, wrong={131_072: "The biases are missing."}, minutes=4)

Typed kinds are number, numbers, shape, choice, choices and text; code kinds are function, module and experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograde.draw import Draw
from autograde.evidence import Source
from autograde.plan import Call, Case, Expect

CODE_KINDS = ("function", "module", "experiment")


@dataclass(frozen=True)
class Variant:
    """An answer to an exercise, by its code: whole, or as edits of the solution. `says` is empty for a right one."""

    says: str = ""
    whole: str | None = None
    edits: tuple[tuple[str, str], ...] = ()

    def source(self, solution: str) -> str:
        """The variant's code. Raises ValueError where an edit's old text is not in the solution."""
        if self.whole is not None:
            return self.whole.strip("\n") + "\n"
        text = solution
        for old, new in self.edits:
            if old not in text:
                raise ValueError(f"edit: {old!r} does not occur in the solution")
            text = text.replace(old, new)
        if text == solution:
            raise ValueError("edit: it leaves the solution as it is")
        return text


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its author cell declares it."""

    id: str
    kind: str
    hints: tuple[str, ...] = ()
    explain: str = ""
    passed: str = ""
    minutes: float = 0
    difficulty: int = 0
    stretch: bool = False
    shown: str = ""
    """Why an answer may be seen before the exercise; lint accepts it then."""


@dataclass(frozen=True)
class Typed(Exercise):
    """An exercise whose answer is typed: the right value, and wrong ones each with their sentence."""

    answer: Any = None
    right: tuple[Any, ...] = ()
    wrong: tuple[tuple[Any, str], ...] = ()
    places: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Code(Exercise):
    """An exercise whose answer is code: what the probe shall do with it, and wrong and right variants."""

    calls: Callable[[Draw], Sequence[Call | Case]] | None = None
    wrong: tuple[Variant, ...] = ()
    right: tuple[Variant, ...] = ()
    forbid: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    gradient: bool = False
    measure: str = ""
    expect: tuple[Expect, ...] = ()
    equivalent: Mapping[str, str] = field(default_factory=dict)
    """Edits of the solution that no check can notice: the statement after the edit, and why."""


_listeners: list[Callable[[Exercise], None]] = []


def on_declare(listener: Callable[[Exercise], None]) -> None:
    """Whoever runs a solved lesson listens for its exercises here."""
    _listeners.append(listener)


def _declare(exercise: Exercise) -> None:
    for listener in _listeners:
        listener(exercise)


def _pairs(wrong: Mapping[Any, str] | Sequence[tuple[Any, str]]) -> tuple[tuple[Any, str], ...]:
    return tuple(wrong.items()) if isinstance(wrong, Mapping) else tuple(wrong)


def _typed(
    kind: str,
    exercise_id: str,
    answer: Any,
    wrong: Any = (),
    hints: Sequence[str] = (),
    right: Sequence[Any] = (),
    **rest: Any,
) -> None:
    _declare(Typed(exercise_id, kind, tuple(hints), answer=answer, wrong=_pairs(wrong), right=tuple(right), **rest))


def number(
    exercise_id: str, *, answer: float, wrong: Mapping[Any, str] | Sequence[tuple[Any, str]] = (), **rest: Any
) -> None:
    """A number; `places` says to how many decimals it is compared, whole numbers need none."""
    _typed("number", exercise_id, answer, wrong, **rest)


def numbers(exercise_id: str, *, answer: Sequence[float], wrong: Sequence[tuple[Any, str]] = (), **rest: Any) -> None:
    """Several numbers in a list."""
    _typed("numbers", exercise_id, list(answer), wrong, **rest)


def shape(
    exercise_id: str, *, answer: tuple[int, ...], wrong: Mapping[Any, str] | Sequence[tuple[Any, str]] = (), **rest: Any
) -> None:
    """A tensor's shape."""
    _typed("shape", exercise_id, answer, wrong, **rest)


def choice(exercise_id: str, *, answer: str, options: Mapping[str, str], **rest: Any) -> None:
    """One of several options; each option's letter has its own sentence."""
    _typed("choice", exercise_id, answer, options=dict(options), **rest)


def choices(exercise_id: str, *, answer: set[str], options: Mapping[str, str], **rest: Any) -> None:
    """Any of several options; each has a sentence that says why it belongs or not.

    Each rightly decided option earns its share.
    """
    _typed("choices", exercise_id, set(answer), options=dict(options), **rest)


def text(
    exercise_id: str,
    *,
    answer: str,
    accept: Sequence[str] = (),
    wrong: Mapping[Any, str] | Sequence[tuple[Any, str]] = (),
    **rest: Any,
) -> None:
    """A word or a short text; `accept` lists other spellings."""
    _typed("text", exercise_id, answer, wrong, right=tuple(accept), **rest)


def function(
    exercise_id: str,
    *,
    calls: Callable[[Draw], Sequence[Call]],
    wrong: Sequence[Variant] = (),
    right: Sequence[Variant] = (),
    hints: Sequence[str] = (),
    **rest: Any,
) -> None:
    """A function, judged by what it returns for drawn calls."""
    _declare(Code(exercise_id, "function", tuple(hints), calls=calls, wrong=tuple(wrong), right=tuple(right), **rest))


def module(
    exercise_id: str,
    *,
    cases: Callable[[Draw], Sequence[Case]],
    wrong: Sequence[Variant] = (),
    right: Sequence[Variant] = (),
    hints: Sequence[str] = (),
    **rest: Any,
) -> None:
    """A torch module class, judged without knowing its layout.

    Seen are outputs with constants for parameters, which output depends on which input, what gets a gradient.
    """
    _declare(Code(exercise_id, "module", tuple(hints), calls=cases, wrong=tuple(wrong), right=tuple(right), **rest))


def experiment(
    exercise_id: str,
    *,
    measure: str,
    expect: Sequence[Expect],
    wrong: Sequence[Variant] = (),
    right: Sequence[Variant] = (),
    hints: Sequence[str] = (),
    **rest: Any,
) -> None:
    """Something the learner trained or built, measured.

    `measure` is Python source of `def measure(value)`, which returns numbers by name; `expect` bounds them.
    """
    _declare(
        Code(
            exercise_id,
            "experiment",
            tuple(hints),
            measure=measure,
            expect=tuple(expect),
            wrong=tuple(wrong),
            right=tuple(right),
            **rest,
        )
    )


def call(label: str, *args: Any, says: str = "", tolerance: float = 1e-5, **kwargs: Any) -> Call:
    """One call of the learner's function."""
    return Call(label, args, kwargs, says, tolerance)


def case(
    label: str,
    *args: Any,
    inputs: Sequence[Any],
    fills: Sequence[tuple[float, float]] = (),
    drawn: bool = False,
    says: str = "",
    tolerance: float = 1e-5,
    **kwargs: Any,
) -> Case:
    """One instance of the learner's module: built with args and kwargs, fed with inputs.

    `fills` are pairs of constants that its parameters are filled with: (weights, biases). With `drawn` each parameter
    gets numbers by its shape as well, and a module whose parameters have the solution's shapes must give its output.
    """
    return Case(label, args, kwargs, says, tolerance, tuple(inputs), tuple(fills), drawn)


def between(name: str, low: float, high: float, says: str) -> Expect:
    """An experiment's measure `name` must lie in low..high, both included; `says` is the sentence where it does not."""
    return Expect(name, low, high, says)


def edit(*old_and_new: str, says: str = "") -> Variant:
    """A variant made from the solution by replacing texts: edit("old", "new", "old", "new", says="...")."""
    return Variant(says, edits=tuple(zip(old_and_new[::2], old_and_new[1::2], strict=True)))


def code(whole: str, says: str = "") -> Variant:
    """A variant by its whole code."""
    return Variant(says, whole=whole)


def source(python: str) -> Source:
    """Python code as an argument of a call, evaluated beside the learner's code; torch, nn, F and math are in scope."""
    return Source(python)
