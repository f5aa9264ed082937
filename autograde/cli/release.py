"""autograde release DIR [--graded]."""

from __future__ import annotations

import argparse
from pathlib import Path


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "release",
        help="what students get",
        description="Write the released lessons to a new folder and search it for answers before saying done.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    parser.add_argument(
        "--graded",
        action="store_true",
        help="for a graded class: no hints, no worked solutions, no sentences of code exercises",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Release; exit 1 where a lesson is stale or an answer was found."""
    from autograde.authoring.build import build, read_all
    from autograde.authoring.hand_out import hand_out, must_be_empty
    from autograde.cli import say
    from autograde.place import find_root, root_or_fail
    from autograde.wording import counted

    root = root_or_fail(find_root())
    must_be_empty(arguments.folder)
    stale = build(root, "", say, check=True)
    if stale:
        print("\n".join(f"stale {name}" for name in stale))
        print("Run `autograde build` first; nothing was released.")
        return 1
    files = hand_out(root, arguments.folder, read_all(root)[1], graded=arguments.graded)
    print("\n".join(files))
    print(f"Released {counted(len(files), 'file')} to {arguments.folder}; no answer was found in them.")
    return 0
