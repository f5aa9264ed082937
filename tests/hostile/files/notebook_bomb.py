"""Tries to hand in six million empty cells.

Control: each becomes an object: more than a hundred times the bytes in memory; the count stands for it.
"""

from __future__ import annotations

from hostile_files import Class


def build(hostile: Class) -> None:
    (hostile.folder / "every-kind.ipynb").write_bytes(b'{"cells": [' + b"{}," * 6_000_000 + b"{}]}")


def control(hostile: Class) -> None:
    assert (hostile.folder / "every-kind.ipynb").read_bytes().count(b"{}") > 6_000_000
