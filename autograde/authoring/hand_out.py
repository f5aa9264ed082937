"""Handing out: a folder with what students get, searched for answers before it is called done."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat

from autograde import seal
from autograde.authoring.faults import AuthorError, Fault, one_fault
from autograde.authoring.lesson_text import LessonText, solution_of, without_solution
from autograde.authoring.release import reseal, to_json
from autograde.authoring.released import lesson_file, seal_in
from autograde.authoring.sealing import without_help
from autograde.place import COURSE_FILE, INDEX_FILE

_TEXT = {".ipynb", ".json", ".py", ".yml", ".md", ".txt", ".csv"}


def hand_out(root: Path, target: Path, texts: Sequence[LessonText], *, graded: bool) -> list[str]:
    """Write the released lessons to a new folder: notebooks, data, course.yml, the index. Returns the files.

    Raises AuthorError where the folder is not empty or an answer is found in it (the folder is then removed).
    """
    must_be_empty(target)
    target.mkdir(parents=True, exist_ok=True)
    (target / "lessons").mkdir()
    for text in texts:
        file = lesson_file(root, text.path.stem)
        notebook = nbformat.read(file, as_version=4)
        if graded:
            notebook = reseal(notebook, text.slug, seal.to_text(without_help(seal.from_text(seal_in(file)))))
        (target / "lessons" / file.name).write_text(to_json(notebook), encoding="utf-8", newline="\n")
    _copy_rest(root, target)
    found = list(answers_in(target, texts))
    if found:
        shutil.rmtree(target)
        raise AuthorError(found)
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())


def must_be_empty(target: Path) -> None:
    """Raises AuthorError where something is in the way of a folder to hand out."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise one_fault(
            str(target), "it exists and is not an empty folder", "Name a new folder; nothing is overwritten"
        )


def _copy_rest(root: Path, target: Path) -> None:
    shutil.copyfile(root / INDEX_FILE, target / INDEX_FILE)
    shutil.copyfile(root / COURSE_FILE, target / COURSE_FILE)
    if (root / "lessons" / "data").is_dir():
        shutil.copytree(root / "lessons" / "data", target / "lessons" / "data")


def answers_in(folder: Path, texts: Sequence[LessonText]) -> Iterator[Fault]:
    """Each place in a folder's files, opened seals included, where an answer can be read.

    Looked for are typed answers of four digits or more, and the code of solutions.
    """
    secrets = [
        (text, task.id, pattern) for text in texts for task in text.tasks for pattern in _patterns(task.answer.source)
    ]
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _TEXT or not path.is_file():
            continue
        for where, content in _contents(path):
            for text, exercise, pattern in secrets:
                if pattern.search(content):
                    yield Fault(
                        f"{path.relative_to(folder)}{where}",
                        0,
                        exercise,
                        f"an answer can be read in it (from {text.file})",
                        "Take it out of the lesson's prose, code or data",
                    )


def _patterns(answer: str) -> list[re.Pattern[str]]:
    """What must not be found of an answer cell: its long numbers, and its solution's lines taken together."""
    solution, left = solution_of(answer), without_solution(answer)
    added = [line.strip() for line in solution.splitlines() if line.strip() and line not in left.splitlines()]
    patterns = []
    for number in re.findall(r"(?<![\w.])\d[\d_]{3,}(?![\w.])", "\n".join(added)):
        digits = number.replace("_", "")
        if len(digits) >= 4 and len(added) == 1:
            grouped = f"{int(digits):,}"
            patterns.append(re.compile(rf"(?<!\d)(?:{digits}|{grouped}|{grouped.replace(',', '_')})(?!\d)"))
    if len(added) > 1:
        patterns.append(
            re.compile(r"\s*(?:\\n|\n)?[\s\",]*".join(re.escape(line).replace('"', r'\\?"') for line in added))
        )
    return patterns


def _contents(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".ipynb":
        yield "", text
        return
    notebook = nbformat.reads(text, as_version=4)
    for i, cell in enumerate(notebook.cells, 1):
        yield f" cell {i}", str(cell.source) + json.dumps(cell.get("outputs", [])) + json.dumps(dict(cell.metadata))
    sealed: Any = seal.from_text(seal_in(path))
    yield " seal", json.dumps(sealed)
