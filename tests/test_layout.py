"""Drawn parameters: the same numbers whatever the layout, and binding where the solution's layout is claimed only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from test_probe import learned

from autograde import exercise
from autograde.evidence import Evidence, Plain, Tensor
from autograde.exercise import Code
from autograde.judge import judge
from autograde.layout import LARGEST, is_consistent, is_recognised, numbers_for
from autograde.probe import probe
from autograde.rubric import CodeRubric, code_rubric, draw_calls, plan_for, unsound

OTHER = "class F(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        {}\n"
SOLUTION = OTHER.format("self.a = nn.Linear(n, 4 * n); self.b = nn.Linear(4 * n, n)") + (
    "    def forward(self, x):\n        return self.b(torch.relu(self.a(x)))\n"
)
FEW = "self.a, self.b = nn.Linear(n, 4 * n), nn.Linear(4 * n, n)"
OWN = (
    "self.p, self.q = (nn.Parameter(torch.randn(i, o)) for i, o in ((n, 4 * n), (4 * n, n)))\n"
    "        self.s, self.t = nn.Parameter(torch.zeros(4 * n)), nn.Parameter(torch.zeros(n))"
)
FUSED = (
    "self.w = nn.Parameter(torch.randn(2, 4 * n, n)); self.s = nn.Parameter(torch.zeros(4 * n))\n"
    "        self.t = nn.Parameter(torch.zeros(n))"
)


def module(init: str, forward: str) -> str:
    return OTHER.format(init) + f"    def forward(self, x):\n        return {forward}\n"


# Each is right, laid out in its own way.
RIGHT = {
    "other names": module(
        "self.out = nn.Linear(4 * n, n); self.inn = nn.Linear(n, 4 * n)", "self.out(torch.relu(self.inn(x)))"
    ),
    "own matrices": module(OWN, "torch.relu(x @ self.p + self.s) @ self.q + self.t"),
    "convolutions": module(
        "self.a, self.b = nn.Conv1d(n, 4 * n, 1), nn.Conv1d(4 * n, n, 1)",
        "self.b(torch.relu(self.a(x.transpose(1, 2)))).transpose(1, 2)",
    ),
    "lazy": module("self.a, self.b = nn.LazyLinear(4 * n), nn.LazyLinear(n)", "self.b(torch.relu(self.a(x)))"),
}
NOT_RECOGNISED = {
    "one block of three axes": module(FUSED, "torch.relu(x @ self.w[0].T + self.s) @ self.w[1] + self.t"),
    "halves": module(
        "self.a, self.c = nn.Linear(n, 2 * n), nn.Linear(n, 2 * n); self.b = nn.Linear(4 * n, n)",
        "self.b(torch.relu(torch.cat([self.a(x), self.c(x)], -1)))",
    ),
}
# Each has the right parameters, all of them get gradients, and gives the right output for constants.
HOLLOW = {
    "the mean of each row": module(
        FEW,
        "torch.relu(x.sum(-1, keepdim=True) * self.a.weight.mean(-1) + self.a.bias) @ self.b.weight.T + self.b.bias",
    ),
    "rows of the other": module(
        FEW, "torch.relu(x @ self.a.weight.flip(-1).T + self.a.bias) @ self.b.weight.T + self.b.bias"
    ),
    "one unit for all": module(
        FEW, "torch.relu(self.a(x)).amax(-1, keepdim=True) @ self.b.weight.sum(-1)[None] + self.b.bias"
    ),
}


def one(*, drawn: bool = True) -> Code:
    def cases(draw: Any) -> list[Any]:
        inputs = [draw.normal(2, 5, 3)]
        return [exercise.case("one", 3, inputs=inputs, fills=[(0.5, 0.1), (-0.25, 0.2)], drawn=drawn)]

    return Code("ff", "module", calls=cases)


def rubric(seed: str, *, drawn: bool = True, source: str = SOLUTION) -> CodeRubric:
    calls = draw_calls(one(drawn=drawn), seed)
    expected = probe(plan_for(one(drawn=drawn), calls), learned(source))
    assert unsound(expected) == []
    return code_rubric(one(drawn=drawn), "F", 4.0, calls, expected, ())


def judged(rubric: CodeRubric, source: str, seed: int = 7) -> tuple[str, str, Evidence]:
    evidence = probe(rubric.plan, learned(source), seed)
    verdict = judge(rubric, evidence)
    return verdict.status, verdict.message, evidence


@pytest.mark.parametrize("seed", ["public", "a class"])
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_right_however_it_is_laid_out(name: str, seed: str) -> None:
    known = rubric(seed)
    status, _, evidence = judged(known, RIGHT[name])
    assert is_recognised(evidence["one: layout"], known.expected["one: layout"])
    assert status == "passed"


@pytest.mark.parametrize("name", NOT_RECOGNISED)
def test_a_layout_that_is_not_recognised_costs_nothing(name: str) -> None:
    known = rubric("public")
    status, _, evidence = judged(known, NOT_RECOGNISED[name])
    assert not is_recognised(evidence["one: layout"], known.expected["one: layout"])
    assert status == "passed"


@pytest.mark.parametrize("name", HOLLOW)
def test_what_is_right_for_constants_only_is_told(name: str) -> None:
    assert judged(rubric("public", drawn=False), HOLLOW[name])[0] == "passed", "constants do not see it"
    status, message, evidence = judged(rubric("public"), HOLLOW[name])
    assert status == "failed"
    assert message.startswith("With one number for all weights")
    assert isinstance(evidence["one: drawn"], Tensor)


def test_an_author_may_say_it_otherwise_and_give_it_points() -> None:
    known = replace(rubric("public"), says={"drawn": "Look at the weights."}, parts={"one: drawn": 1})
    verdict = judge(known, probe(known.plan, learned(HOLLOW["the mean of each row"])))
    assert (verdict.status, verdict.score, verdict.message) == ("partial", 3.0, "Look at the weights.")


def test_seeds_draw_other_numbers_and_do_not_tell_the_class() -> None:
    (public,), (secret,) = (draw_calls(one(), seed) for seed in ("public", "a class"))
    assert public.seed != secret.seed  # type: ignore[attr-defined]
    assert "class" not in str(plan_for(one(), [secret]))
    assert numbers_for((3, 4), "a") != numbers_for((3, 4), "b")
    assert "drawn" not in str(plan_for(one(drawn=False), draw_calls(one(drawn=False), "public"))), (
        "nothing more is sent"
    )


@pytest.mark.parametrize(("a", "b"), [((2, 5), (5, 2)), ((2, 5), (5, 2, 1)), ((4,), (1, 4)), ((1,), ())])
def test_turned_matrices_and_axes_of_size_1_are_the_same(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    one, other = torch.tensor(numbers_for(a, "s")).reshape(a), torch.tensor(numbers_for(b, "s")).reshape(b)
    one, other = one.squeeze(), other.squeeze()
    assert torch.equal(one if one.shape == other.shape else one.T, other)
    assert is_recognised([[*a]], [[*b]])


def test_a_square_matrix_is_the_same_both_ways_and_its_numbers_differ() -> None:
    square = torch.tensor(numbers_for((6, 6), "s")).reshape(6, 6)
    assert torch.equal(square, square.T)
    assert len(square.unique()) == 21
    assert len(set(numbers_for((3, 5), "s"))) == 15
    assert all(-1 <= number <= 1 for number in numbers_for((50,), "s"))


def test_other_shapes_are_not_recognised() -> None:
    known: Plain = [[3, 12], [12], [12, 3], [3]]
    assert is_recognised([[3], [12, 3, 1], [3, 12], [12]], known)
    for other in ([[3, 12], [12], [12, 3]], [[3, 12], [12], [12, 3], [3], [1]], [[36], [12], [12, 3], [3]], [], None):
        assert not is_recognised(other, known)
    assert not is_recognised([[3, 3, 3]], [[3, 3, 3]]), "nobody knows which axis is which"


@pytest.mark.parametrize(
    "layout", [None, 3, [], [3], [[-1, -12]], [[True, 12]], [[12.0]], ["12"], [[4, 4]], [[1 << 50]], [[1] * 99 + [12]]]
)
def test_a_claim_that_contradicts_itself_fails(layout: Any) -> None:
    assert not is_consistent(layout, 12)
    known = rubric("public")
    evidence = dict(known.expected) | {"one: layout": layout}
    assert judge(known, evidence).status == "failed"


def test_what_stands_in_a_numbers_place_fails_where_the_layout_is_recognised() -> None:
    known = rubric("public")
    for claim in (None, True, 1.0, [], Tensor("float32", (2, 5, 3), bytes(120))):
        assert judge(known, dict(known.expected) | {"one: drawn": claim}).status == "failed"
    assert judge(known, {k: v for k, v in known.expected.items() if k != "one: drawn"}).status == "failed"


def test_a_solution_with_three_axes_is_an_authors_fault() -> None:
    calls = draw_calls(one(), "public")
    expected = probe(plan_for(one(), calls), learned(NOT_RECOGNISED["one block of three axes"]))
    assert any("leave `drawn` out" in fault for fault in unsound(expected))


def test_what_is_too_large_is_not_filled() -> None:
    source = module(
        f"{FEW}; self.c = nn.Linear({LARGEST}, 1)", "self.b(torch.relu(self.a(x))) + 0 * self.c.weight.sum()"
    )
    assert judged(rubric("public"), source)[2]["one: drawn"] is None
