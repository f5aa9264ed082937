"""What every picture is: an anywidget whose JavaScript modules are joined into one, with no import left."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

_HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)


def join(entry: str) -> str:
    """One ES module from `entry` ("feed_forward.js") and all that it imports; FileNotFoundError where one is missing.

    A notebook and a page from a disk can load one module without imports, and no more. Each imported module becomes a
    closure that gives back its exports, so that two modules may use one name for different things.
    """
    parts: list[str] = []
    _append(entry.removesuffix(".js"), parts, seen=set())
    return "\n".join(parts)


def _append(name: str, parts: list[str], seen: set[str], *, is_entry: bool = True) -> None:
    text = (_HERE / f"{name}.js").read_text(encoding="utf-8")
    for match in _IMPORT.finditer(text):
        if match[2] not in seen:
            seen.add(match[2])
            _append(match[2], parts, seen, is_entry=False)
    text = _IMPORT.sub(r"const \1 = $\2;", text)
    if is_entry:
        parts.append(text)
        return
    exports = ", ".join(_EXPORT.findall(text))
    parts.append(f"const ${name} = (() => {{\n{_EXPORT.sub('', text)}\nreturn {{ {exports} }};\n}})();")


def style(*names: str) -> str:
    """The style sheets of a picture, joined."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


# What every widget has: layout, tooltip and the like, which a page has no use for.
_INHERITED = frozenset(anywidget.AnyWidget.class_trait_names())


class Numbers(traitlets.TraitType[Any, Any]):
    """Nested lists of finite numbers, `depth` deep; takes a tensor or an array too. TraitError for anything else."""

    def __init__(self, default: Any, *, depth: int) -> None:
        super().__init__(default_value=default)
        self.depth = depth
        self.info_text = ("a number", "a list of numbers", "a list of lists of numbers")[depth]
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> Any:
        """`value` as plain floats."""
        plain = value.tolist() if hasattr(value, "tolist") else value  # torch, numpy
        try:
            return _floats(plain, self.depth)
        except (TypeError, ValueError):
            self.error(obj, value)


def _floats(value: Any, depth: int) -> Any:
    if depth:
        if isinstance(value, str):
            raise TypeError(value)
        return [_floats(item, depth - 1) for item in value]
    number = float(value)
    if number - number != 0:  # infinite, or not a number: a browser's JSON has neither
        raise ValueError(value)
    return number


class Picture(anywidget.AnyWidget):
    """A picture of the course, alive in a notebook; `explorables.page.page` shows it without a kernel."""

    def embedded(self) -> dict[str, Any]:
        """The state that a page needs to show the picture: its own traits, its module and its style."""
        own = [name for name in self.keys if not name.startswith("_") and name not in _INHERITED]
        state: dict[str, Any] = self.get_state([*own, "_esm", "_css"])
        return state
