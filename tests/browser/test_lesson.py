"""A learner works lesson 04 in JupyterLab: a wrong answer, its reason, the right one, and progress."""

from __future__ import annotations

import re

from driver import Lab, Notebook
from playwright.sync_api import Page, expect


def test_a_wrong_answer_is_explained_and_the_right_one_counts(lab: Lab, page: Page) -> None:
    notebook = Notebook.from_file_browser(page, lab, "04-widen-relu-narrow.ipynb")
    notebook.run_all()
    assert notebook.errors() == []

    answer, grade = notebook.cell("ff-parameters-answer"), notebook.cell("ff-parameters")
    notebook.write(answer, "ff_parameters = 131072")
    notebook.run(answer)
    notebook.run(grade)
    card = grade.locator(".jp-OutputArea-output")
    expect(card).to_contain_text(re.compile("bias", re.IGNORECASE))
    expect(card).not_to_contain_text(re.compile("passed", re.IGNORECASE))

    notebook.write(answer, "ff_parameters = 131_712")
    notebook.run(answer)
    notebook.run(grade)
    expect(card).to_contain_text(re.compile("passed", re.IGNORECASE))

    shown = notebook.run(notebook.add_cell("progress()"))
    assert re.search(r"\b1 of \d+ exercises\b", shown), shown
