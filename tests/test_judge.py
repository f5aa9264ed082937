"""The judge is a pure function of rubric and evidence, and nothing odd, missing or unknown ever passes it."""

from __future__ import annotations

import copy
import random
import struct
from collections.abc import Mapping
from typing import Any

import pytest

from autograde.compare import sample
from autograde.evidence import Evidence, Opaque, Plain, Raised, Sample, Source, Tensor, Tuple, to_bytes
from autograde.judge import judge, raised_verdict
from autograde.rubric import CodeRubric, KnownWrong, OpenAnswers, Outcome, TypedRubric
from autograde.verdict import STATUSES, Verdict


def tensor(*numbers: float, shape: tuple[int, ...] | None = None) -> Tensor:
    """Float data."""
    return Tensor("float32", (len(numbers),) if shape is None else shape, struct.pack(f"={len(numbers)}f", *numbers))


def mask(*truths: bool) -> Tensor:
    """Boolean data."""
    return Tensor("bool", (len(truths),), bytes(truths))


SHIFTED = Raised("RuntimeError", "size 3 must match size 4", 2, "return q @ k")
EXPECTED: Evidence = {
    "plain": tensor(7.31251, -0.48377, shape=(2, 1)),
    "plain: unchanged": True,
    "plain: repeatable": True,
    "masked": tensor(3.91823),
    "masked: tokens": mask(True, False),
    "loss": 8.61427,
    "count: parameters": 95713,
    "pair": Tuple((tensor(6.77512), 53147)),
    "scores": [5.28346, 64913],
    "named": {"weight": 9.46281},
    "name": "softmax",
    "gradient": True,
}
PLAN: dict[str, Plain] = {
    "kind": "function",
    "calls": [{"label": "plain", "args": [tensor(0, 0, shape=(2, 1)), 4], "kwargs": {"scale": None}}],
}
ODD: list[Plain] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    1.0,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "True",
    [],
    [None],
    {},
    Tuple(()),
    Opaque("ellipsis"),
    Opaque("Tensor"),
    Source("lambda: 1"),
    SHIFTED,
    Raised("SyntaxError", "invalid syntax", None, ""),
    Raised("NotImplementedError", ""),
    Sample((2, 1), 1, tensor(7.31251, -0.48377)),
    tensor(),
    tensor(float("nan"), float("nan"), shape=(2, 1)),
    tensor(float("inf"), float("-inf"), shape=(2, 1)),
    tensor(1.0, shape=()),
    Tensor("int64", (), struct.pack("=q", 1)),
    Tensor("bool", (), b"\0"),
    Tensor("float32", (10**6, 0), b""),
]


def rubric(**changed: Any) -> CodeRubric:
    """A function's rubric."""
    basis: dict[str, Any] = {"plan": PLAN, "expected": EXPECTED, "passed": "Each row adds up to 1."}
    return CodeRubric(id="wa-attention", kind="function", name="attention", points=4.0, **basis | changed)


def experiment(**changed: Any) -> CodeRubric:
    """An experiment's rubric."""
    basis: dict[str, Any] = {"bounds": {"loss": (0.0, 2.0), "steps": (10, 20)}, "says": {"loss": "It has not learned."}}
    return CodeRubric("tg-train", "experiment", "model", 2.0, plan={}, expected={}, **basis | changed)


def typed(kind: str = "number", outcomes: Mapping[str, Outcome] | None = None, **more: Any) -> TypedRubric:
    """A typed answer's rubric."""
    known = outcomes or {"131712": Outcome(1.0, "Right: biases and all."), "131072": Outcome(0.0, "No biases.")}
    return TypedRubric("ff-parameters", kind, "ff_parameters", 2.0, OpenAnswers(known), **more)


def seen(**changed: Plain) -> Evidence:
    """Passing evidence with changes."""
    return {**EXPECTED, **changed}


def without(name: str) -> Evidence:
    """Passing evidence that lacks an observation."""
    return {key: value for key, value in EXPECTED.items() if key != name}


class TestPassing:
    def test_what_is_as_expected_passes_with_all_points(self) -> None:
        verdict = judge(rubric(), EXPECTED)
        assert (verdict.status, verdict.score, verdict.max_score) == ("passed", 4.0, 4.0)
        assert verdict.message == "Each row adds up to 1."

    def test_more_observations_than_expected_do_no_harm(self) -> None:
        assert judge(rubric(), seen(extra=Opaque("x"))).status == "passed"

    def test_rounding_passes_and_more_does_not(self) -> None:
        assert judge(rubric(), seen(loss=8.61428)).status == "passed"
        assert judge(rubric(), seen(loss=8.6152)).status == "failed"

    def test_a_calls_own_tolerance_counts(self) -> None:
        assert judge(rubric(tolerances={"loss": 0.1}), seen(loss=8.7)).status == "passed"
        assert judge(rubric(tolerances={"masked": 0.1}), seen(loss=8.7)).status == "failed"

    @pytest.mark.parametrize(
        ("want", "got"),
        [
            (2.5, tensor(2.5, shape=())),
            (tensor(2.5, shape=()), 2.5),
            (tensor(2.0, shape=()), 2),
            (2.0, 2),
            (2, 2.0),
            (2, tensor(2.0, shape=())),
            (True, Tensor("bool", (), b"\1")),
            ([1.0, 2.0], [1, 2]),
        ],
    )
    def test_a_number_and_a_tensor_of_one_number_are_the_same(self, want: Plain, got: Plain) -> None:
        assert judge(rubric(expected={"one": want}), {"one": got}).status == "passed"

    @pytest.mark.parametrize(
        ("want", "got"),
        [
            (tensor(2.5, shape=()), 10**400),
            (tensor(2.5, shape=()), 1e300),
            (2.5, 10**400),
            (tensor(float("-inf")), tensor(0.0)),
            (1.0, True),
            (True, 1.0),
            (1, True),
            (True, tensor(1.0, shape=())),
            (tensor(2.5), 2.5),
            (2.5, [2.5]),
            (Tuple((1, 2)), [1, 2]),
        ],
    )
    def test_nothing_else_is(self, want: Plain, got: Plain) -> None:
        assert judge(rubric(expected={"one": want}), {"one": got}).status == "failed"


class TestNothingOddPasses:
    @pytest.mark.parametrize("name", EXPECTED)
    def test_a_missing_observation_does_not_pass(self, name: str) -> None:
        assert judge(rubric(), without(name)).status != "passed"

    @pytest.mark.parametrize("name", EXPECTED)
    @pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{type(odd).__name__}-{str(odd)[:30]}")
    def test_an_odd_observation_does_not_pass(self, name: str, odd: Plain) -> None:
        verdict = judge(rubric(), {**EXPECTED, name: odd})
        assert (verdict.status == "passed") is (odd is EXPECTED[name])

    @pytest.mark.parametrize("name", [name for name, value in EXPECTED.items() if isinstance(value, Tensor)])
    def test_any_changed_element_does_not_pass(self, name: str) -> None:
        value = EXPECTED[name]
        assert isinstance(value, Tensor)
        for i in range(len(value.data)):
            flipped = bytearray(value.data)
            flipped[i] ^= 1 if value.dtype == "bool" else 64
            changed = Tensor(value.dtype, value.shape, bytes(flipped))
            is_last_bits = value.dtype != "bool" and i % 4 == 0
            assert (judge(rubric(), {**EXPECTED, name: changed}).status == "passed") is is_last_bits

    def test_no_evidence_passes_nothing(self) -> None:
        for one in (rubric(), experiment(), typed()):
            assert judge(one, {}).status != "passed"

    def test_a_rubric_that_expects_nothing_passes_nothing(self) -> None:
        for evidence in ({}, EXPECTED):
            with pytest.raises(ValueError, match="expects nothing"):
                judge(rubric(expected={}), evidence)

    def test_swapped_observations_do_not_pass(self) -> None:
        assert (
            judge(rubric(), {**EXPECTED, "plain": EXPECTED["masked"], "masked": EXPECTED["plain"]}).status == "failed"
        )

    @pytest.mark.parametrize("name", ["untouched", "answer", "not callable", "not a class", "forbidden", "measure"])
    def test_a_claim_beside_passing_evidence_never_raises_a_score(self, name: str) -> None:
        strict = rubric(forbid={"softmax": "Without softmax, please."})
        for odd in (*ODD, "softmax", ["softmax"]):
            assert judge(strict, {**EXPECTED, name: odd}).score in (0.0, 4.0)
            assert judge(strict, {name: odd}).score == 0.0

    @pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{type(odd).__name__}-{str(odd)[:30]}")
    def test_an_experiments_odd_measure_does_not_pass(self, odd: Plain) -> None:
        fine: Evidence = {"loss": 1.5, "steps": 12}
        assert judge(experiment(), fine).status == "passed"
        assert judge(experiment(), fine | {"steps": odd}).status != "passed"
        assert judge(experiment(), {"steps": odd}).status != "passed"

    @pytest.mark.parametrize("kind", ["number", "numbers", "shape", "choice", "choices", "text"])
    def test_an_odd_typed_answer_does_not_pass(self, kind: str) -> None:
        one = typed(kind, {"a": Outcome(1.0, "Right.")}, options=("a", "b"))
        for odd in ODD:
            assert judge(one, {"answer": odd}).score == 0.0

    def test_any_evidence_has_a_verdict(self) -> None:
        random_ = random.Random(3)
        names = [*EXPECTED, "answer", "untouched", "not callable", "not a class", "forbidden", "measure", "steps"]
        rubrics = [
            rubric(forbid={"softmax": "No."}, parts={"gradient": 1.0, "loss": 2.0}),
            experiment(),
            typed(),
            typed("shape"),
            rubric(wrong=(KnownWrong("Odd.", {"plain": tensor(1.0)}), KnownWrong("Odder.", {"loss": 1.0}))),
        ]
        for _ in range(3_000):
            evidence = {name: random_.choice(ODD) for name in random_.sample(names, random_.randrange(4))}
            evidence = (EXPECTED | evidence) if random_.random() < 0.5 else evidence
            verdict = judge(random_.choice(rubrics), evidence)
            assert verdict.status in STATUSES
            assert 0 <= verdict.score <= verdict.max_score
            assert (verdict.score == verdict.max_score) is (verdict.status == "passed")
            assert verdict.message
            assert str(verdict)


class TestPurity:
    def test_rubric_and_evidence_stay_as_they_were(self) -> None:
        one = rubric(parts={"gradient": 1.0}, wrong=(KnownWrong("No.", {"loss": 1.0}),), forbid={"softmax": "No."})
        for evidence in (EXPECTED, seen(loss=1.0), seen(gradient=False), seen(plain=SHIFTED), {}):
            before, bytes_before = copy.deepcopy(one), to_bytes(evidence)
            judge(one, evidence)
            assert one == before
            assert to_bytes(evidence) == bytes_before

    def test_the_same_evidence_has_the_same_verdict(self) -> None:
        for odd in ODD:
            assert judge(rubric(), seen(plain=odd)) == judge(rubric(), seen(plain=copy.deepcopy(odd)))

    def test_the_order_of_the_evidence_does_not_matter(self) -> None:
        evidence = seen(loss=1.0, masked=SHIFTED)
        assert judge(rubric(), dict(reversed(evidence.items()))) == judge(rubric(), evidence)


class TestNotAttempted:
    @pytest.mark.parametrize("one", [rubric(), experiment()])
    def test_an_untouched_cell(self, one: CodeRubric) -> None:
        verdict = judge(one, {"untouched": True})
        assert (verdict.status, verdict.score) == ("not_attempted", 0.0)
        assert "write your answer" in verdict.message

    @pytest.mark.parametrize("evidence", [{}, {"answer": None}, {"answer": Opaque("ellipsis")}])
    def test_an_untouched_typed_answer(self, evidence: Evidence) -> None:
        assert judge(typed(), evidence).status == "not_attempted"

    def test_code_that_says_so_itself(self) -> None:
        assert (
            judge(rubric(), {"plain": Raised("NotImplementedError", "", 2, "raise NotImplementedError()")}).status
            == "not_attempted"
        )

    def test_only_the_truth_counts_as_untouched(self) -> None:
        assert judge(rubric(), EXPECTED | {"untouched": 1}).status == "passed"


class TestTyped:
    def test_the_right_answer_a_known_wrong_one_and_an_unknown_one(self) -> None:
        for value, status, score, message in (
            (131712, "passed", 2.0, "Right: biases and all."),
            ("131,712", "passed", 2.0, "Right: biases and all."),
            (131072, "failed", 0.0, "No biases."),
            (5, "failed", 0.0, "That is not it, and it is none of the usual slips."),
        ):
            verdict = judge(typed(), {"answer": value})
            assert (verdict.status, verdict.score, verdict.message) == (status, score, message)

    def test_what_was_answered_is_said(self) -> None:
        assert judge(typed(), {"answer": Tuple((131, 72))}).given == "(131, 72)"

    def test_an_unreadable_answer_is_told_what_to_type(self) -> None:
        verdict = judge(typed(), {"answer": Opaque("Linear")})
        assert (verdict.status, verdict.score) == ("uncheckable", 0.0)
        assert "Type a number" in verdict.message

    @pytest.mark.parametrize("typed_as", [65.664, "65.664", " 65.664 ", tensor(65.664, shape=()), 3.142, -65.664])
    def test_a_dot_between_the_thousands_is_explained(self, typed_as: Plain) -> None:
        message = judge(typed(), {"answer": typed_as}).message
        assert "the dot begins the decimals" in message
        if "3.142" not in str(typed_as):
            assert message.endswith("65664 or " + ("-65_664." if typed_as == -65.664 else "65_664."))

    @pytest.mark.parametrize("typed_as", [65.6, 65.6641, 0.125, 1234.567, "65.6640", 65664, "65,664", Tuple((65, 664))])
    def test_another_number_is_not_taken_for_thousands(self, typed_as: Plain) -> None:
        assert "the dot begins" not in judge(typed(), {"answer": typed_as}).message

    def test_where_decimals_are_compared_a_dot_is_a_dot(self) -> None:
        assert "the dot begins" not in judge(typed(places=2), {"answer": 65.664}).message

    def test_a_number_with_thousands_that_is_known_keeps_its_own_sentence(self) -> None:
        known = {"65.664": Outcome(0.0, "You divided by a thousand.")}
        assert judge(typed(outcomes=known), {"answer": 65.664}).message == "You divided by a thousand."

    @pytest.mark.parametrize(
        ("value", "given"),
        [
            (Tuple(("a", "e"), is_set=True), "{'a', 'e'}"),
            (Tuple((), is_set=True), "set()"),
            (Tuple(("a", "c")), "('a', 'c')"),
            (["a"], "['a']"),
        ],
    )
    def test_several_letters_are_shown_as_they_were_typed(self, value: Plain, given: str) -> None:
        assert judge(typed("choices", options=("a", "b", "c")), {"answer": value}).given == given

    def test_an_unknown_number_is_told_how_it_is_compared(self) -> None:
        assert "2 decimal places" in judge(typed(places=2), {"answer": 5}).message

    def test_at_a_rounding_edge_the_better_neighbour_counts(self) -> None:
        known = {"0.12": Outcome(0.0, "Cut off."), "0.13": Outcome(1.0, "Right.")}
        assert judge(typed(outcomes=known, places=2), {"answer": 0.125}).status == "passed"
        assert judge(typed(outcomes=known, places=2), {"answer": 0.1249}).message == "Cut off."

    def test_each_option_rightly_decided_earns_its_share(self) -> None:
        known = {"a,c": Outcome(1.0, "Right."), "a": Outcome(0.5, "c belongs too."), "b": Outcome(0.0, "No.")}
        for answer, status, score in ((["a", "c"], "passed", 2.0), ("a", "partial", 1.0), ("b", "failed", 0.0)):
            verdict = judge(typed("choices", known, options=("a", "b", "c")), {"answer": answer})
            assert (verdict.status, verdict.score) == (status, score)


class TestRaised:
    def test_the_learners_line_is_shown(self) -> None:
        verdict = judge(rubric(), {"answer": Raised("ZeroDivisionError", "division by zero", 3, "x = 1 / 0")})
        assert (verdict.status, verdict.score) == ("error", 0.0)
        assert verdict.detail == "line 3 of your cell:  x = 1 / 0\nZeroDivisionError: division by zero"
        assert "`attention` has no new value" in verdict.message

    def test_a_typed_answer_that_raises_is_the_same(self) -> None:
        fault = Raised("ZeroDivisionError", "division by zero", 3, "x = 1 / 0")
        assert judge(typed(), {"answer": fault}) == raised_verdict(typed(), fault)

    @pytest.mark.parametrize("type_", ["SyntaxError", "IndentationError", "TabError"])
    def test_a_cell_that_python_cannot_read(self, type_: str) -> None:
        verdict = raised_verdict(rubric(), Raised(type_, "invalid syntax", 2, "def f(:"))
        assert verdict.status == "error"
        assert "Python cannot read your answer cell" in verdict.message
        assert "line 2 of your cell:  def f(:" in verdict.detail

    def test_commas_in_a_number_are_explained(self) -> None:
        fault = Raised("SyntaxError", "leading zeros in decimal integer literals are not permitted", 1, "x = 131,072")
        assert "1024 or 1_024, not 1,024" in raised_verdict(typed(), fault).message

    @pytest.mark.parametrize("kind", ["choice", "choices", "text"])
    def test_a_letter_without_quotes_is_explained(self, kind: str) -> None:
        assert (
            "in quotes"
            in raised_verdict(typed(kind), Raised("NameError", "name 'b' is not defined", 1, "x = b")).message
        )

    def test_an_error_in_a_call_shows_the_call(self) -> None:
        verdict = judge(rubric(), seen(plain=SHIFTED))
        assert (verdict.status, verdict.score) == ("error", 0.0)
        assert "line 2 of your cell:  return q @ k" in verdict.detail
        assert "while calling attention((2, 1), 4, scale=None)   [plain]" in verdict.detail

    def test_an_experiment_that_cannot_be_measured(self) -> None:
        verdict = judge(experiment(), {"measure": SHIFTED})
        assert verdict.status == "error"
        assert "RuntimeError" in verdict.detail

    @pytest.mark.parametrize(
        ("type_", "says"),
        [("ZeroDivisionError", "stopped with a ZeroDivisionError,"), ("IndexError", "stopped with an IndexError,")],
    )
    def test_it_is_the_answer_cell_that_is_to_run_again(self, type_: str, says: str) -> None:
        for one in (rubric(), typed(), typed("choice")):
            message = raised_verdict(one, Raised(type_, "", 1, "x = f()")).message
            assert message.startswith(f"The answer cell {says}")
            assert message.endswith("run it again.")

    @pytest.mark.parametrize("code", ["x = 1.181.568", "x = 65 664", "x = 1 181 568"])
    def test_dots_and_spaces_in_a_number_are_explained(self, code: str) -> None:
        message = raised_verdict(typed(), Raised("SyntaxError", "invalid syntax", 1, code)).message
        assert "without dots or spaces between the digits: 1024 or 1_024" in message
        assert "without dots" not in raised_verdict(rubric(), Raised("SyntaxError", "invalid syntax", 1, code)).message


class TestSignature:
    """A TypeError before any line of the learner's: the call itself does not fit."""

    ATTENTION = rubric(
        expected={"plain": tensor(1.0), "masked": tensor(1.0)},
        parameters={"attention": ["q", "k", "v", "mask"]},
        plan={
            "kind": "function",
            "calls": [
                {"label": "plain", "args": [tensor(0.0)] * 3, "kwargs": {}},
                {"label": "masked", "args": [tensor(0.0)] * 4, "kwargs": {}},
                {"label": "named", "args": [tensor(0.0)], "kwargs": {"mask": None}},
            ],
        },
    )

    @pytest.mark.parametrize(
        ("label", "call"),
        [("plain", "attention(q, k, v)"), ("masked", "attention(q, k, v, mask)"), ("named", "attention(q, mask=None)")],
    )
    @pytest.mark.parametrize(
        "message",
        [
            "attention() takes 2 positional arguments but 3 were given",
            "attention() missing 1 required positional argument: 'scale'",
            "attention() got an unexpected keyword argument 'mask'",
            "<lambda>() takes 1 positional argument but 3 were given",
        ],
    )
    def test_the_wanted_call_is_named(self, label: str, call: str, message: str) -> None:
        one = rubric(plan=self.ATTENTION.plan, parameters=self.ATTENTION.parameters, expected={label: tensor(1.0)})
        verdict = judge(one, {label: Raised("TypeError", message)})
        assert verdict.status == "error"
        assert f"It is called as `{call}`" in verdict.message
        assert message in verdict.detail

    def test_a_type_error_of_the_learners_own_is_none_of_it(self) -> None:
        for fault in (
            Raised("TypeError", "relu() takes 1 positional argument but 2 were given", 3, "return relu(x, 0)"),
            Raised("TypeError", "unsupported operand type(s) for +: 'int' and 'str'"),
            Raised("ValueError", "attention() takes 2 positional arguments but 3 were given"),
        ):
            assert judge(self.ATTENTION, {"plain": fault}).message == "Your code raised an error."

    def test_without_the_solutions_words_the_call_is_shown_as_it_is(self) -> None:
        one = rubric(plan=self.ATTENTION.plan, expected={"plain": tensor(1.0)})
        fault = Raised("TypeError", "attention() takes 2 positional arguments but 3 were given")
        assert "It is called as `attention((1,), (1,), (1,))`." in judge(one, {"plain": fault}).message

    def module(self) -> CodeRubric:
        """A module's rubric."""
        call: dict[str, Plain] = {"label": "wide", "args": [6], "kwargs": {"widen": 3}, "inputs": [], "fills": []}
        return CodeRubric(
            "ff-module",
            "module",
            "FeedForward",
            2.0,
            plan={"kind": "module", "calls": [call]},
            expected={"wide: parameters": 6, "wide: repeatable": True},
            parameters={"__init__": ["n_embd", "widen"], "forward": ["x"]},
        )

    def test_a_class_that_cannot_be_built(self) -> None:
        fault = Raised("TypeError", "FeedForward.__init__() takes 1 positional argument but 2 were given")
        message = judge(self.module(), {"wide": fault}).message
        assert "It is called as `FeedForward(n_embd, widen=3)`, and its methods take `self` first." in message

    def test_a_forward_without_self(self) -> None:
        fault = Raised("TypeError", "FeedForward.forward() takes 1 positional argument but 2 were given")
        message = judge(self.module(), {"wide: parameters": 6, "wide": fault}).message
        assert "Write `def forward(self, x)`." in message


class TestNoParameters:
    """Zero trainable parameters: the sentence names the cause that was seen."""

    EXPECTED: Evidence = {"wide: parameters": 6, "wide: repeatable": True}  # noqa: RUF012
    LISTED = KnownWrong("The layers stand in a plain list.", {"wide: parameters": 0, "wide: unregistered": "layers"})

    def said(self, where: Plain, count: int = 0, **more: Any) -> str:
        """What is said of a module with so many parameters."""
        one = rubric(expected=self.EXPECTED, says={"parameters": "The number is off."}, **more)
        evidence = {"wide: parameters": count, "wide: unregistered": where, "wide: repeatable": True}
        return judge(one, evidence).message

    def test_each_cause_has_its_sentence(self) -> None:
        assert "plain list or dict" in self.said("layers")
        assert "plain tensors" in self.said("tensors")
        assert "frozen" in self.said("frozen")
        nothing = self.said("nothing")
        assert "makes no layers" in nothing
        assert "where torch does not look" in nothing

    def test_what_is_not_known_is_not_said(self) -> None:
        for where in (None, 3, "", "elsewhere", SHIFTED):
            assert self.said(where) == "The number is off."
        assert self.said("layers", count=5) == "The number is off."

    def test_a_known_wrong_answer_is_recognised_by_its_cause(self) -> None:
        assert self.said("layers", wrong=(self.LISTED,)) == self.LISTED.says
        assert self.said("tensors", wrong=(self.LISTED,)) != self.LISTED.says
        assert self.said("nothing", wrong=(self.LISTED,)) != self.LISTED.says


class TestKnownWrong:
    SWAPPED = KnownWrong("Query and key are swapped.", {"plain": tensor(1.0, 2.0, shape=(2, 1)), "loss": 3.5})
    CAUSAL = KnownWrong("The mask is left out.", {"masked": tensor(9.0)})
    ONE = rubric(wrong=(SWAPPED, CAUSAL))

    def test_it_earns_its_own_sentence(self) -> None:
        for known in (self.SWAPPED, self.CAUSAL):
            verdict = judge(self.ONE, EXPECTED | known.evidence)
            assert (verdict.status, verdict.score, verdict.message) == ("failed", 0.0, known.says)

    def test_all_of_it_must_be_seen(self) -> None:
        assert judge(self.ONE, seen(loss=3.5)).message == "The output is not what the exercise asks for."

    def test_where_two_meet_the_first_output_that_is_off_is_explained(self) -> None:
        both = seen(plain=self.SWAPPED.evidence["plain"], masked=tensor(1234.0))
        assert judge(self.ONE, both).message == self.SWAPPED.says

    def test_one_that_fails_before_is_no_explanation(self) -> None:
        early = KnownWrong("Never scaled.", {"plain": tensor(1.0, 2.0, shape=(2, 1)), "masked": tensor(9.0)})
        one = rubric(wrong=(early,), says={"masked": "Only with the mask it is off."})
        assert judge(one, seen(masked=tensor(9.0))).message == "Only with the mask it is off."
        assert judge(one, EXPECTED | early.evidence | {"loss": 1.0}).message == "Never scaled."

    def test_a_long_output_is_recognised_by_its_sample(self) -> None:
        long = tensor(*map(float, range(100)))
        one = rubric(wrong=(KnownWrong("Not scaled.", {"plain": sample(long)}),))
        assert judge(one, seen(plain=long)).message == "Not scaled."
        assert judge(one, seen(plain=tensor(*map(float, range(99))))).message != "Not scaled."

    def test_one_that_shows_nothing_is_never_recognised(self) -> None:
        one = rubric(wrong=(KnownWrong("Random.", {}),))
        assert judge(one, seen(loss=1.0)).message != "Random."

    def test_a_right_answer_is_never_taken_for_it(self) -> None:
        one = rubric(wrong=(KnownWrong("No.", {"plain": EXPECTED["plain"]}),))
        assert judge(one, EXPECTED).status == "passed"

    def test_an_error_can_be_a_known_wrong_answer(self) -> None:
        one = rubric(wrong=(KnownWrong("Transpose the keys.", {"plain": SHIFTED}),))
        verdict = judge(one, seen(plain=Raised("RuntimeError", "size 7 must match size 9", 5, "q @ k")))
        assert (verdict.status, verdict.message) == ("error", "Transpose the keys.")


class TestParts:
    ONE = rubric(parts={"gradient": 1.0, "loss": 2.0})

    @pytest.mark.parametrize(
        ("changed", "status", "score"),
        [
            ({}, "passed", 4.0),
            ({"gradient": False}, "partial", 3.0),
            ({"gradient": None}, "partial", 3.0),
            ({"loss": 1.0}, "partial", 2.0),
            ({"gradient": False, "loss": 1.0}, "partial", 1.0),
            ({"gradient": False, "name": "x"}, "failed", 0.0),
            ({"name": "x"}, "failed", 0.0),
        ],
    )
    def test_a_part_that_is_off_costs_its_points(self, changed: Evidence, status: str, score: float) -> None:
        verdict = judge(self.ONE, EXPECTED | changed)
        assert (verdict.status, verdict.score) == (status, score)

    def test_a_missing_part_costs_its_points_too(self) -> None:
        assert judge(self.ONE, without("gradient")).score == 3.0

    def test_the_sentence_says_what_is_missing(self) -> None:
        assert "no gradient flows back" in judge(self.ONE, seen(gradient=False)).message
        spoken = rubric(parts={"gradient": 1.0}, says={"gradient": "Stay in torch."})
        assert judge(spoken, seen(gradient=False)).message == "Stay in torch."


class TestForbidden:
    ONE = rubric(forbid={"softmax": "Write the softmax yourself.", "bmm": "Use @."})

    def test_not_used_is_fine(self) -> None:
        assert judge(self.ONE, seen(forbidden=[])).status == "passed"

    @pytest.mark.parametrize(
        ("used", "message"),
        [
            (["softmax"], "Write the softmax yourself."),
            (["bmm"], "Use @."),
            (["bmm", "softmax"], "Write the softmax yourself."),
            (None, "Write the softmax yourself."),
            ("bmm", "Write the softmax yourself."),
            (["else"], "Write the softmax yourself."),
        ],
    )
    def test_used_or_not_known_fails_with_its_sentence(self, used: Plain, message: str) -> None:
        verdict = judge(self.ONE, seen(forbidden=used))
        assert (verdict.status, verdict.score, verdict.message) == ("failed", 0.0, message)


class TestSentences:
    """What is said where no wrong answer is recognised."""

    @pytest.mark.parametrize(
        ("kind", "part"),
        [
            ("unchanged", "changes what it was given"),
            ("repeatable", "two different outputs"),
            ("parameters", "number of trainable parameters"),
            ("tokens", "Tokens depend on each other"),
            ("batch", "entries of a batch influence each other"),
            ("gradients", "Not every parameter gets a gradient"),
        ],
    )
    def test_each_property_has_a_sentence_and_an_author_may_give_another(self, kind: str, part: str) -> None:
        name = f"plain: {kind}"
        one = rubric(expected={name: True})
        assert part in judge(one, {name: False}).message
        assert judge(rubric(expected={name: True}, says={kind: "Own words."}), {name: False}).message == "Own words."

    def test_a_calls_own_sentence_comes_before_the_general_one(self) -> None:
        one = rubric(says={"masked": "With the mask it is off."})
        assert judge(one, seen(masked=tensor(1.0))).message == "With the mask it is off."
        assert (
            judge(one, seen(plain=tensor(1.0, 1.0, shape=(2, 1)))).message
            == "The output is not what the exercise asks for."
        )

    def test_the_first_thing_that_is_off_is_named(self) -> None:
        one = rubric(says={"plain": "First.", "masked": "Second."})
        assert judge(one, seen(masked=tensor(1.0), plain=tensor(1.0, 1.0, shape=(2, 1)))).message == "First."

    def test_a_forgotten_return(self) -> None:
        verdict = judge(rubric(), seen(plain=None))
        assert verdict.message.startswith("Your code returned None for attention((2, 1), 4, scale=None)")

    def test_a_wrong_shape(self) -> None:
        verdict = judge(rubric(), seen(plain=tensor(1.0, 2.0)))
        assert verdict.message == "The output has the wrong shape."
        assert "gave shape (2,), expected shape (2, 1)" in verdict.detail

    def test_no_tensor(self) -> None:
        verdict = judge(rubric(), seen(plain=Tuple((tensor(1.0), 2))))
        assert verdict.message == "A tensor is expected."
        assert "gave a tuple of 2" in verdict.detail

    def test_a_module_that_gives_back_no_tensor(self) -> None:
        one = rubric(expected={"wide: parameters": 6, "wide: unchanged": True, "wide: repeatable": True})
        for output in ([[1.0]], Tuple((tensor(1.0),)), 3):
            assert judge(one, {"wide: parameters": 6, "wide": output}).message == "A tensor is expected."

    def test_a_class_without_its_method_is_no_untouched_one(self) -> None:
        one = rubric(expected={"wide: parameters": 6})
        torchs = Raised("NotImplementedError", 'Module [M] is missing the required "forward" function')
        assert judge(one, {"wide": torchs}).status == "error"
        assert judge(one, {"wide": Raised("NotImplementedError", "", 3, "raise")}).status == "not_attempted"

    def test_a_modules_wrong_shape_is_told_before_its_properties(self) -> None:
        expected = {"wide: parameters": 6, "wide: tokens": tensor(1.0, 0.0), "wide: fill 1, input 1": tensor(1.0, 2.0)}
        evidence = {"wide: parameters": 5, "wide: fill 1, input 1": tensor(1.0)}
        verdict = judge(rubric(expected=expected), evidence)
        assert verdict.message == "The output has the wrong shape."
        assert "gave shape (1,), expected shape (2,)" in verdict.detail

    def test_what_is_missing_is_told_last(self) -> None:
        expected = {"wide: tokens": tensor(1.0, 0.0), "wide: fill 1, input 1": tensor(1.0, 2.0)}
        verdict = judge(rubric(expected=expected), {"wide: fill 1, input 1": tensor(1.0, float("nan"))})
        assert "off first at [1]: yours is nan there" in verdict.detail

    @pytest.mark.parametrize(
        ("got", "gave"),
        [
            ("yes", "str 'yes'"),
            (1.0, "float 1.0"),
            (mask(True, False), "a bool tensor of shape (2,)"),
            (tensor(1.0, shape=()), "a float32 tensor of shape ()"),
        ],
    )
    def test_no_single_truth_value(self, got: Plain, gave: str) -> None:
        one = rubric(expected={"plain": True}, says={"plain": "This function mixes tokens."})
        verdict = judge(one, {"plain": got})
        assert verdict.message == "One True or False is expected."
        assert verdict.detail.endswith(f"gave {gave}")

    def test_a_truth_value_that_is_wrong_has_its_calls_sentence(self) -> None:
        one = rubric(expected={"plain": True}, says={"plain": "This function mixes tokens."})
        for false in (False, Tensor("bool", (), b"\0")):
            assert judge(one, {"plain": false}).message == "This function mixes tokens."

    @pytest.mark.parametrize(
        ("want", "got", "message"),
        [
            (2.5, tensor(1.0, 2.0), "One number is expected."),
            (2, True, "One number is expected."),
            (2, "2", "One number is expected."),
            (Tuple((1, 2)), [1, 2], "A tuple of 2 is expected."),
            (Tuple((1, 2)), Tuple((1, 2), is_set=True), "A tuple of 2 is expected."),
            ([1, 2], [1, 2, 3], "A list of 2 is expected."),
            ({"a": 1}, 3, "A dict of 1 is expected."),
            ("softmax", 3, "A text is expected."),
            (tensor(1.0, shape=()), True, "A tensor is expected."),
        ],
    )
    def test_a_value_of_another_kind(self, want: Plain, got: Plain, message: str) -> None:
        assert judge(rubric(expected={"plain": want}), {"plain": got}).message == message

    def test_a_wrong_output_says_where(self) -> None:
        verdict = judge(rubric(), seen(plain=tensor(7.31251, 2.0, shape=(2, 1))))
        assert "off first at [1, 0]: yours is 2 there" in verdict.detail
        assert "attention((2, 1), 4, scale=None)   [plain]" in verdict.detail

    def test_what_was_handed_in_instead_of_a_function_or_a_class(self) -> None:
        assert judge(rubric(), {"not callable": 3}).message == "`attention` is 3, not a function."
        module = CodeRubric("ff-module", "module", "FeedForward", 1.0, PLAN, EXPECTED)
        assert judge(module, {"not callable": 3}).message == "`FeedForward` is 3, not a class."
        assert "not an instance" in judge(module, {"not a class": True}).message

    def test_an_experiments_own_sentence(self) -> None:
        verdict = judge(experiment(), {"loss": 2.5, "steps": 12})
        assert (verdict.status, verdict.message) == ("failed", "It has not learned.")
        assert "2.5" in verdict.detail

    @pytest.mark.parametrize(("loss", "status"), [(0.0, "passed"), (2.0, "passed"), (2.01, "failed"), (-0.1, "failed")])
    def test_both_bounds_are_included(self, loss: float, status: str) -> None:
        assert judge(experiment(), {"loss": loss, "steps": 10}).status == status


def numbers_in(value: Plain) -> list[float]:
    """All the numbers that an expected value gives away."""
    if isinstance(value, Tensor):
        return value.numbers() if value.dtype != "bool" else []
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, int | float):
        return [value]
    if isinstance(value, Tuple | list | dict):
        items = value.items if isinstance(value, Tuple) else value.values() if isinstance(value, dict) else value
        return [number for item in items for number in numbers_in(item)]  # type: ignore[union-attr]
    return []


SECRETS = [f"{abs(number):.4g}" for value in EXPECTED.values() for number in numbers_in(value)]


def gives_away(verdict: Verdict) -> list[str]:
    """The expected numbers that a verdict shows."""
    text = f"{verdict} {verdict!r} {verdict._repr_html_()}"
    return [secret for secret in SECRETS if secret in text]


def test_no_verdict_shows_an_expected_number() -> None:
    assert len(set(SECRETS)) == 10
    random_ = random.Random(5)
    harmless = [odd for odd in ODD if not isinstance(odd, Sample)]
    near: list[Plain] = [
        tensor(1.5, 2.5, shape=(2, 1)),
        tensor(4.5),
        4.5,
        17,
        Tuple((tensor(4.5), 17)),
        [4.5, 17],
        {"weight": 4.5},
    ]
    for _ in range(2_000):
        changed = {
            name: random_.choice(harmless + near) for name in random_.sample(list(EXPECTED), random_.randint(1, 3))
        }
        verdict = judge(rubric(parts={"gradient": 1.0}), EXPECTED | changed)
        assert gives_away(verdict) == [], changed
    for name in EXPECTED:
        assert gives_away(judge(rubric(), without(name))) == []


def test_no_verdict_on_a_typed_answer_shows_the_right_one() -> None:
    for odd in (*ODD, 5, "5", Tuple((131, 72)), 131072):
        assert "131712" not in f"{judge(typed(), {'answer': odd})}"
