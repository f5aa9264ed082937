"""Late work: one clock decides when, how late and what it costs, and all that is handed back says the same."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from klass import own_cell
from tiny import TinyCourse, answered, solutions

from autograde.clock import due_instant, zone_of
from autograde.course import LatePolicy
from autograde.grading.late import Clock, untimed
from autograde.grading.page import how_late
from autograde.grading.store import Store
from autograde.grading.submission import Row

BERLIN = zone_of("Europe/Berlin")
DUE = due_instant("2026-10-01T23:59", BERLIN)
POLICY = LatePolicy(penalty_per_day=0.1, grace_minutes=15, at_most=0.5)
HOUR, DAY = 3_600, 86_400


def row(stamp: str = "", *, marked: bool = False, raw: float | None = 10.0) -> Row:
    return Row("ann", "week1", "a.ipynb", "graded", raw, 20.0, raw_score=raw, stamp=stamp, marked_late=marked)


def after(seconds: float) -> str:
    """A stamp so many seconds after the last instant in time."""
    return (DUE + timedelta(seconds=seconds)).isoformat()


def judged(one: Row, clock: Clock) -> Row:
    return clock.charged(clock.timed(one))


@pytest.mark.parametrize(
    ("seconds", "late_by", "penalty"),
    [
        (-DAY, 0, 0),
        (0, 0, 0),
        (0.000001, 1, 0),  # late at midnight sharp, but within the grace
        (15 * 60, 900, 0),
        (15 * 60 + 0.5, 901, 1),  # a started day is a day
        (DAY, DAY, 1),
        (DAY + 1, DAY + 1, 2),
        (4.5 * DAY, 4.5 * DAY, 5),
        (30 * DAY, 30 * DAY, 5),  # at most one half
    ],
)
def test_a_started_day_costs_its_share_after_the_grace(seconds: float, late_by: float, penalty: float) -> None:
    got = judged(row(after(seconds)), Clock(DUE, BERLIN, POLICY))
    assert (got.late, got.late_by_s) == (late_by > 0, late_by)
    assert (got.raw_score, got.penalty, got.score) == (10.0, penalty, 10.0 - penalty)


@pytest.mark.parametrize(("seconds", "penalty"), [(HOUR, 0), (2 * DAY, 0), (2 * DAY + 1, 10)])
def test_nothing_counts_after_the_last_day(seconds: float, penalty: float) -> None:
    clock = Clock(DUE, BERLIN, LatePolicy(zero_after_days=2, at_most=0.3))
    assert judged(row(after(seconds)), clock).penalty == penalty


def test_without_a_policy_late_work_is_told_and_costs_nothing() -> None:
    got = judged(row(after(3 * DAY)), Clock(DUE))
    assert (got.late, got.late_by_s, got.penalty, got.score) == (True, 3 * DAY, 0, 10.0)


def test_the_day_of_the_clock_change_has_its_own_length() -> None:
    due = due_instant("2026-10-24T23:59", BERLIN)
    got = judged(row("2026-10-26 00:00:00"), Clock(due, BERLIN, LatePolicy(penalty_per_day=0.1)))
    assert got.late_by_s == 25 * HOUR
    assert got.penalty == 2


def test_stamps_without_a_zone_are_the_courses_and_are_kept_as_utc() -> None:
    here, there = Clock(DUE, BERLIN, POLICY), Clock(DUE, UTC, POLICY)
    assert judged(row("2026-10-01 23:59:30"), here).submitted_at == "2026-10-01T21:59:30Z"
    assert judged(row("2026-10-01 23:59:30"), here).late_by_s == 0
    assert judged(row("2026-10-01 23:59:30"), there).late_by_s == 2 * HOUR - 30
    assert judged(row("2026-10-01 23:59:30 +02:00"), there).late_by_s == 0


@pytest.mark.parametrize("clock", [Clock(None, BERLIN, POLICY), Clock(DUE, BERLIN, POLICY)])
def test_a_mark_alone_is_one_day(clock: Clock) -> None:
    got = judged(row(marked=True), clock)
    assert (got.submitted_at, got.late, got.late_by_s, got.penalty, got.score) == ("", True, None, 1.0, 9.0)
    assert how_late(got) == "late"


def test_where_the_clock_can_decide_the_mark_does_not_count() -> None:
    assert not judged(row(after(-1), marked=True), Clock(DUE, BERLIN, POLICY)).late
    assert judged(row(after(-1), marked=True), Clock(None, BERLIN, POLICY)).late


def test_what_has_no_score_has_no_penalty() -> None:
    got = judged(row(after(DAY), raw=None), Clock(DUE, BERLIN, POLICY))
    assert (got.late, got.score, got.penalty) == (True, None, 0.0)


def test_what_cannot_be_timed_is_told() -> None:
    clock = Clock(DUE, BERLIN, POLICY)
    rows = [clock.timed(one) for one in (row(after(1)), row(), row("yesterday"), row(marked=True))]
    assert untimed(rows, clock) == [
        "taken as in time, since a time stamp names no time: 1, such as ann's 'yesterday'",
        "taken as in time, since nothing says when they were handed in: 1 of 4",
    ]
    assert untimed(rows, Clock()) == []
    assert not any(one.late for one in rows[1:3])


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "1 second late"), (90, "1 minute 30 seconds late"), (HOUR, "1 hour late"), (DAY + 30, "1 day late"),
     (3 * DAY + 2 * HOUR + 5, "3 days 2 hours late")],
)  # fmt: skip
def test_how_late_in_words(seconds: float, words: str) -> None:
    assert how_late(judged(row(after(seconds)), Clock(DUE, BERLIN))) == words


def test_a_row_is_kept_with_all_that_the_clock_needs() -> None:
    one = judged(row(after(DAY), marked=True), Clock(DUE, BERLIN, POLICY))
    assert Row.from_store(json.loads(json.dumps(one.to_store()))) == one
    assert not {"stamp", "marked_late"} & one.to_data().keys()


# From end to end: four learners of the toy course, one of them two days late.

LESSON = "long-sums"
STAMPS = {
    "early": "2026-10-01 20:00:00",
    "sharp": "2026-10-01 23:59:30",
    "late": "2026-10-03 12:00:00 UTC",
    "still": "",
}
POLICIES = """
policies:
  timezone: Europe/Berlin
  late: {penalty_per_day: 0.25, at_most: 0.75}
"""


def due_on(course: TinyCourse, due: str, policies: str = POLICIES) -> None:
    """Give the lesson a due time."""
    file = course.root / "course.yml"
    text = file.read_text(encoding="utf-8").partition("\npolicies:")[0]
    text = re.sub(r"\n    due: .*", "", text)
    line = f"    points: 3\n    due: {due}\n"
    file.write_text(text.replace("    points: 3\n", line, 1).rstrip() + "\n" + policies, encoding="utf-8")


@pytest.fixture
def class_(course: TinyCourse) -> Path:
    """Their submissions, as nbgrader collects them: all right, each with a cell of its own."""
    made = answered(course.notebook(LESSON), solutions(course.text(LESSON)))
    for number, (student, stamp) in enumerate(STAMPS.items()):
        folder = course.root / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_text(json.dumps(own_cell(made, number)), encoding="utf-8")
        if stamp:
            (folder / "timestamp.txt").write_text(f"{stamp}\n", encoding="utf-8")
    return course.root / "submitted"


def graded(course: TinyCourse, class_: Path, *more: str) -> dict[str, dict[str, Any]]:
    said = course.run("grade", class_, "--assignment", LESSON, "--json", "rows.json", "--workers", "1", *more)
    assert said.code == 0, said.err
    listed = json.loads((course.root / "rows.json").read_text(encoding="utf-8"))
    return {one["student_id"]: one for one in listed}


def test_all_that_is_handed_back_says_the_same(course: TinyCourse, class_: Path) -> None:
    from nbgrader.api import Gradebook

    due_on(course, "2026-10-01T23:59")
    rows = graded(course, class_, "--export", "csv", "grades.csv")
    told = {name: (one["late"], one["late_by_s"], one["raw_score"], one["penalty"]) for name, one in rows.items()}
    by = 38 * HOUR
    assert told == {
        "early": (False, 0, 3.0, 0.0),
        "sharp": (False, 0, 3.0, 0.0),
        "late": (True, by, 3.0, 1.5),
        "still": (False, None, 3.0, 0.0),
    }
    assert {name: one["score"] for name, one in rows.items()} == {"early": 3, "sharp": 3, "late": 1.5, "still": 3}
    assert rows["sharp"]["submitted_at"] == "2026-10-01T21:59:30Z"

    home = course.root / "submitted.grading"
    for ending in ("html", "txt"):
        page = (home / "feedback" / LESSON / f"late.{ending}").read_text(encoding="utf-8")
        assert "Handed in 1 day 14 hours late: 3 less 1.5 points" in page
        assert "late:" not in (home / "feedback" / LESSON / f"sharp.{ending}").read_text(encoding="utf-8")
    report = (home / f"report-{LESSON}.html").read_text(encoding="utf-8")
    assert "1 was handed in late" in report
    assert "1 day 14 hours late" in report
    with (course.root / "grades.csv").open(encoding="utf-8", newline="") as file:
        exported = {line["student_id"]: line for line in csv.DictReader(file)}
    columns = ("score", "raw_score", "penalty", "late", "late_by_s", "submitted_at")
    assert [exported["late"][name] for name in columns] == ["1.5", "3", "1.5", "yes", str(by), "2026-10-03T12:00:00Z"]
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        assert book.find_assignment(LESSON).duedate.isoformat() == "2026-10-01T21:59:59.999999"
        for name, one in rows.items():
            kept = book.find_submission(LESSON, name)
            assert (kept.score, kept.late_submission_penalty or 0.0) == (one["raw_score"], one["penalty"]), name
            assert round(kept.total_seconds_late) == (one["late_by_s"] or 0)
        assert book.find_submission(LESSON, "sharp").timestamp.isoformat() == "2026-10-01T21:59:30"


def stored(course: TinyCourse) -> tuple[list[str], bytes]:
    """The runs and the rubrics of the class: what costs time to make."""
    with Store(course.root / "submitted.grading") as store:
        runs = sorted(f"{key} {run}" for key, run in store.runs())
        (kept,) = store._database.execute("select key from rubrics").fetchall()
    return runs, kept[0]


def test_another_due_time_or_policy_is_judged_again_without_running(course: TinyCourse, class_: Path) -> None:
    due_on(course, "2026-10-01T23:59")
    graded(course, class_)
    before = stored(course)

    due_on(course, "2026-10-01T21:00")
    told = course.run("rejudge", class_, "--assignment", LESSON, "--yes")
    assert told.code == 0, told.err
    assert "sharp long-sums: 3/3 -> 2.25/3 (penalty 0 -> 0.75; in time -> 2 hours 58 minutes late)" in told.out
    assert "1 grade changes" in told.out

    due_on(course, "2026-10-01T23:59", "policies:\n  timezone: Europe/Berlin\n")
    told = course.run("rejudge", class_, "--assignment", LESSON, "--yes")
    assert "late long-sums: 1.5/3 -> 3/3 (penalty 1.5 -> 0; 1 day 16 hours late -> 1 day 14 hours late)" in told.out
    assert "sharp long-sums: 2.25/3 -> 3/3" in told.out

    due_on(course, "2026-10-01T23:59", "policies: {timezone: America/New_York, late: {penalty_per_day: 0.25}}\n")
    told = course.run("rejudge", class_, "--assignment", LESSON, "--yes")
    assert "late long-sums: 3/3 -> 1.5/3" in told.out
    assert "0 grades change" in course.run("rejudge", class_, "--assignment", LESSON).out
    assert stored(course) == before
    assert graded(course, class_)["late"]["late_by_s"] == 32 * HOUR
    assert stored(course) == before
