"""Each layer of the sandbox is there for something: without it, one hostile submission succeeds that fails with it."""

from __future__ import annotations

import pytest
from conftest import WorkerOf
from hostile_case import ALL, NONE, WITHOUT
from hostile_files import FILES
from hostile_house import House

from autograde.grading import sandbox as box
from autograde.grading.sandbox import ALL_LAYERS, Sandbox, SandboxMissing, choose

# The control of this case switches off this layer, and what needs it.
SHOWN_BY = {
    "bubblewrap": "sees_what_else_is_there",
    "cgroup": "memory_of_many_processes",
    "pids": "daemon_left_behind",
    "namespaces": "leaves_shared_memory_for_the_next",
    "mounts": "leaves_a_file_for_the_next",
    "limits": "heap",
    "landlock": "landlock_only_read",
    "seccomp": "forbidden_system_calls",
    "capabilities": "raises_its_capabilities",
}
NEEDED_BY = {"namespaces": {"mounts"}}


@pytest.mark.parametrize("layer", ALL_LAYERS)
def test_a_case_shows_each_layer(layer: str) -> None:
    case = next(case for case in ALL if case.name == SHOWN_BY[layer])
    assert case.control.startswith(WITHOUT)
    assert set(case.off) == {layer} | NEEDED_BY.get(layer, set())


def test_there_are_more_than_sixty_hostile_submissions_and_each_has_a_control_or_says_why_not() -> None:
    assert len(ALL) + len(FILES) > 100
    assert sum(not case.control.startswith(NONE) for case in ALL) >= 60


def test_a_layer_that_is_off_is_named(sandbox: Sandbox) -> None:
    assert "landlock" in sandbox.without("landlock").label
    assert Sandbox(()).label == "not sandboxed"
    assert Sandbox(ALL_LAYERS).label == "sandboxed"


def test_required_refuses_where_a_layer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "is_offered", lambda name: name != "seccomp")
    with pytest.raises(SandboxMissing, match="lacks seccomp"):
        choose("required")


def test_a_missing_control_group_is_no_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "is_offered", lambda name: name != "cgroup")
    assert choose("required").off == ("cgroup",)


@pytest.mark.parametrize("off", [*((layer,) for layer in ALL_LAYERS if layer != "namespaces"), ALL_LAYERS])
def test_honest_submissions_are_graded_right_with_a_layer_off_or_with_none(
    off: tuple[str, ...], house: House, worker_of: WorkerOf
) -> None:
    assert house.grade(worker_of(*off), house.lesson, house.right).score == 14
