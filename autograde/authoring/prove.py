"""Proving lessons: verify's proof of each solved lesson, and that its released notebook earns nothing unanswered.

On demand also how strong the checks of code are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from autograde.authoring.build import read_all
from autograde.authoring.faults import Fault
from autograde.authoring.jobs import run_jobs
from autograde.authoring.lesson_text import LessonText
from autograde.authoring.mutants import Strength
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


def measure_lessons(root: Path, only: str, say: Callable[[str], None]) -> dict[str, Strength]:
    """How strong each lesson's checks are, by slug. Raises AuthorError, CourseError, JobFailed."""
    _, texts = read_all(root, only)
    measured = run_jobs("mutants", root, [text.slug for text in texts], say)
    return {slug: Strength.from_data(found["strength"]) for slug, found in measured.items()}


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


_COLUMNS = ("lesson", "exercises", "wrong rejected", "right accepted", "empty not_attempted", "full")
_MUTANTS = ("mutants caught", "others explained")


def table(proofs: Mapping[str, Proof], strengths: Mapping[str, Strength]) -> str:
    """The proofs as a table, one lesson a row; what was measured of the checks' strength beside them."""
    rows = [_COLUMNS + (_MUTANTS if strengths else ())]
    for slug, proof in proofs.items():
        rows.append((slug, *_counts(proof), *(_noticed(strengths[slug]) if strengths else ())))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _counts(proof: Proof) -> tuple[str, ...]:
    return (
        str(proof.exercises),
        f"{proof.rejected}/{proof.wrong}",
        f"{proof.accepted}/{proof.right}",
        f"{proof.unattempted}/{proof.empty}",
        "yes" if proof.is_full else "NO",
    )


def _noticed(strength: Strength) -> tuple[str, str]:
    return f"{strength.caught}/{strength.all}", f"{strength.explained}/{strength.all - strength.caught}"
