"""Tries to be walked without end.

Control: walked with links followed, it is deeper than forty folders.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    (hostile.folder / "again").symlink_to(hostile.folder)


def control(hostile: Class) -> None:
    assert hostile.folder.joinpath(*["again"] * 39).is_dir()
