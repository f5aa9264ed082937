"""A notebook without a kernel, and a sealed lesson of three exercises to work on in it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograde import exercise, seal
from autograde.evidence import Evidence, Plain
from autograde.exercise import Typed
from autograde.plain import plain
from autograde.plan import plan_of
from autograde.rubric import CodeRubric, KnownWrong, Rubric, typed_rubric
from autograde.verdict import Verdict

COURSE, LESSON = "tiny-course", "first-steps"
SOLVED = "def double(x):\n    return 2 * x"


def number() -> Rubric:
    """`fs-number`: type 131712."""
    wrong = ((131_072, "The biases are missing."), (5, "That is another thing."))
    return typed_rubric(Typed("fs-number", "number", answer=131_712, wrong=wrong, passed="Yes."), "fs_number", 2.0)


def choice() -> Rubric:
    """`fs-choice`: type "b"."""
    options = {"a": "a is the sum.", "b": "b is the mean."}
    return typed_rubric(Typed("fs-choice", "choice", answer="b", options=options), "fs_choice", 1.0)


def function() -> Rubric:
    """`fs-function`: write double(x)."""
    calls = [exercise.call("ones", torch.ones(2)), exercise.call("list", exercise.source("[1.0, 2.0]"))]
    expected: Evidence = {"ones": plain(torch.full((2,), 2.0)), "ones: unchanged": True, "ones: repeatable": True}
    wrong = (KnownWrong("That is the half.", {"ones": plain(torch.full((2,), 0.5))}),)
    return CodeRubric("fs-function", "function", "double", 3.0, plan_of("function", calls[:1]), expected, wrong)


def sealed_lesson(**changed: Any) -> str:
    """The lesson's seal, as its first cell holds it."""
    rubrics = (number(), choice(), function())
    whole: dict[str, Any] = {
        "course": COURSE,
        "lesson": LESSON,
        "dimensions": {"n_embd": 128, "n_head": 4},
        "imports": {"torch": "torch", "nn": "torch:nn", "F": "torch.nn.functional"},
        "tries_before_solution": 2,
        "exercises": {rubric.id: seal.seal_rubric(rubric, COURSE) for rubric in rubrics},
        "hints": {"fs-number": hidden("fs-number:hints", ["Count the weights.", "Count the biases."])},
        "solutions": {"fs-number": hidden("fs-number:solutions", ["512 * 128, twice, and 640.", "fs_number = ..."])},
    }
    return seal.to_text(whole | changed)


def hidden(owner: str, texts: list[Plain]) -> str:
    """Hints or a worked solution in a seal."""
    return seal.hide(texts, f"{COURSE}:{owner}")


def first_cell(text: str = "") -> str:
    """The locked first cell."""
    names = "check, dimensions, hint, lesson, progress, solution"
    return f"from autograde import {names}\n\nlesson({json.dumps(LESSON)}, {json.dumps(text or sealed_lesson())})"


class Notebook:
    """Runs cells."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    @property
    def variables(self) -> dict[str, Any]:
        """The learner's variables."""
        return self._shell.user_ns

    def run(self, *cells: str) -> Any:
        """Run cells, none of which may raise; the last one's value."""
        for cell in cells:
            result = self._shell.run_cell(cell, store_history=False)
            assert result.success, result.error_before_exec or result.error_in_exec
        return result.result

    def fail(self, cell: str) -> BaseException:
        """Run a cell that must raise; what it raised."""
        result = self._shell.run_cell(cell, store_history=False)
        fault = result.error_before_exec or result.error_in_exec
        assert fault is not None
        return fault

    def check(self, exercise: str, name: str) -> Verdict:
        """Run a grade cell."""
        verdict = self.run(f'check("{exercise}", {name})')
        assert isinstance(verdict, Verdict)
        return verdict


@contextlib.contextmanager
def notebook() -> Iterator[Notebook]:
    """A fresh notebook; afterwards this process is no notebook any more."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    shell: Any = InteractiveShell.instance(config=config)
    try:
        yield Notebook(shell)
    finally:
        shell.restore_sys_module_state()
        InteractiveShell.clear_instance()
