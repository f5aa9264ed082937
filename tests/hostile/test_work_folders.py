"""Work folders: what a submission wrote is gone when it has ended, mounts or not, whatever ended it."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import WorkerOf

from autograde.grading.run import Budget, Outcome, Worker
from autograde.grading.sandbox import Sandbox
from autograde.grading.work import remove, work_folder

SMALL = Budget(step_cpu_s=2, total_cpu_s=4)
LEAVES_MUCH = """
import os, pathlib
print("at", os.getcwd(), flush=True)
pathlib.Path("left").write_text("softmax")
os.symlink("/", "root")
os.makedirs("closed/inner")
pathlib.Path("closed/inner/file").write_text("x")
os.chmod("closed/inner", 0)
os.chmod("closed", 0)
"""
DEEP = """
import os
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
open("end", "w").close()
"""
ENDINGS = {
    "by itself": "",
    "at once": "os._exit(3)",
    "by a signal": "import ctypes\nctypes.string_at(0)",
    "out of time": "while True:\n    pass",
}


def ran(worker: Worker, source: str, budget: Budget = SMALL) -> Outcome:
    """One cell, run as a submission's only one."""
    step = {"role": "given", "id": "", "name": "", "source": source}
    return worker.run({"steps": [step], "in_process": False}, {}, budget)


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the controller makes its temporary folders."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


@pytest.fixture
def bare(sandbox: Sandbox, around: Path) -> Iterator[Worker]:
    """A worker whose children write on this machine: without bubblewrap, without mounts."""
    more = ("pids", "namespaces") if os.getuid() != 0 else ()
    with Worker(sandbox.without("bubblewrap", "mounts", *more)) as worker:
        yield worker


@pytest.mark.parametrize("ends", ENDINGS)
def test_nothing_stays_of_a_submission_without_mounts(bare: Worker, around: Path, ends: str) -> None:
    outcome = ran(bare, f"{LEAVES_MUCH}\n{ENDINGS[ends]}")
    assert bool(outcome.stopped) is (ends != "by itself")
    assert f"at {around}/autograde-work-" in outcome.printed
    (own,) = around.iterdir()
    assert list(own.iterdir()) == []
    bare.stop()
    assert list(around.iterdir()) == []


def test_nothing_stays_of_folders_deeper_than_a_path_can_be(bare: Worker, around: Path) -> None:
    assert ran(bare, DEEP).stopped == ""
    (own,) = around.iterdir()
    assert list(own.iterdir()) == []


def test_nothing_stays_where_the_worker_itself_is_killed(bare: Worker, around: Path) -> None:
    assert bare._process is not None
    outcome = ran(bare, f"{LEAVES_MUCH}\nos.kill({bare._process.pid}, 9)") if "pids" not in bare.sandbox.on else None
    if outcome is None:  # a child in a namespace of its own cannot reach it
        ran(bare, LEAVES_MUCH)
        bare._process.kill()
    bare.stop()
    assert list(around.iterdir()) == []


def test_the_next_in_bubblewrap_meets_nothing_either(worker_of: WorkerOf) -> None:
    worker = worker_of("mounts", "landlock")
    looks = "print(len([name for name in os.listdir('..') if name.startswith('autograde-work-')]), 'here')"
    for _ in range(2):
        assert "1 here" in ran(worker, f"{LEAVES_MUCH}\n{looks}").printed


@pytest.mark.parametrize("total", [7, 300])
def test_the_budget_says_how_much_cpu_a_submission_has(worker_of: WorkerOf, total: int) -> None:
    tells = "import resource\nprint('limit', resource.getrlimit(resource.RLIMIT_CPU)[1])"
    assert f"limit {total + 1}" in ran(worker_of(), tells, Budget(step_cpu_s=2, total_cpu_s=total)).printed


def test_a_submission_that_uses_all_its_cpu_is_out_of_time(worker_of: WorkerOf) -> None:
    outcome = ran(worker_of(), "while True:\n    pass", Budget(step_cpu_s=30, total_cpu_s=2))
    assert outcome.stopped == "timeout"
    assert outcome.cpu_s < 10


def test_a_folder_goes_whatever_is_in_it_and_nothing_else_does(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "inner").mkdir(parents=True)
    (kept / "file").write_text("mine", encoding="utf-8")
    kept.chmod(0o500)
    folder = work_folder(tmp_path)
    for i in range(3):
        (folder / f"a{i}" / "b" / "c").mkdir(parents=True)
        (folder / f"a{i}" / "b" / "c" / "file").write_text("x", encoding="utf-8")
        (folder / f"a{i}" / "b" / "link").symlink_to(kept, target_is_directory=True)
    (folder / "link").symlink_to(kept / "file")
    os.mkfifo(folder / "pipe")
    (folder / "a0" / "b").chmod(0)
    here = os.open(folder, os.O_RDONLY)
    before = Path.cwd()
    try:
        os.fchdir(here)
        for _ in range(1500):
            os.mkdir("deep")  # noqa: PTH102
            os.chdir("deep")
    finally:
        os.chdir(before)
        os.close(here)
    remove(folder)
    assert not folder.exists()
    assert (kept / "file").read_text(encoding="utf-8") == "mine"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o500
    remove(folder)  # what is not there is no trouble


def test_a_link_in_place_of_a_work_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove(tmp_path / "link")
    assert (tmp_path / "kept" / "file").exists()
