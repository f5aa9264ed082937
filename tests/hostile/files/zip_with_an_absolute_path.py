"""Tries the same with a path that begins at the root.

Control: joined to a folder, its name leads outside.
"""

from __future__ import annotations

import zipfile

from hostile_files import Class


def build(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip", "w") as archive:
        archive.writestr(f"{hostile.outside}/every-kind.ipynb", hostile.good)


def control(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip") as archive:
        assert not (hostile.folder / archive.namelist()[0]).is_relative_to(hostile.folder)
