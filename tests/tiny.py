"""The toy course of tests/tiny_course, copied somewhere, to be built and worked on."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from autograde.authoring.lesson_text import LessonText, solution_of
from autograde.authoring.read import read_lesson
from autograde.cli import main

SOURCES = Path(__file__).parent / "tiny_course"


@dataclass(frozen=True)
class Said:
    """What the command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """Standard output as one JSON object."""
        found: dict[str, Any] = json.loads(self.out)
        return found


class TinyCourse:
    """One copy of the toy course."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @staticmethod
    def copied(target: Path, source: Path = SOURCES) -> TinyCourse:
        """A new copy; build/ comes along where there is one."""
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "progress"))
        return TinyCourse(target)

    def run(self, *words: str | Path) -> Said:
        """The command `autograde`, run inside the course."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.root), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main([str(word) for word in words])
            except SystemExit as end:  # how argparse says that it was called wrongly
                code = int(end.code or 0)
        return Said(code, out.getvalue(), err.getvalue())

    def build(self, *words: str) -> Said:
        """Build, which must work."""
        said = self.run("build", *words)
        assert said.code == 0, said.err
        return said

    def source(self, slug: str) -> Path:
        """A lesson's solved source."""
        (path,) = (self.root / "solutions").glob(f"*-{slug}.py")
        return path

    def text(self, slug: str) -> LessonText:
        """A lesson's source, read."""
        return read_lesson(self.source(slug), self.root)

    def edit(self, file: Path | str, old: str, new: str) -> int:
        """Change a text that stands once in a file (a path, or a lesson's slug); the line where it stands."""
        path = self.root / file if "." in str(file) else self.source(str(file))
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def line(self, slug: str, text: str) -> int:
        """The line of a lesson's source where a text stands first."""
        source = self.source(slug).read_text(encoding="utf-8")
        return source[: source.index(text)].count("\n") + 1

    def notebook_file(self, slug: str) -> Path:
        """A lesson's built notebook."""
        return self.root / "lessons" / f"{self.source(slug).stem}.ipynb"

    def notebook(self, slug: str) -> nbformat.NotebookNode:
        """A lesson's built notebook, read."""
        return nbformat.read(self.notebook_file(slug), as_version=4)

    def files(self, *folders: str) -> dict[str, bytes]:
        """The files under some folders, by their path from the root."""
        found = (path for folder in folders for path in (self.root / folder).rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}


def metadata(grade_id: str, *, locked: bool = False, solution: bool = False, points: float | None = None) -> str:
    """An nbgrader cell's metadata, as it stands in a lesson's source; a cell with points is a grade cell."""
    known = {"grade": points is not None, "grade_id": grade_id, "locked": locked, "points": points}
    known |= {"schema_version": 3, "solution": solution, "task": False}
    return "nbgrader=" + json.dumps({key: value for key, value in known.items() if value is not None})


def solutions(lesson: LessonText) -> dict[str, str]:
    """The solved answer cell of each exercise."""
    return {task.id: solution_of(task.answer.source) for task in lesson.tasks}


def answered(notebook: nbformat.NotebookNode, answers: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook with answers typed into their answer cells."""
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    for exercise, answer in answers.items():
        cells[f"{exercise}-answer"].source = answer
    return notebook
