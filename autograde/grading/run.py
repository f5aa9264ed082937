"""Running one submission: the controller's side. Hands out steps and plans, takes frames in turn, keeps the limits.

Whatever a child does, the outcome is either evidence that came in turn, or a plain reason why there is none.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import secrets
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograde.evidence import (
    BadEvidence,
    Evidence,
    Opaque,
    Plain,
    Raised,
    Source,
    Tuple,
    from_bytes,
    to_bytes,
)
from autograde.grading import frames, layers
from autograde.grading.child import OUT_OF_CPU
from autograde.grading.sandbox import ControlGroup, Sandbox, plain_environment, worker_command
from autograde.grading.work import remove, work_folder

_OUTPUT_BYTES, _EVIDENCE_BYTES, _DEEPEST = 1 << 20, 32 << 20, 24
_STEP_BYTES, _WARM_SECONDS = 8_000, 180
_LAST_WORDS = 6.0


class WorkerLost(RuntimeError):
    """The worker itself is gone: our fault or the machine's, never a submission's verdict."""


@dataclass(frozen=True)
class Budget:
    """Seconds for one step or exercise and for all; wall is a generous backstop, CPU is what counts."""

    step_cpu_s: int = 20
    total_cpu_s: int = 120

    @property
    def step_wall_s(self) -> float:
        """Wall seconds without a sign of life."""
        return 10.0 + 4.0 * self.step_cpu_s

    @property
    def total_wall_s(self) -> float:
        """Wall seconds for everything."""
        return 30.0 + 4.0 * self.total_cpu_s


@dataclass
class Outcome:
    """What came of one run. `stopped` is empty, "timeout" or "died"; `at` is the step's number where it stopped."""

    evidence: dict[str, Evidence] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)
    stopped: str = ""
    at: int | None = None
    exercise: str = ""
    broken: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    rss_kb: int = 0
    printed: str = ""


class Worker:
    """A warm worker and the wire to it. Use as a context manager."""

    def __init__(self, sandbox: Sandbox, limits: layers.Limits | None = None, data: Path | None = None) -> None:
        self.sandbox = sandbox
        self._limits = limits or layers.Limits()
        self._data = data
        self._process: subprocess.Popen[bytes] | None = None
        self._group: ControlGroup | None = None
        self._work: Path | None = None

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._process is not None

    def start(self) -> None:
        """Start and wait until it is warm. Raises WorkerLost."""
        ours, theirs = socket.socketpair()
        numbers = json.dumps(asdict(self._limits))
        command = worker_command(self.sandbox, theirs.fileno(), numbers, self._data)
        if "cgroup" in self.sandbox.on:
            self._group = ControlGroup.make(f"autograde-{os.getpid()}-{secrets.token_hex(4)}")
        environment = plain_environment()
        if not {"bubblewrap", "mounts"} & set(self.sandbox.on):
            self._work = work_folder()  # around those of the children, so that nothing stays whoever is killed
            environment["AUTOGRADE_WORK"] = str(self._work)
        self._process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=self._group.enter() if self._group else None,
            start_new_session=True,  # whoever signals a whole group does not reach us
        )
        theirs.close()
        self._wire = ours
        self._line = b""
        if self._reply(_WARM_SECONDS) is None:
            ours.close()
            process, self._process = self._process, None
            process.kill()
            _, said = process.communicate()
            self._clear()
            raise WorkerLost(f"the worker did not start: {said.decode(errors='replace').strip()[-2000:]}")

    def stop(self) -> None:
        """End the worker and all that it started."""
        if self._process is None:
            return
        self._wire.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._process = None
        self._clear()

    def _clear(self) -> None:
        """Take away what was made around a worker that has ended."""
        if self._group is not None:
            self._group.remove()
        if self._work is not None:
            remove(self._work)
            self._work = None

    def _reply(self, seconds: float) -> dict[str, Any] | None:
        """The worker's next line, None where there is none in time."""
        self._wire.settimeout(max(seconds, 0.001))
        try:
            while b"\n" not in self._line:
                data = self._wire.recv(1 << 16)
                if not data:
                    return None
                self._line += data
        except (TimeoutError, OSError):
            return None
        line, _, self._line = self._line.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def run(self, script: Mapping[str, Any], plans: Mapping[str, Mapping[str, Plain]], budget: Budget) -> Outcome:
        """One submission's steps, then its plans, in a fresh child. Raises WorkerLost."""
        if self._process is None:
            raise WorkerLost("the worker is not running")
        ours, theirs = socket.socketpair()
        output, their_output = os.pipe()
        try:
            fds = array.array("i", [theirs.fileno(), their_output])
            self._wire.settimeout(None)
            self._wire.sendmsg([frames.RUN], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
        except OSError as fault:
            raise WorkerLost(f"the worker is gone: {fault}") from None
        finally:
            theirs.close()
            os.close(their_output)
        talk = _Talk(ours, output, script, plans, budget)
        try:
            outcome = talk.through(self._wire)
        finally:
            ours.close()
            os.close(output)
        return self._ended(outcome)

    def _ended(self, outcome: Outcome) -> Outcome:
        """Wait for the child's end (its socket is closed now, or it is killed with its worker)."""
        reply = None if outcome.stopped or outcome.broken else self._reply(_LAST_WORDS)
        if reply is None:  # it lives on, or may
            with contextlib.suppress(OSError):
                self._wire.sendall(frames.KILL)
            reply = self._reply(_LAST_WORDS)
        if reply is None:  # nor does the worker hear
            self._kill()
            self.start()
            outcome.stopped = outcome.stopped or "timeout"
            return outcome
        outcome.cpu_s, outcome.rss_kb = float(reply["cpu_s"]), int(reply["rss_kb"])
        if not outcome.stopped and not outcome.broken and reply["status"] != 0:
            outcome.stopped = "died"
        if outcome.stopped == "died" and os.waitstatus_to_exitcode(reply["status"]) in (OUT_OF_CPU, -signal.SIGXCPU):
            outcome.stopped = "timeout"
        return outcome

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            process.kill()
        self.stop()


class _Talk:
    """One conversation with one child: frames in turn, output drained, clocks kept."""

    def __init__(
        self,
        sock: socket.socket,
        output: int,
        script: Mapping[str, Any],
        plans: Mapping[str, Mapping[str, Plain]],
        budget: Budget,
    ) -> None:
        self._sock, self._output, self._budget = sock, output, budget
        steps: list[dict[str, Any]] = script["steps"]
        # A test is told when its turn comes: no cell before it can read what it asserts.
        self._tests = [step["source"] if script["in_process"] and step["role"] == "grade" else None for step in steps]
        told = [step if test is None else step | {"source": ""} for step, test in zip(steps, self._tests, strict=True)]
        first: dict[str, Any] = {"steps": told, "in_process": script["in_process"]}
        first |= {"step_cpu_s": budget.step_cpu_s, "total_cpu_s": budget.total_cpu_s}
        self._first = frames.frame(frames.SCRIPT, json.dumps(first).encode())
        self._waiting = list(plans.items())
        self._asked: tuple[str, str] | None = None
        self._reader = frames.FrameReader()
        self._printed = bytearray()
        self._received = 0
        self.outcome = Outcome()

    def through(self, wire: socket.socket) -> Outcome:
        """Talk until the child has nothing more to say, or no more time."""
        began = time.monotonic()
        self._send(self._first)
        with selectors.DefaultSelector() as selector:
            selector.register(self._sock, selectors.EVENT_READ)
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(wire, selectors.EVENT_READ)
            self._listen(selector, wire, began)
        self._drain_rest()
        self.outcome.wall_s = round(time.monotonic() - began, 4)
        self.outcome.printed = self._printed.decode(errors="replace")
        return self.outcome

    def _listen(self, selector: selectors.BaseSelector, wire: socket.socket, began: float) -> None:
        sign_of_life = time.monotonic()
        while True:
            now = time.monotonic()
            end = min(began + self._budget.total_wall_s, sign_of_life + self._budget.step_wall_s)
            if now >= end:
                self.outcome.stopped = "timeout"
                return
            for key, _ in selector.select(end - now):
                if key.fileobj is wire:
                    self._hear()
                    self._finish()
                    return
                if key.fileobj is self._sock:
                    if not self._hear():
                        self._finish()
                        return
                    sign_of_life = time.monotonic()
                elif not self._drain():
                    selector.unregister(self._output)

    def _hear(self) -> bool:
        """Take what came on the socket. False where the conversation is over."""
        try:
            self._sock.setblocking(False)
            data = self._sock.recv(1 << 20)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._received += len(data)
        if not data:
            return False
        try:
            if self._received > _EVIDENCE_BYTES:
                raise frames.BadFrame("more than a submission can have to say")
            self._reader.feed(data)
            while (found := self._reader.next()) is not None:
                if self._take(*found):
                    return False
        except (frames.BadFrame, BadEvidence, ValueError, KeyError, TypeError, RecursionError) as fault:
            self.outcome.broken = f"{type(fault).__name__}: {str(fault)[:200]}"
            return False
        return True

    def _take(self, tag: bytes, payload: bytes) -> bool:
        """One frame. True where nothing more is wanted."""
        if tag == frames.STEP and self._asked is None and not self.outcome.steps:
            self._begin(int(payload))
            return False
        if tag == frames.DONE and self._asked is None and not self.outcome.steps:
            self.outcome.steps = _shown(payload, len(self._tests))
            self.outcome.at = None
            return not self._ask()
        if tag == frames.EVIDENCE and self._asked is not None:
            exercise, number = self._asked
            answer: Any = from_bytes(payload)
            if answer["number"] != number or not isinstance(answer["evidence"], dict):
                raise frames.BadFrame("evidence that was not asked for")
            _check(answer["evidence"])
            self.outcome.evidence[exercise] = answer["evidence"]
            return not self._ask()
        raise frames.BadFrame(f"a frame {tag!r} out of turn")

    def _begin(self, step: int) -> None:
        """A step begins: in their order, none twice."""
        if not (self.outcome.at if self.outcome.at is not None else -1) < step < len(self._tests):
            raise frames.BadFrame(f"step {step} out of turn")
        self.outcome.at = step
        if (test := self._tests[step]) is not None:
            self._send(frames.frame(frames.TEST, test.encode()))

    def _ask(self) -> bool:
        """Send the next plan; False where there is none."""
        if not self._waiting:
            self._asked = None
            self.outcome.exercise = ""
            return False
        exercise, plan = self._waiting.pop(0)
        self._asked = (exercise, secrets.token_hex(8))
        self.outcome.exercise = exercise
        request: dict[str, Plain] = {
            "exercise": exercise,
            "number": self._asked[1],
            "cpu_s": self._budget.step_cpu_s,
            "plan": dict(plan),
        }
        self._send(frames.frame(frames.PLAN, to_bytes(request)))
        return True

    def _send(self, data: bytes) -> None:
        try:
            self._sock.settimeout(self._budget.step_wall_s)
            self._sock.sendall(data)
        except OSError:
            return  # the child is gone or deaf: what is missing is seen when it is read

    def _drain(self) -> bool:
        data = os.read(self._output, 1 << 18)
        if len(self._printed) < _OUTPUT_BYTES:
            self._printed += data
        return bool(data)

    def _drain_rest(self) -> None:
        """What was printed and is still in the pipe."""
        os.set_blocking(self._output, False)
        with contextlib.suppress(BlockingIOError):
            while len(self._printed) < _OUTPUT_BYTES and self._drain():
                pass

    def _finish(self) -> None:
        """Every plan answered and nothing broken, or the child stopped on the way."""
        complete = (
            bool(self.outcome.steps or self._asked or not self._first) and not self._waiting and self._asked is None
        )
        if not complete and not self.outcome.broken:
            self.outcome.stopped = self.outcome.stopped or "died"


def _check(value: object, deep: int = 0) -> None:
    """Evidence that can be stored, compared and shown: not nested beyond what a probe makes, text that can be written.

    Raises BadFrame, UnicodeEncodeError.
    """
    if deep > _DEEPEST:
        raise frames.BadFrame("evidence that is nested too deep")
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, Opaque | Raised | Source):
        _check(list(vars(value).values()), deep)
    elif isinstance(value, Tuple | list | dict):
        items = value.items if isinstance(value, Tuple) else value
        for item in [*value, *value.values()] if isinstance(value, dict) else items:
            _check(item, deep + 1)


def _shown(payload: bytes, count: int) -> list[dict[str, Any]]:
    if len(payload) > _STEP_BYTES * (count + 1):
        raise frames.BadFrame("more than so many steps can have to say")
    steps = json.loads(payload)
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise frames.BadFrame("steps that are no list")
    return [{str(key): value for key, value in step.items()} for step in steps] or [{}]


__all__: Sequence[str] = ("Budget", "Outcome", "Worker", "WorkerLost")
