"""What an author cell declares: numbers in their range, sentences that say something, help that keeps the answer."""

from __future__ import annotations

from typing import Any

import pytest
from tiny import SOURCES, TinyCourse

from autograde import exercise
from autograde.authoring.declared import declared_faults
from autograde.authoring.telling import states
from autograde.exercise import Code, Exercise, Typed
from autograde.plan import Expect

COURSE = TinyCourse(SOURCES)
LESSON, TORCH = COURSE.text("long-sums"), COURSE.text("every-kind")
TASK = LESSON.task("sum-hundred")
HINTS = ("Pair the first with the last.", "How many pairs are there?")


def number(**more: Any) -> Typed:
    """The toy lesson's first exercise, changed."""
    known: dict[str, Any] = {"answer": 5_050, "wrong": ((4_950, "You stopped at 99."),), "hints": HINTS}
    return Typed("sum-hundred", "number", **known | more)


def told(declared: Exercise, lesson: Any = LESSON, task: Any = TASK) -> list[str]:
    """What is said of an exercise."""
    return [f"{fault.what}. {fault.todo}" for fault in declared_faults(lesson, task, declared)]


@pytest.mark.parametrize("difficulty", [0, 6, 9, -1, 2.5, True, "easy"])
def test_a_difficulty_is_a_whole_number_from_one_to_five(difficulty: Any) -> None:
    assert told(number(difficulty=difficulty)) == [
        f"difficulty is {difficulty!r}. Set a whole number from 1, easy, to 5, hard"
    ]


@pytest.mark.parametrize("minutes", [0, -3, float("nan"), float("inf"), True, "three"])
def test_minutes_are_a_number_above_zero(minutes: Any) -> None:
    assert told(number(minutes=minutes)) == [f"minutes is {minutes!r}. Set a number above 0, an honest guess"]


@pytest.mark.parametrize("good", [{}, {"difficulty": 1, "minutes": 0.5}, {"difficulty": 5, "minutes": 90}])
def test_what_is_in_its_range_or_not_said_is_let_be(good: dict[str, Any]) -> None:
    assert told(number(**good)) == []


@pytest.mark.parametrize("empty", ["", "  \n", None, 7])
def test_an_empty_sentence_is_told_wherever_it_stands(empty: Any) -> None:
    cases = {
        "the sentence of wrong answer 4951": number(wrong=((4_950, "You stopped at 99."), (4_951, empty))),
        "hint 2": number(hints=("Think.", empty)),
        "the sentence of option 'b'": Typed("sum-hundred", "choice", answer="a", options={"a": "Yes.", "b": empty}),
        "the sentence of wrong answer 1": Code("f", "function", wrong=(exercise.edit("a", "b", says=empty),)),
        "the sentence for 'sum'": Code("f", "function", forbid={"sum": empty}),
        "the sentence for 'gradient'": Code("f", "function", says={"gradient": empty}),
        "the sentence for 'loss'": Code("f", "experiment", expect=(Expect("loss", 0, 1, empty),)),
    }
    if empty is not None:
        cases |= {"passed": number(passed=empty), "explain": number(explain=empty)}
    what = "is empty" if isinstance(empty, str) else f"is {empty!r}, no text"
    for where, declared in cases.items():
        assert told(declared) == [f"{where} {what}. Write the sentence, or take the entry out"]


@pytest.mark.parametrize("text", ["5050", "5,050", "5_050", "5'050", "5050.0", "**5,050**", "It is 5050.", "(5050)"])
def test_a_number_is_found_however_it_is_written(text: str) -> None:
    assert states(text, number())


@pytest.mark.parametrize(
    "text", ["4950", "15050", "50501", "5050.5", "1.5050", "505", "5,050,000", "-5050", "v5050", "50 and 50", "x_5050"]
)
def test_another_number_is_no_answer(text: str) -> None:
    assert not states(text, number())


@pytest.mark.parametrize(
    ("answer", "places", "text", "found"),
    [
        (17.5, 2, "It is 17.5.", True),
        (17.5, 2, "It is 17.50", True),
        (17.5, 2, "17.504, before rounding", True),
        (17.5, 2, "17.51", False),
        (17.5, 2, "It lies between 17 and 18", False),
        (-0.5, 1, "\u22120.5", True),
        (-0.5, 1, "0.5", False),
        (20, None, "20 is the larger one", False),
        (20, 1, "20.0", True),
        (512, None, "the 512 in the middle", True),
        (1_181_568, None, "1\u202f181\u202f568", True),
    ],
)
def test_decimals_count_as_the_exercise_compares_them(answer: Any, places: Any, text: str, found: bool) -> None:
    assert states(text, number(answer=answer, places=places)) is found


@pytest.mark.parametrize(
    ("kind", "answer", "text", "found"),
    [
        ("shape", (2, 512), "You get (2, 512).", True),
        ("shape", (2, 512), "You get [ 2,512 ].", True),
        ("shape", (2, 512), "A Linear(2, 512) makes it.", False),
        ("shape", (2, 512), "(512, 2) is turned", False),
        ("shape", (2, 512), "2 tokens of 512", False),
        ("shape", (15,), "(15,)", False),
        ("numbers", [0.25, 0.75], "Not equal: [0.25, 0.75].", True),
        ("numbers", [0.25, 0.75], "(.25, .750)", True),
        ("numbers", [0.25, 0.75], "[0.75, 0.25]", False),
        ("text", "softmax", "softmax", False),
        ("choice", "b", "b", False),
    ],
)
def test_shapes_and_lists_are_found_in_their_brackets(kind: str, answer: Any, text: str, found: bool) -> None:
    assert states(text, Typed("x", kind, answer=answer, places=2 if kind == "numbers" else None)) is found


def test_a_sentence_or_a_hint_that_states_the_answer_is_told() -> None:
    todo = "Say how to get there, not what comes out"
    wrong = number(wrong=((4_950, "Add 100 to it: 5,050."), (5_151, "5,151 is too much.")))
    assert told(wrong) == [
        f"the sentence of wrong answer 4950 states the right answer ('Add 100 to it: 5,050.'). {todo}"
    ]
    assert told(number(hints=("Think.", "5050"))) == [f"hint 2 states the right answer ('5050'). {todo}"]


def test_after_a_pass_or_with_a_reason_the_answer_may_be_stated() -> None:
    assert told(number(passed="Right: 5050.", explain="50 * 101 is 5050.")) == []
    assert told(number(hints=("5050",), shown="The exercise is to find it again.")) == []


def test_the_lines_of_a_solution_are_no_hint() -> None:
    task = TORCH.task("kind-function")
    declared = Code("kind-function", "function", hints=("Think.", "Write doubled = 2 * x\nreturn doubled + shift"))
    assert told(declared, TORCH, task) == [
        "hint 2 holds the solution's lines. Say how to get there, not what comes out"
    ]
    assert told(Code("kind-function", "function", hints=("return doubled + shift",)), TORCH, task) == []


def declared(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that grows by what is declared."""
    found: list[Any] = []
    monkeypatch.setattr(exercise, "_listeners", [found.append])
    return found


def test_what_is_listed_together_shares_its_entry_and_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    found = declared(monkeypatch)
    exercise.number("x-y", answer=1, wrong={exercise.either(2, 3): "Too many.", 0: "None?"})
    exercise.numbers("x-y", answer=[1], wrong=[(exercise.either([2], [3]), "Too many."), ([0], "None?")])
    twice, once = exercise.edit("a", "b"), exercise.edit("a", "d", says="No.")
    exercise.function("x-y", calls=list, wrong=[exercise.either(twice, exercise.edit("a", "c"), says="Why?"), once])
    assert [each.entries for each in found] == [(0, 0, 1)] * 3
    assert found[0].wrong == ((2, "Too many."), (3, "Too many."), (0, "None?"))
    assert [variant.says for variant in found[2].wrong] == ["Why?", "Why?", "No."]


def test_hints_are_a_list() -> None:
    with pytest.raises(TypeError, match="hints is one text; give a list of sentences"):
        exercise.number("x-y", answer=1, hints="Look.")


def test_build_and_verify_tell_each_with_its_place_and_say_it_once(course: TinyCourse) -> None:
    course.edit("long-sums", "    minutes=2,\n    difficulty=1,", "    minutes=-2,\n    difficulty=9,")
    course.edit("long-sums", '4_950: "You stopped at 99."', '4_950: " "')
    course.edit("long-sums", '"How many pairs are there?"', '"They make 5_050."')
    place = f"solutions/02-long-sums.py:{course.line('long-sums', '# %% tags')}: [sum-hundred] "
    wanted = [
        "difficulty is 9. Set a whole number from 1, easy, to 5, hard.",
        "minutes is -2. Set a number above 0, an honest guess.",
        "the sentence of wrong answer 4950 is empty. Write the sentence, or take the entry out.",
        "hint 2 states the right answer ('They make 5_050.') Say how to get there, not what comes out.",
    ]
    before = course.files("lessons")
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert sorted(said.err.splitlines()[1:]) == sorted([*(place + each for each in wanted), "4 faults."])
    assert course.files("lessons") == before
    said = course.run("verify", "long-sums")
    assert said.code == 1
    assert sorted(line for line in said.out.splitlines() if "[sum-" in line) == sorted(place + each for each in wanted)


def test_what_an_author_does_not_say_is_not_told_to_learners(course: TinyCourse) -> None:
    course.edit("long-sums", "    minutes=2,\n    difficulty=1,\n", "")
    course.build("long-sums")
    assert "*`sum-hundred` · 1 point*" in course.notebook_file("long-sums").read_text(encoding="utf-8")
