"""A session: one lesson being worked on in one process. Holds the seal, judges answers, records tries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from autograde import calm, seal
from autograde.draw import PUBLIC_SEED
from autograde.evidence import evidence_from_bytes, to_bytes
from autograde.exercise import Code, Exercise, Typed, on_declare
from autograde.judge import judge, raised_verdict
from autograde.limit import TookTooLong, limited
from autograde.note import Note
from autograde.place import INDEX_FILE, find_root
from autograde.probe import probe
from autograde.progress import Progress, Try
from autograde.rubric import Rubric, code_rubric, draw_calls, plan_for, typed_rubric, unsound
from autograde.shell import Shell
from autograde.spelling import closest, did_you_mean
from autograde.told import Told
from autograde.trace import raised
from autograde.verdict import Verdict, took_too_long

_TYPOS = ("SyntaxError", "IndentationError", "TabError")
"""What Python cannot read is no try of the exercise."""


_EXERCISE_SECONDS = 20
"""How long a learner's code may run in a check where the course says nothing."""


class UnknownExercise(Told, ValueError):
    """The lesson has no exercise of this id."""


class UnknownDimension(Told, KeyError):
    """The course has no size of this name."""


class WrongCall(Told, TypeError):
    """One of our functions was called with something else than it takes."""


class CheckFault(RuntimeError):
    """We failed, not the learner: never shown as a verdict, never any points."""


class Session:
    """A released lesson: rubrics, hints and worked solutions come from its seal."""

    def __init__(self, slug: str, sealed: Mapping[str, Any], shell: Shell) -> None:
        self.slug = slug
        self.shell = shell
        self.progress = Progress()
        self._seal = sealed
        self._rubrics: dict[str, Rubric] = {}
        self._hints_given: dict[str, int] = {}

    @staticmethod
    def begin(slug: str, text: str, surface: Mapping[str, Any]) -> Session:
        """Open a lesson and watch its cells."""
        sealed = seal.from_text(text) if text else {}
        names = {f"{exercise}-answer": item["name"] for exercise, item in sealed.get("exercises", {}).items()}
        shell = Shell(names.values(), sealed.get("imports", {}), surface, names)
        shell.watch()
        return Session(slug, sealed, shell) if text else AuthorSession(slug, sealed, shell)

    def close(self) -> None:
        """Stop watching the notebook's cells."""
        self.shell.leave()

    def rubric(self, exercise: str) -> Rubric:
        """An exercise's rubric. Raises UnknownExercise."""
        if exercise not in self._rubrics:
            sealed = self._seal.get("exercises", {})
            if exercise not in sealed:
                meant, known = did_you_mean(exercise, sealed), ", ".join(sealed) or "none"
                raise UnknownExercise(f"lesson {self.slug!r} has no exercise {exercise!r}{meant}; it has {known}")
            self._rubrics[exercise] = seal.open_rubric(exercise, sealed[exercise], str(self._seal["course"]))
        return self._rubrics[exercise]

    def check(self, exercise: str, answer: object) -> Verdict:
        """Probe, judge, record."""
        rubric = self.rubric(exercise)
        fault = self.shell.fault(rubric.name, answer)
        if answer is ...:  # the value was forgotten in the call, or the cell is untouched
            answer = self.shell.variables.get(rubric.name, ...)
        verdict = raised_verdict(rubric, fault) if fault is not None else self._judged(rubric, answer)
        if fault is None or fault.type not in _TYPOS:
            self._record(rubric, verdict)
        return verdict.with_next(self._next(verdict))

    def _judged(self, rubric: Rubric, answer: object) -> Verdict:
        """The verdict on a value. Raises CheckFault."""
        seconds = float(self._seal.get("exercise_cpu_s", _EXERCISE_SECONDS))
        printed: list[str] = ["", ""]
        try:
            with limited(seconds), calm.quiet() as printed, self.shell.clean(rubric.name):
                evidence = probe(rubric.plan, answer)
            verdict = judge(rubric, evidence_from_bytes(to_bytes(evidence)))
        except TookTooLong as stopped:
            verdict = took_too_long(rubric.id, rubric.points, seconds, raised(stopped).where())
        except Exception as ours:
            what = f"the check of {rubric.id!r} failed in itself ({type(ours).__name__}: {ours})"
            raise CheckFault(f"{what}; please report it, your answer is untouched") from ours
        if verdict.status == "not_attempted":
            verdict = verdict.with_message(self._empty(rubric.name, answer))
        return verdict.with_printed(printed[0])

    def _empty(self, name: str, answer: object) -> str:
        """What is said of an answer that was not given: under another name, perhaps."""
        state = "still `...`" if answer is ... else "None" if answer is None else "still empty"
        says = f"Nothing to check yet: `{name}` is {state}."
        other = closest(name, self.shell.others(self._seal.get("given", ())))
        if other:
            return (
                f"{says} You gave a value to `{other}`. Did you mean `{name}`? Correct the name and run the cell again."
            )
        return f"{says} Write your answer in the cell above and run it."

    def _record(self, rubric: Rubric, verdict: Verdict) -> None:
        said = self.shell.sources.get(rubric.name) or f"{verdict.given}\n{verdict.message}\n{verdict.detail}"
        digest = hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()[:16]
        self.progress.record(Try(self.slug, rubric.id, verdict.status, verdict.score, verdict.max_score, digest))

    def _next(self, verdict: Verdict) -> str:
        lines = [self.progress.trouble] if self.progress.trouble else []
        if verdict.status in ("failed", "partial", "error", "timeout"):
            if self._texts("hints", verdict.exercise):
                lines.append(f'Stuck? `hint("{verdict.exercise}")` helps a little.')
            if self._texts("solutions", verdict.exercise) and self._may_see_solution(verdict.exercise):
                lines.append(f'`solution("{verdict.exercise}")` shows the worked solution.')
        return " ".join(lines)

    def _texts(self, section: str, exercise: str) -> list[str]:
        self.rubric(exercise)
        hidden = self._seal.get(section, {}).get(exercise)
        texts = seal.unhide(hidden, f"{self._seal['course']}:{exercise}:{section}") if hidden else []
        return [str(text) for text in texts] if isinstance(texts, list) else []

    def _may_see_solution(self, exercise: str) -> bool:
        tried = self.progress.honest_tries(exercise)
        return exercise in self.progress.solved() or tried >= self._tries_before_solution

    @property
    def _tries_before_solution(self) -> int:
        return int(self._seal.get("tries_before_solution", 2))

    def hint(self, exercise: str) -> Note:
        """The next hint; after the last, the first again."""
        hints = self._texts("hints", exercise)
        if not hints:
            return Note("Hint", f"There is none for {exercise} in this notebook.")
        given = self._hints_given.get(exercise, 0)
        self._hints_given[exercise] = given + 1
        return Note(f"Hint {given % len(hints) + 1} of {len(hints)}", hints[given % len(hints)])

    def solution(self, exercise: str) -> Note:
        """The worked solution after a pass or honest tries."""
        texts = self._texts("solutions", exercise)
        if not texts:
            return Note("Solution", f"There is none for {exercise} in this notebook.")
        if not self._may_see_solution(exercise):
            wanted, tried = self._tries_before_solution, self.progress.honest_tries(exercise)
            says = f"Check {wanted} different answers of your own first ({tried} so far), or pass the exercise."
            return Note("Solution", says)
        return Note("Worked solution", texts[0], texts[1])

    def dimensions(self, *names: str) -> tuple[int, ...]:
        """Sizes by name. Raises UnknownDimension, WrongCall."""
        known = self._dimensions()
        listed = ", ".join(known)
        if not names or not all(isinstance(name, str) for name in names):
            raise WrongCall(f"dimensions takes names in quotes; the course has {listed}")
        for name in names:
            if name not in known:
                raise UnknownDimension(f"no dimension {name!r}{did_you_mean(name, known)}; the course has {listed}")
        return tuple(known[name] for name in names)

    def _dimensions(self) -> dict[str, int]:
        return dict(self._seal.get("dimensions", {}))

    def exercise_id(self, call: str, given: Sequence[object]) -> str:
        """The id in a call such as check("ff-parameters", ff_parameters). Raises WrongCall."""
        if len(given) == 1 and isinstance(given[0], str):
            return given[0]
        known = ", ".join(f'"{exercise}"' for exercise in self._known())
        value = " and one value (a shape is one value: (2, 3), in brackets)" if call == "check" else ""
        raise WrongCall(f"{call} takes an exercise's id in quotes{value}; this lesson has {known or 'none'}")

    def _known(self) -> list[str]:
        return list(self._seal.get("exercises", {}))

    def progress_note(self) -> Note:
        """n of m exercises, n of m lessons."""
        lessons = self._lessons()
        solved = self.progress.solved()
        done = sum(solved.issuperset(ids) for ids in lessons.values())
        here = lessons.get(self.slug, [])
        whole = f"{_count(solved, chain(*lessons.values()))} exercises, {done} of {len(lessons)} lessons."
        parts = (whole, f"This lesson: {_count(solved, here)}.", self.progress.trouble)
        return Note("Progress", " ".join(filter(None, parts)))

    def _lessons(self) -> dict[str, list[str]]:
        """Exercise ids by lesson: of the whole course where its index is at hand, else of this lesson."""
        root = find_root()
        if root is not None and (root / INDEX_FILE).is_file():
            index = json.loads((root / INDEX_FILE).read_text(encoding="utf-8"))
            lessons = {
                lesson["id"]: [exercise["id"] for exercise in lesson["exercises"]] for lesson in index["lessons"]
            }
            if self.slug in lessons:
                return lessons
        return {self.slug: self._known()}


def _count(solved: set[str], exercises: Iterable[str]) -> str:
    found = [exercise in solved for exercise in exercises]
    return f"{sum(found)} of {len(found)}"


class AuthorSession(Session):
    """A solved lesson opened by its author: exercises come from the author cells, the solution is the reference."""

    def __init__(self, slug: str, sealed: Mapping[str, Any], shell: Shell) -> None:
        super().__init__(slug, sealed, shell)
        self.exercises: dict[str, Exercise] = {}
        on_declare(lambda exercise: self.exercises.__setitem__(exercise.id, exercise))

    def check(self, exercise: str, answer: object) -> Verdict:
        """The solved lesson's check: a typed answer is judged, a code solution must give sound evidence."""
        declared = self.exercises.get(exercise)
        if isinstance(declared, Typed):
            return judge(typed_rubric(declared, exercise, 1.0), probe({"kind": "typed"}, answer))
        if not isinstance(declared, Code):
            raise UnknownExercise(f"no exercise {exercise!r} is declared above; run its author cell")
        calls = draw_calls(declared, PUBLIC_SEED)
        evidence = probe(plan_for(declared, calls), answer)
        faults = unsound(evidence)
        if faults:
            raise CheckFault(f"the solution of {exercise!r} is not sound: {'; '.join(faults)}")
        points = 1.0 + sum(declared.parts.values())
        return judge(code_rubric(declared, exercise, points, calls, evidence, ()), evidence)

    def _texts(self, section: str, exercise: str) -> list[str]:
        """The hints as declared; the worked solution stands in the author's own cell."""
        declared = self.exercises.get(exercise)
        return list(declared.hints) if declared is not None and section == "hints" else []

    def _known(self) -> list[str]:
        return list(self.exercises)

    def _dimensions(self) -> dict[str, int]:
        from autograde.course import read_course

        return read_course().dimensions
