"""For honest submissions the two graders agree to the last point: stock nbgrader's gradebook, and `autograde grade`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stock import NbgraderCourse
from submissions import ALL

pytestmark = pytest.mark.xdist_group("nbgrader")
COMMAND = [sys.executable, "-c", "import sys; from autograde.cli import main; sys.exit(main())"]


@pytest.fixture(scope="session")
def rows(graded: NbgraderCourse, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """`autograde grade` on the very tree that nbgrader graded."""
    file: Path = tmp_path_factory.mktemp("rows") / "rows.json"
    words = ["grade", str(graded.folder / "submitted"), "--json", str(file)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*COMMAND, *words], cwd=graded.root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {row["student_id"]: row for row in json.loads(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("student", [name for name, hand_in in ALL.items() if not hand_in.grade_cells])
def test_both_graders_agree_to_the_last_point(
    graded: NbgraderCourse, rows: dict[str, dict[str, Any]], student: str
) -> None:
    lesson = ALL[student].lesson
    with graded.gradebook() as book:
        grades = book.find_submission_notebook(lesson, lesson, student).grades
        stock = {grade.name: grade.auto_score for grade in grades}
    ours = {exercise["id"]: exercise["score"] for exercise in rows[student]["exercises"]}
    if rows[student]["status"] == "not_started":
        assert not any(stock.values())
    else:
        assert ours == stock


def test_who_overwrote_the_checks_is_judged_by_the_release(rows: dict[str, dict[str, Any]]) -> None:
    for student, hand_in in ALL.items():
        if hand_in.grade_cells:
            assert any("locked" in repair for repair in rows[student]["repairs"])
