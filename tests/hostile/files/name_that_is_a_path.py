"""Tries to be called something that leads outside, or is markup, or a formula.

Control: the names are there.
"""

from __future__ import annotations

from hostile_files import Class

NAMES = ("=cmd()|' C'!A0", "<script>x", "..\\..\\x", "a\nb", "-rf")


def build(hostile: Class) -> None:
    for name in NAMES:
        (hostile.folder.parent / name).mkdir()
        hostile.hand_in({"kind-text": "kind_text = 'max'"}, hostile.folder.parent / name)
    hostile.hand_in({"kind-text": "kind_text = 'max'"})


def control(hostile: Class) -> None:
    assert len([*hostile.folder.parent.iterdir()]) >= len(NAMES)
