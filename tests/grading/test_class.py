"""A class graded from end to end: verdicts, kills and resumes, judging again, a Dask cluster."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from klass import hand_in
from tiny import TinyCourse

from autograde.grading.store import Store

pytestmark = pytest.mark.xdist_group("grading")
LESSON = "every-kind"
COMMAND = [sys.executable, "-c", "import sys; from autograde.cli import main; sys.exit(main())", "grade"]
NEVER_ENDS = "def double_shifted(x, shift=0.0):\n    while True:\n        pass"
BROKEN = {"kind-function": NEVER_ENDS}
Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def patient(built: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """The toy course with little patience: two seconds of CPU for an exercise."""
    course = TinyCourse.copied(tmp_path_factory.mktemp("patient") / "course", built.root)
    text = (course.root / "course.yml").read_text(encoding="utf-8")
    (course.root / "course.yml").write_text(
        text + "\npolicies: {exercise_cpu_s: 2, submission_cpu_s: 20}\n", encoding="utf-8"
    )
    return course


def graded(course: TinyCourse, folder: Path, *more: str) -> tuple[int, Rows]:
    """Grade a folder; the exit code and the rows by student."""
    file = folder.with_name("rows.json")
    said = course.run("grade", folder, "--assignment", LESSON, "--json", file, *more)
    return said.code, rows_in(file)


def rows_in(file: Path) -> Rows:
    return {row["student_id"]: row for row in json.loads(file.read_text(encoding="utf-8"))}


def verdicts(rows: Rows) -> dict[str, Any]:
    """What of the rows does not hang on the clock."""
    return {name: {k: v for k, v in row.items() if k not in ("cpu_s", "wall_s")} for name, row in rows.items()}


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
    kept: dict[str, bytes] = {}
    for wanted in (2, 5, 8):
        _killed_after(command, patient.root, folder.with_name("submissions.grading"), wanted)
        now = _stored(folder.with_name("submissions.grading"))
        assert all(now[key] == run for key, run in kept.items()), "what was run is not run again"
        kept = now
    done = subprocess.run(command, cwd=patient.root, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert verdicts(rows_in(file)) == verdicts(undisturbed)
    assert all(_stored(folder.with_name("submissions.grading"))[key] == run for key, run in kept.items())


def _killed_after(command: list[str], root: Path, store: Path, runs: int) -> None:
    """Start grading and kill it, with all it started, once so many runs are stored."""
    process = subprocess.Popen(
        command, cwd=root, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None and len(_stored(store)) < runs:
            time.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _stored(folder: Path) -> dict[str, bytes]:
    """The runs in a store, as bytes."""
    if not (folder / "store.sqlite").exists():
        return {}
    with Store(folder) as store:
        return {key: repr(run).encode() for key, run in store.runs()}


def test_an_unchanged_class_is_not_run_again_and_a_fresh_one_is(
    class_: Class, patient: TinyCourse, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    hand_in(patient, folder, LESSON, 2, BROKEN)
    _, first = graded(patient, folder)
    store = folder.with_name("submissions.grading")
    before = _stored(store)
    _, second = graded(patient, folder)
    assert (_stored(store), verdicts(second)) == (before, verdicts(first))
    _, fresh = graded(patient, folder, "--fresh")
    assert verdicts(fresh) == verdicts(first)
    assert len(_stored(store)) == 2 * len(before), "other inputs were drawn"


def test_a_class_is_judged_again_without_running(patient: TinyCourse, tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course", patient.root)
    folder = tmp_path / "submissions"
    hand_in(course, folder, LESSON, 2, BROKEN)
    _, first = graded(course, folder)
    runs = _stored(folder.with_name("submissions.grading"))
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
    assert _stored(folder.with_name("submissions.grading")) == runs
    assert all(after[name]["score"] == row["score"] + 2 for name, row in first.items() if row["score"] is not None)


@pytest.mark.filterwarnings("default")  # distributed's own, on the way down
def test_a_dask_cluster_gives_the_same_rows(class_: Class, patient: TinyCourse, tmp_path: Path) -> None:
    _, _, _, undisturbed = class_
    folder = tmp_path / "submissions"
    hand_in(patient, folder, LESSON, 18, BROKEN)
    _, rows = graded(patient, folder, "--engine", "dask", "--workers", "2")
    assert verdicts(rows) == verdicts(undisturbed)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "there is no such"),
        (["course.yml", "--assignment", "no-such-lesson"], "no lesson"),
    ],
)
def test_what_cannot_begin_is_told(built: TinyCourse, words: list[str], said: str) -> None:
    result = built.run("grade", *words)
    assert result.code == 2
    assert said in result.err
