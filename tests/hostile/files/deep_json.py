"""Tries to overflow the stack of whoever parses it.

Control: the standard library cannot.
"""

from __future__ import annotations

import json

import pytest
from hostile_files import Class


def build(hostile: Class) -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    (hostile.folder / "every-kind.ipynb").write_bytes(b'{"cells": [], "metadata": ' + deep + b"}")


def control(hostile: Class) -> None:
    with pytest.raises(RecursionError):
        json.loads((hostile.folder / "every-kind.ipynb").read_bytes())
