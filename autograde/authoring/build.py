"""Building: solutions/NN-slug.py -> lessons/NN-slug.ipynb, lessons/course.json, and nbgrader's source folder.

The same input gives the same bytes. Float evidence differs in its last bits between processors, so a committed seal
that says the same by tolerance is kept as it stands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from autograde import seal
from autograde.authoring.faults import AuthorError, Fault, shown
from autograde.authoring.jobs import run_jobs
from autograde.authoring.lesson_text import LessonText
from autograde.authoring.read import find_source, read_lesson, sources
from autograde.authoring.release import learner_notebook, source_notebook, to_json
from autograde.authoring.released import seal_in
from autograde.authoring.sealing import same_seal
from autograde.course import Course, line_of, read_course
from autograde.place import COURSE_FILE, INDEX_FILE

Say = Callable[[str], None]


def read_all(root: Path, only: str = "") -> tuple[Course, list[LessonText]]:
    """The course and its lessons' sources, or one. Raises AuthorError with the faults of all, CourseError."""
    course = read_course(root)
    texts: list[LessonText] = []
    faults: list[Fault] = []
    for path in [find_source(root, only)] if only else sources(root):
        try:
            texts.append(read_lesson(path, root))
        except AuthorError as fault:
            faults += fault.faults
    faults += [fault for text in texts for fault in _course_faults(course, text)]
    if not only and not faults:
        faults += _missing(root, course, {text.path.stem for text in texts})
    faults += _ids_used_twice(texts)
    if faults:
        raise AuthorError(faults)
    return course, texts


def _course_faults(course: Course, text: LessonText) -> Iterator[Fault]:
    """Where course.yml and a lesson's source say different things."""
    entry = next((lesson for lesson in course.lessons if lesson.stem == text.path.stem), None)
    points = sum(task.points for task in text.tasks)
    if entry is None:
        todo = f"Add a lesson with id {text.slug} and its number"
        yield Fault(COURSE_FILE, line_of(text.root, "lessons"), "", f"it does not list {text.file}", todo)
    elif entry.points != points:
        what = f"{text.slug}: points is {entry.points:g}, its exercises add up to {points:g}"
        line = line_of(text.root, "lessons", course.lessons.index(entry), "points")
        yield Fault(COURSE_FILE, line, "", what, "Correct one of them")


def _missing(root: Path, course: Course, stems: set[str]) -> Iterator[Fault]:
    for i, lesson in enumerate(course.lessons):
        if lesson.stem not in stems:
            what = f"it lists {lesson.id}, but solutions/{lesson.stem}.py is not there"
            yield Fault(
                COURSE_FILE, line_of(root, "lessons", i), "", what, "Write the lesson, or take it out of the list"
            )


def _ids_used_twice(texts: Sequence[LessonText]) -> Iterator[Fault]:
    owner: dict[str, LessonText] = {}
    for text in texts:
        for task in text.tasks:
            if owner.setdefault(task.id, text) is not text:
                what = f"{owner[task.id].file} has an exercise of the same id"
                yield text.fault(task.answer, what, "Ids are unique in the course", task.id)


def build(root: Path, only: str, say: Say, *, check: bool = False) -> list[str]:
    """Build all lessons, or one. Returns the files that changed (with check: that are stale, and nothing is written).

    Raises AuthorError, CourseError, JobFailed.
    """
    course, texts = read_all(root, only)
    due = [text for text in texts if check or not _is_fresh(root, text)]
    for text in texts:
        if text not in due:
            say(f"{text.slug}: unchanged")
    outcomes = run_jobs("build", root, [text.slug for text in due], say) if due else {}
    files: dict[Path, str] = {}
    for text in due:
        files |= _notebooks(root, course, text, outcomes[text.slug])
    files |= {root / INDEX_FILE: index(course, read_all(root)[1])}
    return _write(root, files, check=check, stamps=due)


def _notebooks(root: Path, course: Course, text: LessonText, outcome: dict[str, Any]) -> dict[Path, str]:
    released = root / "lessons" / f"{text.path.stem}.ipynb"
    sealed = _kept_seal(released, outcome["seal"])
    source = source_notebook(text, course.lesson(text.slug), outcome["details"], sealed)
    learner = learner_notebook(source)
    return {
        released: to_json(learner),
        root / "build" / "nbgrader" / "source" / text.slug / f"{text.slug}.ipynb": to_json(source),
    }


def _kept_seal(released: Path, new: dict[str, Any]) -> str:
    """The committed seal where it says the same, else the new one."""
    text = seal.to_text(new)
    old = seal_in(released)
    if old and old != text:
        try:
            return old if same_seal(seal.from_text(old), seal.from_text(text)) else text
        except (seal.BadSeal, KeyError):
            return text
    return text


def index(course: Course, texts: Sequence[LessonText]) -> str:
    """lessons/course.json: lessons and exercises by title, for progress and the course's home."""
    entries = []
    for text in texts:
        lesson = course.lesson(text.slug)
        exercises = [{"id": task.id, "title": task.title, "points": task.points} for task in text.tasks]
        entries.append(
            {
                "id": lesson.id,
                "file": f"{lesson.stem}.ipynb",
                "title": lesson.title,
                "minutes": lesson.minutes,
                "exercises": exercises,
            }
        )
    return json.dumps({"id": course.id, "title": course.title, "lessons": entries}, indent=1, ensure_ascii=False) + "\n"


def _write(root: Path, files: dict[Path, str], *, check: bool, stamps: Sequence[LessonText]) -> list[str]:
    changed = [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if check:
        return [shown(path, root) for path in changed if "build" not in path.relative_to(root).parts]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8", newline="\n")
    for text in stamps:
        stamp = _stamp(root, text)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(_digest(root, text), encoding="utf-8")
    return [shown(path, root) for path in changed]


def _stamp(root: Path, text: LessonText) -> Path:
    return root / "build" / "stamps" / text.path.stem


def _is_fresh(root: Path, text: LessonText) -> bool:
    """Whether the lesson was built from this very source, course file and builder, and the notebooks are there."""
    built = [
        root / "lessons" / f"{text.path.stem}.ipynb",
        root / "build" / "nbgrader" / "source" / text.slug / f"{text.slug}.ipynb",
    ]
    stamp = _stamp(root, text)
    return (
        all(file.is_file() for file in built)
        and stamp.is_file()
        and stamp.read_text(encoding="utf-8") == _digest(root, text)
    )


def _digest(root: Path, text: LessonText) -> str:
    package = Path(seal.__file__).parent
    parts = [
        text.path,
        root / COURSE_FILE,
        root / "lessons" / f"{text.path.stem}.ipynb",
        *sorted(package.rglob("*.py")),
    ]
    data = b"".join(hashlib.sha256(part.read_bytes()).digest() for part in parts if part.is_file())
    return hashlib.sha256(data).hexdigest()
