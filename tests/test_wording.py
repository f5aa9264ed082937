"""Wording: what is counted has its noun in the right form, and what is told ends once."""

from __future__ import annotations

import pytest

from autograde.wording import counted, ended


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 faults"), (1, "1 fault"), (1.0, "1 fault"), (1.5, "1.5 faults"), (1200, "1,200 faults")]
)
def test_one_is_not_many(number: float, said: str) -> None:
    assert counted(number, "fault") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("it is empty", "it is empty."),
        ("It is empty.", "It is empty."),
        ("got failed: 'The bias is missing.'", "got failed: 'The bias is missing.'"),
        ("Did you mean: 'x'?", "Did you mean: 'x'?"),
        ("Add explain=...", "Add explain=..."),
        ("it is no Python (invalid syntax)", "it is no Python (invalid syntax)."),
        ("what was raised. \n", "what was raised."),
    ],
)
def test_a_sentence_ends_once(text: str, said: str) -> None:
    assert ended(text) == said
