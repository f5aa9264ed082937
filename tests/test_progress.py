"""Progress is kept, whoever writes at the same time and whatever ends a notebook; and never where it must not be."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograde.place import is_recording, progress_folder
from autograde.progress import Progress, Try
from autograde.verdict import STATUSES

# A notebook of its own: says that it is ready, waits for a word, then writes `count` tries (for ever where it is 0).
NOTEBOOK = """
import itertools, sys
from autograde.progress import Progress, Try

who, count = sys.argv[1], int(sys.argv[2])
progress = Progress()
print("ready", flush=True)
sys.stdin.readline()
for i in itertools.count() if count == 0 else range(count):
    progress.record(Try("lesson", f"{who}-{i}", "failed", 0.0, 1.0, "answer"))
    print(progress.trouble or i, flush=True)
while progress.trouble:
    progress.record(Try("lesson", f"{who}-{i}", "failed", 0.0, 1.0, "answer"))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder, and no other setting."""
    monkeypatch.setenv("AUTOGRADE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("AUTOGRADE_RECORD", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return tmp_path / "home"


def a_try(exercise: str = "ff-parameters", status: str = "failed", answer: str = "a", score: float = 0.0) -> Try:
    """One try."""
    return Try("widen-relu-narrow", exercise, status, score, 1.0, answer)


def notebook(who: str, count: int) -> subprocess.Popen[str]:
    """Another process that writes tries, ready to begin."""
    process = subprocess.Popen(
        [sys.executable, "-c", NOTEBOOK, who, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def begin(process: subprocess.Popen[str]) -> None:
    """Give the word."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


class TestKeeping:
    def test_a_try_is_there_in_the_next_session(self, home: Path) -> None:
        Progress().record(a_try())
        assert Progress().tries() == [a_try()]
        assert Progress().file == home / "progress.sqlite"

    def test_tries_come_oldest_first(self) -> None:
        tries = [a_try(answer=str(i)) for i in range(5)]
        for one in tries:
            Progress().record(one)
        assert Progress().tries() == tries

    def test_the_same_try_twice_in_a_row_is_one(self) -> None:
        progress = Progress()
        for answer in ("a", "a", "b", "b", "a"):
            progress.record(a_try(answer=answer))
        assert [one.answer for one in Progress().tries()] == ["a", "b", "a"]

    @pytest.mark.parametrize("status", ["not_attempted", "uncheckable"])
    def test_what_is_no_try_is_not_kept(self, status: str, home: Path) -> None:
        Progress().record(a_try(status=status))
        assert Progress().tries() == []
        assert not home.exists()

    def test_looking_makes_no_folder(self, home: Path) -> None:
        assert Progress().tries() == []
        assert Progress().solved() == set()
        assert not home.exists()

    def test_solved_is_solved_once_and_for_all(self) -> None:
        progress = Progress()
        for exercise, status in (("one", "passed"), ("one", "failed"), ("two", "partial"), ("three", "failed")):
            progress.record(a_try(exercise, status))
        assert progress.solved() == Progress().solved() == {"one"}


class TestHonestTries:
    def test_different_wrong_answers_count(self) -> None:
        progress = Progress()
        for answer in ("a", "b", "a", "b", "c"):
            progress.record(a_try(answer=answer))
        assert progress.honest_tries("ff-parameters") == Progress().honest_tries("ff-parameters") == 3

    @pytest.mark.parametrize("status", STATUSES)
    def test_only_honest_wrong_ones_do(self, status: str) -> None:
        progress = Progress()
        progress.record(a_try(status=status))
        assert progress.honest_tries("ff-parameters") == (status in ("failed", "partial", "error", "timeout"))

    def test_another_exercises_tries_do_not(self) -> None:
        progress = Progress()
        progress.record(a_try("another"))
        assert progress.honest_tries("ff-parameters") == 0


class TestPlace:
    def test_home_is_where_the_variable_says(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert progress_folder() == home
        monkeypatch.setenv("AUTOGRADE_HOME", "~/kept")
        assert progress_folder() == Path.home() / "kept"

    def test_else_the_courses_root(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AUTOGRADE_HOME")
        (tmp_path / "course.yml").touch()
        (tmp_path / "lessons").mkdir()
        monkeypatch.chdir(tmp_path / "lessons")
        assert progress_folder() == tmp_path / "progress"

    def test_else_beside_the_notebook(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AUTOGRADE_HOME")
        monkeypatch.chdir(tmp_path)
        assert progress_folder() == tmp_path / "progress"


class TestNotRecording:
    @pytest.fixture(
        autouse=True,
        params=[("AUTOGRADE_RECORD", "0"), ("NBGRADER_EXECUTION", "autograde"), ("NBGRADER_EXECUTION", "")],
    )
    def forbidden(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(*request.param)

    def test_nothing_is_written(self, home: Path) -> None:
        progress = Progress()
        progress.record(a_try())
        assert not is_recording()
        assert not home.exists()
        assert progress.trouble == ""

    def test_the_session_still_knows(self) -> None:
        progress = Progress()
        progress.record(a_try())
        progress.record(a_try(status="passed"))
        assert progress.honest_tries("ff-parameters") == 1
        assert progress.solved() == {"ff-parameters"}

    def test_what_a_learner_did_before_is_not_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as free:
            free.delenv("AUTOGRADE_RECORD", raising=False)
            free.delenv("NBGRADER_EXECUTION", raising=False)
            Progress().record(a_try())
            assert len(Progress().tries()) == 1
        assert Progress().tries() == []


def test_only_zero_turns_recording_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADE_RECORD", "1")
    assert is_recording()


class TestTrouble:
    """A check never fails for want of a disk."""

    def kept_in_session(self) -> Progress:
        progress = Progress()
        progress.record(a_try(answer="a"))
        assert "kept for this session only" in progress.trouble
        progress.record(a_try(answer="b"))
        progress.record(a_try(status="passed"))
        assert progress.honest_tries("ff-parameters") == 2
        assert progress.solved() == {"ff-parameters"}
        assert Progress().tries() == []
        return progress

    def test_a_folder_that_cannot_be_made(self, home: Path) -> None:
        home.write_text("a file where the folder should be")
        assert str(home) in self.kept_in_session().trouble
        assert home.read_text() == "a file where the folder should be"

    def test_a_folder_whose_name_is_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AUTOGRADE_HOME", "/tmp/" + "x" * 300)
        self.kept_in_session()

    def test_a_folder_that_may_not_be_looked_into(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def forbidden(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "exists", forbidden)
        monkeypatch.setattr(Path, "mkdir", forbidden)
        assert "Permission denied" in self.kept_in_session().trouble

    def test_a_database_that_is_a_folder(self, home: Path) -> None:
        (home / "progress.sqlite").mkdir(parents=True)
        self.kept_in_session()

    def test_a_database_that_another_program_holds(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Progress().record(a_try("before"))
        connect: Any = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda file, **more: connect(file, **more | {"timeout": 0}))
        for lock in ("immediate", "exclusive"):
            held = connect(home / "progress.sqlite", isolation_level=None)
            held.execute(f"begin {lock}")
            progress = Progress()
            progress.record(a_try(answer=lock))
            assert "locked" in progress.trouble
            assert progress.honest_tries("ff-parameters") == 1
            held.close()
        assert Progress().tries() == [a_try("before")]

    def test_trouble_that_is_over_is_over(self, home: Path) -> None:
        home.touch()
        progress = Progress()
        progress.record(a_try(answer="a"))
        home.unlink()
        progress.record(a_try(answer="b"))
        assert progress.trouble == ""
        assert [one.answer for one in Progress().tries()] == ["a", "b"]
        assert [one.answer for one in progress.tries()] == ["a", "b"]

    def test_a_later_check_records_what_could_not_be_whatever_that_check_says(self, home: Path) -> None:
        Progress().record(a_try("before"))
        held = sqlite3.connect(home / "progress.sqlite", isolation_level=None)
        held.execute("begin immediate")
        progress = Progress()
        progress.record(a_try())
        assert "Progress was not recorded" in progress.trouble
        assert progress.solved() == set()  # reading works, and does not end the trouble
        assert "Progress was not recorded" in progress.trouble
        held.close()
        progress.record(a_try(status="not_attempted"))
        assert progress.trouble == ""
        assert Progress().tries() == [a_try("before"), a_try()]

    def test_one_check_waits_once_and_no_longer_than_a_person_does(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Progress().record(a_try("before"))
        connect: Any = sqlite3.connect
        waited: list[float] = []

        def impatient(file: Path, **more: Any) -> Any:
            waited.append(more["timeout"])
            return connect(file, **more | {"timeout": 0})

        monkeypatch.setattr(sqlite3, "connect", impatient)
        held = connect(home / "progress.sqlite", isolation_level=None)
        held.execute("begin exclusive")
        progress = Progress()
        progress.record(a_try())
        progress.honest_tries("ff-parameters")
        progress.solved()
        held.close()
        assert waited == [1, 0, 0]


class TestDamage:
    @pytest.mark.parametrize("data", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5_000])
    def test_it_is_set_aside_and_kept(self, home: Path, data: bytes) -> None:
        home.mkdir()
        (home / "progress.sqlite").write_bytes(data)
        Progress().record(a_try())
        assert Progress().tries() == [a_try()]
        (aside,) = home.glob("progress.sqlite.damaged-*")
        assert aside.read_bytes() == data

    def test_each_is_set_aside_under_its_own_name(self, home: Path) -> None:
        home.mkdir()
        for i in range(3):
            (home / "progress.sqlite").write_bytes(f"damage {i}".encode() * 100)
            Progress().record(a_try(answer=str(i)))
        assert len(list(home.glob("progress.sqlite.damaged-*"))) == 3

    def test_damage_further_in_is_set_aside_too(self, home: Path) -> None:
        Progress().record(a_try())
        file = home / "progress.sqlite"
        whole = file.read_bytes()
        file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
        progress = Progress()
        for answer in ("b", "c"):
            progress.record(a_try(answer=answer))
        assert {one.answer for one in progress.tries()} == {"b", "c"}
        assert "c" in {one.answer for one in Progress().tries()}
        assert len(list(home.glob("progress.sqlite.damaged-*"))) == 1

    def test_an_empty_file_is_a_new_database(self, home: Path) -> None:
        home.mkdir()
        (home / "progress.sqlite").touch()
        Progress().record(a_try())
        assert Progress().tries() == [a_try()]
        assert not list(home.glob("*damaged*"))


def test_two_notebooks_that_write_at_once_lose_nothing() -> None:
    both = [notebook("one", 60), notebook("two", 60)]
    for process in both:
        begin(process)
    for process in both:
        told = process.communicate()[0].splitlines()
        assert len(told) == 60
        assert all(line == str(i) or "a later check records it" in line for i, line in enumerate(told))
        assert process.returncode == 0
    exercises = [one.exercise for one in Progress().tries()]
    assert sorted(exercises) == sorted(f"{who}-{i}" for who in ("one", "two") for i in range(60))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_kill_in_the_middle_of_a_write_leaves_all_that_was_written(home: Path) -> None:
    told: list[str] = []
    for run in range(5):
        process = notebook(f"run{run}", 0)
        begin(process)
        assert process.stdout is not None
        told += [f"run{run}-{process.stdout.readline().strip()}" for _ in range(3 + run)]
        process.kill()
        process.communicate()
        kept = {one.exercise for one in Progress().tries()}
        assert set(told) <= kept
        with sqlite3.connect(home / "progress.sqlite") as database:
            assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
        database.close()
    assert not list(home.glob("*damaged*"))
    progress = Progress()
    progress.record(a_try())
    assert progress.trouble == ""
