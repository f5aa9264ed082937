"""Tries to be waited for.

Control: opened as a file it blocks: it is a pipe that nobody writes.
"""

from __future__ import annotations

import os
import stat

from hostile_files import Class


def build(hostile: Class) -> None:
    os.mkfifo(hostile.folder / "every-kind.ipynb")


def control(hostile: Class) -> None:
    assert stat.S_ISFIFO((hostile.folder / "every-kind.ipynb").stat().st_mode)
