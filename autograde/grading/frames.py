"""Frames: how controller and child talk on the child's own socket. A tag, a length, bytes; nothing is unpickled."""

from __future__ import annotations

import socket
import struct

MAX_FRAME = 8 << 20
HEADER = struct.Struct("<cI")
STEP, DONE, EVIDENCE, SCRIPT, TEST, PLAN = b"S", b"D", b"E", b"C", b"T", b"P"
RUN, KILL = b"r", b"k"
"""What the controller says to a worker: fork a child for these descriptors; end the child that runs."""


class BadFrame(ValueError):
    """What came is no frame: truncated, too large, or out of turn."""


def frame(tag: bytes, payload: bytes) -> bytes:
    """A frame's bytes."""
    return HEADER.pack(tag, len(payload)) + payload


def receive(sock: socket.socket) -> tuple[bytes, bytes]:
    """The next frame of a blocking socket: the child's side, which trusts the controller. Raises EOFError."""
    tag, size = HEADER.unpack(_exactly(sock, HEADER.size))
    return tag, _exactly(sock, size)


def _exactly(sock: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = sock.recv(min(size - len(data), 1 << 20))
        if not chunk:
            raise EOFError("the other side is gone")
        data += chunk
    return bytes(data)


class FrameReader:
    """Frames out of bytes that come in pieces from a process that is not trusted."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self._data = bytearray()
        self._limit = limit

    def feed(self, data: bytes) -> None:
        """Take bytes as they come."""
        self._data += data

    def next(self) -> tuple[bytes, bytes] | None:
        """The next whole frame, None where more bytes are needed. Raises BadFrame."""
        if len(self._data) < HEADER.size:
            return None
        tag, size = HEADER.unpack_from(self._data)
        if tag not in (STEP, DONE, EVIDENCE) or size > self._limit:
            raise BadFrame(f"a frame {tag!r} of {size} bytes")
        end = HEADER.size + size
        if len(self._data) < end:
            return None
        payload = bytes(self._data[HEADER.size : end])
        del self._data[:end]
        return tag, payload

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left over."""
        return not self._data
