"""Prose: a number that the text states is shown by a cell of the lesson, set by its code, or told as a fault."""

from __future__ import annotations

import pytest
from tiny import TinyCourse

from autograde.authoring.prose import run_solved, unprinted
from autograde.course import read_course

SHOWN = "5050\n0.66666\n-1,024 and 3.0e-05"


@pytest.mark.parametrize(
    "stated",
    [
        "5,050", "5_050", "5050", "0.67", "0.6667", "-1024", "7", "99", "3e-05", "lesson 12", "`8192` bytes",
        "$2^{1000}$ ways", "$$4096 = 2^{12}$$", "[a link](https://example.org/31415)", "GPT-2's 1x1",
    ],
)  # fmt: skip
def test_a_number_that_a_cell_shows_or_that_is_none_may_stand(course: TinyCourse, stated: str) -> None:
    assert said(course, stated) == []


@pytest.mark.parametrize("stated", ["5051", "0.68", "0.6", "1.5", "100", "12,345", "4e-05", "It is 777."])
def test_a_number_that_no_cell_shows_is_told(course: TinyCourse, stated: str) -> None:
    (fault,) = said(course, stated)
    assert fault.startswith("solutions/02-long-sums.py:")
    assert "which no cell of the lesson prints. Print it in a cell, or leave it out." in fault


def test_years_among_the_sources_may_stand(course: TinyCourse) -> None:
    assert said(course, "Words.\n#\n# ## Sources\n#\n# A. Author, 2017, A title, 12345") == []


def test_what_the_solved_cells_show_is_all_of_it(course: TinyCourse) -> None:
    course.edit("long-sums", "# %% [markdown]\n# # 2.", "# %%\nprint(31_415)\n\n# %% [markdown]\n# # 2.")
    assert "31415" in run_solved(course.root, "long-sums")["shown"]


def said(course: TinyCourse, stated: str) -> list[str]:
    path = course.source("long-sums")
    text = path.read_text(encoding="utf-8")
    path.write_text(text + f"\n# %% [markdown]\n# {stated}\n", encoding="utf-8")
    return [str(fault) for fault in unprinted(course.text("long-sums"), read_course(course.root), SHOWN)]
