"""What tells an answer: how a right answer looks in a text, the value itself or the lines of a solution."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from autograde.answer import Unreadable, normal_forms
from autograde.authoring.lesson_text import Task, solution_of, without_solution
from autograde.exercise import Typed
from autograde.plain import plain

# 131712, 131,712, 131_712, 17.50: no part of a longer number, of a name, or of a list without spaces.
_NUMBER = re.compile(
    r"(?<![\w.,])[-+\u2212]?(?:\d{1,3}(?:[,_'\u00a0\u2009\u202f]\d{3})+|\d+)(?:\.\d+)?(?![\w_]|[.,]\d)",
)
# (2, 512), [0.25, 0.75]: in brackets, and no call's arguments.
_BRACKETED = re.compile(r"(?<!\w)[\[(][^\[\](){}]+[\])]")


def states(text: str, exercise: Typed) -> bool:
    """Whether a text states the right answer's value: a number of three digits or with decimals, a shape, a list."""
    if exercise.kind not in ("number", "numbers", "shape"):
        return False
    right = set(_forms(exercise, exercise.answer))
    return any(right & set(_forms(exercise, found)) for found in _values(text, exercise))


def _values(text: str, exercise: Typed) -> Iterator[str]:
    """The texts of values that would tell an answer of this kind; small whole numbers stand everywhere."""
    if exercise.kind != "number":
        yield from (found for found in _BRACKETED.findall(text) if re.search(r"[,;]\s*[-+.\d]", found))
        return
    for found in _NUMBER.findall(text):
        if "." in found or len(re.sub(r"\D", "", found)) >= 3:
            yield found.replace("\u2212", "-").replace(",", "")


def _forms(exercise: Typed, value: Any) -> list[str]:
    try:
        return normal_forms(exercise.kind, plain(value), exercise.places)
    except Unreadable:
        return []


def answer_patterns(task: Task) -> list[re.Pattern[str]]:
    """How an answer looks in a text: numbers of three digits or with decimals, shapes, the lines of a solution."""
    added = _added(task)
    if len(added) == 1:
        value = literal(added[0].partition("=")[2].strip())
        return [_value_pattern(value)] if _is_telling(value) else []
    return code_patterns(task)


def code_patterns(task: Task) -> list[re.Pattern[str]]:
    """How a solution of several lines looks in a text."""
    code = [re.sub(r"\s+", r"\\s*", re.escape(line).replace(r"\ ", " ")) for line in _added(task) if len(line) > 12]
    return [re.compile(r"\s*".join(code))] if len(code) > 1 else []


def _added(task: Task) -> list[str]:
    """The lines that the solution adds to what is handed out."""
    solution, left = solution_of(task.answer.source), without_solution(task.answer.source)
    return [line.strip() for line in solution.splitlines() if line.strip() and line not in left.splitlines()]


def literal(text: str) -> Any:
    """The value of a literal; None where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None


def _is_telling(value: Any) -> bool:
    """Whether seeing the value says the answer: small whole numbers and letters stand everywhere."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return abs(value) >= 100 or value != int(value)
    return isinstance(value, tuple) and len(value) > 1 and all(isinstance(x, int) for x in value)


def _value_pattern(value: Any) -> re.Pattern[str]:
    if isinstance(value, tuple):
        return re.compile(r"[\[(]\s*" + r"\s*,\s*".join(map(str, value)) + r"\s*[\])]")
    if isinstance(value, int) or value == int(value):
        digits = f"{int(value):,}"
        return re.compile(r"(?<![\d.,_])" + digits.replace(",", "[,_ \u2009\u202f]?") + r"(?:\.0+)?(?![\d_]|[.,]\d)")
    return re.compile(rf"(?<![\d.]){re.escape(repr(value))}(?!\d)")
