"""Stock nbgrader releases what we release, and its gradebook shows the points that `check` gave."""

from __future__ import annotations

import csv
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from stock import ENVIRONMENT, NbgraderCourse
from submissions import ALL, LESSON, OF_LESSON, POINTS

pytestmark = pytest.mark.xdist_group("nbgrader")
ROOT = Path(__file__).parents[2]
LESSONS = {"weighted-average": "02", LESSON: "04", "position-independence": "06"}


@pytest.mark.parametrize("slug", LESSONS)
def test_its_release_is_ours_cell_for_cell(released: NbgraderCourse, slug: str) -> None:
    stock = released.notebook("release", slug, f"{slug}.ipynb")
    ours = nbformat.read(ROOT / "lessons" / f"{LESSONS[slug]}-{slug}.ipynb", as_version=4)
    assert len(stock.cells) == len(ours.cells)
    for theirs, mine in zip(stock.cells, ours.cells, strict=True):
        assert (theirs.id, theirs.cell_type, theirs.source) == (mine.id, mine.cell_type, mine.source)
        assert theirs.metadata == mine.metadata


@pytest.fixture(scope="session")
def scores(graded: NbgraderCourse) -> dict[str, dict[str, float]]:
    """The points in the gradebook, by student and exercise."""
    with graded.gradebook() as book:
        return {
            student: {
                grade.name: grade.auto_score
                for grade in book.find_submission_notebook(hand_in.lesson, hand_in.lesson, student).grades
            }
            for student, hand_in in ALL.items()
        }


def test_the_gradebook_knows_what_each_exercise_is_worth(graded: NbgraderCourse) -> None:
    with graded.gradebook() as book:
        cells = book.find_notebook(LESSON, LESSON).grade_cells
        assert {cell.name: cell.max_score for cell in cells} == POINTS


@pytest.mark.parametrize("student", [name for name, hand_in in ALL.items() if not hand_in.grade_cells])
def test_the_gradebook_shows_the_points_that_check_gave(
    graded: NbgraderCourse, scores: dict[str, dict[str, float]], student: str
) -> None:
    checked = graded.checked[student]
    assert "nothing" not in {shown.status for shown in checked.values()}
    assert scores[student] == {exercise: shown.score for exercise, shown in checked.items()}


@pytest.mark.parametrize("student", ALL)
def test_each_hand_in_gets_the_points_that_it_is_worth(scores: dict[str, dict[str, float]], student: str) -> None:
    assert sum(scores[student].values()) == ALL[student].points


@pytest.mark.parametrize(
    ("student", "exercise", "status", "told"),
    [
        ("all-wrong", "ff-parameters", "failed", "left out both biases"),
        ("empty", "ff-module", "not_attempted", "Nothing to check yet"),
        ("raises", "ff-parameters", "error", "ZeroDivisionError: division by zero"),
        ("raises", "ff-module", "error", "return x[0, 0, 0, 0] IndexError"),
        ("mistypes", "ff-second-layer", "error", "Write numbers without commas"),
        ("mistypes", "ff-module", "error", "Python cannot read your answer cell"),
        ("earns-a-part", "wa-attention", "partial", "no gradient comes back to q, k and v"),
        ("prints", "ff-module", "passed", "Widen, ReLU, narrow"),
    ],
)
def test_students_are_told_in_their_notebook_what_is_wrong(
    graded: NbgraderCourse, student: str, exercise: str, status: str, told: str
) -> None:
    shown = graded.checked[student][exercise]
    assert (shown.status, shown.stderr) == (status, "")
    assert told in shown.text


def test_feedback_pages_carry_the_same_sentences_and_no_solution(graded: NbgraderCourse) -> None:
    for student in OF_LESSON:
        assert (graded.folder / "feedback" / student / LESSON / f"{LESSON}.html").is_file()
    page = (graded.folder / "feedback" / "all-wrong" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "You counted the two weights and left out both biases." in page
    assert "131_712" not in page
    assert "self.narrow" not in page


def test_the_export_holds_the_totals(graded: NbgraderCourse) -> None:
    with (graded.root / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == LESSON}
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        student: ALL[student].points if student in OF_LESSON else 0.0 for student in ALL
    }
    assert {float(row["max_score"]) for row in rows.values()} == {13.0}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def page(address: str) -> str:
    """A page's text; anything but a page is an error."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert answer.status == 200
        return str(answer.read().decode())


@pytest.fixture
def formgrader(graded: NbgraderCourse) -> Iterator[str]:
    """The address of formgrader, served on the graded course by a server with settings of its own."""
    settings = {"ServerApp": {"jpserver_extensions": {"nbgrader.server_extensions.formgrader": True}}}
    (graded.root / "jupyter_server_config.json").write_text(json.dumps(settings), encoding="utf-8")
    words = ["--no-browser", "--allow-root", f"--ServerApp.port={(port := free_port())}", "--IdentityProvider.token="]
    address, log = f"http://127.0.0.1:{port}", graded.root / "server.txt"
    with (
        log.open("w", encoding="utf-8") as said,
        subprocess.Popen(
            [sys.executable, "-m", "jupyter", "server", *words],
            cwd=graded.root, env=ENVIRONMENT | graded.homes, stdout=said, stderr=said,
        ) as server,
    ):  # fmt: skip
        try:
            wait_for(f"{address}/api", server, log)
            yield f"{address}/formgrader"
        finally:
            server.terminate()


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Until a server answers."""
    while server.poll() is None:
        try:
            page(address)
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(log.read_text(encoding="utf-8"))


def test_formgrader_shows_the_assignment_and_a_submission(graded: NbgraderCourse, formgrader: str) -> None:
    with graded.gradebook() as book:
        submission = book.find_submission_notebook(LESSON, LESSON, "all-wrong").id
    assert LESSON in page(f"{formgrader}/gradebook/{LESSON}")
    assert "left out both biases" in page(f"{formgrader}/submissions/{submission}")
    assert json.loads(page(f"{formgrader}/api/assignment/{LESSON}"))["max_score"] == 13
