"""The probe: runs beside the learner's code, does what a plan says, and brings back evidence.

It knows no expected value, no reference and no score. What it returns is a claim of the process in which the learner's
code runs.
"""

from __future__ import annotations

from typing import Any

from autograde import calm
from autograde.evidence import Evidence
from autograde.limit import learners_turn
from autograde.live import attempt, scope
from autograde.probe_function import observe_call, reaches_inputs
from autograde.probe_module import observe_case
from autograde.stub import is_stub


def probe(plan: dict[str, Any], value: object, seed: int = calm.SEED) -> Evidence:
    """Evidence of the learner's value. Errors of the learner's code become Raised; others are ours and propagate."""
    kind = plan["kind"]
    if kind == "typed":
        with learners_turn():
            return {"answer": attempt(lambda: value)}
    if value is None or value is ... or is_stub(value):
        return {"untouched": True}
    with calm.calm(seed):
        if kind == "experiment":
            return _measure(plan, value)
        if not callable(value):
            with learners_turn():
                return {"not callable": attempt(lambda: value)}
        if kind == "module" and not isinstance(value, type):
            return {"not a class": True}
        return _observe(plan, value)


def _observe(plan: dict[str, Any], value: Any) -> Evidence:
    observe = observe_call if plan["kind"] == "function" else observe_case
    evidence: Evidence = {}
    with calm.watch(plan["forbid"]) as used, learners_turn():
        for call in plan["calls"]:
            observe(evidence, call, value)
        if plan["gradient"]:
            evidence["gradient"] = reaches_inputs(plan["calls"], value)
    if plan["forbid"]:
        evidence["forbidden"] = [*sorted(used)]
    return evidence


def _measure(plan: dict[str, Any], value: object) -> Evidence:
    names = scope()
    exec(compile(plan["measure"], "<measure>", "exec"), names)
    with learners_turn():
        measured = attempt(lambda: names["measure"](value))
    return measured if isinstance(measured, dict) else {"measure": measured}
