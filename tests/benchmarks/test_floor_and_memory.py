"""The benchmarks measure what they say they do."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    """Imports a module of the benchmarks, which lie in no package."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module


def test_the_floor_goes_over_its_share_in_each_way(benchmark, tmp_path):
    """floor.py records calls of each kind of submission, and makes all, the suite's, and all in the open."""
    benchmark_class = benchmark("benchmark_class")
    benchmark_class.NUMPY.write(tmp_path, 6)
    done = subprocess.run(
        [sys.executable, BENCHMARKS / "floor.py", tmp_path, benchmark_class.NUMPY.exercise, "0", "1"],
        input="all 0 6\nsuite 0 2\nopen 2 6\n",
        env=benchmark_class.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["ready", "done", "done", "done"], "")


def test_memory_leaves_workers_out_and_tells_growth(benchmark, capsys):
    """A process that is seen once is no part of the figures, and a growing sum misses the target."""
    memory = benchmark("memory")
    flat = [memory.Sample(done, {1: 40.0, 2: 60.0, 100 + done: 500.0}) for done in range(100, 1000, 10)]
    growing = [memory.Sample(each.done, {**each.mib, 2: 60.0 + each.done / 20}) for each in flat]
    assert memory.report(1, flat, 1000)
    assert "all 2 lasting processes    100.0   100.0   100.0       1.000" in capsys.readouterr().out
    assert not memory.report(1, growing, 1000)
    assert "coordinator alone           40.0    40.0    40.0       1.000" in capsys.readouterr().out


def test_descendants_reach_the_children_of_children(benchmark):
    """The processes that a batch's processes start are sampled as well, and nobody else's."""
    memory = benchmark("memory")
    shell = ["sh", "-c", 'sh -c "echo started; read line; :"; :']
    with subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        found = list(memory.descendants(running.pid))
        running.stdin.close()
    assert found[0] == running.pid
    assert len(found) == 2
