"""A lesson's notebook alone in an empty folder, with the package installed, checks its exercises in a real kernel."""

from __future__ import annotations

import shutil
from pathlib import Path

import kernel
import nbformat
import pytest
from tiny import TinyCourse, answered, solutions

RIGHT = dict.fromkeys(
    ("kind-number", "kind-numbers", "kind-shape", "kind-choice", "kind-choices", "kind-text", "kind-function",
     "kind-module", "kind-experiment"), "passed",
)  # fmt: skip
MISTYPED = """\
class Turn(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(y)
"""
# A wrong answer to each exercise: its code, and what the learner must be told.
WRONG = {
    "kind-number": ("kind_number = 1_095", "failed", "You forgot the quarter."),
    "kind-numbers": ("kind_numbers = [0.5, 0.25, 0.25]", "failed", "The large part comes last."),
    "kind-shape": ("kind_shape = (3, 5)", "failed", "You did not turn it."),
    "kind-choice": ('kind_choice = "c"', "failed", "They differ by a sixth."),
    "kind-choices": ('kind_choices = {"a", "b", "c"}', "partial", "Three is odd."),
    "kind-text": ('kind_text = "max"', "failed", "That takes one only."),
    "kind-function": ("def double_shifted(x, shift=0.0):\n    return x + shift", "failed", "You did not double."),
    "kind-module": (
        MISTYPED,
        "error",
        "line 7 of your cell: return self.layer(y) NameError: name 'y' is not defined while calling Turn",
    ),
    "kind-experiment": ("trained = lambda x: 3.0 * x", "failed", "trained(3) is not 6, up to a half."),
}


@pytest.fixture
def alone(built: TinyCourse, tmp_path: Path) -> Path:
    """A folder that holds one notebook and nothing else."""
    shutil.copy(built.notebook_file("every-kind"), tmp_path / "lesson.ipynb")
    return tmp_path


def test_right_answers_pass_and_progress_is_kept_beside_the_notebook(built: TinyCourse, alone: Path) -> None:
    notebook = answered(nbformat.read(alone / "lesson.ipynb", as_version=4), solutions(built.text("every-kind")))
    shown = kernel.run(notebook, alone)
    assert {exercise: verdict.status for exercise, verdict in shown.items()} == RIGHT
    assert sum(verdict.score for verdict in shown.values()) == 14
    assert (alone / "progress" / "progress.sqlite").is_file()


def test_each_wrong_answer_is_told_what_is_wrong(alone: Path) -> None:
    answers = {exercise: answer for exercise, (answer, _, _) in WRONG.items()}
    shown = kernel.run(answered(nbformat.read(alone / "lesson.ipynb", as_version=4), answers), alone)
    assert {exercise: verdict.status for exercise, verdict in shown.items()} == {
        exercise: status for exercise, (_, status, _) in WRONG.items()
    }
    for exercise, (_, _, sentence) in WRONG.items():
        assert sentence in shown[exercise].text
    assert shown["kind-choices"].score == 1


def test_nothing_answered_is_nothing_attempted(alone: Path) -> None:
    shown = kernel.run(nbformat.read(alone / "lesson.ipynb", as_version=4), alone)
    assert {(verdict.status, verdict.score) for verdict in shown.values()} == {("not_attempted", 0.0)}
