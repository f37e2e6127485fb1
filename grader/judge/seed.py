"""The process that the shards of a batch are forked from: it imports once what is slow to import, and grades nothing.

    coordinator --packages, Setup----> seed ---launches---> zygote
                --one socket each----> seed ---forks------> shard ===> a zygote that the first one forks

Importing torch takes longer than grading a hundred submissions: this way a batch waits for it once, whatever the number
of cores, and keeps it in memory once. The zygote is launched before this process imports anything else, so that both
import it at the same time. A shard, its zygote and their workers take turns: on one core they lose nothing, and save
what it costs to wake another one, a third of the time for a small exercise. The process dies with the coordinator, and
the shards and zygotes with it.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import struct
import traceback
from multiprocessing.connection import Connection
from typing import NamedTuple

from grader.sandbox.launch import Launched, launch
from grader.sandbox.lockdown import die_with_parent, stay_on

FORK = struct.Struct("<i")  # core or ANY_CORE: asks for one shard; its end of the connection comes along
# what every shard imports beside its packages
SLOW = ("grader.judge.shard", "grader.sandbox.process", "grader.judge.plugin", "grader.diagnosis.engine")


class _Wanted(NamedTuple):
    """What the zygote is for."""

    packages: tuple[str, ...]
    many: bool


def main(descriptor: int) -> None:
    """Fork shards on request, until the coordinator goes."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's
    connection = Connection(descriptor)
    wanted = _Wanted(*connection.recv())
    launched, trouble = _prepared(wanted)
    try:
        connection.recv()  # the Setup: now every shard has the modules that it is made of
    except EOFError:
        return  # nothing is to be graded
    from grader.judge.shard import serve  # noqa: PLC0415 - when the zygote is on its way
    from grader.sandbox.process import share  # noqa: PLC0415

    # nobody waits for a shard, whose connection says that it has ended; the zygote would inherit this
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    coordinator = socket.socket(fileno=os.dup(descriptor))
    while True:
        request, passed, _flags, _address = socket.recv_fds(coordinator, FORK.size, 1)
        if not request:
            return
        (core,) = FORK.unpack(request)
        launched, trouble = _living(wanted, launched, trouble)
        shared = share(launched, core) if launched is not None else Launched(None, socket.socket())
        if not os.fork():
            break  # from here on it is a shard
        os.close(passed[0])
        shared.control.close()
    die_with_parent()
    stay_on(core)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for end in (connection, coordinator, *([launched.control] if launched is not None else ())):
        end.close()
    with Connection(passed[0]) as own:
        serve(own, shared, trouble)


def _prepared(wanted: _Wanted) -> tuple[Launched | None, str]:
    """A zygote that warms up, while this process imports as much; the traceback where one of them fails."""
    try:
        launched = launch(wanted.packages, many=wanted.many)
        for name in (*wanted.packages, *SLOW):
            importlib.import_module(name)
    except Exception:  # noqa: BLE001 - told to the operator by the coordinator, to which each shard hands it on
        return None, traceback.format_exc()
    return launched, ""


def _living(wanted: _Wanted, launched: Launched | None, trouble: str) -> tuple[Launched | None, str]:
    """The zygote, or a fresh one where somebody, such as the kernel when memory ran out, has killed it."""
    if launched is None or _answers(launched):
        return launched, trouble
    said = _last_words(launched)
    if said:  # it has not been killed: the next one would say the same
        return None, f"the sandbox is gone:\n{said}"
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a zygote waits for its workers
    fresh = launch(wanted.packages, many=wanted.many)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    return fresh, trouble


def _answers(launched: Launched) -> bool:
    """Whether the control socket of a zygote still has another end."""
    poll = select.poll()
    poll.register(launched.control, 0)  # an end that is gone is told without being asked for
    return not poll.poll(0)


def _last_words(launched: Launched) -> str:
    """What a zygote that is gone wrote to stderr; its sockets and pipes are closed."""
    launched.control.close()
    said = launched.process.stderr if launched.process is not None else None
    if said is None:
        return ""
    with said:
        return said.read().decode("utf-8", "replace").strip()
