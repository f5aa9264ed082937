"""A class graded from end to end: verdicts, kills and resumes, judging again."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from klass import (
    BROKEN,
    COMMAND,
    LESSON,
    Rows,
    begun,
    graded,
    hand_in,
    killed_when,
    patient_copy,
    rows_in,
    stored,
    verdicts,
)
from tiny import TinyCourse

pytestmark = pytest.mark.xdist_group("grading")


@pytest.fixture(scope="module")
def patient(built: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """The toy course with little patience."""
    return patient_copy(built, tmp_path_factory.mktemp("patient"))


@pytest.fixture(scope="module")
def class_(patient: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], int, Rows]:
    """Eighteen submissions, graded undisturbed."""
    folder = tmp_path_factory.mktemp("class") / "submissions"
    kinds = hand_in(patient, folder, LESSON, 18, BROKEN)
    code, rows = graded(patient, folder, "--workers", "2")
    return folder, kinds, code, rows


Class = tuple[Path, dict[str, str], int, Rows]


def test_each_kind_gets_its_verdict(class_: Class) -> None:
    _, kinds, code, rows = class_
    assert code == 1, "a torn file was not graded, and the exit code says so"
    assert rows.keys() == kinds.keys()
    whole = next(rows[name]["max_score"] for name, kind in kinds.items() if kind == "right")
    for name, kind in kinds.items():
        row = rows[name]
        by_id = {exercise["id"]: exercise for exercise in row["exercises"]}
        if kind in ("right", "bare", "doubled"):
            assert (row["status"], row["score"]) == ("graded", whole), name
        elif kind == "empty":
            assert (row["status"], row["score"]) == ("not_started", 0.0)
        elif kind == "torn":
            assert (row["status"], row["score"]) == ("unreadable", None)
            assert row["message"]
        elif kind == "half":
            assert 0 < row["score"] < whole
        else:
            wanted = {"syntax": "error", "hostile": "timeout", "ends": "error"}[kind]
            assert by_id["kind-function"]["status"] == wanted
            assert row["score"] == whole - by_id["kind-function"]["max_score"], "the others still count"


def test_feedback_has_a_hint_where_the_course_allows_it_and_something_is_wrong(class_: Class) -> None:
    folder, kinds, _, rows = class_
    feedback = folder.with_name("submissions.grading") / "feedback" / LESSON
    for name, kind in kinds.items():
        wrong = [e["id"] for e in rows[name]["exercises"] if e["status"] not in ("passed", "needs_manual")]
        page = (feedback / f"{name}.html").read_text(encoding="utf-8")
        text = (feedback / f"{name}.txt").read_text(encoding="utf-8")
        hints = text.partition("Hints, if you want to try again:")[2].partition("\n\n")[0]
        assert page.count("<summary>A hint</summary>") == hints.count("  - kind-") == len(wrong), kind
        assert ("A linear layer has a bias." in page) == ("kind-module" in wrong)
        assert "The minus sign comes last." not in page, "the second hint is for asking"
        assert "Minus of one linear layer." not in page, "nor is there a worked solution"


def test_what_was_handed_in_is_not_changed(class_: Class, patient: TinyCourse, tmp_path: Path) -> None:
    folder, _, _, _ = class_
    again = tmp_path / "submissions"
    hand_in(patient, again, LESSON, 18, BROKEN)
    before = {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}
    after = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before == after


def test_killed_and_started_again_it_is_as_if_nothing_had_happened(
    class_: Class, patient: TinyCourse, tmp_path: Path
) -> None:
    _, kinds, _, undisturbed = class_
    folder, file = tmp_path / "submissions", tmp_path / "rows.json"
    hand_in(patient, folder, LESSON, len(kinds), BROKEN)
    command = [*COMMAND, str(folder), "--assignment", LESSON, "--json", str(file), "--workers", "1"]
    store, kept = folder.with_name("submissions.grading"), dict[str, bytes]()
    for wanted in (2, 5, 8):
        killed_when(begun(command, patient.root), lambda wanted=wanted: len(stored(store)) >= wanted)
        now = stored(store)
        assert all(now[key] == run for key, run in kept.items()), "what was run is not run again"
        kept = now
    done = subprocess.run(command, cwd=patient.root, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert verdicts(rows_in(file)) == verdicts(undisturbed)
    assert all(stored(store)[key] == run for key, run in kept.items())


def test_an_unchanged_class_is_not_run_again_and_a_fresh_one_is(
    class_: Class, patient: TinyCourse, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    hand_in(patient, folder, LESSON, 2, BROKEN)
    _, first = graded(patient, folder)
    store = folder.with_name("submissions.grading")
    before = stored(store)
    _, second = graded(patient, folder)
    assert (stored(store), verdicts(second)) == (before, verdicts(first))
    _, fresh = graded(patient, folder, "--fresh")
    assert verdicts(fresh) == verdicts(first)
    assert len(stored(store)) == 2 * len(before), "other inputs were drawn"


def test_a_class_is_judged_again_without_running(patient: TinyCourse, tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course", patient.root)
    folder = tmp_path / "submissions"
    hand_in(course, folder, LESSON, 2, BROKEN)
    _, first = graded(course, folder)
    runs = stored(folder.with_name("submissions.grading"))
    course.edit(
        LESSON,
        '"grade_id": "kind-number", "locked": true, "points": 1',
        '"grade_id": "kind-number", "locked": true, "points": 3',
    )
    text = (course.root / "course.yml").read_text(encoding="utf-8")
    points = sum(task.points for task in course.text(LESSON).tasks)
    (course.root / "course.yml").write_text(
        text.replace(f"points: {points - 2:g}", f"points: {points:g}", 1), encoding="utf-8"
    )
    course.build()
    told = course.run("rejudge", folder, "--assignment", LESSON)
    assert told.code == 0, told.err
    assert "kind-number: passed 1/1 -> passed 3/3" in told.out
    assert "Nothing was written" in told.out
    assert course.run("rejudge", folder, "--assignment", LESSON, "--yes").code == 0
    assert "0 grades change" in course.run("rejudge", folder, "--assignment", LESSON).out
    _, after = graded(course, folder)
    assert stored(folder.with_name("submissions.grading")) == runs
    assert all(after[name]["score"] == row["score"] + 2 for name, row in first.items() if row["score"] is not None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "there is no such"),
        (["course.yml"], "course.yml: this is no archive"),
        (["lessons", "--assignment", "no-such-lesson"], "no lesson"),
        (["lessons", "--source", "none.ipynb"], "--source none.ipynb: it cannot be read (No such file or directory)."),
        (["lessons", "--source", "course.yml"], "--source course.yml: this is no notebook."),
        (["lessons", "--workers", "0", "--export", "xls", "x"], "--workers 0: name 1 or more"),
    ],
)
def test_what_cannot_begin_is_told(course: TinyCourse, words: list[str], said: str) -> None:
    result = course.run("grade", *words)
    assert result.code == 2
    assert said in result.err
    assert "rubrics" not in result.err, "nothing was run"


def test_a_lesson_that_was_never_built_is_told(course: TinyCourse) -> None:
    course.notebook_file("long-sums").rename(course.root / "handed-in.ipynb")
    result = course.run("grade", "handed-in.ipynb", "--assignment", "long-sums")
    assert result.code == 2
    assert "lessons/02-long-sums.ipynb: the notebook is not there. Run `autograde build 02-long-sums`." in result.err


def test_judging_again_on_what_is_no_notebook_is_told(course: TinyCourse) -> None:
    assert course.run("grade", "lessons/02-long-sums.ipynb", "--assignment", "long-sums").code == 0
    result = course.run("rejudge", "lessons/02-long-sums.ipynb", "--source", "course.yml")
    assert result.code == 2
    assert result.err == "--source course.yml: this is no notebook. Name the instructor's solved one\n"
