"""A rubric is made from what an author wrote; what could not be judged is refused."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
import torch

from autograde import exercise
from autograde.draw import Draw
from autograde.evidence import Evidence, Opaque, Plain, Raised, Tuple
from autograde.exercise import Code, Typed
from autograde.judge import judge
from autograde.plain import plain
from autograde.plan import Call
from autograde.rubric import BadExercise, OpenAnswers, code_rubric, draw_calls, typed_rubric, unsound

OPTIONS = {"a": "a: no bias.", "b": "b: it belongs.", "c": "c: not here.", "d": "d: it belongs too."}


def typed(kind: str, answer: Any, **more: Any) -> Typed:
    """A typed exercise."""
    return Typed("ff-parameters", kind, answer=answer, **more)


def earned(one: Typed, answer: object, points: float = 4.0) -> tuple[str, float, str]:
    """What an answer gets: status, score, sentence."""
    verdict = judge(typed_rubric(one, "ff_parameters", points), {"answer": plain(answer)})
    return verdict.status, verdict.score, verdict.message


def code(*calls: Call, **more: Any) -> Code:
    """A code exercise."""
    return Code("wa-attention", "function", calls=lambda draw: calls, **more)


class TestTyped:
    def test_right_answers_other_right_ones_and_wrong_ones(self) -> None:
        one = typed("number", 12, right=(13,), wrong=((14, "Fourteen."),), passed="Yes.")
        assert earned(one, 12) == earned(one, "13") == ("passed", 4.0, "Yes.")
        assert earned(one, 14) == ("failed", 0.0, "Fourteen.")
        assert earned(one, 15)[0] == "failed"

    def test_a_number_is_known_by_its_places(self) -> None:
        one = typed("number", 17.5, places=1, wrong=((15, "Too few."),))
        assert earned(one, 17.49)[0] == "passed"
        assert earned(one, 17.4)[0] == "failed"
        assert earned(one, 15.04)[2] == "Too few."

    @pytest.mark.parametrize("answer", [0.125, 0.12, 0.13, "0.13", 0.1250001])
    def test_a_right_answer_at_a_rounding_edge_is_right_rounded_either_way(self, answer: object) -> None:
        assert earned(typed("number", 0.125, places=2), answer)[0] == "passed"

    def test_every_option_has_its_sentence(self) -> None:
        one = typed("choice", "b", options=OPTIONS)
        assert earned(one, "b") == ("passed", 4.0, "b: it belongs.")
        assert earned(one, "c") == ("failed", 0.0, "c: not here.")
        assert earned(one, "e")[0] == "uncheckable"

    @pytest.mark.parametrize(
        ("chosen", "status", "score", "says"),
        [
            ({"b", "d"}, "passed", 4.0, "All of them."),
            ({"b"}, "partial", 2.0, "d: it belongs too."),
            ({"a", "b", "d"}, "partial", 2.0, "a: no bias."),
            ({"a", "b"}, "failed", 0.0, "a: no bias. d: it belongs too."),
            (set(), "failed", 0.0, "b: it belongs. d: it belongs too."),
            (set("abcd"), "failed", 0.0, "a: no bias. c: not here."),
            ({"a", "c"}, "failed", 0.0, "a: no bias. b: it belongs. c: not here. d: it belongs too."),
        ],
    )
    def test_each_option_decided_rightly_earns_its_share_and_guessing_earns_nothing(
        self, chosen: set[str], status: str, score: float, says: str
    ) -> None:
        one = typed("choices", {"b", "d"}, options=OPTIONS, passed="All of them.")
        assert earned(one, chosen) == (status, score, says)

    def test_no_option_may_be_the_answer(self) -> None:
        assert earned(typed("choices", set(), options=OPTIONS), set())[0] == "passed"

    @pytest.mark.parametrize(
        ("one", "fault"),
        [
            (typed("number", 12, wrong=((12.0, "?"),)), "reads the same as another answer"),
            (typed("number", 12, wrong=((13, "?"), ("13", "?"))), "reads the same as another answer"),
            (typed("number", 1.5, places=0, wrong=((2, "?"),)), "reads the same as another answer"),
            (typed("shape", (2, 3), wrong=(([2, 3], "?"),)), "reads the same as another answer"),
            (typed("number", True), "cannot be read as a number"),
            (typed("number", 12, wrong=((None, "?"),)), "cannot be read as a number"),
            (typed("shape", 2), "cannot be read as a shape"),
            (typed("choice", "e", options=OPTIONS), "is none of the options a, b, c, d"),
            (typed("choices", {"a", "e"}, options=OPTIONS), "is none of the options"),
            (typed("choice", "a", options={"a": "only"}), "at least two options"),
            (typed("choice", "A", options={"A": "x", "B": "y"}), "one small letter"),
            (typed("choice", "aa", options={"aa": "x", "b": "y"}), "one small letter"),
        ],
    )
    def test_answers_that_contradict_each_other_are_refused(self, one: Typed, fault: str) -> None:
        with pytest.raises(BadExercise, match=fault):
            typed_rubric(one, "x", 1.0)

    def test_the_answers_are_known_by_their_normal_form(self) -> None:
        answers = typed_rubric(typed("shape", (2, 128), wrong=(((2, 512), "Wide."),)), "x", 1.0).answers
        assert isinstance(answers, OpenAnswers)
        assert list(answers.outcomes) == ["2x128", "2x512"]
        assert answers.look_up("3x3") is None


class TestCode:
    EVIDENCE: ClassVar[Evidence] = {"one": 1.0, "one: repeatable": True, "gradient": True}

    def test_sentences_tolerances_and_bounds_come_from_the_calls(self) -> None:
        call = exercise.call("one", 1, says="One is off.", tolerance=0.5)
        one = code_rubric(code(call, says={"gradient": "No gradient."}), "f", 2.0, [call], self.EVIDENCE, ())
        assert one.says == {"one": "One is off.", "gradient": "No gradient."}
        assert judge(one, {**self.EVIDENCE, "one": 1.4}).status == "passed"
        assert judge(one, {**self.EVIDENCE, "one": 3.0}).message == "One is off."

    def test_bounds_come_from_what_is_expected(self) -> None:
        one = Code("tg-train", "experiment", measure="", expect=(exercise.between("loss", 0, 2, says="Too high."),))
        rubric = code_rubric(one, "model", 1.0, [], {}, ())
        assert judge(rubric, {"loss": 1}).status == "passed"
        assert judge(rubric, {"loss": 3}).message == "Too high."

    def test_an_exercise_that_observes_nothing_is_refused(self) -> None:
        with pytest.raises(BadExercise, match="every answer would pass"):
            code_rubric(code(), "f", 1.0, [], {}, ())

    def test_parts_must_be_observed_and_add_up(self) -> None:
        assert code_rubric(code(parts={"gradient": 1.0}), "f", 2.0, [], self.EVIDENCE, ()).parts == {"gradient": 1.0}
        with pytest.raises(BadExercise, match="'gradients', which is not observed"):
            code_rubric(code(parts={"gradients": 1.0}), "f", 2.0, [], self.EVIDENCE, ())
        with pytest.raises(BadExercise, match="parts add up to 3, the exercise is worth 2"):
            code_rubric(code(parts={"gradient": 3.0}), "f", 2.0, [], self.EVIDENCE, ())


class TestCalls:
    def test_a_seed_draws_the_same_calls(self) -> None:
        def calls(draw: Draw) -> list[Call]:
            return [exercise.call("one", draw.normal(2, 3))]

        one = Code("wa-attention", "function", calls=calls)
        first, again, other = (draw_calls(one, seed)[0].args[0] for seed in ("a", "a", "b"))
        assert torch.equal(first, again)
        assert not torch.equal(first, other)

    def test_labels_must_be_told_apart(self) -> None:
        with pytest.raises(BadExercise, match="share a label"):
            draw_calls(code(exercise.call("one"), exercise.call("one")), "seed")

    @pytest.mark.parametrize(
        "label", ["gradient", "answer", "untouched", "forbidden", "not callable", "one: unchanged"]
    )
    def test_a_label_that_names_an_observation_is_refused(self, label: str) -> None:
        with pytest.raises(BadExercise, match="cannot be a call's label"):
            draw_calls(code(exercise.call(label)), "seed")


class TestUnsound:
    def test_a_solution_that_can_be_the_reference_is_sound(self) -> None:
        fine: Evidence = {"one": plain(torch.ones(2)), "flag": False, "one: unchanged": True, "inf": float("inf")}
        assert unsound(fine) == []

    @pytest.mark.parametrize(
        ("name", "value", "fault"),
        [
            ("one", Raised("ValueError", "no"), "one: raised ValueError: no"),
            ("one", None, "one: is None"),
            ("gradient", False, "gradient: does not hold"),
            ("one: unchanged", False, "one: unchanged: does not hold"),
            ("one: repeatable", False, "one: repeatable: does not hold"),
            ("one: gradients", False, "one: gradients: does not hold"),
            ("one", plain(torch.tensor([1.0, float("nan")])), "one: holds NaN"),
            ("one", float("nan"), "one: holds NaN"),
            ("one", Tuple((1, [plain(torch.tensor(float("nan")))])), "one: holds NaN"),
            ("one", plain(torch.zeros(2, dtype=torch.complex64)), "one: holds an object that cannot be compared"),
            ("one", Opaque("generator"), "one: holds an object that cannot be compared (an object of type generator)"),
            ("one", {"weights": [Opaque("Linear")]}, "one: holds an object that cannot be compared"),
            ("untouched", True, "the solution is empty"),
        ],
    )
    def test_one_that_cannot_is_told_why(self, name: str, value: Plain, fault: str) -> None:
        (told,) = unsound({name: value})
        assert told.startswith(fault)


def test_a_clue_is_no_property_that_an_answer_must_have() -> None:
    evidence: Evidence = {"one": 1.0, "one: parameters": 0, "one: unregistered": "tensors"}
    one = code_rubric(code(exercise.call("one", 3)), "f", 1.0, [exercise.call("one", 3)], evidence, ())
    assert judge(one, evidence | {"one: unregistered": "nothing"}).status == "passed"
