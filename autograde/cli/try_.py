"""autograde try EXERCISE_ID FILE [--json]."""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "try",
        help="judge one answer both ways",
        description="Run FILE as an exercise's answer cell and judge it on the notebook path and the grading path.",
    )
    parser.add_argument("exercise", metavar="EXERCISE_ID")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="Python; defines the name that the grade cell passes, or `answer`"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.set_defaults(run=run, usage_code=2)


def run(arguments: argparse.Namespace) -> int:
    """Try; exit 0 for any verdict, 2 for usage, 3 where the paths disagree or we failed."""
    from autograde.authoring.attempt import attempt
    from autograde.cli import say
    from autograde.grading.run import WorkerLost
    from autograde.grading.single import judge_answer
    from autograde.place import find_root, root_or_fail

    if not arguments.file.is_file():
        say(f"{arguments.file}: there is no such file. Name a Python file with the answer.")
        return 2
    try:
        arguments.file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        say(f"{arguments.file}: it is no UTF-8. Save it as UTF-8.")
        return 2
    root = root_or_fail(find_root())
    try:
        outcome = attempt(root, arguments.exercise, arguments.file.resolve(), judge_answer)
    except WorkerLost as fault:
        say(f"We failed: {fault}")
        return 3
    print(json.dumps(outcome.to_data()) if arguments.json else outcome)
    return 0 if outcome.agrees else 3
