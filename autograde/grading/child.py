"""The child: runs one submission's steps in a fork of the warm worker, then the probes that it is sent.

Everything that leaves it is a claim: the controller takes frames in turn only, caps them, and judges elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograde import notebook
from autograde.calm import quiet
from autograde.evidence import Evidence, Raised, from_bytes, to_bytes
from autograde.grading import frames, layers
from autograde.grading.pristine import Pristine
from autograde.plain import plain
from autograde.probe import probe
from autograde.runner import Runner
from autograde.shell import Shell

OUT_OF_CPU = 99
"""How a child ends that used up its seconds: process 1 of a namespace ignores signals it has no handler for."""


@dataclass
class Child:
    """One submission in one process."""

    runner: Runner
    pristine: Pristine
    sock: socket.socket
    values: dict[str, Any] = field(default_factory=dict)
    faults: dict[str, Raised] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    last_fault: Raised | None = None

    def run(self, script: Mapping[str, Any]) -> None:
        """Run the steps, then answer plans until the controller has no more."""
        shown = [self._step(i, step, script) for i, step in enumerate(script["steps"])]
        _flush()
        self.sock.sendall(frames.frame(frames.DONE, json.dumps(shown).encode()))
        while True:
            try:
                _, payload = frames.receive(self.sock)
            except EOFError:
                return
            self._answer(payload)

    def _step(self, i: int, step: Mapping[str, Any], script: Mapping[str, Any]) -> dict[str, Any]:
        self.sock.sendall(frames.frame(frames.STEP, str(i).encode()))
        _allow_cpu(script["step_cpu_s"])
        if step["role"] == "grade":
            self._keep(step, in_process=script["in_process"])
            return {}
        ran = self.runner.run_aloud(step["source"], step["id"])
        if step["role"] == "answer":
            self.last_fault = ran.fault
        if step["role"] == "given":
            self.pristine.keep_names(self.runner.variables)
        if ran.fault is None:
            return {}
        return {"type": ran.fault.type, "message": ran.fault.message, "line": ran.fault.line, "code": ran.fault.code}

    def _keep(self, step: Mapping[str, Any], *, in_process: bool) -> None:
        """At a grade cell: keep what was handed in as it is now; a plain assignment's tests are run here."""
        if in_process:
            _, source = frames.receive(self.sock)
            self.evidence[step["id"]] = self._test(source.decode())
            return
        name = self.names[step["id"]] = step["name"]
        self.values[step["id"]] = self.runner.variables.get(name, ...)
        fault = self._shell().fault(name, ...)
        if fault is not None:
            self.faults[step["id"]] = fault

    def _test(self, source: str) -> Evidence:
        """A test cell, run beside the learner's code with the library's own functions put back."""
        self.pristine.restore(self.runner.variables)
        self.runner.forget_transformers()
        with quiet():
            ran = self.runner.run_aloud(source)
        return {"raised": ran.fault, "result": plain(ran.result), "ran": True, "answer cell": self.last_fault}

    def _shell(self) -> Shell:
        opened = notebook.opened()
        return opened.shell if opened is not None else Shell()

    def _answer(self, payload: bytes) -> None:
        """Do what a plan says and send the evidence, with the plan's own number on it."""
        request: Any = from_bytes(payload)
        exercise = request["exercise"]
        _allow_cpu(request["cpu_s"])
        evidence = self._evidence(exercise, request["plan"])
        _flush()
        self.sock.sendall(frames.frame(frames.EVIDENCE, to_bytes({"number": request["number"], "evidence": evidence})))

    def _evidence(self, exercise: str, plan: dict[str, Any]) -> Evidence:
        if exercise in self.evidence:
            return self.evidence[exercise]
        if exercise in self.faults:
            return {"answer": self.faults[exercise]}
        self.pristine.restore_probes()
        with quiet(), self._shell().clean(self.names.get(exercise, "")):
            return probe(plan, self.values.get(exercise, ...))


def _allow_cpu(seconds: int) -> None:
    """Let this step use so many seconds of CPU more; the hard limit of the submission stays."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = int(used.ru_utime + used.ru_stime) + seconds + 1
    if hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_CPU, (min(wanted, hard - 1), hard))  # at the hard one no word is left


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue


def become(
    runner: Runner,
    pristine: Pristine,
    sock_fd: int,
    output_fd: int,
    wanted: Sequence[str],
    limits: layers.Limits,
    work: str,
) -> None:
    """In the fork: close what is not ours, put the layers on, run. Never returns."""
    code = 70
    try:
        os.setsid()
        _go_first()
        sock = _own_files(sock_fd, output_fd)
        _reseed()
        signal.signal(signal.SIGXCPU, lambda *_: os._exit(OUT_OF_CPU))
        layers.apply(wanted, limits, work)
        _go_to(work)
        code = 71
        _, payload = frames.receive(sock)
        script = json.loads(payload)
        if "limits" in wanted:
            layers.limit_cpu(script["total_cpu_s"])
        Child(runner, pristine, sock).run(script)
        code = 0
    except BaseException as fault:  # the fork must never fall back into the worker's loop
        os.write(2, f"autograde child ended ({code}): {type(fault).__name__}: {fault}\n".encode(errors="replace"))
    finally:
        os._exit(code)


def _go_first() -> None:
    """Where memory runs out it is this process that ends, not the worker."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _own_files(sock_fd: int, output_fd: int) -> socket.socket:
    """Standard input is empty, output goes to the controller's pipe, one socket stays: everything else is closed."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    kept = os.dup(sock_fd) if sock_fd < 4 else sock_fd
    for source, target in ((nothing, 0), (output_fd, 1), (output_fd, 2)):
        os.dup2(source, target)
    if kept != 3:
        os.dup2(kept, 3)
    os.closerange(4, 65_536 if os.sysconf("SC_OPEN_MAX") < 0 else min(os.sysconf("SC_OPEN_MAX"), 65_536))
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(fd, mode, encoding="utf-8", errors="replace", closefd=False)
        for fd, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    return socket.socket(fileno=3)


def _go_to(work: str) -> None:
    """The folder in which the submission writes; its worker takes it away."""
    os.chdir(work)
    os.environ.update(HOME=work, TMPDIR=work, MPLCONFIGDIR=work, IPYTHONDIR=work, TORCHINDUCTOR_CACHE_DIR=work)
    tempfile.tempdir = work


def _reseed() -> None:
    """Unseeded draws differ between siblings, as they do between fresh kernels."""
    import random

    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy.random"].seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
