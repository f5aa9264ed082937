"""Verifying: a lesson is full when every answer gets the verdict that it must get; what breaks this is told."""

from __future__ import annotations

from collections import Counter

import pytest
from tiny import Said, TinyCourse

from autograde.authoring.lesson_text import LessonText

pytestmark = pytest.mark.xdist_group("verify")  # one run of a broken course serves them

HEAD = "lesson      exercises  wrong rejected  right accepted  empty not_attempted  full"
FULL = f"""{HEAD}
every-kind  9          24/24           29/29           9/9                  yes
long-sums   2          4/4             11/11           2/2                  yes
"""


# Each breaks the toy course's first lesson: an old text and a new one.
BREAKS = (
    # A wrong answer that is right.
    ('exercise.edit("2 * x", "x", says="You did not double.")', 'exercise.edit("2 * x", "x + x", says="You did not.")'),
    # A right variant that is wrong.
    ('exercise.edit("-self.layer(x)", "self.layer(x) * -1")', 'exercise.edit("-self.layer(x)", "self.layer(x) * -2")'),
    # Two wrong answers that behave alike, each with its own sentence.
    (
        'says="You did not turn the sign."),',
        """says="You did not turn the sign."),
        exercise.edit("-self.layer(x)", "(self.layer(x) * 1.0)", says="You forgot the minus."),""",
    ),
    # A wrong answer that earns another's sentence.
    ('"3.0", says="trained(3) is not 6, up to a half."', '"3.0", says="The slope is too steep."'),
    # A stub that is not empty.
    ('    """Return twice x, plus shift."""\n', '    """Return twice x, plus shift."""\n    shift = shift + 0\n'),
    # An author cell that does not run.
    ('(3, 5): "You did not turn it.",', '(3, 5): "You did not turn it." + 1,'),
    # Two wrong answers that behave differently and share a sentence, typed and in code.
    ('"The large part comes last."', '"All your parts are equal."'),
    ('says="You added x once more."', 'says="You left the shift out."'),
    # What behaves alike, earns the sentence of what is forbidden, or stands in one entry may share one.
    (
        'says="You changed x itself."),',
        """says="You changed x itself."),
        exercise.edit("2 * x", "x.mul_(2.0)", says="You changed x itself."),
        exercise.edit("2 * x", "torch.addcmul(x, x, 0 * x)", says="Write it with * and +, not with `addcmul`."),
        exercise.either(
            exercise.edit("doubled + shift", "doubled - shift"),
            exercise.edit("doubled + shift", "doubled + 2 * shift"),
            says="The shift is added once.",
        ),""",
    ),
    # A typed answer that is known twice.
    ('1_095: "You forgot', '1_234: "You forgot'),
)


def test_a_full_course_is_full(built: TinyCourse) -> None:
    said = built.run("verify")
    assert (said.code, said.out) == (0, FULL)


@pytest.fixture(scope="module")
def broken(built: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> tuple[LessonText, Said]:
    """A copy in which one thing of each sort was broken, and what verify says of it: one run for all of them."""
    course = TinyCourse.copied(tmp_path_factory.mktemp("broken") / "course", built.root)
    for old, new in BREAKS:
        course.edit("every-kind", old, new)
    return course.text("every-kind"), course.run("verify", "every-kind")


def test_a_broken_course_is_not_full(broken: tuple[LessonText, Said]) -> None:
    _, said = broken
    assert said.code == 1
    row = "every-kind  7          22/25           19/20           6/7                  NO"
    assert said.out.endswith(f"\n{HEAD}\n{row}\n")


@pytest.mark.parametrize(
    ("exercise", "what"),
    [
        ("kind-function", "both paths: wrong answer 1 ('You did not.') got passed"),
        ("kind-function", "both paths: the empty answer got failed: 'Your code returned None"),
        ("kind-module", "both paths: right answer 1 got failed"),
        ("kind-module", "wrong answer 2 ('You forgot the minus.') got failed: 'You did not turn the sign.'"),
        ("kind-experiment", "wrong answer 1 ('The slope is too steep.') got failed: 'trained(3) is not 6"),
        ("kind-function", "wrong answers 2 and 3 share one sentence, word for word ('You left the shift out.')"),
        (
            "kind-numbers",
            "wrong answers [0.33, 0.33, 0.33] and [0.5, 0.25, 0.25] share one sentence, word for word ('All your",
        ),
        ("kind-number", "wrong answer 1234 reads the same as another answer (1234)"),
        ("kind-shape", "the exercise cell raises TypeError"),
    ],
)  # fmt: skip
def test_what_is_broken_is_told_with_file_line_and_exercise(
    broken: tuple[LessonText, Said], exercise: str, what: str
) -> None:
    lesson, said = broken
    place = f"{lesson.file}:{lesson.task(exercise).exercise.line}: [{exercise}] "
    assert [line for line in said.out.splitlines() if line.startswith(place) and what in line], said.out


def test_each_cause_is_told_once(broken: tuple[LessonText, Said]) -> None:
    _, said = broken
    told = Counter(line.partition("[")[2].partition("]")[0] for line in said.out.splitlines() if ": [" in line)
    once = ("kind-number", "kind-numbers", "kind-shape", "kind-experiment")
    assert told == {"kind-function": 3, "kind-module": 2} | dict.fromkeys(once, 1)


def test_every_fault_says_what_to_do(broken: tuple[LessonText, Said]) -> None:
    _, said = broken
    faults = [line for line in said.out.splitlines() if line.startswith("solutions/")]
    todo = (
        "Let the probe see the difference, or merge answers that behave alike.",
        "The check is too strict, or the variant is wrong.",
        "Leave only the stub outside the solution region.",
        "Say of each what went wrong there, or list them as one entry with exercise.either(...)",
        "Change the author cell.",
        "The solved lesson must run from top to bottom.",
    )
    assert {next(filter(line.endswith, todo), line) for line in faults} == set(todo)


def test_a_released_notebook_that_answers_itself_is_not_full(course: TinyCourse) -> None:
    course.edit("lessons/02-long-sums.ipynb", "sum_hundred = ...  # a whole number\\n", "sum_hundred = 5050\\n")
    said = course.run("verify", "long-sums")
    assert said.code == 1
    assert "lessons/02-long-sums.ipynb: [sum-hundred] unanswered, its check says ('passed', 1.0)" in said.out


def test_a_lesson_that_was_never_built_is_told(course: TinyCourse) -> None:
    course.notebook_file("long-sums").unlink()
    said = course.run("verify", "long-sums")
    assert said.code == 1
    assert "lessons/02-long-sums.ipynb: the notebook is not there. Run `autograde build 02-long-sums`." in said.err


def test_verifying_keeps_no_progress(built: TinyCourse) -> None:
    built.run("verify", "long-sums")
    assert not (built.root / "progress").exists()


def test_a_solution_that_its_own_check_does_not_pass_is_told(course: TinyCourse) -> None:
    line = course.line("long-sums", "sum_hundred = ...") - 1
    course.edit("long-sums", "    answer=5_050,", "    answer=7_777,")
    said = course.run("verify", "long-sums")
    assert said.code == 1
    (told,) = [line for line in (said.out + said.err).splitlines() if "[sum-hundred]" in line]
    assert told.startswith(f"solutions/02-long-sums.py:{line}: [sum-hundred] the solution does not pass its own check")
