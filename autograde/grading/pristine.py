"""Pristine: what a plain assignment's tests call, as it was before the first line of a submission ran.

In-process tests run beside the learner's code, as everywhere; this keeps a patched torch.allclose from passing them,
no more.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

_MODULES = (
    "builtins",
    "math",
    "json",
    "struct",
    "operator",
    "random",
    "unittest.case",
    "numpy",
    "numpy.testing",
    "torch",
    "torch.testing",
    "torch.testing._comparison",
    "torch.nn",
    "torch.nn.functional",
)
_CLASSES = (("torch", "Tensor"), ("torch.nn", "Module"))


class Pristine:
    """The attributes of modules and classes, to be put back."""

    def __init__(self) -> None:
        self._kept: list[tuple[Any, dict[str, Any]]] = []
        for name in _MODULES:
            module = sys.modules.get(name)
            if isinstance(module, ModuleType):
                self._kept.append((module, dict(vars(module))))
        for name, attribute in _CLASSES:
            owner = getattr(sys.modules.get(name), attribute, None)
            if isinstance(owner, type):
                self._kept.append((owner, dict(vars(owner))))

    def restore(self) -> None:
        """Put back what was changed or removed; what was added stays."""
        for owner, attributes in self._kept:
            now = vars(owner)
            for name, value in attributes.items():
                if now.get(name, owner) is not value and name not in ("_", "__dict__", "__weakref__"):
                    setattr(owner, name, value)
