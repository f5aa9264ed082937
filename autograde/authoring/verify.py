"""Verifying: proof that a lesson's checks reject every wrong answer with its own sentence and accept every right one.

Each answer goes both ways: the notebook path (public inputs, the sealed rubric) and the grading path (inputs drawn with
another seed, the open rubric, evidence from a process apart).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from autograde.authoring.declared import sound_rubric
from autograde.authoring.faults import Fault
from autograde.authoring.lesson_text import without_solution
from autograde.authoring.workshop import Bench
from autograde.compare import close
from autograde.evidence import Evidence, Tensor
from autograde.exercise import Code, Typed
from autograde.judge import judge
from autograde.plain import plain
from autograde.rubric import CodeRubric, Rubric, TypedRubric
from autograde.seal import open_rubric, seal_rubric
from autograde.verdict import Verdict

VERIFY_SEED = "verify"


@dataclass
class Proof:
    """How many of a lesson's wrong answers, right variants and empty answers got the verdict that they must get."""

    exercises: int = 0
    wrong: int = 0
    rejected: int = 0
    right: int = 0
    accepted: int = 0
    empty: int = 0
    unattempted: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether nothing is missing."""
        return not self.faults and (self.rejected, self.accepted, self.unattempted) == (
            self.wrong,
            self.right,
            self.empty,
        )

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Proof:
        """From JSON data."""
        return Proof(**data | {"faults": [Fault(**fault) for fault in data["faults"]]})


Path = tuple[str, Rubric, Callable[[Any], Evidence]]
"""A way to a verdict: its name, the rubric, and how an answer becomes evidence."""


def prove(bench: Bench, proof: Proof, course: str) -> None:
    """Prove one exercise; counts and faults go into the proof. Raises AuthorError where it cannot be judged at all."""
    public = sound_rubric(bench)
    proof.exercises += 1
    sealed = open_rubric(public.id, json.loads(json.dumps(seal_rubric(public, course))), course)
    paths = list(_paths(bench, public, sealed))
    _prove_wrong(bench, proof, paths)
    _prove_right(bench, proof, paths)
    _prove_empty(bench, proof, paths)
    proof.faults += _shared_sentences(bench, public)


def _paths(bench: Bench, public: Rubric, sealed: Rubric) -> Iterator[Path]:
    if isinstance(public, TypedRubric):
        for name, rubric in (("notebook", sealed), ("grading", public)):
            yield name, rubric, lambda value: {"answer": value if isinstance(value, Tensor) else plain(value)}
        return
    secret = bench.rubric(VERIFY_SEED)
    sources = [answer for _, answer, _ in (*_wrong_answers(bench), *_right_answers(bench))] + [_empty(bench)]
    for name, rubric in (("notebook", sealed), ("grading", secret)):
        assert isinstance(rubric, CodeRubric)
        found = bench.evidences(rubric.plan, [(source, 0) for source in sources])
        yield name, rubric, dict(zip(sources, found, strict=True)).__getitem__


def _verdicts(paths: list[Path], answer: Any) -> list[tuple[str, Verdict]]:
    return [(name, judge(rubric, evidence(answer))) for name, rubric, evidence in paths]


def _told(bad: list[tuple[str, Verdict]]) -> list[tuple[str, Verdict]]:
    """Verdicts to be told with the path that gave them; the same one on both paths, up to what was drawn, once."""
    if len(bad) == 2 and len({(v.status, v.score, re.sub(r"\d+", "0", v.message)) for _, v in bad}) == 1:
        return [("both paths", bad[0][1])]
    return [(f"{name} path", verdict) for name, verdict in bad]


def _prove_wrong(bench: Bench, proof: Proof, paths: list[Path]) -> None:
    for shown, answer, says in _wrong_answers(bench):
        proof.wrong += 1
        verdicts = _verdicts(paths, answer)
        bad = [
            (name, v)
            for name, v in verdicts
            if v.status in ("passed", "not_attempted", "uncheckable") or says not in (v.message, "")
        ]
        if len({(v.status, v.score) for _, v in verdicts}) > 1:
            bad = bad or verdicts
        if not bad:
            proof.rejected += 1
        for where, verdict in _told(bad):
            what = f"{where}: wrong answer {shown} ({says!r}) got {verdict.status}: {verdict.message!r}"
            todo = "Let the probe see the difference, or merge answers that behave alike"
            proof.faults.append(_fault(bench, what, todo))


def _prove_right(bench: Bench, proof: Proof, paths: list[Path]) -> None:
    for shown, answer, allowed in _right_answers(bench):
        proof.right += 1
        bad = [(name, v) for name, v in _verdicts(paths, answer) if v.status not in allowed]
        proof.accepted += not bad
        for where, verdict in _told(bad):
            got = f"{verdict.status}: {verdict.message!r} {verdict.detail!r}"
            what = f"{where}: right answer {shown} got {got}"
            proof.faults.append(_fault(bench, what, "The check is too strict, or the variant is wrong"))


def _prove_empty(bench: Bench, proof: Proof, paths: list[Path]) -> None:
    proof.empty += 1
    empty = _empty(bench)
    bad = [(name, v) for name, v in _verdicts(paths, empty) if v.status != "not_attempted"]
    proof.unattempted += not bad
    for where, verdict in _told(bad):
        what = f"{where}: the empty answer got {verdict.status}: {verdict.message!r}"
        proof.faults.append(_fault(bench, what, "Leave only the stub outside the solution region"))


def _shared_sentences(bench: Bench, rubric: Rubric) -> Iterator[Fault]:
    """Wrong answers that behave differently and yet get one sentence, word for word."""
    entries = bench.exercise.entries
    told: dict[str, dict[int, str]] = {}
    for i, (shown, _, says) in enumerate(_wrong_answers(bench)):
        told.setdefault(says, {}).setdefault(entries[i] if entries else i, shown)
    for says, answers in told.items():
        if len(answers) > 1 and not _is_of_all(says, rubric):
            what = f"wrong answers {' and '.join(answers.values())} share one sentence, word for word ({says!r})"
            more = ", or list them as one entry with exercise.either(...)" if entries else ""
            yield _fault(bench, what, f"Say of each what went wrong there{more}")


def _is_of_all(says: str, rubric: Rubric) -> bool:
    """Whether answers may share a sentence: it belongs to what was observed or used, or they behave alike."""
    if not isinstance(rubric, CodeRubric):
        return False
    if says in rubric.says.values() or says in rubric.forbid.values():
        return True
    known = [wrong.evidence for wrong in rubric.wrong if wrong.says == says]
    return all(close(dict(known[0]), dict(other)) for other in known[1:])


def _empty(bench: Bench) -> Any:
    """The answer cell as it was handed out."""
    return without_solution(bench.task.answer.source) if isinstance(bench.exercise, Code) else ...


def _fault(bench: Bench, what: str, todo: str) -> Fault:
    return bench.lesson.fault(bench.task.exercise, what, todo, bench.task.id)


def _wrong_answers(bench: Bench) -> Iterator[tuple[str, Any, str]]:
    """Each wrong answer: how to show it, the answer, the sentence that it must earn."""
    exercise = bench.exercise
    if isinstance(exercise, Code):
        for i, variant in enumerate(exercise.wrong, 1):
            yield f"{i}", bench.source_of(variant), variant.says
    elif isinstance(exercise, Typed) and exercise.kind == "choice":
        for letter, says in exercise.options.items():
            if letter != exercise.answer:
                yield repr(letter), letter, says
    elif isinstance(exercise, Typed) and exercise.kind == "choices":
        for letter, says in exercise.options.items():
            yield f"with {letter!r} decided wrongly", set(exercise.answer) ^ {letter}, says
    elif isinstance(exercise, Typed):
        for value, says in exercise.wrong:
            yield repr(value), value, says


def _right_answers(bench: Bench) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Each right answer: how to show it, the answer, the statuses that it may have."""
    exercise = bench.exercise
    if isinstance(exercise, Code):
        yield "(the solution)", bench.solution, ("passed",)
        for i, variant in enumerate(exercise.right, 1):
            yield f"{i}", bench.source_of(variant), ("passed",)
    elif isinstance(exercise, Typed):
        for value in (exercise.answer, *exercise.right, *_spellings(exercise)):
            yield repr(value), value, ("passed",)


def _spellings(exercise: Typed) -> list[Any]:
    """Other ways in which people write the same answer."""
    answer = exercise.answer
    if exercise.kind == "number":
        spelled: list[Any] = [float(answer), str(answer), Tensor.of_number(answer)]
        if isinstance(answer, int) and answer >= 1000:
            digits = f"{answer:,}"
            spelled += (
                [digits]
                if any(p.startswith("0") and p != "000" for p in digits.split(","))
                else [digits, tuple(int(p) for p in digits.split(","))]
            )
        return spelled
    if exercise.kind == "shape":
        return [list(answer), f"({', '.join(map(str, answer))},)"]
    if exercise.kind == "choice":
        return [answer.upper(), f"({answer})"]
    if exercise.kind == "choices":
        return [sorted(answer), ", ".join(sorted(answer))] if answer else []
    if exercise.kind == "numbers":
        return [tuple(answer), ", ".join(map(str, answer))]
    return [answer.upper()]
