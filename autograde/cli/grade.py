"""autograde grade SUBMISSIONS [--assignment ID] [--source NOTEBOOK] [--roster CSV] [--export KIND FILE] ..."""

from __future__ import annotations

import argparse
from pathlib import Path


def register(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    about = "Grade a folder or archive of submissions: this course's lessons, or with --source any nbgrader assignment."
    parser = verbs.add_parser("grade", help="submissions -> grades", description=about)
    parser.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="a folder, or a zip as an LMS gives it")
    parser.add_argument("--assignment", metavar="ID", help="grade this lesson only")
    parser.add_argument("--source", type=Path, metavar="NOTEBOOK", help="an instructor's solved nbgrader notebook")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="the LMS's gradebook, for names and --export")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON, whatever happens")
    parser.add_argument("--export", nargs=2, metavar=("KIND", "FILE"), help="canvas, moodle or csv, and a file")
    parser.add_argument(
        "--gradebook", metavar="URL", help="nbgrader's gradebook; a file in the class's folder without it"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="the number of cores without it")
    parser.add_argument("--engine", choices=("local", "dask"), default="local", help="dask: a cluster")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="Dask's; a local cluster without it")
    parser.add_argument("--sandbox", choices=("best", "required", "off"), default="best")
    parser.add_argument("--fresh", action="store_true", help="draw a new seed and run all again")
    parser.set_defaults(run=run, usage_code=2)


def run(arguments: argparse.Namespace) -> int:
    """Grade; exit 0 when all were graded, 1 when some were not, 2 for usage."""
    from autograde.cli import say
    from autograde.cli.class_tasks import lms_names, tasks_for
    from autograde.grading.evening import grade
    from autograde.grading.hand_back import Evening

    evening = Evening(
        submissions=arguments.submissions,
        roster=arguments.roster,
        json=arguments.json,
        export=(arguments.export[0], Path(arguments.export[1])) if arguments.export else None,
        gradebook=arguments.gradebook or "",
        workers=arguments.workers,
        sandbox=arguments.sandbox,
        fresh=arguments.fresh,
        engine=arguments.engine,
        scheduler=arguments.scheduler,
        names=lms_names(),
    )
    return grade(
        evening,
        lambda store: tasks_for(arguments.source, arguments.assignment or "", store, say, fresh=arguments.fresh),
        say,
    )
