"""The floor of a batch: the sandbox alone, which forks, locks down, loads the file and makes the calls; no pytest.

    PYTHONPATH=. python benchmarks/floor.py CLASS EXERCISE SHARE SHARES

throughput.py starts one such process for each core; it grades nothing itself and looks at no answer. CLASS is a folder
of benchmark_class.py, of which this process, number SHARE (from 0), takes one of SHARES. The calls are those that the
grading of each kind of submission makes, recorded once, before the clock starts.

    says "ready"
    is told "KIND FIRST END", goes over these submissions of its share, and says "done"; as often as it is told

KIND is "all" (all calls, those of a diagnosis included), "suite" (the calls of the hidden suite alone), or "open" (all
calls, with no layer of the lockdown).
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchmark_class import MADE

from grader.course import Course, load_course, load_exercise
from grader.judge.grading import grade_one
from grader.judge.seed_process import MANY
from grader.model import Exercise, Submission, Verdict
from grader.sandbox.client import Raised, RemoteSubject, Sandbox

ROOT = Path(__file__).parents[1]


class Request(NamedTuple):
    """The arguments of one RemoteSubject.ask."""

    do: str
    on: int | None
    name: str
    fields: dict[str, Any]


def recorded(course: Course, exercise: Exercise, path: Path, sandbox: Sandbox) -> tuple[Verdict, list[Request]]:
    """The verdict on a submission, and all that it was asked for."""
    requests = []
    asked = RemoteSubject.ask

    def ask(self: RemoteSubject, do: str, on: int | None, name: str, **fields: object) -> Any:
        requests.append(Request(do, on, name, fields))
        return asked(self, do, on, name, **fields)

    source = path.read_bytes()
    submission = Submission("floor", exercise.name, exercise.filename, source, hashlib.sha256(source).hexdigest())
    RemoteSubject.ask = ask  # type: ignore[assignment]
    try:
        report = grade_one(course, exercise, submission, sandbox=sandbox)
    finally:
        RemoteSubject.ask = asked  # type: ignore[method-assign]
    return report.verdict, requests


def run(exercise: Exercise, path: Path, sandbox: Sandbox, requests: list[Request]) -> None:
    """One submission, from the fork of its worker to the end of it."""
    subject = sandbox.open(path.read_bytes(), exercise.filename, exercise.limits)
    subject.load()
    for do, on, name, fields in requests:
        with contextlib.suppress(Raised):
            subject.ask(do, on, name, **fields)
        subject.begin_check()
    subject.close()


def serve(folder: Path, name: str, share: int, shares: int) -> None:
    """Go over the share as often as we are told."""
    course = load_course(ROOT)
    exercise = load_exercise(course, name)
    paths = sorted(folder.glob(f"*/{exercise.filename}"))
    kinds = len(MADE[name].kinds)
    mine = [(i % kinds, path) for i, path in enumerate(paths) if i // kinds % shares == share]
    many = len(paths) >= MANY * shares  # as in a batch
    with Sandbox(exercise.packages, many=many) as locked:
        verdicts, calls = zip(*(recorded(course, exercise, path, locked) for path in paths[:kinds]), strict=True)
        if [verdict is Verdict.ACCEPTED for verdict in verdicts] != [True, False] * (kinds // 2):
            sys.exit(f"{folder}: verdicts {[verdict.value for verdict in verdicts]}: not right and wrong in turn")
        if not 0 < max(map(len, calls[::2])) < min(map(len, calls[1::2])):
            sys.exit(f"{list(map(len, calls))} calls recorded: it is no longer RemoteSubject.ask that asks")
        with Sandbox(exercise.packages, layers=frozenset(), many=many) as unlocked:
            run(exercise, paths[0], unlocked, calls[0])
            gc.freeze()  # as in a batch
            sandboxes = {"all": locked, "suite": locked, "open": unlocked}
            print("ready", flush=True)
            for line in sys.stdin:
                kind, first, end = line.split()
                for number, path in mine[int(first) : int(end)]:
                    # nothing is diagnosed where all is right
                    run(exercise, path, sandboxes[kind], calls[0 if kind == "suite" else number])
                print("done", flush=True)


if __name__ == "__main__":
    _script, folder, name, share, shares = sys.argv
    own = sorted(os.sched_getaffinity(0))[int(share)]
    os.sched_setaffinity(0, {own})  # before the zygotes are there, which inherit it
    serve(Path(folder), name, int(share), int(shares))
