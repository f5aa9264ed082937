"""Tries to have its scores in the outputs already.

Control: whoever reads outputs that were handed in reads full points.
"""

from __future__ import annotations

import nbformat
from hostile_files import Class


def build(hostile: Class) -> None:
    notebook = hostile.notebook({"kind-text": "kind_text = 'max'"})
    for cell in notebook.cells:
        points = cell.metadata.get("nbgrader", {}).get("points")
        if points is not None:
            cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": str(points)})]
            cell.execution_count = 1
    hostile.write(notebook)


def control(hostile: Class) -> None:
    assert '"text/plain": "4"' in (hostile.folder / "every-kind.ipynb").read_text()
