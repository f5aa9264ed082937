"""Running a notebook in a real kernel, as a learner does, and reading its verdicts."""

from __future__ import annotations

import html
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient


@dataclass(frozen=True)
class Shown:
    """What a grade cell showed: the card's status and text, and the score that stock nbgrader reads."""

    status: str
    text: str
    score: float
    stderr: str


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.update(changes)
    os.environ.pop("AUTOGRADE_RECORD", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def run(notebook: nbformat.NotebookNode, folder: Path, **environment: str) -> dict[str, Shown]:
    """Run every cell in a kernel of its own that lives in a folder; what each grade cell showed, by exercise."""
    one_thread = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    with _environment(one_thread | environment), warnings.catch_warnings():
        # zmq's and jupyter_client's own: how they begin and end an event loop, sockets that are closed late.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        client = NotebookClient(notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}})
        client.execute()
    graded = (cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade"))
    return {cell.metadata.nbgrader.grade_id: _shown(cell.outputs) for cell in graded}


def _shown(outputs: list[nbformat.NotebookNode]) -> Shown:
    stderr = "".join(output.text for output in outputs if output.get("name") == "stderr")
    for output in outputs:
        data = output.get("data", {})
        kind = re.search(r'data-kind="(\w+)"', data.get("text/html", ""))
        if kind:
            text = html.unescape(re.sub(r"<[^>]+>", " ", data["text/html"]))
            return Shown(kind[1], " ".join(text.split()), float(data["text/plain"]), stderr)
    return Shown("nothing", repr(outputs), 0.0, stderr)
