"""Hostile files: what a class's folder holds when one learner hands in something that is no honest notebook."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import nbformat
from hostile_house import House
from hostile_stock import StandIn
from tiny import answered

from autograde.grading.pool import Done, Work, try_twice
from autograde.grading.run import Worker

FILES = sorted((Path(__file__).parent / "files").glob("*.py"))


def module_of(path: Path) -> ModuleType:
    """A file of files/: build(hostile), and control(hostile) where there is one."""
    spec = importlib.util.spec_from_file_location(f"hostile_file_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "Control: " in (module.__doc__ or ""), path.name
    assert hasattr(module, "control") or "Control: none: " in (module.__doc__ or ""), path.name
    return module


class SharedPool:
    """A pool of one worker that other tests use too: what is put is run at once."""

    def __init__(self, worker: Worker) -> None:
        self._worker, self._done = worker, list[Done]()

    def __enter__(self) -> SharedPool:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    @property
    def waiting(self) -> int:
        """How many were put and not taken."""
        return len(self._done)

    @property
    def is_full(self) -> bool:
        """Whether something is there to be taken."""
        return bool(self._done)

    def put(self, work: Work) -> None:
        """Run it."""
        self._done.append((work.key, *try_twice(self._worker, work)))

    def take(self) -> Done:
        """What it gave."""
        return self._done.pop(0)


@dataclass(frozen=True)
class Class:
    """One class: mallory's folder, an honest learner's notebook, a folder outside."""

    folder: Path
    honest: Path
    outside: Path
    house: House
    stand_in: StandIn

    @staticmethod
    def begun(root: Path, house: House, stand_in: StandIn) -> Class:
        """A class in which alice handed in and mallory did not yet."""
        made = Class(root / "class/mallory", root / "class/alice/every-kind.ipynb", root / "outside", house, stand_in)
        for folder in (made.folder, made.honest.parent, made.outside):
            folder.mkdir(parents=True)
        made.honest.write_bytes(made.good)
        return made

    @property
    def good(self) -> bytes:
        """A notebook in which everything is right."""
        return nbformat.writes(self.notebook(self.house.right)).encode()

    def notebook(self, answers: Mapping[str, str]) -> nbformat.NotebookNode:
        """The lesson with these answers."""
        return answered(nbformat.from_dict(json.loads(json.dumps(self.house.notebook))), answers)

    def write(self, notebook: nbformat.NotebookNode, folder: Path | None = None) -> None:
        """Hand a notebook in."""
        text = json.dumps(notebook, indent=1)
        ((folder or self.folder) / "every-kind.ipynb").write_text(text, encoding="utf-8")

    def hand_in(self, answers: Mapping[str, str], folder: Path | None = None) -> None:
        """Hand the lesson in with these answers."""
        self.write(self.notebook(answers), folder)

    def stock_score(self) -> float:
        """What is earned where the cells are run as they were handed in."""
        cells = []
        for cell in nbformat.read(self.folder / "every-kind.ipynb", as_version=4).cells:
            known = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "code":
                is_test = {"id": known["grade_id"], "points": known["points"]} if known.get("grade") else {}
                cells.append({"source": cell.source} | is_test)
        return sum(self.stand_in.grade(cells).scores.values())
