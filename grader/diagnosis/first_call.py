"""The first call that a process of a submission answered: nothing that it keeps between calls can be behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.observation import observation_of, same
from grader.sandbox import wire
from grader.sandbox.client import RemoteSubject, Subject


class _Replied(Subject):
    """A subject that has one reply, whatever it is asked."""

    def __init__(self, reply: dict[str, Any]) -> None:
        super().__init__()
        self._reply = reply

    def _exchange(self, _payload: bytes) -> dict[str, Any]:
        return self._reply


def shows(known: Behaviours, found: Behaviour, subject: RemoteSubject) -> bool:
    """Whether the submission's first call was answered as this mistake answers it, and not as right code does."""
    if subject.first_exchange is None:
        return False
    payload, reply = subject.first_exchange
    request = wire.decode(payload)
    if request["do"] != "call" or request["on"] is not None:
        return False

    def observe(asked: Any, given: Mapping[str, Any]) -> object:
        return asked.call(request["name"], *given["args"], **given["kwargs"])

    given = {"args": request["args"], "kwargs": request["kwargs"]}
    does = found.does(observe, given)
    seen = observation_of(observe, _Replied(reply), given)
    return same(does, seen) and not same(does, known.right.does(observe, given))
