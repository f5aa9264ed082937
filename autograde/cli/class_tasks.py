"""What a class is graded on, for grade and rejudge: authoring makes the rubrics, grading's store keeps them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograde.course import Course
    from autograde.grading.engine import Task
    from autograde.grading.late import Clock
    from autograde.grading.store import Store

Say = Callable[[str], None]


def tasks_for(source: Path | None, only: str, store: Store, say: Say, *, fresh: bool = False) -> dict[str, Task]:
    """The assignments of a class by id. Raises AuthorError, CourseError, NoCourse, JobFailed."""
    return _plain_task(source) if source is not None else _lesson_tasks(only, store, say, fresh=fresh)


def lms_names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What else an LMS may call this course's lessons: by title, by the file's name."""
    from autograde.course import CourseError, read_course

    try:
        return tuple((lesson.id, (lesson.title, lesson.stem)) for lesson in read_course().lessons)
    except CourseError:
        return ()


def _plain_task(source: Path) -> dict[str, Task]:
    """A plain nbgrader assignment from the instructor's solved notebook; inside a course, by the course's clock."""
    import nbformat

    from autograde.course import read_course
    from autograde.grading.assignment import BadAssignment, assignment_from_source
    from autograde.grading.engine import Task
    from autograde.grading.late import Clock
    from autograde.place import find_root

    try:
        solved = nbformat.read(source, as_version=4)
    except OSError as fault:
        raise BadAssignment(f"--source {source}: it cannot be read ({fault.strerror}). Name a notebook") from None
    except Exception:  # nbformat raises many kinds
        raise BadAssignment(f"--source {source}: this is no notebook. Name the instructor's solved one") from None
    assignment = assignment_from_source(solved, source.stem)
    root = find_root()
    clock = _clock(read_course(root), assignment.id) if root is not None else Clock()
    return {assignment.id: Task(assignment, clock=clock)}


def _lesson_tasks(only: str, store: Store, say: Say, *, fresh: bool) -> dict[str, Task]:
    from autograde.authoring.released import read_released
    from autograde.course import read_course
    from autograde.grading.assignment import assignment_from_release
    from autograde.grading.engine import Task
    from autograde.place import find_root, root_or_fail

    root = root_or_fail(find_root())
    course = read_course(root)
    lessons = [course.lesson(only)] if only else course.lessons
    tasks = {}
    for lesson in lessons:
        assignment = assignment_from_release(read_released(root, lesson.stem), lesson.id)
        rubrics = _rubrics(root, course, lesson.stem, lesson.id, store, say, fresh=fresh)
        hints = _hints(root, lesson.stem) if course.policies.feedback_hints else {}
        tasks[lesson.id] = Task(assignment, rubrics, _budget(course), _clock(course, lesson.id), hints)
    return tasks


def _hints(root: Path, stem: str) -> dict[str, str]:
    """The first hint of each exercise, as the lesson hands them out."""
    from autograde import seal
    from autograde.authoring.faults import one_fault
    from autograde.authoring.released import lesson_file, seal_in

    try:
        return seal.first_hints(seal.from_text(seal_in(lesson_file(root, stem))))
    except seal.BadSeal:
        todo = f"Run `autograde build {stem}`"
        raise one_fault(f"lessons/{stem}.ipynb", "its seal cannot be read, so there are no hints", todo) from None


def _budget(course: Course) -> Any:
    from autograde.grading.run import Budget

    return Budget(course.policies.exercise_cpu_s, course.policies.submission_cpu_s)


def _clock(course: Course, slug: str) -> Clock:
    """A lesson's due time, the course's zone and late policy."""
    from autograde.clock import due_instant, zone_of
    from autograde.grading.late import Clock

    zone = zone_of(course.policies.timezone)
    due = next((lesson.due for lesson in course.lessons if lesson.id == slug), None)
    return Clock(due_instant(due, zone) if due else None, zone, course.policies.late)


def _rubrics(
    root: Path, course: Course, stem: str, slug: str, store: Store, say: Say, *, fresh: bool
) -> Mapping[str, Any]:
    """A lesson's rubrics with the class's secret seed, from the store where nothing they are made from has changed."""
    from autograde.authoring.jobs import run_jobs
    from autograde.evidence import Plain, from_bytes
    from autograde.rubric_data import from_plain

    seed = store.seed(slug, fresh=fresh)
    key = _key(root, course, stem, seed)
    kept = store.rubrics(slug, key)
    if kept is None:
        made = run_jobs("rubrics", root, [slug], say, more=(seed,))[slug]["rubrics"]
        kept = {name: from_bytes(base64.b64decode(data)) for name, data in made.items()}
        plain: dict[str, Plain] = dict(kept)
        store.keep_rubrics(slug, key, plain)
    return {name: from_plain(data) for name, data in kept.items()}


def _key(root: Path, course: Course, stem: str, seed: str) -> str:
    """What rubrics are made from: the lesson, the package, the course but for its clock and its policies."""
    package = Path(__file__).parents[1]
    parts = [root / "solutions" / f"{stem}.py", *sorted(package.rglob("*.py"))]
    digests = b"".join(hashlib.sha256(part.read_bytes()).digest() for part in parts)
    told = course.model_dump_json(exclude={"policies": True, "lessons": {"__all__": {"due"}}})
    return hashlib.sha256(seed.encode() + digests + told.encode()).hexdigest()
