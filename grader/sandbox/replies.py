"""Whether a reply has the form of an answer to what was asked: untrusted code can write all of it itself.

What an answer says is judged by whoever asked; here is made sure that it can be taken apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.sandbox import wire
from grader.sandbox.tensors import is_tensor
from grader.sandbox.values import MAX_NAMES, MAX_TEXT, REACHES

_NOTED = (bool, int, float, str, tuple, type(None))  # what is noted of an argument, see objects.py


def require_reply(reply: object, do: str) -> tuple[str, ...]:
    """What was reached for, taken out of the reply; raises WireError for a value that answers nothing we asked."""
    if type(reply) is not dict:
        raise wire.WireError("a reply of another shape")
    reached = reply.pop("reached", ())
    if type(reached) is not tuple or not all(type(what) is str and what in REACHES for what in reached):
        raise wire.WireError("something else was reached for")
    shapes: list[dict[str, type]] = [{"raised": wire.ExceptionReport}, {"unsendable": str}]
    if do == "load":
        shapes.append({"loaded": tuple, "empty": bool})
    else:
        shapes += [{"missing": str}, {"value": object, "changed": tuple}]
    for shape in shapes:
        if reply.keys() == shape.keys() and all(isinstance(reply[name], kind) for name, kind in shape.items()):
            break
    else:
        raise wire.WireError("a reply of another shape")
    texts = [*reply.get("loaded", ()), *reply.get("changed", ()), reply.get("missing", ""), reply.get("unsendable", "")]
    if len(texts) > 2 * MAX_NAMES or not all(type(text) is str and len(text) <= MAX_TEXT for text in texts):
        raise wire.WireError("names that are none")
    return reached


def skipped_from(said: Sequence[bytes], kind: int) -> int:
    """How many of the replies to what was sent at once come before the first that was skipped.

    What is skipped without a reason, which no worker of ours does, is a reply like any other, and answers nothing.

    Args:
        kind: of all requests but the first, see wire.py.
    """
    count = next((number for number, reply in enumerate(said) if reply == wire.SKIPPED), len(said))
    before = said[:count]
    long = sum(map(len, before)) > wire.LITTLE
    failed = kind == wire.AFTER_VALUES and not all(map(_is_value, before))
    return count if long or failed else len(said)


def _is_value(reply: bytes) -> bool:
    try:
        return "value" in wire.decode(reply)
    except (wire.WireError, TypeError):
        return False


def require_gradients(told: Any, count: int) -> None:
    """Raises WireError for anything but what objects.gradients says, with gradients of `count` inputs."""
    if type(told) is not dict or told.keys() != {"value", "inputs", "parameters"}:
        raise wire.WireError("gradients of another shape")
    inputs, squares = told["inputs"], told["parameters"]
    if type(inputs) is not tuple or len(inputs) != count:
        raise wire.WireError("gradients of other inputs")
    if not all(item is None or is_tensor(type(item)) for item in inputs):
        raise wire.WireError("a gradient that is no tensor")
    if squares is not None and type(squares) is not float:
        raise wire.WireError("a sum of squares that is no number")


def require_calls(calls: Any) -> None:
    """Raises WireError for anything but a list of calls, each of them argument -> what was noted of it."""
    if type(calls) is not list or not all(type(call) is dict for call in calls):
        raise wire.WireError("calls of another shape")
    if not all(type(noted) in _NOTED for call in calls for noted in call.values()):
        raise wire.WireError("arguments of another shape")
