"""Running a notebook in a real kernel, as a learner does, and reading its verdicts."""

from __future__ import annotations

import html
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config


@dataclass(frozen=True)
class Shown:
    """What a grade cell showed: the card's status and text, and the score that stock nbgrader reads."""

    status: str
    text: str
    score: float
    stderr: str


def run(notebook: nbformat.NotebookNode, folder: Path, **environment: str) -> dict[str, Shown]:
    """Run every cell in a kernel of its own that lives in a folder; what each grade cell showed, by exercise."""
    with (
        tempfile.TemporaryDirectory() as runtime,
        _environment({"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "JUPYTER_RUNTIME_DIR": runtime} | environment),
        warnings.catch_warnings(),
    ):
        # zmq's and jupyter_client's own: how they begin and end an event loop, sockets that are closed late.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        where, config = {"metadata": {"path": str(folder)}}, Config(KernelManager=own_sockets(runtime))
        NotebookClient(notebook, timeout=120, allow_errors=True, resources=where, config=config).execute()
    graded = (cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade"))
    return {cell.metadata.nbgrader.grade_id: _shown(cell.outputs) for cell in graded}


def own_sockets(folder: str) -> dict[str, str]:
    """Settings of a kernel that talks through files in a folder: kernels that start together may choose one port."""
    return {} if sys.platform == "win32" else {"transport": "ipc", "ip": f"{folder}/kernel"}


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


def _shown(outputs: list[nbformat.NotebookNode]) -> Shown:
    stderr = "".join(output.text for output in outputs if output.get("name") == "stderr")
    for output in outputs:
        data = output.get("data", {})
        kind = re.search(r'data-kind="(\w+)"', data.get("text/html", ""))
        if kind:
            text = html.unescape(re.sub(r"<[^>]+>", " ", data["text/html"]))
            return Shown(kind[1], " ".join(text.split()), float(data["text/plain"]), stderr)
    return Shown("nothing", repr(outputs), 0.0, stderr)
