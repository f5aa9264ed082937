"""What a hostile process may say: evidence is data, it is bounded, and none of it stops a class."""

from __future__ import annotations

import ast
import json
import pickle
import re
import struct
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import WorkerOf
from hostile_case import ALL
from hostile_house import Canary, Graded, House

import autograde.grading
from autograde.evidence import (
    BadEvidence,
    Evidence,
    Opaque,
    Plain,
    Raised,
    Sample,
    Source,
    Tensor,
    Tuple,
    from_bytes,
    to_bytes,
)
from autograde.grading import frames, run
from autograde.grading.judging import exercise_rows
from autograde.grading.store import Run
from autograde.judge import judge

GRADING = Path(autograde.grading.__file__).parent
# What reads code out of data.
UNPICKLERS = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}


def test_reading_a_pickle_would_run_code(house: House, worker_of: WorkerOf, canary: Canary) -> None:
    """The control of reduce_runs_code and pickled_evidence: what a grader would do that unpickles a result."""
    case = next(case for case in ALL if case.name == "reduce_runs_code")
    graded = house.grade(worker_of(), house.lesson, {case.aims: house.source(case)})
    said = re.search(r"pickle: ([0-9a-f]+)", graded.run.printed)
    assert said is not None
    pickle.loads(bytes.fromhex(said[1]))  # noqa: S301  # our own attack, of which we know what it does
    planted = canary.folder / "pickled"
    assert planted.read_text() == "pwned"
    planted.unlink()


def imports() -> Iterator[tuple[str, str]]:
    for path in [*GRADING.glob("*.py"), *GRADING.parent.glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            yield from ((path.name, name) for name in names)


def test_grading_has_nothing_that_unpickles() -> None:
    assert not [(file, name) for file, name in imports() if name.partition(".")[0] in UNPICKLERS]
    texts = {path.name: path.read_text(encoding="utf-8") for path in GRADING.glob("*.py")}
    assert not [name for name, text in texts.items() if "torch.load" in text or "allow_pickle" in text]


def leaf(random: Random) -> Plain:
    """A value that somebody could send, the odd ones first of all."""
    whole = b"\xff" * 8
    values: list[Plain] = [
        None, True, False, 0, -1, 10**4000, 2**63, 1.5, float("nan"), float("inf"), 1e308, "", "\ud800", "x" * 20_000,
        "a", "softmax", "1,2", "\0", Tensor("float32", (), b"\0" * 4), Tensor("bool", (), b"\7"),
        Tensor("int64", (2,), whole * 2), Tensor("float64", (0,), b""), Tensor("float64", (1, 1), whole),
        Tensor("float32", (10**300, 0), b""), Opaque("\ud800"), Opaque("ellipsis"), Source("1/0"),
        Raised("\ud800", "x" * 50_000, None, "\ud800"), Raised("NotImplementedError", ""),
        Raised("SyntaxError", "leading zeros", 10**4200, "x"), Sample((3,), 1, Tensor("float32", (3,), b"\0" * 12)),
        Sample((10**300,), 10**300, Tensor("float32", (0,), b"")),
    ]  # fmt: skip
    return random.choice(values)


def value(random: Random, deep: int = 0) -> Plain:
    if deep > 3 or random.random() < 0.6:
        return leaf(random)
    parts = [value(random, deep + 1) for _ in range(random.randrange(4))]
    return random.choice([parts, Tuple(tuple(parts)), {str(i): part for i, part in enumerate(parts)}])


def test_no_evidence_makes_the_judge_fail_or_pass_by_chance(house: House) -> None:
    random = Random(3)
    for _ in range(150):
        for name, rubric in house.lesson.rubrics.items():
            evidence: Evidence = {"answer": value(random)}
            expected: dict[str, Any] = getattr(rubric, "expected", {})
            if expected:
                spoilt = random.choice([*expected])
                evidence = {key: value(random) if key == spoilt else want for key, want in expected.items()}
                evidence |= {
                    key: value(random) for key in ("untouched", "forbidden", "gradient") if random.random() < 0.1
                }
            verdict = judge(rubric, evidence)
            is_guess = name in ("kind-choice", "kind-choices", "kind-text")
            is_true = any(evidence.get(key) is True for key in evidence)
            assert verdict.status != "passed" or is_guess or is_true, (name, evidence)
            assert 0 <= verdict.score <= verdict.max_score


def nested(deep: int) -> Plain:
    return reduce(lambda inner, _: [inner], range(deep), "softmax")


@pytest.mark.parametrize(
    "evidence",
    [
        nested(100),
        nested(24),
        "\ud800",
        Opaque("\ud800"),
        Raised("ValueError", "\udfff"),
        {"\ud800": 1},
        Tuple(("\ud800",)),
    ],
    ids=["deep", "just too deep", "text", "type", "message", "key", "in a tuple"],
)
def test_what_could_be_read_but_not_written_again_is_refused(evidence: Plain) -> None:
    with pytest.raises((frames.BadFrame, UnicodeEncodeError)):
        run._check({"answer": evidence})


def test_what_a_probe_makes_is_not_refused(house: House) -> None:
    for rubric in house.lesson.rubrics.values():
        run._check(getattr(rubric, "expected", {"answer": {"a": [1, Tuple((1, "é"))]}}))


def header(value: object) -> bytes:
    text = json.dumps(value).encode()
    return struct.pack("<I", len(text)) + text


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff\xff\xff\xff", header({"$": "reduce"}), header({"$": "tensor"}), header([{"no": "tag"}]),
        header({"$": "tensor", "dtype": "float32", "shape": [2], "bytes": 8}),
        header({"$": "tensor", "dtype": "object", "shape": [], "bytes": 0}),
        header({"$": "tensor", "dtype": "bool", "shape": [-1], "bytes": 0}),
        header({"$": "tensor", "dtype": "bool", "shape": [1] * 65, "bytes": 1}) + b"\0",
        header({"$": "dict", "items": 3}), header(None) + b"left over", pickle.dumps({"number": "0"}),
        struct.pack("<I", 20_000) + b"[" * 10_000 + b"]" * 10_000,
    ],
)  # fmt: skip
def test_bytes_that_are_no_evidence_are_refused(data: bytes) -> None:
    with pytest.raises(BadEvidence):
        from_bytes(data)


@pytest.mark.parametrize(
    "make",
    [lambda: b"X" + b"\0" * 4, lambda: b"D\xff\xff\xff\xff", lambda: b"C" + struct.pack("<I", 1) + b"x"],
    ids=["unknown tag", "too large", "the controller's own tag"],
)
def test_bytes_that_are_no_frame_are_refused(make: Callable[[], bytes]) -> None:
    reader = frames.FrameReader()
    reader.feed(make())
    with pytest.raises(frames.BadFrame):
        reader.next()


def test_large_evidence_can_be_stored_and_read_again(house: House, tmp_path: Path) -> None:
    large: Plain = ["x" * 1_000_000] * 7
    assert len(to_bytes(large)) < 8_000_000
    ran = Run(evidence={name: {"answer": large} for name in house.lesson.plans})
    rows = exercise_rows(house.lesson.assignment, house.lesson.rubrics, ran)
    house.keep_and_read(Graded(rows, ran), tmp_path)
