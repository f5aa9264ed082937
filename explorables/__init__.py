"""Interactive pictures for the lessons: alive in a notebook, and on a page that has no kernel."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from explorables.palette import COLOURS, use_style

if TYPE_CHECKING:
    from explorables.feed_forward import FeedForwardPicture

# A picture's module brings in anywidget, which is slow to import: each is read when its name is first asked for.
_PICTURES = {"FeedForwardPicture": "explorables.feed_forward"}

__all__ = ["COLOURS", "FeedForwardPicture", "use_style"]


def __getattr__(name: str) -> Any:
    """Import the picture called `name`; AttributeError where there is none."""
    if name not in _PICTURES:
        raise AttributeError(f"module 'explorables' has no attribute {name!r}")
    return getattr(import_module(_PICTURES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PICTURES])
