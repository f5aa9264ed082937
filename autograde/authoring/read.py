"""Reading a lesson's source, solutions/NN-slug.py in jupytext's percent format."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jupytext

from autograde.authoring.faults import AuthorError, Fault, one_fault, shown
from autograde.authoring.form import form_faults
from autograde.authoring.lesson_text import Cell, LessonText, Task

_NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*")
# What jupytext remembers of a file's layout; it is no part of the lesson.
_LAYOUT = {"lines_to_next_cell", "lines_to_end_of_cell_marker", "cell_marker"}


def sources(root: Path) -> list[Path]:
    """The solved lessons of a course, in order."""
    return sorted(path for path in (root / "solutions").glob("*.py") if not path.name.startswith("_"))


def find_source(root: Path, lesson: str) -> Path:
    """The source of a lesson by slug, by NN-slug or by path. Raises AuthorError."""
    wanted = Path(lesson).stem
    found = [path for path in sources(root) if wanted in (path.stem, path.stem.partition("-")[2])]
    if not found:
        known = ", ".join(path.stem.partition("-")[2] for path in sources(root)) or "none yet"
        raise one_fault("solutions/", f"there is no lesson {lesson!r}", f"Choose one of: {known}")
    return found[0]


def read_lesson(path: Path, root: Path) -> LessonText:
    """The lesson in a file. Raises AuthorError with every fault of its form."""
    file = shown(path, root)
    if not _NAME.fullmatch(path.stem):
        raise one_fault(file, "the file's name is not NN-slug.py", "Rename it, for example 04-widen-relu-narrow.py")
    cells = _cells(file, _text(file, path.read_bytes()))
    tasks, faults = _tasks(file, cells)
    lesson = LessonText(path, root, cells, tasks)
    faults += form_faults(lesson)
    if faults:
        raise AuthorError(sorted(faults, key=lambda fault: fault.line))
    return lesson


def _text(file: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise one_fault(file, "it is no UTF-8", "Save it as UTF-8", line=line) from None


def _cells(file: str, text: str) -> list[Cell]:
    """The cells of a percent script. Raises AuthorError where it is none, or where a cell's metadata cannot be read."""
    lines = [i for i, line in enumerate(text.splitlines(), 1) if re.match(r"# %%(\s|$)", line)]
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except Exception as fault:  # jupytext raises many kinds
        what = f"it is no percent script ({fault})"
        raise one_fault(file, what, "Begin each cell with a line `# %%`") from None
    if len(notebook.cells) < len(lines):
        quoted = _line_in_a_string(text, lines)
        raise one_fault(file, "a line `# %%` stands inside a string", "Write the string without it", line=quoted)
    if len(notebook.cells) > len(lines):
        todo = "Begin the file with `# %%`"
        raise one_fault(file, "text stands before the first cell", todo, line=lines[0] if lines else 1)
    unread = [
        Fault(file, line, "", "its metadata cannot be read", 'Write each as JSON: nbgrader={"grade": true, ...}')
        for cell, line in zip(notebook.cells, lines, strict=True)
        if "incorrectly_encoded_metadata" in cell.metadata
    ]
    if unread:
        raise AuthorError(unread)
    return [
        _cell(cell.cell_type, cell.source, {k: v for k, v in cell.metadata.items() if k not in _LAYOUT}, line)
        for cell, line in zip(notebook.cells, lines, strict=True)
    ]


def _line_in_a_string(text: str, lines: list[int]) -> int:
    """The first of some marker lines that begins no cell."""
    known = text.splitlines()
    for count, line in enumerate(lines, 1):
        if len(jupytext.reads("\n".join(known[:line]), fmt="py:percent").cells) < count:
            return line
    return 0


def _cell(cell_type: str, source: str, metadata: dict[str, Any], line: int) -> Cell:
    grader = metadata.get("nbgrader", {})
    if cell_type == "markdown":
        role = "text"
    elif "exercise" in metadata.get("tags", []):
        role = "exercise"
    elif grader.get("solution"):
        role = "answer"
    elif grader.get("grade"):
        role = "grade"
    elif grader:
        role = "lesson"
    else:
        role = "code"
    return Cell(role, source, line, metadata)


def _tasks(file: str, cells: list[Cell]) -> tuple[list[Task], list[Fault]]:
    """Groups of prompt, answer, exercise, grade, and the faults in them; marks the prompts among the cells."""
    tasks: list[Task] = []
    faults: list[Fault] = []
    for i, cell in enumerate(cells):
        if cell.role != "answer":
            continue
        found = _task(file, cells, i)
        if isinstance(found, Task):
            tasks.append(found)
        else:
            faults.append(found)
    return tasks, faults + _strays(file, cells)


def _task(file: str, cells: list[Cell], i: int) -> Task | Fault:
    """The exercise whose answer cell is number i."""
    answer, group = cells[i], cells[max(i - 1, 0) : i + 3]
    exercise = str(answer.metadata["nbgrader"].get("grade_id", "")).removesuffix("-answer")
    roles = [cell.role for cell in group]
    if roles != ["text", "answer", "exercise", "grade"]:
        what = f"an exercise is four cells, these are {', '.join(roles)}"
        todo = 'Put prompt (markdown), answer cell, author cell (tags=["exercise"]) and grade cell in a row'
        return Fault(file, answer.line, exercise, what, todo)
    prompt = cells[i - 1] = replace(group[0], role="prompt")
    _, _, author, grade = group
    name = _checked_name(grade, exercise)
    if name is None:
        what = 'the grade cell is not one line `check("id", name)`'
        todo = f'Write check("{exercise}", {exercise.replace("-", "_")})'
        return Fault(file, grade.line, exercise, what, todo)
    points = grade.metadata["nbgrader"].get("points", 0)
    if not isinstance(points, int | float) or isinstance(points, bool) or points < 0:
        return Fault(file, grade.line, exercise, f"its points are {points!r}", 'Set "points" to a number, 0 or more')
    return Task(exercise, name, float(points), prompt, answer, author, grade)


def _strays(file: str, cells: list[Cell]) -> list[Fault]:
    """Author and grade cells that follow no answer cell; each answer cell has one of both, wherever they stand."""
    faults: list[Fault] = []
    waiting: set[str] = set()
    for cell in cells:
        if cell.role == "answer":
            waiting = {"exercise", "grade"}
        elif cell.role in waiting:
            waiting.remove(cell.role)
        elif cell.role in ("exercise", "grade"):
            todo = "Put it after its prompt and answer cell, or remove it"
            faults.append(Fault(file, cell.line, "", f"this {cell.role} cell belongs to no exercise", todo))
    return faults


def _checked_name(cell: Cell, exercise: str) -> str | None:
    try:
        tree = ast.parse(cell.source.strip())
    except SyntaxError:
        return None
    match tree.body:
        case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(value), ast.Name(name)], []))] if value == exercise:
            return str(name)
    return None
