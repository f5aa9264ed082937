"""Calm: a probe's surroundings, whatever the learner changed in theirs.

Inside, torch has its own defaults (float32, CPU, gradients on), random numbers are seeded, warnings are silent, and
what the learner's code prints is kept aside, at Python's level and at the file descriptors. Outside, all is as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

from autograde.live import SOURCE, hand_over

SEED = 20_240_229


@contextlib.contextmanager
def calm(seed: int = SEED) -> Iterator[None]:
    """Standard surroundings for the learner's code."""
    with warnings.catch_warnings(), _random_numbers(seed), _torch_defaults(seed):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _random_numbers(seed: int) -> Iterator[None]:
    numpy = sys.modules.get("numpy")
    state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy is not None else None
    random.seed(seed)
    if numpy is not None:
        numpy.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)
        if numpy is not None and numpy_state is not None:
            numpy.random.set_state(numpy_state)


@contextlib.contextmanager
def _torch_defaults(seed: int) -> Iterator[None]:
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    torch.set_default_dtype(torch.float32)
    if str(device) != "cpu":
        torch.set_default_device("cpu")
    try:
        with torch.random.fork_rng(devices=[]), torch.inference_mode(False), torch.set_grad_enabled(True):
            torch.default_generator.manual_seed(seed)  # torch.manual_seed asks every other device too, which takes time
            yield
    finally:
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(device)


@contextlib.contextmanager
def watch(forbidden: Sequence[str]) -> Iterator[set[str]]:
    """The set of forbidden torch functions (last part of their name) that the learner's code calls inside."""
    used: set[str] = set()
    if not forbidden:
        yield used
        return
    from torch.overrides import TorchFunctionMode

    class Watch(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = getattr(function, "__name__", "")
            if name in forbidden and _is_learners(sys._getframe(1)):
                used.add(name)
            return function(*args, **(kwargs or {}))

    with Watch():
        yield used


def _is_learners(frame: FrameType | None) -> bool:
    """Whether a call of torch's comes from the learner's code: not from a probe's own, nor from a plan's source."""
    while frame is not None and _package(frame) == "torch":
        frame = frame.f_back
    return frame is None or frame.f_code is hand_over.__code__ or _package(frame) not in (SOURCE, "autograde")


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


@contextlib.contextmanager
def quiet() -> Iterator[list[str]]:
    """Keeps aside what is printed inside; the list holds it afterwards: [stdout, stderr].

    Stock nbgrader gives no points to a test cell that writes to stderr, so it is caught at both levels: sys.stderr and
    the file descriptor.
    """
    printed: list[str] = []
    out, err = io.StringIO(), io.StringIO()
    streams = [*{id(stream): stream for stream in (sys.stderr, sys.__stderr__) if stream is not None}.values()]
    _flush(streams)
    with tempfile.TemporaryFile() as kept:
        saved = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _diverted(streams, err):
                yield printed
        finally:
            _flush(streams)
            os.dup2(saved, 2)
            os.close(saved)
            kept.seek(0)
            printed += [out.getvalue(), err.getvalue() + kept.read().decode(errors="replace")]


def _flush(streams: list[Any]) -> None:
    for stream in streams:
        stream.flush()


@contextlib.contextmanager
def _diverted(streams: list[Any], target: io.StringIO) -> Iterator[None]:
    """What is written to these streams goes to the target: a logger may have kept a kernel's, behind no descriptor."""
    diverted = []
    for stream in streams:
        with contextlib.suppress(AttributeError):  # its write cannot be replaced
            stream.write = target.write
            diverted.append(stream)
    try:
        yield
    finally:
        for stream in diverted:
            del stream.write
