"""The sandbox's layers, applied by a child to itself before the first line of a submission runs.

Linux only; each layer is a function of its own, so that a run can leave one out and a test can see the difference.
Sources: man 2 unshare,
man 7 landlock, man 2 seccomp, man 7 capabilities.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

LAYERS = ("pids", "namespaces", "mounts", "limits", "landlock", "seccomp", "capabilities")
"""In the order in which they are applied; pids is applied by the worker, before the fork."""

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_NOSUID, _NODEV, _NOEXEC, _REC, _PRIVATE = 2, 4, 8, 16384, 1 << 18
_NO_NEW_PRIVS, _CAPBSET_DROP, _SET_SECCOMP, _SET_DUMPABLE, _SET_PDEATHSIG = 38, 24, 22, 4, 1
_TMPFS_BYTES = 64 << 20
_FORBIDDEN_CALLS = [
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsconfig",
    "fsmount",
    "mount_setattr",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "keyctl",
    "add_key",
    "request_key",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "swapoff",
    "acct",
    "quotactl",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "syslog",
    "personality",
    "pidfd_getfd",
    "kcmp",
    "name_to_handle_at",
    "open_by_handle_at",
    "pidfd_open",
    "memfd_secret",
    "landlock_create_ruleset",
    "seccomp",
]


class LayerFault(OSError):
    """A layer could not be applied: the child ends, nothing of the submission runs."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use; of CPU as much as its budget says, see limit_cpu."""

    memory_bytes: int = 4 << 30
    file_bytes: int = 64 << 20
    processes: int = 64
    open_files: int = 256


@lru_cache(maxsize=1)
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _call(what: str, result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise LayerFault(code, f"{what}: {os.strerror(code)}")
    return result


def unshare(flags: int) -> None:
    """Leave namespaces."""
    _call("unshare", _libc().unshare(ctypes.c_int(flags)))


def enter_namespace(fd: int, kind: int) -> None:
    """Go back into a namespace."""
    _call("setns", _libc().setns(ctypes.c_int(fd), ctypes.c_int(kind)))


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _call("prctl", _libc().prctl(_SET_PDEATHSIG, 9, 0, 0, 0))


def _mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int, data: bytes = b"") -> None:
    _call(f"mount {target.decode()}", _libc().mount(source, target, kind, ctypes.c_ulong(flags), data))


def own_namespaces(limits: Limits, work: str) -> None:
    """User, mount, network, ipc and host name of the child's own. No interface but a closed loopback is in it."""
    uid, gid = os.getuid(), os.getgid()
    unshare(NEWUSER | NEWNS | NEWNET | NEWIPC | NEWUTS)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"1000 {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"1000 {gid} 1", encoding="ascii")


def own_mounts(limits: Limits, work: str) -> None:
    """Small fresh /tmp and /dev/shm, no service's socket, and a /proc of the child's own processes, or none."""
    _mount(None, b"/", None, _REC | _PRIVATE)
    for folder in ("/tmp", "/dev/shm", "/run", work):
        if folder == work:
            Path(work).mkdir(parents=True, exist_ok=True)
        if Path(folder).is_dir() and not holds_python(folder):
            data = f"size={_TMPFS_BYTES},nr_inodes=4096,mode=777".encode()
            _mount(b"tmpfs", folder.encode(), b"tmpfs", _NOSUID | _NODEV, data)
    try:
        _mount(b"proc", b"/proc", b"proc", _NOSUID | _NODEV | _NOEXEC)
    except LayerFault:
        _mount(b"tmpfs", b"/proc", b"tmpfs", _NOSUID | _NODEV, b"size=0,nr_inodes=2,mode=555")


def holds_python(folder: str) -> bool:
    """Whether Python or our packages live under a folder: a fresh one in its place would hide them."""
    ours = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]))
    return any(Path(place).is_relative_to(folder) for place in ours)


def own_limits(limits: Limits, work: str) -> None:
    """Limits on memory, files and processes."""
    wanted = {
        resource.RLIMIT_AS: (limits.memory_bytes,) * 2,
        resource.RLIMIT_FSIZE: (limits.file_bytes,) * 2,
        resource.RLIMIT_NOFILE: (limits.open_files,) * 2,
        resource.RLIMIT_NPROC: (limits.processes,) * 2,
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
    }
    for kind, value in wanted.items():
        resource.setrlimit(kind, value)


def limit_cpu(seconds: int) -> None:
    """The limits layer's last part, once the controller has said what the submission may use in all."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def landlock(limits: Limits, work: str) -> None:
    """Read the system and Python, write the work folder, nothing else; no TCP, no signals outwards where it can be."""
    read, rest = 1 | 4 | 8, (1 << 16) - 1
    abi = _libc().syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    if abi < 1:
        raise LayerFault(errno.ENOSYS, "landlock is not in this kernel")
    handled = rest if abi >= 5 else (1 << 15) - 1 if abi >= 3 else (1 << 13) - 1
    rules = struct.pack("QQQ", handled, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    ruleset = _call(
        "landlock", _libc().syscall(444, rules, ctypes.c_size_t(24 if abi >= 6 else 16 if abi >= 4 else 8), 0)
    )
    fresh = [] if holds_python("/tmp") else ["/tmp"]
    for paths, access in ((_system(), read), ((work, *fresh, "/dev/shm", "/dev/null"), handled)):
        for path in paths:
            _allow(ruleset, path, access)
    _call("no_new_privs", _libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
    _call("landlock", _libc().syscall(446, ruleset, 0))
    os.close(ruleset)


def _system() -> tuple[str, ...]:
    """What may be read: the system's and Python's own files and our packages, of /etc what libraries need."""
    ours = Path(__file__).parents[1]
    packages = (str(ours), str(ours.with_name("explorables")), sys.prefix, sys.base_prefix)
    settings = ("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/mime.types")
    return ("/usr", "/lib", "/lib64", "/bin", *settings, "/app", "/proc", "/dev/urandom", *packages)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        fd = os.open(path, os.O_PATH)
    except OSError:
        return
    of_a_file = 1 | 2 | 4 | (1 << 14) | (1 << 15)
    rule = struct.pack("=Qi", access if Path(path).is_dir() else access & of_a_file, fd)
    _call(f"landlock {path}", _libc().syscall(445, ruleset, 1, rule, 0))
    os.close(fd)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def build_filter() -> bytes:
    """The seccomp program, written by libseccomp outside of the sandbox. Raises ImportError, RuntimeError."""
    import pyseccomp

    made = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in _FORBIDDEN_CALLS:
        try:
            made.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
        except (ValueError, OSError):  # a call that this machine does not have
            continue
    made.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for flag in (NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET):
        made.add_rule(pyseccomp.ERRNO(errno.EPERM), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    made.add_rule(pyseccomp.ERRNO(errno.EACCES), "socket", pyseccomp.Arg(0, pyseccomp.NE, 1))
    with os.fdopen(os.memfd_create("filter"), "w+b", buffering=0) as file:
        made.export_bpf(file)
        file.seek(0)
        return bytes(file.read())


_loaded: list[tuple[_Program, Any]] = []


def prepare(code: bytes) -> None:
    """Keep the seccomp program for children to load."""
    buffer = ctypes.create_string_buffer(code, len(code))
    _loaded[:] = [(_Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p)), buffer)]


def seccomp(limits: Limits, work: str) -> None:
    """No call that leaves, watches or changes the system; sockets of the local kind only."""
    _call("no_new_privs", _libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
    _call("seccomp", _libc().prctl(_SET_SECCOMP, 2, ctypes.byref(_loaded[0][0]), 0, 0))


def no_capabilities(limits: Limits, work: str) -> None:
    """Give up every capability, and being read by one's own kind."""
    for capability in range(41):
        _libc().prctl(_CAPBSET_DROP, capability, 0, 0, 0)
    header, none = struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", *[0] * 6)
    _call("capset", _libc().capset(header, none))
    _call("dumpable", _libc().prctl(_SET_DUMPABLE, 0, 0, 0, 0))


APPLY: dict[str, Callable[[Limits, str], None]] = {
    "namespaces": own_namespaces,
    "mounts": own_mounts,
    "limits": own_limits,
    "landlock": landlock,
    "seccomp": seccomp,
    "capabilities": no_capabilities,
}


def apply(wanted: Sequence[str], limits: Limits, work: str) -> None:
    """Apply the wanted layers, in their order. Raises LayerFault: whoever cannot be held does not run."""
    for name, layer in APPLY.items():
        if name in wanted:
            layer(limits, work)
        if name == "mounts" and name in wanted:
            os.chdir(work)
