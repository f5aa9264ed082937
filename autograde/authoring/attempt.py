"""Trying one answer: what `autograde try` does, on the notebook path and on the grading path.

Notebook path: the released seal, the lesson's cells that precede the answer cell, the answer, `check`, in one process.
Grading path: the same cells go where whoever calls decides (the grader's sandbox), with inputs drawn just now; the
rubric is made in a process that never runs the answer.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograde import notebook, seal
from autograde.authoring.faults import one_fault
from autograde.authoring.jobs import JobDied, JobTookTooLong, run_job
from autograde.authoring.lesson_text import LessonText, solution_of
from autograde.authoring.read import read_lesson, sources
from autograde.authoring.released import lesson_file, read_released, seal_in
from autograde.evidence import from_bytes
from autograde.judge import raised_verdict
from autograde.rubric import Rubric
from autograde.rubric_data import from_plain
from autograde.runner import Runner
from autograde.shell import assigned
from autograde.verdict import Verdict

Step = tuple[str, str, str]
"""A role (given, answer, grade), the source, and the cell's grade id."""
JudgeApart = Callable[[Sequence[Step], Rubric, float], Verdict]
"""Runs steps where they can do no harm, for some seconds at most, and judges what the last one left."""

ANSWER_SECONDS = 120.0
_TOO_LONG = "The answer took too long."
_ENDED = "The answer ended the process that ran it."


def lesson_of(root: Path, exercise: str) -> LessonText:
    """The lesson that holds an exercise. Raises AuthorError."""
    lessons = [read_lesson(path, root) for path in sources(root)]
    for lesson in lessons:
        if any(task.id == exercise for task in lesson.tasks):
            return lesson
    known = ", ".join(task.id for lesson in lessons for task in lesson.tasks)
    raise one_fault("solutions/", "no lesson has this exercise", f"Choose one of: {known}", exercise)


def _data(verdict: Verdict) -> dict[str, Any]:
    return {key: getattr(verdict, key) for key in ("status", "score", "max_score", "message", "detail", "given")}


def answer_steps(root: Path, exercise: str, file: Path) -> list[Step]:
    """The lesson's cells up to an answer cell, earlier answers solved; the answer; the grade cell."""
    lesson = lesson_of(root, exercise)
    task, steps = lesson.task(exercise), list[Step]()
    for cell in lesson.cells:
        if cell is task.answer:
            break
        if cell.role == "lesson":
            steps.append(("given", read_released(root, lesson.path.stem).cells[0].source, ""))
        elif cell.role in ("code", "answer"):
            steps.append(("given", solution_of(cell.source), ""))
    return [*steps, ("answer", _answer(file, task.name), f"{exercise}-answer"), ("grade", "", exercise)]


def _answer(file: Path, name: str) -> str:
    """The answer's code; where it defines `answer` instead of the name, it gets the name."""
    source = file.read_text(encoding="utf-8-sig")
    defined = assigned(source)
    return f"{source}\n{name} = answer\n" if "answer" in defined and name not in defined else source


def notebook_path(root: Path, exercise: str, file: str) -> dict[str, Any]:
    """The verdict as a learner's notebook gives it."""
    runner = Runner()
    *before, (_, answer, cell_id), _ = answer_steps(root, exercise, Path(file))
    for _, source, _ in before:
        runner.run(source)
    rubric = notebook.session().rubric(exercise)
    ran = runner.run(answer, cell_id)
    value = runner.variables.get(rubric.name, ...)
    if ran.fault is not None and value is ...:
        return _data(raised_verdict(rubric, ran.fault))
    return _data(notebook.check(exercise, value))


@dataclass(frozen=True)
class Attempt:
    """An answer's verdicts on both paths."""

    exercise: str
    notebook: dict[str, Any]
    grading: dict[str, Any]

    @property
    def agrees(self) -> bool:
        """Whether both paths give the same status and score."""
        return all(self.notebook[key] == self.grading[key] for key in ("status", "score", "max_score"))

    def to_data(self) -> dict[str, Any]:
        """One JSON object; the verdict is the grading path's, the sentence the notebook's, with what was raised."""
        return {
            "exercise": self.exercise,
            "status": self.grading["status"],
            "score": self.grading["score"],
            "max_score": self.grading["max_score"],
            "message": self._message(),
            "paths": {"notebook": self.notebook["status"], "grading": self.grading["status"]},
        }

    def _message(self) -> str:
        if not self.agrees:
            return f"the paths disagree: {self.notebook['message']} / {self.grading['message']}"
        seen = self.notebook["detail"] if self.notebook["status"] == "error" else ""
        return f"{self.notebook['message']}\n{seen}".strip()

    def __str__(self) -> str:
        shown = str(Verdict(self.exercise, **self.notebook))
        if self.agrees:
            return shown
        return f"{shown}\nThe grading path disagrees:\n{Verdict(self.exercise, **self.grading)}"


def attempt(root: Path, exercise: str, file: Path, judge_apart: JudgeApart, seconds: float = ANSWER_SECONDS) -> Attempt:
    """Try an answer on both paths, at the same time; it may take some seconds. Raises AuthorError, JobFailed."""
    lesson = lesson_of(root, exercise)
    _must_be_built(root, lesson, exercise)
    points = lesson.task(exercise).points
    with ThreadPoolExecutor(2) as pool:
        in_notebook = pool.submit(_notebook, points, 2 * seconds, root, exercise, file)
        rubric = _rubric(root, lesson, exercise)
        graded = judge_apart(answer_steps(root, exercise, file), rubric, seconds)
    return Attempt(exercise, in_notebook.result(), _data(graded))


def _must_be_built(root: Path, lesson: LessonText, exercise: str) -> None:
    """Raises AuthorError where the notebook does not know the exercise yet; a damaged seal is told by its own path."""
    released = lesson_file(root, lesson.path.stem)
    try:
        known = seal.from_text(seal_in(released))["exercises"]
    except (seal.BadSeal, KeyError):
        return
    if exercise not in known:
        where = released.relative_to(root).as_posix()
        todo = f"Run `autograde build {lesson.slug}`"
        raise one_fault(where, "the notebook is older than its source", todo, exercise)


def _rubric(root: Path, lesson: LessonText, exercise: str) -> Rubric:
    """The exercise's rubric with inputs drawn now, from a process that runs the solved lesson."""
    made = run_job("rubrics", root, lesson.path.stem, secrets.token_hex(16), exercise)["rubrics"]
    return from_plain(from_bytes(base64.b64decode(made[exercise])))


def _notebook(points: float, limit: float, root: Path, exercise: str, file: Path) -> dict[str, Any]:
    try:
        return run_job("notebook", root, exercise, str(file), seconds=limit)
    except JobTookTooLong:
        return _data(Verdict(exercise, "timeout", 0.0, points, _TOO_LONG))
    except JobDied:
        return _data(Verdict(exercise, "error", 0.0, points, _ENDED))
