"""Comparing plain data: floats by tolerance, everything else exactly."""

from __future__ import annotations

import re
from itertools import repeat

from autograde.evidence import Plain, Raised, Sample, Tensor, Tuple

_DIGITS = re.compile(r"0x[0-9a-f]+|\d+")
_INFINITY = float("inf")


_SAMPLE_SIZE = 16


def sample(value: Plain) -> Plain:
    """A long float tensor as a sample of it; anything else as it is."""
    if (
        not isinstance(value, Tensor)
        or not value.dtype.startswith("float")
        or len(numbers := value.numbers()) <= _SAMPLE_SIZE
    ):
        return value
    step = len(numbers) // _SAMPLE_SIZE
    kept = memoryview(value.data).cast("f" if value.dtype == "float32" else "d")[::step].tobytes()
    size = len(numbers[::step])
    return Sample(value.shape, step, Tensor(value.dtype, (size,), kept))


def close(left: Plain, right: Plain, tolerance: float = 1e-6) -> bool:
    """Whether two outputs are equal up to rounding; NaN equals NaN."""
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        if left.shape != right.shape:
            return False
        if left.data == right.data and left.dtype == right.dtype:  # the same bits: nothing to compute
            return True
        return _all_close(left.numbers(), right.numbers(), tolerance)
    if isinstance(left, Tensor) and isinstance(right, Sample):
        return left.shape == right.shape and _all_close(
            left.numbers()[:: right.step], right.elements.numbers(), tolerance
        )
    if isinstance(left, Sample) and isinstance(right, Sample):
        return (left.shape, left.step) == (right.shape, right.step) and close(left.elements, right.elements, tolerance)
    if isinstance(left, float | int) and isinstance(right, float | int):
        return _close_scalars(left, right, tolerance)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(close(a, b, tolerance) for a, b in zip(left, right, strict=True))
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return left.is_set == right.is_set and close(list(left.items), list(right.items), tolerance)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(close(left[key], right[key], tolerance) for key in left)
    if isinstance(left, Raised) and isinstance(right, Raised):
        return left.type == right.type and _DIGITS.sub("0", left.message) == _DIGITS.sub("0", right.message)
    return type(left) is type(right) and left == right


def read_as(got: Plain, want: Plain) -> Plain:
    """A number where a 0-d tensor is wanted, a 0-d tensor where a number is: read as the person means it."""
    try:
        return _read_as(got, want)
    except OverflowError:  # larger than any float
        return got


def _read_as(got: Plain, want: Plain) -> Plain:
    if isinstance(got, Tensor) and got.shape == () and isinstance(want, bool | int | float):
        return _element(got, want)
    if isinstance(got, bool):
        return got
    if isinstance(want, float) and isinstance(got, int):
        return float(got)
    if isinstance(want, int) and not isinstance(want, bool) and isinstance(got, float):
        return int(got) if got == got and abs(got) < 2**53 and got == int(got) else got
    if isinstance(want, Tensor) and want.shape == () and isinstance(got, int | float):
        return Tensor.of_number(float(got))
    return got


def _element(got: Tensor, want: Plain) -> Plain:
    if not isinstance(want, bool):
        return got.numbers()[0]
    return bool(got.numbers()[0]) if got.dtype == "bool" else got


def _close_scalars(left: int | float, right: int | float, tolerance: float) -> bool:
    """Whole numbers and truth values are compared exactly; a truth value is no number."""
    if isinstance(left, float) or isinstance(right, float):
        return not isinstance(left, bool) and not isinstance(right, bool) and close_numbers(left, right, tolerance)
    return type(left) is type(right) and left == right


def _all_close(left: list[float], right: list[float], tolerance: float) -> bool:
    return len(left) == len(right) and all(map(close_numbers, left, right, repeat(tolerance)))


def close_numbers(a: float, b: float, tolerance: float) -> bool:
    """|a - b| within tolerance, absolute and relative; NaN equals NaN, an infinity itself."""
    try:
        return a == b or (a != a and b != b) or abs(a - b) <= tolerance * (1 + abs(b)) < _INFINITY
    except OverflowError:  # a whole number larger than any float
        return False
