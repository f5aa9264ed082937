"""A verdict prints as its score, and looks like feedback: with a shape and a word, never by colour alone."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest

from autograde.judge import judge
from autograde.note import Note
from autograde.rubric import OpenAnswers, Outcome, TypedRubric
from autograde.verdict import STATUSES, Verdict

NASTY = "<script>alert('1')</script> & \"quotes\" `code` `open"


def verdict(status: str = "failed", score: float = 0.0, max_score: float = 2.0, **more: str) -> Verdict:
    """A verdict."""
    return Verdict("ff-parameters", status, score, max_score, more.pop("message", "The biases are missing."), **more)


class Reader(HTMLParser):
    """Reads a card: its tags, whether they are closed, and its text."""

    def __init__(self, card: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(card)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(card: str) -> Reader:
    """A card, with every tag closed."""
    reader = Reader(card)
    assert reader.open == []
    return reader


@pytest.mark.parametrize(
    ("score", "shown"),
    [(0.0, "0"), (1.0, "1"), (13.0, "13"), (0.5, "0.5"), (1 / 3, repr(1 / 3)), (2.25, "2.25"), (1e6, "1000000")],
)
def test_it_prints_as_its_score(score: float, shown: str) -> None:
    assert repr(verdict("partial", score, 2e6)) == shown
    assert float(repr(verdict("partial", score, 2e6))) == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_a_word_and_a_shape_of_its_own(status: str) -> None:
    others = {verdict(other).word for other in STATUSES if other != status}
    shapes = {str(verdict(other))[0] for other in STATUSES if other != status}
    one = verdict(status)
    assert one.word not in others
    assert str(one)[0] not in shapes
    text = read(one._repr_html_()).text
    assert one.word in text
    assert str(one)[0] in text


@pytest.mark.parametrize("status", STATUSES)
def test_the_shape_is_not_read_aloud_and_the_card_has_a_name(status: str) -> None:
    card = verdict(status)._repr_html_()
    assert re.search(rf'<span aria-hidden="true"[^>]*>{re.escape(str(verdict(status))[0])}</span>', card)
    assert f'role="group" aria-label="Verdict: {verdict(status).word}"' in card


def test_everything_is_on_the_card_and_in_the_text() -> None:
    one = verdict(detail="line 3 of your cell:  x = 1", given="131072")
    one = one.with_next("Stuck? Ask.").with_printed("printed line\n")
    for shown in (read(one._repr_html_()).text, str(one)):
        for part in (
            "ff-parameters",
            "The biases are missing.",
            "line 3 of your cell:  x = 1",
            "131072",
            "Stuck? Ask.",
            "0 of 2 points",
        ):
            assert part in shown
    assert "printed line" in read(one._repr_html_()).text


def test_one_point_is_a_point_and_none_are_not_spoken_of() -> None:
    assert "1 of 1 point<" in verdict("passed", 1.0, 1.0)._repr_html_()
    assert "point" not in read(verdict(max_score=0.0)._repr_html_()).text
    assert "point" not in str(verdict(max_score=0.0))


@pytest.mark.parametrize("place", ["message", "detail", "given", "next", "printed"])
def test_nothing_that_a_learner_wrote_becomes_html(place: str) -> None:
    one = Verdict("id", "failed", 0.0, 1.0, **{"message": "", place: NASTY})
    reader = read(one._repr_html_())
    assert "script" not in reader.tags
    assert "<script>alert('1')</script> & \"quotes\"" in reader.text


def test_exercise_and_status_are_escaped_too() -> None:
    card = Verdict("<b>", "failed", 0.0, 1.0, "")._repr_html_()
    assert "<b>" not in card
    assert html.escape("<b>") in card


def test_backticks_are_code_and_an_open_one_is_itself() -> None:
    assert "<code>hint(&quot;x&quot;)</code> helps" in verdict(message='`hint("x")` helps')._repr_html_()
    assert read(verdict(message="a `b` c `d")._repr_html_()).text.count("`") == 1


def test_lines_stay_lines() -> None:
    assert "one<br>two" in verdict(message="one\ntwo")._repr_html_()
    assert "  one\n  two" in str(verdict(message="one\ntwo"))


def test_only_the_end_of_a_long_print_is_shown() -> None:
    assert verdict().with_printed("x" * 10_000 + "end").printed.endswith("xend")
    assert len(verdict().with_printed("x" * 10_000).printed) <= 2_000


def test_a_next_line_leaves_the_verdict_as_it_is() -> None:
    one = verdict()
    assert one.with_next("Go on.").with_printed("printed") == Verdict(
        "ff-parameters", "failed", 0.0, 2.0, "The biases are missing.", next="Go on.", printed="printed"
    )
    assert one == verdict()


def test_a_learners_text_is_safe_all_the_way_from_the_judge() -> None:
    rubric = TypedRubric("id", "text", "x", 1.0, OpenAnswers({"a": Outcome(1.0, "Right.")}))
    for answer in (NASTY, [NASTY], NASTY * 100):
        assert "<script" not in judge(rubric, {"answer": answer})._repr_html_()


class TestNote:
    def test_it_prints_as_text(self) -> None:
        assert repr(Note("Hint 1 of 2", "Count the biases.")) == "Hint 1 of 2: Count the biases."
        assert repr(Note("Worked solution", "So.", "x = 1")) == "Worked solution: So.\nx = 1"

    def test_it_is_a_card_that_a_screen_reader_can_name(self) -> None:
        card = Note("Hint 1 of 2", "Count the `biases`.", "x = 1")._repr_html_()
        assert 'aria-label="Hint 1 of 2"' in card
        assert "<code>biases</code>" in card
        assert "x = 1" in read(card).text

    def test_it_is_escaped(self) -> None:
        reader = read(Note(NASTY, NASTY, NASTY)._repr_html_())
        assert "script" not in reader.tags
        assert reader.text.count("<script>") == 3
