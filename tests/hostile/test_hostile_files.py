"""Hostile files: a plain row for whoever handed them in, nothing outside is read or written, the others are graded."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import WorkerOf
from hostile_files import FILES, Class, SharedPool, module_of
from hostile_house import POINTS, SLUG, House
from hostile_stock import StandIn

from autograde.grading.collect import find
from autograde.grading.engine import grade_class
from autograde.grading.sandbox import Sandbox
from autograde.grading.store import Store


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_hostile_file_costs_its_own_row_only(
    path: Path, house: House, stand_in: StandIn, sandbox: Sandbox, worker_of: WorkerOf, tmp_path: Path
) -> None:
    hostile, module = Class.begun(tmp_path, house, stand_in), module_of(path)
    module.build(hostile)
    if hasattr(module, "control"):
        module.control(hostile)
    outside = sorted(hostile.outside.iterdir())

    found = [*find(hostile.folder.parent, [SLUG])]
    with Store(tmp_path / "store") as store:
        rows = grade_class(found, {SLUG: house.lesson}, store, sandbox, SharedPool(worker_of()))
        kept = {row["student_id"]: row for _, row in store.rows()}

    scores = {row.student_id: row.score for row in rows}
    assert scores.pop("alice") == POINTS
    assert "mallory" in scores
    assert not any(scores.values()), rows
    assert all(row.message or row.exercises for row in rows)
    assert kept.keys() == {"alice", *scores}
    assert all(row["max_score"] in (POINTS, 0.0) for row in kept.values())
    assert sorted(hostile.outside.iterdir()) == outside
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class", "outside", "store"]
