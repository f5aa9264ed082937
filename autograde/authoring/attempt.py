"""Trying one answer: what `autograde try` does, on the notebook path and on the grading path.

Notebook path: the released seal, the lesson's cells that precede the answer cell, the answer, `check`. Grading path: a
process that has only the learner's side (cells, answer, plan) brings back evidence; another, which never runs the
answer, draws the inputs and judges.
"""

from __future__ import annotations

import base64
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograde import notebook
from autograde.authoring.faults import one_fault
from autograde.authoring.jobs import JobDied, JobFailed, JobTookTooLong, run_job
from autograde.authoring.lesson_text import LessonText, solution_of
from autograde.authoring.read import read_lesson, sources
from autograde.authoring.released import read_released
from autograde.authoring.workshop import Bench, walk
from autograde.calm import quiet
from autograde.course import read_course
from autograde.evidence import BadEvidence, Evidence, evidence_from_bytes, from_bytes, to_bytes
from autograde.judge import judge, raised_verdict
from autograde.probe import probe
from autograde.rubric import Rubric
from autograde.runner import Runner
from autograde.verdict import Verdict

ANSWER_SECONDS = 120.0
_TOO_LONG = "The answer took too long."
_ENDED = "The answer ended the process that ran it."
_FIRST_CELL = """\
from autograde import check, hint, lesson, progress, solution
dimensions = lambda *names: tuple({sizes!r}[n] for n in names)
"""


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


def _run_up_to(runner: Runner, lesson: LessonText, exercise: str, first: str) -> None:
    """The cells before an answer cell: the lesson cell as given, answers solved, no author cells and no checks."""
    stop = lesson.task(exercise).answer
    for cell in lesson.cells:
        if cell is stop:
            return
        if cell.role in ("code", "answer"):
            runner.run(solution_of(cell.source))
        elif cell.role == "lesson":
            runner.run(first)


def notebook_path(root: Path, exercise: str, file: str) -> dict[str, Any]:
    """The verdict as a learner's notebook gives it."""
    lesson = lesson_of(root, exercise)
    runner = Runner()
    _run_up_to(runner, lesson, exercise, read_released(root, lesson.path.stem).cells[0].source)
    rubric = notebook.session().rubric(exercise)
    ran = runner.run(Path(file).read_text(encoding="utf-8-sig"))
    value = runner.variables.get(rubric.name, ...)
    value = runner.variables.get("answer", ...) if value is ... else value
    if ran.fault is not None and value is ...:
        return _data(raised_verdict(rubric, ran.fault))
    return _data(notebook.check(exercise, value))


def grading_path(root: Path, exercise: str, file: str, seconds: str) -> dict[str, Any]:
    """The verdict as a grader gives it: drawn inputs, judged where the answer never ran."""
    found: list[Rubric] = []

    def at(bench: Bench) -> None:
        found.append(bench.rubric(secrets.token_hex(16)))

    walk(lesson_of(root, exercise), at, only=[exercise])
    rubric = found[0]
    outcome = _evidence_elsewhere(root, rubric, exercise, file, float(seconds))
    return _data(outcome if isinstance(outcome, Verdict) else judge(rubric, outcome))


def _evidence_elsewhere(root: Path, rubric: Rubric, exercise: str, file: str, seconds: float) -> Verdict | Evidence:
    """The evidence that a process with the learner's side alone brings back, or the verdict where it brings none."""
    plan = base64.b64encode(to_bytes(rubric.plan))
    try:
        outcome = run_job("evidence", root, exercise, file, rubric.name, seconds=seconds, stdin=plan)
        return evidence_from_bytes(base64.b64decode(outcome["evidence"]))
    except JobTookTooLong:
        return Verdict(exercise, "timeout", 0.0, rubric.points, _TOO_LONG)
    except (JobFailed, ValueError, KeyError, TypeError, BadEvidence):
        return Verdict(exercise, "error", 0.0, rubric.points, _ENDED)


def evidence_path(root: Path, exercise: str, file: str, name: str) -> dict[str, Any]:
    """Evidence of an answer, in a process that knows no rubric: the plan comes on standard input."""
    plan: Any = from_bytes(base64.b64decode(sys.stdin.buffer.read()))
    lesson = lesson_of(root, exercise)
    runner = Runner()
    _run_up_to(runner, lesson, exercise, _FIRST_CELL.format(sizes=read_course(root).dimensions))
    source = Path(file).read_text(encoding="utf-8-sig")
    runner.variables.pop(name, None)
    runner.variables.pop("answer", None)
    ran = runner.run(source)
    value = runner.variables.get(name, runner.variables.get("answer", ...))
    if ran.fault is not None and value is ...:
        evidence: Evidence = {"answer": ran.fault}
    else:
        with quiet():
            evidence = probe(plan, value)
    return {"evidence": base64.b64encode(to_bytes(evidence)).decode()}


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


def attempt(root: Path, exercise: str, file: Path, seconds: float = ANSWER_SECONDS) -> Attempt:
    """Try an answer on both paths, at the same time; it may take some seconds. Raises AuthorError, JobFailed."""
    points = lesson_of(root, exercise).task(exercise).points
    with ThreadPoolExecutor(2) as pool:
        paths = [
            pool.submit(_one_path, points, 2 * seconds, "notebook", root, exercise, str(file)),
            pool.submit(_one_path, points, 2 * seconds, "grading", root, exercise, str(file), str(seconds)),
        ]
        notebook, grading = (path.result() for path in paths)
    return Attempt(exercise, notebook, grading)


def _one_path(points: float, limit: float, path: str, root: Path, exercise: str, *rest: str) -> dict[str, Any]:
    try:
        return run_job(path, root, exercise, *rest, seconds=limit)
    except JobTookTooLong:
        return _data(Verdict(exercise, "timeout", 0.0, points, _TOO_LONG))
    except JobDied:
        return _data(Verdict(exercise, "error", 0.0, points, _ENDED))
