"""Running a submission to its end: where a step or a probe stops the child, the others still get their chance."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from autograde.evidence import Plain
from autograde.grading.match import Script, Step
from autograde.grading.run import Budget, Outcome, Worker
from autograde.grading.store import Run

_RETRIES = 4
TIMEOUT, DIED, BROKEN = "timeout", "died", "broken"


def run_submission(
    worker: Worker,
    script: Script,
    names: Mapping[str, str],
    plans: Mapping[str, Mapping[str, Plain]],
    budget: Budget,
    *,
    in_process: bool = False,
) -> Run:
    """The evidence of a submission. A step that ends the child is left out and the rest is run again, a few times.

    Raises WorkerLost.
    """
    run, skipped = Run(sandbox=worker.sandbox.label), set[int]()
    for _ in range(_RETRIES):
        wanted = {name: plan for name, plan in plans.items() if name not in run.evidence and name not in run.missing}
        if not wanted:
            break
        outcome = worker.run(_data(script.steps, names, skipped, in_process=in_process), wanted, budget)
        _add(run, outcome)
        if not outcome.stopped and not outcome.broken:
            break
        if not _blame(run, outcome, script.steps, skipped):
            break
    for name in plans:
        if name not in run.evidence:
            run.missing.setdefault(name, BROKEN)
    return run


def _data(steps: Sequence[Step], names: Mapping[str, str], skipped: set[int], *, in_process: bool) -> dict[str, Any]:
    told = [
        {
            "role": step.role,
            "id": step.id,
            "name": names.get(step.id, ""),
            "source": "" if i in skipped else step.source,
        }
        for i, step in enumerate(steps)
    ]
    return {"steps": told, "in_process": in_process}


def _add(run: Run, outcome: Outcome) -> None:
    if not outcome.broken:  # a child that spoke out of turn is not believed in anything
        run.evidence |= outcome.evidence
    run.steps = [_fault(step) for step in outcome.steps] or run.steps
    run.printed = outcome.printed[:20_000] or run.printed
    run.cpu_s, run.wall_s = round(run.cpu_s + outcome.cpu_s, 4), round(run.wall_s + outcome.wall_s, 4)
    run.rss_kb = max(run.rss_kb, outcome.rss_kb)


def _fault(step: Mapping[str, Any]) -> str:
    return f"{step.get('type')}: {step.get('message')}"[:500] if step.get("type") else ""


def _blame(run: Run, outcome: Outcome, steps: Sequence[Step], skipped: set[int]) -> bool:
    """Note what stopped the child and leave it out next time. False where nothing can be left out."""
    reason = TIMEOUT if outcome.stopped == TIMEOUT else BROKEN if outcome.broken else DIED
    if outcome.exercise:
        run.missing[outcome.exercise] = reason
        return True
    if outcome.at is None or not 0 <= outcome.at < len(steps) or outcome.at in skipped:
        return False
    step = steps[outcome.at]
    skipped.add(outcome.at)
    if step.role == "answer":
        run.missing |= dict.fromkeys(_graded_by(steps, outcome.at), reason)
    elif step.role == "grade":
        run.missing[step.id] = reason
    return True


def _graded_by(steps: Sequence[Step], answer: int) -> list[str]:
    """An answer cell's exercises: its own by name, as in a lesson, else the tests up to the next answer."""
    own = steps[answer].id.removesuffix("-answer")
    tests = [step.id for step in steps if step.role == "grade"]
    if own in tests:
        return [own]
    following = itertools.takewhile(lambda step: step.role != "answer", steps[answer + 1 :])
    return [step.id for step in following if step.role == "grade"] or [own]
