"""Jobs: tasks of `child` in processes of their own, several at once, with a word on each as it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from autograde.authoring.faults import AuthorError, Fault
from autograde.environment import child_environment
from autograde.wording import counted

LESSON_SECONDS = 1800


class JobFailed(RuntimeError):
    """A child process brought no result; where it is none of the following, the fault is ours."""


class JobDied(JobFailed):
    """A child process ended without a word: the cells that it ran ended it."""


class JobTookTooLong(JobFailed):
    """A child process was ended at its time limit."""


def run_job(task: str, root: Path, *arguments: str, seconds: float = LESSON_SECONDS) -> dict[str, Any]:
    """The result of one task. Raises AuthorError, JobFailed, JobDied, JobTookTooLong."""
    with tempfile.TemporaryDirectory(prefix="autograde-") as folder:
        result = Path(folder) / "result.json"
        command = [sys.executable, "-m", "autograde.authoring.child", task, str(result), str(root), *arguments]
        environment = child_environment() | {"IPYTHONDIR": folder}
        try:
            done = subprocess.run(
                command,
                cwd=lesson_folder(root),
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise JobTookTooLong(f"{task} {' '.join(arguments[:1])} took longer than {seconds:g} s") from None
        if not result.exists():
            tail = done.stderr.decode(errors="replace").strip()[-3000:]
            raise JobDied(f"{task} {' '.join(arguments[:1])} ended with code {done.returncode} and no result:\n{tail}")
        outcome: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    if "crash" in outcome:
        raise JobFailed(f"{task} {' '.join(arguments[:1])}:\n{outcome['crash']}")
    if outcome.get("faults"):
        raise AuthorError([Fault(**fault) for fault in outcome["faults"]])
    return outcome


def lesson_folder(root: Path) -> Path:
    """Where lessons run: beside the notebooks, so that data/ is found."""
    folder = root / "lessons"
    return folder if folder.is_dir() else root


def run_jobs(
    task: str, root: Path, slugs: Sequence[str], say: Callable[[str], None], more: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """One task for several lessons, in parallel. Raises AuthorError with the faults of all, JobFailed."""
    outcomes: dict[str, dict[str, Any]] = {}
    faults: list[Fault] = []
    began = time.monotonic()
    with ThreadPoolExecutor(min(os.cpu_count() or 1, max(len(slugs), 1))) as pool:
        waiting = {pool.submit(run_job, task, root, slug, *more): slug for slug in slugs}
        for done in as_completed(waiting):
            slug, word = waiting[done], "done"
            try:
                outcomes[slug] = done.result()
            except AuthorError as fault:
                faults += fault.faults
                word = counted(len(fault.faults), "fault")
            count, seconds = len(outcomes) + (word != "done"), time.monotonic() - began
            say(f"[{count}/{len(slugs)}] {task} {slug}: {word} after {seconds:.1f} s")
    if faults:
        raise AuthorError(faults)
    return {slug: outcomes[slug] for slug in slugs}
