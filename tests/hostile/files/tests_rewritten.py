"""Tries to replace every test by full points.

Control: run as handed in, each cell shows a score.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    notebook = hostile.notebook({"kind-text": "kind_text = 'max'"})
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source = str(cell.metadata.nbgrader.points)
    hostile.write(notebook)


def control(hostile: Class) -> None:
    assert hostile.stock_score() == 14
