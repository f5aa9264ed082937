"""Live values become plain data, whatever a learner makes of them."""

from __future__ import annotations

import json
from collections import OrderedDict, namedtuple
from enum import IntEnum
from typing import Any

import numpy
import pytest
import torch
from torch import nn

from autograde.evidence import Opaque, Tensor, Tuple, from_bytes, to_bytes
from autograde.plain import plain


class Colour(IntEnum):
    RED = 3


class Sulking:
    """It raises whatever it is asked."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __bool__(self) -> bool:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = None  # type: ignore[assignment]


Point = namedtuple("Point", ["x", "y"])


@pytest.mark.parametrize("value", [None, True, False, 0, -5, 2.5, "text", [], {}, [1, [2, [None]]], {"a": [1]}])
def test_plain_values_stay_as_they_are(value: Any) -> None:
    assert plain(value) == value
    assert type(plain(value)) is type(value)


def test_dots_are_known_by_their_type() -> None:
    assert plain(...) == Opaque("ellipsis")


def test_tuples_and_sets_are_told_from_lists() -> None:
    assert plain((131, 712)) == Tuple((131, 712))
    assert plain({"b", "a"}) == plain(frozenset("ab")) == Tuple(("a", "b"), is_set=True)
    assert plain(Point(1, 2)) == Tuple((1, 2))
    assert plain(torch.zeros(2, 3).shape) == Tuple((2, 3))


def test_subclasses_lose_their_class() -> None:
    assert type(plain(Colour.RED)) is int
    assert type(plain(numpy.float64(2.5))) is float
    assert type(plain(numpy.str_("a"))) is str
    assert plain(OrderedDict(a=1)) == {"a": 1}


def test_a_mappings_keys_become_text() -> None:
    assert plain({1: "a", None: 2}) == {"1": "a", "None": 2}


@pytest.mark.parametrize(
    ("dtype", "kept"),
    [
        (torch.float32, "float32"),
        (torch.float64, "float64"),
        (torch.float16, "float32"),
        (torch.bfloat16, "float32"),
        (torch.int64, "int64"),
        (torch.int32, "int64"),
        (torch.uint8, "int64"),
        (torch.bool, "bool"),
    ],
)
def test_a_tensor_keeps_shape_and_elements(dtype: torch.dtype, kept: str) -> None:
    data = plain(torch.tensor([[1, 0], [1, 1], [0, 1]], dtype=dtype))
    assert isinstance(data, Tensor)
    assert (data.dtype, data.shape, data.numbers()) == (kept, (3, 2), [1, 0, 1, 1, 0, 1])


def test_a_tensor_may_have_any_layout_and_a_gradient() -> None:
    square = torch.arange(6.0).reshape(2, 3)
    expected = plain(torch.tensor([[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]))
    assert plain(square.T) == plain(square.T.clone().requires_grad_(True)) == plain(nn.Parameter(square.T)) == expected
    assert plain(torch.tensor(7.0).expand(2)) == plain(torch.tensor([7.0, 7.0]))
    assert plain(torch.zeros(0, 3)) == Tensor("float32", (0, 3), b"")


def test_reading_a_tensor_leaves_it_alone() -> None:
    value = torch.ones(2, requires_grad=True)
    plain(value)
    assert value.requires_grad
    assert value.grad is None
    assert value.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (numpy.int64(3), "int64"),
        (numpy.float32(3), "float32"),
        (numpy.uint8(3), "int64"),
        (numpy.array(3.0), "float64"),
        (numpy.bool_(True), "bool"),
        (numpy.array([[3, 4]])[:, ::-1], "int64"),
        (numpy.float16(3), "float32"),
    ],
)
def test_numpy_values_are_tensors(value: Any, dtype: str) -> None:
    data = plain(value)
    assert isinstance(data, Tensor)
    assert data.dtype == dtype
    assert data.numbers() == numpy.asarray(value).reshape(-1).tolist()


@pytest.mark.parametrize(
    "value",
    [
        print,
        len,
        object(),
        Sulking(),
        nn.Linear(2, 2),
        nn.Linear,
        (x for x in ()),
        1j,
        b"bytes",
        2**63,
        -(10**400),
        torch.zeros(2, dtype=torch.complex64),
        torch.zeros(2, 2).to_sparse(),
        torch.zeros(2, device="meta"),
        torch.zeros(1_000_000),
        numpy.zeros(1_000_000),
        numpy.array([1j]),
        numpy.array(["a", None], dtype=object),
        numpy.datetime64("2024-01-01"),
        list(range(100_000)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_plain_keeps_only_its_type(value: object) -> None:
    assert isinstance(plain(value), Opaque)


def test_a_value_inside_itself_ends() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    assert from_bytes(to_bytes(plain(endless))) == plain(endless)


def test_a_value_that_grows_by_its_nesting_stays_within_bounds() -> None:
    wide: Any = [0] * 1_000
    for _ in range(4):
        wide = [wide] * 1_000
    assert len(to_bytes(plain(wide))) < 1_000_000
    assert len(to_bytes(plain(["x" * 10_000] * 1_000))) < 1_000_000
    assert len(to_bytes(plain([torch.zeros(100_000)] * 100))) < 1_000_000


def test_a_long_text_is_cut() -> None:
    assert plain("x" * 1_000_000) == "x" * 10_000


@pytest.mark.parametrize(
    "value", [(1, [2.5, {"a": None}]), {"a", 1}, torch.eye(2), numpy.eye(2), [print, ...], Sulking()]
)
def test_plain_data_survives_its_bytes(value: object) -> None:
    assert from_bytes(to_bytes(plain(value))) == plain(value)


def test_plain_data_is_json_but_for_tensors() -> None:
    header = to_bytes(plain((1, [2.5, {"a": None}])))[4:]
    assert json.loads(header)["items"][0] == 1
