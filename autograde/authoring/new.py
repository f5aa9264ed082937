"""New lessons and exercises: text to start from, complete in its form, to be filled by the author."""

from __future__ import annotations

import json
import re
from pathlib import Path

from autograde.authoring.faults import AuthorError, Fault
from autograde.authoring.read import LessonText
from autograde.exercise import CODE_KINDS

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

_ANSWERS = {
    "number": ("{name} = ...  # a number", "{name} = 1024", "answer=1024,\n    wrong={1000: \"You counted in thousands.\", 512: \"That is half of it.\"},"),
    "numbers": ("{name} = ...  # a list of numbers", "{name} = [0.25, 0.75]", "answer=[0.25, 0.75],\n    places=2,\n    wrong=[([0.5, 0.5], \"Both are not equal.\"), ([0.75, 0.25], \"They are in the other order.\")],"),
    "shape": ("{name} = ...  # a tuple", "{name} = (2, 3)", "answer=(2, 3),\n    wrong={(3, 2): \"The axes are swapped.\", (6,): \"The axes are gone.\"},"),
    "choice": ('{name} = ...  # "a" or "b"', '{name} = "a"', "answer=\"a\",\n    options={\"a\": \"Right, because ...\", \"b\": \"No: ...\"},"),
    "choices": ('{name} = ...  # such as {{"a", "b"}}', '{name} = {{"a"}}', "answer={\"a\"},\n    options={\"a\": \"It belongs, because ...\", \"b\": \"It does not, because ...\"},"),
    "text": ("{name} = ...  # a word in quotes", '{name} = "softmax"', "answer=\"softmax\",\n    wrong={\"max\": \"That takes one only.\", \"sigmoid\": \"Its outputs do not sum to one.\"},"),
    "function": ('def {name}(x):\n    """Say what it maps to what."""\n    # your code here', "    return 2 * x", "calls=lambda draw: [exercise.call(\"a vector\", draw.normal(3))],\n    wrong=[exercise.edit(\"2 *\", \"3 *\", says=\"That triples.\")],\n    right=[exercise.edit(\"2 * x\", \"x + x\")],"),
    "module": ('class {name}(nn.Module):\n    """Say what it maps to what."""\n\n    # your code here', "    def __init__(self, width):\n        super().__init__()\n        self.layer = nn.Linear(width, width)\n\n    def forward(self, x):\n        return self.layer(x)", "cases=lambda draw: [exercise.case(\"width 3\", 3, inputs=[draw.normal(2, 3)], fills=[(0.5, 0.1)])],\n    wrong=[exercise.edit(\"self.layer(x)\", \"self.layer(x).relu()\", says=\"No activation is asked for.\")],\n    right=[exercise.edit(\"self.layer\", \"self.linear\")],"),
    "experiment": ("{name} = ...  # your trained model", "{name} = 0.5", "measure=\"def measure(value): return {'loss': float(value)}\",\n    expect=[exercise.between(\"loss\", 0.0, 1.0, says=\"The loss is not below 1.\")],\n    wrong=[exercise.edit(\"0.5\", \"2.0\", says=\"The loss is not below 1.\")],"),
}  # fmt: skip
KINDS = tuple(_ANSWERS)


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
        raise AuthorError(
            [
                Fault(
                    path.name,
                    0,
                    "",
                    f"{slug!r} is no slug",
                    "Use small letters, digits and hyphens, such as widen-relu-narrow",
                )
            ]
        )
    taken = list((root / "solutions").glob(f"*-{slug}.py"))
    if taken or path.exists():
        raise AuthorError(
            [Fault(f"solutions/{(taken or [path])[0].name}", 0, "", "it is there already", "Choose another slug")]
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    title = slug.replace("-", " ").capitalize()
    path.write_text(
        _LESSON.format(meta=_meta(f"{slug}-lesson", locked=True), slug=slug, number=number, title=title),
        encoding="utf-8",
    )
    return path


def course_entry(slug: str, number: int) -> str:
    """The lines to add to course.yml."""
    title = slug.replace("-", " ").capitalize()
    return f"  - id: {slug}\n    number: {number}\n    title: {title}\n    question: What is asked?\n    minutes: 30\n    points: 0\n    objectives:\n      - say what a learner can do after it\n"


def new_exercise(lesson: LessonText, exercise: str, kind: str) -> str:
    """The four cells of a new exercise, appended to the lesson's file. Raises AuthorError."""
    if kind not in _ANSWERS:
        raise AuthorError(
            [Fault(lesson.file, 0, exercise, f"there is no kind {kind!r}", f"Choose one of {', '.join(KINDS)}")]
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", exercise) or any(task.id == exercise for task in lesson.tasks):
        raise AuthorError(
            [
                Fault(
                    lesson.file,
                    0,
                    exercise,
                    "the id is no kebab-case id, or it is taken",
                    "Use the lesson's two letters, such as ff-parameters",
                )
            ]
        )
    name = (
        "".join(part.capitalize() for part in exercise.split("-")[1:])
        if kind == "module"
        else exercise.replace("-", "_")
    )
    text = _exercise_text(exercise, kind, name)
    with lesson.path.open("a", encoding="utf-8") as file:
        file.write(text)
    return text


def _exercise_text(exercise: str, kind: str, name: str) -> str:
    left, solved, arguments = _ANSWERS[kind]
    if kind not in ("function", "module"):
        solved = solved.format(name=name)
    options = "\n# - **a** one answer\n# - **b** another" if kind in ("choice", "choices") else ""
    passed = "" if kind in CODE_KINDS else '    passed="Say what it means.",\n'
    return f'''
# %% [markdown]
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
