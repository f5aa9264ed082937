"""The whole flow: an exercise is added in one file (and to the lesson's points), built, verified, answered, checked."""

from __future__ import annotations

from pathlib import Path

import kernel
import nbformat
from tiny import TinyCourse, answered, metadata

NEW = f"""
# %% [markdown]
# ### Exercise: Cubes
#
# What do the cubes of 1 to 10 add up to? Type a whole number.

# %% {metadata("sum-cubes-answer", solution=True)}
sum_cubes = ...  # a whole number
### BEGIN SOLUTION
sum_cubes = 3_025
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "sum-cubes",
    answer=3_025,
    wrong={{385: "Those are the squares.", 2_025: "You stopped at 9."}},
    passed="Right: the square of 55.",
    hints=["Add the first three and look.", "It is a square. Of what?"],
    explain="The cubes add up to the square of the sum.",
    minutes=2,
    difficulty=2,
)

# %% {metadata("sum-cubes", locked=True, points=1)}
check("sum-cubes", sum_cubes)
"""


def test_an_exercise_is_added_built_verified_answered_and_checked(course: TinyCourse, tmp_path: Path) -> None:
    with course.source("long-sums").open("a", encoding="utf-8") as file:
        file.write(NEW)
    course.edit("course.yml", "points: 3", "points: 4")

    assert "wrote lessons/02-long-sums.ipynb" in course.build("long-sums").out
    said = course.run("verify", "long-sums")
    assert said.code == 0
    assert said.out.splitlines()[1].split() == ["long-sums", "3", "6/6", "16/16", "3/3", "yes"]

    home = str(tmp_path / "home")
    answers = {"sum-hundred": "sum_hundred = 5_050", "sum-cubes": "sum_cubes = 385"}
    shown = kernel.run(answered(course.notebook("long-sums"), answers), course.root / "lessons", AUTOGRADE_HOME=home)
    assert {exercise: verdict.status for exercise, verdict in shown.items()} == {
        "sum-hundred": "passed",
        "sum-squares": "not_attempted",
        "sum-cubes": "failed",
    }
    assert "Those are the squares." in shown["sum-cubes"].text

    answers["sum-cubes"] = "sum_cubes = 3_025"
    notebook = answered(course.notebook("long-sums"), answers)
    notebook.cells.append(nbformat.v4.new_code_cell("print(progress())"))
    shown = kernel.run(notebook, course.root / "lessons", AUTOGRADE_HOME=home)
    assert shown["sum-cubes"].status == "passed"
    assert "Right: the square of 55." in shown["sum-cubes"].text
    assert "2 of 12 exercises, 0 of 2 lessons" in notebook.cells[-1].outputs[0].text
