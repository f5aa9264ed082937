"""What stops a check reaches the learner's code, and waits where we set up or put back."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from autograde.limit import TookTooLong, learners_turn, limited

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer here")
LONG = 60.0


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Whoever takes signals takes them again afterwards, and no timer runs on."""

    def taken() -> tuple[object, ...]:
        return (*map(signal.getsignal, (signal.SIGINT, signal.SIGALRM)), signal.getitimer(signal.ITIMER_REAL))

    before = taken()
    yield
    assert taken() == before


def interrupt() -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def wait_for_the_limit() -> None:
    """Until the time is over; a signal ends the sleep, if it raises."""
    time.sleep(0.1)


Act = Callable[[], object]


def check(*ours: Act, seconds: float = LONG) -> None:
    """A check that does all of this."""
    with limited(seconds):
        for act in ours:
            act()


def learners(*acts: Act) -> Act:
    """What is done in the learner's turn."""

    def turn() -> None:
        with learners_turn():
            for act in acts:
                act()

    return turn


@pytest.fixture
def done() -> list[str]:
    """What was done."""
    return []


def test_ctrl_c_stops_the_learners_code_at_once(done: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        check(learners(interrupt, lambda: done.append("learner's")))
    assert done == []


def test_ctrl_c_waits_until_we_have_set_up(done: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        check(interrupt, lambda: done.append("set up"), learners(lambda: done.append("learner's")))
    assert done == ["set up"]


def test_ctrl_c_waits_until_we_have_put_back(done: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        check(learners(lambda: done.append("learner's")), interrupt, lambda: done.append("put back"))
    assert done == ["learner's", "put back"]


def test_a_second_ctrl_c_waits_for_nothing(done: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        check(interrupt, interrupt, lambda: done.append("put back"))
    assert done == []


def test_the_end_of_the_time_stops_the_learners_code() -> None:
    with pytest.raises(TookTooLong):
        check(learners(lambda: time.sleep(LONG)), seconds=0.01)


def test_the_end_of_the_time_comes_again_where_the_learner_kept_it() -> None:
    def stubborn() -> None:
        with contextlib.suppress(BaseException):
            time.sleep(LONG)
        time.sleep(LONG)

    with pytest.raises(TookTooLong):
        check(learners(stubborn), seconds=0.01)


def test_what_is_done_when_the_time_ends_is_done() -> None:
    check(learners(lambda: None), wait_for_the_limit, seconds=0.01)


def test_no_learners_code_begins_after_the_end_of_the_time(done: list[str]) -> None:
    with pytest.raises(TookTooLong):
        check(wait_for_the_limit, learners(lambda: done.append("learner's")), seconds=0.01)
    assert done == []


def test_it_is_no_exception_that_a_learner_would_catch() -> None:
    assert not issubclass(TookTooLong, Exception)


def test_a_check_inside_a_check_keeps_the_outer_limit() -> None:
    inner = learners(lambda: check(learners(lambda: None)), lambda: time.sleep(LONG))
    with pytest.raises(TookTooLong):
        check(inner, seconds=0.01)


def test_a_timer_of_somebody_elses_is_left_alone() -> None:
    kept = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, LONG)
    try:
        with limited(0.01), learners_turn():
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 1
            assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)


def test_an_interrupt_handler_of_somebody_elses_is_left_alone() -> None:
    came: list[int] = []
    kept = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        with limited(LONG), learners_turn():
            interrupt()
    finally:
        signal.signal(signal.SIGINT, kept)
    assert came == [signal.SIGINT]


def test_another_thread_has_no_limit() -> None:
    done: list[bool] = []

    def work() -> None:
        with limited(0.01), learners_turn():
            time.sleep(0.05)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_without_a_check_a_turn_is_nothing() -> None:
    with learners_turn():
        pass
