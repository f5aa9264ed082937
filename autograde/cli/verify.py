"""autograde verify [LESSON]."""

from __future__ import annotations

import argparse


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "verify",
        help="prove the checks",
        description="Prove that each check rejects its wrong answers by their own sentences and accepts right ones.",
    )
    parser.add_argument("lesson", nargs="?", default="", help="a lesson's id; all lessons without it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify, print the table; exit 1 where a lesson is not full."""
    from autograde.authoring.prove import prove_lessons
    from autograde.authoring.verify import table
    from autograde.cli import say
    from autograde.place import find_root, root_or_fail

    proofs = prove_lessons(root_or_fail(find_root()), arguments.lesson, say)
    for proof in proofs.values():
        for fault in proof.faults:
            print(fault)
    print(table(proofs))
    return 0 if all(proof.is_full for proof in proofs.values()) else 1
