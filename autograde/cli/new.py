"""autograde new lesson SLUG | new exercise LESSON ID [KIND]."""

from __future__ import annotations

import argparse


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    from autograde.authoring.starts import KINDS

    parser = verbs.add_parser(
        "new",
        help="a lesson or an exercise to start from",
        description="Write the beginning of a lesson, or put an exercise into one.",
    )
    what = parser.add_subparsers(title="what", metavar="WHAT", required=True)
    lesson = what.add_parser("lesson", help="solutions/NN-SLUG.py")
    lesson.add_argument("slug", metavar="SLUG")
    lesson.add_argument("--number", type=int, help="NN; the next free one without it")
    lesson.set_defaults(run=run_lesson)
    exercise = what.add_parser("exercise", help="four cells, before the sections with which a lesson closes")
    exercise.add_argument("lesson", metavar="LESSON")
    exercise.add_argument("id", metavar="ID")
    exercise.add_argument("kind", metavar="KIND", nargs="?", default="number", choices=KINDS, help=", ".join(KINDS))
    exercise.set_defaults(run=run_exercise)


def run_lesson(arguments: argparse.Namespace) -> int:
    """Write the lesson's file and say what to add to course.yml."""
    from autograde.authoring.new import course_entry, new_lesson, next_number
    from autograde.place import find_root, root_or_fail

    root = root_or_fail(find_root())
    number = arguments.number if arguments.number is not None else next_number(root)
    path = new_lesson(root, arguments.slug, number)
    print(
        f"Wrote {path.relative_to(root)}. Add to course.yml, under lessons:\n\n{course_entry(arguments.slug, number)}"
    )
    return 0


def run_exercise(arguments: argparse.Namespace) -> int:
    """Append the exercise."""
    from autograde.authoring.new import new_exercise
    from autograde.authoring.read import find_source, read_lesson
    from autograde.place import find_root, root_or_fail

    root = root_or_fail(find_root())
    lesson = read_lesson(find_source(root, arguments.lesson), root)
    line = new_exercise(lesson, arguments.id, arguments.kind)
    print(f"Wrote {arguments.id} into {lesson.file}, line {line}.")
    print(f"Fill it, adapt the lesson's points in course.yml, then: autograde build {lesson.slug}")
    return 0
