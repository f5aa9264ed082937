"""The sandbox as the controller sees it: the layers that this machine offers, and how a worker starts inside them."""

from __future__ import annotations

import base64
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import autograde
import explorables
from autograde.environment import SETTINGS
from autograde.grading import layers

OUTER = ("bubblewrap", "cgroup")
ALL_LAYERS = (*OUTER, *layers.LAYERS)
MODES = ("best", "required", "off")
_APP, _WORK = "/app", "/submission"  # names under which no machine keeps Python
_MEMORY_BYTES, _PROCESSES = 5 << 30, 96

HOW_TO_GET = {
    "bubblewrap": "install the package bubblewrap, and allow user namespaces",
    "cgroup": "run as root, or under systemd with a delegated cgroup: systemd-run --user --scope -p Delegate=yes ...",
    "pids": "allow user namespaces; they are off in some containers",
    "namespaces": "allow user namespaces; they are off in some containers",
    "mounts": "allow user namespaces; they are off in some containers",
    "limits": "run on Linux",
    "landlock": "use Linux 5.13 or newer with landlock among the security modules (lsm=landlock,...)",
    "seccomp": "install pyseccomp (pip) and libseccomp2 (Debian)",
    "capabilities": "run on Linux",
}


class SandboxMissing(RuntimeError):
    """--sandbox required, and a layer is not there; the message says which and how to get it."""


@dataclass(frozen=True)
class Sandbox:
    """The layers of a run. `off` are those that are missing or were left out."""

    on: tuple[str, ...]

    @property
    def off(self) -> tuple[str, ...]:
        """Layers that are not there."""
        return tuple(name for name in ALL_LAYERS if name not in self.on)

    @property
    def label(self) -> str:
        """For reports: sandboxed, sandboxed without some layers, or not sandboxed."""
        if not self.on:
            return "not sandboxed"
        return "sandboxed" if not self.off else f"sandboxed without {', '.join(self.off)}"

    def without(self, *names: str) -> Sandbox:
        """The same with layers left out."""
        return Sandbox(tuple(name for name in self.on if name not in names))


def layers_off(labels: Collection[str]) -> tuple[str, ...]:
    """Layers that were not there for some of a class's rows, by the rows' labels."""
    bare = any("not sandboxed" in label for label in labels)
    return tuple(name for name in ALL_LAYERS if bare or any(name in label.partition("without ")[2] for label in labels))


def choose(mode: str) -> Sandbox:
    """The sandbox of a mode. Raises SandboxMissing where it is required and not whole (a cgroup may be missing)."""
    if mode == "off":
        return Sandbox(())
    found = Sandbox(tuple(name for name in ALL_LAYERS if is_offered(name)))
    missing = [name for name in found.off if name != "cgroup"]
    if mode == "required" and missing:
        told = "; ".join(f"{name}: {HOW_TO_GET[name]}" for name in missing)
        raise SandboxMissing(f"--sandbox required, but this machine lacks {', '.join(missing)}. {told}")
    if "bubblewrap" not in found.on:
        # Without a user namespace around the worker the child's own namespaces cannot be made by an ordinary user.
        found = found if os.name == "posix" and os.getuid() == 0 else found.without("pids", "namespaces", "mounts")
        found = found.without("mounts") if layers.holds_python("/tmp") else found
    return found


def is_offered(name: str) -> bool:
    """Whether this machine offers a layer; found out by trying it."""
    if not sys.platform.startswith("linux"):
        return False
    if name == "bubblewrap":
        return shutil.which("bwrap") is not None and _works([*_bwrap_namespaces(), "--ro-bind", "/", "/", "true"])
    if name == "cgroup":
        return _cgroup_root() is not None
    return _works([sys.executable, "-c", _TRY, name])


_TRY = """
import sys, tempfile
from autograde.grading import layers
name = sys.argv[1]
limits = layers.Limits()
if name == "pids":
    layers.unshare(layers.NEWUSER | layers.NEWPID)
elif name == "mounts":
    layers.own_namespaces(limits, "/tmp")
    layers.own_mounts(limits, "/tmp")
else:
    if name == "seccomp":
        layers.prepare(layers.build_filter())
    if name == "capabilities":
        layers.own_namespaces(limits, "/tmp")
    layers.APPLY[name](limits, tempfile.gettempdir())
"""


def _works(command: Sequence[str]) -> bool:
    environment = os.environ | {"PYTHONPATH": str(Path(autograde.__file__).parents[1])}
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _bwrap_namespaces() -> list[str]:
    return [
        *("bwrap", "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-add", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv"),
    ]


def worker_command(sandbox: Sandbox, fd: int, numbers: str, data: Path | None = None) -> list[str]:
    """The command of a worker: in bubblewrap with a read-only system, Python and our two packages; no course."""
    inner = ",".join(name for name in sandbox.on if name in layers.LAYERS)
    program = base64.b64encode(layers.build_filter()).decode() if "seccomp" in sandbox.on else ""
    worker = [sys.executable, "-P", "-m", "autograde.grading.worker", str(fd), inner, numbers, program]
    if "bubblewrap" not in sandbox.on:
        return worker
    command = _bwrap_namespaces()
    command += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", _WORK):
        command += ["--size", str(64 << 20), "--tmpfs", folder]
    for name, value in (SETTINGS | _ENVIRONMENT).items():
        command += ["--setenv", name, value]
    for target in ("lib", "lib64", "bin"):
        command += ["--symlink", f"usr/{target}", f"/{target}"]
    for folder in dict.fromkeys(("/usr", sys.base_prefix, sys.prefix)):
        command += ["--ro-bind", folder, folder]
    for module in (autograde, explorables):
        folder = str(Path(module.__file__ or "").parent)
        command += ["--ro-bind", folder, f"{_APP}/{Path(folder).name}"]
    if data is not None and data.is_dir():
        command += ["--ro-bind", str(data), f"{_APP}/data"]
    if layers.holds_python("/tmp"):  # no child can have a /tmp of its own then: it is for reading
        command += ["--remount-ro", "/tmp"]
    return [*command, "--remount-ro", "/", "--chdir", _WORK, "--", *worker]


_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": _WORK,
    "AUTOGRADE_WORK": _WORK,
    "PYTHONPATH": _APP,
    "PYTHONDONTWRITEBYTECODE": "1",
    "MALLOC_ARENA_MAX": "1",
    # Large pages, and memory that is not given back in between: forking and touching memory are half of a child's cost.
    "GLIBC_TUNABLES": ":".join(
        f"glibc.malloc.{name}" for name in ("hugetlb=1", f"mmap_threshold={1 << 30}", f"trim_threshold={1 << 30}")
    ),
}


def plain_environment() -> dict[str, str]:
    """The environment of a worker without bubblewrap: nothing of the instructor's but what Python needs."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return kept | SETTINGS | {"PYTHONPATH": str(Path(autograde.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}


def _cgroup_root() -> Path | None:
    """A folder in which we may make control groups with memory and pids; version 1 or 2."""
    base = Path("/sys/fs/cgroup")
    if (base / "cgroup.controllers").is_file():
        return base if os.access(base / "cgroup.subtree_control", os.W_OK) else None
    both = [base / "memory", base / "pids"]
    return base if all(os.access(folder, os.W_OK) and (folder / "tasks").is_file() for folder in both) else None


@dataclass(frozen=True)
class ControlGroup:
    """A memory-and-pids group around one worker and its children."""

    folders: tuple[Path, ...]

    @staticmethod
    def make(name: str) -> ControlGroup | None:
        """A new group, or None where it cannot be made."""
        root = _cgroup_root()
        if root is None:
            return None
        version_2 = (root / "cgroup.controllers").is_file()
        folders = (root / name,) if version_2 else (root / "memory" / name, root / "pids" / name)
        limits = (
            {"memory.max": _MEMORY_BYTES, "pids.max": _PROCESSES}
            if version_2
            else {"memory.limit_in_bytes": _MEMORY_BYTES, "pids.max": _PROCESSES}
        )
        _sweep({folder.parent for folder in folders})
        try:
            for folder in folders:
                folder.mkdir()
                for file, value in limits.items():
                    if (folder / file).exists():
                        (folder / file).write_text(str(value), encoding="ascii")
        except OSError:
            return None
        return ControlGroup(folders)

    def enter(self) -> Callable[[], None]:
        """What the worker's process does before it begins."""
        files = [str(folder / "cgroup.procs") for folder in self.folders]

        def go() -> None:
            for file in files:
                with open(file, "w", encoding="ascii") as stream:  # noqa: PTH123  # little is safe between fork and exec
                    stream.write(str(os.getpid()))

        return go

    def remove(self) -> None:
        """Take the group away; its processes are gone."""
        for folder in self.folders:
            try:
                folder.rmdir()
            except OSError:
                continue


def _sweep(parents: set[Path]) -> None:
    """Take away what controllers that were killed left behind: groups without processes, named by who made them."""
    for parent in parents:
        for folder in parent.glob("autograde-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                with contextlib.suppress(OSError):
                    folder.rmdir()


def doctor() -> list[tuple[str, bool, str]]:
    """Each layer: its name, whether this machine offers it, how to get it."""
    return [(name, is_offered(name), HOW_TO_GET[name]) for name in ALL_LAYERS]
