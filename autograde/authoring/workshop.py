"""The workshop: a solved lesson run from top to bottom, and at each exercise its rubric made and its answers tried.

Everything here runs in a process of its own (see child); what it makes leaves as plain data.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograde.authoring.apart import Died, TookTooLong, apart
from autograde.authoring.faults import AuthorError, Fault
from autograde.authoring.lesson_text import Cell, LessonText, Task, solution_of
from autograde.compare import close, sample
from autograde.draw import PUBLIC_SEED
from autograde.evidence import Evidence, Plain, Raised, from_bytes, to_bytes
from autograde.exercise import Code, Exercise, Typed, Variant, on_declare
from autograde.probe import probe
from autograde.rubric import (
    CLUE,
    BadExercise,
    CodeRubric,
    KnownWrong,
    Rubric,
    code_rubric,
    draw_calls,
    plan_for,
    typed_rubric,
    unsound,
)
from autograde.runner import Ran, Runner
from autograde.signature import parameters_of
from autograde.trace import raised
from autograde.verdict import Verdict

_LASTING = (CLUE, ": parameters", ": repeatable", ": unchanged", ": gradients")
_BY_LAYOUT = (": layout", ": drawn")
"""What hangs on how a module is laid out: the same mistake is made in many layouts."""
_SEEDS = (1, 2, 3)


@dataclass
class Bench:
    """One exercise at the moment when its grade cell is reached: the lesson's variables are as its check sees them."""

    lesson: LessonText
    task: Task
    exercise: Exercise
    variables: dict[str, Any] = field(repr=False)

    @property
    def solution(self) -> str:
        """The answer cell, solved."""
        return solution_of(self.task.answer.source)

    def fault(self, what: str, todo: str) -> AuthorError:
        """A fault of this exercise's author cell."""
        return AuthorError([self.lesson.fault(self.task.exercise, what, todo, self.task.id)])

    def rubric(self, seed: str = PUBLIC_SEED) -> Rubric:
        """The exercise's rubric, its inputs drawn with a seed. Raises AuthorError."""
        try:
            if isinstance(self.exercise, Typed):
                return typed_rubric(self.exercise, self.task.name, self.task.points)
            assert isinstance(self.exercise, Code)
            return self._code_rubric(self.exercise, seed)
        except BadExercise as fault:
            raise self.fault(str(fault), "Change the author cell") from None
        except (TypeError, ValueError, KeyError, AttributeError) as fault:
            said = f"the author cell cannot be used ({type(fault).__name__}: {fault})"
            raise self.fault(said, "Compare it with CONTRIBUTING.md's table of kinds") from None

    def _code_rubric(self, exercise: Code, seed: str) -> CodeRubric:
        calls = draw_calls(exercise, seed)
        plan = plan_for(exercise, calls)
        expected = {} if exercise.kind == "experiment" else self.evidence(plan, self.solution)
        faults = unsound(expected)
        if faults:
            raise self.fault(
                f"the solution's own evidence is not sound: {'; '.join(faults)}",
                "Mend the solution or the inputs that are drawn",
            )
        variants = exercise.wrong if exercise.kind != "experiment" else ()
        stable = self.stable_evidences(plan, [self.source_of(variant) for variant in variants])
        wrong = [KnownWrong(variant.says, evidence) for variant, evidence in zip(variants, stable, strict=True)]
        wrong.sort(key=lambda known: -len(known.evidence))
        names = parameters_of(self.solution, self.task.name)
        return code_rubric(exercise, self.task.name, self.task.points, calls, expected, tuple(wrong), names)

    def source_of(self, variant: Variant) -> str:
        """A variant's code. Raises AuthorError."""
        try:
            return variant.source(self.solution)
        except ValueError as fault:
            raise self.fault(str(fault), "Take the old text from the solution as it stands") from None

    def evidence(self, plan: dict[str, Plain], source: str, seed: int = _SEEDS[0]) -> Evidence:
        """The evidence of an answer's code, run beside the lesson's variables in a process apart."""
        return self.evidences(plan, [(source, seed)])[0]

    def evidences(self, plan: dict[str, Plain], answers: Sequence[tuple[str, int]]) -> list[Evidence]:
        """The evidence of several answers, each with a seed, in one process apart: a fork costs more than a probe."""

        def all_of_them() -> bytes:
            name, variables = self.task.name, self.variables
            return to_bytes([evidence_of(plan, source, name, variables, seed) for source, seed in answers])

        try:
            found = from_bytes(apart(all_of_them, seconds=60.0 + len(answers)))
        except (Died, TookTooLong) as fault:
            if len(answers) == 1:
                return [{"answer": Raised(type(fault).__name__, str(fault))}]
            return [self.evidence(plan, source, seed) for source, seed in answers]
        assert isinstance(found, list)
        return [evidence for evidence in found if isinstance(evidence, dict)]

    def stable_evidences(self, plan: dict[str, Plain], sources: Sequence[str]) -> list[Evidence]:
        """What of each answer's evidence does not hang on chance: initial values, dropout."""
        found = self.evidences(plan, [(source, seed) for source in sources for seed in _SEEDS])
        return [_stable(found[i : i + len(_SEEDS)]) for i in range(0, len(found), len(_SEEDS))]


def _stable(runs: Sequence[Evidence]) -> Evidence:
    first, *others = runs
    stable = {
        name: value
        for name, value in first.items()
        if not name.endswith(_BY_LAYOUT) and all(name in other and close(value, other[name], 1e-5) for other in others)
    }
    restless = {
        name.removesuffix(": repeatable")
        for name, value in first.items()
        if name.endswith(": repeatable") and value is False
    }
    return {n: sample(v) for n, v in stable.items() if n.partition(": ")[0] not in restless or n.endswith(_LASTING)}


def evidence_of(plan: dict[str, Plain], source: str, name: str, variables: dict[str, Any], seed: int) -> Evidence:
    """The evidence of an answer's code in a copy of the variables; what the code raises is its evidence."""
    scope = dict(variables)
    scope.pop(name, None)
    scope.pop("answer", None)
    file = f"<answer {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    try:
        exec(compile(source, file, "exec"), scope)
    except Exception as fault:
        return {"answer": raised(fault)}
    return probe(plan, scope.get(name, scope.get("answer", ...)), seed)


def walk(lesson: LessonText, at: Callable[[Bench], None], only: Iterable[str] | None = None) -> None:
    """Run a solved lesson and hand each exercise to `at` when its grade cell is reached, up to the last one wanted.

    Raises AuthorError with every fault of the cells that ran and of `at`, each cause once.
    """
    declared: dict[str, Exercise] = {}
    on_declare(lambda exercise: declared.__setitem__(exercise.id, exercise))
    wanted = set(only) if only is not None else {task.id for task in lesson.tasks}
    owner = {id(cell): task for task in lesson.tasks for cell in (task.answer, task.exercise, task.grade)}
    broken: set[str] = set()
    runner, faults = Runner(), list[Fault]()
    for cell in lesson.cells:
        task = owner.get(id(cell))
        if cell.is_markdown:
            continue
        if task is None or cell is not task.grade:
            found = _raised(lesson, cell, task, runner.run(cell.source))
            broken |= {task.id} if task is not None and found else set()
            faults += found
            if found and cell.role == "lesson":
                break
            continue
        if task.id not in broken:  # what its own cells raised is told; whatever follows from it is no news
            ran = runner.run(cell.source)
            try:
                _at_grade(lesson, task, ran, at if task.id in wanted else None, declared, runner)
            except AuthorError as fault:
                faults += fault.faults
        wanted.discard(task.id)
        if only is not None and not wanted:
            break
    if faults:
        raise AuthorError(faults)


def _at_grade(
    lesson: LessonText,
    task: Task,
    ran: Ran,
    at: Callable[[Bench], None] | None,
    declared: dict[str, Exercise],
    runner: Runner,
) -> None:
    """One exercise whose cells ran. Raises AuthorError; what `at` finds explains why its grade cell raised."""
    if isinstance(ran.result, Verdict) and (faults := _solution_faults(lesson, task, ran.result)):
        raise AuthorError(faults)
    if at is not None:
        at(_bench(lesson, task, declared, runner))
    if faults := _raised(lesson, task.grade, task, ran):
        raise AuthorError(faults)


def _raised(lesson: LessonText, cell: Cell, task: Task | None, ran: Ran) -> list[Fault]:
    """A cell that raised."""
    if ran.fault is None:
        return []
    where = f" at its line {ran.fault.line}: {ran.fault.code}" if ran.fault.line else ""
    what = f"the {cell.role} cell raises {ran.fault.type}: {ran.fault.message}{where}"
    todo = "The solved lesson must run from top to bottom"
    return [lesson.fault(cell, what, todo, task.id if task is not None else "")]


def _solution_faults(lesson: LessonText, task: Task, verdict: Verdict) -> list[Fault]:
    """A solved answer cell that its own check does not pass."""
    if verdict.status == "passed":
        return []
    said = f"the solution does not pass its own check: {verdict.status}, {verdict.message}"
    return [lesson.fault(task.answer, said.rstrip("."), "Make the solution and the author cell agree", task.id)]


def _bench(lesson: LessonText, task: Task, declared: dict[str, Exercise], runner: Runner) -> Bench:
    if task.id not in declared:
        raise AuthorError(
            [
                lesson.fault(
                    task.exercise,
                    "the author cell declares another exercise or none",
                    f'Declare exercise.KIND("{task.id}", ...)',
                    task.id,
                )
            ]
        )
    return Bench(lesson, task, declared[task.id], runner.variables)
