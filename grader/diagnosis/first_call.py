"""The first call that a process of a submission answered: nothing that it keeps between calls can be behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.observation import Observation, observation_of, same
from grader.sandbox import replies, wire
from grader.sandbox.ahead import MOST_BYTES
from grader.sandbox.client import RemoteSubject, Subject

FIRST_CALLS = 64  # that are remembered: a suite begins with the same one for everybody


class _Replied(Subject):
    """A subject that has one reply, whatever it is asked."""

    def __init__(self, reply: dict[str, Any]) -> None:
        super().__init__()
        self._reply = reply

    def _exchange(self, _payload: bytes) -> dict[str, Any]:
        return self._reply


def shows(known: Behaviours, found: Behaviour, subject: RemoteSubject) -> bool:
    """Whether the submission answered its first call as this one mistake does, and as nothing else that is known does.

    Of several mistakes together it would have to show each, which is not looked for.
    """
    if subject.first_exchange is None or len(found.slugs) != 1 or len(subject.first_exchange[1]) > MOST_BYTES:
        return False
    return _shows(known, found, *subject.first_exchange)


@lru_cache(FIRST_CALLS)
def _shows(known: Behaviours, found: Behaviour, payload: bytes, reply: bytes) -> bool:
    does = _told_apart(known, found, payload)
    call = _call(payload)
    said = _said(reply)
    if does is None or call is None or said is None:
        return False
    observe, given = call
    return same(does, observation_of(observe, _Replied(said), given))


def _said(reply: bytes) -> dict[str, Any] | None:
    """A reply that may not have been read before; None where it answers nothing."""
    try:
        said: dict[str, Any] = wire.decode(reply)
        replies.require_reply(said, "ask")
    except wire.WireError:
        return None
    return said


@lru_cache(FIRST_CALLS)
def _told_apart(known: Behaviours, found: Behaviour, payload: bytes) -> Observation | None:
    """What a mistake does with a call, where neither right code nor any other mistake does the same."""
    call = _call(payload)
    if call is None:
        return None
    observe, given = call
    does = found.does(observe, given)
    others = (known.right, *(each for each in known.mistaken if each.slugs != found.slugs))
    return None if any(same(does, other.does(observe, given)) for other in others) else does


@lru_cache(FIRST_CALLS)
def _call(payload: bytes) -> tuple[Callable[[Any, Mapping[str, Any]], object], Mapping[str, Any]] | None:
    """The call as something to observe, and what it is given; None where it is no call of a function."""
    request = wire.decode(payload)
    if request["do"] != "call" or request["on"] is not None:
        return None

    def observe(asked: Any, given: Mapping[str, Any]) -> object:
        return asked.call(request["name"], *given["args"], **given["kwargs"])

    return observe, {"args": request["args"], "kwargs": request["kwargs"]}
