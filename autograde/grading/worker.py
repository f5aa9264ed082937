"""The worker: imports once, forks a child a submission. Runs inside bubblewrap where that is there.

It never reads a submission: the controller hands it two file descriptors for each, and the child reads its steps from
its own socket.
Speaks JSON lines on the socket it was started with: {"ready": true}; then for each request status, cpu_s and rss_kb.
"""

from __future__ import annotations

import array
import base64
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from autograde.grading import layers
from autograde.grading.child import become
from autograde.grading.frames import KILL
from autograde.grading.pristine import Pristine
from autograde.grading.work import remove, work_folder
from autograde.runner import Runner

WORK = Path(os.environ.get("AUTOGRADE_WORK", "/tmp/work"))
"""Where a child's work folder is mounted, or made where it has no mounts of its own."""
_FIRST = """
import math
import torch
from torch import nn

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return torch.softmax(self.layer(x), dim=-1)

print(f"{Net()(torch.randn(2, 8)).sum():.2f}")
"""
"""A cell such as lessons have: what it loads and fills the first time is there for every child."""


def warm() -> tuple[Runner, Pristine]:
    """Import what lessons use and touch what is slow the first time, so that no child pays for it."""
    import matplotlib.pyplot
    import numpy
    import torch
    from torch.nn import functional

    import explorables

    # The first figure and the first picture load fonts and widgets.
    explorables.use_style()
    figure, axes = matplotlib.pyplot.subplots()
    axes.plot([0, 1], [1, 0], label="warm")
    axes.bar([0, 1], [1, 2])
    axes.set(title="warm", xlabel="x", ylabel="y")
    figure.canvas.draw()
    matplotlib.pyplot.close("all")
    matplotlib.pyplot.rcdefaults()
    explorables.FeedForwardPicture()
    del matplotlib, numpy, explorables
    torch.set_num_threads(1)
    with torch.no_grad():
        functional.gelu(torch.nn.Linear(2, 2)(torch.zeros(1, 2)))
    # Creating an optimizer imports a great deal.
    torch.optim.AdamW([torch.zeros(1, requires_grad=True)]).step()
    runner = Runner()
    before = set(runner.variables)
    runner.run_aloud(_FIRST)
    for name in set(runner.variables) - before:
        del runner.variables[name]
    runner.ignore_magic("matplotlib")
    runner.without_terminal()
    pristine = Pristine()
    gc.collect()
    gc.freeze()
    return runner, pristine


def serve(sock: socket.socket, wanted: Sequence[str], limits: layers.Limits) -> None:
    """Fork a child for each pair of file descriptors, until the controller is gone."""
    runner, pristine = warm()
    home = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC) if "pids" in wanted else -1
    sock.sendall(b'{"ready": true}\n')
    while True:
        message, ancillary, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(8))
        if not message:
            return
        if message == KILL:  # it came too late: that child has ended
            continue
        used = time.process_time()
        fds = array.array("i")
        for _, _, data in ancillary:
            fds.frombytes(data[: 2 * fds.itemsize])
        work = WORK if "mounts" in wanted else work_folder(WORK if WORK.is_dir() else None)
        child = _fork(runner, pristine, list(fds), wanted, limits, home, str(work))
        for fd in fds:
            os.close(fd)
        status, usage = _wait(sock, child)
        spent = usage.ru_utime + usage.ru_stime + time.process_time() - used  # the fork is part of the cost
        if "mounts" not in wanted:  # the next one shall not meet it
            remove(work)
        said = {"status": status, "cpu_s": round(spent, 4), "rss_kb": usage.ru_maxrss}
        sock.sendall(json.dumps(said).encode() + b"\n")


def _wait(sock: socket.socket, child: int) -> tuple[int, resource.struct_rusage]:
    """A child's end, brought about where the controller asks for it or is gone. Process 1 takes its namespace along."""
    ended = _end_of(child)
    watched: list[socket.socket | int] = [sock] if ended is None else [sock, ended]
    while True:
        ready, _, _ = select.select(watched, [], [], 0.01 if ended is None else None)
        if sock in ready:
            sock.recv(1)
            os.kill(child, signal.SIGKILL)
        found, status, usage = os.wait4(child, 0 if ready else os.WNOHANG)
        if found:
            break
    if ended is not None:
        os.close(ended)
    return status, usage


def _end_of(child: int) -> int | None:
    """A descriptor that is readable once the child ended; None where the system has no such thing."""
    try:
        return os.pidfd_open(child)
    except (AttributeError, OSError):
        return None


def _fork(
    runner: Runner,
    pristine: Pristine,
    fds: Sequence[int],
    wanted: Sequence[str],
    limits: layers.Limits,
    home: int,
    work: str,
) -> int:
    if "pids" in wanted:
        layers.unshare(layers.NEWPID)
    child = os.fork()
    if child == 0:
        become(runner, pristine, fds[0], fds[1], wanted, limits, work)
    if "pids" in wanted:
        layers.enter_namespace(home, layers.NEWPID)
    return child


def main() -> None:
    """python -m autograde.grading.worker FD LAYERS LIMITS FILTER."""
    fd, names, numbers, program = sys.argv[1:5]
    wanted = [name for name in names.split(",") if name]
    if "pids" in wanted:
        _be_first()
    if "seccomp" in wanted:
        layers.prepare(base64.b64decode(program))
    serve(socket.socket(fileno=int(fd)), wanted, layers.Limits(**json.loads(numbers)))


def _be_first() -> None:
    """Become process 1 of a namespace of our own, so that going back into it is allowed."""
    layers.unshare(layers.NEWPID)
    child = os.fork()
    if child:
        os.closerange(3, 256)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
    layers.die_with_parent()


if __name__ == "__main__":
    main()
