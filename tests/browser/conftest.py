"""Fixtures for tests in a real browser. All of them run in one xdist worker, so that they share one JupyterLab."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from driver import Lab, chromium, chromium_path, copy_course
from playwright.sync_api import Page

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course, to be worked in."""
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    return copy_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def lab(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab on the copy, as `make lab` starts it."""
    lab = Lab.start(course, tmp_path_factory.mktemp("lab") / "log.txt")
    yield lab
    lab.stop()


@pytest.fixture
def page() -> Iterator[Page]:
    """A new page; the test fails when anything on it asked another machine for something."""
    if chromium_path() is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed, and CI must not skip these tests")
        pytest.skip("Chromium is not installed; set CHROMIUM to its path if it is")
    with chromium() as (context, escaped):
        yield context.new_page()
    assert not escaped, f"requests that wanted to leave this machine: {escaped}"
