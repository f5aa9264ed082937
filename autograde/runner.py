"""Running a lesson's cells in this process, in an IPython shell without a kernel.

Magics, top-level await and display work as in a notebook.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from typing import Any

from autograde.evidence import Raised
from autograde.trace import raised


@dataclass(frozen=True)
class Ran:
    """What a cell did: the text that it showed (prints, results, text in figures), and what it raised."""

    text: str
    fault: Raised | None
    result: Any = None


class Runner:
    """A fresh set of variables in which cells are run in order."""

    def __init__(self) -> None:
        os.environ.setdefault("IPYTHONDIR", tempfile.mkdtemp(prefix="autograde-ipython-"))
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        InteractiveShell.clear_instance()
        shell: Any = InteractiveShell.instance(config=config)
        shell.display_formatter.active_types = ["text/plain", "text/html", "text/markdown"]
        shell.ask_exit = sys.exit  # exit() and quit() end their cell, where a kernel would be gone
        self._shell = shell
        if "" not in sys.path:
            sys.path.insert(0, "")

    @property
    def variables(self) -> dict[str, Any]:
        """The cells' variables."""
        return self._shell.user_ns  # type: ignore[no-any-return]

    def run(self, source: str, cell_id: str = "") -> Ran:
        """Run one cell; what it shows is kept."""
        from IPython.utils.capture import capture_output

        with capture_output() as captured:
            result = self._shell.run_cell(source, store_history=False, cell_id=cell_id or None)
            figures = _figure_text()
        shown = [captured.stdout, captured.stderr, *figures]
        for output in captured.outputs:
            shown += [str(text) for kind, text in output.data.items() if kind.startswith("text/")]
        return _ran(result, "\n".join(text for text in shown if text))

    def run_aloud(self, source: str, cell_id: str = "") -> Ran:
        """Run one cell; what it shows goes to standard output, however much that is."""
        return _ran(self._shell.run_cell(source, store_history=False, cell_id=cell_id or None), "")

    def without_terminal(self) -> None:
        """Let `!command` run without a pseudo terminal: a sandbox has none."""
        self._shell.system = self._shell.system_raw

    def ignore_magic(self, name: str) -> None:
        """Make a line magic do nothing."""
        self._shell.register_magic_function(lambda line: None, "line", name)

    def forget_transformers(self) -> None:
        """Undo what cells did to how cells are read, compiled and shown."""
        self._shell.ast_transformers.clear()
        self._shell.input_transformers_cleanup.clear()
        self._shell.input_transformers_post.clear()


def _ran(result: Any, text: str) -> Ran:
    fault = result.error_before_exec or result.error_in_exec
    return Ran(text, raised(fault) if fault is not None else None, result.result)


def _figure_text() -> list[str]:
    """Every text in the figures that are open, as matplotlib draws it; closes them, as an inline notebook does."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    from matplotlib.text import Text

    found = []
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        figure.canvas.draw()
        found += [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    pyplot.close("all")
    return found
