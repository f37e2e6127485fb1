"""Samples the memory of `grade batch` over a large made class, at a tenth of it against its end: it must stay flat.

    python benchmarks/memory.py [SUBMISSIONS]

The class, ten thousand submissions of 04_concat unless told otherwise, is that of throughput.py. A process's memory is
its PSS: what it holds alone, and its share of what it holds with others. Those that last are added up: the coordinator,
the seed, the shards and the zygotes; the workers, one for each submission, come and go and are left out. Then the same
for the coordinator alone, which keeps the gradebook, and, when all is graded, writes the class report.

A figure is the median of the samples nearest to that share of the results. Reads /proc of the command that it starts
and of its descendants, which needs root: these processes hide their memory from everybody else. Exits with 1 where the
target is missed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark_class import NUMPY, environment, graded

TARGET = 1.1  # at the end, over that at a tenth
SHARES = (0.1, 0.5, 1.0)
NEAREST = 9  # samples of a figure
INTERVAL_S = 0.2


@dataclass(frozen=True)
class Sample:
    """MiB of each process, at so many results."""

    done: int
    mib: dict[int, float]


def descendants(pid: int) -> Iterator[int]:
    """A process and all that it, its children and theirs have started and that live."""
    yield pid
    try:
        children = [(task / "children").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return
    for child in " ".join(children).split():
        yield from descendants(int(child))


def pss_mib(pid: int) -> float:
    """What a process holds; 0 where it has ended meanwhile."""
    try:
        told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    except PermissionError:
        sys.exit(f"the memory of process {pid} of the batch is hidden from you: run this as root")
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1024


def sampled(command: list[str], out: Path, count: int) -> tuple[int, list[Sample]]:
    """Run a batch; the process of its coordinator, and what was seen from the first tenth of the results on."""
    samples = []
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            done = graded(out)
            if done >= SHARES[0] * count:
                samples.append(Sample(done, {pid: pss_mib(pid) for pid in descendants(running.pid)}))
            time.sleep(INTERVAL_S)
    if running.returncode or graded(out) != count:
        sys.exit(f"grade batch ended with {running.returncode} and {graded(out)} results of {count}")
    return running.pid, samples


def near(samples: list[Sample], done: float, pids: set[int]) -> float:
    """MiB of these processes together when there were so many results."""
    nearest = sorted(samples, key=lambda sample: abs(sample.done - done))[:NEAREST]
    return statistics.median(sum(sample.mib.get(pid, 0.0) for pid in pids) for sample in nearest)


def report(coordinator: int, samples: list[Sample], count: int) -> bool:
    """Print the figures; whether the target is met."""
    during = [sample for sample in samples if sample.done < count]
    if not during:
        sys.exit("too few submissions: all of them were graded before the first sample")
    seen = Counter(pid for sample in during for pid in sample.mib)
    lasting = {pid for pid, times in seen.items() if times > len(during) / 2}
    print(f"{NUMPY.exercise}, {count} submissions, {len(during)} samples; PSS in MiB when so many were graded:")
    print(" " * 28 + "".join(f"{share:>8.0%}" for share in SHARES) + "   end / 10%")
    ratios = []
    for name, pids in ((f"all {len(lasting)} lasting processes", lasting), ("coordinator alone", {coordinator})):
        figures = [near(during, share * count, pids) for share in SHARES]
        ratios.append(figures[-1] / figures[0])
        print(f"    {name:<24}" + "".join(f"{figure:8.1f}" for figure in figures) + f"{ratios[-1]:12.3f}")
    after = [sample.mib[coordinator] for sample in samples if sample.done == count]
    if after:
        print(f"    coordinator at most {max(after):.1f} after that, while it writes the class report")
    met = ratios[0] <= TARGET
    print(f"    target: at most {TARGET:g} for all of them{'' if met else ', MISSED'}")
    return met


def main() -> None:
    """Grade the class and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("submissions", nargs="?", type=int, default=10_000, metavar="SUBMISSIONS")
    count = parser.parse_args().submissions
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        NUMPY.write(folder / "class", count)
        coordinator, samples = sampled(NUMPY.batch(folder / "class", folder / "out"), folder / "out", count)
    raise SystemExit(0 if report(coordinator, samples, count) else 1)


if __name__ == "__main__":
    main()
