"""Mutants: how strong a check is. A solution is changed by one small edit at a time; a good check notices.

After DeMillo, Lipton and Sayward, "Hints on test data selection: help for the practicing programmer" (1978).
An edit that changes nothing a caller can see is no fault of the check: the author says so in `equivalent`, by the
statement as it reads after the edit.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from autograde.authoring.faults import Fault
from autograde.authoring.verify import VERIFY_SEED
from autograde.authoring.workshop import Bench
from autograde.exercise import Code
from autograde.judge import judge
from autograde.rubric import CodeRubric

_BATCH = 12
_EITHER_WAY = ("transpose", "swapaxes", "maximum", "minimum")
"""Functions whose first two arguments may change places."""
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """The solution after one edit: its code, and the statement that changed, before and after."""

    source: str
    before: str
    after: str


def mutants(source: str) -> list[Mutant]:
    """Every edit of a solution: another operator, constant or axis, swapped arguments, a dropped statement."""
    tree = ast.parse(source)
    found: dict[str, Mutant] = {}
    for at, statement in enumerate(_statements(tree)):
        before = _head(statement)
        for i in range(sum(1 for _ in _edits(copy.deepcopy(statement)))):
            other = copy.deepcopy(tree)
            changed = list(_statements(other))[at]
            edit = list(_edits(changed))[i]
            edit()
            _keep(found, other, before, _head(changed))
        other = copy.deepcopy(tree)
        if _drop(other, at):
            _keep(found, other, before, f"(dropped) {before}")
    unchanged = ast.unparse(tree)
    return [mutant for code, mutant in found.items() if code != unchanged]


def _keep(found: dict[str, Mutant], tree: ast.Module, before: str, after: str) -> None:
    code = ast.unparse(ast.fix_missing_locations(tree))
    found.setdefault(code, Mutant(code, before, after))


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements, outer ones first; docstrings are none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_text(node):
            yield node


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _head(statement: ast.stmt) -> str:
    """A statement's text, a compound one's first line."""
    bare = copy.deepcopy(statement)
    if getattr(bare, "body", None):
        for block in ("body", "orelse", "finalbody", "handlers"):
            if getattr(bare, block, None):
                setattr(bare, block, [ast.Pass()] if block == "body" else [])
    return ast.unparse(ast.fix_missing_locations(bare)).removesuffix("\n    pass")


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement itself: not those of the statements in it, nor of annotations."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            items = value if isinstance(value, list) else [value]
            waiting += [item for item in items if isinstance(item, ast.AST) and not isinstance(item, ast.stmt)]


def _edits(statement: ast.stmt) -> Iterator[Callable[[], None]]:
    for node in _own(statement):
        if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in _OTHER:
            yield _setting(node, "op", _OTHER[type(node.op)]())
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
            yield _setting(node, "ops", [_OTHER[type(node.ops[0])](), *node.ops[1:]])
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            yield _setting(node, "op", ast.UAdd())
        elif isinstance(node, ast.Call) and len(node.args) > 1 and _called(node) not in _EITHER_WAY:
            yield _setting(node, "args", [node.args[1], node.args[0], *node.args[2:]])
        elif isinstance(node, ast.Constant) and (other := _another(node.value)) is not None:
            yield _setting(node, "value", other)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _setting(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _another(value: object) -> object:
    """Another constant; None where there is none worth trying (a text)."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return 2 * value + (value == 0) if isinstance(value, float) else None


def _drop(tree: ast.Module, at: int) -> bool:
    """Leave one statement out; False where nothing would be left of what was asked for."""
    victim = list(_statements(tree))[at]
    for parent in ast.walk(tree):
        for block in ("body", "orelse"):
            items = getattr(parent, block, None)
            if isinstance(items, list) and any(item is victim for item in items):
                rest = [item for item in items if item is not victim]
                if parent is tree:
                    return False
                setattr(parent, block, rest or [ast.Pass()])
                return True
    return False


@dataclass
class Strength:
    """How many edits of a lesson's solutions its checks notice, and how many of the others are explained."""

    all: int = 0
    caught: int = 0
    explained: int = 0
    faults: list[Fault] = field(default_factory=list)

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Strength:
        """From JSON data."""
        return Strength(**data | {"faults": [Fault(**fault) for fault in data["faults"]]})


def at_bench(strength: Strength) -> Callable[[Bench], None]:
    """What to do at each exercise of a lesson whose checks are measured."""

    def measure_here(bench: Bench) -> None:
        if isinstance(bench.exercise, Code) and bench.exercise.kind != "experiment":
            _measure(bench, bench.exercise, strength)

    return measure_here


def _measure(bench: Bench, exercise: Code, strength: Strength) -> None:
    found = mutants(bench.solution)
    unnoticed = [mutant for mutant, noticed in zip(found, _noticed(bench, found), strict=True) if not noticed]
    strength.all += len(found)
    strength.caught += len(found) - len(unnoticed)
    for mutant in unnoticed:
        if mutant.after in exercise.equivalent:
            strength.explained += 1
            continue
        what = f"no check notices `{mutant.after}` for `{mutant.before}`"
        todo = "Draw inputs that tell them apart, or say in `equivalent` why nobody can"
        strength.faults.append(bench.lesson.fault(bench.task.exercise, what, todo, bench.task.id))
    for after in exercise.equivalent.keys() - {mutant.after for mutant in unnoticed}:
        what = f"`equivalent` explains `{after}`, which is no unnoticed edit"
        strength.faults.append(bench.lesson.fault(bench.task.exercise, what, "Take it out", bench.task.id))


def _noticed(bench: Bench, found: list[Mutant]) -> list[bool]:
    """Whether both paths, the notebook's inputs and drawn ones, refuse a mutant."""
    noticed = [True] * len(found)
    for rubric in (bench.rubric(), bench.rubric(VERIFY_SEED)):
        assert isinstance(rubric, CodeRubric)
        for start in range(0, len(found), _BATCH):
            batch = found[start : start + _BATCH]
            evidences = bench.evidences(rubric.plan, [(mutant.source, 0) for mutant in batch])
            for i, evidence in enumerate(evidences, start):
                noticed[i] &= judge(rubric, evidence).status != "passed"
    return noticed
