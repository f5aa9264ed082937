"""Linting: an answer that a learner has seen before its exercise is found, wherever it stood."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tiny import SOURCES, Said, TinyCourse, metadata

pytestmark = pytest.mark.xdist_group("lint")  # one run of the planted lesson serves them

LESSON_CELL = f"""\
# %% {metadata("shown-early-lesson", locked=True)}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("shown-early")

# %% [markdown]
# # 3. Shown early
#
# Each exercise's answer stands somewhere before it.
"""
EXERCISE = """
# %% [markdown]
# ### Exercise: {title}
#
# Type it.

# %% {of_answer}
{stub}
### BEGIN SOLUTION
{solution}
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.{kind}("{id}", {arguments}, hints=["Think.", "Think again."], explain="So it is.", minutes=1{more})

# %% {of_grade}
check("{id}", {name})
"""


@dataclass(frozen=True)
class Asked:
    """An exercise of the lesson, and what stands before it."""

    id: str
    answer: str
    before: str = ""
    kind: str = "number"
    more: str = ""

    @property
    def text(self) -> str:
        """Its cells."""
        name = self.id.replace("-", "_")
        cells = EXERCISE.format(
            title=self.id, id=self.id, stub=f"{name} = ...", solution=f"{name} = {self.answer}", kind=self.kind,
            arguments=f"answer={self.answer}", more=self.more, name=name,
            of_answer=metadata(f"{self.id}-answer", solution=True), of_grade=metadata(self.id, locked=True, points=0),
        )  # fmt: skip
        return f"\n{self.before}\n{cells}"


def code(source: str) -> str:
    """A code cell."""
    return f"# %%\n{source}"


FIGURE = """\
import matplotlib.pyplot as plt

figure, axes = plt.subplots()
axes.set_title(f"a bar of {607 * 2}")
plt.show()"""
ASKED = (
    Asked("early-prose", "1_217", "# %% [markdown]\n# The answer will be 1,217."),
    Asked("early-code", "1_213", code("a, b = 1213, 7")),
    Asked("early-print", "1_211", code("print(1000 + 211)")),
    Asked("early-value", "1_219", code("1000 + 219")),
    Asked("early-figure", "1_214", code(FIGURE)),
    Asked("early-lesson", "1_216"),
    Asked("early-shape", "(2, 1_208)", code("import numpy as np\n\nprint(np.zeros((2, 604 * 2)).shape)"), kind="shape"),
    Asked("early-decimal", "12.75", code("print(51 / 4)")),
    Asked("early-own-output", "1_229"),
    Asked("early-allowed", "1_231", code("print(1231)"), more=', shown="The exercise is to find it again."'),
    Asked("early-within", "1_233", code("print(11233, 12334, 1.1233, 1233.5)")),
    Asked("early-small", "12", code("print(12)")),
    Asked("rule-options", '"b"', kind="choice", more=', options={"a": "No.", "b": "Yes."}'),
)
LAST = """
# %%
print(1229)

# %%
print(1 / early_small)
"""
BREAKS = (
    ('print("one', 'from autograde.notebook import check\nfrom autograde import exercise\n\nprint("one'),
    ("    minutes=3,\n", ""),
    ('"There is a formula.", ', ""),
    ('    explain="100 * 101 * 201 / 6.",\n', ""),
)
COURSE_ENTRY = """
  - id: shown-early
    number: 3
    title: Shown early
    question: What was seen?
    minutes: 12
    points: 0
    objectives:
      - look before
"""


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """What lint says of a course whose third lesson shows its answers early and whose second breaks other rules."""
    course = TinyCourse.copied(tmp_path_factory.mktemp("linted") / "course", SOURCES)
    course.source("every-kind").unlink()  # it needs torch, which takes a while
    listed = (course.root / "course.yml").read_text(encoding="utf-8")
    first, second = listed.index("  - id: every-kind"), listed.index("  - id: long-sums")
    (course.root / "course.yml").write_text(listed[:first] + listed[second:] + COURSE_ENTRY, encoding="utf-8")
    course.edit("long-sums", "A lesson without torch.", "A lesson of 1216 words.")
    for old, new in BREAKS:
        course.edit("long-sums", old, new)
    text = LESSON_CELL + "".join(asked.text for asked in ASKED) + LAST
    (course.root / "solutions" / "03-shown-early.py").write_text(text, encoding="utf-8")
    course.build()
    return course.run("lint")


def said_of(linted: Said, exercise: str) -> list[str]:
    """What lint says of one exercise."""
    return [line for line in linted.out.splitlines() if f"[{exercise}]" in line]


@pytest.mark.parametrize(
    ("exercise", "where"),
    [
        ("early-prose", "cell 3 of solutions/03-shown-early.py"),
        ("early-code", "cell 7 of solutions/03-shown-early.py"),
        ("early-print", "cell 11's output of solutions/03-shown-early.py"),
        ("early-value", "cell 15's output of solutions/03-shown-early.py"),
        ("early-figure", "cell 19's output of solutions/03-shown-early.py"),
        ("early-lesson", "cell 2 of solutions/02-long-sums.py"),
        ("early-shape", "cell 26's output of solutions/03-shown-early.py"),
        ("early-decimal", "cell 30's output of solutions/03-shown-early.py"),
    ],
)
def test_an_answer_that_was_seen_is_found_where_it_stood(linted: Said, exercise: str, where: str) -> None:
    (fault,) = said_of(linted, exercise)
    assert fault.startswith("solutions/03-shown-early.py:")
    assert f"its answer stands before it, in {where}. Ask first and show after" in fault


@pytest.mark.parametrize(
    ("exercise", "why"),
    [
        ("early-own-output", "it is shown after its exercise"),
        ("early-allowed", "its author says why it may be seen"),
        ("early-within", "it stands within other numbers only"),
        ("early-small", "a small whole number stands everywhere"),
        ("sum-hundred", "the second lesson shows it after its exercise"),
    ],
)
def test_what_gives_nothing_away_is_let_be(linted: Said, exercise: str, why: str) -> None:
    assert said_of(linted, exercise) == [], why


@pytest.mark.parametrize(
    "told",
    [
        "02-long-sums.py:11: it imports from autograde.notebook. A lesson imports only names of autograde and expl",
        "02-long-sums.py:11: it imports more of autograde than a lesson may. Use check, dimensions, hint, lesson,",
        "[sum-squares] it says no minutes. Add minutes=..., an honest guess.",
        "[sum-squares] it has fewer than two hints. Give two, the second stronger.",
        "[sum-squares] it has no worked solution. Add explain=...",
        "[rule-options] the prompt does not list option a, b. List each as `- **a** text`.",
        "course.yml:25: shown-early: minutes is 12, its exercises take 13. Make the times add up.",
        "which no cell of the lesson prints. Print it in a cell, or leave it out.",
        "raises TypeError: unsupported operand type(s) for /: 'int' and 'ellipsis' while nothing is answered. Guard it",
    ],
)
def test_a_broken_rule_is_told(linted: Said, told: str) -> None:
    assert [line for line in linted.out.splitlines() if told in line]


def test_the_command_counts_and_fails(linted: Said) -> None:
    assert linted.code == 1
    assert linted.out.endswith("2 lessons, 17 faults\n")


def test_the_toy_course_is_clean(built: TinyCourse) -> None:
    said = built.run("lint")
    assert (said.code, said.out) == (0, "2 lessons, 0 faults\n")
