"""nbgrader's gradebook, a real one: what arrives is read back by nbgrader's own API, exporter and formgrader."""

from __future__ import annotations

import csv
import html
import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from autograde.grading.assignment import Assignment, ReleaseCell
from autograde.grading.autograded import autograded_notebook
from autograde.grading.by_hand import with_manual_grades
from autograde.grading.gradebook import (
    GradebookError,
    write_autograded,
    write_gradebook,
)
from autograde.grading.roster import read_roster
from autograde.grading.submission import Cell, ExerciseRow, Row, Submission

pytest.importorskip("nbgrader")

TEST = "assert add(1, 2) == 3\n### BEGIN HIDDEN TESTS\nassert add(2, 40) == 42\n### END HIDDEN TESTS"
ASSIGNMENT = Assignment(
    "week1",
    (
        ReleaseCell("markdown", "# Week 1", "", "text"),
        ReleaseCell("code", "import math", "setup", "given", locked=True),
        ReleaseCell("code", "def add(a, b):\n    raise NotImplementedError()", "add", "answer"),
        ReleaseCell("code", TEST, "test_add", "grade", 2.0, locked=True),
        ReleaseCell("code", "assert add(0, 0) == 0", "test_zero", "grade", 1.0, locked=True),
        ReleaseCell("markdown", "YOUR ANSWER HERE", "why", "manual", 3.0),
        ReleaseCell("markdown", "Draw a picture.", "picture", "manual", 2.0, locked=True),
    ),
    in_process=True,
)


def row(student: str, *scores: float, **more: Any) -> Row:
    exercises = tuple(
        ExerciseRow(name, "passed" if score == most else "failed", score, most, f"Said of <b>{name}</b>.")
        for name, score, most in zip(("test_add", "test_zero"), scores, (2.0, 1.0), strict=True)
    )
    manual = tuple(
        ExerciseRow(n, "needs_manual", None, m, "Graded by hand.") for n, m in (("why", 3.0), ("picture", 2.0))
    )
    data = {"status": "graded", "score": sum(scores), "needs_manual": True, "exercises": exercises + manual}
    return Row(student, "week1", f"{student}/week1.ipynb", max_score=8.0, **(data | more))


def unreadable(student: str) -> Row:
    return Row(student, "week1", f"{student}.pdf", "unreadable", None, 8.0, message="This is a PDF.")


def digests(*submissions: Submission) -> dict[str, str]:
    """The digests of what students handed in."""
    return {one.student_id: one.digest for one in submissions}


def submission(student: str, body: str = "return a + b") -> Submission:
    cells = (
        Cell("markdown", "My notes"),
        Cell("code", f"def add(a, b):\n    {body}", "add"),
        Cell("code", "assert add(1, 2) == 3", "test_add"),
        Cell("markdown", "Because <script>alert(1)</script>.", "why"),
    )
    return Submission(student, "week1", f"{student}/week1.ipynb", cells)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook: nbgrader takes two seconds to make one."""
    file = tmp_path_factory.mktemp("empty") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        Book(f"sqlite:///{file}").open().close()
    return file


@pytest.fixture
def url(tmp_path: Path, empty: Path) -> str:
    return f"sqlite:///{shutil.copy(empty, tmp_path / 'gradebook.db')}"


class Book:
    """nbgrader's API on a gradebook, opened for each question."""

    def __init__(self, url: str) -> None:
        self.url = url

    def open(self) -> Any:
        from nbgrader.api import Gradebook

        return Gradebook(self.url)

    def grade(self, student: str, cell: str) -> dict[str, Any]:
        with self.open() as book:
            return dict(book.find_grade(cell, "week1", "week1", student).to_dict())

    def comment(self, student: str, cell: str) -> Any:
        with self.open() as book:
            return book.find_comment(cell, "week1", "week1", student).comment

    def submission(self, student: str) -> dict[str, Any]:
        with self.open() as book:
            return dict(book.find_submission("week1", student).to_dict())

    def by_hand(self, student: str, cell: str, score: float, said: str = "") -> None:
        """What formgrader does when a human grades."""
        with self.open() as book:
            grade = book.find_grade(cell, "week1", "week1", student)
            grade.manual_score, grade.needs_manual_grade = score, False
            if said:
                book.find_comment(cell, "week1", "week1", student).manual_comment = said
            book.db.commit()


def test_points_arrive_in_a_new_gradebook(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    kept = write_gradebook(url, ASSIGNMENT, [row("00123", 2.0, 0.0), row("zoë@uni.example", 2.0, 1.0)])
    assert kept.students == 2
    book = Book(url)
    first = book.submission("00123")
    assert (first["score"], first["max_score"], first["needs_manual_grade"]) == (2.0, 8.0, True)
    assert book.submission("zoë@uni.example")["score"] == 3.0
    assert (first["max_code_score"], first["max_written_score"], first["max_task_score"]) == (3.0, 3.0, 2.0)
    grade = book.grade("00123", "test_add")
    assert (grade["auto_score"], grade["manual_score"], grade["needs_manual_grade"]) == (2.0, None, False)


def test_manual_cells_are_left_for_the_human(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)])
    for cell in ("why", "picture"):
        grade = Book(url).grade("a", cell)
        assert (grade["auto_score"], grade["manual_score"], grade["needs_manual_grade"]) == (None, None, True)


def test_comments_stand_at_the_answer_and_are_no_html(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 0.0)])
    said = Book(url).comment("a", "add")
    assert said == (
        "✓ test_add: passed, 2 of 2 points. Said of <\u200bb>test_add<\u200b/b>.\n\n"
        "✗ test_zero: failed, 0 of 1 point. Said of <\u200bb>test_zero<\u200b/b>."
    )
    assert Book(url).comment("a", "why") is None


def test_no_score_is_no_score(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [unreadable("a"), row("b", 0.0, 0.0)])
    book = Book(url)
    for cell in ("test_add", "test_zero", "why", "picture"):
        grade = book.grade("a", cell)
        assert grade["auto_score"] is None
        assert grade["needs_manual_grade"] is True
    assert book.comment("a", "add") == "No score (unreadable): This is a PDF."
    assert book.grade("b", "test_add")["auto_score"] == 0.0, "and zero is a score"
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)])
    assert book.grade("a", "test_add")["auto_score"] == 2.0
    assert book.grade("a", "test_add")["needs_manual_grade"] is False


def test_a_second_run_updates_and_makes_nothing_twice(url: str) -> None:
    def counted() -> dict[str, int]:
        from sqlalchemy import func, inspect, select, table

        with Book(url).open() as book:
            names = inspect(book.engine).get_table_names()
            return {name: book.db.execute(select(func.count()).select_from(table(name))).scalar_one() for name in names}

    rows = [row("a", 2.0, 1.0), unreadable("b")]
    write_gradebook(url, ASSIGNMENT, rows, digests(submission("a")))
    before = counted()
    assert before["grade"] == 8
    write_gradebook(url, ASSIGNMENT, [row("a", 0.0, 1.0), rows[1]], digests(submission("a")))
    assert counted() == before
    assert Book(url).submission("a")["score"] == 1.0
    assert "failed" in Book(url).comment("a", "add")


def test_what_a_human_graded_is_kept(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 0.0, 1.0)], digests(submission("a")))
    book = Book(url)
    book.by_hand("a", "why", 2.5, "Well argued.")
    book.by_hand("a", "test_add", 1.5)
    again = write_gradebook(url, ASSIGNMENT, [row("a", 0.0, 1.0)], digests(submission("a")))
    assert again.to_review == ()
    assert book.submission("a")["score"] == 5.0
    assert book.comment("a", "why") == "Well argued."
    assert book.grade("a", "why")["needs_manual_grade"] is False

    renewed = write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)], digests(submission("a", "return b + a")))
    assert renewed.to_review == ("a",), "another submission: the human should look again"
    assert book.submission("a")["score"] == 5.0, "and until then the human's grades stay"
    assert book.grade("a", "why")["needs_manual_grade"] is True
    assert book.grade("a", "test_add") | {"auto_score": 2.0, "manual_score": 1.5} == book.grade("a", "test_add")


def test_a_late_penalty_is_nbgraders(url: str) -> None:
    late = row("a", 2.0, 1.0, score=2.4, raw_score=3.0, penalty=0.6, submitted_at="2026-10-02T00:00:30.500000Z")
    write_gradebook(url, ASSIGNMENT, [late], due=datetime(2026, 10, 2, 2, 0, tzinfo=timezone(timedelta(hours=2))))
    with Book(url).open() as book:
        found = book.find_submission("week1", "a")
        assert (found.score, round(found.late_submission_penalty, 6)) == (3.0, 0.6)
        assert found.duedate.isoformat() == "2026-10-02T00:00:00"
        assert found.total_seconds_late == 30.5
    (again,) = with_manual_grades(url, [late])
    assert (again.score, again.raw_score, again.penalty) == (2.4, 3.0, 0.6)
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)])
    with Book(url).open() as book:
        found = book.find_submission("week1", "a")
        assert not found.late_submission_penalty
        assert found.total_seconds_late == 30.5, "what is not known any better stays"


def test_an_extension_that_nbgrader_knows_of_is_told(url: str) -> None:
    late = row("a", 2.0, 1.0, late=True, late_by_s=60, penalty=0.5)
    write_gradebook(url, ASSIGNMENT, [late])
    with Book(url).open() as book:
        book.find_submission("week1", "a").extension = timedelta(days=2)
        book.db.commit()
    (note,) = write_gradebook(url, ASSIGNMENT, [late]).notes
    assert note.startswith("a: nbgrader's gradebook grants an extension of 2 days")


def test_names_come_from_the_roster_and_are_not_forgotten_without(url: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text('Student,ID,SIS Login ID,Section\n"Åström, Zoë",1,zoe@x.example,S\n', "utf-8")
    write_gradebook(url, ASSIGNMENT, [row("zoe@x.example", 2.0, 1.0)], roster=read_roster(tmp_path / "roster.csv"))
    write_gradebook(url, ASSIGNMENT, [row("zoe@x.example", 2.0, 1.0)])
    with Book(url).open() as book:
        found = book.find_student("zoe@x.example")
        assert (found.first_name, found.last_name) == ("Zoë", "Åström")


def test_a_cell_that_left_the_assignment_no_longer_counts(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0), row("b", 2.0, 1.0)])
    smaller = replace(ASSIGNMENT, cells=tuple(cell for cell in ASSIGNMENT.cells if cell.grade_id != "test_zero"))
    write_gradebook(url, smaller, [row("a", 2.0, 1.0)])
    assert Book(url).submission("a")["max_score"] == 7.0
    assert Book(url).submission("b")["score"] == 2.0


def test_a_cell_that_a_human_graded_stays_when_it_leaves(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)])
    Book(url).by_hand("a", "why", 3.0)
    smaller = replace(ASSIGNMENT, cells=tuple(cell for cell in ASSIGNMENT.cells if cell.grade_id != "why"))
    kept = write_gradebook(url, smaller, [row("a", 2.0, 1.0)])
    assert kept.notes == ("why is no longer in week1, but a human graded it: it stays and counts 3 points",)
    assert Book(url).submission("a")["score"] == 6.0


def test_with_what_humans_graded_for_an_export_after_formgrader(url: str) -> None:
    rows = [row("a", 2.0, 1.0), unreadable("b"), unreadable("c"), row("d", 1.0, 0.0)]
    write_gradebook(url, ASSIGNMENT, rows[:3])
    for cell in ("why", "picture"):
        Book(url).by_hand("a", cell, 2.0)
    for cell in ("test_add", "test_zero", "why", "picture"):
        Book(url).by_hand("c", cell, 1.0)
    found = {one.student_id: (one.score, one.needs_manual) for one in with_manual_grades(url, rows)}
    assert found == {"a": (7.0, False), "b": (None, False), "c": (4.0, False), "d": (1.0, True)}


def test_an_exercise_that_a_human_graded_says_so(url: str) -> None:
    one = row("a", 0.0, 1.0)
    write_gradebook(url, ASSIGNMENT, [one])
    Book(url).by_hand("a", "why", 1.5, "Well argued,\nbut short.")
    Book(url).by_hand("a", "test_add", 2.0)
    (found,) = with_manual_grades(url, [one])
    told = [(exercise.id, exercise.status, exercise.score, exercise.message) for exercise in found.exercises]
    assert told == [
        ("test_add", "passed", 2.0, "Graded by hand."),
        ("test_zero", "passed", 1.0, "Said of <b>test_zero</b>."),
        ("why", "partial", 1.5, "Well argued,\nbut short."),
        ("picture", "needs_manual", None, "Graded by hand."),
    ]
    assert (found.score, found.needs_manual) == (4.5, True)


def test_what_no_human_touched_stays_as_it_is(url: str) -> None:
    untouched = Row("a", "week1", "a.ipynb", "not_started", 0.0, 8.0)
    rows = [untouched, row("b", 2.0, 1.0), replace(unreadable("c"), status="failed")]
    write_gradebook(url, ASSIGNMENT, rows)
    assert with_manual_grades(url, rows) == rows


def test_extra_credit_counts_and_what_was_handed_in_again_waits(url: str) -> None:
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)], digests(submission("a")))
    Book(url).by_hand("a", "why", 3.0)
    Book(url).by_hand("a", "picture", 2.0)
    with Book(url).open() as book:
        book.find_grade("why", "week1", "week1", "a").extra_credit = 0.5
        book.db.commit()
    assert [(one.score, one.needs_manual) for one in with_manual_grades(url, [row("a", 2.0, 1.0)])] == [(8.5, False)]
    again = row("a", 2.0, 0.0)
    write_gradebook(url, ASSIGNMENT, [again], digests(submission("a", "return b + a")))
    assert [(one.score, one.needs_manual) for one in with_manual_grades(url, [again])] == [(7.5, True)]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite:////no/such/folder/gradebook.db", "unable to open database file"),
        ("sqlite:///{broken}", "not a database"),
        ("nonsense", "Could not parse"),
        ("postgresql+nodriver://me:secret@localhost/x", "nodriver"),
    ],
)
def test_a_gradebook_that_cannot_be_written_says_why(url: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is text" * 100)
    with pytest.raises(GradebookError) as fault:
        write_gradebook(url.format(broken=tmp_path / "broken.db"), ASSIGNMENT, [row("a", 2.0, 1.0)])
    assert says in str(fault.value)
    assert "secret" not in str(fault.value)


def test_ids_that_nbgrader_cannot_keep_cost_nobody_else(url: str) -> None:
    kept = write_gradebook(url, ASSIGNMENT, [row("x" * 200, 2.0, 1.0), row("a", 2.0, 1.0)])
    assert kept.students == 1
    assert "left out" in kept.notes[0]


def test_a_gradebook_that_nbgrader_made_is_filled_in_place(url: str) -> None:
    """Another name of the notebook, a second notebook, cells with checksums: nbgrader's own stay as they are."""
    with Book(url).open() as book:
        book.add_assignment("week1")
        for name, cells in (("problem1", ("test_add", "test_zero")), ("problem2", ("other",))):
            book.add_notebook(name, "week1")
            for cell in cells:
                book.add_grade_cell(cell, name, "week1", max_score=1.0, cell_type="code")
                book.add_source_cell(cell, name, "week1", cell_type="code", source="theirs", checksum="abc")
            book.add_solution_cell("add", name, "week1")
    write_gradebook(url, ASSIGNMENT, [row("a", 2.0, 1.0)])
    with Book(url).open() as book:
        assert [one.name for one in book.find_assignment("week1").notebooks] == ["problem1", "problem2"]
        assert book.find_grade("test_add", "problem1", "week1", "a").auto_score == 2.0
        assert book.find_grade("other", "problem2", "week1", "a").auto_score is None
        assert book.find_source_cell("test_add", "problem1", "week1").checksum == "abc"
        assert book.find_submission("week1", "a").max_score == 9.0


def test_a_large_class_is_quick(url: str) -> None:
    rows = [row(f"s{i:05d}", 2.0, float(i % 2)) for i in range(1_000)]
    begun = time.process_time()
    write_gradebook(url, ASSIGNMENT, rows)
    write_gradebook(url, ASSIGNMENT, rows)
    assert time.process_time() - begun < 20
    assert Book(url).submission("s00999")["score"] == 3.0


# What formgrader opens.


def test_the_notebook_for_formgrader_is_whole() -> None:
    import nbformat
    from nbgrader.utils import determine_grade

    made = nbformat.from_dict(autograded_notebook(ASSIGNMENT, row("a", 2.0, 0.0), submission("a").cells))
    nbformat.validate(made)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in made.cells if "nbgrader" in cell.metadata}
    assert list(cells) == ["setup", "add", "test_add", "test_zero", "why", "picture"]
    assert [cell.source for cell in made.cells[:2]] == ["import math", "My notes"]
    assert "return a + b" in cells["add"].source
    assert "HIDDEN" in cells["test_add"].source
    assert [determine_grade(cells[name])[0] for name in ("test_add", "test_zero", "why")] == [2.0, 0.0, None]
    assert cells["picture"].metadata.nbgrader.task is True


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<!--><svg onload=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt\\:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](java&#115;cript&colon;alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x]\n\n[x]: vbscript:alert(1)",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
    ],
)
@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_formgrader_runs_nothing_that_a_learner_wrote(attack: str, kind: str) -> None:
    from nbconvert.filters import markdown2html

    cells = (Cell(kind, attack), Cell(kind, attack, "why"))
    made = autograded_notebook(ASSIGNMENT, row("a", 2.0, 1.0, message=attack, repairs=(attack,)), cells)["cells"]
    assert not any(cell["cell_type"] == "raw" for cell in made)
    shown = [markdown2html(cell["source"]) for cell in made if cell["cell_type"] == "markdown"]
    assert len(shown) >= 2
    for page in shown:
        assert not re.search(r"<(script|img[^>]*onerror|svg|!--)", page), page
        assert not re.search(r"(href|src)=.(\w*script|data|file):", page, re.IGNORECASE), page


def test_copies_and_lost_ids_in_the_notebook_for_formgrader() -> None:
    halves = (
        Cell("code", "def add(a, b):", "add"),
        Cell("code", "    return a + b", "add"),
        Cell("code", "def add(a, b): return 3  # an older copy", "test_add"),
        Cell("code", "assert add(1, 2) == 3", "test_add"),
    )
    made = autograded_notebook(ASSIGNMENT, row("a", 2.0, 1.0), halves)["cells"]
    ids = [cell["metadata"]["nbgrader"]["grade_id"] for cell in made if cell["metadata"]]
    assert sorted(ids) == sorted(["setup", "add", "test_add", "test_zero", "why", "picture"])
    whole = next(cell["source"] for cell in made if cell["metadata"].get("nbgrader", {}).get("grade_id") == "add")
    assert whole == "def add(a, b):\n    return a + b"
    bare = tuple(Cell(cell.kind, cell.source) for cell in submission("a").cells)
    made = autograded_notebook(ASSIGNMENT, row("a", 2.0, 1.0), bare)["cells"]
    assert len([cell for cell in made if cell["metadata"]]) == 6


def test_where_there_is_no_submission_the_reason_comes_first(tmp_path: Path) -> None:
    rows = [unreadable("00123"), unreadable("../../etc"), unreadable("..")]
    left = write_autograded(tmp_path / "autograded", ASSIGNMENT, rows, [])
    assert len(left) == 2
    assert [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()] == [
        "autograded/00123/week1/week1.ipynb"
    ]
    made = json.loads((tmp_path / "autograded/00123/week1/week1.ipynb").read_text("utf-8"))
    assert made["cells"][0]["source"] == "**No score: unreadable.**\nThis is a PDF."


@pytest.fixture
def course(tmp_path: Path, url: str) -> Path:
    """A course's folder as nbgrader wants it, with two graded students and one that could not be read."""
    for folder in ("source", "submitted/00123", "submitted/anna maria", "submitted/c"):
        (tmp_path / folder / "week1").mkdir(parents=True)
    (tmp_path / "submitted/00123/week1/timestamp.txt").write_text("2026-03-02 09:15:00 UTC\n", "utf-8")
    rows = [row("00123", 2.0, 0.0, submitted_at="2026-03-02T09:15:00Z"), row("anna maria", 2.0, 1.0), unreadable("c")]
    handed_in = [submission("00123"), submission("anna maria")]
    write_gradebook(url, ASSIGNMENT, rows, digests(*handed_in))
    assert write_autograded(tmp_path / "autograded", ASSIGNMENT, rows, handed_in) == []
    return tmp_path


def config(course: Path) -> Any:
    from traitlets.config import Config

    return Config(
        {
            "CourseDirectory": {"root": str(course), "db_url": f"sqlite:///{course / 'gradebook.db'}"},
            "Exchange": {"root": str(course / "exchange")},
        }
    )


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_nbgraders_exporters(course: Path, url: str) -> None:
    from nbgrader.plugins.export import CsvExportPlugin

    from autograde.grading.nbgrader_export import GradesCsv

    with Book(url).open() as book:
        book.add_student("nobody", last_name="Doe, Jo")
        stock, ours = CsvExportPlugin(), GradesCsv()
        for plugin, name in ((stock, "stock.csv"), (ours, "ours.csv")):
            plugin.log = logging.getLogger("quiet")
            plugin.to = str(course / name)
            plugin.export(book)
        ours.student, ours.assignment, ours.to = ["c"], ["week1"], str(course / "one.csv")
        ours.export(book)
    of_stock = {line["student_id"]: line for line in read_csv(course / "stock.csv")}
    assert of_stock["00123"]["score"] == "2.0"
    assert of_stock["c"]["score"] == "0.0", "nbgrader's own exporter knows no missing score"
    found = {line["student_id"]: (line["score"], line["max_score"]) for line in read_csv(course / "ours.csv")}
    assert found == {"00123": ("2.0", "8.0"), "anna maria": ("3.0", "8.0"), "c": ("", "8.0"), "nobody": ("", "8.0")}
    assert [line["student_id"] for line in read_csv(course / "one.csv")] == ["c"]


def test_nbgraders_own_view_of_the_class(course: Path) -> None:
    from nbgrader.apps.api import NbGraderAPI

    (course / "exchange").mkdir()
    (course / "exchange").chmod(0o777)
    api = NbGraderAPI(config=config(course))
    assert api.get_autograded_students("week1") == {"00123", "anna maria", "c"}
    seen = {one["student"]: one for one in api.get_submissions("week1")}
    assert seen["00123"]["score"] == 2.0
    assert all(one["autograded"] and one["needs_manual_grade"] for one in seen.values())
    assert len(api.get_notebook_submissions("week1", "week1")) == 3


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def formgrader(course: Path) -> Iterator[str]:
    """JupyterLab with formgrader on the course's folder."""
    port = _free_port()
    (course / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.root = {str(course)!r}\n"
        f"c.CourseDirectory.db_url = {'sqlite:///' + str(course / 'gradebook.db')!r}\n",
        "utf-8",
    )
    home = {
        name: str(course / "home") for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    environment = os.environ | home | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1",
        "--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={course}",
    ]  # fmt: skip
    with (course / "lab.log").open("w") as log:
        process = subprocess.Popen(command, cwd=course, env=environment, stdout=log, stderr=log)
        try:
            for _ in range(240):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/api/status", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/formgrader"
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.nbgrader
def test_formgrader_opens_every_submission(formgrader: str, course: Path, url: str) -> None:
    def get(path: str) -> str:
        with urllib.request.urlopen(f"{formgrader}/{path}", timeout=60) as answer:
            return str(answer.read().decode())

    listed = json.loads(get("api/submitted_notebooks/week1/week1"))
    assert {one["student"]: one["score"] for one in listed} == {"00123": 2.0, "anna maria": 3.0, "c": 0.0}
    for one in listed:
        page = get(f"submissions/{one['id']}/")
        for cell in ("test_add", "test_zero", "why", "picture"):
            assert f'id="{cell}"' in page, f"a box for the score of {cell}"
        assert 'id="add-comment"' in page
        graded = one["student"] != "c"
        text = html.unescape(re.sub(r"<[^>]+>", "", page))
        assert ("No score: unreadable." in text) != graded
        assert ("return a + b" in text) == graded
        assert ('data-kind="passed"' in page) == graded, "the verdicts are shown"
    grades = json.loads(get(f"api/grades?submission_id={listed[0]['id']}"))
    assert {grade["name"] for grade in grades} == {"test_add", "test_zero", "why", "picture"}


# PostgreSQL.


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own in a folder of its own, from Debian's packages."""
    pytest.importorskip("psycopg")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = shutil.which("initdb") or (str(found[-1]) if found else "")
    if not initdb:
        pytest.skip("PostgreSQL is not installed")
    folder = tmp_path_factory.mktemp("postgres")
    user: dict[str, Any] = {}
    if os.getuid() == 0:  # it refuses to run as root
        shutil.chown(folder, "nobody")
        for above in (folder, *folder.parents):
            if above.stat().st_uid == 0 and above.is_relative_to("/tmp") and above != Path("/tmp"):
                above.chmod(0o755)
        user = {"user": "nobody"}
    port = _free_port()
    data = folder / "data"
    subprocess.run([initdb, "-D", data, "-A", "trust", "-U", "me", "-E", "UTF8", "--no-sync"], check=True,
                   capture_output=True, cwd=folder, **user)  # fmt: skip
    server = subprocess.Popen(
        [str(Path(initdb).parent / "postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder, "-F"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **user,
    )  # fmt: skip
    try:
        for _ in range(100):
            with socket.socket() as caller:
                if caller.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"postgresql+psycopg://me@127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.heavy
def test_postgresql_by_url(postgres: str) -> None:
    import psycopg

    with psycopg.connect(f"{postgres.replace('+psycopg', '')}/postgres", autocommit=True) as connection:
        connection.execute("create database grades")
    url = f"{postgres}/grades"
    rows = [row("00123", 2.0, 0.0), unreadable("zoë@uni.example"), row("x" * 200, 2.0, 1.0)]
    kept = write_gradebook(url, ASSIGNMENT, rows, digests(submission("00123")))
    assert kept.students == 2
    book = Book(url)
    book.by_hand("00123", "why", 3.0, "Good.")
    again = write_gradebook(
        url, ASSIGNMENT, [row("00123", 2.0, 1.0), rows[1]], digests(submission("00123", "return 1"))
    )
    assert again.to_review == ("00123",)
    assert book.submission("00123")["score"] == 6.0
    assert book.grade("zoë@uni.example", "test_add")["auto_score"] is None
    assert with_manual_grades(url, [row("00123", 2.0, 1.0)])[0].score == 6.0
    with pytest.raises(GradebookError, match="does not exist"):
        write_gradebook(f"{postgres}/none", ASSIGNMENT, rows)
