"""Feedback pages: the learner's code with its verdicts, nothing that is secret, nothing that runs or asks anybody."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from autograde.grading.assignment import Assignment, ReleaseCell
from autograde.grading.feedback import feedback_page, feedback_text
from autograde.grading.submission import Cell, ExerciseRow, Row

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>`'\"&\x1b[31m\u202e"
TESTS = "assert add(1, 2) == 3\n### BEGIN HIDDEN TESTS\nassert add(2, 40) == 42\n### END HIDDEN TESTS"
ASSIGNMENT = Assignment(
    "week1",
    (
        ReleaseCell("markdown", "# Week 1\n### Exercise: Add two numbers", "", "text"),
        ReleaseCell("code", "def add(a, b):\n    raise NotImplementedError()", "add", "answer"),
        ReleaseCell("code", TESTS, "test_add", "grade", 2.0, locked=True),
        ReleaseCell("markdown", "### Exercise: Explain", "", "text"),
        ReleaseCell("markdown", "YOUR ANSWER HERE", "why", "manual", 3.0),
    ),
    in_process=True,
)  # fmt: skip
ROW = Row(
    "00123",
    "week1",
    "00123/week1.ipynb",
    "graded",
    0.0,
    5.0,
    needs_manual=True,
    repairs=("`add`: joined",),
    exercises=(
        ExerciseRow("test_add", "failed", 0.0, 2.0, "The sum is `off` by one."),
        ExerciseRow("why", "needs_manual", None, 3.0, "Graded by hand."),
    ),
)
CELLS = (
    Cell("code", "def add(a, b):\n    return a + b + 1  # <b>", "add"),
    Cell("code", "assert add(1, 2) == 3\nassert add(2, 40) == 42", "test_add"),
    Cell("markdown", "Because *<i>so</i>*.", "why"),
)


class _Tags(HTMLParser):
    """All tags with their attributes, and whether every one is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_is_calm(page: str) -> None:
    """Nothing of it runs or asks for anything."""
    for tag, attributes in _Tags(page).tags:
        assert tag not in ("script", "img", "link", "iframe", "object", "form", "svg", "base"), tag
        assert not any(name.startswith("on") for name in attributes), attributes
        assert attributes.get("href", "#").startswith("#"), attributes  # type: ignore[union-attr]
        assert "src" not in attributes
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def shown(page: str) -> str:
    """What a reader reads."""
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]+>", "", page, flags=re.DOTALL))


@pytest.mark.parametrize("assignment", [None, ASSIGNMENT])
def test_the_learners_code_with_its_verdict(assignment: Assignment | None) -> None:
    page = feedback_page(ROW, CELLS, "Week 1", assignment)
    check_is_calm(page)
    text = shown(page)
    assert "Feedback for 00123" in text
    assert "0of 5 points" in text
    assert "0 of 1 exercise passed · 1 for your instructor to grade (3 points)" in text
    assert "failed (0 of 2 points)" in text
    assert "<code>off</code>" in page
    assert "return a + b + 1 # &lt;b&gt;" in text
    assert "Because *&lt;i&gt;so&lt;/i&gt;*." in text
    assert "One thing in your file was put right" in text
    assert ("Add two numbers" in text) == (assignment is not None)


@pytest.mark.parametrize("assignment", [None, ASSIGNMENT])
@pytest.mark.parametrize("cells", [CELLS, CELLS[:1], CELLS[1:], (), tuple(Cell(c.kind, c.source) for c in CELLS[:1])])
def test_no_test_is_shown_whatever_is_left_of_the_file(assignment: Assignment | None, cells: tuple[Cell, ...]) -> None:
    page = feedback_page(ROW, cells, "Week 1", assignment)
    assert "42" not in shown(page)
    assert "assert" not in shown(page)


def test_ids_that_are_gone_do_not_hide_the_code() -> None:
    bare = (Cell("code", "def add(a, b):\n    return 7"),)
    assert "return 7" in shown(feedback_page(ROW, bare, "Week 1"))
    with_assignment = feedback_page(ROW, bare, "Week 1", ASSIGNMENT)
    assert "return 7" in shown(with_assignment)
    assert "The code in your file" not in with_assignment, "it was recognised"


def test_everything_that_came_from_a_learner_is_escaped() -> None:
    row = Row(
        ATTACK, "week1", ATTACK, "graded", 1.0, 2.0, repairs=(ATTACK,), message=ATTACK,
        exercises=(ExerciseRow("e", "failed", 0.0, 2.0, ATTACK), ExerciseRow(ATTACK, ATTACK, None, 1.0, ATTACK)),
    )  # fmt: skip
    cells = (
        Cell("markdown", f"### {ATTACK}"),
        Cell("code", f"x = 1 # {ATTACK}\n'{ATTACK}", "e-answer"),
        Cell("code", "check", "e"),
        Cell("code", ATTACK),
    )
    page = feedback_page(row, cells, ATTACK, hints={"e": ATTACK})
    check_is_calm(page)
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "\x1b" not in feedback_text(row, ATTACK, hints={"e": ATTACK})


HINTS = {"test_add": "Look at `1 + 1`.", "why": "Secret.", "other": "Secret."}


def with_status(status: str) -> Row:
    return replace(ROW, exercises=(replace(ROW.exercises[0], status=status), ROW.exercises[1]))


@pytest.mark.parametrize("status", ["failed", "partial", "error", "timeout", "not_attempted", "uncheckable"])
def test_a_hint_is_folded_where_an_exercise_did_not_pass(status: str) -> None:
    page = feedback_page(with_status(status), CELLS, "Week 1", hints=HINTS)
    check_is_calm(page)
    (hint,) = [attributes for tag, attributes in _Tags(page).tags if attributes.get("class") == "hint"]
    assert "open" not in hint
    assert "<summary>A hint</summary><p>Look at <code>1 + 1</code>.</p>" in page
    assert "Secret" not in page


@pytest.mark.parametrize("status", ["passed", "needs_manual"])
def test_no_hint_where_nothing_is_wrong(status: str) -> None:
    assert "hint" not in shown(feedback_page(with_status(status), CELLS, "Week 1", hints=HINTS)).casefold()
    assert "hint" not in feedback_text(with_status(status), hints=HINTS).casefold()


def test_no_hint_where_none_is_given() -> None:
    assert "hint" not in shown(feedback_page(ROW, CELLS, "Week 1")).casefold()
    assert "hint" not in feedback_text(ROW).casefold()


def test_hints_stand_at_the_end_of_the_plain_text() -> None:
    text = feedback_text(ROW, hints=HINTS | {"test_add": "Look at `1 + 1`, " + "word " * 40})
    before, _, hints = text.partition("Hints, if you want to try again:\n")
    assert hints.startswith("  - test_add: Look at `1 + 1`, word")
    assert "why: to be graded by hand" in before
    assert "Secret" not in text
    assert max(map(len, text.splitlines())) <= 76


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("unreadable", "Your file could not be read"),
        ("refused", "Your file was not accepted"),
        ("failed", "This is not your doing"),
        ("not_started", "No answer cell was changed"),
    ],
)
def test_what_was_not_graded_says_why_and_what_to_do(status: str, says: str) -> None:
    score = 0.0 if status == "not_started" else None
    row = Row("a", "week1", "f", status, score, 5.0, message="The reason.")
    text = shown(feedback_page(row, (), "Week 1"))
    assert says in text
    assert "The reason." in text
    assert ("No score" in text) == (score is None)
    assert "The reason." in feedback_text(row)
    assert ("no score of 5 points" in feedback_text(row)) == (score is None)


def test_lines_are_numbered_and_long_code_is_cut() -> None:
    page = feedback_page(ROW, (Cell("code", "a = 1\n\n\nb = 2", "add"), CELLS[1]), "Week 1")
    assert page.count('<span class="l">') == 4
    long = feedback_page(ROW, (Cell("code", "x = 1\n" * 200_000, "add"), CELLS[1]), "Week 1")
    assert len(long) < 400_000
    assert "Cut here: the answer has" in long


@pytest.mark.parametrize("source", ["'" * 15_000, "(" * 15_000, "\\\n" * 8_000, "'''" + "a'" * 7_000, "f'{" * 5_000])
def test_no_source_makes_the_colours_slow(source: str) -> None:
    begun = time.process_time()
    feedback_page(ROW, (Cell("code", source, "add"), CELLS[1]), "Week 1")
    assert time.process_time() - begun < 5


def test_plain_text_for_mail() -> None:
    text = feedback_text(ROW, "Week 1")
    assert text.splitlines()[0] == "Week 1: 0 of 5 points so far, 1 to be graded by hand"
    assert "✗ test_add: failed (0 of 2 points)\n  The sum is `off` by one.\n" in text
    assert "  - `add`: joined" in text
    long = Row("a", "w", "f", "graded", 1.0, 1.0, exercises=(ExerciseRow("e", "failed", 0.0, 1.0, "word " * 90),))
    assert max(map(len, feedback_text(long).splitlines())) <= 76


def test_late_work_says_what_it_cost() -> None:
    exercises = (ExerciseRow("e", "passed", 2.0, 2.0),)
    late = Row("a", "w", "f", "graded", 1.5, 2.0, exercises=exercises, late=True, raw_score=2.0, penalty=0.5)
    assert "Handed in late: 2 less 0.5 points" in shown(feedback_page(late, (), "W"))
    assert "Handed in late: 2 less 0.5 points" in feedback_text(late)
    free = Row("a", "w", "f", "graded", 2.0, 2.0, exercises=exercises, late=True, late_by_s=61, raw_score=2.0)
    assert "Handed in 1 minute 1 second late\n" in feedback_text(free)


def test_a_page_without_exercises_or_points() -> None:
    check_is_calm(feedback_page(Row("a", "w", "f", "graded", 0.0, 0.0), (), "W"))
