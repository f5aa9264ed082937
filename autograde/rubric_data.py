"""Rubrics as plain data: what a seal hides, and what a grader keeps between runs."""

from __future__ import annotations

from typing import Any

from autograde.evidence import Plain
from autograde.rubric import CodeRubric, KnownWrong, OpenAnswers, Outcome, Rubric, TypedRubric


def to_plain(rubric: Rubric) -> dict[str, Plain]:
    """An open rubric as plain data."""
    data: dict[str, Any] = {name: getattr(rubric, name) for name in rubric.__dataclass_fields__}
    if isinstance(rubric, TypedRubric):
        assert isinstance(rubric.answers, OpenAnswers)
        data["answers"] = {form: [outcome.share, outcome.says] for form, outcome in rubric.answers.outcomes.items()}
        data["options"] = list(rubric.options)
        return data
    data["wrong"] = [{"says": wrong.says, "evidence": wrong.evidence} for wrong in rubric.wrong]
    data["bounds"] = {name: list(bounds) for name, bounds in rubric.bounds.items()}
    return data


def from_plain(data: Any) -> Rubric:
    """The rubric in plain data. Raises KeyError, TypeError, ValueError where it is none."""
    fields = dict(data)
    if "answers" in fields:
        answers = {str(form): Outcome(float(share), str(says)) for form, (share, says) in fields["answers"].items()}
        return TypedRubric(**fields | {"answers": OpenAnswers(answers), "options": tuple(fields["options"])})
    fields["wrong"] = tuple(KnownWrong(wrong["says"], wrong["evidence"]) for wrong in fields["wrong"])
    fields["bounds"] = {name: (low, high) for name, (low, high) in fields["bounds"].items()}
    return CodeRubric(**fields)
