"""What a learner imports is light: nothing of an author's or a grader's, and torch only where it is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from notebooks import first_cell

HEAVY = {
    "torch",
    "numpy",
    "pandas",
    "matplotlib",
    "jupytext",
    "nbformat",
    "nbclient",
    "nbconvert",
    "nbgrader",
    "sqlalchemy",
    "pydantic",
    "yaml",
    "IPython",
    "jsonschema",
    "anywidget",
    "explorables",
}


def loaded(program: str, folder: Path) -> set[str]:
    """The top-level modules that a program has loaded at its end; it must end well, and warn of nothing."""
    program += "\nimport json, sys\nprint(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        env=os.environ | {"AUTOGRADE_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "program", ["import autograde", "from autograde import *", "from autograde import check, lesson"]
)
def test_importing_autograde_brings_in_nothing_heavy(program: str, tmp_path: Path) -> None:
    assert loaded(program, tmp_path) & HEAVY == set()


def test_nothing_of_authoring_grading_or_the_command_comes_with_it(tmp_path: Path) -> None:
    program = """
import autograde, sys
parts = {name.split(".")[1] for name in sys.modules if name.startswith("autograde.")}
assert not parts & {"authoring", "grading", "cli", "course"}, parts
"""
    loaded(program, tmp_path)


def test_checking_a_typed_answer_needs_no_torch(tmp_path: Path) -> None:
    program = """
from autograde import check, lesson, progress, seal
from autograde.exercise import Typed
from autograde.rubric import typed_rubric

one = typed_rubric(Typed("a-b", "number", answer=3), "a_b", 1.0)
lesson("l", seal.to_text({"course": "c", "exercises": {"a-b": seal.seal_rubric(one, "c")}}))
print(repr(check("a-b", 3)), progress())
"""
    assert loaded(program, tmp_path) & HEAVY == set()


def test_opening_a_lesson_imports_none_of_the_lessons_libraries(tmp_path: Path) -> None:
    assert loaded(first_cell(), tmp_path) & HEAVY == set()


def test_the_judge_needs_no_torch_for_code_either(tmp_path: Path) -> None:
    program = """
from autograde.evidence import Tensor, evidence_from_bytes, to_bytes
from autograde.judge import judge
from autograde.rubric import CodeRubric

evidence = evidence_from_bytes(to_bytes({"one": Tensor("float32", (1,), bytes(4))}))
assert judge(CodeRubric("a-b", "function", "f", 1.0, {}, evidence), evidence).status == "passed"
"""
    assert loaded(program, tmp_path) & HEAVY == set()
