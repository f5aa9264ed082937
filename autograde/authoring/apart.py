"""Apart: run something beside the learner's variables without touching them, in a forked process with a time limit."""

from __future__ import annotations

import os
import select
import signal
import struct
import time
from collections.abc import Callable

from autograde.evidence import MAX_BYTES


class Died(RuntimeError):
    """The process apart ended without an answer."""


class TookTooLong(RuntimeError):
    """The process apart was ended at its time limit."""


def apart(act: Callable[[], bytes], seconds: float = 60.0) -> bytes:
    """The bytes that act returns, run in a forked copy of this process. Raises Died, TookTooLong.

    Where there is no fork (Windows), act runs here, without isolation and without a limit.
    """
    if not hasattr(os, "fork"):
        return act()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(act, writer)
    os.close(writer)
    try:
        return _read(reader, time.monotonic() + seconds)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _answer(act: Callable[[], bytes], writer: int) -> None:
    """In the child: run, write a framed answer, end without any of the parent's clean-up."""
    try:
        data = act()
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(struct.pack("<I", len(data)) + data)
    except BaseException:
        os._exit(1)
    os._exit(0)


def _read(reader: int, deadline: float) -> bytes:
    data = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            raise TookTooLong("the answer took too long")
        chunk = os.read(reader, 1 << 20)
        data += chunk
        if not chunk or len(data) > MAX_BYTES:
            break
    if len(data) < 4 or len(data) != 4 + struct.unpack_from("<I", data)[0]:
        raise Died("the process ended before it answered")
    return data[4:]
