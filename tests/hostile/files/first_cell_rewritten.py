"""Tries to bring its own lesson and its own check.

Control: run as handed in, its check gives full points.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    notebook = hostile.notebook({"kind-text": "kind_text = 'max'"})
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.source = "check = lambda *_: 1.0\ndimensions = lambda *names: [8] * len(names)\nhint = solution = check"
    hostile.write(notebook)


def control(hostile: Class) -> None:
    assert hostile.stock_score() > 0
