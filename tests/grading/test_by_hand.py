"""A class of a plain assignment, graded, then graded by hand in formgrader, then exported: what humans gave counts."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from plain_week import dumped, find, solved, source
from test_roster import WORKSHEET

from autograde.cli import main

pytest.importorskip("nbgrader")
ZOE, JOERG = "Zoë Åström_77001_assignsubmission_file_", "Jörg Müller_77002_assignsubmission_file_"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moodle's download, its worksheet, and the instructor's notebook."""
    folder = tmp_path_factory.mktemp("by-hand")
    wrong = solved()
    find(wrong, "mean")["source"] = "def mean(numbers):\n    return 3"
    for student, notebook in ((ZOE, solved()), (JOERG, wrong)):
        (folder / "submissions" / student).mkdir(parents=True)
        (folder / "submissions" / student / "week1.ipynb").write_bytes(dumped(notebook))
    (folder / "week1.ipynb").write_bytes(dumped(source()))
    (folder / "worksheet.csv").write_text(WORKSHEET.replace("8.00", "7.00"), encoding="utf-8")
    return folder


def graded(folder: Path, kind: str = "moodle") -> tuple[list[list[str]], str]:
    """Grade and export: the file's lines, and what Zoë's feedback says."""
    words = ["grade", str(folder / "submissions"), "--source", str(folder / "week1.ipynb"), "--workers", "1"]
    words += ["--roster", str(folder / "worksheet.csv"), "--export", kind, str(folder / f"{kind}.csv")]
    assert main([*words, "--json", str(folder / "rows.json")]) == 0
    with (folder / f"{kind}.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    (feedback,) = (folder / "submissions.grading" / "feedback").rglob(f"{ZOE}.txt")
    return lines, feedback.read_text(encoding="utf-8")


def by_hand(folder: Path, student: str, scores: dict[str, float], said: str) -> None:
    """What formgrader does when a human grades."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'submissions.grading' / 'gradebook.db'}") as book:
        for cell, score in scores.items():
            grade = book.find_grade(cell, "week1", "week1", student)
            grade.manual_score, grade.needs_manual_grade = score, False
        book.find_comment("explain", "week1", "week1", student).manual_comment = said
        book.db.commit()


def runs(folder: Path) -> list[Any]:
    with sqlite3.connect(folder / "submissions.grading" / "store.sqlite") as store:
        return store.execute("select key, data from runs order by key").fetchall()


def test_an_export_after_formgrader_carries_what_humans_gave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, feedback = graded(folder)
    assert [line[4] for line in before[1:]] == ["3", "1"], "a folder of Moodle's is known by its participant"
    assert "to be graded by hand" in feedback
    kept = runs(folder)
    by_hand(folder, ZOE, {"explain": 2.5, "draw": 1}, "Say why.")

    capsys.readouterr()
    after, feedback = graded(folder)
    assert "1 submission: what was graded by hand counts" in capsys.readouterr().err
    assert [line[4] for line in after[1:]] == ["6.5", "1"]
    assert feedback.startswith("week1: 6.5 of 7 points\n")
    assert "explain: partial (2.5 of 3 points)\n  Say why.\n" in feedback
    assert after[1][9].startswith("<p>Graded by autograde: 6.5 of 7 points.</p>")
    assert "explain: partial (2.5 of 3 points)" in after[1][9]

    assert graded(folder) == (after, feedback), "nothing is counted twice"
    assert runs(folder) == kept, "and nothing was run again"
    rows = {row["student_id"]: row["score"] for row in json.loads((folder / "rows.json").read_text(encoding="utf-8"))}
    assert rows == {ZOE: 3.0, JOERG: 1.0}, "the rows say what was graded automatically"


@pytest.mark.parametrize(("kind", "column"), [("canvas", -1), ("csv", 3)])
def test_every_export_does(folder: Path, kind: str, column: int) -> None:
    lines, _ = graded(folder, kind)
    by_hand(folder, JOERG, {"explain": 0, "draw": 0.5}, "No.")
    lines, _ = graded(folder, kind)
    assert "1.5" in [line[column] for line in lines]


def test_a_gradebook_that_cannot_be_written_costs_no_feedback(folder: Path, tmp_path: Path) -> None:
    feedback = folder / "submissions.grading" / "feedback" / "week1" / f"{ZOE}.html"
    feedback.unlink(missing_ok=True)
    words = ["grade", str(folder / "submissions"), "--source", str(folder / "week1.ipynb"), "--workers", "1"]
    (tmp_path / "broken.db").write_text("no database", encoding="utf-8")
    assert main([*words, "--gradebook", f"sqlite:///{tmp_path / 'broken.db'}"]) == 1
    assert feedback.is_file()
