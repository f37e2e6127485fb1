"""Sessions that are killed at any moment: each answer whose verdict was shown is in the log."""

import json
import os
import subprocess
import sys

import pytest
from quiz_course import ROOT

from grader.quiz.log import Log

ROUNDS_RUN = "200"
# One process that has imported everything forks a session for each round, and kills it a moment after a verdict: the
# moment is a number of turns of an empty loop, so that it falls anywhere in what a session does next.
ROUNDS = """
import json, os, random, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from grader.cli.quiz_dialogue import Dialogue
from grader.cli.quiz_json import JsonPage
from grader.course import installed_course, load_course
from grader.quiz.lock import read_lock
from grader.quiz.log import Log
from grader.quiz.session import Session
import fsrs

course, bank = load_course(installed_course()), read_lock(installed_course())
course.mistakes, bank.items, fsrs.Scheduler()

ANSWERS = {"shape": "(9, 9)", "number": "999983", "choice": "1", "multi": "1"}
draw = random.Random(int(sys.argv[2]))

def verdicts(lines, answer):
    typed = False
    for line in lines:
        event = json.loads(line) if line.endswith(b"\\n") else {"event": ""}
        if event["event"] == "question":
            typed = event["type"] in {"shape", "number"}
            answer(ANSWERS.get(event["type"], "s"))
        elif event["event"] == "sent_back":
            answer("s")
        elif event["event"] == "options" and typed:
            answer("")
        elif event["event"] == "verdict":
            yield event["item"]

for round_ in range(int(sys.argv[1])):
    (mine_in, theirs_out), (theirs_in, mine_out) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.dup2(theirs_in, 0)
        os.dup2(theirs_out, 1)
        sys.stdin, sys.stdout = open(0), open(1, "w")
        os.close(mine_in), os.close(mine_out)
        log = Log(Path("data") / str(round_) / "answers.db")
        session = Session(bank, log, lambda: datetime(2026, 3, 1, 20, tzinfo=UTC), UTC, topic="splitting")
        Dialogue(session, JsonPage(course, "en"), confidence=False).run()
        os._exit(0)
    os.close(theirs_in), os.close(theirs_out)
    wanted, ended = draw.randrange(1, 4), False
    def answer(text):
        if not ended:
            os.write(mine_out, text.encode() + b"\\n")
    with open(mine_in, "rb") as reading:
        for item in verdicts(reading, answer):
            print(json.dumps([round_, item]), flush=True)
            wanted -= 1
            if not wanted:
                for _ in range(draw.randrange(100_000)):
                    pass
                ended = True
                os.kill(child, signal.SIGKILL)
    os.close(mine_out)
    os.waitpid(child, 0)
"""


@pytest.mark.slow
def test_a_killed_session_loses_no_acknowledged_answer(tmp_path):
    """QC27 Killed at any moment of two hundred sessions, each one has left every answer whose verdict was printed."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ROUNDS, ROUNDS_RUN, "7"],
        env=environ,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=200,
    )
    shown = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({round_ for round_, _ in shown}) == int(ROUNDS_RUN)
    more = 0
    for round_ in range(int(ROUNDS_RUN)):
        told = [item for number, item in shown if number == round_]
        events = Log(tmp_path / "data" / str(round_) / "answers.db").events()
        kept = [event.item for event in events if event.mode in {"scheduled", "retry"}]
        assert kept[: len(told)] == told
        more += len(kept) - len(told)
    assert more <= int(ROUNDS_RUN)  # an answer may be kept whose verdict was not shown any more
