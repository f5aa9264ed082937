"""Exceptions whose text says what went wrong."""

from __future__ import annotations

import pytest

from autograde.evidence import Plain, Raised, Tensor
from autograde.judge import judge
from autograde.judge_slips import slip
from autograde.rubric import CodeRubric


def unknown(name: str) -> Raised:
    """What Python raises for a name that it does not know."""
    return Raised("NameError", f"name '{name}' is not defined", 7, f"return {name}(x)")


def test_an_underscore_for_a_dot() -> None:
    assert slip("module", unknown("self_narrow")).startswith("`self_narrow` is a plain name")
    assert "`self.narrow`" in slip("module", unknown("self_narrow"))


def test_a_name_without_self() -> None:
    assert "`self.narrow`" in slip("module", unknown("narrow"))


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("function", unknown("narrow")),
        ("module", Raised("NameError", "name 'narrow' is taken")),
        ("module", Raised("RuntimeError", "name 'narrow' is not defined")),
        ("module", Tensor("bool", (), b"\0")),
        ("module", None),
    ],
)
def test_nothing_is_given_away(kind: str, fault: Plain) -> None:
    assert slip(kind, fault) == ""


def test_the_judge_says_it() -> None:
    expected: dict[str, Plain] = {"wide: parameters": 7, "wide": Tensor("bool", (), b"\1")}
    rubric = CodeRubric("ff-module", "module", "FeedForward", 2, {"kind": "module", "calls": []}, expected)
    verdict = judge(rubric, {"wide: parameters": 7, "wide": unknown("self_narrow")})
    assert (verdict.status, verdict.score) == ("error", 0)
    assert verdict.message == slip("module", unknown("self_narrow"))
    assert "NameError" in verdict.detail
