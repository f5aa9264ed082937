"""A class of a real lesson: killed three times and started again it is as if nothing had happened, and all is right."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from klass import COMMAND, begun, killed_when
from lesson_class import HandedIn, LessonClass, write
from tiny import TinyCourse

from autograde.grading.store import Store

ROOT = Path(__file__).resolve().parents[2]
SLUG = "widen-relu-narrow"
COUNTS = {
    "right": 22,
    "right in other ways": 18,
    "half answered": 14,
    "as handed out": 8,
    "wrong": 30,
    "the module wrong": 14,
    "syntax error": 9,
    "never ends": 3,
    "ends the process": 7,
    "metadata lost": 9,
    "torn": 6,
    "copied": 6,
    "copied and changed": 4,
    "split": 7,
    "retyped": 4,
    "tests deleted": 3,
    "utf-16": 5,
    "crlf and bom": 5,
    "format 3": 3,
    "format 4.0": 3,
    "a link": 2,
    "hostile": 18,
}
Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """A copy of this course with little patience: two seconds of CPU for an exercise."""
    root = tmp_path_factory.mktemp("real") / "course"
    root.mkdir()
    for folder in ("solutions", "lessons"):
        shutil.copytree(
            ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        )
    known = yaml.safe_load((ROOT / "course.yml").read_text(encoding="utf-8"))
    known.setdefault("policies", {}).update(exercise_cpu_s=2, submission_cpu_s=20)
    (root / "course.yml").write_text(yaml.safe_dump(known), encoding="utf-8")
    return TinyCourse(root)


@pytest.fixture(scope="module")
def lesson(course: TinyCourse) -> LessonClass:
    """The lesson and its learners."""
    return LessonClass(course, SLUG)


class Grading:
    """One class's folder, graded by the command in a process of its own. Notes each try to store a run."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder, self.json = root, folder, folder.with_name("rows.json")
        self.store = folder.with_name(f"{folder.name}.grading")
        with Store(self.store) as store, contextlib.closing(sqlite3.connect(store.file)) as database:
            database.executescript(  # a kept run is not put in twice, so the tries are what tells
                "create table tries (key text);"
                "create trigger try before insert on runs begin insert into tries values (new.key); end;"
            )

    def command(self) -> list[str]:
        return [*COMMAND, str(self.folder), "--assignment", SLUG, "--json", str(self.json), "--sandbox", "best"]

    def killed_after(self, runs: int) -> int:
        """Start it, and kill the controller with its group once so many runs are stored; how many there are then."""
        process = begun(self.command(), self.root)
        killed_when(process, lambda: self.count() >= runs)
        assert process.returncode == -signal.SIGKILL, "it was done before it could be killed"
        return self.count()

    def finished(self) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        return subprocess.run(self.command(), cwd=self.root, capture_output=True, text=True, check=False)

    def count(self) -> int:
        """How many runs are stored."""
        return int(self.ask("select count(*) from runs")[0][0])

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.store / "store.sqlite", timeout=30)) as database:
            return database.execute(question).fetchall()

    def rows(self) -> Rows:
        """The rows by student, without what hangs on the clock."""
        listed = json.loads(self.json.read_text(encoding="utf-8"))
        rows = {row["student_id"]: {k: v for k, v in row.items() if k not in ("cpu_s", "wall_s")} for row in listed}
        assert len(rows) == len(listed), "a student has two rows"
        return rows


def graded_with_kills(
    course: TinyCourse, lesson: LessonClass, folder: Path, handed_in: Mapping[str, HandedIn], kills: Sequence[int]
) -> Grading:
    """A class graded to its end although it was killed after so many runs."""
    write(handed_in, folder, lesson.file)
    grading, done = Grading(course.root, folder), 0
    for wanted in kills:
        before, done = done, grading.killed_after(wanted)
        assert before < wanted <= done, "a kill came when nothing new was done"
    end = grading.finished()
    assert end.returncode == 1, end.stderr  # some could not be read
    return grading


def off(wanted: HandedIn, row: Mapping[str, Any], max_score: float) -> Iterator[str]:
    """What of a row is not as it must be."""
    if (row["status"], row["score"], row["max_score"]) != (wanted.status, wanted.score, max_score):
        yield f"{row['status']} {row['score']}/{row['max_score']}, not {wanted.status} {wanted.score}/{max_score}"
    if not wanted.exercises and not row["message"]:
        yield "no reason is given"
    got = {one["id"]: one for one in row["exercises"]}
    if got.keys() != wanted.exercises.keys():
        yield f"exercises {sorted(got)}"
    for name, one in wanted.exercises.items():
        found = got.get(name, {"status": "", "score": None, "message": ""})
        is_said = one.says in ("", found["message"])
        if found["status"] not in one.statuses or found["score"] != one.score or not is_said:
            yield f"{name}: {found['status']} {found['score']} {found['message']!r}, not {one}"


def table(handed_in: Mapping[str, HandedIn], rows: Rows, max_score: float) -> tuple[str, list[str]]:
    """Kind, how many, how many as expected; and each that is not."""
    count = Counter(one.kind for one in handed_in.values())
    bad = {student: [*off(one, rows[student], max_score)] for student, one in handed_in.items() if student in rows}
    fine = Counter(handed_in[student].kind for student, faults in bad.items() if not faults)
    lines = [f"{'kind':<22}{'handed in':>10}{'as expected':>13}"]
    lines += [f"{kind:<22}{count[kind]:>10}{fine[kind]:>13}" for kind in count]
    lines += [f"{'all':<22}{sum(count.values()):>10}{sum(fine.values()):>13}"]
    return "\n".join(lines), [f"{s} ({handed_in[s].kind}): {fault}" for s, faults in bad.items() for fault in faults]


def assert_each_was_graded_once(grading: Grading, handed_in: Mapping[str, HandedIn]) -> None:
    assert grading.ask("pragma integrity_check") == [("ok",)]
    assert grading.rows().keys() == handed_in.keys()
    assert sorted(student for (student,) in grading.ask("select student from rows")) == sorted(handed_in)
    tries = Counter(key for (key,) in grading.ask("select key from tries"))
    assert set(tries.values()) == {1}, "something was run again though its result was stored"
    assert len(tries) == grading.count() == sum(one.runs for one in handed_in.values()), "no two are the same work"
    keys = [key for (key,) in grading.ask("select key from rows where key != ''")]
    assert sorted(keys) == sorted(tries)


def judged(
    grading: Grading, lesson: LessonClass, handed_in: Mapping[str, HandedIn], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    shown, faults = table(handed_in, grading.rows(), lesson.max_score)
    with capsys.disabled():
        print(f"\n{shown}")
    return faults


def test_twenty_killed_once(
    course: TinyCourse, lesson: LessonClass, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left_out = ("never ends", "copied")
    handed_in = lesson.hand_in({kind: 1 for kind in COUNTS if kind not in left_out})
    assert len(handed_in) == 20
    grading = graded_with_kills(course, lesson, tmp_path / "submissions", handed_in, [6])
    assert_each_was_graded_once(grading, handed_in)
    assert judged(grading, lesson, handed_in, capsys) == []


@pytest.mark.heavy
def test_two_hundred_killed_three_times_are_as_those_that_nobody_disturbed(
    course: TinyCourse, lesson: LessonClass, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handed_in = lesson.hand_in(COUNTS)
    assert len(handed_in) == 200
    folder, runs = tmp_path / "killed" / "submissions", sum(one.runs for one in handed_in.values())
    grading = graded_with_kills(course, lesson, folder, handed_in, [runs // 8, runs // 2, runs - 10])
    before = {path: path.read_bytes() for path in folder.rglob("*.ipynb") if not path.is_symlink()}
    again = tmp_path / "undisturbed" / "submissions"
    shutil.copytree(folder, again, symlinks=True)
    undisturbed = Grading(course.root, again)
    assert undisturbed.finished().returncode == 1

    assert_each_was_graded_once(grading, handed_in)
    assert_each_was_graded_once(undisturbed, handed_in)
    assert grading.rows() == undisturbed.rows()
    assert judged(grading, lesson, handed_in, capsys) == []
    assert {path: path.read_bytes() for path in before} == before, "what was handed in is not changed"
