"""Stock nbgrader on the three lessons, in a copy: one release, one run over a dozen hand-ins, for all tests here."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel
import nbformat
import pytest
from stock import ENVIRONMENT, NbgraderCourse
from submissions import ALL
from tiny import answered, solutions

from autograde.authoring.read import find_source, read_lesson

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.nbgrader)
            item.add_marker(pytest.mark.xdist_group("nbgrader"))


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> NbgraderCourse:
    """The three lessons, released by stock nbgrader."""
    root = tmp_path_factory.mktemp("course")
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root)
    for name in ("solutions", "lessons", "build/stamps", "build/nbgrader/source"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name)
    built = [sys.executable, "-c", "from autograde.cli import main; raise SystemExit(main(['build']))"]
    subprocess.run(built, cwd=root, env=ENVIRONMENT, check=True, capture_output=True)
    course = NbgraderCourse(root)
    course.nbgrader("generate_assignment", "--assignment=*")
    return course


@pytest.fixture(scope="session")
def graded(released: NbgraderCourse, tmp_path_factory: pytest.TempPathFactory) -> NbgraderCourse:
    """All hand-ins autograded, with feedback and an export; and what `check` says to each student meanwhile."""
    for student, hand_in in ALL.items():
        lesson = hand_in.lesson
        solved = solutions(read_lesson(find_source(ROOT, lesson), ROOT))
        notebook = answered(released.notebook("release", lesson, f"{lesson}.ipynb"), hand_in.answers(solved))
        for cell in notebook.cells:
            if hand_in.grade_cells and cell.metadata.get("nbgrader", {}).get("grade"):
                cell.source = hand_in.grade_cells
        folder = released.folder / "submitted" / student / lesson
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{lesson}.ipynb")
    with tempfile.TemporaryDirectory() as sockets:
        settings = (f"--KernelManager.{key}={value}" for key, value in kernel.own_sockets(sockets).items())
        running = released.begin("autograde", "--assignment=*", *settings)
        for student, hand_in in ALL.items():
            notebook = released.notebook("submitted", student, hand_in.lesson, f"{hand_in.lesson}.ipynb")
            released.checked[student] = kernel.run(notebook, tmp_path_factory.mktemp(student))
        released.ended(running)
    released.nbgrader("generate_feedback", "--assignment=*")
    released.nbgrader("export", f"--CsvExportPlugin.to={released.root / 'grades.csv'}")
    return released
