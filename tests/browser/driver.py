"""A real JupyterLab, started by `make lab` on a copy of the course, and a real Chromium that works in it."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, Route, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
# Chromium's own errands (updates, field trials) would be requests of nobody's, so they are off.
CHROMIUM_ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOCAL = {"localhost", "127.0.0.1", "[::1]", "::1"}


def chromium_path() -> str | None:
    """Where Chromium is: CHROMIUM, or what a distribution calls it; None where there is none."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def port_is_free(port: int) -> bool:
    """Whether nobody answers on `port`."""
    with socket.socket() as caller:
        caller.settimeout(1)
        return caller.connect_ex(("127.0.0.1", port)) != 0


def copy_course(target: Path) -> Path:
    """Copy what git knows or would add to `target`, and return it: what a clone would hold, with today's edits."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        source = ROOT / name
        if source.is_file():  # a tracked file may be deleted just now
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


@dataclass
class Lab:
    """`make lab` in a folder: its process group, port, token and what it prints."""

    course: Path
    port: int
    token: str
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, course: Path, log: Path) -> Lab:
        """Start it and wait until it answers; RuntimeError with its output when it does not within a minute."""
        port, token, venv = free_port(), secrets.token_hex(8), sys.prefix
        command = [
            "make",
            f"VENV={venv}",
            f"--old-file={venv}/.ready",  # the environment that runs the tests is set up
            f"LAB_ARGS=--port={port} --ServerApp.port_retries=0 --IdentityProvider.token={token}",
            "lab",
        ]
        # No display: a person's browser must not open. No variables of an outer make, pytest or Jupyter either.
        outer = ("MAKE", "MFLAGS", "PYTEST", "JUPYTER", "DISPLAY", "WAYLAND_DISPLAY")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=course,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        lab = cls(course, port, token, process, log)
        deadline = time.monotonic() + 60
        while not lab.answers():
            if process.poll() is not None or time.monotonic() > deadline:
                lab.stop()
                raise RuntimeError(f"`make lab` does not answer:\n{lab.printed()}")
            time.sleep(0.2)
        return lab

    def answers(self) -> bool:
        """Whether the server answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/status?token={self.token}", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def start_kernel(self) -> None:
        """Start a kernel that belongs to no notebook."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/kernels?token={self.token}", data=b"{}")
        with urllib.request.urlopen(request, timeout=30):
            pass

    def address(self, path: str = "") -> str:
        """The address of `path` on this server, token included."""
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}"

    def printed(self) -> str:
        """What it has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> int:
        """Press Ctrl-C: SIGINT to the whole group, as a terminal does. Returns make's exit status."""
        try:
            os.killpg(self.process.pid, signal.SIGINT)
            return self.process.wait(timeout=20)
        except ProcessLookupError:
            return self.process.wait()
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise


@contextmanager
def chromium(**context_options: Any) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A new browser context, and the list of requests that wanted to leave this machine: each was aborted."""
    arguments = CHROMIUM_ARGUMENTS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    escaped: list[str] = []

    def stay(route: Route) -> None:
        url = urlsplit(route.request.url)
        if url.scheme in {"http", "https", "ws", "wss"} and url.hostname not in LOCAL:
            escaped.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=arguments)
        context = browser.new_context(viewport={"width": 1360, "height": 900}, **context_options)
        # Generous: a busy machine is no fault of the course.
        context.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)
        context.route("**/*", stay)
        try:
            yield context, escaped
        finally:
            browser.close()


class Notebook:
    """A notebook that is open in JupyterLab, handled as a person does: menus, mouse and keys."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        self.cell_count = len(cells)
        self._index = {
            cell["metadata"]["nbgrader"]["grade_id"]: index
            for index, cell in enumerate(cells)
            if "nbgrader" in cell["metadata"]
        }

    @classmethod
    def from_file_browser(cls, page: Page, lab: Lab, name: str) -> Notebook:
        """Open lessons/`name` by a double click in the file browser, and wait for its cells and kernel."""
        # Reset: a window in its first state, whatever an earlier page left behind.
        page.goto(lab.address("lab/tree/lessons") + "&reset")
        page.locator(".jp-DirListing-item", has_text=name).dblclick()
        notebook = cls(page, lab.course / "lessons" / name)
        expect(notebook.panel.locator(".jp-Cell")).to_have_count(notebook.cell_count)
        notebook.wait_for_kernel()
        return notebook

    def wait_for_kernel(self) -> None:
        """Wait until the kernel has started and is idle."""
        # The toolbar's indicator says idle before there is a kernel at all; the name beside it does not.
        expect(self.panel.locator(".jp-KernelName")).to_contain_text("Python 3", timeout=60_000)
        self.panel.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=60_000)

    def menu(self, title: str, item: str) -> None:
        """Choose `item` in the menu `title`."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{title}$")).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{re.escape(item)}$")).click()

    def run_all(self, seconds: float = 180) -> None:
        """Run every cell from top to bottom, and wait until none is waiting or running."""
        self.menu("Run", "Run All Cells")
        self.page.wait_for_function(
            """() => {
                const prompts = [...document.querySelectorAll(
                    '.jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell .jp-InputPrompt'
                )].map(prompt => prompt.textContent);
                return prompts.some(text => /\\d/.test(text)) && !prompts.some(text => text.includes('*'));
            }""",
            timeout=seconds * 1000,
        )

    def cell(self, grade_id: str) -> Locator:
        """The cell with this grade_id, scrolled into view."""
        cell = self.panel.locator(".jp-Cell").nth(self._index[grade_id])
        cell.scroll_into_view_if_needed()
        return cell

    def add_cell(self, source: str) -> Locator:
        """Add a code cell at the end and write `source` into it."""
        self.panel.locator(".jp-Cell").last.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("b")
        cell = self.panel.locator(".jp-Cell").last
        self.write(cell, source)
        return cell

    def write(self, cell: Locator, source: str) -> None:
        """Replace what the cell holds."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)
        expect(cell.locator(".cm-content")).to_have_text(source)

    def run(self, cell: Locator) -> str:
        """Run one cell and return the text that it shows."""
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.text_content()
        prompt.click()
        self.page.keyboard.press("Control+Enter")
        # A quick cell's [*] may never be seen, so the sign is a new number.
        expect(prompt).to_have_text(re.compile(r"\[\d+\]"))
        expect(prompt).not_to_have_text(before or "")
        return self.output(cell)

    def output(self, cell: Locator) -> str:
        """The text that the cell shows below itself."""
        return " ".join(cell.locator(".jp-OutputArea-output").all_inner_texts())

    def errors(self) -> list[str]:
        """The tracebacks that the notebook shows."""
        return self.panel.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.error']").all_inner_texts()
