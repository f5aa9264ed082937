"""`make lab` without a display: it prints the address, serves the course, and ends on Ctrl-C."""

from __future__ import annotations

from pathlib import Path

import psutil  # ipykernel brings it
import pytest
from driver import Lab, Notebook, port_is_free
from playwright.sync_api import Page, expect


@pytest.fixture
def own_lab(course: Path, tmp_path: Path) -> Lab:
    return Lab.start(course, tmp_path / "log.txt")


def test_prints_its_address_and_ends_on_ctrl_c(own_lab: Lab) -> None:
    printed = own_lab.printed()
    assert f"http://127.0.0.1:{own_lab.port}/lab/tree/lessons" in printed
    own_lab.start_kernel()
    started = psutil.Process(own_lab.process.pid).children(recursive=True)
    assert len(started) >= 2, "the server and a kernel"

    own_lab.stop()

    _, alive = psutil.wait_procs(started, timeout=20)
    assert alive == []
    assert port_is_free(own_lab.port)
    assert "Traceback" not in own_lab.printed()


def test_opens_on_the_lessons_without_asking_anything(lab: Lab, page: Page) -> None:
    page.goto(lab.address())
    expect(page.locator(".jp-DirListing-item", has_text="04-widen-relu-narrow.ipynb")).to_be_visible()
    expect(page.locator(".jp-Dialog")).to_have_count(0)
    # No question about news, and nothing of the instructor's in a learner's window.
    expect(page.locator(".jp-toastContainer button")).to_have_count(0)
    expect(page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader")).to_have_count(0)


def test_settings_stay_in_the_course(lab: Lab, page: Page) -> None:
    Notebook.from_file_browser(page, lab, "04-widen-relu-narrow.ipynb")
    assert (lab.course / ".jupyter" / "runtime").is_dir()
    assert not (lab.course / "lessons" / ".jupyter").exists()
