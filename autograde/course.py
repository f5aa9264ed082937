"""The course: course.yml as a typed model. Every fault is reported with file, line and key, all of them at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from autograde.place import COURSE_FILE, find_root

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Sentence = Annotated[str, Field(min_length=3)]


class CourseError(ValueError):
    """course.yml has faults; str() lists each with its file, line and key."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Policies(_Model):
    """What the course decides for all lessons."""

    tries_before_solution: int = Field(2, ge=0, description="honest tries before solution() shows the worked solution")


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

    @model_validator(mode="after")
    def _unique(self) -> Course:
        for key in ("id", "number"):
            values = [getattr(lesson, key) for lesson in self.lessons]
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise ValueError(f"lessons share the {key} {twice[0]}; give each its own")
        if [lesson.number for lesson in self.lessons] != sorted(lesson.number for lesson in self.lessons):
            raise ValueError("lessons are not in the order of their numbers; sort them")
        return self

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
    return parse_course((root / COURSE_FILE).read_text(encoding="utf-8"))


def parse_course(text: str) -> Course:
    """The course in a text of course.yml. Raises CourseError."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise CourseError([f"{COURSE_FILE}:{line}: this is no valid YAML: {fault.problem}"]) from None
    if not isinstance(data, dict) or node is None:
        raise CourseError([f"{COURSE_FILE}:1: a course is a mapping with id, title, dimensions and lessons"])
    faults = [f"{COURSE_FILE}:{line}: {key}: this key stands twice; remove one" for line, key in _twice(node)]
    try:
        course = Course.model_validate(data)
    except ValidationError as fault:
        faults += [_fault(node, error) for error in fault.errors()]
    if faults:
        raise CourseError(faults)
    return course


def _fault(node: yaml.Node, error: Any) -> str:
    path = [part for part in error["loc"] if isinstance(part, str | int)]
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or "course"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "missing":
        message = "is missing; add it"
    elif error["type"] == "extra_forbidden":
        message = "is no known key; check its spelling"
    return f"{COURSE_FILE}:{_line(node, path)}: {key}: {message}"


def _line(node: yaml.Node, path: list[str | int]) -> int:
    """The line of the deepest part of a path that exists."""
    line = node.start_mark.line + 1
    for part in path:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == part), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
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
