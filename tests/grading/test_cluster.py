"""A class graded on a Dask cluster: whatever is killed, the rows are those of one machine, each submission once."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
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

from autograde.evidence import Tensor
from autograde.grading import cluster as cluster_module
from autograde.grading import sandbox
from autograde.grading.cluster import DaskPool
from autograde.grading.match import Script, Step
from autograde.grading.pool import Done, Work
from autograde.grading.run import Worker
from autograde.grading.sandbox import Sandbox, SandboxMissing, choose, layers_off
from autograde.grading.store import Run

pytestmark = pytest.mark.xdist_group("grading")
COUNT = 18
NODES = "multiprocessing.spawn"
"""What the command line of a Dask worker holds, which its nanny started."""


@pytest.fixture(scope="module")
def patient(built: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """The toy course with little patience."""
    return patient_copy(built, tmp_path_factory.mktemp("patient"))


@pytest.fixture(scope="module")
def undisturbed(patient: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The class's rows, from one machine."""
    folder = tmp_path_factory.mktemp("local") / "submissions"
    hand_in(patient, folder, LESSON, COUNT, BROKEN)
    return graded(patient, folder, "--workers", "2")[1]


def command(folder: Path, *more: str) -> list[str]:
    file = folder.with_name("rows.json")
    return [*COMMAND, str(folder), "--assignment", LESSON, "--json", str(file), "--engine", "dask", *more]


def store_of(folder: Path) -> Path:
    return folder.with_name("submissions.grading")


def nodes(root: int) -> list[psutil.Process]:
    """Dask workers among a process's descendants."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(root).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                words = " ".join(process.cmdline())
                found += [process] if NODES in words and "resource_tracker" not in words else []
    return found


def owned(node: psutil.Process) -> list[psutil.Process]:
    """What a Dask worker started: its warm workers with all that is in them."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return node.children(recursive=True)
    return []


def soon(is_so: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether it becomes true before long."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


@pytest.mark.heavy
def test_a_class_loses_nothing_where_a_dask_worker_is_killed(
    undisturbed: Rows, patient: TinyCourse, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    hand_in(patient, folder, LESSON, COUNT, BROKEN)
    grading = begun(command(folder, "--workers", "2"), patient.root)
    assert soon(lambda: len(stored(store_of(folder))) >= 3 or grading.poll() is not None, 120)
    victim = next(node for node in nodes(grading.pid) if owned(node))
    orphans, kept = owned(victim), stored(store_of(folder))
    victim.send_signal(signal.SIGKILL)
    assert soon(lambda: not any(orphan.is_running() for orphan in orphans)), "its warm worker lives on"
    left = owned(psutil.Process(grading.pid))
    assert grading.wait(240) == 1, "a torn file was not graded, and the exit code says so"
    assert verdicts(rows_in(folder.with_name("rows.json"))) == verdicts(undisturbed)
    assert len(kept) < len(stored(store_of(folder))), "it was killed on the way"
    assert all(stored(store_of(folder))[key] == run for key, run in kept.items()), "what was run is not run again"
    assert soon(lambda: not any(process.is_running() for process in left)), "nothing is left behind"


def work(i: int) -> Work:
    """A plain assignment's submission: half a second, then a test that shows its number."""
    steps = (Step("answer", f"import time\ntime.sleep(0.5)\nx = {i}", "x-answer"), Step("grade", "x", "x"))
    return Work(f"key-{i}", Script(steps, (), untouched=False, missing=()), {}, {"x": {}}, in_process=True)


@pytest.mark.filterwarnings("default")  # distributed's own, on the way down
def test_a_dask_worker_killed_on_the_way_loses_nothing() -> None:
    done: list[Done] = []
    with DaskPool("best", 2) as pool:
        for i in range(8):
            pool.put(work(i))
        done += [pool.take() for _ in range(3)]
        victim = next(node for node in nodes(os.getpid()) if owned(node))
        orphans = owned(victim)
        victim.send_signal(signal.SIGKILL)
        assert soon(lambda: not any(orphan.is_running() for orphan in orphans)), "its warm worker lives on"
        done += [pool.take() for _ in range(pool.waiting)]
        left = [process for node in nodes(os.getpid()) for process in (node, *owned(node))]
    assert sorted(key for key, _, _ in done) == sorted(f"key-{i}" for i in range(8)), "each once"
    for key, run, fault in done:
        assert run is not None, fault
        assert run.evidence["x"]["result"] == int(key.removeprefix("key-"))
        assert run.sandbox == choose("best").label
    assert soon(lambda: not any(process.is_running() for process in left)), "nothing is left behind"


def test_what_is_large_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    large = Tensor("float32", (3_000_000,), bytes(12_000_000))
    seen = []

    def run(worker: Worker, given: Work) -> tuple[Run, str]:
        seen.append(given)
        return Run({"x": {"result": large}}), ""

    monkeypatch.setattr(cluster_module, "try_twice", run)
    given = replace(work(1), plans={"x": {"given": large}})
    back = cluster_module.run_bytes(cluster_module.work_to_bytes(given), "off", "a grading")
    assert seen == [given]
    assert cluster_module.run_from_bytes(back) == (Run({"x": {"result": large}}), "")


def test_a_dask_worker_refuses_what_it_cannot_do_as_it_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "is_offered", lambda name: name != "landlock")
    with pytest.raises(SandboxMissing, match="landlock"):
        cluster_module.run_bytes(cluster_module.work_to_bytes(work(1)), "required", "a grading")
    monkeypatch.setattr(cluster_module, "PROBE_VERSION", -1)
    old = cluster_module.work_to_bytes(work(1))
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="another version"):
        cluster_module.run_bytes(old, "off", "a grading")


def test_layers_that_some_rows_lacked_are_told() -> None:
    whole, bare = Sandbox(sandbox.ALL_LAYERS), Sandbox(())
    assert layers_off({whole.label, "in-process, " + whole.label, ""}) == ()
    assert layers_off({whole.label, whole.without("cgroup", "landlock").label}) == ("cgroup", "landlock")
    assert layers_off({whole.label, "in-process, " + bare.label}) == sandbox.ALL_LAYERS


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, int]]:
    """A scheduler, and a Dask worker with two threads, as on a cluster; the address, and the worker's nanny."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "distributed.cli.dask_{}"]
    scheduler = [*dask[:2], dask[2].format("scheduler"), "--host", address, "--no-dashboard", "--no-show"]
    worker = [*dask[:2], dask[2].format("worker"), address, "--nthreads", "2", "--no-dashboard"]
    with contextlib.ExitStack() as stack:
        for words in (scheduler, [*worker, "--local-directory", str(folder)]):
            process = subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL)
            stack.callback(_ended, process)
        yield address, process.pid


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.heavy
def test_a_controller_killed_on_the_way_goes_on_with_the_same_scheduler(
    undisturbed: Rows, patient: TinyCourse, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    hand_in(patient, folder, LESSON, COUNT, BROKEN)
    with cluster(tmp_path / "dask") as (address, nanny):
        again = command(folder, "--scheduler", address)
        killed_when(begun(again, patient.root), lambda: len(stored(store_of(folder))) >= 4)
        kept = stored(store_of(folder))
        done = subprocess.run(again, cwd=patient.root, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        (node,) = nodes(nanny)
        assert soon(lambda: not owned(node)), "a grading that is over keeps no worker warm"
    assert 4 <= len(kept) < len(stored(store_of(folder)))
    assert all(stored(store_of(folder))[key] == run for key, run in kept.items()), "what was run is not run again"
    assert verdicts(rows_in(folder.with_name("rows.json"))) == verdicts(undisturbed)


@contextlib.contextmanager
def answers_http() -> Iterator[str]:
    """A service that is no scheduler."""
    words = [sys.executable, "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().split(" port ")[1].split()[0]
        yield f"tcp://127.0.0.1:{port}"
        server.kill()


@contextlib.contextmanager
def is_silent() -> Iterator[str]:
    """A service that says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@contextlib.contextmanager
def is_closed() -> Iterator[str]:
    with is_silent() as address:
        pass
    yield address


@contextlib.contextmanager
def no_address() -> Iterator[str]:
    yield "head-node"


@pytest.mark.parametrize("service", [answers_http, is_silent, is_closed, no_address])
def test_a_scheduler_that_does_not_answer_is_told_before_anything_begins(
    service: Callable[[], contextlib.AbstractContextManager[str]], patient: TinyCourse, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ann.ipynb").write_bytes(patient.notebook_file(LESSON).read_bytes())
    with service() as address:
        said = patient.run("grade", folder, "--assignment", LESSON, "--engine", "dask", "--scheduler", address)
    assert said.code == 2
    assert f"--scheduler {address}: " in said.err
    assert "tcp://HOST:PORT" in said.err or "`dask scheduler` prints" in said.err
    assert not store_of(folder).exists()


def test_a_scheduler_without_its_engine_is_told(patient: TinyCourse, tmp_path: Path) -> None:
    (tmp_path / "ann.ipynb").write_bytes(patient.notebook_file(LESSON).read_bytes())
    said = patient.run("grade", tmp_path, "--scheduler", "tcp://127.0.0.1:8786")
    assert (said.code, "--engine dask" in said.err) == (2, True)
