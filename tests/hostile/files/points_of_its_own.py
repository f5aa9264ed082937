"""Tries to be worth a thousand points by its own metadata.

Control: whoever reads points from what was handed in reads a thousand.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    notebook = hostile.notebook({"kind-text": "kind_text = 'max'"})
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = 1000
    hostile.write(notebook)


def control(hostile: Class) -> None:
    assert '"points": 1000' in (hostile.folder / "every-kind.ipynb").read_text()
