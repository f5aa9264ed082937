"""autograde schema."""

from __future__ import annotations

import argparse
import json


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "schema",
        help="the JSON schema of course.yml",
        description="Print the JSON schema of course.yml, which editors can use.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    from autograde.course import schema

    print(json.dumps(schema(), indent=2))
    return 0
