"""Tries to hand in a link to somebody else's notebook.

Control: whoever opens the file reads the other one.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    (hostile.folder / "every-kind.ipynb").symlink_to(hostile.honest)


def control(hostile: Class) -> None:
    assert (hostile.folder / "every-kind.ipynb").read_bytes() == hostile.honest.read_bytes()
