"""Loads one submission and answers requests to it.

    request {"do": "load", "source", "filename"}             -> {"loaded": (names), "empty": bool}
    request {"do": "call" | "gradients", "on", "name", "args", "kwargs", ...}
                                                             -> {"value", "changed": (names)}
    request {"do": "make", "on", "name", "args", "kwargs", "as": number}
                                                             -> {"value", often a Handle, "changed"}
    request {"do": "build", "on", "name", "value": Build, "as": number}
                                                             -> {"value": Handle, "changed"}
    request {"do": "get", "on", "name"}                      -> {"value", "changed"}
    request {"do": "set", "on", "name": "", "values"}        -> {"value": None, "changed"}
    request {"do": "calls", "on", "name": ""}                -> {"value": [calls], "changed"}
    any of them                                              -> {"raised": ExceptionReport}
                                                              | {"missing": name} | {"unsendable": why}
    one that was sent ahead (see wire.py)                    -> | {"skipped": True}
    and in each of these, the first time it happens          -> {..., "reached": ("network" | "program" | "file", ...)}

Requests may come before earlier ones are answered; they are answered in their order, each under its number.
`on` is None for the submission itself or the number of an object made earlier; `name` may be dotted. Whoever asks says
which number a new object gets, so that it can be asked for before it is there; it takes the place of an older one. The
submission shares this interpreter and can reach everything in it; nothing here is secret, and whatever it answers is
only data to our side. `answer` also serves trusted modules on our side (LocalSubject), so that both speak with the
same voice.
"""

from __future__ import annotations

import ast
import linecache
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from grader.sandbox import objects, wire
from grader.sandbox.reaching import newly_reached
from grader.sandbox.telling import told
from grader.sandbox.values import MAX_NAMES, MAX_TEXT, source_lines

MODULE = "submission"  # never the student's file name: that may be `numpy` or no identifier at all


@dataclass
class Served:
    """What a worker answers for: a loaded module and the objects that were made from it.

    Attributes:
        made: objects by their numbers; those that lost theirs live on, so that nothing else gets their addresses.
        failed: its last request has no value: it raised, or there is no such name.
    """

    namespace: object
    filename: str
    lines: list[str] = field(default_factory=list)
    made: dict[int, object] = field(default_factory=dict)
    older: list[object] = field(default_factory=list)
    failed: bool = False
    calls: dict[int | None, list[dict[str, object]]] = field(default_factory=dict)  # of recording objects, by handle

    def target(self, on: int | None) -> object:
        return self.namespace if on is None else self.made[on]

    def forget(self) -> None:
        """Let go of every object."""
        self.made.clear()
        self.older.clear()
        self.calls.clear()

    def keep(self, value: object, number: int) -> wire.Handle:
        self.older.append(self.made.get(number))
        self.made[number] = value
        return wire.Handle(number, wire.type_label(value))

    def build(self, described: wire.Build, number: int) -> wire.Handle:
        calls: list[dict[str, object]] = []
        made = self.keep(objects.built(described, calls), number)
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
            return served, _encoded(served, loaded)
        return served, _perform(served, request)
    except wire.WireError as error:
        return served, _encoded(served, {"unsendable": str(error)[:MAX_TEXT]})
    except BaseException as error:  # noqa: BLE001 - SystemExit, KeyboardInterrupt and the like are answers too
        return served, _encoded(served, {"raised": told(error, served.filename, served.lines)})


def _encoded(served: Served, reply: dict[str, Any], keep: Callable[[object], wire.Handle] | None = None) -> bytes:
    served.failed = "value" not in reply and "loaded" not in reply
    if reached := newly_reached():
        reply["reached"] = reached
    return wire.encode(reply, keep=keep)


def _perform(served: Served, request: dict[str, Any]) -> bytes:
    target, name = served.target(request["on"]), request["name"]
    if request["do"] in ("build", "set", "calls"):
        return _encoded(served, {"value": _beside_names(served, request), "changed": ()})
    found = objects.found(
        target, name, missing=served
    )  # `served` stands for "no such name": nothing of the submission is it
    if found is served:
        return _encoded(served, {"missing": name})
    if request["do"] == "get":
        return _encoded(served, {"value": found, "changed": ()})
    if not callable(found):
        return _encoded(served, {"missing": name})
    args, kwargs = objects.received((request["args"], request["kwargs"]), served.made)
    given = (*args, *kwargs.values())
    before, wanted = [objects.snapshot(value) for value in given], objects.asking(given)
    value = found(*args, **kwargs)
    names = (*_argument_names(found, len(args)), *kwargs)
    changed = tuple(name for name, old, new in zip(names, before, given, strict=True) if not _is_as_before(new, old))
    if request["do"] == "gradients":
        value = objects.gradients(target, value, wanted, request["cotangent"])
    keep = partial(served.keep, number=request["as"]) if request["do"] == "make" else None
    return _encoded(served, {"value": value, "changed": changed}, keep=keep)


def _beside_names(served: Served, request: dict[str, Any]) -> object:
    """What is answered where no name has to be found first."""
    if request["do"] == "build":
        return served.build(request["value"], request["as"])
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
