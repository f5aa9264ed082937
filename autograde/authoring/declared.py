"""Rules that every declared exercise keeps: numbers in their range, sentences that say something and not the answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from autograde.authoring.faults import AuthorError, Fault
from autograde.authoring.lesson_text import LessonText, Task
from autograde.authoring.telling import code_patterns, states
from autograde.authoring.workshop import Bench
from autograde.exercise import Code, Exercise, Typed, Variant
from autograde.rubric import Rubric

_Told = tuple[str, str]
"""What is wrong, and what to do."""
_EMPTY = "Write the sentence, or take the entry out"
_TELLS = "Say how to get there, not what comes out"


def declared_faults(lesson: LessonText, task: Task, exercise: Exercise) -> list[Fault]:
    """Every fault of what an author cell declares, at the author cell."""
    told = [found for rule in _RULES for found in rule(task, exercise)]
    return [lesson.fault(task.exercise, what, todo, task.id) for what, todo in told]


def sound_rubric(bench: Bench) -> Rubric:
    """The rubric of an exercise that keeps the rules. Raises AuthorError with every fault of both."""
    faults = declared_faults(bench.lesson, bench.task, bench.exercise)
    try:
        rubric = bench.rubric()
    except AuthorError as fault:
        raise AuthorError([*faults, *fault.faults]) from None
    if faults:
        raise AuthorError(faults)
    return rubric


def _numbers(task: Task, exercise: Exercise) -> Iterator[_Told]:
    difficulty, minutes = exercise.difficulty, exercise.minutes
    if difficulty is not None and (type(difficulty) is not int or not 1 <= difficulty <= 5):
        yield f"difficulty is {difficulty!r}", "Set a whole number from 1, easy, to 5, hard"
    if minutes is not None and (type(minutes) not in (int, float) or not 0 < minutes < math.inf):
        yield f"minutes is {minutes!r}", "Set a number above 0, an honest guess"


def _empty(task: Task, exercise: Exercise) -> Iterator[_Told]:
    for where, says in (*_sentences(exercise), *_others(exercise)):
        if not isinstance(says, str):
            yield f"{where} is {says!r}, no text", _EMPTY
        elif not says.strip():
            yield f"{where} is empty", _EMPTY


def _telling(task: Task, exercise: Exercise) -> Iterator[_Told]:
    """A wrong answer's sentence or a hint that gives the answer away, unless it may be seen anyway."""
    if exercise.shown:
        return
    code = code_patterns(task) if isinstance(exercise, Code) else []
    for where, says in _sentences(exercise):
        if not isinstance(says, str):
            continue
        if isinstance(exercise, Typed) and states(says, exercise):
            yield f"{where} states the right answer ({says!r})", _TELLS
        elif any(pattern.search(says) for pattern in code):
            yield f"{where} holds the solution's lines", _TELLS


def _sentences(exercise: Exercise) -> Iterator[tuple[str, Any]]:
    """What a learner may be told before the exercise is passed, and where it stands."""
    for i, hint in enumerate(exercise.hints, 1):
        yield f"hint {i}", hint
    if isinstance(exercise, Typed):
        for entry in exercise.wrong:
            if isinstance(entry, tuple | list) and len(entry) == 2:  # what is no pair, the rubric refuses
                yield f"the sentence of wrong answer {entry[0]!r}", entry[1]
    elif isinstance(exercise, Code):
        for i, variant in enumerate(exercise.wrong, 1):
            if isinstance(variant, Variant):
                yield f"the sentence of wrong answer {i}", variant.says
        for name, says in (*exercise.forbid.items(), *exercise.says.items()):
            yield f"the sentence for {name!r}", says
        for bound in exercise.expect:
            yield f"the sentence for {bound.name!r}", bound.says


def _others(exercise: Exercise) -> Iterator[tuple[str, Any]]:
    """What else a learner is told, of an option or after a pass: it may state the answer."""
    if isinstance(exercise, Typed):
        for letter, says in exercise.options.items():
            yield f"the sentence of option {letter!r}", says
    yield from (
        (name, said) for name, said in (("passed", exercise.passed), ("explain", exercise.explain)) if said is not None
    )


_RULES: tuple[Callable[[Task, Exercise], Iterator[_Told]], ...] = (_numbers, _empty, _telling)
