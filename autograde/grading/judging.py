"""From evidence to a row: each exercise judged, points added up. Nothing is run here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograde.evidence import Evidence, Plain, Raised, Tensor
from autograde.grading.assignment import Assignment
from autograde.grading.attempt import BROKEN, DIED, TIMEOUT
from autograde.grading.store import Run
from autograde.grading.submission import ExerciseRow, Row
from autograde.judge import judge
from autograde.rubric import Rubric
from autograde.verdict import Verdict
from autograde.wording import counted, ended

_MISSING = {
    TIMEOUT: ("timeout", "It took too long and was stopped."),
    DIED: ("error", "It ended the process that ran it (exit, crash or out of memory)."),
    BROKEN: ("error", "No evidence came back in the form that was asked for."),
}
_ADVICE = {
    "EOFError": "Nobody answers input() when a notebook is graded: write the value into the cell instead.",
    "NotImplementedError": "Take out the line that raises it.",
    "SystemExit": "Take out the line that ends the program: what stands below it does not run.",
}


def exercise_rows(assignment: Assignment, rubrics: Mapping[str, Rubric], run: Run) -> tuple[ExerciseRow, ...]:
    """Each graded exercise's verdict; manual cells are left for the human."""
    rows = []
    for cell in assignment.exercises:
        if cell.role == "manual":
            rows.append(ExerciseRow(cell.grade_id, "needs_manual", None, cell.points, "Graded by hand."))
            continue
        verdict = _verdict(cell.grade_id, cell.points, rubrics.get(cell.grade_id), run)
        rows.append(ExerciseRow(cell.grade_id, verdict.status, verdict.score, cell.points, verdict.message))
    return tuple(rows)


def _verdict(exercise: str, points: float, rubric: Rubric | None, run: Run) -> Verdict:
    if exercise not in run.evidence:
        status, says = _MISSING[run.missing.get(exercise, BROKEN)]
        return Verdict(exercise, status, 0.0, points, says)
    evidence = run.evidence[exercise]
    if rubric is None:
        return judge_test(exercise, points, evidence)
    verdict, fault = judge(rubric, evidence), evidence.get("answer")
    return replace(verdict, message=verdict.message + _advice(fault)) if isinstance(fault, Raised) else verdict


def judge_test(exercise: str, points: float, evidence: Evidence) -> Verdict:
    """A plain assignment's test cell, as nbgrader reads it: an error is 0, a number is the score, else full points."""
    fault, result = evidence.get("raised"), evidence.get("result")
    if evidence.get("ran") is not True:
        return Verdict(exercise, "error", 0.0, points, "The test did not run.")
    if isinstance(fault, Raised):
        return _test_failed(exercise, points, fault, evidence.get("answer cell"))
    score = result.numbers()[0] if isinstance(result, Tensor) and result.shape == () else result
    if isinstance(score, bool) or not isinstance(score, int | float):
        return Verdict(exercise, "passed", points, points, _passed(evidence.get("answer cell")))
    if not 0 <= score <= points:
        says = f"The test gave {score} of {counted(points, 'point')}; the instructor should look."
        return Verdict(exercise, "error", 0.0, points, says)
    status = "passed" if score == points else "partial" if score else "failed"
    return Verdict(exercise, status, float(score), points, f"The test gave {score:g} of {counted(points, 'point')}.")


def _passed(answer: Plain) -> str:
    """That a test passed, and what its answer cell raised nevertheless."""
    if not isinstance(answer, Raised):
        return "The test passed."
    return (
        f"The test passed, though the answer cell raised {_told(answer)}: what stands before counts.{_advice(answer)}"
    )


def _told(fault: Raised) -> str:
    said = f"{fault.type}: {fault.message}" if fault.message else fault.type
    return said + (f" (line {fault.line})" if fault.line else "")


def _advice(fault: Raised) -> str:
    """What to do about a fault that is none where the learner works."""
    return f" {_ADVICE[fault.type]}" if fault.type in _ADVICE else ""


def _test_failed(exercise: str, points: float, fault: Raised, answer: Plain) -> Verdict:
    if isinstance(answer, Raised) and answer.type != "NotImplementedError":
        return Verdict(exercise, "error", 0.0, points, f"The answer cell raised {_told(answer)}.{_advice(answer)}")
    if fault.type in ("NotImplementedError", "NameError"):
        said = "the cell still raises NotImplementedError" if fault.type != "NameError" else fault.message
        return Verdict(exercise, "not_attempted", 0.0, points, f"Not answered: {ended(said)}")
    return Verdict(exercise, "failed", 0.0, points, "The test did not pass.")


def add_up(row: Row, exercises: tuple[ExerciseRow, ...]) -> Row:
    """The row with its exercises' verdicts and the sum of what was autograded, before any penalty."""
    graded = [exercise.score for exercise in exercises if exercise.score is not None]
    score = round(sum(graded), 6) if graded else None
    manual = any(exercise.status == "needs_manual" for exercise in exercises)
    return replace(row, exercises=exercises, raw_score=score, score=score, needs_manual=manual)
