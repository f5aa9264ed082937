"""Evidence: what a probe brings back, and the bytes that it travels in.

Evidence is plain data only: numbers, strings, lists, dicts, tensors as bytes, what was raised. There is no pickle and
no live object. The bytes are a JSON header, framed by its length, followed by the tensors' raw bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PROBE_VERSION = 3
"""Changes when probes observe something else; stored evidence of another version is not comparable."""

MAX_BYTES = 8_000_000
_MAX_AXES = 64
_FORMATS = {"float32": "f", "float64": "d", "int64": "q", "bool": "?"}


class BadEvidence(ValueError):
    """The bytes are no evidence: truncated, too large, or not in the form that a probe writes."""


@dataclass(frozen=True)
class Tensor:
    """A tensor as data. dtype is float32, float64, int64 or bool; data is little endian, row major."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes = field(repr=False)

    def numbers(self) -> list[float]:
        """All elements, row major."""
        code = _FORMATS[self.dtype]
        return list(struct.unpack(f"={len(self.data) // struct.calcsize(code)}{code}", self.data))

    @staticmethod
    def of_number(number: float, dtype: str = "float64") -> Tensor:
        """A 0-d tensor."""
        return Tensor(dtype, (), struct.pack("=" + _FORMATS[dtype], int(number) if dtype == "int64" else number))


@dataclass(frozen=True)
class Sample:
    """Some elements of a tensor, every `step`-th, row major: enough to recognise a wrong answer's output by."""

    shape: tuple[int, ...]
    step: int
    elements: Tensor


@dataclass(frozen=True)
class Tuple:
    """A tuple or a set: JSON has lists only, and (131, 712) is read differently from [131, 712]."""

    items: tuple[Plain, ...]
    is_set: bool = False

    def text(self) -> str:
        """The tuple as Python writes it."""
        inside = ", ".join(item.text() if isinstance(item, Tuple) else repr(item) for item in self.items)
        if self.is_set:
            return f"{{{inside}}}" if self.items else "set()"
        return f"({inside},)" if len(self.items) == 1 else f"({inside})"


@dataclass(frozen=True)
class Opaque:
    """An object that is no plain data; only its type is kept."""

    type: str


@dataclass(frozen=True)
class Source:
    """Python code that a probe evaluates beside the learner's code: an argument that is a function or a module."""

    code: str


@dataclass(frozen=True)
class Raised:
    """An exception in the learner's code: the last line of theirs on its way."""

    type: str
    message: str
    line: int | None = None
    code: str = ""

    def where(self) -> str:
        """The learner's own line; empty where none is known."""
        return f"line {self.line} of your cell:  {self.code}" if self.line is not None and self.code else ""

    def text(self) -> str:
        """The exception as Python's last line has it, after the learner's own line."""
        where = self.where()
        return f"{where}\n{self.type}: {self.message}" if where else f"{self.type}: {self.message}"


Plain = (
    None
    | bool
    | int
    | float
    | str
    | list["Plain"]
    | dict[str, "Plain"]
    | Tensor
    | Sample
    | Tuple
    | Opaque
    | Source
    | Raised
)
Evidence = dict[str, Plain]
"""Observations by name, such as "with a mask" or "with a mask: unchanged"."""


def to_bytes(value: Plain) -> bytes:
    """Plain data as bytes."""
    blobs: list[bytes] = []
    header = json.dumps(_encode(value, blobs), separators=(",", ":"), ensure_ascii=True).encode()
    return struct.pack("<I", len(header)) + header + b"".join(blobs)


def from_bytes(data: bytes, limit: int = MAX_BYTES) -> Plain:
    """The plain data that to_bytes wrote. Raises BadEvidence; never runs code."""
    if not 4 <= len(data) <= limit:
        raise BadEvidence(f"{len(data)} bytes are no evidence (4 to {limit} are allowed)")
    (size,) = struct.unpack_from("<I", data)
    try:
        if size > len(data) - 4:
            raise ValueError("the header is cut off")
        header = json.loads(data[4 : 4 + size])
        return _decode(header, memoryview(data)[4 + size :])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, struct.error) as fault:
        raise BadEvidence(f"malformed evidence: {type(fault).__name__}: {str(fault)[:100]}") from None


def evidence_from_bytes(data: bytes) -> Evidence:
    """Evidence that to_bytes wrote. Raises BadEvidence."""
    value = from_bytes(data)
    if not isinstance(value, dict):
        raise BadEvidence("evidence is a mapping of observations")
    return value


def _encode(value: Plain, blobs: list[bytes]) -> Any:
    if isinstance(value, Tensor):
        blobs.append(value.data)
        return {"$": "tensor", "dtype": value.dtype, "shape": list(value.shape), "bytes": len(value.data)}
    if isinstance(value, Sample):
        return {
            "$": "sample",
            "shape": list(value.shape),
            "step": value.step,
            "elements": _encode(value.elements, blobs),
        }
    if isinstance(value, Tuple):
        return {"$": "set" if value.is_set else "tuple", "items": [_encode(item, blobs) for item in value.items]}
    if isinstance(value, Opaque):
        return {"$": "opaque", "type": value.type}
    if isinstance(value, Source):
        return {"$": "source", "code": value.code}
    if isinstance(value, Raised):
        return {"$": "raised", "type": value.type, "message": value.message, "line": value.line, "code": value.code}
    if isinstance(value, list):
        return [_encode(item, blobs) for item in value]
    if isinstance(value, dict):
        return {"$": "dict", "items": [[key, _encode(item, blobs)] for key, item in value.items()]}
    return value


def _decode(value: Any, blobs: memoryview) -> Plain:
    rest = [blobs]

    def take(size: int) -> bytes:
        if not isinstance(size, int) or not 0 <= size <= len(rest[0]):
            raise ValueError("a tensor's bytes are missing")
        taken, rest[0] = bytes(rest[0][:size]), rest[0][size:]
        return taken

    decoded = _decode_value(value, take)
    if len(rest[0]):
        raise ValueError("bytes left over")
    return decoded


def _decode_value(value: Any, take: Callable[[int], bytes]) -> Plain:
    if isinstance(value, list):
        return [_decode_value(item, take) for item in value]
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]  # JSON's other values are plain already
    tag = value["$"]
    if tag == "tensor":
        return _decode_tensor(value, take)
    if tag == "sample":
        elements = _decode_value(value["elements"], take)
        if not isinstance(elements, Tensor) or value["step"] < 1:
            raise ValueError("a sample without elements")
        return Sample(tuple(int(size) for size in value["shape"]), int(value["step"]), elements)
    if tag in ("tuple", "set"):
        return Tuple(tuple(_decode_value(item, take) for item in value["items"]), tag == "set")
    if tag == "opaque":
        return Opaque(str(value["type"]))
    if tag == "source":
        return Source(str(value["code"]))
    if tag == "raised":
        line = value["line"]
        return Raised(
            str(value["type"]), str(value["message"]), line if isinstance(line, int) else None, str(value["code"])
        )
    if tag == "dict":
        return {str(key): _decode_value(item, take) for key, item in value["items"]}
    raise ValueError(f"unknown tag {tag!r}")


def _decode_tensor(value: dict[str, Any], take: Callable[[int], bytes]) -> Tensor:
    dtype, shape = str(value["dtype"]), tuple(int(size) for size in value["shape"])
    if dtype not in _FORMATS or len(shape) > _MAX_AXES or any(size < 0 for size in shape):
        raise ValueError("a tensor of an unknown kind")
    data = take(value["bytes"])
    count = 1
    for size in shape:
        count *= size
    if len(data) != count * struct.calcsize("=" + _FORMATS[dtype]):
        raise ValueError("a tensor's bytes do not fit its shape")
    return Tensor(dtype, shape, data)
