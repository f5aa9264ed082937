"""The course: course.yml as a typed model. Every fault is reported with file, line and key, all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from autograde.clock import due_instant, zone_of
from autograde.place import COURSE_FILE, find_root

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Sentence = Annotated[str, Field(min_length=3)]


def _zone(name: str) -> str:
    zone_of(name)
    return name


def _as_text(value: Any) -> Any:
    """YAML makes a date or a time of what looks like one, and a number of 23:59."""
    return value.isoformat() if isinstance(value, date | datetime) else value if value is None else str(value)


def _due(text: str) -> str:
    due_instant(text, UTC)
    return text


Zone = Annotated[str, AfterValidator(_zone)]
DueTime = Annotated[str, BeforeValidator(_as_text), AfterValidator(_due)]


class CourseError(ValueError):
    """course.yml has faults; str() lists each with its file, line and key."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LatePolicy(_Model):
    """What handing in late costs: nothing, unless the course says so."""

    penalty_per_day: float = Field(0.0, ge=0, le=1, description="the share of the score that each started day costs")
    grace_minutes: int = Field(0, ge=0, description="minutes after the due time that cost nothing")
    at_most: float = Field(1.0, ge=0, le=1, description="the largest share of the score that days can cost")
    zero_after_days: int | None = Field(None, ge=0, description="after so many days nothing counts any more")


class Policies(_Model):
    """What the course decides for all lessons."""

    tries_before_solution: int = Field(2, ge=0, description="honest tries before solution() shows the worked solution")
    exercise_cpu_s: int = Field(
        20,
        gt=0,
        le=3600,
        description="seconds of CPU for one exercise or cell when grading; a check in a notebook stops after as many",
    )
    submission_cpu_s: int = Field(120, gt=0, le=36000, description="seconds of CPU for a whole submission")
    feedback_hints: bool = Field(
        False, description="feedback pages show the first hint of an exercise that did not pass, folded"
    )
    timezone: Zone = Field("UTC", description="the course's time zone, such as Europe/Berlin")
    late: LatePolicy = LatePolicy()


class Lesson(_Model):
    """One lesson: its place, its question, and what a learner can do after it."""

    id: Slug = Field(description="the slug; the file is solutions/NN-id.py")
    number: int = Field(ge=0, le=99, description="NN of the file's name")
    title: Sentence
    question: Sentence = Field(description="the one question that the lesson answers")
    minutes: int = Field(gt=0, le=600)
    points: float = Field(ge=0, description="the sum of its exercises' points")
    objectives: list[Sentence] = Field(min_length=1)
    prerequisites: list[str] = []
    due: DueTime | None = Field(None, description="when it is due, such as 2026-10-01T23:59, in the course's time zone")

    @property
    def stem(self) -> str:
        """The file's name without its ending: NN-slug."""
        return f"{self.number:02d}-{self.id}"


class Course(_Model):
    """The whole course."""

    id: Slug
    title: Sentence
    dimensions: dict[str, int] = Field(description="the network's sizes, which lessons read with dimensions()")
    policies: Policies = Policies()
    lessons: list[Lesson] = Field(min_length=1)

    def lesson(self, slug: str) -> Lesson:
        """One lesson by id. Raises CourseError."""
        for lesson in self.lessons:
            if slug in (lesson.id, lesson.stem):
                return lesson
        raise CourseError(
            [f"{COURSE_FILE}: there is no lesson {slug!r}; it has {', '.join(x.id for x in self.lessons)}"]
        )


def read_course(root: Path | None = None) -> Course:
    """The course of a folder, or of the nearest folder above. Raises CourseError."""
    root = root or find_root()
    if root is None or not (root / COURSE_FILE).is_file():
        raise CourseError([f"{COURSE_FILE}: not found here or in a folder above; run the command inside a course"])
    try:
        text = (root / COURSE_FILE).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CourseError([f"{COURSE_FILE}:1: this is no UTF-8 text; save it as UTF-8"]) from None
    return parse_course(text)


def line_of(root: Path, *path: str | int) -> int:
    """The line of course.yml where a key stands, or the deepest part of its path that is there."""
    node = yaml.compose((root / COURSE_FILE).read_text(encoding="utf-8-sig"), Loader=yaml.SafeLoader)
    return _line(node, list(path)) if node is not None else 1


def parse_course(text: str) -> Course:
    """The course in a text of course.yml. Raises CourseError."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise CourseError([f"{COURSE_FILE}:{line}: this is no valid YAML: {fault.problem}"]) from None
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        raise CourseError([f"{COURSE_FILE}:{line}: a character that YAML forbids ({fault.character!r})"]) from None
    if not isinstance(data, dict) or node is None:
        raise CourseError([f"{COURSE_FILE}:1: a course is a mapping with id, title, dimensions and lessons"])
    faults = [(line, key, "this key stands twice; remove one") for line, key in _twice(node)]
    faults += [(_line(node, path), _shown(path), message) for path, message in _clashes(data.get("lessons"))]
    course = None
    try:
        course = Course.model_validate(data)
    except ValidationError as fault:
        faults += [_fault(node, error) for error in fault.errors()]
    if faults or course is None:
        raise CourseError([f"{COURSE_FILE}:{line}: {key}: {message}" for line, key, message in sorted(faults)])
    return course


def _clashes(lessons: Any) -> Iterator[tuple[list[str | int], str]]:
    """Where lessons share an id or a number, or stand in another order than their numbers."""
    for key in ("id", "number"):
        seen: list[Any] = []
        for i, lesson in enumerate(lessons if isinstance(lessons, list) else []):
            value = lesson.get(key) if isinstance(lesson, dict) else None
            if value is None:
                continue
            if value in seen:
                yield ["lessons", i, key], f"another lesson has the {key} {value} too; give each its own"
            elif key == "number" and any(isinstance(value, int) and value < other for other in seen):
                yield ["lessons", i, key], f"lesson {value} stands after a later one; sort the lessons by number"
            seen += [value] if key == "id" or isinstance(value, int) else []


def _shown(path: list[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or "course"


def _fault(node: yaml.Node, error: Any) -> tuple[int, str, str]:
    path = [part for part in error["loc"] if isinstance(part, str | int)]
    message = error["msg"]
    if error["type"] == "missing":
        message = "is missing; add it"
    elif error["type"] == "extra_forbidden":
        message = "is no known key; check its spelling"
    elif error["type"] == "value_error":
        message = str(error["ctx"]["error"])
    return _line(node, path), _shown(path), message


def _line(node: yaml.Node, path: list[str | int]) -> int:
    """The line of the deepest part of a path that exists."""
    line = node.start_mark.line + 1
    for part in path:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == part]
            if not found:
                break
            line, node = found[-1][0].start_mark.line + 1, found[-1][1]  # of a key that stands twice the last counts
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return int(line)


def _twice(node: yaml.Node) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            found += [(key.start_mark.line + 1, key.value)] if key.value in seen else []
            seen.add(key.value)
            found += _twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            found += _twice(item)
    return found


def schema() -> dict[str, Any]:
    """The JSON schema of course.yml, for editors."""
    return Course.model_json_schema()
