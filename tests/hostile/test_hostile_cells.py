"""Hostile cells: no point is gained, nothing outside is read or written, the next honest submission is graded right."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from conftest import WorkerOf
from hostile_case import ALL, IN_PROCESS, NOTEBOOK, WITHOUT, Case, controlled_by
from hostile_house import MARK, PLAIN_RIGHT, POINTS, SMALL, Canary, House, Short
from hostile_stock import StandIn

from autograde.grading.run import Budget, WorkerLost
from autograde.grading.sandbox import Sandbox

WALL = Short(step_cpu_s=2, total_cpu_s=6)


def budget(case: Case) -> Budget:
    return WALL if case.budget == "short" else SMALL


def alive() -> list[str]:
    """Processes that carry our mark and are not this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if words.startswith(MARK.encode()):
            found.append(path.parent.name)
    return found


def assert_honest_is_right(house: House, worker_of: WorkerOf) -> None:
    honest = house.grade(worker_of(), house.lesson, house.right)
    assert honest.score == POINTS, honest.rows


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_hostile_submission_gains_reads_and_spoils_nothing(
    case: Case, house: House, worker_of: WorkerOf, canary: Canary, sandbox: Sandbox, tmp_path: Path
) -> None:
    if case.control == "without cgroup" and "cgroup" not in sandbox.on:
        pytest.skip("without a control group nothing holds what many processes use together")
    outside, calls = canary.seen(), len(canary.calls)
    graded = house.grade(worker_of(), house.lesson, {case.aims: house.source(case)}, budget(case))

    assert graded.row(case.aims).status != "passed", graded.row(case.aims)
    assert graded.score == case.earns, graded.rows
    assert canary.secret not in graded.text
    assert "REACHED" not in graded.run.printed
    assert canary.seen() == outside
    assert len(canary.calls) == calls
    assert not alive()
    assert len(graded.run.printed) < 50_000
    house.keep_and_read(graded, tmp_path)
    assert_honest_is_right(house, worker_of)


@pytest.mark.parametrize("case", controlled_by(IN_PROCESS, NOTEBOOK), ids=lambda case: case.name)
def test_it_succeeds_where_code_and_tests_share_a_process(
    case: Case, house: House, stand_in: StandIn, canary: Canary
) -> None:
    outside = canary.seen()
    is_notebook = case.control.startswith(NOTEBOOK)
    cells = house.stock_cells({case.aims: house.source(case)}, notebook=is_notebook)
    stock = stand_in.grade(cells)
    if case.success == "points":
        assert stock.scores.get(case.aims, 0.0) > case.earns, stock
    elif case.success == "secret":
        assert canary.secret in stock.printed
    elif case.success == "written":
        assert canary.seen() != outside
        canary.restore(outside)
    elif case.success == "lost":
        assert stock.was_lost
    else:
        assert case.success == "reached"
        assert "REACHED" in stock.printed


def test_the_stand_in_gives_points_to_right_answers_and_none_to_wrong_ones(house: House, stand_in: StandIn) -> None:
    right = stand_in.grade(house.stock_cells(PLAIN_RIGHT, notebook=False))
    assert right.scores == {"kind-number": 1, "kind-text": 1, "kind-function": 3, "kind-module": 4}
    wrong = dict.fromkeys(PLAIN_RIGHT, "kind_number = kind_text = double_shifted = Turn = 'wrong'")
    assert set(stand_in.grade(house.stock_cells(wrong, notebook=False)).scores.values()) == {0}
    notebook = stand_in.grade(house.stock_cells(house.right, notebook=True))
    assert sum(notebook.scores.values()) == POINTS


@pytest.mark.parametrize("case", controlled_by(WITHOUT), ids=lambda case: case.name)
def test_it_succeeds_without_its_layer(
    case: Case, house: House, worker_of: WorkerOf, canary: Canary, sandbox: Sandbox
) -> None:
    if not set(case.off) & set(sandbox.on):
        pytest.skip(f"this machine has no layer {case.off[0]}")
    outside, worker, printed = canary.seen(), worker_of(*case.off), ""
    try:
        for _ in range(2 if case.name.startswith("leaves_") else 1):
            printed = house.grade(worker, house.lesson, {case.aims: house.source(case)}, budget(case)).run.printed
    except WorkerLost:
        worker.stop()
        assert case.success == "lost"
        return
    if case.success == "written":
        assert canary.seen() != outside
        canary.restore(outside)
    elif case.success == "alive":
        assert alive()
        for pid in alive():
            os.kill(int(pid), signal.SIGKILL)
    else:
        assert case.success == "reached"
        assert "REACHED" in printed


@pytest.mark.parametrize("case", [case for case in ALL if case.plain], ids=lambda case: case.name)
def test_what_in_process_grading_stops_is_what_its_header_says(case: Case, house: House, worker_of: WorkerOf) -> None:
    graded = house.grade(worker_of(), house.plain, {case.aims: house.source(case)})
    succeeded = graded.score > 0 if case.success == "points" else "REACHED" in graded.run.printed
    assert succeeded == case.plain.startswith("not stopped"), graded
    honest = house.grade(worker_of(), house.plain, PLAIN_RIGHT)
    assert honest.score == 9, honest.rows
