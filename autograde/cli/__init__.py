"""The command `autograde`: one file a verb, no logic.

A verb has register(subparsers) and run(arguments) -> exit code.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

VERBS = ("build", "verify", "lint", "release", "try_", "new", "schema", "grade", "rejudge", "doctor")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes: 0 done, 1 something is not as it should be, 2 usage, 3 we failed."""
    parser = argparse.ArgumentParser(
        prog="autograde", description="Write lessons that check themselves, and prove that they do."
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in VERBS:
        importlib.import_module(f"autograde.cli.{verb}").register(verbs)
    arguments = parser.parse_args(argv)
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from autograde.authoring.faults import AuthorError
    from autograde.authoring.jobs import JobFailed
    from autograde.course import CourseError
    from autograde.place import NoCourse
    from autograde.wording import counted, ended

    try:
        code: int = arguments.run(arguments)
    except (AuthorError, CourseError) as fault:
        print(fault, file=sys.stderr)
        print(f"{counted(len(fault.faults), 'fault')}.", file=sys.stderr)
        return arguments.usage_code if hasattr(arguments, "usage_code") else 1
    except NoCourse as fault:
        print(fault, file=sys.stderr)
        return 2
    except OSError as fault:
        said = ended(str(fault.strerror or fault))
        print(f"{fault.filename or 'a file'}: {said} Mend that and run it again.", file=sys.stderr)
        return 1
    except JobFailed as fault:
        print(f"We failed: {fault}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("Stopped. Nothing was half written.", file=sys.stderr)
        return 130
    return code


def say(text: str) -> None:
    """Progress, on standard error, so that results can be piped."""
    print(text, file=sys.stderr, flush=True)
