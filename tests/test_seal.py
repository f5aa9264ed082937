"""A seal checks at once and offline, says what the open rubric says, and holds no typed answer that can be read."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import random
import zlib
from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograde import exercise
from autograde.evidence import Evidence, Opaque, Plain, Raised, Tuple
from autograde.exercise import Typed
from autograde.judge import judge
from autograde.plain import plain
from autograde.plan import plan_of
from autograde.rubric import CodeRubric, KnownWrong, Rubric, TypedRubric, typed_rubric
from autograde.seal import BadSeal, first_hints, from_text, hide, open_rubric, seal_rubric, to_text, unhide

COURSE = "tiny-course"
OPTIONS = {"a": "No: the mean is another thing.", "b": "Yes, the mean.", "c": "No, not the sum."}
TYPED = {
    "number": Typed(
        "sl-number", "number", answer=131_712, wrong=((131_072, "The biases are missing."), (4, "That is n_head."))
    ),
    "places": Typed("sl-places", "number", answer=17.125, places=2, wrong=((15, "Too few."),), passed="Right: 17.1."),
    "numbers": Typed("sl-numbers", "numbers", answer=[-1, 1], places=3, wrong=(([-0.7, 0.7], "Of the sample."),)),
    "shape": Typed("sl-shape", "shape", answer=(2, 128), right=((2, 1, 128),), wrong=(((2, 512), "Still wide."),)),
    "choice": Typed("sl-choice", "choice", answer="b", options=OPTIONS),
    "choices": Typed("sl-choices", "choices", answer={"a", "c"}, options=OPTIONS),
    "text": Typed("sl-text", "text", answer="softmax", right=("soft max",), wrong=(("relu", "That one cuts."),)),
}
ANSWERS: list[Any] = [
    131_712,
    "131,712",
    131_072,
    4,
    5,
    17.125,
    17.12,
    17.13,
    17.14,
    15,
    [-1, 1],
    [-0.7, 0.7],
    [1, -1],
    (2, 128),
    (2, 1, 128),
    (2, 512),
    (128, 2),
    "a",
    "b",
    "c",
    "d",
    {"a", "c"},
    {"a"},
    {"b"},
    set(),
    {"a", "b", "c"},
    "softmax",
    "Soft  Max.",
    "relu",
    "tanh",
    "lone \ud800",
    ...,
    None,
    print,
    True,
]
CODE = CodeRubric(
    "sl-code",
    "function",
    "attention",
    3.0,
    plan=plan_of("function", [exercise.call("one", torch.ones(2, 3), exercise.source("lambda x: x"))], gradient=True),
    expected={"one": plain(torch.ones(2)), "one: unchanged": True, "pair": Tuple((1, 0.5)), "gradient": True},
    wrong=(
        KnownWrong("Not scaled.", {"one": plain(torch.full((2,), 7.0))}),
        KnownWrong("It raises.", {"one": Raised("E", "m")}),
    ),
    passed="Right.",
    says={"one": "It is off."},
    forbid={"softmax": "Write it yourself."},
    parts={"gradient": 1.0},
    tolerances={"one": 1e-4},
    bounds={"loss": (0.0, 2.5)},
)


def open_typed(kind: str) -> TypedRubric:
    """The open rubric."""
    return typed_rubric(TYPED[kind], "the_answer", 2.0)


def released(rubric: Rubric, course: str = COURSE) -> dict[str, Any]:
    """The seal after the way that it travels: as text in a notebook's first cell."""
    sealed = {"course": course, "exercises": {rubric.id: seal_rubric(rubric, course)}}
    return from_text(to_text(sealed))["exercises"][rubric.id]  # type: ignore[no-any-return]


def reopened(rubric: Rubric) -> Rubric:
    """The rubric out of its seal."""
    return open_rubric(rubric.id, released(rubric), COURSE)


@pytest.mark.parametrize("kind", TYPED)
class TestTyped:
    def test_the_sealed_item_holds_nothing_else(self, kind: str) -> None:
        sealed = released(open_typed(kind))
        optional = {"places"} if kind in ("places", "numbers") else {"options"} if kind.startswith("choice") else set()
        assert set(sealed) == {"kind", "name", "points", "salt", "iterations", "table"} | optional
        assert sealed["kind"] == TYPED[kind].kind
        assert sealed["name"] == "the_answer"
        assert sealed["points"] == 2.0
        assert sealed.get("options", "abc") == "abc"
        assert sealed["iterations"] >= 100_000
        assert len(base64.b64decode(sealed["salt"], validate=True)) == 16
        assert isinstance(sealed["table"], dict)

    def test_the_table_is_digests_and_ciphertexts_of_one_length(self, kind: str) -> None:
        table = released(open_typed(kind))["table"]
        assert list(table) == sorted(table)
        assert {len(base64.b64decode(tag, validate=True)) for tag in table} == {12}
        (length,) = {len(base64.b64decode(text, validate=True)) for text in table.values()}
        assert length % 32 == 0
        assert len(table) == len(open_typed(kind).answers.outcomes)  # type: ignore[attr-defined]

    def test_no_answer_and_no_sentence_can_be_read(self, kind: str) -> None:
        sealed = released(open_typed(kind))
        visible = json.dumps(sealed) + "".join(
            base64.b64decode(text).decode("latin-1") for pair in sealed["table"].items() for text in pair
        )
        for form, outcome in open_typed(kind).answers.outcomes.items():  # type: ignore[attr-defined]
            assert outcome.says not in visible
            assert len(form) < 4 or form not in visible

    def test_it_says_what_the_open_rubric_says(self, kind: str) -> None:
        one, other = open_typed(kind), reopened(open_typed(kind))
        for answer in ANSWERS:
            evidence: Evidence = {"answer": plain(answer)}
            assert judge(one, evidence) == judge(other, evidence), answer

    def test_the_same_rubric_seals_to_the_same_text(self, kind: str) -> None:
        assert to_text(released(open_typed(kind))) == to_text(released(open_typed(kind)))

    def test_at_most_two_keys_are_derived_a_check(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        course = f"counted-{kind}"  # another salt, so that no key is remembered from another test
        rubric = open_rubric(TYPED[kind].id, released(open_typed(kind), course), course)
        derived = counted(monkeypatch)
        for answer in (*ANSWERS, [0.0005, 0.0015, 0.0025], "0.125"):
            before = len(derived)
            judge(rubric, {"answer": plain(answer)})
            assert len(derived) - before <= 2


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One element for each key derivation."""
    derived: list[int] = []
    derive: Callable[..., bytes] = hashlib.pbkdf2_hmac

    def counting(*args: Any) -> bytes:
        derived.append(1)
        return derive(*args)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", counting)
    return derived


def test_a_key_is_derived_once_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    rubric = open_rubric("sl-number", released(open_typed("number"), "remembered"), "remembered")
    derived = counted(monkeypatch)
    for _ in range(3):
        judge(rubric, {"answer": 99})
    assert len(derived) == 1


def test_at_a_rounding_edge_the_neighbour_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    rubric = open_rubric("sl-places", released(open_typed("places"), "edge"), "edge")
    derived = counted(monkeypatch)
    assert judge(rubric, {"answer": 3.125}).status == "failed"
    assert len(derived) == 2


def test_exercises_and_courses_share_no_salt() -> None:
    salts = {released(open_typed(kind), course)["salt"] for kind in TYPED for course in ("one", "other")}
    assert len(salts) == 2 * len(TYPED)


def test_a_page_can_open_it_by_the_written_rule() -> None:
    # Written anew here, as a page would: PBKDF2-HMAC-SHA256 for the key, HMAC-SHA256 for digest and stream, XOR.
    sealed = released(open_typed("number"))
    key = hashlib.pbkdf2_hmac("sha256", b"131072", base64.b64decode(sealed["salt"]), sealed["iterations"])
    tag = base64.b64encode(hmac.digest(key, b"tag", "sha256")[:12]).decode()
    ciphertext = base64.b64decode(sealed["table"][tag])
    stream = b"".join(hmac.digest(key, b"text" + i.to_bytes(4, "big"), "sha256") for i in range(len(ciphertext) // 32))
    text = bytes(a ^ b for a, b in zip(ciphertext, stream, strict=True))
    assert json.loads(text) == [0.0, "The biases are missing."]


class TestCode:
    def test_nothing_is_lost(self) -> None:
        assert reopened(CODE) == CODE

    def test_the_item_is_a_head_and_something_hidden(self) -> None:
        assert set(released(CODE)) == {"kind", "name", "points", "hidden"}

    def test_it_says_what_the_open_rubric_says(self) -> None:
        changes: list[Evidence] = [
            {},
            {"one": plain(torch.full((2,), 7.0))},
            {"one": plain(torch.full((2,), 8.0))},
            {"one": Raised("E", "m", 3, "x")},
            {"one": None},
            {"gradient": False},
            {"pair": 3},
            {"loss": 3.0},
            {"forbidden": ["softmax"]},
            {"untouched": True},
            {"not callable": Opaque("x")},
        ]
        fine: Evidence = {**CODE.expected, "loss": 1.0, "forbidden": []}
        assert judge(CODE, fine).status == "passed"
        for change in changes:
            assert judge(reopened(CODE), fine | change) == judge(CODE, fine | change)

    def test_it_is_out_of_sight(self) -> None:
        text = to_text(released(CODE)) + json.dumps(released(CODE))
        assert not any(word in text for word in ("Not scaled", "lambda", "softmax"))
        assert b"Not scaled" not in zlib.decompress(base64.b64decode(to_text(released(CODE))))

    def test_another_exercises_seal_does_not_open(self) -> None:
        with pytest.raises(BadSeal):
            open_rubric("sl-other", released(CODE), COURSE)
        with pytest.raises(BadSeal):
            open_rubric("sl-code", released(CODE), "another-course")


class TestHide:
    @pytest.mark.parametrize("value", [None, [], ["a hint", "another"], {"a": [1, Tuple((2,))]}, plain(torch.eye(3))])
    def test_what_was_hidden_comes_back(self, value: Plain) -> None:
        assert unhide(hide(value, "owner"), "owner") == value

    def test_another_owner_does_not_see_it(self) -> None:
        with pytest.raises(BadSeal):
            unhide(hide(["a hint"], "owner"), "another")


class TestFirstHints:
    def test_each_exercise_gives_its_first(self) -> None:
        hints: dict[str, list[Plain]] = {"one": ["Look.", "Look again."], "two": ["Think."], "none": []}
        hidden = {exercise: hide(known, f"{COURSE}:{exercise}:hints") for exercise, known in hints.items()}
        assert first_hints({"course": COURSE, "hints": hidden}) == {"one": "Look.", "two": "Think."}

    def test_a_graded_release_has_none(self) -> None:
        assert first_hints({"course": COURSE, "hints": {}}) == first_hints({"course": COURSE}) == {}

    def test_damage_is_told(self) -> None:
        with pytest.raises(BadSeal):
            first_hints({"course": "another", "hints": {"one": hide(["Look."], f"{COURSE}:one:hints")}})


class TestDamage:
    @pytest.mark.parametrize("text", ["", "no base64!", "AAAA", "é", to_text({})[:-2], to_text({})[4:]])
    def test_a_text_that_is_no_seal(self, text: str) -> None:
        with pytest.raises(BadSeal, match="download the lesson again"):
            from_text(text)

    @pytest.mark.parametrize("data", [b"[]", b"1", b"null", b"{", b"\xff"])
    def test_a_seal_that_is_no_mapping(self, data: bytes) -> None:
        with pytest.raises(BadSeal):
            from_text(base64.b64encode(zlib.compress(data)).decode())

    def test_white_space_is_no_damage(self) -> None:
        text = to_text({"course": COURSE})
        assert from_text(f"  {text[:5]}\n   {text[5:]}\n") == {"course": COURSE}

    def test_a_changed_text_is_never_another_seal(self) -> None:
        sealed, random_ = released(open_typed("shape")), random.Random(2)
        text = to_text(sealed)
        for _ in range(300):
            at = random_.randrange(len(text))
            damaged = text[:at] + random_.choice(["", *"abcXYZ019+/="]) + text[at + 1 :]
            with contextlib.suppress(BadSeal):
                assert from_text(damaged) == sealed

    @pytest.mark.parametrize("key", ["kind", "name", "points", "salt", "iterations"])
    @pytest.mark.parametrize("value", [None, [], "é", ...], ids=str)
    def test_a_typed_item_that_is_not_whole(self, key: str, value: Any) -> None:
        sealed = released(open_typed("number"))
        sealed = {name: item for name, item in sealed.items() if name != key} | ({} if value is ... else {key: value})
        if (key, value) not in [("kind", value), ("name", value)] or value is ...:
            with pytest.raises(BadSeal):
                open_rubric("sl-number", sealed, COURSE)

    @pytest.mark.parametrize("table", [None, 3, "text", [1]])
    def test_a_table_that_is_none(self, table: Any) -> None:
        with pytest.raises(BadSeal):
            open_rubric("sl-number", released(open_typed("number")) | {"table": table}, COURSE)

    @pytest.mark.parametrize("text", ["", "AAAA", "!", 3, base64.b64encode(bytes(64)).decode()])
    def test_a_ciphertext_that_is_none(self, text: Any) -> None:
        sealed = released(open_typed("number"))
        rubric = open_rubric("sl-number", sealed | {"table": dict.fromkeys(sealed["table"], text)}, COURSE)
        with pytest.raises(BadSeal, match="download the lesson again"):
            judge(rubric, {"answer": 131_712})
        assert judge(rubric, {"answer": 6}).status == "failed"

    @pytest.mark.parametrize(
        "hidden",
        [
            "",
            "AAAA",
            None,
            3,
            hide(None, f"{COURSE}:sl-code"),
            hide([], f"{COURSE}:sl-code"),
            hide({}, f"{COURSE}:sl-code"),
            hide({"wrong": [{}], "bounds": {}}, f"{COURSE}:sl-code"),
            hide({"wrong": [], "bounds": {"loss": [1]}}, f"{COURSE}:sl-code"),
            hide({"wrong": [], "bounds": {}, "unknown": 1}, f"{COURSE}:sl-code"),
        ],
    )
    def test_a_code_item_that_is_not_whole(self, hidden: Any) -> None:
        with pytest.raises(BadSeal):
            open_rubric("sl-code", released(CODE) | {"hidden": hidden}, COURSE)

    def test_what_is_hidden_and_damaged_is_never_something_else(self) -> None:
        text, random_ = hide(["a hint", "another"], "owner"), random.Random(4)
        for _ in range(300):
            at = random_.randrange(len(text))
            with contextlib.suppress(BadSeal):
                damaged = text[:at] + random_.choice("abcXYZ019+/") + text[at + 1 :]
                assert unhide(damaged, "owner") == ["a hint", "another"]
