"""autograde lint."""

from __future__ import annotations

import argparse


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "lint",
        help="answers shown too early, rules broken",
        description="Run the released lessons; list each answer that stands before its exercise, and each rule broken.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lint; exit 1 where there is a fault."""
    from autograde.authoring.build import read_all
    from autograde.authoring.lint import lint
    from autograde.cli import say
    from autograde.place import find_root, root_or_fail
    from autograde.wording import counted

    root = root_or_fail(find_root())
    course, texts = read_all(root)
    faults = lint(root, course, texts, say)
    for fault in faults:
        print(fault)
    print(f"{counted(len(texts), 'lesson')}, {counted(len(faults), 'fault')}")
    return 1 if faults else 0
