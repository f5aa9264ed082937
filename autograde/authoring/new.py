"""New lessons and exercises: text to start from, complete in its form, to be filled by the author."""

from __future__ import annotations

import json
import re
from pathlib import Path

from autograde.authoring.faults import one_fault, shown
from autograde.authoring.lesson_text import LessonText
from autograde.authoring.read import sources
from autograde.authoring.starts import KINDS, STARTS
from autograde.exercise import CODE_KINDS

_CLOSING = re.compile(
    r"#{1,3}\s+(\d+\.\s*)?(key points|summary|look(ing)? back|two questions|sources|references|further reading)",
    re.IGNORECASE,
)
"""How the sections begin with which a lesson closes."""
_LESSON = """\
# %% nbgrader={meta}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("{slug}")

# %% [markdown]
# # {number}. {title}
#
# Say what the lesson is about, in two sentences.

# %%
n_embd, n_head = dimensions("n_embd", "n_head")
print(n_embd, n_head)
"""
_ENTRY = """\
  - id: {slug}
    number: {number}
    title: {title}
    question: What is asked?
    minutes: 30
    points: 0
    objectives:
      - say what a learner can do after it
"""


def _meta(
    grade_id: str, *, grade: bool = False, locked: bool = False, solution: bool = False, points: float | None = None
) -> str:
    data = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "points": points,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return json.dumps({key: value for key, value in data.items() if value is not None})


def new_lesson(root: Path, slug: str, number: int) -> Path:
    """Write the beginning of a lesson. Raises AuthorError where the slug is none or the file is there."""
    path = root / "solutions" / f"{number:02d}-{slug}.py"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        todo = "Use small letters, digits and hyphens, such as widen-relu-narrow"
        raise one_fault(path.name, f"{slug!r} is no slug", todo)
    if not 0 <= number <= 99:
        raise one_fault(path.name, f"the number {number} is not in 0..99", "Choose another")
    for there in sources(root):
        if there.stem.partition("-")[2] == slug:
            raise one_fault(f"solutions/{there.name}", "it is there already", "Choose another slug")
        if there.name.startswith(f"{number:02d}-"):
            raise one_fault(f"solutions/{there.name}", f"it has the number {number} already", "Choose another")
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = _meta(f"{slug}-lesson", locked=True)
    path.write_text(_LESSON.format(meta=meta, slug=slug, number=number, title=_title(slug)), encoding="utf-8")
    return path


def course_entry(slug: str, number: int) -> str:
    """The lines to add to course.yml."""
    return _ENTRY.format(slug=slug, number=number, title=_title(slug))


def _title(slug: str) -> str:
    return slug.replace("-", " ").capitalize()


def new_exercise(lesson: LessonText, exercise: str, kind: str) -> int:
    """The four cells of a new exercise, and what it imports, put before the lesson's closing sections or at its end.

    Returns the line where they stand. Raises AuthorError.
    """
    if kind not in KINDS:
        raise one_fault(lesson.file, f"there is no kind {kind!r}", f"Choose one of {', '.join(KINDS)}", exercise)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", exercise):
        todo = "Use the lesson's two letters, such as ff-parameters"
        raise one_fault(lesson.file, f"{exercise!r} is no exercise id", todo, exercise)
    for path in sources(lesson.root):
        if f'"grade_id": "{exercise}"' in path.read_text(encoding="utf-8"):
            raise one_fault(shown(path, lesson.root), "it has this exercise already", "Choose another id", exercise)
    words = exercise.split("-")
    name = "".join(map(str.capitalize, words[1:])) if kind == "module" else "_".join(words)
    imports = STARTS[kind].imports
    text = "" if any(imports in cell.source for cell in lesson.cells) else f"# %%\n{imports}\n\n"
    return _insert(lesson, text + _exercise_text(exercise, kind, name))


def _insert(lesson: LessonText, text: str) -> int:
    """Put cells into a lesson's file, its line ends kept; the line where they begin."""
    with lesson.path.open(encoding="utf-8", newline="") as file:
        before = file.read()
    ends = "\r\n" if "\r\n" in before else "\n"
    lines = before.splitlines(keepends=True)
    at = _closing_line(lesson) - 1
    head = "".join(lines[:at] if at >= 0 else lines).rstrip("\r\n") + 2 * ends
    tail = "".join(lines[at:]) if at >= 0 else ""
    with lesson.path.open("w", encoding="utf-8", newline="") as file:
        file.write(head + (f"{text}\n" if tail else text).replace("\n", ends) + tail)
    return head.count("\n") + 1


def _closing_line(lesson: LessonText) -> int:
    """The line of the cell, after the last exercise, with which a lesson closes; 0 where it has none yet."""
    last = lesson.tasks[-1].grade.line if lesson.tasks else 0
    found = (
        cell.line for cell in lesson.cells if cell.line > last and cell.is_markdown and _CLOSING.match(cell.source)
    )
    return next(found, 0)


def _exercise_text(exercise: str, kind: str, name: str) -> str:
    left, solved, arguments, _ = STARTS[kind]
    if kind not in ("function", "module"):
        solved = solved.format(name=name)
    options = "\n# - **a** one answer\n# - **b** another" if kind in ("choice", "choices") else ""
    passed = "" if kind in CODE_KINDS else '    passed="Say what it means.",\n'
    return f'''# %% [markdown]
# ### Exercise: {exercise.partition("-")[2].replace("-", " ").capitalize()}
#
# Ask one question.
#{options}

# %% nbgrader={_meta(f"{exercise}-answer", solution=True)}
{left.format(name=name)}
### BEGIN SOLUTION
{solved}
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.{kind}(
    "{exercise}",
    {arguments}
{passed}    hints=["Say where to look.", "Say how to get there."],
    explain="Say why it is so.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={_meta(exercise, grade=True, locked=True, points=1)}
check("{exercise}", {name})
'''


def next_number(root: Path) -> int:
    """The number after the last lesson's."""
    numbers = [int(path.name[:2]) for path in (root / "solutions").glob("[0-9][0-9]-*.py")]
    return max(numbers, default=0) + 1
