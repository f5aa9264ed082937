"""The real lessons: each runs solved in a fresh kernel, is built from its source, and its checks are proven."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from kernel import run
from tiny import answered, solutions

from autograde.authoring.jobs import run_job
from autograde.authoring.read import read_lesson
from autograde.authoring.verify import Proof

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "solutions").glob("[0-9][0-9]-*.py"))
per_lesson = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


@per_lesson
def test_solved_it_runs_from_top_to_bottom_in_a_fresh_kernel(source: Path, tmp_path: Path) -> None:
    text = read_lesson(source, ROOT)
    notebook = nbformat.read(ROOT / "lessons" / f"{source.stem}.ipynb", as_version=4)
    answered(notebook, solutions(text))
    (tmp_path / "data").symlink_to(ROOT / "lessons" / "data")
    shown = run(notebook, tmp_path, AUTOGRADE_RECORD="0")
    assert {task.id: "passed" for task in text.tasks} == {name: card.status for name, card in shown.items()}
    raised = [output for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "error"]
    assert raised == []


@per_lesson
def test_each_of_its_checks_is_proven(source: Path) -> None:
    proof = Proof.from_data(run_job("verify", ROOT, source.stem.partition("-")[2])["proof"])
    assert [str(fault) for fault in proof.faults] == []
    assert proof.is_full


def test_every_lesson_of_the_course_has_its_notebook_and_its_place_in_the_index() -> None:
    index: dict[str, Any] = json.loads((ROOT / "lessons" / "course.json").read_text(encoding="utf-8"))
    slugs = [source.stem.partition("-")[2] for source in SOURCES]
    assert [lesson["id"] for lesson in index["lessons"]] == slugs
    assert sorted(path.stem for path in (ROOT / "lessons").glob("*.ipynb")) == [source.stem for source in SOURCES]
