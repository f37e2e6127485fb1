"""Asks trusted code in this process: the verbs of any subject without the wire, and a look at changed arguments.

A diagnosis runs hundreds of models on a few numbers each, so that encoding and decoding would be most of its time.
What comes back is nevertheless what would have crossed the wire.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import CodeType, MethodType
from typing import Any, NamedTuple

import numpy as np

from grader.sandbox import answering, objects, wire
from grader.sandbox.client import MissingName, Raised, RemoteObject, Subject, request
from grader.sandbox.telling import told
from grader.sandbox.tensors import is_tensor

_PLAIN = (type(None), bool, int, float, str)


class _Request(NamedTuple):
    """One request, with the numbers of objects as they were there."""

    do: str
    on: int | None
    name: str
    fields: dict[str, Any]


@dataclass(frozen=True)
class Requests:
    """What a subject was asked for one observation; another one can be asked the same beforehand."""

    asked: tuple[_Request, ...] = ()

    def payloads(self, first: int) -> tuple[bytes, ...]:
        """The same requests for a subject whose objects are numbered from `first`."""
        return tuple(request(*asked, first) for asked in self.asked)


def _parts(value: Any) -> Iterator[object]:
    """A value and all that it holds."""
    yield value
    held = value.values() if isinstance(value, dict) else value if type(value) in (list, tuple) else ()
    for item in held:
        yield from _parts(item)


class Trusted(Subject):
    """A namespace of ours as a subject; its arguments are copies, objects are made where they are described."""

    def __init__(self, namespace: object) -> None:
        super().__init__()
        filename = getattr(namespace, "__file__", "")
        self._served = answering.Served(namespace, filename, linecache.getlines(filename) if filename else [])
        self._given: dict[object, tuple[object, object]] = {}  # where an argument lies -> it, and what the call got
        self._asked_for: list[_Request] = []
        self._answers: list[object] = []  # arrays, tensors and what holds them
        self._foreseeable = True  # no request until now holds an earlier answer

    def forget(self) -> None:
        """Let go of the arguments and objects of earlier calls."""
        self._given.clear()
        self._asked_for.clear()
        self._answers.clear()
        self._foreseeable = True
        self.number_objects_from(0)
        self._served.forget()

    @property
    def requests(self) -> Requests:
        """What it was asked since it was told to forget, up to the first request that holds an earlier answer."""
        return Requests(tuple(self._asked_for))

    def given(self, argument: object) -> tuple[Any, Any] | None:
        """This argument as it was given, and the array, tensor or object in its place as the last call left it.

        An array is found as well where it was given as a tensor of the same memory.
        """
        return self._given.get(_place_of(argument))

    def ask(self, do: str, on: int | None, name: str, **fields: object) -> Any:
        """One request, see sandbox/answering.py; raises Raised or MissingName."""
        self.changed = ()
        self.answers += 1
        self._number(do, fields)
        given = {id(part) for part in _parts(fields)}
        self._foreseeable = self._foreseeable and not any(id(answer) in given for answer in self._answers)
        if self._foreseeable:
            self._asked_for.append(_Request(do, on, name, fields))
        try:
            value = self._asked(do, on, name, fields)
        except MissingName:
            raise
        except (Exception, SystemExit) as error:
            raise Raised(told(error, self._served.filename, self._served.lines)) from error
        self._answers += [part for part in _parts(value) if not isinstance(part, (*_PLAIN, tuple, RemoteObject))]
        return value

    def _asked(self, do: str, on: int | None, name: str, fields: dict[str, Any]) -> Any:
        target = self._served.target(on)
        if do == "build":
            handle = self._served.build(fields["value"], fields["as"])
            self._given[_place_of(fields["value"])] = fields["value"], self._served.made[handle.id]
            return RemoteObject(self, handle)
        if do == "calls":
            return list(self._served.calls.get(on, []))
        if do == "set":
            for attribute, value in self._received(fields["values"]).items():
                setattr(target, attribute, value)
            return None
        found = objects.found(target, name, missing=self)  # `self` stands for "no such name"
        if found is self or (do != "get" and not callable(found)):
            raise MissingName(name, ())
        if do == "get":
            return _crossed(found)
        args, kwargs = self._received(fields["args"]), self._received(fields["kwargs"])
        given = (*args, *kwargs.values())
        before, wanted = [objects.snapshot(value) for value in given], objects.asking(given)
        value = found(*args, **kwargs)
        names = (*_names_of(found, len(args)), *kwargs)
        after = [objects.snapshot(value) for value in given]
        self.changed = tuple(n for n, old, new in zip(names, before, after, strict=True) if old != new)
        if do == "gradients":
            value = objects.gradients(target, value, wanted, fields["cotangent"])
        return self._kept(value, fields["as"]) if do == "make" else _crossed(value)

    def _kept(self, value: object, number: int) -> Any:
        told = wire.decode(wire.encode({"value": value}, keep=partial(self._served.keep, number=number)))["value"]
        return RemoteObject(self, told) if isinstance(told, wire.Handle) else told

    def _received(self, value: Any) -> Any:
        """What a call gets for an argument."""
        if isinstance(value, RemoteObject):
            return self._served.made[value.handle.id]
        if type(value) in (list, tuple):
            return type(value)(map(self._received, value))
        if type(value) is dict:
            return {key: self._received(item) for key, item in value.items()}
        got: object = value
        if isinstance(value, np.ndarray):
            got = value.copy()
        elif isinstance(value, wire.Build):
            got = objects.built(value)
        elif is_tensor(type(value)):
            got = _copied(value)
        if got is not value:
            self._given[_place_of(value)] = value, got
        return got


def _place_of(value: Any) -> object:
    if isinstance(value, np.ndarray):
        return value.__array_interface__["data"][0], value.shape
    if isinstance(value, wire.Build) and value.state is not None:
        return id(value.state)  # `observe` may ask for the same object with other switches
    return (value.data_ptr(), tuple(value.shape)) if is_tensor(type(value)) else id(value)


def _copied(tensor: Any) -> Any:
    """The tensor as it arrives on the other side of the wire."""
    if not tensor.is_contiguous():
        return wire.decode(wire.encode(tensor))
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def _crossed(value: Any) -> Any:
    """The value as it arrives on the other side of the wire."""
    kind = type(value)
    if kind in _PLAIN or (kind is np.ndarray and value.dtype.str in wire.DTYPES):
        return value
    if is_tensor(kind) and kind.__name__ == "Tensor" and str(value.layout) == "torch.strided" and value.is_cpu:
        return value
    if kind in (list, tuple):
        return kind(map(_crossed, value))
    return wire.decode(wire.encode(value))


def _names_of(function: object, count: int) -> tuple[str, ...]:
    """Names of the parameters that take `count` arguments, as far as the function tells them."""
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if isinstance(code, CodeType) else ()
    names = names[1:] if isinstance(function, MethodType) else names
    return (*names, *("" for _ in range(count)))[:count]
