"""What grading costs: stock nbgrader, ours, and the floor, on the same submissions in one run. Prints ratios.

    make bench                            all of it, some minutes; writes docs/benchmarks.md
    python benchmarks/grading.py --few    a quick look

The floor is the least that running a notebook can cost: a process that has imported everything forks, runs the same
cells, and ends. CPU seconds are of all processes; what starting costs is taken out by the slope between two sizes.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import nbformat
import psutil

from autograde.authoring.lesson_text import solution_of
from autograde.authoring.read import find_source, read_lesson
from autograde.cli.class_tasks import tasks_for
from autograde.grading.collect import collect
from autograde.grading.engine import Task, grade_class
from autograde.grading.match import prepare
from autograde.grading.pool import LocalPool
from autograde.grading.read import read_notebook
from autograde.grading.rejudge import rejudge
from autograde.grading.sandbox import choose
from autograde.grading.store import Run, Store
from autograde.grading.submission import Submission
from autograde.grading.worker import warm

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Subject:
    """A lesson whose submissions are graded: its course, built in a folder of its own."""

    root: Path
    slug: str
    tasks: dict[str, Task]

    @classmethod
    def build(cls, course: Path, slug: str, root: Path) -> Subject:
        """Copy the course to `root` and build the lesson there."""
        for name in ("course.yml", "solutions"):
            copy_to = shutil.copytree if (course / name).is_dir() else shutil.copy
            copy_to(course / name, root / name)
        shutil.copy(ROOT / "nbgrader_config.py", root)
        run(root, "autograde", "build", slug)
        with Store(root / "drawn") as store, contextlib.chdir(root):
            tasks = tasks_for(None, slug, store, lambda text: print(text, file=sys.stderr))
        return cls(root, slug, tasks)


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def submissions(subject: Subject, folder: Path, count: int) -> Path:
    """Solved notebooks, one a student, each with a cell of its own so that no two are the same."""
    slug, source = subject.slug, find_source(subject.root, subject.slug)
    lesson = read_lesson(source, subject.root)
    solved = {f"{task.id}-answer": solution_of(task.answer.source) for task in lesson.tasks}
    released = nbformat.read(subject.root / "lessons" / f"{source.stem}.ipynb", as_version=4)
    for cell in released.cells:
        cell.source = solved.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    for i in range(count):
        mine = copy.deepcopy(released)
        mine.cells.append(nbformat.v4.new_code_cell(f"student = {i}", id=f"student-{i}"))
        (folder / f"s{i:05}" / slug).mkdir(parents=True)
        nbformat.write(mine, folder / f"s{i:05}" / slug / f"{slug}.ipynb")
    return folder


@dataclass(frozen=True)
class Spent:
    """What grading a class cost: CPU seconds a submission (controller, forks, children), without warming up; wall."""

    each: float
    wall: float
    rows: int


def ours(subject: Subject, count: int, workers: int) -> Spent:
    """Grade `count` submissions. Every cell must run clean and every verdict be full marks."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = submissions(subject, Path(temporary) / "submitted", count)
        found = collect(folder, [subject.slug])
        sandbox = choose("best")
        began, used = time.monotonic(), time.process_time()
        with Store(Path(temporary) / "store") as store:
            rows = grade_class(found, subject.tasks, store, sandbox, LocalPool(sandbox, workers))
            controller, wall = time.process_time() - used, time.monotonic() - began
            runs = [run for _, run in store.runs()]
        assert len(rows) == len(runs) == count
        assert all(row.status == "graded" and row.score == row.max_score for row in rows), "not all have all points"
        assert all(not any(run.steps) for run in runs), "not every cell ran clean"
        return Spent((controller + sum(run.cpu_s for run in runs)) / count, wall, len(rows))


def private_memory(subject: Subject, count: int) -> float | None:
    """The most private memory of a child in MB, seen from outside while `count` run; None where it cannot be."""
    most, ended = 0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not ended.wait(0.005):
            most = max([most, *(_private_kb(child) for child in _children())])

    thread = threading.Thread(target=watch)
    thread.start()
    ours(subject, count, 1)
    ended.set()
    thread.join()
    return most / 1024 if most else None


def _children() -> list[psutil.Process]:
    """The forks of our worker."""
    return [one for one in psutil.Process().children(recursive=True) if _is_fork(one)]


def _is_fork(process: psutil.Process) -> bool:
    """Whether it runs the same command as its parent, in a session of its own."""
    try:
        parent = process.parent()
        same = parent is not None and parent.cmdline() == process.cmdline() != []
        return same and os.getsid(process.pid) == process.pid
    except (psutil.Error, OSError):  # it has ended
        return False


def _private_kb(process: psutil.Process) -> int:
    try:
        rolled = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(
        int(line.split()[1]) for line in rolled.splitlines() if line.startswith(("Private_Clean", "Private_Dirty"))
    )


def floor(subject: Subject, count: int) -> float:
    """CPU seconds a submission of the floor."""
    with tempfile.TemporaryDirectory() as temporary:
        (file,) = submissions(subject, Path(temporary), 1).rglob("*.ipynb")
        cells, _ = read_notebook(file.read_bytes(), file.name)
    script = prepare(Submission("s", subject.slug, "s", cells), subject.tasks[subject.slug].assignment)
    sources = [step.source for step in script.steps if step.role != "grade"]
    told = subprocess.run(
        [sys.executable, __file__, "--floor", str(count)],
        input=json.dumps(sources).encode(), capture_output=True, check=True,
    )  # fmt: skip
    return float(told.stdout.split()[-1])


def run_floor(count: int) -> None:
    """In a process of its own: warm, then fork, run, end."""
    sources = json.loads(sys.stdin.buffer.read())
    runner, _ = warm()
    nothing = os.open(os.devnull, os.O_WRONLY)
    used = 0.0
    for _ in range(count):
        before = time.process_time()
        child = os.fork()
        if child == 0:
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            clean = all(runner.run_aloud(source).fault is None for source in sources)
            os._exit(0 if clean else 1)
        _, status, spent = os.wait4(child, 0)
        assert status == 0, "not every cell ran clean"
        used += spent.ru_utime + spent.ru_stime + time.process_time() - before
    print(used / count)


def run(root: Path, *words: str) -> None:
    """Run a command that stands beside this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(words, cwd=root, env=os.environ | {"PATH": path}, check=True, capture_output=True)


def stock(subject: Subject, count: int) -> float:
    """CPU seconds of stock nbgrader's autograde for `count` submissions."""
    shutil.rmtree(subject.root / "build" / "nbgrader" / "submitted", ignore_errors=True)
    shutil.rmtree(subject.root / "build" / "nbgrader" / "autograded", ignore_errors=True)
    submissions(subject, subject.root / "build" / "nbgrader" / "submitted", count)
    used = cpu()
    run(subject.root, "nbgrader", "autograde", subject.slug)
    return cpu() - used


def rejudging(subject: Subject, count: int) -> float:
    """Wall seconds to judge `count` stored submissions again."""
    with tempfile.TemporaryDirectory() as temporary, Store(Path(temporary) / "store") as store:
        sandbox = choose("best")
        found = collect(submissions(subject, Path(temporary) / "submitted", 1), [subject.slug])
        (row,) = grade_class(found, subject.tasks, store, sandbox, LocalPool(sandbox, 1))
        ((key, kept),) = list(store.runs())
        _many(subject, store, count, key, kept, row.to_data() | {"late": row.late})
        began = time.monotonic()
        judged = rejudge(store, subject.tasks)
        assert judged.unchanged == count + 1, "every row must be judged, and none may change"
        return time.monotonic() - began


def _many(subject: Subject, store: Store, count: int, key: str, kept: Run, row: dict[str, Any]) -> None:
    _, _, asked = key.partition("-")
    rows = {}
    store.keep_rows({})
    for i in range(count):
        own = f"{i:032x}-{asked}"
        store.keep_run(own, kept)
        rows[f"r{i:05}", subject.slug] = (own, row | {"student_id": f"r{i:05}"})
    store.keep_rows(rows)


def table(lines: Sequence[tuple[str, str, str]]) -> str:
    """The figures as a table."""
    shown = [("figure", "measured", "goal"), ("---", "---", "---"), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown)


def against(subject: Subject, name: str, *, few: bool) -> list[tuple[str, str, str]]:
    """One lesson: stock nbgrader, ours, the floor."""
    small, large = (4, 12) if few else (50, 200)
    run(subject.root, "nbgrader", "generate_assignment", subject.slug)
    theirs = stock(subject, 1) if few else (stock(subject, 5) - stock(subject, 1)) / 4
    each, least = ours(subject, large, 1).each, floor(subject, small)
    return [
        (f"{name}: CPU a submission, stock nbgrader autograde", f"{theirs:.2f} s", ""),
        (f"{name}: CPU a submission, ours", f"{each:.3f} s", ""),
        (f"{name}: stock nbgrader / ours", f"{theirs / each:.0f} times", "at least 60"),
        (f"{name}: the floor: fork, run the same cells, exit", f"{least:.3f} s", ""),
        (f"{name}: stock nbgrader / the floor: no grader can save more", f"{theirs / least:.0f} times", ""),
        (f"{name}: ours / the floor", f"{each / least:.2f} times", "at most 1.5"),
    ]


def in_numbers(subject: Subject, *, few: bool) -> list[tuple[str, str, str]]:
    """One lesson: workers, memory, re-judging, growth."""
    large, stored = (12, 1_000) if few else (500, 10_000)
    one, two = ours(subject, large, 1), ours(subject, large, 2)
    private = private_memory(subject, 4)
    lines = [
        (
            f"two workers / one, {large} submissions, warm-up included",
            f"{one.wall / two.wall:.2f} times",
            "at least 1.8",
        ),
        ("private memory of a child", f"{private:.0f} MB" if private else "cannot be seen here", "under 30 MB"),
        (f"judging {stored:,} stored submissions again", f"{rejudging(subject, stored):.1f} s", "under 5 s for 10,000"),
    ]
    for count in () if few else (10, 100, 1000):
        grown = ours(subject, count, 2)
        lines.append(
            (f"{count} submissions, two workers", f"{grown.each:.3f} s CPU each, {grown.wall:.1f} s in all", "")
        )
    return lines


def measure(*, few: bool) -> list[tuple[str, str, str]]:
    """All figures."""
    with tempfile.TemporaryDirectory() as plain, tempfile.TemporaryDirectory() as full:
        small = Subject.build(ROOT / "tests" / "tiny_course", "every-kind", Path(plain))
        large = Subject.build(ROOT, "widen-relu-narrow", Path(full))
        return [
            *against(small, "eleven cells with torch", few=few),
            *against(large, "lesson 4, with a figure and a picture", few=few),
            *in_numbers(large, few=few),
        ]


def main() -> None:
    """Measure, print, write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--few", action="store_true", help="a quick look")
    parser.add_argument("--floor", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.floor:
        run_floor(options.floor)
        return
    lines = table(measure(few=options.few))
    print(lines)
    if not options.few:
        about = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."
        text = f"# Benchmarks\n\nWritten by `make bench`. {about}\n\n{lines}\n"
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
