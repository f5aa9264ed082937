"""Tries to be unpacked without end.

Control: none: how deep an archive is looked into is our own rule.
"""

from __future__ import annotations

import io
import zipfile

from hostile_files import Class


def build(hostile: Class) -> None:
    data, name = hostile.good, "every-kind.ipynb"
    for _ in range(50):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, data)
        data, name = packed.getvalue(), "more.zip"
    (hostile.folder / "lesson.zip").write_bytes(data)
