"""Proving lessons: verify's proof of each solved lesson, and that its released notebook earns nothing unanswered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autograde.authoring.build import read_all
from autograde.authoring.faults import Fault
from autograde.authoring.jobs import run_jobs
from autograde.authoring.lesson_text import LessonText
from autograde.authoring.verify import Proof


def prove_lessons(root: Path, only: str, say: Callable[[str], None]) -> dict[str, Proof]:
    """The proof of each lesson, by slug. Raises AuthorError, CourseError, JobFailed."""
    _, texts = read_all(root, only)
    proved = run_jobs("verify", root, [text.slug for text in texts], say)
    released = run_jobs("released", root, [text.path.stem for text in texts], say)
    proofs = {}
    for text in texts:
        proof = Proof.from_data(proved[text.slug]["proof"])
        proof.faults += _released_faults(text, released[text.path.stem]["cells"])
        proofs[text.slug] = proof
    return proofs


def _released_faults(text: LessonText, cells: list[dict[str, object]]) -> list[Fault]:
    """Exercises of the released notebook that are not `not_attempted` with score 0."""
    verdicts = {cell["grade_id"]: (cell["status"], cell["score"]) for cell in cells if cell["grade_id"]}
    faults = []
    for task in text.tasks:
        found = verdicts.get(task.id)
        if found != ("not_attempted", 0.0):
            faults.append(
                Fault(
                    f"lessons/{text.path.stem}.ipynb",
                    0,
                    task.id,
                    f"unanswered, its check says {found}",
                    "Build the lesson again; it must be not_attempted",
                )
            )
    return faults
