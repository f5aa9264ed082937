"""The notebook's shell: which answer cells failed, which names a learner shadowed, and where their variables live.

Uses IPython's cell events where IPython runs; elsewhere it only knows the variables.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import EllipsisType, ModuleType
from typing import Any

from autograde.evidence import Raised
from autograde.trace import raised

_SURFACE_CALL = re.compile(r"^\s*(?:autograde\.)?(check|hint|solution|progress|lesson|dimensions)\s*\(", re.MULTILINE)


class Shell:
    """What happened to a lesson's answer names in this session."""

    def __init__(
        self,
        names: Iterable[str] = (),
        imports: Mapping[str, str] | None = None,
        surface: Mapping[str, Any] | None = None,
        cells: Mapping[str, str] | None = None,
    ) -> None:
        """Know the answer names, where the lesson's imports come from, our own names, and each answer cell's name."""
        self.names = set(names)
        self._cells = dict(cells or {})
        self.failed: dict[str, Raised] = {}
        self._left: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self._imports = dict(imports or {})
        self._surface = dict(surface or {})
        self._ipython = _ipython()
        self._handlers: list[tuple[str, Callable[..., None]]] = []
        self._around = contextlib.ExitStack()

    @property
    def variables(self) -> dict[str, Any]:
        """The learner's variables."""
        return self._ipython.user_ns if self._ipython is not None else vars(sys.modules["__main__"])

    def watch(self) -> None:
        """Watch the cells from now on; each answer name gets its dots: a cell that never ran is not attempted."""
        for name in self.names:
            self.variables.setdefault(name, ...)
        if self._ipython is not None:
            for event, handler in (("pre_run_cell", self._before), ("post_run_cell", self._after)):
                self._ipython.events.register(event, handler)
                self._handlers.append((event, handler))

    def remember(self, before: Shell) -> None:
        """Take over what an earlier shell of this notebook knew of the same names."""
        self.failed |= {name: fault for name, fault in before.failed.items() if name in self.names}
        self.sources |= {name: source for name, source in before.sources.items() if name in self.names}
        self._left |= before._left

    def fault(self, name: str, answer: object) -> Raised | None:
        """What stopped the name's cell, if it still has no newer value, nor is another handed in."""
        is_another = answer is not ... and answer is not self._left.get(name, ...)
        if is_another or self._has_new_value(name):
            self._forgive(name)
        return self.failed.get(name)

    def others(self, known: Iterable[str]) -> list[str]:
        """Names that the learner gave a value, as far as can be told: none of the lesson's, Python's or ours."""
        ours = {*self.names, *self._imports, *self._surface, *known, "In", "Out"}
        found = [name for name in self.variables if name not in ours and not name.startswith("_")]
        return [name for name in found if not isinstance(self.variables[name], ModuleType | EllipsisType | None)]

    def _has_new_value(self, name: str) -> bool:
        return name in self.failed and self.variables.get(name, ...) is not self._left.get(name, ...)

    def _forgive(self, name: str) -> None:
        self.failed.pop(name, None)
        self._left.pop(name, None)

    def leave(self) -> None:
        """Stop watching."""
        for event, handler in self._handlers:
            self._ipython.events.unregister(event, handler)
        self._handlers.clear()

    def _before(self, info: Any) -> None:
        """A cell that calls ours gets ours back, whatever a learner named `check`; an answer cell meets clean names."""
        source = info.raw_cell or ""
        for name in set(_SURFACE_CALL.findall(source)) & set(self._surface):
            self.variables[name] = self._surface[name]
        own = assigned(source)
        if own & self.names:
            self._around.enter_context(self._cleaned(own))

    def _after(self, result: Any) -> None:
        self._around.close()
        source = result.info.raw_cell if result.info is not None else ""
        fault = result.error_before_exec or result.error_in_exec
        answers = self._answers(source or "", result.info)
        for name in answers:
            self.sources[name] = source
            if fault is not None and not _bound_before(source, name, fault):
                self.failed[name], self._left[name] = raised(fault), self.variables.get(name, ...)
            else:
                self._forgive(name)
        for name in [*filter(self._has_new_value, self.failed)]:  # set by an import, a magic, globals()
            self.sources[name] = source
            self._forgive(name)

    def _answers(self, source: str, info: Any) -> set[str]:
        """The answer names that a cell is about: those it assigns, and the one whose answer cell it is by its id."""
        own = self._cells.get(getattr(info, "cell_id", None) or "")
        return self.names & (assigned(source) | {own or ""})

    def clean(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Names that other cells shadowed (builtins, the lesson's imports) are themselves again while a probe runs."""
        return self._cleaned(assigned(self.sources.get(name, "")))

    def _imported(self, own: set[str]) -> dict[str, Any]:
        """What the lesson imports by name; what cannot be imported here is left as it is."""
        found = {}
        for alias, target in self._imports.items():
            if alias not in own:
                with contextlib.suppress(ImportError, AttributeError):
                    found[alias] = _resolve(target)
        return found

    @contextlib.contextmanager
    def _cleaned(self, own: set[str]) -> Iterator[None]:
        """The same around the answer cell itself; names that it assigns are its own."""
        variables = self.variables
        wanted = self._imported(own)
        shadowed = [key for key in variables if hasattr(builtins, key) and key not in own and not key.startswith("_")]
        saved = {key: variables[key] for key in [*shadowed, *wanted] if key in variables}
        for key in shadowed:
            del variables[key]
        variables.update(wanted)
        try:
            yield
        finally:
            for key in wanted.keys() - saved.keys():
                variables.pop(key, None)
            variables.update(saved)


def _ipython() -> Any:
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def _resolve(target: str) -> Any:
    module, _, attribute = target.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


def assigned(source: str) -> set[str]:
    """Names that a cell assigns at its top level; by pattern where Python cannot read the cell."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set(_by_pattern(source))
    return {name for statement in tree.body for name in _names(statement)}


def _by_pattern(source: str) -> list[str]:
    name = r"(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]+)?=(?!=)"
    found = re.findall(rf"^(?:(?:async\s+)?def|class)\s+(\w+)|^{name}", source, re.MULTILINE)
    return [name.strip() for defined, listed in found for name in (defined or listed).split(",")]


def _names(node: ast.AST) -> set[str]:
    """Names that a statement binds in the cell's own scope."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return set()
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()
    return own.union(*map(_names, ast.iter_child_nodes(node)))


def _bound_before(source: str, name: str, fault: BaseException) -> bool:
    """Whether a cell had assigned the name, for the last time, before the line where it failed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    ends = [statement.end_lineno or 0 for statement in tree.body if name in _names(statement)]
    trace = fault.__traceback__
    while trace is not None and trace.tb_frame.f_globals.get("__name__") != "__main__":
        trace = trace.tb_next
    return bool(ends) and trace is not None and trace.tb_lineno > max(ends)


def import_targets(source: str) -> dict[str, str]:
    """The names that a cell imports, each with where it comes from: {"nn": "torch:nn", "F": "torch.nn.functional"}."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {
                a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0]
                for a in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {a.asname or a.name: f"{node.module}:{a.name}" for a in node.names if a.name != "*"}
    return found
