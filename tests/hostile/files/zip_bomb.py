"""Tries to hand in three hundred megabytes of zeros in three hundred kilobytes.

Control: the standard library unpacks all of it.
"""

from __future__ import annotations

import zipfile

from hostile_files import Class


def build(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("every-kind.ipynb", bytes(300_000_000))


def control(hostile: Class) -> None:
    path = hostile.folder / "lesson.zip"
    assert path.stat().st_size < 1_000_000
    with zipfile.ZipFile(path) as archive:
        assert len(archive.read("every-kind.ipynb")) == 300_000_000
