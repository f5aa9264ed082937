"""One answer, judged as a class's are: its steps in the sandbox, its evidence judged outside."""

from __future__ import annotations

from collections.abc import Sequence

from autograde.grading.attempt import DIED, TIMEOUT, run_submission
from autograde.grading.match import Script, Step
from autograde.grading.run import Budget, Worker
from autograde.grading.sandbox import choose
from autograde.judge import judge
from autograde.rubric import Rubric
from autograde.verdict import Verdict

_MISSING = {
    TIMEOUT: ("timeout", "The answer took too long."),
    DIED: ("error", "The answer ended the process that ran it."),
}


def judge_answer(steps: Sequence[tuple[str, str, str]], rubric: Rubric, seconds: float) -> Verdict:
    """The verdict on an answer, (role, source, id) by step; seconds are of CPU, for each step. Raises WorkerLost."""
    script = Script(tuple(Step(*step) for step in steps), (), untouched=False, missing=())
    budget = Budget(max(1, int(seconds)), max(2, int(2 * seconds)))
    with Worker(choose("best")) as worker:
        run = run_submission(worker, script, {rubric.id: rubric.name}, {rubric.id: rubric.plan}, budget)
    if rubric.id in run.evidence:
        return judge(rubric, run.evidence[rubric.id])
    status, says = _MISSING.get(run.missing.get(rubric.id, ""), ("error", "The answer brought no evidence back."))
    return Verdict(rubric.id, status, 0.0, rubric.points, says)
