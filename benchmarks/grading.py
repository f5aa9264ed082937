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
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import nbformat

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
LESSON, STEM = "widen-relu-narrow", "04-widen-relu-narrow"
MEGA = 1 << 20


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def submissions(folder: Path, count: int) -> Path:
    """Solved notebooks, one a student, each with a cell of its own so that no two are the same."""
    lesson = read_lesson(find_source(ROOT, LESSON), ROOT)
    solved = {f"{task.id}-answer": solution_of(task.answer.source) for task in lesson.tasks}
    released = nbformat.read(ROOT / "lessons" / f"{STEM}.ipynb", as_version=4)
    for cell in released.cells:
        cell.source = solved.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    for i in range(count):
        mine = copy.deepcopy(released)
        mine.cells.append(nbformat.v4.new_code_cell(f"student = {i}", id=f"student-{i}"))
        (folder / f"s{i:05}" / LESSON).mkdir(parents=True)
        nbformat.write(mine, folder / f"s{i:05}" / LESSON / f"{LESSON}.ipynb")
    return folder


def ours(count: int, workers: int, tasks: dict[str, Task]) -> tuple[float, float, float]:
    """CPU seconds without warming up (controller, forks, children), wall seconds, largest memory of a child (MB).

    Every cell must run clean and every verdict be full marks.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = submissions(Path(temporary) / "submitted", count)
        found = collect(folder, [LESSON])
        sandbox = choose("best")
        began, used = time.monotonic(), time.process_time()
        with Store(Path(temporary) / "store") as store:
            rows = grade_class(found, tasks, store, sandbox, LocalPool(sandbox, workers))
            controller, wall = time.process_time() - used, time.monotonic() - began
            runs = [run for _, run in store.runs()]
        spent = controller + sum(run.cpu_s for run in runs)
        assert len(rows) == count
        assert all(row.status == "graded" and row.score == row.max_score for row in rows), (
            "not every one has all points"
        )
        assert all(not any(run.steps) for run in runs), "not every cell ran clean"
        return spent, wall, max(run.rss_kb for run in runs) / 1024


def floor(count: int, tasks: dict[str, Task]) -> float:
    """CPU seconds a submission of the floor."""
    with tempfile.TemporaryDirectory() as temporary:
        (file,) = submissions(Path(temporary), 1).rglob("*.ipynb")
        cells, _ = read_notebook(file.read_bytes(), file.name)
    script = prepare(Submission("s", LESSON, "s", cells), tasks[LESSON].assignment)
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


@contextlib.contextmanager
def nbgrader_course() -> Iterator[Path]:
    """A stock nbgrader course with the lesson released."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        shutil.copy(ROOT / "nbgrader_config.py", root)
        source = root / "build" / "nbgrader" / "source" / LESSON
        shutil.copytree(ROOT / "build" / "nbgrader" / "source" / LESSON, source)
        nbgrader(root, "generate_assignment", LESSON)
        yield root


def nbgrader(root: Path, *words: str) -> None:
    """Run stock nbgrader."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "nbgrader", *words]
    subprocess.run(command, cwd=root, env=os.environ | {"PATH": path}, check=True, capture_output=True)


def stock(count: int) -> float:
    """CPU seconds of stock nbgrader's autograde for `count` submissions."""
    with nbgrader_course() as root:
        submissions(root / "build" / "nbgrader" / "submitted", count)
        used = cpu()
        nbgrader(root, "autograde", LESSON)
        return cpu() - used


def rejudging(count: int, tasks: dict[str, Task]) -> float:
    """Wall seconds to judge `count` stored submissions again."""
    with tempfile.TemporaryDirectory() as temporary, Store(Path(temporary) / "store") as store:
        sandbox = choose("best")
        found = collect(submissions(Path(temporary) / "submitted", 1), [LESSON])
        (row,) = grade_class(found, tasks, store, sandbox, LocalPool(sandbox, 1))
        ((key, run),) = list(store.runs())
        _many(store, count, key, run, row.to_data() | {"late": row.late})
        began = time.monotonic()
        judged = rejudge(store, tasks)
        assert judged.unchanged == count + 1, "every row must be judged, and none may change"
        return time.monotonic() - began


def _many(store: Store, count: int, key: str, run: Run, row: dict[str, Any]) -> None:
    _, _, asked = key.partition("-")
    rows = {}
    store.keep_rows({})
    for i in range(count):
        own = f"{i:032x}-{asked}"
        store.keep_run(own, run)
        rows[f"r{i:05}", LESSON] = (own, row | {"student_id": f"r{i:05}"})
    store.keep_rows(rows)


def table(lines: Sequence[tuple[str, str, str]]) -> str:
    """The figures as a table."""
    shown = [("figure", "measured", "goal"), ("---", "---", "---"), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown)


def measure(*, few: bool) -> list[tuple[str, str, str]]:
    """All figures."""
    with tempfile.TemporaryDirectory() as temporary, Store(Path(temporary)) as store, contextlib.chdir(ROOT):
        tasks = tasks_for(None, LESSON, store, lambda text: print(text, file=sys.stderr))
    small, large = (4, 24) if few else (50, 250)
    used, wall_one, resident = ours(large, 1, tasks)
    each = used / large
    least = floor(small, tasks)
    _, wall_two, _ = ours(large, 2, tasks)
    theirs = stock(1) if few else (stock(4) - stock(1)) / 3
    again = rejudging(1_000 if few else 10_000, tasks)
    lines = [
        ("CPU a submission, stock nbgrader autograde", f"{theirs:.2f} s", ""),
        ("CPU a submission, ours", f"{each:.3f} s", ""),
        ("stock nbgrader / ours", f"{theirs / each:.0f} times", "at least 60"),
        ("the floor: fork, run the same cells, exit", f"{least:.3f} s", ""),
        ("ours / the floor", f"{each / least:.2f} times", "at most 1.5"),
        (
            f"two workers / one, {large} submissions, warm-up included",
            f"{wall_one / wall_two:.2f} times",
            "at least 1.8",
        ),
        (f"judging {1_000 if few else 10_000:,} stored submissions again", f"{again:.1f} s", "under 5 s for 10,000"),
        ("resident memory of a child, shared pages included", f"{resident:.0f} MB", ""),
    ]
    if not few:
        for count in (10, 100, 1000):
            used_now, wall, _ = ours(count, 2, tasks)
            lines.append(
                (f"{count} submissions, two workers", f"{used_now / count:.3f} s CPU each, {wall:.1f} s in all", "")
            )
    return lines


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
        about = f"Lesson 4, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."
        text = f"# Benchmarks\n\nWritten by `make bench`. {about}\n\n{lines}\n"
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
