"""Beforehand: whether what an instructor asks for can be had, looked at before anything is run or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from autograde.grading.collect import check_submissions
from autograde.grading.export import check_export
from autograde.grading.gradebook import GradebookError, check_url
from autograde.grading.hand_back import Evening
from autograde.grading.lms_table import ExportError
from autograde.grading.roster import RosterError, read_roster
from autograde.grading.submission import Refused


def obstacles(evening: Evening) -> list[str]:
    """Why nothing can begin, a line each: all of it, not the first."""
    looks = (_submissions, _workers, _roster, _json, _export, _gradebook)
    return [line for look in looks for line in look(evening)]


def _told(look: Callable[[], object]) -> Iterator[str]:
    try:
        look()
    except (Refused, RosterError, ExportError, GradebookError, OSError) as fault:
        yield str(fault)


def _submissions(evening: Evening) -> Iterator[str]:
    return _told(lambda: check_submissions(evening.submissions))


def _workers(evening: Evening) -> Iterator[str]:
    if evening.workers is not None and evening.workers < 1:
        yield f"--workers {evening.workers}: name 1 or more, or leave it out for the number of cores."


def _roster(evening: Evening) -> Iterator[str]:
    if evening.roster is not None:
        path = evening.roster
        yield from _told(lambda: read_roster(path))


def _json(evening: Evening) -> Iterator[str]:
    if evening.json is not None and (why := _why_not(evening, evening.json)):
        yield f"--json {evening.json}: it cannot be written ({why}). Name a file in a folder that is there."


def _export(evening: Evening) -> Iterator[str]:
    if evening.export is None:
        return
    kind, path = evening.export
    told = list(_told(lambda: check_export(kind, path, evening.roster.name if evening.roster else "")))
    if not told and (why := _why_not(evening, path)):
        told = [f"--export {kind} {path}: it cannot be written ({why}). Name a file in a folder that is there."]
    yield from told


def _gradebook(evening: Evening) -> Iterator[str]:
    if evening.gradebook:
        yield from _told(lambda: check_url(evening.gradebook, evening.folder))


def _why_not(evening: Evening, path: Path) -> str:
    """As unwritable; the class's own folder will be made."""
    return "" if path.parent == evening.folder and not path.parent.exists() else unwritable(path)


def unwritable(path: Path) -> str:
    """Why a file cannot be written; empty where it can. What is there stays as it is."""
    was_there = path.exists()
    try:
        path.open("ab").close()
    except OSError as fault:
        return fault.strerror or str(fault)
    if not was_there:
        path.unlink()
    return ""
