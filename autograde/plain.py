"""Live objects -> plain data. This is where a learner's value stops being an object.

Reads numpy and torch values without importing either: whoever made the value has imported its library.
"""

from __future__ import annotations

import sys
from typing import Any

from autograde.evidence import Opaque, Plain, Tensor, Tuple

_MAX_TEXT, _MAX_ITEMS, _MAX_DEPTH, _MAX_ELEMENTS = 10_000, 1_000, 6, 50_000
_ROOM = 500_000
"""Bytes, about, that one value may take: the evidence of many calls must fit into evidence.MAX_BYTES."""


class _TooLarge(Exception):
    """The value does not fit into its room."""


def plain(value: object) -> Plain:
    """The value as plain data; what cannot be plain, or is very large, becomes Opaque with its type's name."""
    try:
        return _read(value, 0, [_ROOM])
    except _TooLarge:
        return Opaque(f"very large {type(value).__name__[:100]}")


def _read(value: object, depth: int, room: list[int]) -> Plain:
    if value is ...:
        return Opaque("ellipsis")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        whole = int(value)
        return whole if abs(whole) < 2**63 else Opaque("int of more than 63 bits")
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return _taken(str(value)[:_MAX_TEXT], room)
    if depth < _MAX_DEPTH and isinstance(value, tuple | list | set | frozenset | dict) and len(value) <= _MAX_ITEMS:
        return _collection(value, depth, room)
    data = _array(value)
    if isinstance(data, Tensor):
        _take(len(data.data), room)
    return data


def _take(size: int, room: list[int]) -> None:
    room[0] -= size
    if room[0] < 0:
        raise _TooLarge


def _taken(text: str, room: list[int]) -> str:
    _take(len(text), room)
    return text


def _collection(value: Any, depth: int, room: list[int]) -> Plain:
    _take(10 * len(value), room)
    if isinstance(value, dict):
        return {_taken(str(key)[:200], room): _read(item, depth + 1, room) for key, item in value.items()}
    items = [_read(item, depth + 1, room) for item in value]
    if isinstance(value, list):
        return items
    is_set = isinstance(value, set | frozenset)
    return Tuple(tuple(sorted(items, key=repr) if is_set else items), is_set)


def _array(value: object) -> Plain:
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(value, torch.Tensor):
        return tensor(value)
    if numpy is not None and isinstance(value, numpy.generic | numpy.ndarray):
        return _from_numpy(numpy, value)
    return Opaque(type(value).__name__[:100])


def tensor(value: Any) -> Plain:
    """A torch tensor as data: other floats become float32, other integers int64. Complex or large ones are Opaque."""
    import torch

    if value.numel() > _MAX_ELEMENTS or value.is_complex() or value.is_sparse or value.is_quantized or value.is_meta:
        return Opaque(f"tensor of shape {tuple(value.shape)} and dtype {value.dtype}")
    kept = value.detach().resolve_neg().cpu()
    if kept.dtype == torch.bool:
        name = "bool"
    elif kept.dtype.is_floating_point:
        name = "float64" if kept.dtype == torch.float64 else "float32"
    else:
        name = "int64"
    kept = kept.to(getattr(torch, name)).contiguous()
    return Tensor(name, tuple(kept.shape), kept.numpy().tobytes())


def _from_numpy(numpy: Any, value: Any) -> Plain:
    array = numpy.asarray(value)
    if array.dtype.kind == "U" and array.ndim == 0:
        return str(array)[:_MAX_TEXT]
    if array.size > _MAX_ELEMENTS or array.dtype.kind not in "biuf":
        return Opaque(f"array of shape {array.shape} and dtype {array.dtype}")
    name = {"b": "bool", "i": "int64", "u": "int64"}.get(array.dtype.kind) or (
        "float64" if array.dtype == numpy.float64 else "float32"
    )
    return Tensor(name, tuple(array.shape), numpy.ascontiguousarray(array, dtype=name).tobytes())
