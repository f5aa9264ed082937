"""Where hostile submissions are graded: the toy course's lesson, a plain assignment of the same exercises, canaries."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from hostile_case import Case
from tiny import TinyCourse, solutions

from autograde.cli.class_tasks import tasks_for
from autograde.evidence import to_bytes
from autograde.grading.assignment import assignment_from_source
from autograde.grading.attempt import run_submission
from autograde.grading.engine import Task
from autograde.grading.judging import add_up, exercise_rows
from autograde.grading.match import prepare
from autograde.grading.run import Budget, Worker
from autograde.grading.store import Run, Store
from autograde.grading.submission import Cell, ExerciseRow, Row, Submission

SLUG, POINTS = "every-kind", 14.0
SMALL = Budget(step_cpu_s=2, total_cpu_s=6)
MARK = f"hostile-{secrets.token_hex(6)}"
HIDDEN = "31.4159"
"""A number that only a hidden test of the plain assignment knows."""


class Short(Budget):
    """Little patience, for what only the wall clock ends."""

    @property
    def step_wall_s(self) -> float:
        """Seconds."""
        return 4.0


@dataclass(frozen=True)
class Graded:
    """A submission's verdicts, and all that came out of running it."""

    rows: tuple[ExerciseRow, ...]
    run: Run

    @property
    def score(self) -> float:
        """Points."""
        return sum(row.score or 0.0 for row in self.rows)

    def row(self, exercise: str) -> ExerciseRow:
        """One exercise's row."""
        return next(row for row in self.rows if row.id == exercise)

    @property
    def text(self) -> str:
        """Everything that is kept of it, as one text."""
        evidence = to_bytes(dict(self.run.evidence)).decode(errors="replace")
        return "\n".join([evidence, self.run.printed, *self.run.steps, *(str(row) for row in self.rows)])


@dataclass
class Canary:
    """What lies outside: another's submission, a store, solutions, a secret in the environment, a listening service."""

    folder: Path
    secret: str
    calls: list[str] = field(default_factory=list)
    servers: list[socket.socket] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    is_over: bool = False

    @staticmethod
    def planted(folder: Path) -> Canary:
        """A new one."""
        secret = f"canary-{secrets.token_hex(8)}"
        folder.mkdir()
        (folder / "other.ipynb").write_text(json.dumps({"cells": [{"source": f"answer = '{secret}'"}]}))
        (folder / "solutions").mkdir()
        (folder / "solutions" / "01-every-kind.py").write_text(f"# {secret}\n")
        with contextlib.closing(sqlite3.connect(folder / "store.sqlite")) as store:
            store.execute("create table rows (student text, score real, said text)")
            store.execute("insert into rows values ('mallory', 0, ?)", (secret,))
            store.commit()
        os.environ["HOSTILE_SECRET"] = secret
        return Canary(folder, secret)

    def seen(self) -> dict[str, bytes]:
        """All files with their bytes."""
        return {str(path): path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Put all back after a control that was meant to succeed."""
        for path in set(self.seen()) - set(files):
            Path(path).unlink()
        for path, data in files.items():
            Path(path).write_bytes(data)

    def listen(self) -> int:
        """A service on the loopback address, and one without a file; both note who calls. The port."""
        tcp = socket.create_server(("127.0.0.1", 0))
        local = socket.socket(socket.AF_UNIX)
        local.bind(f"\0{MARK}")
        local.listen()
        for server, name in ((tcp, "tcp"), (local, "local")):
            self.servers.append(server)
            self.threads.append(threading.Thread(target=self._note, args=(server, name), daemon=True))
            self.threads[-1].start()
        return int(tcp.getsockname()[1])

    def _note(self, server: socket.socket, name: str) -> None:
        with server, contextlib.suppress(OSError):
            while not self.is_over:
                caller, _ = server.accept()
                self.calls.append(name)
                with caller, contextlib.suppress(OSError):
                    caller.sendall(f"{self.secret}\n".encode())

    def close(self) -> None:
        """Listen no more."""
        self.is_over = True
        for server in self.servers:
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()


class House:
    """Grades one submission at a time, as the engine does."""

    def __init__(self, course: TinyCourse, folder: Path, canary: Canary) -> None:
        with contextlib.chdir(course.root), Store(folder) as store:
            self.lesson = tasks_for(None, SLUG, store, lambda _: None)[SLUG]
        self.plain = Task(assignment_from_source(plain_notebook(), "plain"))
        self.right = solutions(course.text(SLUG))
        self.notebook = course.notebook(SLUG)
        self.canary = canary
        self.port = canary.listen()

    def source(self, case: Case) -> str:
        """A case's source with the places it aims at."""
        return case.placed(CANARY=self.canary.folder, PORT=self.port, MARK=MARK, PID=os.getpid())

    def grade(self, worker: Worker, task: Task, answers: Mapping[str, str], budget: Budget = SMALL) -> Graded:
        """Grade the notebook with these answers typed in."""
        cells = [
            Cell(cell.kind, _typed(cell.grade_id, cell.source, answers), cell.grade_id, cell.cell_id)
            for cell in task.assignment.cells
        ]
        script = prepare(Submission("mallory", task.assignment.id, "m.ipynb", tuple(cells)), task.assignment)
        run = run_submission(worker, script, task.names, task.plans, budget, in_process=task.assignment.in_process)
        return Graded(exercise_rows(task.assignment, task.rubrics, run), run)

    def keep_and_read(self, graded: Graded, folder: Path) -> None:
        """Put it into a store and read it again, which must give the same verdicts: nothing in it stops a class."""
        row = add_up(Row.empty("mallory", SLUG, "m.ipynb", POINTS), graded.rows)
        with Store(folder) as store:
            store.keep_run("key", graded.run)
            store.keep_row("mallory", SLUG, "key", row.to_data())
            kept, rows = store.run("key"), [*store.rows()]
        assert kept is not None
        assert exercise_rows(self.lesson.assignment, self.lesson.rubrics, kept) == graded.rows
        assert rows[0][1]["score"] == row.score

    def stock_cells(self, answers: Mapping[str, str], *, notebook: bool) -> list[dict[str, Any]]:
        """The cells that stock nbgrader would run: the plain assignment's, or the lesson's own notebook's."""
        found = []
        for cell in (self.notebook if notebook else plain_notebook()).cells:
            if cell.cell_type == "code":
                known = cell.metadata.get("nbgrader", {})
                told = {"source": _typed(known.get("grade_id", ""), cell.source, answers)}
                found.append(
                    told | ({"id": known["grade_id"], "points": known["points"]} if known.get("grade") else {})
                )
        return found


def _typed(grade_id: str, source: str, answers: Mapping[str, str]) -> str:
    return answers.get(grade_id.removesuffix("-answer"), source) if grade_id.endswith("-answer") else source


def plain_notebook(*, solved: bool = False) -> nbformat.NotebookNode:
    """A plain nbgrader assignment with asserts, its exercises called as the lesson's are."""
    cells = [_code("import torch\nfrom torch import nn", "plain-given", locked=True)]
    for exercise, (answer, test, points) in _PLAIN.items():
        source = f"### BEGIN SOLUTION\n{answer}\n### END SOLUTION"
        cells.append(_code(source if solved else "# YOUR CODE HERE\nraise NotImplementedError()", f"{exercise}-answer"))
        cells.append(_code(test, exercise, locked=True, points=points))
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}})


def _code(source: str, grade_id: str, *, locked: bool = False, points: int | None = None) -> nbformat.NotebookNode:
    known = {
        "grade": points is not None, "grade_id": grade_id, "locked": locked, "schema_version": 3,
        "solution": not locked, "task": False,
    }  # fmt: skip
    cell = nbformat.v4.new_code_cell(source, id=grade_id)
    cell.metadata["nbgrader"] = known | ({"points": points} if points is not None else {})
    return cell


_FUNCTION = "def double_shifted(x, shift=0.0):\n    return 2 * x + shift"
_FUNCTION_TEST = f"""\
import torch
expected = torch.tensor([[2.0, -4.0], [1.0, 6.0]])
assert torch.allclose(double_shifted(torch.tensor([[1.0, -2.0], [0.5, 3.0]])), expected)
### BEGIN HIDDEN TESTS
expected = torch.tensor([{HIDDEN}])
assert torch.allclose(double_shifted(torch.tensor([15.0]), 1.4159), expected)
### END HIDDEN TESTS"""
_MODULE = """\
class Turn(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return -self.layer(x)"""
_MODULE_TEST = """\
turn = Turn(3)
assert sum(p.numel() for p in turn.parameters()) == 12
assert torch.allclose(turn(torch.ones(2, 3)), -(turn.layer.weight.sum(1) + turn.layer.bias))"""
_TEXT_TEST = """\
assert len(kind_text) == 7
assert all(a == b for a, b in zip(kind_text, "softmax"))"""
_PLAIN = {
    "kind-number": ("kind_number = 1_234", "assert kind_number == 1_234", 1),
    "kind-text": ('kind_text = "softmax"', _TEXT_TEST, 1),
    "kind-function": (_FUNCTION, _FUNCTION_TEST, 3),
    "kind-module": (_MODULE, _MODULE_TEST, 4),
}
PLAIN_RIGHT = {exercise: answer for exercise, (answer, _, _) in _PLAIN.items()}
