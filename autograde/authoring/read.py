"""Reading a lesson's source: solutions/NN-slug.py, jupytext's percent format, into cells with their roles and lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jupytext

from autograde.authoring.faults import AuthorError, Fault, shown

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
_NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_GRADE_KEYS = {"grade", "grade_id", "locked", "points", "schema_version", "solution", "task"}


@dataclass(frozen=True)
class Cell:
    """One cell. role is lesson, text, code, prompt, answer, exercise or grade."""

    role: str
    source: str
    line: int
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def is_markdown(self) -> bool:
        """Whether it is text."""
        return self.role in ("text", "prompt")


@dataclass(frozen=True)
class Task:
    """The four cells of an exercise. name is what the grade cell passes."""

    id: str
    name: str
    points: float
    prompt: Cell
    answer: Cell
    exercise: Cell
    grade: Cell

    @property
    def title(self) -> str:
        """The prompt's heading without "Exercise:"."""
        heading = self.prompt.source.splitlines()[0].lstrip("# ").strip()
        return re.sub(r"^(Exercise|Prediction|Stretch)( \(stretch\))?\s*:\s*", "", heading)


@dataclass(frozen=True)
class LessonText:
    """A lesson's source, read."""

    path: Path
    root: Path
    cells: list[Cell]
    tasks: list[Task]

    @property
    def slug(self) -> str:
        """The lesson's id: the file's name without number and ending."""
        return self.path.stem.partition("-")[2]

    @property
    def file(self) -> str:
        """The path as an author knows it."""
        return shown(self.path, self.root)

    def task(self, exercise: str) -> Task:
        """One exercise's cells. Raises AuthorError."""
        for task in self.tasks:
            if task.id == exercise:
                return task
        known = ", ".join(task.id for task in self.tasks)
        raise AuthorError([Fault(self.file, 0, exercise, "the lesson has no such exercise", f"It has {known}")])

    def fault(self, cell: Cell, what: str, todo: str, exercise: str = "") -> Fault:
        """A fault at a cell."""
        return Fault(self.file, cell.line, exercise, what, todo)


def sources(root: Path) -> list[Path]:
    """The solved lessons of a course, in order."""
    return sorted(path for path in (root / "solutions").glob("*.py") if not path.name.startswith("_"))


def find_source(root: Path, lesson: str) -> Path:
    """The source of a lesson by slug, by NN-slug or by path. Raises AuthorError."""
    wanted = Path(lesson).stem
    found = [path for path in sources(root) if wanted in (path.stem, path.stem.partition("-")[2])]
    if not found:
        known = ", ".join(path.stem.partition("-")[2] for path in sources(root)) or "none yet"
        raise AuthorError([Fault("solutions/", 0, "", f"there is no lesson {lesson!r}", f"Choose one of: {known}")])
    return found[0]


def read_lesson(path: Path, root: Path) -> LessonText:
    """The lesson in a file. Raises AuthorError with every fault of its form."""
    text = path.read_text(encoding="utf-8-sig")
    file = shown(path, root)
    if not _NAME.fullmatch(path.stem):
        raise AuthorError(
            [Fault(file, 0, "", "the file's name is not NN-slug.py", "Rename it, for example 04-widen-relu-narrow.py")]
        )
    lines = [i for i, line in enumerate(text.splitlines(), 1) if re.match(r"# %%(\s|$)", line)]
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except Exception as fault:  # jupytext raises many kinds
        raise AuthorError(
            [Fault(file, 0, "", f"it is no percent script ({fault})", "Begin each cell with a line `# %%`")]
        ) from None
    if len(notebook.cells) != len(lines):
        raise AuthorError(
            [
                Fault(
                    file,
                    lines[0] if lines else 1,
                    "",
                    "text stands before the first cell",
                    "Begin the file with `# %%`",
                )
            ]
        )
    raw = [
        (cell.cell_type, cell.source, dict(cell.metadata), line)
        for cell, line in zip(notebook.cells, lines, strict=True)
    ]
    cells = [_cell(*item) for item in raw]
    faults: list[Fault] = []
    tasks = _tasks(file, cells, faults)
    lesson = LessonText(path, root, cells, tasks)
    faults += [fault for rule in _RULES for fault in rule(lesson)]
    if faults:
        raise AuthorError(sorted(faults, key=lambda fault: fault.line))
    return lesson


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


def _tasks(file: str, cells: list[Cell], faults: list[Fault]) -> list[Task]:
    """Groups of prompt, answer, exercise, grade; marks the prompts."""
    tasks: list[Task] = []
    used: set[int] = set()
    for i, cell in enumerate(cells):
        if cell.role != "answer":
            continue
        roles = [c.role for c in cells[max(i - 1, 0) : i + 3]]
        exercise = str(cell.metadata["nbgrader"].get("grade_id", "")).removesuffix("-answer")
        if roles != ["text", "answer", "exercise", "grade"]:
            faults.append(Fault(file, cell.line, exercise, f"an exercise is four cells, these are {', '.join(roles)}",
                                "Put prompt (markdown), answer cell, author cell (tags=[\"exercise\"]) and grade cell in a row"))  # fmt: skip
            continue
        cells[i - 1] = Cell("prompt", cells[i - 1].source, cells[i - 1].line, cells[i - 1].metadata)
        used |= {i, i + 1, i + 2}
        name = _checked_name(cells[i + 2], exercise)
        if name is None:
            faults.append(Fault(file, cells[i + 2].line, exercise, "the grade cell is not one line `check(\"id\", name)`",
                                f"Write check(\"{exercise}\", {exercise.replace('-', '_')})"))  # fmt: skip
            continue
        points = cells[i + 2].metadata["nbgrader"].get("points", 0)
        tasks.append(Task(exercise, name, float(points), cells[i - 1], cell, cells[i + 1], cells[i + 2]))
    faults += [
        Fault(
            file,
            cell.line,
            "",
            f"this {cell.role} cell belongs to no exercise",
            "Put it after its prompt and answer cell, or remove it",
        )
        for i, cell in enumerate(cells)
        if cell.role in ("exercise", "grade") and i not in used and not any(f.line >= cell.line - 1 for f in faults)
    ]
    return tasks


def _checked_name(cell: Cell, exercise: str) -> str | None:
    try:
        tree = ast.parse(cell.source.strip())
    except SyntaxError:
        return None
    match tree.body:
        case [ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(value), ast.Name(name)], []))] if value == exercise:
            return str(name)
    return None


def _first_cell(lesson: LessonText) -> list[Fault]:
    first = lesson.cells[0] if lesson.cells else Cell("code", "", 1)
    if first.role == "lesson" and f'lesson("{lesson.slug}")' in first.source:
        return []
    return [
        lesson.fault(
            first,
            f'the first cell is not the locked cell that calls lesson("{lesson.slug}")',
            "Take it from another lesson, or start with `autograde new lesson`",
        )
    ]


def _metadata(lesson: LessonText) -> list[Fault]:
    faults = []
    for cell in lesson.cells:
        grader = cell.metadata.get("nbgrader")
        if grader is None:
            continue
        wanted = _GRADE_KEYS - (set() if cell.role == "grade" else {"points"})
        if set(grader) != wanted or grader.get("schema_version") != 3 or grader.get("task") is not False:
            keys = ", ".join(sorted(wanted))
            faults.append(
                lesson.fault(
                    cell,
                    f"nbgrader metadata is not complete ({', '.join(sorted(grader))})",
                    f"Give it {keys}, with schema_version 3 and task false",
                )
            )
        elif cell.role in ("grade", "lesson") and not grader["locked"]:
            faults.append(lesson.fault(cell, f"the {cell.role} cell is not locked", 'Set "locked": true'))
    return faults


def _ids(lesson: LessonText) -> list[Fault]:
    faults, seen = [], set()
    for task in lesson.tasks:
        answer, grade = (cell.metadata["nbgrader"].get("grade_id") for cell in (task.answer, task.grade))
        if not _ID.fullmatch(task.id):
            faults.append(
                lesson.fault(
                    task.answer,
                    f"{task.id!r} is no exercise id",
                    "Use kebab-case with the lesson's two letters, such as ff-parameters",
                    task.id,
                )
            )
        if (answer, grade) != (f"{task.id}-answer", task.id):
            faults.append(
                lesson.fault(
                    task.grade,
                    f"grade ids are {answer!r} and {grade!r}",
                    f'Call them "{task.id}-answer" and "{task.id}"',
                    task.id,
                )
            )
        if task.id in seen:
            faults.append(
                lesson.fault(task.answer, "this exercise id stands twice", "Give each exercise its own", task.id)
            )
        seen.add(task.id)
    return faults


def _solutions(lesson: LessonText) -> list[Fault]:
    faults = []
    for task in lesson.tasks:
        if BEGIN not in task.answer.source or task.answer.source.count(BEGIN) != task.answer.source.count(END):
            faults.append(
                lesson.fault(
                    task.answer, "the solution is not marked", f"Put it between `{BEGIN}` and `{END}`", task.id
                )
            )
            continue
        try:
            compile(without_solution(task.answer.source), "<answer>", "exec")
        except SyntaxError as fault:
            faults.append(
                lesson.fault(
                    task.answer,
                    f"without its solution the cell is no Python ({fault.msg})",
                    "Leave `name = ...` or a docstring outside the region",
                    task.id,
                )
            )
    return faults


def _prompts(lesson: LessonText) -> list[Fault]:
    return [
        lesson.fault(
            task.prompt,
            "the prompt has no heading",
            "Begin it with `### Exercise: ...` (or Prediction, Stretch)",
            task.id,
        )
        for task in lesson.tasks
        if not re.match(r"### (Exercise|Prediction|Stretch)( \(stretch\))?: ", task.prompt.source)
    ]


_RULES: tuple[Callable[[LessonText], list[Fault]], ...] = (_first_cell, _metadata, _ids, _solutions, _prompts)


def without_solution(source: str) -> str:
    """An answer cell as it is handed out: each region becomes one blank line of its indentation (as nbgrader's ClearSolutions does)."""
    kept, inside = [], False
    for line in source.split("\n"):
        if line.strip() == BEGIN:
            inside = True
            kept.append(line[: len(line) - len(line.lstrip())])
        elif line.strip() == END:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def solution_of(source: str) -> str:
    """An answer cell solved, without the marks."""
    return "\n".join(line for line in source.split("\n") if line.strip() not in (BEGIN, END)) + "\n"
