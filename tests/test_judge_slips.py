"""Faults whose text or kind says what went wrong."""

from __future__ import annotations

import pytest

from autograde.evidence import Evidence, Opaque, Plain, Raised, Tensor
from autograde.judge import judge
from autograde.judge_slips import slip
from autograde.rubric import CodeRubric

EXPECTED: Evidence = {"wide: parameters": 7, "wide: tokens": Tensor("bool", (1,), b"\1")}


def rubric(kind: str = "module") -> CodeRubric:
    """Of an exercise that wants seven parameters."""
    return CodeRubric("ff-module", kind, "FeedForward", 2, {"kind": kind, "calls": []}, EXPECTED)


def unknown(name: str) -> Raised:
    """What Python raises for a name that it does not know."""
    return Raised("NameError", f"name '{name}' is not defined", 7, f"return {name}(x)")


def said(fault: Plain, kind: str = "module", **more: Plain) -> str:
    """What is said of a fault that stands in place of a module."""
    return slip(rubric(kind), {"wide": fault} | more, "wide: parameters")


def test_an_underscore_for_a_dot() -> None:
    assert said(unknown("self_narrow")).startswith("`self_narrow` is a plain name")
    assert "`self.narrow`" in said(unknown("self_narrow"))


def test_a_name_without_self() -> None:
    assert "`self.narrow`" in said(unknown("narrow"))


def test_a_name_without_its_library() -> None:
    assert "`torch.sqrt`" in said(unknown("sigmoid"), "function")
    assert "self" not in said(unknown("self_narrow"), "function").replace("`self_narrow`", "")


def test_a_class_that_is_no_module() -> None:
    assert "class FeedForward(nn.Module)" in said(Opaque("FeedForward"))


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("module", Raised("NameError", "name 'narrow' is taken")),
        ("module", Raised("RuntimeError", "name 'narrow' is not defined")),
        ("module", Tensor("bool", (), b"\0")),
        ("module", None),
        ("function", Opaque("FeedForward")),
    ],
)
def test_nothing_is_given_away(kind: str, fault: Plain) -> None:
    assert said(fault, kind) == ""


def test_an_object_that_a_module_gives_back_is_no_class() -> None:
    assert said(Opaque("Result"), **{"wide: parameters": 7}) == ""


@pytest.mark.parametrize("fault", [unknown("self_narrow"), Opaque("FeedForward")])
def test_the_judge_says_it(fault: Plain) -> None:
    verdict = judge(rubric(), {"wide": fault})
    assert (verdict.status, verdict.score) == ("error" if isinstance(fault, Raised) else "failed", 0)
    assert verdict.message == said(fault)
