"""What a suite asks of everybody is sent at once, and nothing about a submission changes by it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course import load_course, load_exercise
from grader.errors import SubmissionError
from grader.judge.fate import Fate, fate_of
from grader.judge.foreseen import Foreseen
from grader.judge.grading import grade_all
from grader.model import GradeReport, Limits, Submission
from grader.report.json import json_line
from grader.sandbox.client import RemoteSubject, Sandbox, request

COURSE = load_course(Path(__file__).parents[2])
EXERCISE = load_exercise(COURSE, "04_concat")
PATIENT, QUICK = Limits(wall_s=20.0), Limits(wall_s=0.5)  # for what is not about time, and for what is
RIGHT = "import numpy as np\ndef concat_heads(heads):\n    return np.concatenate([*heads], axis=-1)\n"
COUNTING = """
import numpy as np
calls = 0
def concat_heads(heads):
    global calls
    calls += 1
    print(calls, heads.shape)
    %s
    return np.concatenate([*heads], axis=-1)
"""
WHERE_IT_MATTERS = {
    "right": COUNTING % "",
    "one wrong": COUNTING % "if calls == 5: return heads",
    "not written at first": COUNTING % "if calls == 1: raise NotImplementedError\n    return heads",
    "wrong once it was not written": COUNTING
    % "if calls == 4: raise NotImplementedError\n    if calls == 5: return heads",
    "out of memory": COUNTING % "if calls == 2: raise MemoryError\n    while calls == 3: pass",
    "much": COUNTING % "return np.zeros(2**19) if calls < 9 else heads",
    "raises": COUNTING % "if calls == 5: raise KeyError(calls)",
    "lost": COUNTING % "if calls == 5: import os; os._exit(3)",
    "slow": COUNTING % "while calls == 5: pass",
    "prints much": COUNTING % "if calls == 5: print('x' * 10**5)",
    "changes what it gets": COUNTING % "heads += 1",
    "keeps what it got first": COUNTING % "heads = first.setdefault(0, heads)" + "first = {}\n",
}


def submission(source: str) -> Submission:
    content = source.encode()
    return Submission("anna", "04_concat", "concat.py", content, hashlib.sha256(content).hexdigest())


class Listening(Sandbox):
    """A sandbox that notes how much each submission was asked ahead."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead: list[int] = []

    def open(self, source: bytes, filename: str, limits: Limits) -> RemoteSubject:
        subject = super().open(source, filename, limits)
        ask_ahead = subject.ask_ahead
        self.ahead.append(0)

        def noted(payloads: Sequence[bytes], *, only_after_values: bool = False) -> None:
            self.ahead[-1] += len(payloads)
            ask_ahead(payloads, only_after_values=only_after_values)

        subject.ask_ahead = noted  # type: ignore[method-assign]
        return subject


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Listening]:
    with Listening() as sandbox:
        yield sandbox


def reports(sandbox: Sandbox, *sources: str, limits: Limits = PATIENT) -> list[GradeReport]:
    made: list[GradeReport] = []
    grade_all(COURSE, replace(EXERCISE, limits=limits), map(submission, sources), made.append, sandbox=sandbox)
    return made


@pytest.mark.parametrize("name", WHERE_IT_MATTERS)
def test_a_submission_gets_the_same_report_first_or_later(sandbox: Listening, name: str) -> None:
    """The report, with what was printed and which case failed how, is that of a submission graded on its own.

    So it is where somebody has given the same answers before, which are not judged again.
    """
    source, limits = WHERE_IT_MATTERS[name], QUICK if name == "slow" else PATIENT
    (alone,) = reports(sandbox, source, limits=limits)
    sandbox.ahead.clear()
    *_before, later, again = reports(sandbox, RIGHT, f"{RIGHT}#", source, source, limits=limits)
    assert json_line(later) == json_line(again) == json_line(alone)
    assert sandbox.ahead[:2] == [0, 0]
    assert sandbox.ahead[2] >= sum(check.max_points > 0 for check in later.checks)


def test_requests_are_known_once_two_were_asked_the_same() -> None:
    """One submission alone may have been asked what only it is asked."""
    foreseen = Foreseen()
    foreseen.learn("a", 2, [b"1", b"2"])
    assert foreseen.requests("a") == ()
    foreseen.learn("a", 2, [b"1", b"2"])
    assert foreseen.requests("a") == (b"1", b"2")
    assert foreseen.requests("b") == ()


@pytest.mark.parametrize("third", [[b"1", b"3"], [b"1", b"2", b"3"]], ids=["another request", "one more"])
def test_what_is_not_the_same_each_time_is_never_sent_ahead(third: list[bytes]) -> None:
    """What was another once may be another again, and a case that asks twice may look at the first answer between."""
    foreseen = Foreseen()
    for asked in ([b"1", b"2"], [b"1", b"2"], third, [b"1", b"2"], [b"1", b"2"]):
        foreseen.learn("a", 2, asked)
    assert foreseen.requests("a") == ()


ANSWERS = "def f(x):\n    return %s\n"
ASKED = request("call", None, "f", {"args": (3,), "kwargs": {}})


def fate_after(foreseen: Foreseen, sandbox: Sandbox, source: str, judged: list[object]) -> Fate | None:
    """What becomes of the only case of check "a", which wants 6 from f(3), with a submission that is asked ahead."""
    subject = sandbox.open(source.encode(), "f.py", PATIENT)

    def judge() -> Fate | None:
        try:
            judged.append(got := subject.f(3))
        except SubmissionError as error:
            judged.append(None)
            return fate_of("", error)
        return None if got == 6 else fate_of("", AssertionError())

    subject.load()
    subject.ask_ahead(foreseen.requests("a"), only_after_values=True)
    fate = foreseen.fate("a", 0, subject, judge)
    assert subject.asked == [ASKED]
    assert subject.answers == 1
    subject.close()
    return fate


@pytest.fixture
def known() -> Foreseen:
    """Somebody who knows what check "a" asks."""
    foreseen = Foreseen()
    for _ in range(2):
        foreseen.learn("a", 1, [ASKED])
    return foreseen


def test_the_same_reply_is_judged_once(known: Foreseen, sandbox: Sandbox) -> None:
    """What another submission replied before has the same fate, right or wrong; another reply is judged by itself."""
    judged: list[object] = []
    fates = [fate_after(known, sandbox, ANSWERS % value, judged) for value in ("6", "7", "2 * x", "x + 4", "6.0", "x")]
    assert judged == [6, 7, 6.0, 3]
    assert [fate is None for fate in fates] == [True, False, True, False, True, False]


def test_a_fate_that_hangs_on_more_than_the_reply_is_not_remembered(known: Foreseen, sandbox: Sandbox) -> None:
    """A missing function is reported with those that the file has, and memory that ran out ends a process."""
    judged: list[object] = []
    for _ in range(2):
        for source in ("def g(x): return 6", "def f(x): raise MemoryError"):
            assert fate_after(known, sandbox, source, judged) is not None
    assert judged == [None] * 4
