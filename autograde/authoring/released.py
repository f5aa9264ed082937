"""A released lesson, run as a learner meets it: nothing answered yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from autograde.authoring.faults import one_fault
from autograde.runner import Runner
from autograde.verdict import Verdict


def lesson_file(root: Path, stem: str) -> Path:
    """The notebook of a lesson. Raises AuthorError where it was never built."""
    file = root / "lessons" / f"{stem}.ipynb"
    if not file.is_file():
        raise one_fault(f"lessons/{stem}.ipynb", "the notebook is not there", f"Run `autograde build {stem}`")
    return file


def read_released(root: Path, stem: str) -> nbformat.NotebookNode:
    """The released notebook of a lesson."""
    notebook: nbformat.NotebookNode = nbformat.read(lesson_file(root, stem), as_version=4)
    return notebook


def run_released(root: Path, stem: str) -> dict[str, Any]:
    """What each cell shows, and each grade cell's verdict.

    The result is {"cells": [{"text", "fault", "grade_id", "status", "score"}, ...]}.
    """
    runner, cells = Runner(), []
    for cell in read_released(root, stem).cells:
        shown: dict[str, Any] = {"text": "", "fault": "", "grade_id": "", "status": "", "score": 0.0}
        if cell.cell_type == "code":
            ran = runner.run(cell.source)
            shown["text"] = ran.text
            shown["fault"] = f"{ran.fault.type}: {ran.fault.message}" if ran.fault else ""
            if isinstance(ran.result, Verdict):
                shown |= {
                    "grade_id": ran.result.exercise,
                    "status": ran.result.status,
                    "score": ran.result.score,
                    "text": "",
                }
        cells.append(shown)
    return {"cells": cells}


def seal_in(released: Path) -> str:
    """The seal in a notebook's first cell; empty where there is none."""
    if not released.is_file():
        return ""
    source = str(nbformat.read(released, as_version=4).cells[0].source)
    _, _, rest = source.partition('"""')
    return "".join(rest.partition('"""')[0].split())
