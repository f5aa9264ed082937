"""What `autograde new` writes is complete in its form: it builds and it is full, before its author changes a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import Said, TinyCourse

from autograde.authoring.new import KINDS
from autograde.exercise import CODE_KINDS

EMPTY_COURSE = """\
id: new-course
title: A new course
dimensions:
  n_embd: 8
  n_head: 2
lessons:
"""


@pytest.fixture
def empty(tmp_path: Path) -> TinyCourse:
    """A course without lessons."""
    (tmp_path / "course.yml").write_text(EMPTY_COURSE, encoding="utf-8")
    return TinyCourse(tmp_path)


def begun(course: TinyCourse, slug: str = "first-steps") -> Said:
    """Begin a lesson and put the lines that the command prints into the course file."""
    said = course.run("new", "lesson", slug)
    assert said.code == 0
    entry = said.out.partition("under lessons:\n\n")[2].rstrip() + "\n"
    with (course.root / "course.yml").open("a", encoding="utf-8") as file:
        file.write(entry)
    return said


def test_a_new_lesson_with_a_new_exercise_of_every_kind_builds_and_is_full(empty: TinyCourse) -> None:
    said = begun(empty)
    assert said.out.startswith("Wrote solutions/01-first-steps.py. Add to course.yml, under lessons:\n\n  - id: first")
    for kind in KINDS:
        line = len(empty.source("first-steps").read_text(encoding="utf-8").rstrip().splitlines()) + 2
        said = empty.run("new", "exercise", "first-steps", f"fs-{kind}", kind)
        assert said.code == 0
        assert said.out.startswith(f"Wrote fs-{kind} into solutions/01-first-steps.py, line {line}.\n")
    empty.edit("course.yml", "points: 0", f"points: {len(KINDS)}")
    empty.build()
    said = empty.run("verify")
    assert said.code == 0, said.out
    assert said.out.splitlines()[-1].split()[:2] == ["first-steps", str(len(KINDS))]
    assert [task.id for task in empty.text("first-steps").tasks] == [f"fs-{kind}" for kind in KINDS]


@pytest.mark.parametrize("closing", ["Key points", "2. Look back", "Two questions that bring back lesson 1", "sources"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_new_exercise_stands_before_the_sections_that_close_the_lesson(
    course: TinyCourse, closing: str, ends: str
) -> None:
    file = course.source("long-sums")
    before = file.read_text(encoding="utf-8") + "\n# %%\nprint(1)\n\n"
    after = f"# %% [markdown]\n# ## {closing}\n#\n# - One.\n\n# %% [markdown]\n# ## Sources\n"
    file.write_bytes((before + after).replace("\n", ends).encode())
    assert course.run("new", "exercise", "long-sums", "sum-cubes").code == 0
    written = file.read_bytes().decode()
    assert written.count("\n") == written.count(ends)
    new = written.replace(ends, "\n")
    assert new.startswith(f"{before}# %% [markdown]\n# ### Exercise: Cubes\n")
    assert new.endswith(f'\ncheck("sum-cubes", sum_cubes)\n\n{after}')
    assert [cell.role for cell in course.text("long-sums").cells][-6:] == [
        *("prompt", "answer", "exercise", "grade"), "text", "text",
    ]  # fmt: skip


def test_a_section_before_the_last_exercise_closes_nothing(course: TinyCourse) -> None:
    course.edit("long-sums", "A lesson without torch.", "A lesson.\n\n# %% [markdown]\n# ## Summary")
    before = course.source("long-sums").read_text(encoding="utf-8")
    assert course.run("new", "exercise", "long-sums", "sum-cubes").code == 0
    assert course.source("long-sums").read_text(encoding="utf-8").startswith(before + "\n# %% [markdown]\n# ### Exerc")


def test_there_is_a_start_for_every_kind() -> None:
    assert set(KINDS) == {"number", "numbers", "shape", "choice", "choices", "text", *CODE_KINDS}


def test_points_that_do_not_add_up_are_told_after_a_new_exercise(course: TinyCourse) -> None:
    assert course.run("new", "exercise", "long-sums", "sum-cubes").code == 0
    said = course.run("build", "long-sums")
    assert said.code == 1
    assert "course.yml:24: long-sums: points is 3, its exercises add up to 4. Correct one of them." in said.err


def test_lessons_are_numbered_in_order_unless_a_number_is_given(empty: TinyCourse) -> None:
    for words in (("one",), ("five", "--number", "5"), ("six",)):
        assert empty.run("new", "lesson", *words).code == 0
    files = sorted(path.name for path in (empty.root / "solutions").iterdir())
    assert files == ["01-one.py", "05-five.py", "06-six.py"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("lesson", "Long_Sums"), "'Long_Sums' is no slug. Use small letters, digits and hyphens"),
        (("lesson", "long-sums"), "solutions/02-long-sums.py: it is there already. Choose another slug."),
        (("lesson", "more", "--number", "2"), "solutions/02-long-sums.py: it has the number 2 already. Choose an"),
        (("lesson", "more", "--number", "100"), "the number 100 is not in 0..99. Choose another."),
        (("exercise", "long-sums", "cubes"), "[cubes] 'cubes' is no exercise id. Use the lesson's two letters"),
        (("exercise", "long-sums", "sum-squares"), "02-long-sums.py: [sum-squares] it has this exercise already."),
        (("exercise", "long-sums", "kind-shape"), "01-every-kind.py: [kind-shape] it has this exercise already."),
        (("exercise", "short-sums", "sum-cubes"), "there is no lesson 'short-sums'. Choose one of: every-kind,"),
    ],
)  # fmt: skip
def test_what_cannot_be_begun_is_refused_and_nothing_is_written(
    course: TinyCourse, words: tuple[str, ...], told: str
) -> None:
    before = course.files("solutions")
    said = course.run("new", *words)
    assert said.code == 1
    assert told in said.err
    assert course.files("solutions") == before


def test_an_unknown_kind_is_refused_with_the_known_ones(course: TinyCourse) -> None:
    said = course.run("new", "exercise", "long-sums", "sum-cubes", "riddle")
    assert said.code == 2
    assert "'number'" in said.err
    assert "'experiment'" in said.err
