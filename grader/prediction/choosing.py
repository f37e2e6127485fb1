"""Chooses the input to predict for: small enough to see through, and one on which mistakes show.

small probes, and others with whole numbers --right code--> candidates, those with telling sizes first
the best of one call --every known mistake--> what else could be predicted: other shapes, other numbers
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from grader.course import Course
from grader.diagnosis.behaviour import Behaviour, Behaviours, behaviours
from grader.diagnosis.counterexample import shown_inputs
from grader.diagnosis.leaves import Array, Leaf, Numbers, Place, Plain, elementwise
from grader.diagnosis.models import MistakeModels, probe_size
from grader.diagnosis.observation import Observation
from grader.model import Exercise, Shown
from grader.quiz.grammar import NAMES
from grader.sandbox.wire import Build

MOST_NUMBERS = 60  # of the inputs of one question
MOST_FOR_SHAPE = 120  # where no number is asked
MOST_SMALL, RANDOM = 80, 60  # inputs looked at
MOST_WHOLE = 1000  # a number that a person still works out
TRIED = 2  # equally good candidates on which the mistakes are run
RAISES = "raises"  # what a mistake gives where it raises
DIFFERENT = 0.01  # of two numbers, relative to the larger one or 1: what a prediction of two decimals can tell apart

Probe = Mapping[str, Any]
Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """One input, and what is asked about what comes out.

    Attributes:
        call: how a person writes it.
        place: of the asked part in what comes out.
        axes: names of its axes, as far as known.
        right: what is right there.
        shape: the right one; None where a single number comes out.
        index: of the number that is asked, None where none is.
        value: the right number there.
        shapes, values: what the mistakes give that do not give the right one.
        sizes: names that may stand for a size.
    """

    probe: Probe
    call: str
    inputs: tuple[tuple[str, Shown], ...]
    place: Place
    axes: tuple[str, ...]
    right: Leaf
    shape: Shape | None
    index: tuple[int, ...] | None = None
    value: float | None = None
    shapes: Mapping[str, Shape | str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes that can be seen in the inputs, by the names that the reader of answers knows axes by."""
        seen = [pair for _, shown in self.inputs for pair in zip(shown.axes, shown.shape, strict=False)]
        given = [
            (name, int(shown.text)) for name, shown in self.inputs if shown.kind == "text" and shown.text.isdecimal()
        ]
        return {NAMES.get(name.casefold(), name): size for name, size in (*given, *seen)}


def known_behaviours(course: Course, exercise: Exercise) -> Behaviours | None:
    """Right code and mistakes of an exercise, None where it has no models; raises ContentError."""
    path = exercise.solution / "mistakes.py"
    return behaviours(path, frozenset(course.mistakes), exercise.defines) if path.is_file() else None


def chosen_question(known: Behaviours, seed: int = 0) -> Question | None:
    """A question on an input of this exercise, None where no input lends itself to one.

    Args:
        seed: another number, another call of the exercise, or other numbers for it.
    """
    candidates = sorted(_candidates(known, seed), key=lambda candidate: candidate.rank)
    best: dict[str, _Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.call, candidate)
    if not best:
        return None
    kind = min(candidate.rank[0] for candidate in best.values())
    equally_good = [candidate for candidate in best.values() if candidate.rank[0] == kind]
    order = list(known.models.calls.values())
    equally_good.sort(key=lambda candidate: (not _asks_a_number(candidate), order.index(candidate.call)))
    first = equally_good[seed % len(equally_good)]
    as_good = [each for each in candidates if each.call == first.call and each.rank[:2] == first.rank[:2]]
    return max((_asked(known, each) for each in _of_other_sizes(as_good)), key=lambda each: len(each.shapes))


def _of_other_sizes(candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """The first candidates whose inputs have other sizes: on those, other mistakes show in the shape."""
    seen: dict[object, _Candidate] = {}
    for each in candidates:
        seen.setdefault(tuple(array.shape for array in _arrays(each.probe)), each)
    return islice(seen.values(), TRIED)


# --- candidates --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Candidate:
    """An input on which right code gives something to ask for; a low rank is good."""

    probe: Probe
    call: str
    place: Place
    leaf: Leaf
    rank: tuple[float, ...]


def _candidates(known: Behaviours, seed: int) -> Iterator[_Candidate]:
    models, rng = known.models, np.random.default_rng(seed)
    random = [models.fresh_probe(rng) for _ in range(RANDOM)]
    written = [_shuffled(_whole(probe), rng) for probe in (*models.written, *models.probes)]
    others = [*written, *map(_whole, random)]
    for number, probe in enumerate([*islice(models.small_probes(), MOST_SMALL), *others]):
        if probe_size(probe) > (MOST_NUMBERS if _seen_through(probe) else MOST_FOR_SHAPE):
            continue
        seen = known.right.on(probe)
        found = None if seen.raised or not seen.asked else _part(seen)
        if found is not None and _follows(probe, found[1]):
            call = models.call_of(probe)
            rank = _rank(probe, call, found[1], number)
            yield _Candidate(probe, call, *found, rank=rank)


def _whole(probe: Probe) -> Probe:
    """The probe with whole numbers in place of random ones; probabilities and the like stay."""

    def whole(value: Any) -> Any:
        array = isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size > 0
        return (2 * value).round() + 0.0 if array and float(np.abs(value).max()) > 1 else value

    return {name: whole(value) for name, value in probe.items()}


def _shuffled(probe: Probe, rng: np.random.Generator) -> Probe:
    """The probe with its whole numbers in another order, so that another seed asks with others."""

    def shuffled(value: Any) -> Any:
        numbers = isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size > 0
        return rng.permuted(value) if numbers and bool((value == value.round()).all()) else value

    return {name: shuffled(value) for name, value in probe.items()}


def _part(seen: Observation) -> tuple[Place, Leaf] | None:
    """The part of an answer that is asked: the first array with several axes, else the first array or number."""
    arrays: list[tuple[Place, Leaf]] = []
    for place, leaf in seen.leaves.items():
        if isinstance(leaf, Numbers) and _askable(leaf):
            several = leaf.values.ndim > 1
            arrays.insert(0, (place, leaf)) if several and not _has_several(arrays) else arrays.append((place, leaf))
    numbers = [(place, leaf) for place, leaf in seen.leaves.items() if isinstance(leaf, Plain) and leaf.kind == "int"]
    return next(iter([*arrays, *numbers]), None)


def _has_several(arrays: list[tuple[Place, Leaf]]) -> bool:
    return any(isinstance(leaf, Numbers) and leaf.values.ndim > 1 for _, leaf in arrays)


def _askable(leaf: Numbers) -> bool:
    values = leaf.values
    plain = values.dtype.kind in "biuf" and 0 < values.size <= MOST_NUMBERS
    return plain and bool(np.isfinite(values.astype(float)).all())


def _arrays(probe: Probe) -> list[Array]:
    return [value for value in probe.values() if isinstance(value, np.ndarray)]


def _follows(probe: Probe, leaf: Leaf) -> bool:
    """Whether the answer follows from what is shown: numbers from nothing were given by `observe` out of sight."""
    given = [*_arrays(probe), *(value for value in probe.values() if isinstance(value, Build))]
    return bool(given) or not (isinstance(leaf, Numbers) and leaf.values.dtype.kind == "f")


def _rank(probe: Probe, call: str, leaf: Leaf, number: int) -> tuple[float, ...]:
    """Arrays first and one call alone, then sizes pairwise different and none of them 1, then few numbers.

    Of single whole numbers the larger ones: from small ones hardly anything can be told.
    """
    if isinstance(leaf, Plain):
        given = [value for value in probe.values() if type(value) is int]
        return 2, len(given) - len(set(given)) + given.count(1), -min(int(leaf.key), MOST_WHOLE), number
    shape = leaf.values.shape
    single = len(shape) < 2
    alike = max(len(each) - len(set(each)) + each.count(1) for each in (shape, *(a.shape for a in _arrays(probe))))
    return 2 * single + (";" in call or call.count(").") > 0), alike, probe_size(probe), number


# --- what is asked -----------------------------------------------------------------------------------------------


def _asked(known: Behaviours, candidate: _Candidate) -> Question:
    """The question on one candidate, with what the mistakes give."""
    question, leaf = _without_mistakes(known.models, candidate), candidate.leaf
    answers = _answers(known.mistaken, candidate)
    if isinstance(leaf, Plain):
        value = float(int(leaf.key))
        plain = {slug: each for slug, each in answers.items() if isinstance(each, Plain) and each.kind == "int"}
        wrong = {slug: float(int(each.key)) for slug, each in plain.items() if each.key != leaf.key}
        return replace(question, shape=None, index=(), value=value, values=wrong)
    values = leaf.values
    shapes = {slug: _shape(other) for slug, other in answers.items() if _shape(other) != values.shape}
    question = replace(question, shapes=shapes)
    if not _asks_a_number(candidate):
        return question
    alike = {slug: other.values for slug, other in answers.items() if slug not in shapes and isinstance(other, Numbers)}
    index = _telling_index(values, alike.values())
    right = float(values[index])
    told = {slug: float(each[index]) for slug, each in alike.items() if each.dtype.kind in "iuf"}
    wrong = {slug: value for slug, value in told.items() if _apart(value, right)}
    return replace(question, index=index, value=right, values=wrong)


def _without_mistakes(models: MistakeModels, candidate: _Candidate) -> Question:
    place, leaf = candidate.place, candidate.leaf
    names = (".".join(map(str, place)), str(place[-1])) if place else ()
    axes = models.axes_of(*names, "result")
    shape = tuple(leaf.values.shape) if isinstance(leaf, Numbers) else ()
    axes = axes[len(axes) - len(shape) :] if len(axes) >= len(shape) else ()
    shown = shown_inputs(models, candidate.probe)
    if not _seen_through(candidate.probe):  # a shape does not depend on what a module holds
        shown = tuple((name, value) for name, value in shown if name in candidate.probe)
    lists = {name: repr(value) for name, value in candidate.probe.items() if isinstance(value, list | tuple)}
    shown = tuple((name, Shown("text", text=lists[name]) if name in lists else value) for name, value in shown)
    return Question(candidate.probe, candidate.call, shown, place, axes, leaf, shape)


def _answers(mistaken: Iterable[Behaviour], candidate: _Candidate) -> dict[str, Leaf | str]:
    """What each mistake gives in the asked place, in the first of its styles; RAISES where it raises."""
    found: dict[str, Leaf | str] = {}
    for mistake in mistaken:
        slug = mistake.slugs[0]
        if slug not in found:
            seen = mistake.on(candidate.probe)
            leaf = RAISES if seen.raised else seen.leaves.get(candidate.place)
            found |= {} if leaf is None else {slug: leaf}
    return found


def _shape(answer: Leaf | str) -> Shape | str:
    if isinstance(answer, Numbers):
        return tuple(answer.values.shape)
    return RAISES if answer == RAISES else ()


def _seen_through(probe: Probe) -> bool:
    """Whether a person can work out a number: no module hides what it holds, and no input is a random one."""
    floats = [value for value in _arrays(probe) if value.dtype.kind == "f"]
    plain = all(bool((8 * value == np.round(8 * value)).all()) for value in floats)
    return plain and not any(isinstance(value, Build) and value.state for value in probe.values())


def _asks_a_number(candidate: _Candidate) -> bool:
    bools = isinstance(candidate.leaf, Numbers) and candidate.leaf.values.dtype.kind == "b"
    return not bools and _seen_through(candidate.probe)


def _telling_index(right: Array, others: Iterable[Array]) -> tuple[int, ...]:
    """Where most mistakes give another number; of several such places one that is not 0, else the first."""
    told = 0.5 * (np.abs(right) > DIFFERENT)
    for other in others:
        if other.dtype.kind in "iuf":
            told = told + (elementwise(other.astype(float), right.astype(float)) > DIFFERENT)
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(told)), right.shape))


def _apart(got: float, right: float) -> bool:
    return math.isfinite(got) and abs(got - right) > DIFFERENT * max(1.0, abs(right))
