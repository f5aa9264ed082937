"""Errors that are told in one line: what went wrong and what to do next, without our own frames."""

from __future__ import annotations


class Told(Exception):
    """An error of how a notebook calls us; the cell fails, and IPython shows the message alone."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def _render_traceback_(self) -> list[str]:
        """What IPython asks an exception for that shows itself."""
        return [f"{type(self).__name__}: {self}"]
