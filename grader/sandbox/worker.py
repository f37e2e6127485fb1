"""The process of one submission, inside the sandbox: what it finds there, and its requests, until its socket ends.

The submission shares this interpreter and can reach everything in it; nothing here is secret.
"""

from __future__ import annotations

import builtins
import io
import linecache
import os
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from typing import Any, NoReturn

import numpy as np

from grader.sandbox import wire
from grader.sandbox.answering import MODULE, Served, answer
from grader.sandbox.reaching import note


class InputNotAvailable(EOFError):
    """A submission asked for keyboard input."""


class BreakpointNotAvailable(RuntimeError):
    """A submission called breakpoint()."""


def prepare(allowed: frozenset[str]) -> None:
    """What every submission finds: no keyboard, no debugger, and imports of `allowed` top-level names only.

    Called once before workers are forked, so that none of them pays for it.
    """

    def no_input(_prompt: object = "", /) -> NoReturn:
        raise InputNotAvailable("input() is not available here")

    def no_breakpoint(*_args: object, **_kwargs: object) -> NoReturn:
        raise BreakpointNotAvailable("breakpoint() is not available here")

    builtins.input = no_input
    sys.breakpointhook = no_breakpoint
    sys.meta_path[:] = [_Finder(allowed, list(sys.meta_path))]
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        del sys.modules[name]  # `import grader` finds nothing, as on a student's machine without it
    sys.stdout, sys.stderr = _unbuffered(1), _unbuffered(2)


class _Finder:
    """In place of all finders: what is not allowed is not found, as on a machine where it is not installed."""

    def __init__(self, allowed: frozenset[str], finders: list[Any]) -> None:
        self._allowed = allowed
        self._finders = finders

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        top = fullname.partition(".")[0]
        # what sysconfig reads is named after the platform, so it stands in no list of the standard library
        if top not in self._allowed and not top.startswith("_sysconfigdata_"):
            return None
        found = (finder.find_spec(fullname, path, target) for finder in self._finders)
        return next((spec for spec in found if spec is not None), None)


OFTEN = 50  # Python rewrites code for the types it has seen after a few dozen runs, and a worker would copy its pages
_REHEARSED = {
    "numpy": "import numpy as np\n\n\ndef f(x):\n    return np.concatenate(list(x), axis=-1) @ np.eye(8)\n",
    "torch": "import torch\n\n\ndef f(x):\n    return torch.softmax(x @ x.transpose(-2, -1) / 2, dim=-1) @ x\n",
}


def rehearse(packages: Iterable[str]) -> None:
    """Answer a few requests before the first fork, so that no worker runs this code, or numpy's, for the first time."""
    for package in _REHEARSED.keys() & packages:
        load = wire.encode({"do": "load", "source": _REHEARSED[package].encode(), "filename": "f.py"})
        x = np.ones((2, 3, 4)) if package == "numpy" else sys.modules["torch"].ones(2, 3, 4)
        call = wire.encode({"do": "call", "on": None, "name": "f", "args": (x,), "kwargs": {}})
        for _ in range(OFTEN):
            served, _reply = answer(None, load)
            answer(served, call)
        del sys.modules[MODULE], linecache.cache["f.py"]


def serve(socket: int) -> None:
    """Answer requests from a descriptor until it ends."""
    sys.addaudithook(note)
    served: Served | None = None
    said, failed = 0, False  # since the last request that came by itself
    _write(socket, wire.frame(0, wire.encode("ready")))
    while True:
        number, kind, length = wire.read_header(_read(socket, wire.HEADER.size))
        payload = _read(socket, length)
        if kind == wire.ALWAYS:
            said, failed = 0, False
        if said > wire.LITTLE or (failed and kind == wire.AFTER_VALUES):
            reply = wire.SKIPPED
        else:
            served, reply = answer(served, payload)
            said, failed = said + len(reply), failed or served is None or served.failed
        _write(socket, wire.frame(number, reply))


def _unbuffered(descriptor: int) -> io.TextIOWrapper:
    """A stream that holds nothing back: what was printed must be out before a crash."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def _read(descriptor: int, count: int) -> bytes:
    pieces = []
    while count:
        piece = os.read(descriptor, min(count, 2**20))
        if not piece:
            os._exit(0)  # our side has closed: this worker is no longer needed
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _write(descriptor: int, message: bytes) -> None:
    view = memoryview(message)
    while view:
        view = view[os.write(descriptor, view) :]
