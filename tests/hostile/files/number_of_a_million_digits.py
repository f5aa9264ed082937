"""Tries to be parsed for minutes.

Control: the standard library refuses it by an error that is no JSONDecodeError.
"""

from __future__ import annotations

import json

import pytest
from hostile_files import Class


def build(hostile: Class) -> None:
    (hostile.folder / "every-kind.ipynb").write_bytes(b'{"cells": [], "nbformat": ' + b"9" * 1_000_000 + b"}")


def control(hostile: Class) -> None:
    with pytest.raises(ValueError, match="digits"):
        json.loads((hostile.folder / "every-kind.ipynb").read_bytes())
