"""A class's submissions of a lesson: honest, wrong, half, mangled and hostile ones, made from the released notebook."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from tiny import TinyCourse, answered, solutions

from autograde.grading.store import Store

COMMAND = [sys.executable, "-c", "import sys; from autograde.cli import main; sys.exit(main())", "grade"]
LESSON = "every-kind"
NEVER_ENDS = "def double_shifted(x, shift=0.0):\n    while True:\n        pass"
BROKEN = {"kind-function": NEVER_ENDS}
ENDS = "import os\nos._exit(0)"
Rows = dict[str, dict[str, Any]]


def patient_copy(built: TinyCourse, folder: Path) -> TinyCourse:
    """The toy course with little patience, two seconds of CPU for an exercise, and with hints on feedback pages."""
    course = TinyCourse.copied(folder / "course", built.root)
    text = (course.root / "course.yml").read_text(encoding="utf-8")
    (course.root / "course.yml").write_text(
        text + "\npolicies: {exercise_cpu_s: 2, submission_cpu_s: 20, feedback_hints: true}\n", encoding="utf-8"
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


def stored(folder: Path) -> dict[str, bytes]:
    """The runs in a class's store, as bytes."""
    if not (folder / "store.sqlite").exists():
        return {}
    with Store(folder) as store:
        return {key: repr(run).encode() for key, run in store.runs()}


def begun(command: list[str], root: Path) -> subprocess.Popen[bytes]:
    """A command in a group of its own."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=root, start_new_session=True, stdout=nothing, stderr=nothing)


def killed_when(process: subprocess.Popen[bytes], is_time: Callable[[], bool]) -> None:
    """Kill a process with its whole group once it is time."""
    try:
        while process.poll() is None and not is_time():
            time.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def hand_in(course: TinyCourse, folder: Path, slug: str, count: int, broken: Mapping[str, str]) -> dict[str, str]:
    """Write `count` submissions, one folder a student, of nine kinds in turn; the kind of each student.

    `broken` maps an exercise to the code that breaks its answer cell in the hostile ones.
    """
    released, solved = course.notebook(slug), solutions(course.text(slug))
    exercise, attack = next(iter(broken.items()))
    kinds: dict[str, nbformat.NotebookNode | str] = {
        "right": answered(copy.deepcopy(released), solved),
        "half": answered(copy.deepcopy(released), dict(list(solved.items())[::2])),
        "empty": released,
        "syntax": answered(copy.deepcopy(released), solved | {exercise: "x = 1,072 +"}),
        "hostile": answered(copy.deepcopy(released), solved | {exercise: attack}),
        "ends": answered(copy.deepcopy(released), solved | {exercise: ENDS}),
        "bare": without_metadata(answered(copy.deepcopy(released), solved)),
        "torn": json.dumps(released)[:-40],
        "doubled": doubled(answered(copy.deepcopy(released), solved), exercise),
    }
    names = list(kinds)
    told = {}
    for i in range(count):
        kind = names[i % len(names)]
        student = f"{i:03} {kind} é@x"
        path = folder / student / f"{course.source(slug).stem}.ipynb"
        path.parent.mkdir(parents=True)
        made = kinds[kind]
        if not isinstance(made, str):
            made = nbformat.writes(made if kind == "empty" else own_cell(made, i))
        path.write_text(made, encoding="utf-8")
        told[student] = kind
    return told


def own_cell(notebook: nbformat.NotebookNode, i: int) -> nbformat.NotebookNode:
    """A copy with a cell of the student's own, so that no two are the same."""
    mine = copy.deepcopy(notebook)
    mine.cells.append(nbformat.v4.new_code_cell(f"mine = {i}", id=f"mine-{i}"))
    return mine


def without_metadata(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook as an editor leaves it that knows nothing of nbgrader."""
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    return notebook


def doubled(notebook: nbformat.NotebookNode, exercise: str) -> nbformat.NotebookNode:
    """An answer cell that was copied: the same twice."""
    at = place_of(notebook, f"{exercise}-answer")
    twin = copy.deepcopy(notebook.cells[at])
    twin.id = "twin"
    notebook.cells.insert(at + 1, twin)
    return notebook


def place_of(notebook: nbformat.NotebookNode, grade_id: str) -> int:
    """Where a cell stands."""
    return [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells].index(grade_id)
