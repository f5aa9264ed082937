"""Tries to hand in another learner's file by a link inside an archive.

Control: the entry is a link as Unix writes it, and unzip makes it one.
"""

from __future__ import annotations

import stat
import zipfile

from hostile_files import Class


def build(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip", "w") as archive:
        entry = zipfile.ZipInfo("every-kind.ipynb")
        entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, str(hostile.honest))


def control(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip") as archive:
        assert stat.S_ISLNK(archive.infolist()[0].external_attr >> 16)
