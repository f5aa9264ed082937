"""The same for whoever is not root: hostile tests run once more by a user without rights, in a process of its own.

Where Python or the project lies in a folder that only root may enter, that user sees it through a mount of its own.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
# What differs most without root: who may signal, read, write and limit whom.
FEW = "os_exit or reads_store or writes_outside or inherited_descriptors or heap or fork_bomb or daemon_left_behind"

pytestmark = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0 or shutil.which("setpriv") is None or shutil.which("unshare") is None,
    reason="not root: this is what runs already",
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that nobody may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def closed(path: Path) -> Path | None:
    """The topmost folder on the way to a path that nobody else may enter."""
    return next((folder for folder in [*reversed(path.parents), path] if not folder.stat().st_mode & 0o001), None)


def opened(folder: Path) -> str:
    """Shell commands, for a mount namespace of their own, that let everybody enter what the tests need."""
    behind = defaultdict(list)
    for needed in dict.fromkeys(Path(place).resolve() for place in (sys.prefix, sys.base_prefix, ROOT)):
        if (gate := closed(needed)) is not None:
            behind[gate].append(needed)
    lines = []
    for gate, places in behind.items():
        kept = [(place, folder / f"kept-{abs(hash(place))}") for place in places]
        lines += [f"mkdir {q(copy)}; mount --bind {q(place)} {q(copy)}" for place, copy in kept]
        lines.append(f"mount -t tmpfs -o mode=755 tmpfs {q(gate)}")
        lines += [f"mkdir -p {q(place)}; mount --bind {q(copy)} {q(place)}" for place, copy in kept]
    return "\n".join(lines)


def q(path: Path) -> str:
    return shlex.quote(str(path))


def run_as_nobody(folder: Path, *words: str) -> str:
    """What pytest says, run by a user without rights."""
    home = folder / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    folder.chmod(0o755)
    command = [
        "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs",
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", f"--basetemp={home}/pytest",
        *words,
    ]  # fmt: skip
    script = f"set -e\n{opened(folder)}\ncd {q(ROOT)}\nexec {shlex.join(command)}"
    environment = os.environ | {"HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    said = done.stdout[-30_000:] + done.stderr[-2000:]
    if done.returncode and "Operation not permitted" in done.stderr:
        pytest.skip("this machine lets root make no mount namespace")
    assert done.returncode == 0, said
    assert " passed" in said
    return said


def test_some_hostile_submissions_as_an_ordinary_user(folder: Path) -> None:
    run_as_nobody(folder, "tests/hostile/test_hostile_cells.py", "-k", FEW)


@pytest.mark.heavy
def test_all_hostile_submissions_as_an_ordinary_user(folder: Path) -> None:
    run_as_nobody(folder, "tests/hostile", "-m", "not heavy")
