"""What a suite asks of everybody is sent at once, and nothing about a submission changes by it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from grader.course import load_course, load_exercise
from grader.judge.ahead import Ahead
from grader.judge.grading import grade_all
from grader.model import GradeReport, Submission
from grader.report.json import json_line
from grader.sandbox.client import Sandbox

COURSE = load_course(Path(__file__).parents[2])
EXERCISE = load_exercise(COURSE, "04_concat")
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
    "raises": COUNTING % "if calls == 5: raise KeyError(calls)",
    "lost": COUNTING % "if calls == 5: import os; os._exit(3)",
    "slow": COUNTING % "while calls == 5: pass",
    "prints too much": COUNTING % "if calls == 5: print('x' * 10**6)",
    "changes what it gets": COUNTING % "heads += 1",
    "keeps what it got first": COUNTING % "heads = first.setdefault(0, heads)" + "first = {}\n",
}


def submission(source: str) -> Submission:
    content = source.encode()
    return Submission("anna", "04_concat", "concat.py", content, hashlib.sha256(content).hexdigest())


def reports(sandbox: Sandbox, *sources: str) -> list[GradeReport]:
    made: list[GradeReport] = []
    grade_all(COURSE, EXERCISE, map(submission, sources), made.append, sandbox=sandbox)
    return made


@pytest.mark.parametrize("source", WHERE_IT_MATTERS.values(), ids=WHERE_IT_MATTERS)
def test_a_submission_gets_the_same_report_first_or_later(sandbox: Sandbox, source: str) -> None:
    """The report, with what was printed and which case failed how, is that of a submission graded on its own."""
    (alone,) = reports(sandbox, source)
    *_before, later = reports(sandbox, RIGHT, f"{RIGHT}#", source)
    assert json_line(later) == json_line(alone)


def test_requests_are_known_once_two_were_asked_the_same() -> None:
    """One submission alone may have been asked what only it is asked."""
    ahead = Ahead()
    ahead.learn("a", 2, [b"1", b"2"])
    assert ahead.requests("a") == ()
    ahead.learn("a", 2, [b"1", b"2"])
    assert ahead.requests("a") == (b"1", b"2")
    assert ahead.requests("b") == ()


@pytest.mark.parametrize("third", [[b"1", b"3"], [b"1", b"2", b"3"]], ids=["another request", "one more"])
def test_what_is_not_the_same_each_time_is_never_sent_ahead(third: list[bytes]) -> None:
    """What was another once may be another again, and a case that asks twice may look at the first answer between."""
    ahead = Ahead()
    for asked in ([b"1", b"2"], [b"1", b"2"], third, [b"1", b"2"], [b"1", b"2"]):
        ahead.learn("a", 2, asked)
    assert ahead.requests("a") == ()
