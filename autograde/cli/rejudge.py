"""autograde rejudge SUBMISSIONS [--yes]."""

from __future__ import annotations

import argparse
from pathlib import Path


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    about = (
        "Judge a graded class again after a change of points, sentences, wrong answers, due time or late policy. "
        "Runs nothing."
    )
    parser = verbs.add_parser("rejudge", help="grades again, without running", description=about)
    parser.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="what `autograde grade` was given")
    parser.add_argument("--assignment", metavar="ID", help="this lesson only")
    parser.add_argument("--source", type=Path, metavar="NOTEBOOK", help="an instructor's solved nbgrader notebook")
    parser.add_argument("--yes", action="store_true", help="write the new grades; without it they are only told")
    parser.set_defaults(run=run, usage_code=2)


def run(arguments: argparse.Namespace) -> int:
    """Rejudge; exit 1 where submissions would have to run again, 2 where nothing could begin."""
    from autograde.cli import say
    from autograde.grading.assignment import BadAssignment
    from autograde.grading.hand_back import Evening
    from autograde.grading.store import StoreFault

    folder = Evening(arguments.submissions).folder
    if not (folder / "store.sqlite").is_file():
        say(f"{folder}: nothing was graded there. Run `autograde grade {arguments.submissions}` first.")
        return 2
    try:
        return _rejudge(arguments, folder)
    except (BadAssignment, StoreFault) as fault:
        say(str(fault))
        return 2


def _rejudge(arguments: argparse.Namespace, folder: Path) -> int:
    from autograde.cli import say
    from autograde.cli.class_tasks import tasks_for
    from autograde.grading.rejudge import rejudge, write
    from autograde.grading.store import Store
    from autograde.wording import counted

    with Store(folder) as store:
        found = rejudge(store, tasks_for(arguments.source, arguments.assignment or "", store, say))
        for change in found.changes:
            print(change)
        moved = sum(change.moves for change in found.changes)
        told = (
            f"{counted(moved, 'grade')} change{'s' * (moved == 1)}, {counted(len(found.changes) - moved, 'sentence')}"
        )
        print(f"{told}, {counted(found.unchanged, 'row')} stay{'s' * (found.unchanged == 1)}.")
        for name in found.stale:
            print(f"{name}: other inputs are drawn now; grade it again")
        if arguments.yes:
            write(store, found)
            print("Written. `autograde grade` with the same folder writes reports and exports again.")
        elif found.changes:
            print("Nothing was written; --yes writes it.")
    return 1 if found.stale else 0
