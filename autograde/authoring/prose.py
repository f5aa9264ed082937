"""Prose: a number that a lesson's text states is one that a cell of the lesson prints, or that its code sets.

Small whole numbers are counted and named freely; prompts set a task's own numbers; years stand among the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from autograde.authoring.faults import Fault
from autograde.authoring.lesson_text import LessonText, solution_of
from autograde.authoring.read import find_source, read_lesson
from autograde.course import Course
from autograde.runner import Runner

_NUMBER = re.compile(r"(?<![\w.,])-?(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?(?![\w%]|[.,]\d)")
_SMALL = 100
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
_SOURCES = re.compile(r"^#+ +Sources\b.*", re.MULTILINE | re.DOTALL)


def run_solved(root: Path, slug: str) -> dict[str, Any]:
    """What the cells of a solved lesson show, one after another, in this process."""
    runner = Runner()
    shown = []
    for cell in read_lesson(find_source(root, slug), root).cells:
        if not cell.is_markdown and cell.role != "exercise":
            shown.append(runner.run(solution_of(cell.source)).text)
    return {"shown": "\n".join(shown)}


def unprinted(text: LessonText, course: Course, shown: str) -> Iterator[Fault]:
    """Numbers of the lesson's text that are neither shown by its cells nor set by its code or by course.yml."""
    code = "\n".join(cell.source for cell in text.cells if not cell.is_markdown and cell.role != "exercise")
    known = _numbers(shown) | _numbers(code) | {Decimal(n) for n in course.dimensions.values()}
    for cell in text.cells:
        if cell.role != "text":
            continue
        prose = _FORMULA.sub(lambda found: " " * len(found[0]), _SOURCES.sub("", cell.source))
        for found in _NUMBER.finditer(prose):
            if not _is_known(found[0], known):
                what = f"the text states {found[0]}, which no cell of the lesson prints"
                yield text.fault(cell, what, "Print it in a cell, or leave it out")


def _numbers(text: str) -> set[Decimal]:
    return {_value(found[0]) for found in re.finditer(_NUMBER.pattern.replace(r"(?![\w%]|[.,]\d)", ""), text)}


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", "").replace("_", ""))


def _is_known(number: str, known: set[Decimal]) -> bool:
    """Whether it is small and whole, or known, where it is told with fewer digits too."""
    value = _value(number)
    if value == value.to_integral_value() and abs(value) < _SMALL and "." not in number:
        return True
    step = Decimal(1).scaleb(int(value.as_tuple().exponent))
    return any(abs(abs(value) - abs(other)) <= step / 2 for other in known)
