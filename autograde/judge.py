"""The judge: a pure function of a rubric and the evidence. It runs no learner's code and touches nothing.

Evidence is a claim of the learner's process: what is missing in it, or of another kind, counts as wrong.
"""

from __future__ import annotations

import re

from autograde.answer import is_untouched
from autograde.evidence import Evidence, Raised
from autograde.judge_code import judge_code
from autograde.judge_typed import judge_typed
from autograde.rubric import Rubric, TypedRubric
from autograde.verdict import Verdict, not_attempted

_QUOTED = {"choice": '"a"', "choices": '{"a", "b"}', "text": '"softmax"'}
_GROUPED = re.compile(r"\d\.\d{3}\.\d{3}|\d \d{3}")
_UNREADABLE = ("SyntaxError", "IndentationError", "TabError")


def judge(rubric: Rubric, evidence: Evidence) -> Verdict:
    """The verdict on one exercise."""
    value, is_typed = evidence.get("answer"), isinstance(rubric, TypedRubric)
    if is_untouched(value) if is_typed else evidence.get("untouched") is True:
        return not_attempted(rubric.id, rubric.points)
    if isinstance(value, Raised):
        return raised_verdict(rubric, value)
    return judge_typed(rubric, value) if isinstance(rubric, TypedRubric) else judge_code(rubric, evidence)


def raised_verdict(rubric: Rubric, fault: Raised) -> Verdict:
    """The verdict where the learner's answer cell itself raised."""
    if fault.type in _UNREADABLE:
        says = _unreadable(rubric, fault)
    elif fault.type == "NameError" and rubric.kind in _QUOTED:
        quoted = f"Put what you mean in quotes, such as {_QUOTED[rubric.kind]}, and run it again."
        says = f"The answer cell stopped with a NameError. {quoted}"
    else:
        says = (
            f"The answer cell stopped with {_article(fault.type)}, so `{rubric.name}` has no new value. "
            "Change it, or what it needs, and run it again."
        )
    return Verdict(rubric.id, "error", 0.0, rubric.points, says, fault.text())


def _article(name: str) -> str:
    return f"{'an' if name[:1].upper() in 'AEIOU' else 'a'} {name}"


def _unreadable(rubric: Rubric, fault: Raised) -> str:
    says = f"Python cannot read your answer cell, so `{rubric.name}` has no value yet."
    if rubric.kind == "number" and "leading zeros" in fault.message:
        says += " Write numbers without commas: 1024 or 1_024, not 1,024."
    elif rubric.kind == "number" and _GROUPED.search(fault.code):
        says += " Write numbers without dots or spaces between the digits: 1024 or 1_024."
    if rubric.kind == "shape" and "leading zeros" in fault.message:
        says += " Write sizes without leading zeros."
    return f"{says} Change it and run it again."
