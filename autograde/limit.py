"""The limit: how long a learner's code may run in a check, and where it may be interrupted.

The end of the time and Ctrl-C reach the learner's code only. One that comes while a check sets up its surroundings, or
puts them back, waits until that is done: streams, seeds and hooks are never left half changed.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

_AGAIN_SECONDS = 1.0
"""The first may end in a bare `except:` of the learner's."""


class TookTooLong(BaseException):
    """The learner's code ran longer than it may. No Exception: their `except Exception` must not keep it."""


class _Signals:
    """What came from outside during one check."""

    def __init__(self) -> None:
        self.is_learners_turn = False
        self.waiting: BaseException | None = None

    def come(self, number: int, _frame: object) -> None:
        """Raise where the learner's code runs, else wait; a second Ctrl-C waits for nothing."""
        fault = KeyboardInterrupt() if number == signal.SIGINT else TookTooLong()
        is_second = isinstance(fault, KeyboardInterrupt) and isinstance(self.waiting, KeyboardInterrupt)
        if self.is_learners_turn or is_second:
            raise fault
        if not isinstance(self.waiting, KeyboardInterrupt):
            self.waiting = fault


_now: _Signals | None = None


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """A check: learner's code inside may run for so many seconds. Raises TookTooLong, KeyboardInterrupt.

    Python takes signals in its main thread only, and a timer or handler of somebody else's is left alone.
    """
    global _now
    if _now is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    _now = signals = _Signals()
    try:
        with _handled(signals, seconds):
            yield
    finally:
        _now = None
    if isinstance(signals.waiting, KeyboardInterrupt):
        raise signals.waiting


@contextlib.contextmanager
def _handled(signals: _Signals, seconds: float) -> Iterator[None]:
    with contextlib.ExitStack() as undo:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            undo.callback(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signals.come))
        if _is_timer_free():
            undo.callback(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signals.come))
            undo.callback(signal.setitimer, signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
        yield


def _is_timer_free() -> bool:
    if not hasattr(signal, "setitimer"):  # Windows
        return False
    return signal.getitimer(signal.ITIMER_REAL)[0] == 0 and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@contextlib.contextmanager
def learners_turn() -> Iterator[None]:
    """Where the learner's code runs; what waited comes now."""
    signals = _now
    if signals is None:
        yield
        return
    before, signals.is_learners_turn = signals.is_learners_turn, True
    try:
        if signals.waiting is not None:
            raise signals.waiting
        yield
    finally:
        signals.is_learners_turn = before
