"""A name that was meant is found, and a name that was not is not."""

from __future__ import annotations

import pytest

from autograde.spelling import closest, did_you_mean

KNOWN = ["ff-parameters", "ff-module", "wa-mix"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("ff_parameters", "ff-parameters"),
        ("FF-Parameters", "ff-parameters"),
        ("ff-paramters", "ff-parameters"),
        ("parameters", "ff-parameters"),
        ("wa-mixx", "wa-mix"),
        ("zz-other", ""),
        ("", ""),
        ("---", ""),
    ],
)
def test_the_closest(word: str, meant: str) -> None:
    assert closest(word, KNOWN) == meant
    assert did_you_mean(word, KNOWN) == (f" (did you mean {meant!r}?)" if meant else "")


def test_among_none_there_is_none() -> None:
    assert closest("ff-parameters", []) == ""
