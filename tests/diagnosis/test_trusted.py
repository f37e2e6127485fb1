"""Trusted code that is asked without the wire answers as it would through it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from grader.diagnosis.leaves import leaves_of
from grader.diagnosis.observation import Observation, distance, observation_of
from grader.diagnosis.trusted import Trusted
from grader.sandbox import wire
from grader.sandbox.client import LocalSubject, MissingName, Raised, RemoteObject
from grader.sandbox.wire import Build

ATTENTION = Build("torch.nn.MultiheadAttention", {"embed_dim": 4, "num_heads": 2, "batch_first": True})
X = np.arange(6.0).reshape(2, 3)


class Counter:
    """An object that stays where it is."""

    def __init__(self, start: int) -> None:
        self.count = start

    def add(self, x: Any) -> int:
        x += 1
        self.count += 1
        return self.count


class Matrix(np.ndarray):
    """An array of a kind that does not cross the wire."""


def _changes(x: Any) -> Any:
    x[0] = 0
    return x.sum()


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "array": lambda x: x.T,
    "pair": lambda x: (x, [x, 1]),
    "dict": lambda x: {"a": x},
    "numbers": lambda x: [1, 2.5, True, None, "a", 1j, np.float64(2), np.int64(3)],
    "object array": lambda x: np.array([None, x], dtype=object),
    "subclass": lambda x: x.view(Matrix),
    "object": lambda x: object(),
    "generator": lambda x: map(len, x),
    "big-endian": lambda x: x.astype(">f4"),
    "tensor": torch.from_numpy,
    "parameter": lambda x: torch.nn.Parameter(torch.from_numpy(x)),
    "size": lambda x: torch.from_numpy(x).shape,
    "exception": lambda x: x.reshape(7),
    "exit": lambda x: sys.exit(),
    "changed": _changes,
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_answers_are_those_of_the_wire(answer: Callable[[Any], Any]) -> None:
    """Whatever trusted code returns, raises or changes, the observation is the one that the wire gives."""

    def observed(subject: Any) -> Observation:
        return observation_of(lambda subject, probe: subject.f(probe["x"]), subject, {"x": X})

    namespace = SimpleNamespace(f=answer)
    assert distance(observed(Trusted(namespace)), observed(LocalSubject(namespace))) == 0.0
    assert X[0, 2] == 2.0


def test_objects_are_made_used_and_set() -> None:
    """The verbs of an object that stays work, and tell which arguments were changed."""
    trusted = Trusted(SimpleNamespace(Counter=Counter))
    made = trusted.make("Counter", 3)
    assert isinstance(made, RemoteObject)
    assert made.call("add", X) == 4
    assert trusted.changed == ("x",)
    made.set(count=7)
    assert made.get("count") == 7
    assert trusted.make("Counter", start=1).call("add", np.ones(2)) == 2
    for verb in (lambda: trusted.call("Counters"), lambda: made.get("counts"), lambda: made.call("count")):
        with pytest.raises(MissingName):
            verb()
    trusted.forget()
    with pytest.raises(Raised, match="KeyError"):
        made.get("count")


def test_modules_are_made_where_they_are_described() -> None:
    """A described module arrives as one, by itself or as an object made before, and changes of it are told."""

    def trains(m: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
        m.train()
        return m(x, x, x)[0]

    trusted = Trusted(SimpleNamespace(trains=trains))
    x = torch.ones(2, 3, 4, requires_grad=True)
    for module in (ATTENTION, trusted.build(ATTENTION)):
        assert trusted.trains(module, x).shape == (2, 3, 4)
        assert trusted.changed == ("m",)
    told = trusted.gradients("trains", trusted.build(ATTENTION), x, cotangent=torch.ones(2, 3, 4))
    assert told["inputs"][0].shape == (2, 3, 4)


def test_what_became_of_an_argument_can_be_seen() -> None:
    """An argument is found again as the call left it, also where an array was given as a tensor."""
    trusted = Trusted(SimpleNamespace(f=lambda x: x.sort() if isinstance(x, np.ndarray) else x.neg_()))
    numbers = np.array([3.0, 1.0, 2.0])
    trusted.f(numbers)
    assert trusted.given(numbers)[1].tolist() == [1, 2, 3]
    trusted.f(torch.from_numpy(numbers))
    assert trusted.given(numbers)[1].tolist() == [-3, -1, -2]
    assert numbers.tolist() == [3, 1, 2]
    assert trusted.given(np.zeros(3)) is None


def test_an_exception_comes_with_its_line() -> None:
    """Where the namespace says which file it is of, the report has the line and its text."""
    trusted = Trusted(SimpleNamespace(f=_changes, __file__=__file__))
    with pytest.raises(Raised) as caught:
        trusted.f(1.0)
    assert caught.value.report.code == "x[0] = 0"
    with pytest.raises(Raised) as caught:
        Trusted(SimpleNamespace(f=_changes)).f(1.0)
    assert (caught.value.report.line, caught.value.report.code) == (None, "")


def test_leaves_of_what_stays_are_labels() -> None:
    """An object that stays is compared by its type alone."""
    trusted = Trusted(SimpleNamespace(Counter=Counter))
    (leaf,) = leaves_of(trusted.make("Counter", 1)).values()
    assert leaf.text.endswith("Counter")


def test_what_holds_an_earlier_answer_is_not_foreseen() -> None:
    """Requests are known beforehand up to the first that passes on what came back; numbers of objects are moved."""

    class Kept:
        def state(self) -> dict[str, Any]:
            return {"x": X}

        def load(self, state: dict[str, Any]) -> int:
            return len(state)

    trusted = Trusted(SimpleNamespace(Kept=Kept))
    first, second = trusted.make("Kept"), trusted.make("Kept")
    state = first.call("state")
    assert second.call("load", {"x": X + 1}) == 1
    foreseen = trusted.requests.payloads(40)
    assert [wire.decode(payload)["do"] for payload in foreseen] == ["make", "make", "call", "call"]
    assert [wire.decode(payload).get("as", wire.decode(payload)["on"]) for payload in foreseen] == [40, 41, 40, 41]
    second.call("load", state)
    second.call("load", {"x": X})
    assert trusted.requests.payloads(40) == foreseen
    trusted.forget()
    assert trusted.requests.payloads(40) == ()
