"""Judging what was typed: its normal form is looked up among the answers that the exercise knows."""

from __future__ import annotations

import re

from autograde.answer import Unreadable, describe, normal_forms
from autograde.evidence import Plain
from autograde.rubric import TypedRubric
from autograde.verdict import Verdict

_THOUSANDS = re.compile(r"([+-]?[1-9]\d{0,2})[.](\d{3})")
"""What some write for a whole number of four to six digits."""


def judge_typed(rubric: TypedRubric, value: Plain) -> Verdict:
    """The verdict on a value. Where two normal forms are known, the better one counts."""
    given = describe(value)
    try:
        forms = normal_forms(rubric.kind, value, rubric.places, rubric.options)
    except Unreadable as fault:
        return Verdict(rubric.id, "uncheckable", 0.0, rubric.points, str(fault), given=given)
    outcomes = [outcome for outcome in map(rubric.answers.look_up, forms) if outcome is not None]
    if not outcomes:
        return Verdict(rubric.id, "failed", 0.0, rubric.points, _unknown(rubric, value, forms[0]), given=given)
    best = max(outcomes, key=lambda outcome: outcome.share)
    status = "passed" if best.share == 1 else "partial" if best.share > 0 else "failed"
    return Verdict(rubric.id, status, best.share * rubric.points, rubric.points, best.says, given=given)


def _unknown(rubric: TypedRubric, value: Plain, form: str) -> str:
    typed = _THOUSANDS.fullmatch(value.strip() if isinstance(value, str) else form)
    if typed and rubric.kind == "number" and rubric.places is None:
        whole, rest = typed.groups()
        return (
            f"{whole}.{rest} is read as {whole} and a fraction: the dot begins the decimals. "
            f"If you mean thousands, write {whole}{rest} or {whole}_{rest}."
        )
    places = f" Compared to {rubric.places} decimal places." if rubric.places else ""
    return "That is not it, and it is none of the usual slips." + places
