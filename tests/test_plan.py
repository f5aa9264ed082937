"""A plan is plain data: it can be sealed, and sent elsewhere, and it shows a learner what was called."""

from __future__ import annotations

from typing import Any

import torch

from autograde import exercise
from autograde.evidence import Source, Tensor, Tuple, from_bytes, to_bytes
from autograde.plan import TYPED_PLAN, describe_arguments, plan_of


def the_call(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """One call as a plan holds it."""
    plan: Any = plan_of("function", [exercise.call("label", *args, **kwargs)])
    return plan["calls"][0]  # type: ignore[no-any-return]


def test_a_plan_survives_its_bytes() -> None:
    plan = plan_of(
        "module",
        [exercise.case("wide", 6, widen=2, inputs=[torch.ones(2, 6)], fills=[(0.2, 0.1)])],
        gradient=True,
        forbid=["softmax"],
        measure="def measure(value): return {}",
    )
    assert from_bytes(to_bytes(plan)) == plan
    assert from_bytes(to_bytes(TYPED_PLAN)) == TYPED_PLAN


def test_a_plan_holds_all_that_the_probe_needs() -> None:
    plan = plan_of("module", [exercise.case("wide", 6, inputs=[torch.ones(2)], fills=[(1, -2)])], forbid=["softmax"])
    assert plan["forbid"] == ["softmax"]
    assert plan["gradient"] is False
    ones = Tensor("float32", (2,), b"\0\0\x80?" * 2)
    assert plan["calls"] == [{"label": "wide", "args": [6], "kwargs": {}, "inputs": [ones], "fills": [[1.0, -2.0]]}]


def test_a_plan_holds_no_sentence_and_no_tolerance() -> None:
    call = exercise.call("label", 1, says="The scores are not scaled.", tolerance=0.125)
    assert b"scaled" not in to_bytes(plan_of("function", [call]))
    assert b"0.125" not in to_bytes(plan_of("function", [call]))


def test_source_stays_source_wherever_it_stands() -> None:
    source = exercise.source("lambda q: q")
    call = the_call(source, [source, 1], (source,), {"score": source}, f=source)
    assert call["args"] == [source, [source, 1], Tuple((source,)), {"score": source}]
    assert call["kwargs"] == {"f": Source("lambda q: q")}


def test_a_call_is_shown_with_tensors_by_their_shape() -> None:
    call = the_call(torch.zeros(2, 3), torch.ones(2, 3, dtype=torch.bool), 5, None, scale="yes")
    assert describe_arguments(call) == "(2, 3), mask (2, 3), 5, None, scale='yes'"


def test_short_source_is_shown_and_long_source_is_a_function() -> None:
    assert describe_arguments(the_call(exercise.source("lambda q: q"))) == "lambda q: q"
    assert describe_arguments(the_call(exercise.source("def f(x):\n    return x"))) == "a function"


def test_a_collection_of_tensors_is_shown_as_python_writes_it() -> None:
    assert describe_arguments(the_call([torch.zeros(2), 1], (torch.zeros(3),))) == "[(2,), 1], ((3,),)"
    assert describe_arguments(the_call({"q": torch.zeros(2)})) == "{'q': (2,)}"


def test_a_long_argument_is_cut() -> None:
    assert len(describe_arguments(the_call("x" * 1_000))) <= 60
