"""A module's claims: what drawn parameters catch, that constants alone would not, and what a forger can still claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from conftest import WorkerOf
from hostile_case import ALL, Case
from hostile_house import Graded, House

from autograde.grading.engine import Task
from autograde.rubric import CodeRubric

EXERCISE = "kind-module"
HOLLOW = [case for case in ALL if case.name in ("right_for_constants_only", "forged_outputs")]


def without_drawn(task: Task) -> Task:
    """The lesson as it would be graded if its module's parameters were filled with constants only."""
    rubric: Any = task.rubrics[EXERCISE]
    assert isinstance(rubric, CodeRubric)
    calls: Any = rubric.plan["calls"]
    plan = rubric.plan | {"calls": [{key: item for key, item in call.items() if key != "drawn"} for call in calls]}
    expected = {name: want for name, want in rubric.expected.items() if not name.endswith((": layout", ": drawn"))}
    assert len(expected) == len(rubric.expected) - 2
    return replace(task, rubrics={**task.rubrics, EXERCISE: replace(rubric, plan=plan, expected=expected)})


def graded(house: House, worker_of: WorkerOf, task: Task, case: Case, *changed: str) -> Graded:
    source = house.source(case)
    assert not changed or changed[0] in source
    return house.grade(worker_of(), task, {EXERCISE: source.replace(*changed) if changed else source})


@pytest.mark.parametrize("case", HOLLOW, ids=lambda case: case.name)
def test_outputs_that_do_not_follow_from_the_parameters_earn_nothing(
    case: Case, house: House, worker_of: WorkerOf
) -> None:
    row = graded(house, worker_of, house.lesson, case).row(EXERCISE)
    assert (row.status, row.score) == ("failed", 0.0)
    control = graded(house, worker_of, without_drawn(house.lesson), case).row(EXERCISE)
    assert (control.status, control.score) == ("passed", row.max_score), "constants alone do not see it"


def test_a_layout_that_is_not_claimed_binds_nobody(house: House, worker_of: WorkerOf) -> None:
    """The limit: whoever speaks in the probe's place may claim a layout of their own, which costs no honest learner."""
    case = next(case for case in ALL if case.name == "forged_outputs")
    row = graded(house, worker_of, house.lesson, case, "the layout that is asked for", "another layout").row(EXERCISE)
    assert row.status == "passed"


def test_a_layout_that_contradicts_its_own_count_earns_nothing(house: House, worker_of: WorkerOf) -> None:
    case = next(case for case in ALL if case.name == "forged_outputs")
    row = graded(house, worker_of, house.lesson, case, "[[width, width], [width]]", "[[width, width]]").row(EXERCISE)
    assert (row.status, row.score) == ("failed", 0.0)
