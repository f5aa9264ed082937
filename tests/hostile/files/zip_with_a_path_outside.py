"""Tries to have a file written above the folder that it is unpacked in.

Control: joined to a folder, its name leads outside.
"""

from __future__ import annotations

import zipfile

from hostile_files import Class

NAME = "../../../canary.ipynb"


def build(hostile: Class) -> None:
    with zipfile.ZipFile(hostile.folder / "lesson.zip", "w") as archive:
        archive.writestr(NAME, hostile.good)


def control(hostile: Class) -> None:
    assert not (hostile.folder / NAME).resolve().is_relative_to(hostile.folder)
