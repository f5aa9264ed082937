"""Evidence survives its bytes, and whatever else is in bytes is refused as BadEvidence."""

from __future__ import annotations

import contextlib
import json
import random
import struct
from typing import Any

import pytest

from autograde.evidence import (
    MAX_BYTES,
    BadEvidence,
    Opaque,
    Plain,
    Raised,
    Sample,
    Source,
    Tensor,
    Tuple,
    evidence_from_bytes,
    from_bytes,
    to_bytes,
)

MATRIX = Tensor("float32", (2, 3), struct.pack("=6f", 1, 2.5, -3, 0, float("inf"), 1e-30))
WHOLE = Tensor("int64", (2,), struct.pack("=2q", -(2**63), 2**63 - 1))
MASK = Tensor("bool", (1, 2), b"\1\0")
EVERYTHING: dict[str, Plain] = {
    "with a mask": MATRIX,
    "with a mask: unchanged": True,
    "whole": WHOLE,
    "mask": MASK,
    "precise": Tensor("float64", (), struct.pack("=d", 0.1)),
    "empty": Tensor("float32", (0, 4), b""),
    "sample": Sample((20, 30), 37, MATRIX),
    "numbers": [0, -1, 2**62, 0.1, 1e300, -0.0],
    "nothing": None,
    "text": 'café "quoted" \\ \n \ud800 \0',
    "tuple": Tuple((131, Tuple(("a", MATRIX)), [MASK, None])),
    "object": Opaque("Linear"),
    "source": Source("lambda q, k: q"),
    "raised": Raised("ValueError", "no", 3, "x = f(1)"),
    "raised elsewhere": Raised("ValueError", "no"),
    "mapping": {"": {}, "$": "dict", "items": [{}]},
}


def framed(header: Any, blob: bytes = b"") -> bytes:
    """Bytes of a header that to_bytes may never have written."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<I", len(text)) + text + blob


def tensor(**changed: Any) -> dict[str, Any]:
    """A tensor's header, with changes."""
    return {"$": "tensor", "dtype": "bool", "shape": [2], "bytes": 2} | changed


def test_everything_survives_its_bytes() -> None:
    assert from_bytes(to_bytes(EVERYTHING)) == EVERYTHING


def test_each_value_survives_alone() -> None:
    for value in EVERYTHING.values():
        assert from_bytes(to_bytes(value)) == value


def test_numbers_that_are_none_survive() -> None:
    assert str(from_bytes(to_bytes([float("nan"), float("inf"), float("-inf")]))) == "[nan, inf, -inf]"


def test_the_same_evidence_has_the_same_bytes() -> None:
    assert to_bytes(EVERYTHING) == to_bytes(from_bytes(to_bytes(EVERYTHING)))


def test_evidence_is_a_mapping() -> None:
    assert evidence_from_bytes(to_bytes({"answer": 1})) == {"answer": 1}
    for value in (None, 1, [1], "text", MATRIX, Tuple(())):
        with pytest.raises(BadEvidence, match="mapping"):
            evidence_from_bytes(to_bytes(value))


def test_a_tensors_numbers_are_read_in_order() -> None:
    assert WHOLE.numbers() == [-(2**63), 2**63 - 1]
    assert MASK.numbers() == [True, False]
    assert Tensor.of_number(2.5).numbers() == [2.5]
    assert Tensor.of_number(7, "int64") == Tensor("int64", (), struct.pack("=q", 7))


def test_a_tuple_reads_as_python_writes_it() -> None:
    assert Tuple((131, 712)).text() == "(131, 712)"
    assert Tuple((5,)).text() == "(5,)"
    assert Tuple((1, Tuple(("a",)))).text() == "(1, ('a',))"


def test_no_prefix_of_evidence_is_evidence() -> None:
    for whole in (to_bytes(EVERYTHING), to_bytes(123), to_bytes({"answer": 123})):
        for size in range(len(whole)):
            with pytest.raises(BadEvidence):
                from_bytes(whole[:size])


def test_no_evidence_has_bytes_left_over() -> None:
    for value in (EVERYTHING, 123):
        with pytest.raises(BadEvidence):
            from_bytes(to_bytes(value) + b"\0")


def test_too_much_is_refused() -> None:
    with pytest.raises(BadEvidence, match=str(MAX_BYTES)):
        from_bytes(framed(b" " * MAX_BYTES))


@pytest.mark.parametrize("opening", [b"[", b'{"$":"tuple","items":[', b'{"$":"dict","items":[["a",', b'{"a":'])
@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_deep_nesting_is_refused(opening: bytes, depth: int) -> None:
    closing = {b"[": b"]", b"{": b"}"}
    end = b"".join(closing.get(opening[i : i + 1], b"") for i in reversed(range(len(opening))))
    with pytest.raises(BadEvidence):
        from_bytes(framed(opening * depth + b"0" + end * depth))


def test_nesting_as_deep_as_a_probe_writes_it_is_read() -> None:
    value: Plain = 0
    for _ in range(20):
        value = [Tuple((value,))]
    assert from_bytes(to_bytes(value)) == value


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"no json",
        b"\xff\xfe",
        b"1" * 5_000,
        b'{"$": "tensor"',
        {},
        {"a": 1},
        {"$": "pickle", "data": "gASVAAAA"},
        {"$": None},
        {"$": ["tensor"]},
        {"$": "tensor"},
        {"$": "tuple"},
        {"$": "tuple", "items": 1},
        {"$": "opaque"},
        {"$": "source"},
        {"$": "raised", "type": "E"},
        {"$": "dict", "items": [1]},
        {"$": "dict", "items": [["a"]]},
        {"$": "dict", "items": [["a", 1, 2]]},
        {"$": "dict", "items": None},
        {"$": "sample", "shape": [2], "step": 1, "elements": 1},
        {"$": "sample", "shape": [2], "step": 0, "elements": tensor()},
        {"$": "sample", "shape": [2], "step": "1", "elements": tensor()},
        {"$": "sample", "shape": [2], "step": float("inf"), "elements": tensor()},
        tensor(dtype="object"),
        tensor(dtype=None),
        tensor(dtype=[]),
        tensor(shape=None),
        tensor(shape=2),
        tensor(shape=[3]),
        tensor(shape=[-2, -1]),
        tensor(shape=["two"]),
        tensor(shape=[None]),
        tensor(shape=[[2]]),
        tensor(shape=[float("inf")]),
        tensor(shape=[float("nan")]),
        tensor(shape=[1e300]),
        tensor(shape=[2] * 100_000),
        tensor(shape=[10**4_000] * 1_000),
        tensor(bytes=-1),
        tensor(bytes=3),
        tensor(bytes=1),
        tensor(bytes=2.0),
        tensor(bytes=None),
        tensor(bytes=10**30),
        [tensor(), tensor()],
    ],
    ids=lambda header: str(header)[:60],
)
def test_malformed_bytes_are_refused(header: Any) -> None:
    with pytest.raises(BadEvidence):
        from_bytes(framed(header, b"\1\0"))


@pytest.mark.parametrize("claimed", [0, 1, 5, 2**31, 2**32 - 1])
def test_a_header_of_another_length_than_claimed_is_refused(claimed: int) -> None:
    with pytest.raises(BadEvidence):
        from_bytes(struct.pack("<I", claimed) + b'{"$": "opaque", "type": "x"}')


def test_damage_gives_evidence_or_bad_evidence_and_nothing_else() -> None:
    random_, whole = random.Random(7), to_bytes(EVERYTHING)
    for _ in range(5_000):
        damaged = bytearray(whole)
        for _ in range(random_.randint(1, 4)):
            at = random_.randrange(len(damaged))
            damaged[at : at + random_.randint(0, 3)] = random_.randbytes(random_.randint(0, 3))
        with contextlib.suppress(BadEvidence):
            from_bytes(bytes(damaged))


def test_noise_gives_evidence_or_bad_evidence_and_nothing_else() -> None:
    random_ = random.Random(8)
    pieces = [
        *'{}[]",:',
        '"$"',
        '"tensor"',
        '"tuple"',
        '"items"',
        '"shape"',
        '"bytes"',
        '"dtype"',
        "1",
        "-1",
        "1e999",
        "NaN",
        "null",
    ]
    for _ in range(5_000):
        noise = "".join(random_.choices(pieces, k=random_.randint(0, 12))).encode()
        with contextlib.suppress(BadEvidence):
            from_bytes(framed(noise, random_.randbytes(random_.randint(0, 4))))


def a_value(random_: random.Random, depth: int = 0) -> Plain:
    """Any plain value."""
    pick = random_.randrange(11 if depth < 4 else 7)
    count = random_.randrange(4)
    if pick == 0:
        return random_.choice([None, True, False, "", "$", -0.0, 0])
    if pick == 1:
        return random_.randint(-(2**63), 2**63 - 1)
    if pick == 2:
        return random_.uniform(-1, 1) * 10 ** random_.randint(-300, 300)
    if pick == 3:
        return "".join(map(chr, random_.choices(range(0x3000), k=count)))
    if pick == 4:
        return Tensor("float32", (count, 2), random_.randbytes(8 * count))
    if pick == 5:
        return Raised("E", str(count), random_.choice([None, count]), "code")
    if pick == 6:
        return random_.choice([Opaque("x"), Source("y"), Sample((9,), 3, MATRIX)])
    items = [a_value(random_, depth + 1) for _ in range(count)]
    return items if pick < 9 else Tuple(tuple(items)) if pick == 9 else {str(i): item for i, item in enumerate(items)}


def test_any_plain_data_survives_its_bytes() -> None:
    random_ = random.Random(9)
    for _ in range(1_000):
        value = a_value(random_)
        assert from_bytes(to_bytes(value)) == value
