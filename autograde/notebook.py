"""What a lesson uses: lesson, check, hint, solution, progress, dimensions.

lesson("widen-relu-narrow", "...")                    the locked first cell: the lesson's seal
check("ff-parameters", ff_parameters)                 the verdict on an answer
hint("ff-parameters")                                 the next hint
solution("ff-parameters")                             the worked solution, after honest tries
n_embd, n_head = dimensions("n_embd", "n_head")       sizes of the course's network
progress()                                            "3 of 26 exercises, 1 of 3 lessons"
"""

from __future__ import annotations

from autograde.note import Note
from autograde.session import Session
from autograde.told import Told
from autograde.verdict import Verdict

_open: list[Session] = []
"""The lesson that this process works on; empty before its first cell ran."""


class NoLesson(Told, RuntimeError):
    """No lesson is open in this notebook."""


def lesson(slug: str, seal: str = "") -> None:
    """Open a lesson: the first cell of each notebook does. Without a seal it is an author's solved lesson.

    Raises BadSeal where the seal is damaged.
    """
    before = _open.pop() if _open else None
    if before is not None:
        before.close()
    surface = {
        "check": check,
        "hint": hint,
        "solution": solution,
        "progress": progress,
        "lesson": lesson,
        "dimensions": dimensions,
    }
    made = Session.begin(slug, seal, surface)
    if before is not None:  # the first cell was run again: what failed since is still failed
        made.shell.remember(before.shell)
    _open.append(made)


def opened() -> Session | None:
    """The lesson that is open in this process, None where none is."""
    return _open[0] if _open else None


def session() -> Session:
    """The lesson that is open. Raises NoLesson."""
    if not _open:
        raise NoLesson(
            "no lesson is open in this notebook: run its first cell (Run > Run All Above), then this one again"
        )
    return _open[0]


def check(exercise: object = None, answer: object = ..., *more: object) -> Verdict:
    """The verdict on an answer, at once: right or wrong, and what exactly went wrong.

    Never raises for what a learner wrote as an answer. Raises NoLesson, UnknownExercise, WrongCall, or CheckFault
    where we ourselves failed.
    """
    return session().check(session().exercise_id("check", (exercise, *more)), answer)


def hint(exercise: object = None, *more: object) -> Note:
    """The next hint for an exercise, by its id. Raises NoLesson, UnknownExercise, WrongCall."""
    return session().hint(session().exercise_id("hint", (exercise, *more)))


def solution(exercise: object = None, *more: object) -> Note:
    """The worked solution, once it was passed or honestly tried. Raises NoLesson, UnknownExercise, WrongCall."""
    return session().solution(session().exercise_id("solution", (exercise, *more)))


def progress() -> Note:
    """How far you are: exercises and lessons."""
    return session().progress_note()


def dimensions(*names: str) -> tuple[int, ...]:
    """Sizes of the course's network, in the order asked for: batch_size, block_size, n_embd, n_head, n_layer.

    >>> n_embd, n_head = dimensions("n_embd", "n_head")

    Raises NoLesson, UnknownDimension, WrongCall.
    """
    return session().dimensions(*names)
