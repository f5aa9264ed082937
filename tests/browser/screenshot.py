"""Look at a notebook: open it in JupyterLab, run it, and write pictures of all of it to build/screens/.

python tests/browser/screenshot.py lessons/04-widen-relu-narrow.ipynb [--themes light dark] [--width 1100] [--high 1400]
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from driver import ROOT, Lab, Notebook, chromium, copy_course
from playwright.sync_api import Page

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
SCREENS = ROOT / "build" / "screens"


def choose_theme(course: Path, theme: str) -> None:
    """Set JupyterLab's theme for the next page that opens on `course`."""
    settings = course / ".jupyter/lab/settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"theme": THEMES[theme]}), encoding="utf-8")


def take(page: Page, notebook: Notebook, stem: str, width: int, high: int) -> list[Path]:
    """Write the whole notebook as pictures `width` by `high` pixels; what has no such size is cut by the last one."""
    page.keyboard.press("Escape")
    page.keyboard.press("Control+b")  # the file browser is not of interest
    content = notebook.panel.locator(".jp-WindowedPanel-inner")
    # Twice: cells that were never on the screen have a guessed height until they are.
    for _ in range(2):
        page.set_viewport_size({"width": width, "height": 200 + int(content.evaluate("node => node.scrollHeight"))})
        notebook.panel.locator(".jp-WindowedPanel-outer").evaluate("node => node.scrollTo(0, 0)")
        page.wait_for_timeout(1500)
    page.mouse.move(0, 0)
    end = int(notebook.panel.locator(".jp-Cell").last.evaluate("node => node.getBoundingClientRect().bottom")) + 20
    pictures = []
    for number, top in enumerate(range(0, end, high), start=1):
        picture = SCREENS / f"{stem}-{number:02d}.png"
        height = min(high, end - top)
        page.screenshot(path=picture, clip={"x": 0, "y": top, "width": width, "height": height})
        pictures.append(picture)
    return pictures


def main() -> int:
    """Exit 1 when a cell raised or a request wanted to leave this machine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("notebook", type=Path, help="any .ipynb file; it is run in a copy of the course")
    parser.add_argument("--themes", nargs="+", choices=list(THEMES), default=list(THEMES))
    parser.add_argument("--width", type=int, default=1100, help="of the window, in pixels")
    parser.add_argument("--high", type=int, default=1400, help="of one picture, in pixels")
    options = parser.parse_args()

    SCREENS.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        course = copy_course(Path(folder) / "course")
        shutil.copy2(options.notebook, course / "lessons")
        lab = Lab.start(course, Path(folder) / "log.txt")
        try:
            for theme in options.themes:
                choose_theme(course, theme)
                with chromium() as (context, escaped):
                    page = context.new_page()
                    notebook = Notebook.from_file_browser(page, lab, options.notebook.name)
                    notebook.run_all()
                    stem = f"{options.notebook.stem}-{theme}"
                    for old in SCREENS.glob(f"{stem}-*.png"):
                        old.unlink()
                    for picture in take(page, notebook, stem, options.width, options.high):
                        print(picture.relative_to(ROOT))
                    faults += [*notebook.errors(), *escaped]
        finally:
            lab.stop()
    for fault in faults:
        print(f"Fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
