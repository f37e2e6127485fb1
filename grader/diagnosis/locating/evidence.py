"""What was observed of a wrong submission that no mistake explains, laid out for the search for its fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.diagnosis.leaves import Array, Leaf, Numbers, Place, elementwise, leaf_of
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import TOLERANCE, Observation, differences, same
from grader.model import Message
from grader.sandbox.wire import Build


class Answer(NamedTuple):
    """One probe that the submission could be asked, and both answers."""

    probe: Probe
    right: Observation
    seen: Observation


@dataclass(frozen=True, eq=False)
class Case:
    """One probe of the call that is looked at.

    Attributes:
        wrong: whether the submission differs from right code, in any part of its answer.
        want, got: the numbers at the place that is looked at; None where an answer has none.
        sizes: lengths of axes by name, and whole numbers among the inputs by theirs; an axis that is not as long in one
            input as in another is named with it, "h (allowed)".
    """

    probe: Probe
    inputs: Mapping[str, object]
    wrong: bool
    want: Array | None
    got: Array | None
    sizes: Mapping[str, int]


class Pair(NamedTuple):
    """Numbers that are wrong, and what they should be."""

    want: Array
    got: Array
    case: Case


@dataclass(frozen=True, eq=False)
class Evidence:
    """All probes of one call, and the part of its answer where it is wrong first.

    Attributes:
        where: the call and the part, as a person writes them.
        place: the part, () for the whole answer.
        pairs: the wrong numbers, most of the wrong answers at least; none where some of these are exceptions.
    """

    models: MistakeModels
    where: str
    place: Place
    cases: tuple[Case, ...]
    pairs: tuple[Pair, ...]
    answers: tuple[Answer, ...]

    @property
    def pairs_are_alike(self) -> bool:
        """Whether all wrong numbers are real ones in the right shape."""
        shapes = all(pair.want.shape == pair.got.shape for pair in self.pairs)
        return shapes and all(array.dtype.kind in "iuf" for pair in self.pairs for array in (pair.want, pair.got))

    def message(self, key: str, **fields: str | int) -> Message:
        """A sentence of grader/texts/located.toml about this part of the answer."""
        return Message(f"located.{key}", {"where": self.where, **fields})

    def names(self, ndim: int) -> tuple[str, ...]:
        """Names of the axes of an answer with so many, their numbers where no names are known."""
        names = axes_of(self.models, self.place)
        return names[len(names) - ndim :] if len(names) >= ndim else tuple(map(str, range(ndim)))


def axes_of(models: MistakeModels, place: Place) -> tuple[str, ...]:
    """Names of the axes of a part of the answer."""
    names = (".".join(map(str, place)), str(place[-1])) if place else ()
    return models.axes_of(*names, "result")


def evidence_of(models: MistakeModels, answers: Sequence[Answer]) -> Iterator[Evidence]:
    """What speaks of the first call that gives a wrong answer, for each of its wrong parts; nothing where none does."""
    first = next((answer for answer in answers if not same(answer.right, answer.seen)), None)
    if first is None:
        return
    call = models.call_of(first.probe)
    asked = tuple(answer for answer in answers if models.call_of(answer.probe) == call)
    for place in _wrong_places(asked):
        measured = [_measured(models, answer, place) for answer in asked]
        unlike = {axis for lengths in measured for axis, of in lengths.items() if len(set(of.values())) > 1}
        cases = tuple(
            _case(models, answer, place, _named(lengths, unlike))
            for answer, lengths in zip(asked, measured, strict=True)
        )
        wrong = [case for case in cases if case.wrong]
        pairs = tuple(
            Pair(case.want, case.got, case)
            for case in wrong
            if case.want is not None and case.got is not None and not close(case.want, case.got)
        )
        raised = any(answer.seen.raised and not answer.right.raised for answer in asked)
        if raised or len(pairs) < 2 or 2 * len(pairs) < len(wrong):
            pairs = ()  # too few to speak of all, or not all that is wrong
        yield Evidence(models, _written(call, place, first.right), place, cases, pairs, asked)


def _wrong_places(answers: Sequence[Answer]) -> list[Place]:
    """The parts that are wrong somewhere, in the order of right code; the whole where they cannot be compared."""
    found: set[Place] = set()
    for answer in answers:
        if not answer.right.raised and not answer.seen.raised:
            places = list(differences(answer.right, answer.seen))
            numbers = [place for place in places if isinstance(answer.right.leaves[place], Numbers)]
            found |= set(numbers) if places[:1] == numbers[:1] else set()
    order = [place for answer in answers for place in answer.right.leaves]
    return sorted(found, key=order.index) or [()]


def _case(models: MistakeModels, answer: Answer, place: Place, sizes: Mapping[str, int]) -> Case:
    inputs = models.inputs_of(answer.probe)
    want = _numbers(answer.right.leaves.get(place))
    got = _numbers(answer.seen.leaves.get(place))
    return Case(answer.probe, inputs, not same(answer.right, answer.seen), want, got, sizes)


def _numbers(leaf: Leaf | None) -> Array | None:
    if isinstance(leaf, Numbers):
        return leaf.values
    return np.asarray(float(leaf.key)) if leaf is not None and leaf.kind == "int" else None


def _measured(models: MistakeModels, answer: Answer, place: Place) -> dict[str, dict[str, int]]:
    """What has a length or is a whole number -> in which input, "" for the answer -> how long or large it is."""
    found: dict[str, dict[str, int]] = {}
    want = _numbers(answer.right.leaves.get(place))
    if want is not None:
        for axis, length in _lengths(axes_of(models, place), want.shape).items():
            found.setdefault(axis, {})[""] = length
    for name, value in models.inputs_of(answer.probe).items():
        for axis, length in _sizes(models, name, value).items():
            found.setdefault(axis, {})[name] = length
    return found


def _sizes(models: MistakeModels, name: str, value: object) -> dict[str, int]:
    if isinstance(value, Build):
        return {key: given for key, given in value.arguments.items() if type(given) is int}
    if type(value) is int:
        return {name: value}
    leaf = leaf_of(value)
    return _lengths(models.axes_of(name), leaf.values.shape) if isinstance(leaf, Numbers) else {}


def _named(lengths: Mapping[str, Mapping[str, int]], unlike: Collection[str]) -> dict[str, int]:
    return {
        f"{axis} ({name})" if axis in unlike and name else axis: length
        for axis, of in lengths.items()
        for name, length in of.items()
    }


def _lengths(names: tuple[str, ...], shape: tuple[int, ...]) -> dict[str, int]:
    """An array with fewer axes than names has the last of them."""
    return dict(zip(names[len(names) - len(shape) :], shape, strict=True)) if len(names) >= len(shape) else {}


def _written(call: str, place: Place, right: Observation) -> str:
    """The call, and the part of its answer where it has several."""
    parts = sum(isinstance(leaf, Numbers) for leaf in right.leaves.values())
    if parts < 2 or not place:
        return call
    return f"{call}[{place[-1]}]" if isinstance(place[-1], int) else f"{call} → {place[-1]}"


def close(a: Array, b: Array) -> bool:
    """Whether two arrays are the same in shape and numbers, whatever their kinds of dtype."""
    if a.shape != b.shape:
        return False
    kind = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    return not a.size or float(elementwise(a.astype(kind), b.astype(kind)).max()) <= TOLERANCE
