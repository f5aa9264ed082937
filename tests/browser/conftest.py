"""Fixtures for tests in a real browser. All of them run in one xdist worker, so that they share one JupyterLab."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from driver import ROOT, Lab, chromium, chromium_path, copy_course
from playwright.sync_api import Error, Page

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test says what the page looked like and what JupyterLab printed."""
    report = yield
    fixtures = getattr(item, "funcargs", {})
    if report.when == "call" and report.failed and item.path.is_relative_to(HERE):
        if isinstance(page := fixtures.get("page"), Page):
            picture = ROOT / "build" / "screens" / f"failed-{item.name}.png"
            with contextlib.suppress(Error):
                page.screenshot(path=picture)
                report.sections.append(("the page", str(picture)))
        if isinstance(lab := fixtures.get("lab"), Lab):
            report.sections.append(("make lab printed last", lab.printed()[-4000:]))
    return report


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
