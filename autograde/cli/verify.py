"""autograde verify [LESSON]."""

from __future__ import annotations

import argparse
from pathlib import Path

_ABOUT = """# How strong the checks are

Written by `autograde verify --mutants --table FILE.md`.

    {}
"""


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "verify",
        help="prove the checks",
        description="Prove that each check rejects its wrong answers by their own sentences and accepts right ones.",
    )
    parser.add_argument("lesson", nargs="?", default="", help="a lesson's id; all lessons without it")
    parser.add_argument(
        "--mutants",
        action="store_true",
        help="measure the checks of code too: change each solution by small edits, list what no check notices",
    )
    parser.add_argument("--table", type=Path, metavar="FILE.md", help="write the table to a file of the docs too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify, print the table; exit 1 where a lesson is not full, or an edit is neither noticed nor explained."""
    from autograde.authoring.prove import measure_lessons, prove_lessons, table
    from autograde.cli import say
    from autograde.place import find_root, root_or_fail

    root = root_or_fail(find_root())
    proofs = prove_lessons(root, arguments.lesson, say)
    strengths = measure_lessons(root, arguments.lesson, say) if arguments.mutants else {}
    faults = [fault for proof in proofs.values() for fault in proof.faults]
    unnoticed = [fault for strength in strengths.values() for fault in strength.faults]
    for fault in faults + unnoticed:
        print(fault)
    shown = table(proofs, strengths)
    print(shown)
    if arguments.table is not None:
        arguments.table.write_text(_ABOUT.format(shown.replace("\n", "\n    ")), encoding="utf-8")
    return 0 if all(proof.is_full for proof in proofs.values()) and not unnoticed else 1
