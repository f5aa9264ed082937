"""Tries to leave out the tests that it would not pass.

Control: run as handed in, nothing fails.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    notebook = hostile.notebook({"kind-text": "kind_text = 'max'"})
    notebook.cells = [cell for cell in notebook.cells if not cell.metadata.get("nbgrader", {}).get("grade")]
    hostile.write(notebook)


def control(hostile: Class) -> None:
    assert hostile.stock_score() == 0
    assert '"points"' not in (hostile.folder / "every-kind.ipynb").read_text()
