"""Our end of the seed, the process that shards are forked from (seed.py).

Imports so little that a command can start the seed before all that it needs itself: importing torch, which the seed
does first of all, takes longer than everything else up to the first result.
"""

from __future__ import annotations

import contextlib
import os
import socket
from multiprocessing.connection import Connection
from typing import Self

from grader.judge.own_process import own_process
from grader.judge.seed import FORK

MANY = 100  # submissions for each process from which on a sandbox for many pays
END_S = 10.0


def cores() -> int:
    """How many processes can work at a time here."""
    return len(os.sched_getaffinity(0))


class SeedProcess:
    """A seed and its zygote, which warm up at once. Use as a context manager, or close it.

    Args:
        packages: what submissions may import.
        many: hundreds of them come.
    """

    def __init__(self, packages: tuple[str, ...], *, many: bool) -> None:
        self._packages, self._many = packages, many
        self._is_set_up = False
        self._process, self._socket = own_process("grader.judge.seed")
        self._send((packages, many))

    def fits(self, packages: tuple[str, ...], *, many: bool) -> bool:
        """Whether it is there, and its shards can serve these; a sandbox for many serves a few as well."""
        return self.is_there and self._packages == packages and self._many >= many

    @property
    def is_there(self) -> bool:
        return self._process.poll() is None

    def fork(self, setup: object, core: int) -> Connection:
        """The connection of a fresh shard, which is there when the imports are done.

        Args:
            setup: what the shard will be told first; what it takes to read that is imported once, before the first.
            core: the only one that it, its zygote and their workers run on.
        """
        if not self._is_set_up:
            self._send(setup)
            self._is_set_up = True
        ours, theirs = socket.socketpair()
        with theirs, contextlib.suppress(OSError):  # where the seed is lost, the shard's connection says so
            socket.send_fds(self._socket, [FORK.pack(core)], [theirs.fileno()])
        return Connection(ours.detach())

    def _send(self, message: object) -> None:
        with Connection(os.dup(self._socket.fileno())) as connection, contextlib.suppress(OSError):
            connection.send(message)

    def close(self) -> None:
        """End it at once, and with it every shard and zygote."""
        self._socket.close()
        self._process.kill()
        self._process.wait(END_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
