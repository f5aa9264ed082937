"""Where things are: the course's root, and where a learner's progress is kept."""

from __future__ import annotations

import os
from pathlib import Path

COURSE_FILE = "course.yml"
INDEX_FILE = Path("lessons") / "course.json"
HOME_VARIABLE = "AUTOGRADE_HOME"
RECORD_VARIABLE = "AUTOGRADE_RECORD"


def find_root(start: Path | None = None) -> Path | None:
    """The nearest folder at or above start that holds course.yml; None where there is none."""
    start = (start or Path.cwd()).resolve()
    return next((folder for folder in (start, *start.parents) if (folder / COURSE_FILE).is_file()), None)


def progress_folder() -> Path:
    """AUTOGRADE_HOME, else progress/ at the course's root, else progress/ beside the notebook."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser() if home else (find_root() or Path.cwd()) / "progress"


def is_recording() -> bool:
    """Whether tries are kept: not while verifying or grading, stock nbgrader's runs included."""
    return os.environ.get(RECORD_VARIABLE, "1") != "0" and "NBGRADER_EXECUTION" not in os.environ


class NoCourse(FileNotFoundError):
    """There is no course.yml here or above."""


def root_or_fail(root: Path | None) -> Path:
    """The root, or a clear word on what to do. Raises NoCourse."""
    if root is None:
        raise NoCourse(f"{COURSE_FILE}: not found in {Path.cwd()} or a folder above. Run the command inside a course")
    return root
