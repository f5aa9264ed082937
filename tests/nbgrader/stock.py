"""A copy of the course in which stock nbgrader works."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kernel
import nbformat
import pytest

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic by its name
ENVIRONMENT = os.environ | {"PATH": PATH, "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class NbgraderCourse:
    """A copy of the course, built; nbgrader's own folders are in build/nbgrader."""

    root: Path
    checked: dict[str, dict[str, kernel.Shown]] = field(default_factory=dict)
    """What `check` showed each student in their own notebook, by exercise."""

    @property
    def folder(self) -> Path:
        """Where nbgrader works."""
        return self.root / "build" / "nbgrader"

    @property
    def homes(self) -> dict[str, str]:
        """Where Jupyter keeps what it keeps, so that it stays away from the tester's home."""
        return {f"JUPYTER_{name}_DIR": str(self.root / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """Start nbgrader in the course's root, as an instructor does."""
        return subprocess.Popen(
            [sys.executable, "-m", "nbgrader", *words], cwd=self.root, env=ENVIRONMENT | self.homes,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def nbgrader(self, *words: str) -> str:
        """What nbgrader says; it must end well."""
        return self.ended(self.begin(*words))

    def ended(self, process: subprocess.Popen[str]) -> str:
        """Wait for nbgrader, which must end well."""
        said, _ = process.communicate(timeout=900)
        assert process.returncode == 0, said
        return said

    def notebook(self, *path: str) -> nbformat.NotebookNode:
        """A notebook in one of nbgrader's folders."""
        return nbformat.read(self.folder.joinpath(*path), as_version=4)

    def gradebook(self) -> Any:
        """nbgrader's own reading of its database."""
        from nbgrader.api import Gradebook

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", PATH)
            return Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}")
