"""A stand-in for stock nbgrader: a warm process that runs a notebook's cells and its tests together, in a fork.

As nbgrader does it, a test that shows an error earns nothing, one that shows a number earns that, any other is full
points. It holds what such a grader holds: all submissions read beforehand, an open file, the whole environment.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Stock:
    """What the stand-in gave: points by grade id (none where its process was lost), and what was printed."""

    scores: dict[str, float]
    printed: str

    @property
    def was_lost(self) -> bool:
        """Whether the process ended, or did not end, without a result."""
        return not self.scores


class StandIn:
    """The stand-in's process. Use as a context manager."""

    def __init__(self, folder: Path, open_file: Path, other_submission: str) -> None:
        command = [sys.executable, str(Path(__file__)), str(open_file), other_submission]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, text=True, start_new_session=True
        )

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()

    def grade(self, cells: Sequence[Mapping[str, Any]], seconds: float = 3.0) -> Stock:
        """Run cells, each with its source and, where it is a test, its id and points."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"cells": [*cells], "seconds": seconds}) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return Stock(said["scores"], said["printed"])


def _serve(open_file: str, other_submission: str) -> None:
    import torch

    torch.set_num_threads(1)
    others = [{"student": "somebody else", "cells": [other_submission]}]
    kept = os.open(open_file, os.O_RDONLY)
    os.set_inheritable(kept, True)
    replies = os.fdopen(os.dup(1), "w")
    os.set_inheritable(replies.fileno(), False)
    for line in sys.stdin:
        asked = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            said = _graded(asked["cells"], float(asked["seconds"]), Path(folder))
        replies.write(json.dumps(said) + "\n")
        replies.flush()
    del others


def _graded(cells: Sequence[Mapping[str, Any]], seconds: float, folder: Path) -> dict[str, Any]:
    printed, result = folder / "printed", folder / "result"
    dumps = json.JSONEncoder().encode  # a submission may patch the module
    child = os.fork()
    if child == 0:
        os.setsid()
        fd = os.open(printed, os.O_CREAT | os.O_WRONLY, 0o600)
        os.dup2(fd, 1)
        os.dup2(fd, 2)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.chdir(folder)
        try:
            result.write_bytes(dumps(_run(cells)).encode())
        finally:
            sys.stdout.flush()
            os._exit(0)
    _wait(child, seconds)
    said = printed.read_bytes()[:2_000_000] if printed.exists() else b""
    scores = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}
    return {"scores": scores, "printed": said.decode(errors="replace")}


def _wait(child: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _run(cells: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shown: list[str] = []

    class Shell(InteractiveShell):
        """Keeps what is shown as an error: that is what nbgrader reads."""

        def _showtraceback(self, etype: type, evalue: BaseException, stb: str) -> None:
            shown.append(f"{etype.__name__}: {evalue}")

    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    shell = Shell.instance(config=config)
    scores: dict[str, float] = {}
    for cell in cells:
        shown.clear()
        ran = shell.run_cell(cell["source"], store_history=False)
        if "points" in cell:
            is_fault = bool(shown or ran.error_before_exec or ran.error_in_exec)
            scores[cell["id"]] = 0.0 if is_fault else _score(ran, float(cell["points"]))
    return scores


def _score(ran: Any, points: float) -> float:
    if getattr(ran, "result", None) is None:
        return points
    try:
        return float(repr(ran.result))
    except ValueError:
        return points


if __name__ == "__main__":
    _serve(*sys.argv[1:])
