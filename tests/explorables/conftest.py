"""Node runs a picture's JavaScript, Chromium shows it on a page of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from explorables.page import page as html_of
from explorables.picture import Picture

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def node() -> Callable[[str, str], Any]:
    """Run JavaScript behind a module of explorables/, whose names it can use; gives back what `answer(...)` is told."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed, so JavaScript's sums cannot be compared with torch's")

    def run(module: str, code: str) -> Any:
        source = (ROOT / "explorables" / module).read_text(encoding="utf-8")
        script = f"{source}\nconst answer = (value) => console.log(JSON.stringify(value));\n{code}"
        command = [program, "--input-type=module", "-"]
        done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file: while it is open no test beside them could run an event loop of its own."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("Chromium is not installed; set CHROMIUM to its path if it is")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Show a picture on a page from the disk, without a kernel; a fault or a request to anywhere fails the test."""
    faults: list[str] = []
    contexts = []

    def hears(request: Request) -> None:
        if not request.url.startswith(("file:", "blob:", "data:")):
            faults.append(f"a request to {request.url}")

    def open_page(picture: Picture, width: int = 1280, height: int = 800, **context: Any) -> Page:
        file = tmp_path / "picture.html"
        file.write_text(html_of(picture, "A feed-forward that can be dragged"), encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        page.on("request", hears)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.goto(file.as_uri())
        page.wait_for_function("window.picture && document.querySelector('.ff-story').textContent")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def screens() -> Path:
    """Where screenshots go, to be looked at: build/screens/."""
    folder = ROOT / "build" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
