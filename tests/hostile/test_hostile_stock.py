"""The real control: stock nbgrader autogrades the hostile cells that the stand-in says succeed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel
import nbformat
import pytest
from hostile_case import IN_PROCESS, Case, controlled_by
from hostile_house import PLAIN_RIGHT, Canary, House, plain_notebook
from tiny import answered

# A kernel that is lost or never ends costs nbgrader minutes; the stand-in shows those. And it starts a new kernel for
# each submission, from which no memory and no open file is inherited; graders that fork are another matter.
BORN_NEW = {"inherited_descriptors", "inherited_memory", "scans_its_own_memory"}
CASES = [case for case in controlled_by(IN_PROCESS) if case.success != "lost" and case.name not in BORN_NEW]
PLACES = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

pytestmark = [pytest.mark.heavy, pytest.mark.nbgrader]


@pytest.fixture(scope="session")
def stock(house: House, canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[float, str]]:
    """By case: the points that stock nbgrader gave to the exercise, and all that the notebook shows."""
    course = tmp_path_factory.mktemp("stock-nbgrader")
    (course / "source/plain").mkdir(parents=True)
    nbformat.write(plain_notebook(solved=True), course / "source/plain/plain.ipynb")
    homes = {f"JUPYTER_{name}_DIR": str(course / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment = os.environ | homes | {"PATH": PLACES, "OMP_NUM_THREADS": "1"}

    def nbgrader(*words: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "nbgrader", *words], cwd=course, env=environment, check=True, capture_output=True
        )

    nbgrader("generate_assignment", "plain")
    released = course / "release/plain/plain.ipynb"
    hand_ins = {case.name: {case.aims: house.source(case)} for case in CASES} | {"honest": PLAIN_RIGHT}
    for name, answers in hand_ins.items():
        folder = course / "submitted" / name / "plain"
        folder.mkdir(parents=True)
        nbformat.write(answered(nbformat.read(released, as_version=4), answers), folder / "plain.ipynb")
    outside = canary.seen()
    with tempfile.TemporaryDirectory() as sockets:
        settings = [f"--KernelManager.{key}={value}" for key, value in kernel.own_sockets(sockets).items()]
        nbgrader("autograde", "plain", *settings)
    changed = canary.seen() != outside
    canary.restore(outside)
    nbgrader("export", f"--CsvExportPlugin.to={course / 'grades.csv'}")
    graded = {name: _points(course, name) for name in hand_ins}
    return graded | {"changed": (float(changed), "")}


def _points(course: Path, student: str) -> tuple[float, str]:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        found = book.find_submission_notebook("plain", "plain", student)
        score = sum(grade.score or 0.0 for grade in found.grades)
    shown = (course / "autograded" / student / "plain/plain.ipynb").read_text(encoding="utf-8")
    return float(score), shown


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_succeeds_under_stock_nbgrader(case: Case, stock: dict[str, tuple[float, str]], canary: Canary) -> None:
    score, shown = stock[case.name]
    if case.success == "points":
        assert score > 0
    elif case.success == "secret":
        assert canary.secret in shown
    elif case.success == "written":
        assert stock["changed"][0]
    else:
        assert "REACHED" in shown


def test_stock_nbgrader_gives_the_honest_one_all_points(stock: dict[str, tuple[float, str]]) -> None:
    assert stock["honest"][0] == 9
