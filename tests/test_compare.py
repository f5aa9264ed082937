"""Outputs are equal up to rounding, and by nothing looser."""

from __future__ import annotations

import struct
from typing import Any

import pytest
import torch

from autograde.compare import close, close_numbers, sample
from autograde.evidence import Opaque, Plain, Raised, Sample, Tensor, Tuple
from autograde.plain import plain

NAN, INF = float("nan"), float("inf")


def tensor(*numbers: float, dtype: torch.dtype = torch.float32) -> Plain:
    """A vector as data."""
    return plain(torch.tensor(numbers, dtype=dtype))


def shifted(value: Any, by: float) -> Plain:
    """A live tensor, moved a little, as data."""
    return plain(value + by)


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 2.5, "text", [1, [2.5]], {"a": 1}, Tuple((1, "b")), Opaque("x"), tensor(1, 2), tensor(NAN, INF)],
    ids=str,
)
def test_a_value_equals_itself(value: Plain) -> None:
    assert close(value, value)


def test_rounding_is_forgiven_and_a_difference_is_not() -> None:
    base = torch.tensor([0.0, 1.0, -100.0])
    assert close(shifted(base, 1e-7), plain(base))
    assert not close(shifted(base, 1e-4), plain(base))
    assert close(shifted(base, 1e-4), plain(base), 1e-3)


def test_the_tolerance_is_absolute_near_zero_and_relative_far_away() -> None:
    assert close_numbers(1e-6, 0.0, 1e-5)
    assert not close_numbers(1e-4, 0.0, 1e-5)
    assert close_numbers(1e6 + 1, 1e6, 1e-5)
    assert not close_numbers(1e6 + 100, 1e6, 1e-5)


def test_a_tolerance_of_zero_is_exact() -> None:
    assert close(tensor(0.1, NAN), tensor(0.1, NAN), 0.0)
    assert not close(tensor(0.1), tensor(0.1 + 1e-7), 0.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [(INF, 5.0), (5.0, INF), (INF, -INF), (-INF, INF), (NAN, 0.0), (0.0, NAN), (NAN, INF), (-INF, 0.0)],
)
def test_an_infinity_equals_itself_only_and_no_number_is_nan(one: float, other: float) -> None:
    assert not close_numbers(one, other, 1e-5)
    assert not close(tensor(one), tensor(other))
    assert not close([one], [other])
    assert not close(plain(torch.full((40,), one)), sample(plain(torch.full((40,), other))))


def test_shapes_must_agree() -> None:
    assert not close(tensor(1, 1), tensor(1))
    assert not close(plain(torch.ones(2, 3)), plain(torch.ones(3, 2)))
    assert not close(plain(torch.ones(1)), plain(torch.tensor(1.0)))


def test_a_tensors_precision_does_not_matter() -> None:
    assert close(tensor(0.1, dtype=torch.float64), tensor(0.1))
    assert close(tensor(1, 0, dtype=torch.int64), tensor(1, 0))


def test_numbers_in_lists_may_be_whole_or_not() -> None:
    assert close([1, 2], [1.0, 2.0])
    assert close([1.0, 2.0], [1, 2])
    assert close(Tuple((1, 2.0)), Tuple((1.0, 2)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (1, True),
        (1.0, True),
        (False, 0.0),
        (None, 0),
        ("1", 1),
        ([1], Tuple((1,))),
        ([], {}),
        (Opaque("x"), "x"),
        (tensor(1), 1.0),
        (tensor(1), [1.0]),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "b": 1}),
        (10**400, 1.0),
        (1.0, 10**400),
        (Raised("E", "m"), None),
    ],
)
def test_values_of_different_kinds_differ(one: Plain, other: Plain) -> None:
    assert not close(one, other)


def test_exceptions_are_equal_by_type_and_message_but_for_numbers_in_it() -> None:
    at = Raised("ValueError", "size 3 at 0x7f1c", 4, "x")
    assert close(at, Raised("ValueError", "size 12 at 0x9e22", 9, "y"))
    assert not close(at, Raised("TypeError", "size 3 at 0x7f1c", 4, "x"))
    assert not close(at, Raised("ValueError", "another", 4, "x"))


def test_a_long_tensor_is_kept_as_a_sample_that_still_tells_it_apart() -> None:
    long = torch.linspace(0, 1, 600).reshape(20, 30)
    kept = sample(plain(long))
    assert isinstance(kept, Sample)
    assert kept.shape == (20, 30)
    assert len(kept.elements.numbers()) < 40
    assert close(plain(long), kept)
    assert not close(shifted(long, 1e-3), kept)
    assert not close(plain(long.T), kept)


@pytest.mark.parametrize("count", [17, 31, 32, 33, 100, 1_000])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_tensor_of_any_length_equals_its_sample(count: int, dtype: torch.dtype) -> None:
    value = plain(torch.rand(count, dtype=dtype))
    assert close(value, sample(value), 0.0)


@pytest.mark.parametrize("value", [None, 2.5, [1.0] * 100, tensor(1, 2), plain(torch.zeros(100, dtype=torch.bool))])
def test_only_a_long_float_tensor_is_sampled(value: Plain) -> None:
    assert sample(value) == value


def test_two_samples_are_compared_by_tolerance_too() -> None:
    long = torch.linspace(0, 1, 600)
    assert close(sample(shifted(long, 1e-7)), sample(plain(long)))
    assert not close(sample(shifted(long, 1e-3)), sample(plain(long)))
    assert not close(sample(plain(long)), sample(plain(long.reshape(20, 30))))


def test_a_sample_that_does_not_fit_its_tensor_differs() -> None:
    odd = Sample((100,), 5, Tensor("float32", (2,), struct.pack("=2f", 0, 0)))
    assert not close(plain(torch.zeros(100)), odd)
