"""A Dask scheduler and its workers, started for the tests on free ports of loopback."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Running:
    """Where the scheduler answers, and the processes of its workers."""

    address: str
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def running_cluster(folder: Path, environment: Mapping[str, str], workers: int = 2) -> Iterator[Running]:
    """A scheduler with workers of one thread each, all of them registered; they end with the block."""
    pytest.importorskip("distributed", reason="the cluster is an extra: pip install 'manyheads[cluster]'")
    told = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told), "--no-jupyter"]
        stack.enter_context(_process(scheduler, folder, environment, until=b"Scheduler at:"))
        worker = ["worker", "--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1"]
        started = [
            stack.enter_context(_process(worker, folder, environment, until=b"Registered to:")) for _ in range(workers)
        ]
        yield Running(json.loads(told.read_text(encoding="utf-8"))["address"], tuple(started))


@contextmanager
def _process(
    arguments: list[str], folder: Path, environment: Mapping[str, str], *, until: bytes
) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stderr is not None
            assert any(until in line for line in process.stderr), f"{arguments} ended at once"
            yield process
        finally:
            process.kill()
