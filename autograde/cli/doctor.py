"""autograde doctor."""

from __future__ import annotations

import argparse


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    about = "Tell which layers of the sandbox this machine offers, and how to get the missing ones."
    parser = verbs.add_parser("doctor", help="what the sandbox can do here", description=about)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each layer; exit 1 where one is missing."""
    from autograde.grading.sandbox import doctor

    found = doctor()
    for name, offered, how in found:
        print(f"{'yes' if offered else 'no ':4} {name:13}" + ("" if offered else f" {how}"))
    missing = [name for name, offered, _ in found if not offered]
    print(f"missing: {', '.join(missing)}" if missing else "every layer is here")
    return 1 if missing else 0
