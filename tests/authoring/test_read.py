"""Every fault in a lesson's form is told with its file, line, exercise and next step: all of them, not the first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tiny import SOURCES, TinyCourse, metadata

from autograde.authoring.build import read_all
from autograde.authoring.faults import AuthorError, Fault
from autograde.authoring.lesson_text import solution_of, without_solution
from autograde.authoring.read import find_source, read_lesson
from autograde.course import CourseError

LESSON = "02-long-sums.py"
SOURCE = (SOURCES / "solutions" / LESSON).read_text(encoding="utf-8")
GRADE_OF_HUNDRED = '"grade": true, "grade_id": "sum-hundred"'


def line_of(text: str) -> int:
    """The line of the lesson's source where a text stands first."""
    return SOURCE[: SOURCE.index(text)].count("\n") + 1


LESSON_CELL = line_of("# %% nbgrader")
PROMPT = line_of("# %% [markdown]\n# ### Ex")
ANSWER = line_of('# %% nbgrader={"grade": false, "grade_id": "sum-hundred-answer"')
AUTHOR = line_of("# %% tags")
GRADE = line_of('# %% nbgrader={"grade": true')
PRINT = line_of('print("one')


def faults_of(text: str | bytes, folder: Path, name: str = LESSON) -> list[Fault]:
    """The faults of a lesson's source."""
    path = folder / "solutions" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(AuthorError) as told:
        read_lesson(path, folder)
    return told.value.faults


def changed(*old_and_new: str) -> str:
    """The lesson's source with texts replaced, each where it stands first."""
    text = SOURCE
    for old, new in zip(old_and_new[::2], old_and_new[1::2], strict=True):
        assert old in text
        text = text.replace(old, new, 1)
    return text


# How a text of the lesson is changed; where the fault is, and in which exercise; parts of what it says, and to do.
CHANGES = [
    (('lesson("long-sums")', 'lesson("sums")'), LESSON_CELL, "", 'lesson("long-sums")', "autograde new lesson"),
    (('"locked": true', '"locked": false'), LESSON_CELL, "", "the lesson cell is not locked", '"locked": true'),
    (('"schema_version": 3', '"schema_version": 2'), LESSON_CELL, "", "metadata is not complete", "schema_version 3"),
    (('print("one', 'text = """\n# %%\n"""\nprint("one'), PRINT + 1, "", "stands inside a string", "Write the string"),
    ((f"{GRADE_OF_HUNDRED},", GRADE_OF_HUNDRED), GRADE, "", "its metadata cannot be read", "as JSON"),
    (('"points": 1, ', ""), GRADE, "", "metadata is not complete", "points"),
    (('"points": 1', '"points": "one"'), GRADE, "sum-hundred", "its points are 'one'", "a number, 0 or more"),
    (('"points": 1', '"points": -1'), GRADE, "sum-hundred", "its points are -1", "a number, 0 or more"),
    (
        ('-hundred", "locked": true', '-hundred", "locked": false'),
        GRADE,
        "",
        "grade cell is not locked",
        '"locked": true',
    ),
    (
        ("# %% [markdown]\n# ### Ex", "# %%\n# ### Ex"),
        ANSWER,
        "sum-hundred",
        "code, answer, exercise, grade",
        "in a row",
    ),
    (('# %% tags=["exercise"]', "# %%"), ANSWER, "sum-hundred", "text, answer, code, grade", "author cell"),
    (
        ('# %% tags=["exercise"]', '# %%\n\n# %% tags=["exercise"]'),
        ANSWER,
        "sum-hundred",
        "answer, code, exe",
        "in a row",
    ),
    (("sum_hundred)", "sum_hundred + 1)"), GRADE, "sum-hundred", "not one line `check", "Write check("),
    (('check("sum-hundred"', 'check("sum-squares"'), GRADE, "sum-hundred", "not one line `check", "Write check("),
    ((GRADE_OF_HUNDRED, '"grade": true, "grade_id": "sum-all"'), GRADE, "sum-hundred", "'sum-all'", '"sum-hundred"'),
    (
        ("### BEGIN SOLUTION", "# the solution"),
        ANSWER,
        "sum-hundred",
        "the solution is not marked",
        "### BEGIN SOLUTION",
    ),
    (
        ("### BEGIN SOLUTION", "### END SOLUTION"),
        ANSWER,
        "sum-hundred",
        "the solution is not marked",
        "### BEGIN SOLUTION",
    ),
    (("sum_hundred = ...", "sum_hundred ="), ANSWER, "sum-hundred", "without its solution the cell is no", "docstring"),
    (
        ("sum_hundred = 5_050", "sum_hundred = 5_050)"),
        ANSWER,
        "sum-hundred",
        "the answer cell is no Python",
        "Correct it",
    ),
    (("exercise.number(", "exercise.number(("), AUTHOR, "sum-hundred", "the author cell is no Python", "Correct it"),
    (("### Exercise: To", "## To"), PROMPT, "sum-hundred", "the prompt has no heading", "### Exercise: ..."),
]


@pytest.mark.parametrize(("change", "line", "exercise", "what", "todo"), CHANGES)
def test_a_fault_of_form_is_told_with_its_place_and_next_step(
    change: tuple[str, str], line: int, exercise: str, what: str, todo: str, tmp_path: Path
) -> None:
    (fault,) = faults_of(changed(*change), tmp_path)
    assert (fault.file, fault.line, fault.exercise) == (f"solutions/{LESSON}", line, exercise)
    assert what in fault.what
    assert todo in fault.todo


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "the first cell is not the locked cell"),
        (f"import os\n{SOURCE}", 2, "text stands before the first cell"),
        (SOURCE.replace("sum-hundred", "Sum_Hundred"), ANSWER, "'Sum_Hundred' is no exercise id"),
        (
            SOURCE.replace("END", "X", 1).replace("BEGIN", "END", 1).replace("### X", "### BEGIN"),
            ANSWER,
            "is not marked",
        ),
    ],
    ids=["empty", "text before the first cell", "an id", "marks turned round"],
)
def test_a_text_that_is_no_lesson_is_told(text: str, line: int, what: str, tmp_path: Path) -> None:
    fault = faults_of(text, tmp_path)[0]
    assert fault.line == line
    assert what in fault.what


def test_a_fault_reads_as_an_editor_finds_it(tmp_path: Path) -> None:
    (fault,) = faults_of(changed("### Exercise: To", "## To"), tmp_path)
    assert str(fault) == (
        f"solutions/{LESSON}:{PROMPT}: [sum-hundred] the prompt has no heading. "
        "Begin it with `### Exercise: ...` (or Prediction, Stretch)."
    )


def test_all_faults_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = changed(
        "sum_squares = ...", "sum_squares =", "### Exercise: To", "## To", '"locked": true', '"locked": false'
    )
    faults = faults_of(text, tmp_path)
    assert [fault.exercise for fault in faults] == ["", "sum-hundred", "sum-squares"]
    assert [fault.line for fault in faults] == sorted(fault.line for fault in faults)


def test_an_id_must_not_stand_twice_in_a_lesson(tmp_path: Path) -> None:
    (fault,) = faults_of(SOURCE.replace("sum-squares", "sum-hundred"), tmp_path)
    assert (fault.exercise, fault.what) == ("sum-hundred", "this exercise id stands twice")


@pytest.mark.parametrize(
    "lonely",
    [
        '# %% tags=["exercise"]\npass\n',
        f'# %% {metadata("sum-x", locked=True, points=1)}\ncheck("sum-x", sum_x)\n',
    ],
)
def test_a_cell_of_an_exercise_must_not_stand_alone(lonely: str, tmp_path: Path) -> None:
    (fault,) = faults_of(f"{SOURCE}\n{lonely}", tmp_path)
    assert fault.line == SOURCE.count("\n") + 2
    assert "belongs to no exercise" in fault.what


def test_the_files_name_says_number_and_slug(tmp_path: Path) -> None:
    (fault,) = faults_of(SOURCE, tmp_path, "sums.py")
    assert (fault.file, fault.what) == ("solutions/sums.py", "the file's name is not NN-slug.py")
    assert "04-widen-relu-narrow.py" in fault.todo


def test_a_file_that_is_no_utf_8_is_told(tmp_path: Path) -> None:
    (fault,) = faults_of(changed("one and", "ône and").encode("latin-1"), tmp_path)
    assert (fault.line, fault.what, fault.todo) == (PRINT, "it is no UTF-8", "Save it as UTF-8")


@pytest.mark.parametrize(
    "kept", [f"\ufeff{SOURCE}".encode(), SOURCE.replace("\n", "\r\n").encode()], ids=["byte order mark", "CRLF"]
)
def test_what_windows_editors_write_reads_the_same(kept: bytes, tmp_path: Path) -> None:
    path = tmp_path / LESSON
    path.write_bytes(kept)
    plain = read_lesson(SOURCES / "solutions" / LESSON, SOURCES)
    assert read_lesson(path, tmp_path).cells == plain.cells


def test_a_lesson_is_found_by_slug_by_number_and_slug_and_by_path() -> None:
    path = SOURCES / "solutions" / LESSON
    assert {find_source(SOURCES, name) for name in ("long-sums", "02-long-sums", f"solutions/{LESSON}")} == {path}
    with pytest.raises(AuthorError, match=r"no lesson 'short-sums'. Choose one of: every-kind, long-sums"):
        find_source(SOURCES, "short-sums")


def test_an_exercise_that_a_lesson_does_not_have_is_told_with_those_it_has() -> None:
    lesson = read_lesson(SOURCES / "solutions" / LESSON, SOURCES)
    assert lesson.task("sum-squares").title == "Squares"
    with pytest.raises(AuthorError, match="It has sum-hundred, sum-squares"):
        lesson.task("sum-cubes")


def test_a_solution_can_be_taken_out_and_left_in() -> None:
    cell = "def f(x):\n    # your code here\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION\n"
    assert without_solution(cell) == "def f(x):\n    # your code here\n    \n"
    assert solution_of(cell) == "def f(x):\n    # your code here\n    return x\n\n"


def test_the_course_and_its_lessons_must_agree(tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course")
    points = course.edit("course.yml", "points: 3", "points: 4")
    shutil.copy(course.source("long-sums"), course.root / "solutions" / "03-more-sums.py")
    course.edit("more-sums", 'lesson("long-sums")', 'lesson("more-sums")')
    with pytest.raises(AuthorError) as told:
        read_all(course.root)
    faults = [str(fault) for fault in told.value.faults]
    assert f"course.yml:{points}: long-sums: points is 4, its exercises add up to 3. Correct one of them." in faults
    assert (
        "course.yml:9: it does not list solutions/03-more-sums.py. Add a lesson with id more-sums and its number."
        in faults
    )
    taken = [fault for fault in told.value.faults if "exercise of the same id" in fault.what]
    assert [(fault.file, fault.exercise) for fault in taken] == [
        ("solutions/03-more-sums.py", "sum-hundred"),
        ("solutions/03-more-sums.py", "sum-squares"),
    ]


def test_a_listed_lesson_must_be_there(tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course")
    course.source("long-sums").unlink()
    with pytest.raises(
        AuthorError, match=r"course.yml:19: it lists long-sums, but solutions/02-long-sums.py is not there"
    ):
        read_all(course.root)


def test_faults_of_all_lessons_come_at_once_and_the_command_counts_them(tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course")
    course.edit("long-sums", "### Exercise: Squares", "Squares")
    course.edit("every-kind", "### Exercise: A shape", "A shape")
    said = course.run("build")
    assert said.code == 1
    assert "solutions/01-every-kind.py" in said.err
    assert "solutions/02-long-sums.py" in said.err
    assert said.err.endswith("2 faults.\n")
    assert not (course.root / "lessons").exists()


def test_a_fault_of_the_course_file_is_told_by_the_command(tmp_path: Path) -> None:
    course = TinyCourse.copied(tmp_path / "course")
    line = course.edit("course.yml", "minutes: 10", "minuts: 10")
    said = course.run("verify")
    assert said.code == 1
    assert f"course.yml:{line}: lessons[1].minuts: is no known key" in said.err
    with pytest.raises(CourseError):
        read_all(course.root)
