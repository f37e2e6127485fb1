"""Has a launched zygote fork workers, and hears how they ended."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from functools import partial
from typing import Any, Literal, Self

from grader.errors import GraderError
from grader.model import Isolation, Limits
from grader.sandbox.exchange import START_S, End, Ends, Output, Worker
from grader.sandbox.launch import UID, Launched
from grader.sandbox.lockdown import ANY_CORE
from grader.sandbox.zygote import ENDED, SHARE, SPAWN, SPAWNED


def share(launched: Launched, core: int = ANY_CORE) -> Launched:
    """A further zygote with the memory of a launched one, for another process of ours; raises OSError.

    It is there as soon as that one is warm, and ends with it.

    Args:
        core: the only one that it and its workers run on.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        socket.send_fds(launched.control, [SHARE.pack(core)], [theirs.fileno()])
    return Launched(None, ours)


class Zygote:
    """Our end of a zygote: spoken to when the first worker is needed."""

    def __init__(self, launched: Launched) -> None:
        self._ends: dict[int, End] = {}
        self._pidfds: dict[int, int] = {}
        self._number = 0
        self._isolation: Isolation | None = None
        self._process, self._control = launched
        self._control.settimeout(START_S)

    @property
    def isolation(self) -> Isolation:
        """Level and layers; waits until the zygote is up. Raises GraderError where it does not come up."""
        if self._isolation is None:
            self._isolation = _isolation(self._receive_ready())
        return self._isolation

    def _receive_ready(self) -> dict[str, Any]:
        try:
            answer = self._control.recv(2**16)
        except TimeoutError as error:
            raise GraderError(f"the sandbox did not start within {START_S:.0f} s") from error
        except ConnectionResetError:  # it ended before it had read what it is to be
            answer = b""
        if not answer:
            if self._process is None:
                raise GraderError("the sandbox did not start: the one that it was to be shared with is gone")
            self._process.wait(START_S)
            assert self._process.stderr is not None  # noqa: S101
            said = self._process.stderr.read().decode("utf-8", "replace").strip()
            raise GraderError(f"the sandbox did not start (exit code {self._process.returncode}):\n{said}")
        ready: dict[str, Any] = json.loads(answer)
        return ready

    def spawn(self, limits: Limits, output: Output) -> Worker:
        """A fresh, locked-down worker that has loaded nothing yet; raises GraderError where none can be had."""
        assert self.isolation  # noqa: S101 - waits until the zygote is up
        self._number += 1
        ours, theirs = socket.socketpair()
        output_read, output_write = os.pipe2(os.O_CLOEXEC)
        trace_read, trace_write = os.pipe2(os.O_CLOEXEC)
        request = SPAWN.pack(limits.memory_mib * 2**20, limits.cpu_s, self._number)
        try:
            socket.send_fds(self._control, [request], [theirs.fileno(), output_write, trace_write])
            while self._number not in self._pidfds:
                self._receive()
        except (OSError, GraderError) as error:
            ours.close()
            os.close(output_read)
            os.close(trace_read)
            raise GraderError(f"the sandbox is gone: {error}") from error
        finally:
            theirs.close()
            os.close(output_write)
            os.close(trace_write)
        for descriptor in (ours.fileno(), output_read, trace_read):
            os.set_blocking(descriptor, False)
        ends = Ends(self._pidfds[self._number], ours, output_read, trace_read)
        worker = Worker(ends, limits, output, partial(self._end_of, self._number))
        worker.await_ready()
        return worker

    def _end_of(self, number: int) -> End:
        """How worker `number` ended; waits until it is reaped."""
        while number not in self._ends:
            self._receive()
        self._pidfds.pop(number)
        return self._ends.pop(number)

    def _receive(self) -> None:
        message, passed, _flags, _address = socket.recv_fds(self._control, ENDED.size, 1)
        if message[:1] == b"W":
            _kind, number = SPAWNED.unpack(message)
            self._pidfds[number] = passed[0]
        elif message[:1] == b"X":
            _kind, number, status, user_s, system_s, peak_kib = ENDED.unpack(message)
            self._ends[number] = End(status, user_s + system_s, peak_kib)
        else:
            raise GraderError("the sandbox ended unexpectedly")

    def close(self) -> None:
        """End the zygote and whatever it still runs."""
        self._control.close()
        if self._process is None:
            return
        try:
            self._process.wait(START_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _isolation(ready: dict[str, Any]) -> Isolation:
    off: dict[str, str] = ready["layers"]
    names = {"landlock": f"Landlock ABI {ready['landlock_abi']}", "uid": f"own uid {UID}"}
    layers = tuple(names.get(name, name) for name, why in off.items() if not why)
    missing = tuple((name, why) for name, why in off.items() if why)
    level: Literal["strong", "sealed", "weak"]
    if off["seccomp"] or (off["landlock"] and ready["open_files"]):
        level = "weak"
    else:
        level = "sealed" if off["landlock"] else "strong"
    return Isolation(level, ("process", "limits", *layers), missing)
