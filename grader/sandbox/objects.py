"""Makes the objects that our side describes, inside the worker, and tells whether a call changed one of them.

Imports nothing of ours but the wire and its values: it shares an interpreter with untrusted code.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.sandbox import tensors, wire
from grader.sandbox.values import MAX_PAYLOAD

_PLAIN = (bool, int, float, str, type(None))
_ndarray = np.ndarray  # a submission may rebind the name inside numpy


def built(build: wire.Build, calls: list[dict[str, object]] | None = None) -> Any:
    """The object that a description asks for; exceptions of its constructor come out as they are.

    Args:
        calls: where a recording object notes each call of its `forward`.
    """
    module, _, name = build.target.rpartition(".")
    made = getattr(importlib.import_module(module), name)(**build.arguments)
    if build.state is not None:
        made.to(next(iter(build.state.values())).dtype)  # type: ignore[attr-defined]
        made.load_state_dict(build.state)
    if hasattr(made, "train"):
        made.train(build.training)
    if build.recording and calls is not None:
        _record(made, calls)
    return made


def _record(made: Any, calls: list[dict[str, object]]) -> None:
    """Note the arguments of every call of `forward`, by parameter name, tensors as their shapes.

    Its class becomes one derived from its own, so that `type(module).forward(module, x, x, x)` is noted as well, and
    nothing is left on the object that looks as if it belonged to it.
    """
    kind = type(made)
    forward = kind.forward
    signature = inspect.signature(forward)

    @functools.wraps(forward)
    def recording(self: object, *args: object, **kwargs: object) -> Any:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        (_self, *noted) = bound.arguments.items()
        calls.append({name: _noted(value) for name, value in noted})
        return forward(self, *args, **kwargs)

    body = {"forward": recording, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    made.__class__ = type(kind.__name__, (kind,), body)


def _noted(value: object) -> object:
    if tensors.is_tensor(type(value)):
        return tuple(value.shape)  # type: ignore[attr-defined]
    return value if isinstance(value, _PLAIN) else wire.type_label(value)


def found(target: object, name: str, missing: object) -> Any:
    """What a dotted name leads to from here, or `missing`: `Layer.from_torch` is an attribute of an attribute."""
    for part in name.split("."):
        target = getattr(target, part, missing)
        if target is missing:
            break
    return target


def received(value: Any, made: Mapping[int, object]) -> Any:
    """A decoded argument with handles and descriptions replaced by the objects they stand for."""
    if isinstance(value, wire.Handle):
        return made[value.id]
    if isinstance(value, wire.Build):
        return built(value)
    if type(value) in (list, tuple):
        return type(value)(received(item, made) for item in value)
    if type(value) is dict:
        return {key: received(item, made) for key, item in value.items()}
    return value


def snapshot(value: Any) -> object:
    """What an argument holds, to be compared after the call, in less time than the wire takes.

    A module holds its parameters, whether each takes gradients, its buffers, flags and mode.

    Raises:
        WireError: it holds too much, or what is none of it is left.
    """
    if type(value) is _ndarray and value.nbytes <= MAX_PAYLOAD:
        return value.dtype, value.shape, value.tobytes()
    if tensors.is_tensor(type(value)):
        return tensors.taken_apart(value)
    if not callable(getattr(value, "state_dict", None)):
        return wire.encode(value)
    flags = {name: held for name, held in vars(value).items() if isinstance(held, _PLAIN)}
    parts = {name: snapshot(part) for name, part in value.state_dict().items()}
    frozen = [parameter.requires_grad for parameter in _parameters(value)]  # a state_dict does not tell
    return parts, frozen, wire.encode(flags)


def asking(arguments: tuple[Any, ...]) -> list[Any]:
    """The tensors that ask for a gradient; to be found before a call, which may change that."""
    return [item for item in arguments if tensors.is_tensor(type(item)) and item.requires_grad]


def gradients(target: object, value: Any, wanted: list[Any], cotangent: Any) -> dict[str, object]:
    """Gradients of sum(cotangent * output), the output being the first item of a tuple or list.

    Returns:
        value: what the call returned; inputs: the gradient of each of the `wanted` tensors, in their order, None where
        the output does not depend on it; parameters: the sum of squares of the gradients of all parameters of
        `target`, None where it has no parameters.
    """
    output = value[0] if isinstance(value, (tuple, list)) else value
    for parameter in _parameters(target):
        parameter.grad = None
    (output * cotangent).sum().backward()
    squares = [float((p.grad.double() ** 2).sum()) for p in _parameters(target) if p.grad is not None]
    total = sum(squares) if squares else None
    return {"value": value, "inputs": tuple(item.grad for item in wanted), "parameters": total}


def _parameters(target: object) -> list[Any]:
    parameters = getattr(target, "parameters", None)
    return list(parameters()) if callable(parameters) else []
