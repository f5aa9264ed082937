"""The class report, and the table for the terminal."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from test_feedback import ASSIGNMENT, ATTACK, CELLS, ROW, check_is_calm, shown

from autograde.grading.feedback import feedback_page
from autograde.grading.report import class_report, summary_table
from autograde.grading.submission import ExerciseRow, Row


def row(student: str, score: float | None, status: str = "graded", verdict: str = "passed", says: str = "") -> Row:
    exercises = (
        ExerciseRow("test_add", verdict, score, 2.0, says),
        ExerciseRow("why", "needs_manual", None, 3.0, "Graded by hand."),
    )
    graded = status == "graded"
    return Row(student, "week1", f"{student}.ipynb", status, score, 5.0, needs_manual=graded, message=says,
               exercises=exercises if graded else (), cpu_s=0.5)  # fmt: skip


ROWS = (
    row("anna", 2.0),
    row("ben", 2.0),
    row("cleo", 0.0, verdict="failed", says="Off by one."),
    row("dora", 0.0, verdict="failed", says="Off by one."),
    row("emil", 1.0, verdict="partial", says="Half of it."),
    row("fritz", 0.0, verdict="timeout", says="It took too long."),
    row("gustav", None, status="unreadable", says="This is a PDF."),
    row("hanna", 0.0, status="not_started"),
)


def test_the_report_says_how_the_class_did() -> None:
    page = class_report(ROWS, ASSIGNMENT, ())
    check_is_calm(page)
    text = shown(page)
    assert "8submissions" in text
    assert "7with a score" in text
    assert "Mean 0.71, median 0. 1 without a score is not in it." in text
    assert "test_add2 of 6 passed2 points" in text
    assert "2 ×Off by one." in text
    assert "1 ×Half of it." in text
    assert "why6 to grade by hand3 points" in text
    assert "gustavunreadableThis is a PDF." in text
    assert "fritztimeoutstopped at the time limit: test_add" in text
    assert "To be graded by hand, in formgrader: why of 6." in text
    assert "1 handed in what was handed out" in text
    assert "sandbox was not whole" not in text
    assert "3.5 s of CPU time" in text or "4.0 s of CPU time" in text


def test_layers_that_were_off_are_named() -> None:
    text = shown(class_report(ROWS, ASSIGNMENT, ("landlock", "cgroup")))
    assert "The sandbox was not whole" in text
    assert "landlock, cgroup" in text


def test_all_that_a_learner_wrote_is_escaped() -> None:
    rows = (row(ATTACK, 0.0, verdict=ATTACK, says=ATTACK), row(ATTACK, None, status="refused", says=ATTACK))
    check_is_calm(class_report(rows, ASSIGNMENT, (ATTACK,), ATTACK))
    assert "\x1b" not in summary_table(rows)


@pytest.mark.parametrize("rows", [(), ROWS[6:7], (Row("a", "week1", "f", "graded", 0.0, 0.0),)])
def test_a_class_of_nobody_and_a_class_without_points(rows: tuple[Row, ...]) -> None:
    check_is_calm(class_report(rows, ASSIGNMENT, ()))
    assert summary_table(rows).startswith("assignment")


def test_an_exercise_of_an_older_release_is_shown_too() -> None:
    old = Row("a", "week1", "f", "graded", 1.0, 1.0, exercises=(ExerciseRow("gone", "passed", 1.0, 1.0),))
    assert "gone1 of 1 passed1 point" in shown(class_report((old,), ASSIGNMENT, ()))


def test_a_large_class_makes_a_page_that_opens() -> None:
    rows = [row(f"student{i}", None, status="failed", says="The disk is full.") for i in range(20_000)]
    page = class_report(rows, ASSIGNMENT, ())
    assert len(page) < 500_000
    assert "And 19,700 more, which the JSON lists." in page


def test_the_terminals_table() -> None:
    lines = summary_table(
        [*ROWS, Row("山田", "week10", "f", "failed", None, 5.0, message="No\x1b[2J room.")]
    ).splitlines()
    assert lines[0].split() == [
        "assignment",
        "submissions",
        "graded",
        "not",
        "started",
        "not",
        "graded",
        "by",
        "hand",
        "mean",
        "of",
    ]
    assert lines[1].split() == ["week1", "8", "6", "1", "1", "6", "0.71", "5"]
    assert lines[2].split() == ["week10", "1", "0", "0", "1", "0", "-", "5"]
    assert lines[4] == "Not graded:"
    assert lines[5].split(maxsplit=3) == ["山田", "week10", "failed", "No\ufffd[2J room."]
    assert lines[6].split(maxsplit=3) == ["gustav", "week1", "unreadable", "This is a PDF."]
    assert len(lines[0]) == len(lines[1])


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_a_browser(tmp_path: Path, width: int, scheme: str) -> None:
    """No request, no message in the console, nothing wider than the screen, and text that can be read."""
    api = pytest.importorskip("playwright.sync_api")
    path = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), "chromium", "google-chrome"))), None)
    if path is None:
        pytest.skip("Chromium is not installed; set CHROMIUM to its path if it is")
    long = row("a" * 120 + "@uni.example", 0.0, verdict="failed", says="`" + "x" * 300 + "`")
    pages = {
        "feedback": feedback_page(ROW, CELLS, "Week 1", ASSIGNMENT, {"test_add": "Look."}),
        "report": class_report([*ROWS, long], ASSIGNMENT, ("landlock",)),
    }
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, html in pages.items():
            file = tmp_path / f"{name}.html"
            file.write_text(html, encoding="utf-8")
            view = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            asked: list[str] = []
            said: list[str] = []
            view.on("request", lambda request, asked=asked: asked.append(request.url))
            view.on("console", lambda message, said=said: said.append(message.text))
            view.goto(file.as_uri())
            view.evaluate("document.querySelectorAll('details').forEach(node => node.open = true)")
            assert asked == [file.as_uri()]
            assert said == []
            assert view.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {width}"
            assert view.evaluate(_CONTRAST) == [], f"{name} in {scheme}"
        browser.close()


# Texts whose contrast with what is behind them is under 4.5 (WCAG AA), opacity aside.
_CONTRAST = """() => {
  const part = v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 };
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
                       return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) };
  const behind = node => { for (; node; node = node.parentElement) {
    const c = getComputedStyle(node).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)' };
  const low = [];
  for (const node of document.querySelectorAll('main *')) {
    const own = [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !node.offsetWidth) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(node.className + ': ' + node.textContent.slice(0, 40));
  }
  return low;
}"""
