"""Pristine: the modules that tests and probes call, as they were before the first line of a submission ran.

Tests of a plain assignment run beside the learner's code, and so do probes. This keeps a patched torch.allclose from
passing a test, and a patched probe from claiming what it did not see. It is no wall: code in the same process that
knows this file can get around it. The walls are the sandbox, and the judge in another process.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

_MODULES = (
    "builtins",
    "math",
    "json",
    "json.encoder",
    "struct",
    "operator",
    "random",
    "contextlib",
    "unittest.case",
    "numpy",
    "numpy.testing",
    "torch",
    "torch.autograd",
    "torch.testing",
    "torch.testing._comparison",
    "torch.overrides",
    "torch.nn",
    "torch.nn.functional",
)
_CLASSES = (("torch", "Tensor"), ("torch.nn", "Module"), ("IPython.core.interactiveshell", "InteractiveShell"))
_OURS, _SKIPPED = "autograde", ("_", "__dict__", "__weakref__", "__builtins__")


class Pristine:
    """The attributes of modules and classes and the code of our own functions, to be put back."""

    def __init__(self) -> None:
        self._modules = dict(sys.modules)
        ours = [module for name, module in self._modules.items() if name.partition(".")[0] == _OURS]
        library = [module for name in _MODULES if isinstance(module := self._modules.get(name), ModuleType)]
        parts = [getattr(self._modules.get(name), attribute, None) for name, attribute in _CLASSES]
        own = {item for module in ours for item in vars(module).values() if _is_ours(item)}
        self._library = _Kept(library, [part for part in parts if isinstance(part, type)])
        self._ours = _Kept([builtins, *ours], list(own))
        self._code = [(f, f.__code__, f.__defaults__, f.__kwdefaults__) for f in {*_functions([*ours, *own])}]
        self._names: dict[str, ModuleType] = {}
        self._shell = _Shell()
        self._stop_tracing, self._stop_profiling = sys.settrace, sys.setprofile

    def keep_names(self, variables: dict[str, Any]) -> None:
        """Remember what a given cell imported: a test means that module by its name."""
        self._names |= {name: value for name, value in variables.items() if type(value) is ModuleType}

    def restore_probes(self) -> None:
        """Put back what probes are made of. What was added stays."""
        for function, code, defaults, named in self._code:
            if function.__code__ is not code:
                function.__code__ = code
            if function.__defaults__ is not defaults:
                function.__defaults__ = defaults
            if function.__kwdefaults__ is not named:
                function.__kwdefaults__ = named
        self._ours.restore()

    def restore(self, variables: dict[str, Any]) -> None:
        """Put back what tests call too, and the given modules' names among the variables: memory that probes spare."""
        self.restore_probes()
        self._stop_tracing(None)
        self._stop_profiling(None)
        sys.modules.update(self._modules)
        self._library.restore()
        self._shell.restore()
        variables.update(self._names)


class _Kept:
    """The attributes of some modules and classes."""

    def __init__(self, modules: Sequence[ModuleType], classes: Sequence[type]) -> None:
        self._modules = [(module.__dict__, _attributes(module)) for module in modules]
        self._classes = [(owner, _attributes(owner)) for owner in classes]
        self._set = type.__setattr__  # builtins may be patched: restoring looks no name up in them

    def restore(self) -> None:
        for namespace, attributes in self._modules:
            namespace.update(attributes)
        for owner, attributes in self._classes:
            now = owner.__dict__
            for name, value in attributes.items():
                if now.get(name, owner) is not value:
                    self._set(owner, name, value)


class _Shell:
    """IPython's shell: which methods are its own, and that nobody listens to its cells."""

    def __init__(self) -> None:
        ipython: Any = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        parts = [shell, shell.compile, shell.display_formatter, shell.events] if shell is not None else []
        self._kept = [(part, part.__dict__, {k: v for k, v in vars(part).items() if callable(v)}) for part in parts]
        self._listeners = list(shell.events.callbacks.values()) if shell is not None else []
        self._has = hasattr

    def restore(self) -> None:
        for part, now, own in self._kept:
            for name in [*now]:
                if name not in own and self._has(part.__class__, name) and self._has(now[name], "__call__"):
                    del now[name]
            now.update(own)
        for listeners in self._listeners:
            listeners.clear()
        if self._kept:
            self._kept[0][0].custom_exceptions = ()


def _attributes(owner: object) -> dict[str, Any]:
    return {name: value for name, value in vars(owner).items() if name not in _SKIPPED}


def _is_ours(item: object) -> bool:
    return isinstance(item, type) and item.__module__.partition(".")[0] == _OURS


def _functions(owners: list[Any]) -> Iterator[FunctionType]:
    """The functions that stand in modules or classes, properties and class methods included."""
    for owner in owners:
        for item in vars(owner).values():
            found = item.fget if isinstance(item, property) else getattr(item, "__func__", item)
            if isinstance(found, FunctionType):
                yield found
