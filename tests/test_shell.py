"""The shell knows which answer cells failed and which names a learner shadowed."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from notebooks import Notebook, notebook

from autograde.shell import Shell, assigned, import_targets


@pytest.fixture
def cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    """A fresh notebook."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    with notebook() as opened:
        yield opened


@pytest.fixture
def shell(cells: Notebook) -> Iterator[Shell]:
    """A shell that watches for `answer` and `Answer`."""
    watching = Shell(["answer", "Answer"], {"torch": "torch", "nn": "torch:nn"}, {"check": "ours", "hint": "ours too"})
    watching.watch()
    yield watching
    watching.leave()


class TestAssigned:
    @pytest.mark.parametrize(
        ("source", "names"),
        [
            ("a = 1", {"a"}),
            ("a = b = 1", {"a", "b"}),
            ("a, (b, *c) = x", {"a", "b", "c"}),
            ("a: int = 1", {"a"}),
            ("a += 1", {"a"}),
            ("(a := 1)", {"a"}),
            ("a.b = 1\nc[0] = 1", set()),
            ("def f(x):\n    y = 1", {"f"}),
            ("async def f(): ...", {"f"}),
            ("class C(Base):\n    x = 1\n    def m(self): ...", {"C"}),
            ("@decorated\ndef f(): ...", {"f"}),
            (
                "import torch\nimport torch.nn as n\nfrom math import pi, e as euler\nimport a.b",
                {"torch", "n", "pi", "euler", "a"},
            ),
            ("for i in x:\n    a = i\nelse:\n    b = 1", {"i", "a", "b"}),
            ("if x:\n    def f():\n        inner = 1\nelse:\n    class C: ...", {"f", "C"}),
            ("try:\n    a = 1\nexcept E:\n    b = 1\nfinally:\n    c = 1", {"a", "b", "c"}),
            ("with open(x) as f:\n    a = 1", {"f", "a"}),
            ("[a for a in x]\n{b: c for b, c in x}\nany(d for d in x)", set()),
            ("f = lambda x: (y := x)", {"f"}),
            ("print(a == 1, a)", set()),
            ("f(a=1)", set()),
            ("# a = 1\n'''\nb = 1\n'''", set()),
            ("", set()),
        ],
    )
    def test_the_names_that_a_cell_binds_at_its_top(self, source: str, names: set[str]) -> None:
        assert assigned(source) == names

    @pytest.mark.parametrize(
        ("source", "names"),
        [
            ("a = 131,072", {"a"}),
            ("a=", {"a"}),
            ("a: int = (1", {"a"}),
            ("a, b = 1, 01", {"a", "b"}),
            ("def f(x)\n    y = 1", {"f"}),
            ("class C(nn.Module)\n    pass", {"C"}),
            ("async def f(:", {"f"}),
            ("%%time\na = 1", {"a"}),
            ("!ls\na = 1\nb == 2", {"a"}),
            ("f(x=1,\ny = 01)", {"y"}),
            ("a == (", set()),
            ("if x = 1:", set()),
            ("a = '\0'", {"a"}),
        ],
    )
    def test_a_cell_that_python_cannot_read_is_read_by_its_look(self, source: str, names: set[str]) -> None:
        assert assigned(source) == names


def test_what_a_cell_imports_and_where_it_comes_from() -> None:
    source = """
import torch
import torch.nn.functional as F
from torch import nn, Tensor as T
import os.path
from x import *
from . import y
"""
    assert import_targets(source) == {
        "torch": "torch",
        "F": "torch.nn.functional",
        "nn": "torch:nn",
        "T": "torch:Tensor",
        "os": "os",
    }
    assert import_targets("import torch\nx = 1 +") == {}


class TestWatching:
    def test_an_answer_begins_with_its_dots_and_keeps_what_it_had(self, cells: Notebook) -> None:
        cells.run("kept = 3")
        watching = Shell(["kept", "fresh"])
        watching.watch()
        assert (cells.variables["kept"], cells.variables["fresh"]) == (3, ...)
        watching.leave()

    def test_a_cell_that_ran_is_remembered(self, cells: Notebook, shell: Shell) -> None:
        cells.run("answer = 3", "other = 4")
        assert shell.sources == {"answer": "answer = 3"}
        assert shell.failed == {}

    @pytest.mark.parametrize(
        ("cell", "type_", "line", "code"),
        [
            ("# mine\nanswer = 131,072", "SyntaxError", 2, "answer = 131,072"),
            ("answer = 1 / 0", "ZeroDivisionError", 1, "answer = 1 / 0"),
            ("x = undefined\nanswer = 1", "NameError", 1, "x = undefined"),
            ("answer = ...\n\nanswer = 1 / 0", "ZeroDivisionError", 3, "answer = 1 / 0"),
            ("answer = (1 +\n  1 / 0)", "ZeroDivisionError", 2, "1 / 0)"),
            ("for i in range(3):\n    answer = i\n    1 / 0", "ZeroDivisionError", 3, "1 / 0"),
            ("def f():\n    return 1 / 0\nanswer = f()", "ZeroDivisionError", 2, "return 1 / 0"),
            ("class Answer:\nx = 1", "IndentationError", 2, "x = 1"),
            ("class Answer(undefined): ...", "NameError", 1, "class Answer(undefined): ..."),
            ("raise KeyboardInterrupt\nanswer = 1", "KeyboardInterrupt", 1, "raise KeyboardInterrupt"),
            ("return 3\nanswer = 1", "SyntaxError", 1, "return 3"),
        ],
    )
    def test_a_cell_that_failed_is_remembered_with_the_learners_line(
        self, cells: Notebook, shell: Shell, cell: str, type_: str, line: int, code: str
    ) -> None:
        cells.fail(cell)
        (fault,) = shell.failed.values()
        assert (fault.type, fault.line, fault.code) == (type_, line, code)

    @pytest.mark.parametrize(
        "cell", ["answer = 3\n1 / 0", "class Answer: ...\n\nAnswer().go()", "answer = 3\nassert answer == 4"]
    )
    def test_a_failure_after_the_answer_was_given_is_none_of_it(self, cells: Notebook, shell: Shell, cell: str) -> None:
        cells.fail(cell)
        assert shell.failed == {}

    def test_a_cell_of_another_matter_fails_for_itself(self, cells: Notebook, shell: Shell) -> None:
        cells.run("answer = 3")
        cells.fail("answer + undefined")
        cells.fail("other = 1 / 0")
        assert shell.failed == {}

    def test_a_mended_cell_has_not_failed(self, cells: Notebook, shell: Shell) -> None:
        cells.fail("answer = 1 / 0")
        cells.run("answer = 1")
        assert shell.failed == {}

    @pytest.mark.parametrize(
        "cell",
        [
            "globals()['answer'] = 1",
            "exec('answer = 1')",
            "from math import pi as number\nvars()['answer'] = number",
            "get_ipython().push({'answer': 1})",
            "globals()['answer'] = 1\nundefined",
        ],
    )
    def test_a_failure_ends_when_any_later_cell_gives_a_value(self, cells: Notebook, shell: Shell, cell: str) -> None:
        cells.fail("answer = 1 / 0")
        (cells.fail if "undefined" in cell else cells.run)(cell)
        assert shell.failed == {}
        assert shell.sources["answer"] == cell

    def test_a_failure_lasts_while_the_name_holds_what_it_held(self, cells: Notebook, shell: Shell) -> None:
        cells.run("answer = [1]")
        cells.fail("answer = 1 / 0")
        cells.run("other = 1", "print(answer)")
        assert shell.fault("answer", cells.variables["answer"]) is not None
        assert shell.fault("answer", ...) is not None

    def test_another_value_that_is_handed_in_ends_it_too(self, cells: Notebook, shell: Shell) -> None:
        cells.fail("answer = 1 / 0")
        assert shell.fault("answer", [2]) is None
        assert shell.failed == {}

    def test_a_shell_that_takes_over_knows_what_the_name_held(self, cells: Notebook, shell: Shell) -> None:
        cells.fail("answer = 1 / 0")
        later = Shell(["answer"])
        later.remember(shell)
        assert later.fault("answer", ...) is not None
        cells.variables["answer"] = 3
        assert later.fault("answer", ...) is None

    def test_the_names_that_a_learner_chose(self, cells: Notebook) -> None:
        watching = Shell(["answer"], {"nn": "torch:nn"}, {"check": "ours"})
        watching.watch()
        cells.run("import math\nnn = check = given = 1\nanswr = 2\n_private = None\nempty = ...\nclass Anser: ...")
        assert set(watching.others(["given"])) - {"exit", "quit", "open", "get_ipython"} == {"answr", "Anser"}
        watching.leave()

    def test_magics_do_no_harm(self, cells: Notebook, shell: Shell) -> None:
        cells.run("%%capture\nanswer = 3")
        assert cells.variables["answer"] == 3
        assert set(shell.sources) == {"answer"}
        cells.run("%time answer = 4")
        assert shell.failed == {}

    def test_after_leaving_nothing_is_noticed(self, cells: Notebook, shell: Shell) -> None:
        shell.leave()
        cells.fail("answer = 1 / 0")
        assert shell.failed == {}

    @pytest.mark.parametrize("call", ["check", "  check", "print(1)\ncheck"])
    def test_a_cell_that_calls_a_shadowed_name_of_ours_gets_ours_back(
        self, cells: Notebook, shell: Shell, call: str
    ) -> None:
        cells.run("check = hint = 'mine'")
        if not call.startswith(" "):
            cells.fail(f"{call}('x', 3)")  # "ours" is a text here, so it cannot be called
            assert cells.variables["check"] == "ours"
        else:
            cells.fail(f"if True:\n{call}('x', 3)")
            assert cells.variables["check"] == "ours"
        assert cells.variables["hint"] == "mine"


class TestClean:
    def test_shadowed_names_are_themselves_inside_and_the_learners_outside(self, cells: Notebook, shell: Shell) -> None:
        cells.run("list = [1]\nsum = 3\ntorch = 'mine'\nother = 'mine'", "answer = 1")
        with shell.clean("answer"):
            assert "list" not in cells.variables
            assert "sum" not in cells.variables
            assert cells.variables["torch"] is torch
            assert cells.variables["nn"] is torch.nn
            assert cells.variables["other"] == "mine"
        assert cells.variables["list"] == [1]
        assert cells.variables["sum"] == 3
        assert cells.variables["torch"] == "mine"
        assert "nn" not in cells.variables

    def test_names_of_the_answer_cell_itself_stay_the_learners(self, cells: Notebook, shell: Shell) -> None:
        cells.run("def sum(x): return 0\nimport math as torch\nanswer = 1")
        mine = cells.variables["sum"]
        with shell.clean("answer"):
            assert cells.variables["sum"] is mine
            assert cells.variables["torch"].__name__ == "math"

    def test_names_come_back_after_a_fault_too(self, cells: Notebook, shell: Shell) -> None:
        cells.run("list = [1]")
        with pytest.raises(ZeroDivisionError), shell.clean("answer"):
            _ = 1 / 0
        assert cells.variables["list"] == [1]

    def test_pythons_own_names_are_never_touched(self, cells: Notebook, shell: Shell) -> None:
        before = vars(builtins).copy()
        cells.run("list = print = len = None")
        with shell.clean("answer"):
            assert vars(builtins) == before
        assert vars(builtins) == before


def test_without_ipython_the_variables_are_those_of_the_script() -> None:
    shell = Shell(["never_assigned_anywhere"])
    shell.watch()
    variables: dict[str, Any] = vars(sys.modules["__main__"])
    assert shell.variables is variables
    assert variables.pop("never_assigned_anywhere") is ...
    shell.leave()
