"""Exercises as an author writes them: right and wrong answers and what each means, hints, what a probe shall do.

An author cell of a lesson declares one exercise:

    from autograde import exercise

    exercise.number("ff-parameters", answer=131_712, wrong={131_072: "The biases are missing."}, minutes=4)

Typed kinds are number, numbers, shape, choice, choices and text; code kinds are function, module and experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
class Either:
    """Wrong answers that come from one mistake: values, whose sentence stands beside them, or variants."""

    answers: tuple[Any, ...]
    says: str = ""


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its author cell declares it."""

    id: str
    kind: str
    hints: tuple[str, ...] = ()
    explain: str | None = None
    passed: str | None = None
    minutes: float | None = None
    difficulty: int | None = None
    stretch: bool = False
    shown: str = ""
    """Why an answer may be seen before the exercise; lint accepts it then."""
    entries: tuple[int, ...] = ()
    """Of which entry of the author's list each wrong answer is: those of one entry share their sentence."""


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


def _pairs(wrong: Mapping[Any, str] | Sequence[tuple[Any, str]]) -> dict[str, Any]:
    """Wrong values with their sentences, and of which entry each is."""
    pairs, entries = list[Any](), list[int]()
    for i, pair in enumerate(wrong.items() if isinstance(wrong, Mapping) else wrong):
        together = isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Either)
        found = [(answer, pair[1]) for answer in pair[0].answers] if together else [pair]
        pairs += found
        entries += [i] * len(found)
    return {"wrong": tuple(pairs), "entries": tuple(entries)}


def _listed(hints: Sequence[str]) -> tuple[str, ...]:
    if isinstance(hints, str):
        raise TypeError("hints is one text; give a list of sentences")
    return tuple(hints)


def _flat(wrong: Sequence[Variant | Either]) -> dict[str, Any]:
    """A list of wrong answers, and of which entry each is."""
    entries = [_together(entry) if isinstance(entry, Either) else [entry] for entry in wrong]
    flat = [(answer, i) for i, entry in enumerate(entries) for answer in entry]
    return {"wrong": tuple(answer for answer, _ in flat), "entries": tuple(i for _, i in flat)}


def _together(entry: Either) -> list[Variant]:
    return [replace(variant, says=entry.says) for variant in entry.answers]


def _typed(
    kind: str,
    exercise_id: str,
    answer: Any,
    wrong: Any = (),
    hints: Sequence[str] = (),
    right: Sequence[Any] = (),
    **rest: Any,
) -> None:
    _declare(Typed(exercise_id, kind, _listed(hints), answer=answer, **_pairs(wrong), right=tuple(right), **rest))


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
    wrong: Sequence[Variant | Either] = (),
    right: Sequence[Variant] = (),
    hints: Sequence[str] = (),
    **rest: Any,
) -> None:
    """A function, judged by what it returns for drawn calls."""
    _declare(Code(exercise_id, "function", _listed(hints), calls=calls, **_flat(wrong), right=tuple(right), **rest))


def module(
    exercise_id: str,
    *,
    cases: Callable[[Draw], Sequence[Case]],
    wrong: Sequence[Variant | Either] = (),
    right: Sequence[Variant] = (),
    hints: Sequence[str] = (),
    **rest: Any,
) -> None:
    """A torch module class, judged without knowing its layout.

    Seen are outputs with constants for parameters, which output depends on which input, what gets a gradient.
    """
    _declare(Code(exercise_id, "module", _listed(hints), calls=cases, **_flat(wrong), right=tuple(right), **rest))


def experiment(
    exercise_id: str,
    *,
    measure: str,
    expect: Sequence[Expect],
    wrong: Sequence[Variant | Either] = (),
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
            _listed(hints),
            measure=measure,
            expect=tuple(expect),
            **_flat(wrong),
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
    count_heads: bool = False,
    says: str = "",
    tolerance: float = 1e-5,
    **kwargs: Any,
) -> Case:
    """One instance of the learner's module: built with args and kwargs, fed with inputs.

    `fills` are pairs of constants that its parameters are filled with: (weights, biases). With `drawn` each parameter
    gets numbers by its shape as well, and a module whose parameters have the solution's shapes must give its output.
    With `count_heads` an attention's heads are counted, whatever its layout.
    """
    return Case(label, args, kwargs, says, tolerance, tuple(inputs), tuple(fills), drawn, count_heads)


def between(name: str, low: float, high: float, says: str) -> Expect:
    """An experiment's measure `name` must lie in low..high, both included; `says` is the sentence where it does not."""
    return Expect(name, low, high, says)


def edit(*old_and_new: str, says: str = "") -> Variant:
    """A variant made from the solution by replacing texts: edit("old", "new", "old", "new", says="...")."""
    return Variant(says, edits=tuple(zip(old_and_new[::2], old_and_new[1::2], strict=True)))


def either(*answers: Any, says: str = "") -> Either:
    """Several ways to make one and the same mistake, as one entry of `wrong`, with one sentence."""
    return Either(answers, says)


def code(whole: str, says: str = "") -> Variant:
    """A variant by its whole code."""
    return Variant(says, whole=whole)


def source(python: str) -> Source:
    """Python code as an argument of a call, evaluated beside the learner's code; torch, nn, F and math are in scope."""
    return Source(python)
