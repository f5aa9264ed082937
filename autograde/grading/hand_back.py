"""Handing back: what an evening leaves behind. Feedback pages, class reports, the gradebook, the LMS's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograde.grading.autograded import write_autograded
from autograde.grading.by_hand import with_manual_grades
from autograde.grading.collect import HandedIn
from autograde.grading.engine import Task
from autograde.grading.export import export
from autograde.grading.feedback import feedback_page, feedback_text
from autograde.grading.gradebook import write_gradebook
from autograde.grading.late import untimed
from autograde.grading.read import read_notebook
from autograde.grading.report import class_report
from autograde.grading.roster import Roster
from autograde.grading.sandbox import layers_off
from autograde.grading.submission import Row, Submission, Unreadable
from autograde.wording import counted


@dataclass(frozen=True)
class Evening:
    """What an instructor asked for."""

    submissions: Path
    roster: Path | None = None
    json: Path | None = None
    export: tuple[str, Path] | None = None
    gradebook: str = ""
    workers: int | None = None
    sandbox: str = "best"
    fresh: bool = False
    engine: str = "local"
    scheduler: str = ""
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Other names of an assignment in the LMS: its title, its file's name."""

    @property
    def folder(self) -> Path:
        """The class's folder, beside the submissions: store, feedback, report, gradebook."""
        named = self.submissions if self.submissions.name not in ("", "..") else self.submissions.resolve()
        return named.with_name(named.stem + ".grading")

    @property
    def book(self) -> str:
        """The URL of nbgrader's gradebook."""
        return self.gradebook or f"sqlite:///{(self.folder / 'gradebook.db').resolve()}"


def hand_back(
    evening: Evening,
    tasks: Mapping[str, Task],
    handed_in: Sequence[HandedIn],
    rows: Sequence[Row],
    roster: Roster | None,
) -> list[str]:
    """Write everything, one submission after the other; returns what the instructor should know.

    Raises GradebookError, ExportError, OSError.
    """
    told: list[str] = []
    of_tasks = {name: of_it for name in tasks if (of_it := [row for row in rows if row.assignment_id == name])}
    try:
        digests, left = _autograded(evening, tasks, handed_in, rows)
        told += left
        for name, of_it in of_tasks.items():
            told += [f"{name}: {word}" for word in untimed(of_it, tasks[name].clock)]
            told += _gradebook(evening, tasks[name], of_it, digests[name], roster)
        if of_tasks:
            rows, by_hand = _with_manual_grades(evening, rows)
            told += by_hand
    finally:  # a gradebook that cannot be written costs no learner their feedback
        _pages(evening, tasks, handed_in, rows)
    if evening.export is not None:
        kind, path = evening.export
        told.append(str(export(kind, rows, roster, path, dict(evening.names))))
    return told


def _with_manual_grades(evening: Evening, rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """The rows with what humans graded in formgrader, and that it counts."""
    found = with_manual_grades(evening.book, rows)
    moved = sum(new is not old for new, old in zip(found, rows, strict=True))
    return found, [f"{counted(moved, 'submission')}: what was graded by hand counts"] if moved else []


def _autograded(
    evening: Evening, tasks: Mapping[str, Task], handed_in: Sequence[HandedIn], rows: Sequence[Row]
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """The notebooks that formgrader's pages show. Each work's digest by assignment and student, and what was left."""
    digests: dict[str, dict[str, str]] = {name: {} for name in tasks}
    left: list[str] = []
    for one, row in zip(handed_in, rows, strict=True):
        if (task := tasks.get(row.assignment_id)) is not None:
            submission = _submission(one, row)
            digests[row.assignment_id][row.student_id] = submission.digest
            left += write_autograded(evening.folder / "autograded", task.assignment, [row], [submission])
    return digests, left


def _pages(evening: Evening, tasks: Mapping[str, Task], handed_in: Sequence[HandedIn], rows: Sequence[Row]) -> None:
    """Feedback for each learner, a report for each assignment."""
    for one, row in zip(handed_in, rows, strict=True):
        _feedback(evening, row, _submission(one, row), tasks.get(row.assignment_id))
    for name, task in tasks.items():
        if of_it := [row for row in rows if row.assignment_id == name]:
            report = class_report(of_it, task.assignment, layers_off({row.sandbox for row in of_it}))
            (evening.folder / f"report-{_safe(name)}.html").write_text(report, encoding="utf-8")


def _feedback(evening: Evening, row: Row, submission: Submission, task: Task | None) -> None:
    folder = evening.folder / "feedback" / _safe(row.assignment_id or "unknown")
    folder.mkdir(parents=True, exist_ok=True)
    assignment, hints = (task.assignment, task.hints) if task else (None, {})
    page = feedback_page(row, submission.cells, row.assignment_id, assignment, hints)
    name = _safe(row.student_id)
    (folder / f"{name}.html").write_text(page, encoding="utf-8")
    (folder / f"{name}.txt").write_text(feedback_text(row, hints=hints), encoding="utf-8")


def _gradebook(
    evening: Evening, task: Task, rows: Sequence[Row], digests: Mapping[str, str], roster: Roster | None
) -> list[str]:
    """nbgrader's gradebook."""
    kept = write_gradebook(evening.book, task.assignment, rows, digests, roster=roster, due=task.clock.due)
    review = [f"{student}: graded by hand before, handed in again since" for student in kept.to_review]
    return [*kept.notes, *review]


def _submission(one: HandedIn, row: Row) -> Submission:
    """What was handed in, for its feedback page; empty where it cannot be read."""
    try:
        cells = read_notebook(one.read().data or b"", one.found.file)[0]
    except Unreadable:
        cells = ()
    return Submission(row.student_id, row.assignment_id, row.file, cells, row.repairs)


def _safe(name: str) -> str:
    """An opaque id as a file name: what a file name may not hold is written as its number."""
    return "".join(c if c.isalnum() or c in "-_.@ " else f"%{ord(c):02X}" for c in name).strip(". ") or "%"
