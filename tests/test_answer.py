"""Typed answers are read as a person means them.

The examples of the written rule are in vectors/answers.json, for whatever else reads answers.
"""

from __future__ import annotations

import json
import random
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

from autograde.answer import TYPED_KINDS, Unreadable, describe, is_untouched, normal_forms
from autograde.evidence import Opaque, Plain, Tensor, Tuple
from autograde.plain import plain

VECTORS = json.loads((Path(__file__).parent / "vectors" / "answers.json").read_text(encoding="utf-8"))["vectors"]
FORMATS = {"float32": "f", "float64": "d", "int64": "q", "bool": "?"}


def value_of(item: Any) -> Plain:
    """A vector's value as plain data."""
    if isinstance(item, list):
        return [value_of(part) for part in item]
    if not isinstance(item, dict):
        return item
    if item["$"] == "tuple":
        return Tuple(tuple(value_of(part) for part in item["items"]))
    if item["$"] == "dict":
        return {key: value_of(part) for key, part in item["items"]}
    if item["$"] == "opaque":
        return Opaque(item["type"])
    elements = struct.pack(f"={len(item['numbers'])}{FORMATS[item['dtype']]}", *item["numbers"])
    return Tensor(item["dtype"], tuple(item["shape"]), elements)


def read(kind: str, value: object, **more: Any) -> list[str]:
    """The normal forms of a live value."""
    return normal_forms(kind, plain(value), **more)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['kind']}-{json.dumps(v['value'])[:60]}")
def test_each_example_of_the_written_rule_holds(vector: dict[str, Any]) -> None:
    value, options = value_of(vector["value"]), tuple(vector.get("options", ()))
    if "unreadable" in vector:
        with pytest.raises(Unreadable):
            normal_forms(vector["kind"], value, vector.get("places"), options)
    else:
        assert normal_forms(vector["kind"], value, vector.get("places"), options) == vector["forms"]


def test_every_kind_has_examples_of_both_outcomes() -> None:
    for kind in TYPED_KINDS:
        outcomes = {"unreadable" in vector for vector in VECTORS if vector["kind"] == kind}
        assert outcomes == {True, False}, kind


@pytest.mark.parametrize(
    "value",
    [
        131712,
        131712.0,
        "131,712",
        (131, 712),
        torch.tensor(131712),
        torch.tensor(131712.0),
        torch.tensor([131712]),
        torch.nn.Parameter(torch.tensor(131712.0)),
        numpy.int64(131712),
        numpy.float64(131712),
        numpy.float32(131712),
        numpy.array(131712),
        numpy.uint32(131712),
        numpy.str_("131712"),
    ],
    ids=lambda v: f"{type(v).__module__}.{type(v).__name__}",
)
def test_a_number_may_come_in_many_forms(value: object) -> None:
    assert read("number", value) == ["131712"]


@pytest.mark.parametrize(
    "value",
    [(2, 128), [2, 128], torch.zeros(2, 128).shape, "(2, 128)", torch.tensor([2, 128]), numpy.array([2, 128])],
    ids=lambda v: f"{type(v).__module__}.{type(v).__name__}",
)
def test_a_shape_may_come_in_many_forms(value: object) -> None:
    assert read("shape", value) == ["2x128"]


@pytest.mark.parametrize("value", [True, numpy.bool_(True), torch.tensor(True), 1j, Fraction(1, 2), print, object()])
def test_what_is_no_number_is_told_apart(value: object) -> None:
    with pytest.raises(Unreadable, match=r"no .*number"):
        read("number", value)


def test_a_large_number_keeps_all_its_digits() -> None:
    assert read("number", torch.tensor(2**53 + 1)) == read("number", 2**53 + 1) == ["9007199254740993"]
    assert read("number", 1e30, places=2) == ["1" + "0" * 30 + ".00"]


@pytest.mark.parametrize("value", [10**400, "1e400", "1e-400", "9" * 400])
def test_a_number_beyond_measure_is_unreadable(value: Plain) -> None:
    with pytest.raises(Unreadable, match="no number of a size that is meant"):
        normal_forms("number", value)


def test_two_is_no_shape_and_a_tensor_is_not_its_shape() -> None:
    with pytest.raises(Unreadable, match="2 is no shape"):
        read("shape", 2)
    with pytest.raises(Unreadable, match="Type its shape"):
        read("shape", torch.zeros(2, 128))


@pytest.mark.parametrize("kind", TYPED_KINDS)
@pytest.mark.parametrize("value", [True, print, object(), {"a": 1}, torch.zeros(2, 2), b"bytes", [[[]]], 1j])
def test_an_unreadable_answer_is_told_what_to_type(kind: str, value: object) -> None:
    with pytest.raises(Unreadable) as caught:
        read(kind, value, options=("a", "b"))
    assert "Type " in str(caught.value) or "A shape holds" in str(caught.value)


def test_a_set_is_read_in_any_order() -> None:
    assert read("choices", {"c", "a"}, options=("a", "b", "c")) == read("choices", ["a", "c"], options=("a", "b", "c"))


def test_an_option_that_is_not_on_the_list_is_shown_as_it_was_typed() -> None:
    with pytest.raises(Unreadable, match=r"'Z' is none of the options\. Type one letter in quotes: \"a\", \"b\"\."):
        normal_forms("choice", "Z", options=("a", "b"))


@pytest.mark.parametrize("value", [{"a", "e"}, ["Z"], "a, e", ("b", 3), 3, print])
def test_where_several_may_be_chosen_a_set_of_letters_is_asked_for(value: object) -> None:
    with pytest.raises(Unreadable) as caught:
        read("choices", value, options=("a", "b", "c", "d"))
    assert 'Type a set of letters, such as {"a", "d"}. The letters are a, b, c, d.' in str(caught.value)
    assert "one letter" not in str(caught.value)


def test_an_unknown_kind_is_the_authors_fault() -> None:
    with pytest.raises(ValueError, match="no typed kind; choose one of number"):
        normal_forms("colour", "red")


@pytest.mark.parametrize("value", [None, Opaque("ellipsis")])
def test_dots_and_nothing_are_untouched(value: Plain) -> None:
    assert is_untouched(value)


@pytest.mark.parametrize("value", [0, "", False, [], Opaque("function"), Tuple(())])
def test_anything_typed_is_not_untouched(value: Plain) -> None:
    assert not is_untouched(value)


def test_a_long_answer_is_described_in_a_few_words() -> None:
    for value in ("x" * 10_000, ["x" * 100] * 100, Tuple(("x" * 100,) * 100), {"x" * 100: 1}):
        assert len(describe(value)) <= 60


def a_value(random_: random.Random, depth: int = 0) -> Plain:
    """Any plain value, odd ones often."""
    pick = random_.randrange(12 if depth < 3 else 8)
    if pick < 3:
        return random_.choice([None, True, 0, -1, 2**63, 10**400, 1e308, -0.0, float("nan"), float("inf"), 5e-324, 0.5])
    if pick < 6:
        return "".join(random_.choices("0123456789.,-+eE/xabc()[]{}'\" _\n\0é×\ud800", k=random_.randrange(12)))
    if pick == 6:
        return random_.choice([Opaque("ellipsis"), Tensor("bool", (), b"\1"), Tensor("float32", (0,), b"")])
    if pick == 7:
        dtype = random_.choice(list(FORMATS))
        return Tensor(dtype, (2,), struct.pack(f"=2{FORMATS[dtype]}", 1, 0))
    items = [a_value(random_, depth + 1) for _ in range(random_.randrange(5))]
    return items if pick < 10 else Tuple(tuple(items)) if pick == 10 else {str(i): item for i, item in enumerate(items)}


@pytest.mark.parametrize("kind", TYPED_KINDS)
def test_whatever_is_typed_has_one_or_two_forms_or_is_unreadable(kind: str) -> None:
    random_ = random.Random(kind)
    for _ in range(2_000):
        value, places = a_value(random_), random_.choice([None, 0, 2, 6])
        try:
            forms = normal_forms(kind, value, places, ("a", "b", "c"))
        except Unreadable:
            continue
        assert 1 <= len(forms) <= 2, value
        assert all(isinstance(form, str) for form in forms)


def test_a_normal_form_reads_as_itself() -> None:
    random_ = random.Random(1)
    for _ in range(500):
        number = random_.choice([random_.randint(-(10**9), 10**9), random_.uniform(-100, 100), random_.gauss(0, 1e-4)])
        for places in (None, 3):
            form = normal_forms("number", number, places)[0]
            assert normal_forms("number", form, places) == [form]


def test_numbers_that_differ_read_differently() -> None:
    forms = {normal_forms("number", number)[0] for number in range(-2_000, 2_000)}
    assert len(forms) == 4_000


@pytest.mark.parametrize("kind", ["shape", "numbers", "number"])
def test_a_set_has_no_order_so_it_is_no_shape_and_no_list(kind: str) -> None:
    with pytest.raises(Unreadable):
        normal_forms(kind, plain({512, 131}))
