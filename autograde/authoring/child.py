"""The process in which a lesson runs: `python -m autograde.authoring.child TASK RESULT.json ROOT NAME ...`.

Started by `jobs` with one thread and no progress kept. The result is JSON: what came out, the author's faults, or
our crash. There is none where the cells that ran ended the process.
"""

from __future__ import annotations

import base64
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograde.authoring import attempt, mutants, prose, released
from autograde.authoring.declared import sound_rubric
from autograde.authoring.faults import AuthorError
from autograde.authoring.read import find_source, read_lesson
from autograde.authoring.sealing import add_exercise, begin_seal
from autograde.authoring.verify import Proof, prove
from autograde.authoring.workshop import Bench, walk
from autograde.course import read_course
from autograde.evidence import to_bytes
from autograde.rubric_data import to_plain


def build(root: Path, slug: str) -> dict[str, Any]:
    """The lesson's seal and what its prompts say of each exercise."""
    text, course = read_lesson(find_source(root, slug), root), read_course(root)
    sealed = begin_seal(text, course)
    details: dict[str, dict[str, Any]] = {}

    def at(bench: Bench) -> None:
        exercise = bench.exercise
        add_exercise(sealed, bench, sound_rubric(bench))
        details[exercise.id] = {key: getattr(exercise, key) for key in ("minutes", "difficulty", "stretch")}

    walk(text, at)
    return {"seal": sealed, "details": details}


def verify(root: Path, slug: str) -> dict[str, Any]:
    """The lesson's proof."""
    text, course = read_lesson(find_source(root, slug), root), read_course(root)
    proof = Proof()
    try:
        walk(text, lambda bench: prove(bench, proof, course.id))
    except AuthorError as fault:
        proof.faults += fault.faults
    proof.faults.sort(key=lambda fault: fault.line)
    return {"proof": proof.to_data()}


def strength(root: Path, slug: str) -> dict[str, Any]:
    """How strong the lesson's checks of code are."""
    text, found = read_lesson(find_source(root, slug), root), mutants.Strength()
    walk(text, mutants.at_bench(found))
    return {"strength": found.to_data()}


def rubrics(root: Path, slug: str, seed: str, *only: str) -> dict[str, Any]:
    """The open rubrics of a lesson or of some exercises, inputs drawn with a seed: for a grader only."""
    text = read_lesson(find_source(root, slug), root)
    found: dict[str, str] = {}

    def at(bench: Bench) -> None:
        found[bench.task.id] = base64.b64encode(to_bytes(to_plain(bench.rubric(seed)))).decode()

    walk(text, at, only or None)
    return {"rubrics": found}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "build": build,
    "verify": verify,
    "mutants": strength,
    "rubrics": rubrics,
    "released": released.run_released,
    "solved": prose.run_solved,
    "notebook": attempt.notebook_path,
}


def main() -> None:
    """Run one task and write its result."""
    task, result, root, *rest = sys.argv[1:]
    try:
        outcome = TASKS[task](Path(root), *rest)
    except AuthorError as fault:
        outcome = {"faults": [vars(f) for f in fault.faults]}
    except Exception:
        outcome = {"crash": traceback.format_exc()[-3000:]}
    Path(result).write_text(json.dumps(outcome), encoding="utf-8")


if __name__ == "__main__":
    main()
