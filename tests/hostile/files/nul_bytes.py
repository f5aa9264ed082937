"""Tries cells with NUL bytes and lone surrogates in them.

Control: Python compiles neither.
"""

from __future__ import annotations

import pytest
from hostile_files import Class


def build(hostile: Class) -> None:
    hostile.hand_in({"kind-text": "kind_text = 'max'\0", "kind-number": "kind_number = '\ud800'"})


def control(hostile: Class) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        compile("kind_text = 'max'\0", "cell", "exec")
    with pytest.raises(UnicodeEncodeError):
        compile("kind_number = '\ud800'", "cell", "exec")
