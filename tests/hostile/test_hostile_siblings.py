"""Two hostile submissions at once, in two workers: neither meets the other, both gain nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from conftest import WorkerOf
from hostile_case import ALL
from hostile_house import POINTS, Graded, House

from autograde.grading.run import Worker
from autograde.grading.sandbox import Sandbox

CASE = next(case for case in ALL if case.name == "meets_its_sibling")


def both(house: House, one: Worker, sandbox: Sandbox) -> list[Graded]:
    source = {CASE.aims: house.source(CASE)}
    with Worker(sandbox) as other, ThreadPoolExecutor(2) as pool:
        graded = [*pool.map(lambda worker: house.grade(worker, house.lesson, source), (one, other))]
        honest = [*pool.map(lambda worker: house.grade(worker, house.lesson, house.right), (one, other))]
    assert [each.score for each in honest] == [POINTS, POINTS], honest
    return graded


def test_two_at_once_do_not_meet(house: House, worker_of: WorkerOf, sandbox: Sandbox) -> None:
    for graded in both(house, worker_of(), sandbox):
        assert graded.score == 0
        assert "REACHED" not in graded.run.printed


def test_they_meet_without_layers(house: House, worker_of: WorkerOf, sandbox: Sandbox) -> None:
    met = both(house, worker_of(*CASE.off), sandbox.without(*CASE.off))
    assert any("REACHED" in graded.run.printed for graded in met)
