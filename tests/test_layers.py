"""Imports run downward only: cli -> grading, authoring -> the shared modules; explorables stands alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograde
import explorables

ROOT = Path(__file__).resolve().parents[1]
OURS = ("autograde", "explorables")
MODULES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))
SHARED = {path.stem for path in (ROOT / "autograde").glob("*.py")}
LESSONS = sorted((ROOT / "solutions").glob("*.py"))
# Author cells, which are not released, use this one too.
AUTHORS = "exercise"


def name(path: Path) -> str:
    """A file's dotted name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(source: str) -> Iterator[str]:
    """The dotted names that a source imports, wherever in it, as `module` or `module.name`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(path: Path) -> list[str]:
    """What a file imports of this project's packages."""
    return [found for found in imports(path.read_text(encoding="utf-8")) if found.split(".")[0] in OURS]


def layer(dotted: str) -> str:
    """cli, grading, authoring, explorables, or shared."""
    parts = dotted.split(".")
    if parts[0] == "explorables":
        return "explorables"
    return parts[1] if len(parts) > 1 and parts[1] in ("cli", "grading", "authoring") else "shared"


# What each layer may import besides itself. A grader has the lessons' pictures ready; what a learner imports has not.
BELOW: dict[str, set[str]] = {
    "shared": set(),
    "explorables": set(),
    "authoring": {"shared"},
    "grading": {"shared", "explorables"},
    "cli": {"authoring", "grading", "shared"},
}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_imports_only_its_own_layer_and_those_below(path: Path) -> None:
    own = layer(name(path))
    above = [found for found in ours(path) if layer(found) not in BELOW[own] | {own}]
    assert above == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_module_is_called_by_a_word_that_says_nothing(path: Path) -> None:
    assert not {"utils", "util", "helpers", "common", "manager", "misc"} & set(name(path).split("."))


def test_the_shared_modules_import_each_other_in_no_circle() -> None:
    graph = {
        path.stem: {found.split(".")[1] for found in top_level(path) if found.split(".")[1] in SHARED}
        for path in (ROOT / "autograde").glob("*.py")
        if path.stem != "__init__"
    }
    while graph:
        free = {module for module, needs in graph.items() if not needs & graph.keys()}
        assert free, f"a circle among {sorted(graph)}"
        graph = {module: needs for module, needs in graph.items() if module not in free}


def top_level(path: Path) -> list[str]:
    """What a file imports of autograde when it is imported itself."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    lines = "\n".join(ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom))
    return [found for found in imports(lines) if found.startswith("autograde.")]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_imports_only_names_that_are_meant_for_it(path: Path) -> None:
    allowed = {f"autograde.{each}" for each in (*autograde.__all__, AUTHORS)}
    allowed |= {f"explorables.{each}" for each in explorables.__all__}
    assert set(ours(path)) <= allowed


def test_the_reading_of_imports_sees_them_all() -> None:
    source = "import a.b as c\ndef f():\n    from d.e import g, h\nif True:\n    import i\n"
    assert sorted(imports(source)) == ["a.b", "d.e.g", "d.e.h", "i"]
    assert len(MODULES) > 30
    assert {layer(name(path)) for path in MODULES} >= {"shared", "authoring", "cli", "explorables"}
    assert layer("autograde.grading.run") == "grading"
    assert layer("autograde.judge") == layer("autograde") == "shared"
