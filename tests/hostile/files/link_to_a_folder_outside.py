"""Tries to hand in a link to a folder.

Control: whoever walks it finds what is there.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    (hostile.outside / "every-kind.ipynb").write_bytes(hostile.good)
    (hostile.folder / "here").symlink_to(hostile.outside)


def control(hostile: Class) -> None:
    assert (hostile.folder / "here" / "every-kind.ipynb").read_bytes() == hostile.good
