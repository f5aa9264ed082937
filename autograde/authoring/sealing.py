"""Sealing a lesson: everything that its notebook needs to check itself, with help or, for a graded class, without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograde import seal
from autograde.authoring.lesson_text import LessonText
from autograde.authoring.workshop import Bench
from autograde.compare import close
from autograde.course import Course
from autograde.evidence import Plain
from autograde.rubric import Rubric
from autograde.shell import assigned, import_targets

_SECTIONS = ("exercises", "hints", "solutions")


def begin_seal(text: LessonText, course: Course) -> dict[str, Any]:
    """A lesson's seal without exercises."""
    imports: dict[str, str] = {}
    given: set[str] = set()
    for cell in text.cells:
        if cell.role == "code":
            imports |= import_targets(cell.source)
            given |= assigned(cell.source)
    return {
        "course": course.id,
        "lesson": text.slug,
        "dimensions": course.dimensions,
        "imports": imports,
        "given": sorted(given),
        "tries_before_solution": course.policies.tries_before_solution,
        "exercise_cpu_s": course.policies.exercise_cpu_s,
        "exercises": {},
        "hints": {},
        "solutions": {},
    }


def add_exercise(sealed: dict[str, Any], bench: Bench, rubric: Rubric) -> None:
    """Put one exercise into a lesson's seal."""
    course, exercise = sealed["course"], bench.exercise
    sealed["exercises"][exercise.id] = seal.seal_rubric(rubric, course)
    hints: list[Plain] = list(exercise.hints)
    worked: list[Plain] = [exercise.explain or "", bench.solution]
    sealed["hints"][exercise.id] = seal.hide(hints, f"{course}:{exercise.id}:hints")
    sealed["solutions"][exercise.id] = seal.hide(worked, f"{course}:{exercise.id}:solutions")


def without_help(sealed: Mapping[str, Any]) -> dict[str, Any]:
    """The seal for a graded class: no hints, no worked solutions, no sentences of code exercises."""
    course = str(sealed["course"])
    changed = dict(sealed) | {"hints": {}, "solutions": {}, "exercises": {}}
    for exercise, item in sealed["exercises"].items():
        changed["exercises"][exercise] = item
        if "hidden" in item:
            hidden: Any = seal.unhide(item["hidden"], f"{course}:{exercise}")
            forbid = {name: f"`{name}` is not allowed here." for name in hidden["forbid"]}
            hidden |= {"wrong": [], "says": {}, "forbid": forbid}
            changed["exercises"][exercise] = item | {"hidden": seal.hide(hidden, f"{course}:{exercise}")}
    return changed


def same_seal(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two seals say the same.

    Hidden data is compared by content, floats by tolerance: zlib and processors differ in last bits.
    """
    if old.keys() != new.keys() or any(old[key] != new[key] for key in old if key not in _SECTIONS):
        return False
    return all(_same_section(section, str(new["course"]), old[section], new[section]) for section in _SECTIONS)


def _same_section(section: str, course: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    if list(old) != list(new):
        return False
    suffix = "" if section == "exercises" else f":{section}"
    return all(_same_item(old[key], new[key], f"{course}:{key}{suffix}") for key in new)


def _same_item(old: Any, new: Any, owner: str) -> bool:
    if old == new:
        return True
    if isinstance(old, str) and isinstance(new, str):
        return _same_hidden(old, new, owner)
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return all(old[k] == new[k] or (k == "hidden" and _same_hidden(old[k], new[k], owner)) for k in new)
    return False


def _same_hidden(old: str, new: str, owner: str) -> bool:
    one, two = _opened(old, owner), _opened(new, owner)
    return close(one, two, 1e-4) and close(two, one, 1e-4)


def _opened(text: str, owner: str) -> Plain:
    try:
        return seal.unhide(text, owner)
    except seal.BadSeal:
        return None
