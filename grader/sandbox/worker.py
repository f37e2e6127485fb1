"""Loads one submission and answers calls to it, inside the sandbox, until its socket ends.

    request {"do": "load", "source", "filename"}             -> {"loaded": (names), "empty": bool}
    request {"do": "call" | "make" | "gradients", "on", "name", "args", "kwargs", ...}
                                                             -> {"value", "changed": (names)}
    request {"do": "build", "on", "name", "value": Build}    -> {"value": Handle, "changed"}
    request {"do": "get", "on", "name"}                      -> {"value", "changed"}
    request {"do": "set", "on", "name": "", "values"}        -> {"value": None, "changed"}
    request {"do": "calls", "on", "name": ""}                -> {"value": [calls], "changed"}
    any of them                                              -> {"raised": ExceptionReport}
                                                              | {"missing": name} | {"unsendable": why}
    and in each of these, the first time it happens          -> {..., "reached": ("network" | "program", ...)}

Requests may come before earlier ones are answered; they are answered in their order, each under its number.
`on` is None for the submission itself or the handle id of an object made earlier; `name` may be dotted. The
submission shares this interpreter and can reach everything in it; nothing here is secret, and whatever it answers is
only data to our side. `answer` also serves trusted modules on our side (LocalSubject), so that both speak with the
same voice.
"""

from __future__ import annotations

import ast
import builtins
import io
import linecache
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from types import TracebackType
from typing import Any, NoReturn

import numpy as np

from grader.sandbox import objects, tensors, wire
from grader.sandbox.values import (
    MAX_ARRAYS,
    MAX_CODE,
    MAX_LABEL,
    MAX_NAMES,
    MAX_TEXT,
    MAX_TRACE,
    MAX_TYPES,
    source_lines,
)

MODULE = "submission"  # never the student's file name: that may be `numpy` or no identifier at all
MAX_FRAMES = 12  # of a traceback


class InputNotAvailable(EOFError):
    """A submission asked for keyboard input."""


class BreakpointNotAvailable(RuntimeError):
    """A submission called breakpoint()."""


@dataclass
class Served:
    """What a worker answers for: a loaded module and the objects that were made from it."""

    namespace: object
    filename: str
    lines: list[str] = field(default_factory=list)
    made: list[object] = field(default_factory=list)
    calls: dict[int | None, list[dict[str, object]]] = field(default_factory=dict)  # of recording objects, by handle

    def target(self, on: int | None) -> object:
        return self.namespace if on is None else self.made[on]

    def keep(self, value: object) -> wire.Handle:
        self.made.append(value)
        return wire.Handle(len(self.made) - 1, wire.type_label(value))

    def build(self, described: wire.Build) -> wire.Handle:
        calls: list[dict[str, object]] = []
        made = self.keep(objects.built(described, calls))
        self.calls[made.id] = calls
        return made


# --- loading -----------------------------------------------------------------------------------------------------


def load(source: bytes, filename: str) -> tuple[Served, dict[str, Any]]:
    """Compile and run a student's file as a module that is not `__main__`; lets its exceptions out."""
    text = _decoded(source)
    lines = source_lines(text)
    linecache.cache[filename] = (len(source), None, [f"{line}\n" for line in lines], filename)
    try:
        code = compile(source, filename, "exec", dont_inherit=True)
        names = {*code.co_names} - {"__doc__"}  # of all that is defined, imported or used
        empty = not names and _is_empty(source, filename)
    except (MemoryError, RecursionError) as error:  # of the parser's own stack, not of the machine's memory
        raise SyntaxError("it is nested too deeply") from error
    module = types.ModuleType(MODULE)
    module.__dict__["__file__"] = filename
    sys.modules[MODULE] = module
    served = Served(module, filename, lines)
    loaded = {"loaded": (), "empty": empty}
    exec(code, module.__dict__)  # noqa: S102 - this is the job
    loaded["loaded"] = _defined(module.__dict__)
    return served, loaded


def _decoded(source: bytes) -> str:
    """The source as text, for showing lines only; the compiler reads the bytes itself."""
    for encoding in ("utf-8-sig", "latin-1"):
        try:
            return source.decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""


def _is_empty(source: bytes, filename: str) -> bool:
    """Whether a file has no statement but its docstring."""
    return all(map(_is_docstring, ast.parse(source, filename).body))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _defined(namespace: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the functions and classes a module offers, its own and imported ones."""
    names = [name for name, value in namespace.items() if type(name) is str and callable(value)]
    return tuple(name[:100] for name in names if not name.startswith("__"))[:MAX_NAMES]


# --- answering ---------------------------------------------------------------------------------------------------


def answer(served: Served | None, payload: bytes) -> tuple[Served | None, bytes]:
    """Do what one request asks and give the payload of the reply; every exception of the submission becomes one."""
    request = wire.decode(payload)
    if request["do"] == "load":
        # the lines are needed to tell of an exception, also of one that is raised while loading
        served = Served(None, request["filename"], source_lines(_decoded(request["source"])))
    if served is None:
        raise wire.WireError("a call before anything was loaded")
    try:
        if request["do"] == "load":
            served, loaded = load(request["source"], request["filename"])
            return served, _encoded(loaded)
        return served, _perform(served, request)
    except wire.WireError as error:
        return served, _encoded({"unsendable": str(error)[:MAX_TEXT]})
    except BaseException as error:  # noqa: BLE001 - SystemExit, KeyboardInterrupt and the like are answers too
        return served, _encoded({"raised": told(error, served)})


def _encoded(reply: dict[str, Any], keep: Callable[[object], wire.Handle] | None = None) -> bytes:
    if _reached:
        reply["reached"] = tuple(_reached)
        _reached.clear()
    return wire.encode(reply, keep=keep)


def _perform(served: Served, request: dict[str, Any]) -> bytes:
    target, name = served.target(request["on"]), request["name"]
    if request["do"] in ("build", "set", "calls"):
        return _encoded({"value": _beside_names(served, request), "changed": ()})
    found = objects.found(
        target, name, missing=served
    )  # `served` stands for "no such name": nothing of the submission is it
    if found is served:
        return _encoded({"missing": name})
    if request["do"] == "get":
        return _encoded({"value": found, "changed": ()})
    if not callable(found):
        return _encoded({"missing": name})
    args, kwargs = objects.received((request["args"], request["kwargs"]), served.made)
    given = (*args, *kwargs.values())
    before, wanted = [objects.snapshot(value) for value in given], objects.asking(given)
    value = found(*args, **kwargs)
    names = (*_argument_names(found, len(args)), *kwargs)
    changed = tuple(name for name, old, new in zip(names, before, given, strict=True) if not _is_as_before(new, old))
    if request["do"] == "gradients":
        value = objects.gradients(target, value, wanted, request["cotangent"])
    keep = served.keep if request["do"] == "make" else None
    return _encoded({"value": value, "changed": changed}, keep=keep)


def _beside_names(served: Served, request: dict[str, Any]) -> object:
    """What is answered where no name has to be found first."""
    if request["do"] == "build":
        return served.build(request["value"])
    if request["do"] == "calls":
        return served.calls.get(request["on"], [])
    for attribute, value in objects.received(request["values"], served.made).items():
        setattr(served.target(request["on"]), attribute, value)
    return None


def _is_as_before(value: object, before: object) -> bool:
    try:
        return objects.snapshot(value) == before
    except wire.WireError:
        return False


def _argument_names(function: object, count: int) -> tuple[str, ...]:
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if isinstance(code, types.CodeType) else ()
    if isinstance(function, types.MethodType):
        names = names[1:]
    return tuple(names[i] if i < len(names) else f"#{i + 1}" for i in range(count))


# --- telling of exceptions ---------------------------------------------------------------------------------------


def told(error: BaseException, served: Served) -> wire.ExceptionReport:
    """An exception in plain text, with the student's line and the shapes of the arrays there."""
    frames = _student_frames(error.__traceback__, served.filename)
    line, function = (frames[-1][0], frames[-1][1].f_code.co_name) if frames else (None, "")
    if isinstance(error, SyntaxError) and error.filename == served.filename and not frames:
        line = error.lineno if type(error.lineno) is int else None
    code = served.lines[line - 1][:MAX_CODE] if line and line <= len(served.lines) else ""
    return wire.ExceptionReport(
        types=tuple(_plain(kind.__name__) for kind in type.mro(type(error))[:-1])[:MAX_TYPES] or ("BaseException",),
        text=_text(error),
        name=_plain(getattr(error, "name", "")),
        line=line,
        code=code.strip(),
        function=_plain(function),
        traceback=_trace(frames, served, error),
        arrays=_arrays(frames[-1][1]) if frames else (),
    )


def _text(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return _plain(error.msg)
    try:
        return _plain(str(error))
    except Exception:  # noqa: BLE001 - its __str__ is the submission's code
        return ""


def _plain(value: object) -> str:
    return str.__str__(value)[:MAX_TEXT] if isinstance(value, str) else ""


def _student_frames(trace: TracebackType | None, filename: str) -> list[tuple[int, types.FrameType]]:
    found = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            found.append((trace.tb_lineno, trace.tb_frame))
        trace = trace.tb_next
    return found


def _trace(frames: list[tuple[int, types.FrameType]], served: Served, error: BaseException) -> str:
    shown = frames if len(frames) <= MAX_FRAMES else [*frames[:4], *frames[4 - MAX_FRAMES :]]
    lines = []
    for line, frame in shown:
        code = served.lines[line - 1].strip()[:MAX_CODE] if line <= len(served.lines) else ""
        lines.append(f'File "{served.filename}", line {line}, in {_plain(frame.f_code.co_name)}\n    {code}')
    return "\n".join([*lines, f"{_plain(type(error).__name__)}: {_text(error)}"])[:MAX_TRACE]


def _arrays(frame: types.FrameType) -> tuple[wire.ArrayShape, ...]:
    arrays = [
        wire.ArrayShape(_plain(name)[:MAX_LABEL], str(value.dtype).removeprefix("torch."), tuple(value.shape))
        for name, value in frame.f_locals.items()
        if type(value) is np.ndarray or tensors.is_tensor(type(value))
    ]
    return tuple(arrays[:MAX_ARRAYS])


# --- what is reached for ------------------------------------------------------------------------------------------

# Python tells of these before the lockdown refuses them; code may go on as if nothing had been.
_EVENTS = {
    **dict.fromkeys(("socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), "network"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn"), "program"),
}
_LOCAL_SOCKET = 1  # AF_UNIX
_reached: list[str] = []  # and not yet told
_known_to_reach: set[str] = set()


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it stays whatever a submission does, though code that means harm can get past it."""
    what = _EVENTS.get(event)
    if what is None or what in _known_to_reach or (event == "socket.__new__" and arguments[1] == _LOCAL_SOCKET):
        return
    _known_to_reach.add(what)
    _reached.append(what)


# --- the process -------------------------------------------------------------------------------------------------


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
        for _ in range(20):
            served, _reply = answer(None, load)
            for _ in range(3):
                answer(served, call)
        del sys.modules[MODULE], linecache.cache["f.py"]


def serve(socket: int) -> None:
    """Answer requests from a descriptor until it ends."""
    sys.addaudithook(_note)
    served: Served | None = None
    _write(socket, wire.frame(0, wire.encode("ready")))
    while True:
        number, length = wire.opened(_read(socket, wire.HEADER.size))
        served, reply = answer(served, _read(socket, length))
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
