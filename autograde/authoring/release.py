"""Releasing: a solved lesson and its seal -> the source for nbgrader, and the notebook that learners get.

What nbgrader does when it generates an assignment is done by nbgrader's own preprocessors, in its own order, so that
its release and ours are the same cell for cell. `nbgrader_config.py` holds the same settings for the stock command.
"""

from __future__ import annotations

import copy
import hashlib
import logging
import textwrap
from typing import Any

import nbformat
from nbconvert.preprocessors import ClearOutputPreprocessor, TagRemovePreprocessor
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from nbgrader.utils import compute_checksum
from traitlets.config import Config

from autograde.authoring.lesson_text import Cell, LessonText, Task
from autograde.course import Lesson
from autograde.wording import counted

SETTINGS: dict[str, dict[str, Any]] = {
    "TagRemovePreprocessor": {"enabled": True, "remove_cell_tags": {"exercise"}},
    "ClearSolutions": {"code_stub": {"python": ""}},
}
_STEPS = (
    TagRemovePreprocessor,  # first: author cells hold the answers
    ClearSolutions,
    LockCells,
    ComputeChecksums,
    CheckCellMetadata,
    ClearOutputPreprocessor,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,  # again, over what the steps since changed
    CheckCellMetadata,
)
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_SURFACE = "from autograde import check, dimensions, hint, lesson, progress, solution"


def source_notebook(text: LessonText, entry: Lesson, details: dict[str, Any], seal: str) -> nbformat.NotebookNode:
    """What nbgrader's source folder holds: the solved lesson as a notebook, sealed, with minutes, points and aims.

    details: minutes, difficulty and stretch of each exercise.
    """
    prompts = {id(task.prompt): prompt_details(task, **details[task.id]) for task in text.tasks}
    notebook: nbformat.NotebookNode = nbformat.v4.new_notebook(metadata={"kernelspec": _KERNEL})
    titled = False
    for cell in text.cells:
        source = cell.source
        if cell.role == "lesson":
            source = first_cell(text.slug, seal)
        elif id(cell) in prompts:
            heading, _, rest = source.partition("\n")
            source = f"{heading}\n{prompts[id(cell)]}\n\n{rest.lstrip()}".rstrip()
        elif cell.role == "text" and not titled:
            source, titled = f"{source}\n\n{_front_matter(text, entry)}", True
        notebook.cells.append(_node(cell, source))
    _name_cells(notebook, text.slug)
    return notebook


def first_cell(slug: str, seal: str) -> str:
    """The locked first cell, which carries the seal."""
    return f'{_SURFACE}\n\nlesson("{slug}", """\n' + "\n".join(textwrap.wrap(seal, 120)) + '\n""")'


def prompt_details(task: Task, minutes: float | None, difficulty: int | None, stretch: bool) -> str:
    """The line under a prompt's heading: what its author said of the exercise."""
    worth = counted(task.points, "point") if task.points else "no points"
    details = [f"`{task.id}`", worth]
    details += [f"{minutes:g} min"] if minutes is not None else []
    details += [f"difficulty {difficulty} of 5"] if difficulty is not None else []
    details += ["stretch"] if stretch else []
    return f"*{' · '.join(details)}*"


def _front_matter(text: LessonText, entry: Lesson) -> str:
    points = sum(task.points for task in text.tasks)
    lines = [
        f"*{counted(entry.minutes, 'minute')} · {counted(len(text.tasks), 'exercise')} · {counted(points, 'point')}*",
        "",
        f"**The question:** {entry.question}",
        "",
    ]
    lines += ["**You will be able to**", "", *(f"- {objective}" for objective in entry.objectives)]
    if entry.prerequisites:
        lines += ["", f"**You need:** {'; '.join(entry.prerequisites)}."]
    return "\n".join(lines)


def _node(cell: Cell, source: str) -> nbformat.NotebookNode:
    metadata = copy.deepcopy(cell.metadata)
    if cell.role == "lesson":
        metadata["jupyter"] = {"source_hidden": True}
    node: nbformat.NotebookNode = (
        nbformat.v4.new_markdown_cell(source)
        if cell.is_markdown
        else nbformat.v4.new_code_cell(source, metadata=metadata)
    )
    return node


def _name_cells(notebook: nbformat.NotebookNode, slug: str) -> None:
    """Cell ids: the grade id, else a digest of the source; the same text keeps the same id."""
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        name = (
            cell.metadata.get("nbgrader", {}).get("grade_id")
            or hashlib.sha256(f"{slug}:{cell.source}".encode()).hexdigest()[:12]
        )
        seen[name] = seen.get(name, 0) + 1
        cell.id = (name if seen[name] == 1 else f"{name}-{seen[name]}")[:64]


def learner_notebook(source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """What learners get: no author cells, no solutions, no outputs; graded cells locked, with nbgrader's checksums."""
    config = Config(SETTINGS)
    notebook, resources = copy.deepcopy(source), {"nbgrader": {"notebook": "lesson"}, "metadata": {"name": "lesson"}}
    for step in _STEPS:
        preprocessor = step(config=config, enabled=True)
        if isinstance(getattr(preprocessor, "log", None), logging.Logger):
            preprocessor.log.setLevel(logging.WARNING)
        notebook, resources = preprocessor.preprocess(notebook, resources)
    return notebook


def reseal(notebook: nbformat.NotebookNode, slug: str, seal: str) -> nbformat.NotebookNode:
    """The same notebook with another seal in its first cell."""
    changed = copy.deepcopy(notebook)
    changed.cells[0].source = first_cell(slug, seal)
    if "checksum" in changed.cells[0].metadata.get("nbgrader", {}):
        changed.cells[0].metadata.nbgrader["checksum"] = compute_checksum(changed.cells[0])
    return changed


def to_json(notebook: nbformat.NotebookNode) -> str:
    """The notebook's bytes: sorted keys, one space, a final newline."""
    return str(nbformat.writes(notebook)).rstrip("\n") + "\n"
