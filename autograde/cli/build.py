"""autograde build [LESSON] [--check]."""

from __future__ import annotations

import argparse


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "build", help="solutions/ -> lessons/", description="Run the solved lessons, seal them, write lessons/."
    )
    parser.add_argument("lesson", nargs="?", default="", help="a lesson's id; all lessons without it")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a committed lesson is stale")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Build, and say which files changed."""
    from autograde.authoring.build import build
    from autograde.cli import say
    from autograde.place import find_root, root_or_fail

    root = root_or_fail(find_root())
    changed = build(root, arguments.lesson, say, check=arguments.check)
    word = "stale" if arguments.check else "wrote"
    print("\n".join(f"{word} {name}" for name in changed) or "lessons/ is up to date")
    if arguments.check and changed:
        print("Run `autograde build` and commit what it writes.")
        return 1
    return 0
