"""Times the diagnosis of every known mistake, in the real sandbox, against one forked process that answers one probe.

    python benchmarks/diagnosis.py [EXERCISE…] [--pairs N] [--mutants N]

Each mistake is handed in as a file of its own: the exercise's mistakes.py with its switch set, which the worker loads
as it would a student's. With --pairs and --mutants, N drawn pairs of mistakes and N drawn mutants of the reference that
some probe shows are diagnosed too; most of the latter are explained by no mistake, which takes longest.

The processes are warm: every mistake has been diagnosed once, and the sandbox has loaded what it loads for a class.
Time begins where the checks have ended, with the worker loaded. CPU is that of this process and of the worker together,
and what the targets are held against: it does not grow where other programs run. The last columns are the wall time of
a process that is forked, locked down, loads the reference and answers one probe, and how many of these a diagnosis
takes.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from grader.audit.mutants import given_functions, mutants_of
from grader.course import load_course, load_exercise
from grader.diagnosis import engine
from grader.diagnosis.behaviour import Behaviours, behaviours
from grader.diagnosis.observation import observation_of, same
from grader.errors import SubmissionError
from grader.model import Diagnosis, DiagnosisKind, Exercise, Limits
from grader.sandbox.client import RemoteSubject, Sandbox

ROOT = Path(__file__).parents[1]
COURSE = load_course(ROOT)
TARGETS_MS = {"numpy": (60, 100), "torch": (150, 250)}  # without and with the counterexample, 95th percentile
LIMITS = Limits(wall_s=20.0, memory_mib=1024)
FLOORS = 9  # forked processes

# What mistakes.py imports and no worker may: names that stand for anything, and its second file. The three files become
# one, which begins with these lines.
STAND_INS = """
import sys as _sys
class _Module(type(_sys)):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {{}})
for _name in ("grader", "grader.checks", "grader.sandbox", "grader.sandbox.wire", "grader.sandbox.client"):
    _sys.modules[_name] = _Module(_name)
def _run_path(_path, _found={{}}):
    exec({stages!r}, _found)
    return _found
_sys.modules["runpy"] = _Module("runpy")
_sys.modules["runpy"].run_path = _run_path
__file__ = "/mistakes.py"
"""
FUTURE = "from __future__ import annotations\n"


@dataclass
class Times:
    """Milliseconds of several diagnoses: CPU and wall, without and with the counterexample."""

    cpu: list[float] = field(default_factory=list)
    cpu_shown: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    wall_shown: list[float] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)


class Clock:
    """CPU seconds of this process and of one worker, and wall seconds."""

    def __init__(self, subject: RemoteSubject) -> None:
        descriptor = subject._worker._pidfd  # type: ignore[union-attr]  # noqa: SLF001 - nobody else needs to know
        told = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
        pid = next(line.split()[1] for line in told.splitlines() if line.startswith("Pid:"))
        self._stat = Path(f"/proc/{pid}/schedstat")

    def now(self) -> tuple[float, float]:
        return time.process_time() + int(self._stat.read_text().split()[0]) / 1e9, time.perf_counter()


def submitted(exercise: Exercise, options: dict[str, str]) -> bytes:
    """A file that makes these mistakes, and imports nothing that a submission may not."""
    stages = exercise.solution / "stages.py"
    text = stages.read_text() if stages.is_file() else ""
    models = (exercise.solution / "mistakes.py").read_text()
    built = f"_built = build(**{options!r})\n" + "".join(f"{name} = _built.{name}\n" for name in exercise.defines)
    return f"{FUTURE}{STAND_INS.format(stages=text)}{models.replace(FUTURE, '')}\n{built}".encode()


def time_one(exercise: Exercise, sandbox: Sandbox, source: bytes, times: Times) -> Diagnosis | None:
    """Diagnose one file and add what it takes; None where it cannot be loaded or is lost on the way."""
    subject = sandbox.open(source, exercise.filename, LIMITS)
    shown = [0.0, 0.0]
    search = engine.smallest  # type: ignore[attr-defined]
    try:
        subject.load()
        clock = Clock(subject)

        def timed(*args: object) -> object:
            began = clock.now()
            found = search(*args)  # type: ignore[arg-type]
            shown[:] = [end - begin for begin, end in zip(began, clock.now(), strict=True)]
            return found

        engine.smallest = timed  # type: ignore[attr-defined, assignment]
        began = clock.now()
        said = engine.diagnose(COURSE, exercise, subject, seed=1)
        cpu, wall = (1000 * (end - begin) for begin, end in zip(began, clock.now(), strict=True))
    except (SubmissionError, OSError):
        return None
    finally:
        engine.smallest = search  # type: ignore[attr-defined]
        subject.close()
    times.cpu.append(cpu - 1000 * shown[0])
    times.cpu_shown.append(cpu)
    times.wall.append(wall - 1000 * shown[1])
    times.wall_shown.append(wall)
    times.kinds[said.kind.value] = times.kinds.get(said.kind.value, 0) + 1
    return said


def floor_ms(exercise: Exercise, known: Behaviours, sandbox: Sandbox) -> float:
    """Wall time of fork, lockdown, load and one probe, median."""
    found = []
    for _ in range(FLOORS):
        began = time.perf_counter()
        subject = sandbox.open(exercise.reference.read_bytes(), exercise.filename, LIMITS)
        observation_of(known.models.observe, subject, known.models.probes[0])
        subject.close()
        found.append(1000 * (time.perf_counter() - began))
    return float(np.median(found))


# --- what is diagnosed -------------------------------------------------------------------------------------------


def singles(exercise: Exercise, known: Behaviours) -> Iterator[tuple[bytes, set[str]]]:
    for each in known.mistaken:
        yield submitted(exercise, dict(each.style) | known.models.options(each.slugs)), set(each.slugs)


def pairs(exercise: Exercise, known: Behaviours, number: int) -> Iterator[tuple[bytes, set[str]]]:
    mistakes = known.models.mistakes
    all_pairs = [pair for pair in combinations(mistakes, 2) if mistakes[pair[0]][0] != mistakes[pair[1]][0]]
    for index in np.random.default_rng(0).permutation(len(all_pairs))[:number]:
        yield submitted(exercise, known.models.options(all_pairs[index])), set(all_pairs[index])


def mutants(exercise: Exercise, known: Behaviours, sandbox: Sandbox, number: int) -> Iterator[tuple[bytes, set[str]]]:
    made = mutants_of(exercise.reference, exercise.filename, given_functions(exercise.starter))
    for index in np.random.default_rng(0).permutation(len(made))[:number]:
        source = made[index].source
        if _wrong(exercise, known, sandbox, source):
            yield source, set()


def _wrong(exercise: Exercise, known: Behaviours, sandbox: Sandbox, source: bytes) -> bool:
    subject = sandbox.open(source, exercise.filename, LIMITS)
    try:
        seen = [observation_of(known.models.observe, subject, probe) for probe in known.models.probes]
    except SubmissionError:
        return False
    finally:
        subject.close()
    return any(not same(each, known.right.at(index)) for index, each in enumerate(seen))


# --- the table ---------------------------------------------------------------------------------------------------


def put(name: str, kind: str, times: Times, floor: float, target: tuple[int, int] | None) -> bool:
    """One line of the table; whether its targets are met."""
    columns = [times.cpu, times.cpu_shown, times.wall, times.wall_shown]
    halves = [np.percentile(column, [50, 95]) for column in columns]
    met = target is None or (halves[0][1] <= target[0] and halves[1][1] <= target[1])
    shown = "  ".join(f"{half:5.0f} {most:5.0f}" for half, most in halves)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(times.kinds.items()))
    ratio = np.percentile(times.wall, 95) / floor
    told = kinds if met else f"MISSED {kinds}"
    print(f"{name:<26} {kind:<8} {len(times.cpu):4}  {shown}  {floor:5.1f} {ratio:5.1f}  {told}", flush=True)
    return met


def measure(exercise: Exercise, sandbox: Sandbox, options: argparse.Namespace) -> bool:
    """All lines of one exercise."""
    path = exercise.solution / "mistakes.py"
    known = behaviours(path, frozenset(COURSE.mistakes), exercise.defines)
    package = "torch" if "torch" in exercise.packages else "numpy"
    floor = floor_ms(exercise, known, sandbox)
    met = True
    corpora = {
        "single": list(singles(exercise, known)),
        "pair": list(pairs(exercise, known, options.pairs)),
        "mutant": list(mutants(exercise, known, sandbox, options.mutants)),
    }
    cold = Times()
    time_one(exercise, sandbox, corpora["single"][0][0], cold)
    put(exercise.name, "first", cold, floor, None)
    for kind, corpus in corpora.items():
        _diagnosed(exercise, sandbox, corpus)  # warms up
        times, wrongly = _diagnosed(exercise, sandbox, corpus)
        if times.cpu:
            met &= put(exercise.name, kind, times, floor, TARGETS_MS[package] if kind == "single" else None)
        if wrongly and kind == "single":
            print(f"    not named as itself: {', '.join(wrongly)}")
    return met


def _diagnosed(
    exercise: Exercise, sandbox: Sandbox, corpus: Sequence[tuple[bytes, set[str]]]
) -> tuple[Times, list[str]]:
    times, wrongly = Times(), []
    for source, slugs in corpus:
        said = time_one(exercise, sandbox, source, times)
        named = {finding.mistake.slug for finding in said.findings} if said else set()
        if named != slugs or (said and said.kind is not DiagnosisKind.NAMED):
            wrongly.append(" + ".join(sorted(slugs)))
    return times, wrongly


def main() -> None:
    """Print the table; exit 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE")
    parser.add_argument("--pairs", type=int, default=0, metavar="N")
    parser.add_argument("--mutants", type=int, default=0, metavar="N")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # overflow and 0/0 are what some mistakes are about
    np.seterr(all="ignore")
    print("milliseconds, median and 95th percentile; `shown` is with the counterexample")
    print(f"{'':<35} {'n':>4}  {'CPU':>11}  {'CPU shown':>11}  {'wall':>11}  {'wall shown':>11}  floor ratio")
    met = True
    names = options.exercises or list(COURSE.names)
    for package in TARGETS_MS:
        chosen = [load_exercise(COURSE, name) for name in names]
        chosen = [each for each in chosen if ("torch" in each.packages) == (package == "torch")]
        if not chosen:
            continue
        with Sandbox(chosen[0].packages, many=True) as sandbox:
            for exercise in chosen:
                met &= measure(exercise, sandbox, options)
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
