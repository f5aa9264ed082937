"""Checks that say exactly what went wrong, in a notebook; the same verdict when it is graded.

A lesson uses the names below. Authors and instructors use the command `autograde`.
"""

from autograde.notebook import check, dimensions, hint, lesson, progress, solution

__version__ = "0.1.0"
__all__ = ["check", "dimensions", "hint", "lesson", "progress", "solution"]
