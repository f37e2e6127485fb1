"""Times `grade batch` on a made class against one pytest process for each submission, and against the floor.

    python benchmarks/throughput.py [SUBMISSIONS] [--only numpy|torch]

For 04_concat (numpy) and 09_scaled_dot_product (torch), over all cores, in one run; half of the class is wrong, and
every file has other bytes, three kinds of right and three of wrong ones:

    batch    the command as an instructor types it: sandbox, diagnosis, gradebook, a page for each student
    grading  the same less its start: submissions per second from the first result to the last
    pytest   a plain pytest process for each submission, one per core at a time: no sandbox, no diagnosis
    floor    the sandbox alone (floor.py), one process on each core: fork, lock down, load, make the same calls

The calls of the floor are those that the grading makes, the diagnosis's of the wrong ones included; a second floor
makes only the calls that the hidden suite makes. What is compared runs in turn, so that whatever else the machine does
hits both: pytest and the floors before and after the batch.

    lockdown  the floor with all layers of the lockdown, and with none, in turn, a part of the class at a time
    start     a batch of a few torch submissions up to its first result, and `python -c "import torch"`, in turn

Only the ratios mean anything. Exits with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from benchmark_class import NUMPY, ROOT, TORCH, MadeClass, environment, graded

FLOOR_TARGET, LOCKDOWN_TARGET, START_TARGET = 0.75, 1.1, 1.4
TURNS = 10  # with and without the lockdown
STARTS = 3
CORES = len(os.sched_getaffinity(0))


class Bench(NamedTuple):
    """A made class, how many submissions it has unless told otherwise, and of how many pytest's rate is taken."""

    made: MadeClass
    submissions: int
    pytests: int
    pytest_target: float


BENCHES = {"numpy": Bench(NUMPY, 1000, 40, 20), "torch": Bench(TORCH, 400, 8, 100)}


@dataclass
class Rate:
    """Submissions per second, over several goes."""

    submissions: int = 0
    seconds: float = 0.0

    def add(self, submissions: int, seconds: float) -> None:
        self.submissions += submissions
        self.seconds += seconds

    @property
    def value(self) -> float:
        return self.submissions / self.seconds


# --- the batch ---------------------------------------------------------------------------------------------------


def batch_rates(made: MadeClass, folder: Path, count: int) -> tuple[float, float]:
    """Submissions per second of the whole command, and from its first result to its last."""
    out = folder / "out"
    start = time.perf_counter()
    stamps: dict[int, float] = {}  # results -> when so many were there
    with subprocess.Popen(made.batch(folder / "class", out), env=environment(), stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            stamps.setdefault(graded(out), time.perf_counter())
            time.sleep(0.05 if max(stamps) else 0.02)
    seconds = time.perf_counter() - start
    if running.returncode or graded(out) != count:
        sys.exit(f"grade batch ended with {running.returncode} and {graded(out)} results of {count}")
    first, last = min(filter(None, stamps), default=0), max(stamps)
    grading = (last - first) / (stamps[last] - stamps[first]) if first < last else math.nan  # too few to tell
    return count / seconds, grading


# --- plain pytest ------------------------------------------------------------------------------------------------


class PlainPytest:
    """A plain suite with as many cases as the hidden one, in a process for each submission."""

    def __init__(self, made: MadeClass, folder: Path) -> None:
        self._folder = folder / "plain"
        self._folder.mkdir()
        (self._folder / "reference.py").write_text(made.reference.read_text())
        (self._folder / "test_plain.py").write_text(made.plain.format(cases=made.cases))
        self.rate = Rate()

    def run(self, path: Path) -> bool:
        """Whether a submission passes."""
        command = [sys.executable, "-m", "pytest", "-q", "test_plain.py", "-p", "no:cacheprovider"]
        variables = environment(path.parent, self._folder)
        done = subprocess.run(command, cwd=self._folder, env=variables, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(done.stdout.decode() + done.stderr.decode())
        return done.returncode == 0

    def warm_up(self, right: Path, wrong: Path) -> None:
        """Compile modules, and see that the suite tells right from wrong."""
        if not self.run(right) or self.run(wrong):
            sys.exit("the plain suite does not tell right from wrong")

    def go(self, paths: list[Path]) -> None:
        start = time.perf_counter()
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(self.run, paths))
        self.rate.add(len(paths), time.perf_counter() - start)


# --- the floor ---------------------------------------------------------------------------------------------------


class Floor:
    """The processes of floor.py, warm and waiting. Use as a context manager."""

    def __init__(self, made: MadeClass, folder: Path, count: int) -> None:
        self._count = count
        kinds = len(made.kinds)
        self._share = math.ceil(count / kinds / CORES) * kinds  # submissions of the process that has most
        command = [sys.executable, str(ROOT / "benchmarks" / "floor.py"), str(folder / "class"), made.exercise]
        self._ended = ExitStack()
        self._running = [
            self._ended.enter_context(
                subprocess.Popen(
                    [*command, str(core), str(CORES)],
                    env=environment(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for core in range(CORES)
        ]
        self.rates = {"all": Rate(), "suite": Rate()}

    def __enter__(self) -> Self:
        self._await("ready")
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.close()  # closes their stdin, which ends them

    def _await(self, word: str) -> None:
        for process in self._running:
            assert process.stdout is not None  # noqa: S101
            if (said := process.stdout.readline().strip()) != word:
                sys.exit(f"floor.py said {said!r} in place of {word!r}")

    def seconds(self, kind: str, first: int, end: int) -> float:
        """What all processes take for this part of their shares."""
        start = time.perf_counter()
        for process in self._running:
            assert process.stdin is not None  # noqa: S101
            process.stdin.write(f"{kind} {first} {end}\n")
            process.stdin.flush()
        self._await("done")
        return time.perf_counter() - start

    def go(self) -> None:
        """The whole class, with all calls and with the suite's."""
        for kind, rate in self.rates.items():
            rate.add(self._count, self.seconds(kind, 0, self._share))

    def lockdown(self) -> float:
        """Time for a submission with all layers, over that with none."""
        part = math.ceil(self._share / TURNS)
        taken = {"all": 0.0, "open": 0.0}
        for first in range(0, self._share, part):
            for kind in taken:
                taken[kind] += self.seconds(kind, first, first + part)
        return taken["all"] / taken["open"]


# --- the start ---------------------------------------------------------------------------------------------------


def import_torch() -> float:
    """Seconds of a process that imports torch."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], env=environment(), check=True)
    return time.perf_counter() - start


def first_result(submissions: Path, out: Path) -> float:
    """Seconds from the start of a batch to its first result."""
    start = time.perf_counter()
    with subprocess.Popen(TORCH.batch(submissions, out), env=environment(), stdout=subprocess.DEVNULL) as running:
        while not graded(out) and running.poll() is None:
            time.sleep(0.02)
        seconds = time.perf_counter() - start
    if not graded(out):
        sys.exit(f"grade batch ended with {running.returncode} and no result")
    return seconds


def torch_start(folder: Path) -> float:
    """Time to the first result of a torch batch, in imports of torch."""
    TORCH.write(folder / "few", 4)
    import_torch()  # compiled modules, and the files in memory
    imports, firsts = [import_torch()], []
    for i in range(STARTS):
        firsts.append(first_result(folder / "few", folder / f"out_few{i}"))
        imports.append(import_torch())
    return sum(firsts) / len(firsts) / (sum(imports) / len(imports))


# --- the table ---------------------------------------------------------------------------------------------------


@contextmanager
def folder_of_class(made: MadeClass, count: int) -> Iterator[tuple[Path, list[Path]]]:
    """A folder to work in, with the class handed in."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name), made.write(Path(name) / "class", count)


def put(name: str, ratio: float, *, least: float | None = None, most: float | None = None) -> bool:
    """One line; whether its target is met."""
    met = (least is None or ratio >= least) and (most is None or ratio <= most)
    targets = [f"at {word} {end:g}" for word, end in (("least", least), ("most", most)) if end is not None]
    told = f"target: {targets[0]}" if targets else "for comparison"
    print(f"    {name:<36} {ratio:7.2f}   {told}{'' if met else ', MISSED'}", flush=True)
    return met


def measure(bench: Bench, count: int) -> bool:
    """All ratios of one exercise; whether every target is met."""
    with folder_of_class(bench.made, count) as (folder, paths):
        plain = PlainPytest(bench.made, folder)
        plain.warm_up(*paths[:2])
        half = paths[: min(count, bench.pytests) // 2]
        with Floor(bench.made, folder, count) as floor:
            plain.go(half)
            floor.go()
            batch, grading = batch_rates(bench.made, folder, count)
            floor.go()
            plain.go(half)
            lockdown = floor.lockdown()
        pytest, every, suite = (rate.value for rate in (plain.rate, *floor.rates.values()))
        print(f"{bench.made.exercise}, {count} submissions, {CORES} cores; submissions per second:")
        print(f"    batch {batch:.1f}, grading {grading:.1f}, pytest {pytest:.2f}, ", end="")
        print(f"floor {every:.1f}, floor of the suite's calls {suite:.1f}")
        met = [
            put("batch / pytest", batch / pytest, least=bench.pytest_target),
            put("grading / pytest", grading / pytest, least=bench.pytest_target),
            put("grading / floor", grading / every, least=FLOOR_TARGET),
            put("grading / floor of the suite's calls", grading / suite),
            put("time with lockdown / without", lockdown, most=LOCKDOWN_TARGET),
        ]
        if bench.made is TORCH:
            met.append(put("first result / import of torch", torch_start(folder), most=START_TARGET))
    return all(met)


def main() -> None:
    """Print the ratios of both exercises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("submissions", nargs="?", type=int, metavar="SUBMISSIONS", help="default: 1000, torch 400")
    parser.add_argument("--only", choices=BENCHES, help="one of the two exercises")
    options = parser.parse_args()
    chosen = [bench for name, bench in BENCHES.items() if options.only in (None, name)]
    met = [measure(bench, options.submissions or bench.submissions) for bench in chosen]
    raise SystemExit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
