"""Workers, canaries and a stand-in for stock nbgrader, shared by all hostile tests."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile_house import Canary, House
from hostile_stock import StandIn
from tiny import TinyCourse

from autograde.grading.run import Worker
from autograde.grading.sandbox import Sandbox, choose

HERE = Path(__file__).parent
WorkerOf = Callable[..., Worker]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("hostile"))
            if not sys.platform.startswith("linux"):
                item.add_marker(pytest.mark.skip(reason="the sandbox is Linux's"))


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """All layers that this machine offers."""
    with pytest.MonkeyPatch.context() as patch:  # what a control group holds, small enough to be reached here
        patch.setattr("autograde.grading.sandbox._MEMORY_BYTES", 700 << 20)
        yield choose("best")


@pytest.fixture(scope="session")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    """What no submission may read or change."""
    planted = Canary.planted(tmp_path_factory.mktemp("outside") / "class")
    yield planted
    planted.close()


@pytest.fixture(scope="session")
def house(built: TinyCourse, canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> House:
    """The lesson and the plain assignment, ready to grade."""
    return House(built, tmp_path_factory.mktemp("hostile-store"), canary)


@pytest.fixture(scope="session")
def worker_of(sandbox: Sandbox, canary: Canary) -> Iterator[WorkerOf]:
    """A warm worker by the layers that it leaves out; each is started once."""
    with contextlib.ExitStack() as stack:
        known: dict[tuple[str, ...], Worker] = {}

        def of(*left_out: str) -> Worker:
            # Without bubblewrap only root can make the child's own namespaces; `choose` says the same.
            more = ("pids", "namespaces", "mounts") if "bubblewrap" in left_out and os.getuid() != 0 else ()
            off = tuple(dict.fromkeys((*left_out, *more)))
            if off not in known:
                known[off] = stack.enter_context(Worker(sandbox.without(*off)))
            elif not known[off].is_running:
                known[off].start()
            return known[off]

        yield of


@pytest.fixture(scope="session")
def stand_in(canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandIn]:
    """Grading as stock nbgrader does it: code and tests in one process."""
    other = (canary.folder / "other.ipynb").read_text()
    with StandIn(tmp_path_factory.mktemp("stock"), canary.folder / "other.ipynb", other) as process:
        yield process
