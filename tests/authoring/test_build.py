"""Building: the same input gives the same bytes, what is stale is noticed, and nothing else gets into a lesson."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from tiny import SOURCES, TinyCourse

from autograde import seal
from autograde.authoring.release import reseal, to_json
from autograde.authoring.released import seal_in
from autograde.evidence import Tensor

LESSONS = ("every-kind", "long-sums")


def test_building_twice_somewhere_else_gives_the_same_bytes(built: TinyCourse, tmp_path: Path) -> None:
    again = TinyCourse.copied(tmp_path / "elsewhere")
    again.build()
    assert again.files("lessons", "build/nbgrader") == built.files("lessons", "build/nbgrader")


def test_check_is_clean_after_a_build_and_writes_nothing(course: TinyCourse) -> None:
    before = course.files("lessons", "build")
    said = course.run("build", "--check")
    assert (said.code, said.out) == (0, "lessons/ is up to date\n")
    assert course.files("lessons", "build") == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("solutions/02-long-sums.py", "A lesson without torch.", "Another text."),
        ("solutions/02-long-sums.py", "You stopped at 99.\",\n        5_151", "You stopped early.\",\n        5_151"),
        ("course.yml", "minutes: 10", "minutes: 12"),
        ("lessons/02-long-sums.ipynb", "A lesson without torch.", "Another text."),
        ("lessons/course.json", '"Long sums"', '"Short sums"'),
    ],
    ids=["prose", "a sentence", "the course file", "a notebook edited by hand", "the index edited by hand"],
)  # fmt: skip
def test_check_finds_what_is_stale_and_build_mends_it(course: TinyCourse, file: str, old: str, new: str) -> None:
    course.edit(file, old, new)
    before = course.files("lessons", "build")
    said = course.run("build", "long-sums", "--check")
    assert said.code == 1
    stale = "lessons/course.json" if "json" in file else "lessons/02-long-sums.ipynb"
    assert f"stale {stale}\n" in said.out
    assert said.out.endswith("Run `autograde build` and commit what it writes.\n")
    assert course.files("lessons", "build") == before

    assert f"wrote {stale}\n" in course.build("long-sums").out
    assert course.files("lessons") != before


def test_only_what_changed_is_built_again(course: TinyCourse) -> None:
    course.edit("long-sums", "A lesson without torch.", "Another text.")
    said = course.build()
    assert said.err.startswith("every-kind: unchanged\n[1/1] build long-sums: done")
    assert said.out == "wrote lessons/02-long-sums.ipynb\nwrote build/nbgrader/source/long-sums/long-sums.ipynb\n"
    assert course.build().err == "every-kind: unchanged\nlong-sums: unchanged\n"


def test_a_notebook_that_is_gone_is_built_again(course: TinyCourse) -> None:
    committed = course.notebook_file("long-sums").read_bytes()
    course.notebook_file("long-sums").unlink()
    course.build()
    assert course.notebook_file("long-sums").read_bytes() == committed


def with_another_seal(course: TinyCourse, change: Callable[[dict[str, Any]], None]) -> str:
    """Write a notebook whose function exercise's hidden rubric was changed; its bytes as text."""
    file = course.notebook_file("every-kind")
    sealed = seal.from_text(seal_in(file))
    item, owner = sealed["exercises"]["kind-function"], "tiny-course:kind-function"
    rubric: Any = seal.unhide(item["hidden"], owner)
    change(rubric)
    item["hidden"] = seal.hide(rubric, owner)
    text = to_json(reseal(nbformat.read(file, as_version=4), "every-kind", seal.to_text(sealed)))
    assert text != file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    return text


def moved(by: float) -> Callable[[dict[str, Any]], None]:
    """Move one expected output."""

    def move(rubric: dict[str, Any]) -> None:
        output = rubric["expected"]["a shift"]
        first, *others = memoryview(output.data).cast("f").tolist()
        numbers = memoryview(bytearray(output.data)).cast("f")
        numbers[0] = first + by * (1 + abs(first))
        assert numbers.tolist()[1:] == others
        rubric["expected"]["a shift"] = Tensor(output.dtype, output.shape, numbers.tobytes())

    return move


def reworded(rubric: dict[str, Any]) -> None:
    rubric["wrong"][0]["says"] = "Another sentence."


def test_floats_that_differ_in_their_last_bits_keep_the_committed_seal(course: TinyCourse) -> None:
    # Another processor, or another zlib, gives such bytes.
    committed = with_another_seal(course, moved(by=1e-6))
    assert course.run("build", "every-kind", "--check").code == 0
    course.build("every-kind")
    assert course.notebook_file("every-kind").read_text(encoding="utf-8") == committed


@pytest.mark.parametrize("change", [moved(by=0.01), reworded], ids=["another output", "another sentence"])
def test_a_seal_that_says_something_else_is_stale(
    built: TinyCourse, course: TinyCourse, change: Callable[[dict[str, Any]], None]
) -> None:
    with_another_seal(course, change)
    course.build("every-kind")
    assert course.files("lessons") == built.files("lessons")


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_holds_no_outputs_and_no_traces_of_where_it_was_built(built: TinyCourse, slug: str) -> None:
    notebook = built.notebook(slug)
    nbformat.validate(notebook)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    assert notebook.metadata == {"kernelspec": kernel}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
        assert cell.metadata.keys() <= {"nbgrader", "deletable", "editable", "jupyter"}
    text = built.notebook_file(slug).read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert str(built.root) not in text


@pytest.mark.parametrize("slug", LESSONS)
def test_cells_are_named_by_their_grade_id_else_by_their_text(built: TinyCourse, slug: str) -> None:
    names = []
    for cell in built.notebook(slug).cells:
        names.append(cell.id)
        if "nbgrader" in cell.metadata:
            assert cell.id == cell.metadata.nbgrader.grade_id
        else:
            assert re.fullmatch(r"[0-9a-f]{12}", cell.id)
    assert len(set(names)) == len(names)


def test_the_same_text_keeps_its_name_when_other_cells_change(built: TinyCourse, course: TinyCourse) -> None:
    course.edit("long-sums", "A lesson without torch.", "Another text.")
    course.build("long-sums")
    before, after = ([cell.id for cell in c.notebook("long-sums").cells] for c in (built, course))
    assert [one == two for one, two in zip(before, after, strict=True)].count(False) == 1


def test_the_first_cell_is_collapsed_and_locked_and_carries_the_seal(built: TinyCourse) -> None:
    first = built.notebook("every-kind").cells[0]
    assert first.metadata.jupyter == {"source_hidden": True}
    assert (first.metadata.editable, first.metadata.deletable) == (False, False)
    assert seal.from_text(seal_in(built.notebook_file("every-kind")))["lesson"] == "every-kind"


def test_minutes_points_and_objectives_come_from_the_course_file(built: TinyCourse) -> None:
    title = built.notebook("long-sums").cells[1].source
    assert "*10 minutes · 2 exercises · 3 points*" in title
    assert "**The question:** What do many numbers add up to?" in title
    assert "- add up the numbers from one to a hundred" in title
    assert "**You need:** Lesson 1, every kind." in title
    prompts = [cell.source for cell in built.notebook("long-sums").cells if "### Exercise" in cell.source]
    assert "*`sum-hundred` · 1 point · 2 min · difficulty 1 of 5*" in prompts[0]
    assert "*`sum-squares` · 2 points · 3 min · difficulty 2 of 5*" in prompts[1]


def test_the_index_lists_lessons_and_exercises(built: TinyCourse) -> None:
    index = (built.root / "lessons" / "course.json").read_text(encoding="utf-8")
    assert '"file": "02-long-sums.ipynb"' in index
    assert '"id": "sum-squares"' in index


def test_a_solved_lesson_that_does_not_run_is_told_at_its_line(course: TinyCourse) -> None:
    first = course.edit("long-sums", 'print("one and two are", 1 + 2)', 'print("one and two are", 1 / 0)')
    last = course.edit("long-sums", "sum(range(101))", "sum(all)")
    before = course.files("lessons")
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert f"solutions/02-long-sums.py:{first - 1}: the code cell raises ZeroDivisionError" in said.err
    assert f"solutions/02-long-sums.py:{last - 1}: the code cell raises TypeError" in said.err
    assert said.err.endswith("\n2 faults.\n")
    assert "The solved lesson must run from top to bottom" in said.err
    assert course.files("lessons") == before


def test_an_exercise_that_cannot_be_judged_is_told(course: TinyCourse) -> None:
    line = course.line("long-sums", '# %% tags=["exercise"]')
    course.edit("long-sums", '4_950: "You', '5_050.0: "You')
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert f"solutions/02-long-sums.py:{line}: [sum-hundred] wrong answer 5050.0 reads the same as another" in said.err
    assert said.err.startswith("[1/1] build long-sums: 1 fault after ")
    assert said.err.endswith("\n1 fault.\n"), "its cause is told once"


def test_an_author_cell_must_declare_its_own_exercise(course: TinyCourse) -> None:
    course.edit("long-sums", '    "sum-hundred",\n', '    "sum-thousand",\n')
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert "[sum-hundred] the author cell declares another exercise or none" in said.err
    assert said.err.endswith("\n1 fault.\n"), "its cause is told once"


def test_an_unknown_lesson_is_told_with_the_known_ones(course: TinyCourse) -> None:
    said = course.run("build", "short-sums")
    assert said.code == 1
    assert "Choose one of: every-kind, long-sums" in said.err


def test_outside_of_a_course_the_command_says_what_to_do(tmp_path: Path) -> None:
    said = TinyCourse(tmp_path).run("build")
    assert said.code == 2
    assert "Run the command inside a course" in said.err


def test_the_toy_course_is_committed_as_source_only() -> None:
    assert {path.name for path in SOURCES.iterdir()} == {"course.yml", "solutions"}


def test_an_author_cell_that_cannot_be_used_is_told_with_its_place(course: TinyCourse) -> None:
    course.edit("long-sums", "    wrong={\n        4_950", "    wrong='oops' or {\n        4_950")
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert "solutions/02-long-sums.py:" in said.err
    assert "[sum-hundred] the author cell cannot be used (ValueError:" in said.err
