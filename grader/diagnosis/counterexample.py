"""Finds the smallest input on which a submission and right code differ, and prepares it for display."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import methodcaller

import numpy as np

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.leaves import Array, Leaf, Numbers, Place, comparable, elementwise, leaf_of, short_form
from grader.diagnosis.models import MistakeModels, Probe, probe_size
from grader.diagnosis.observation import TOLERANCE, Observation, first_difference, observation_of, same
from grader.model import Counterexample, Shown
from grader.sandbox.client import Subject
from grader.sandbox.wire import Build

MAX_SHOWN = 64  # numbers of one array
MAX_ERROR = 300  # characters of an exception's text


def smallest(
    known: Behaviours, subject: Subject, mistake: Behaviour | None, failed: Iterable[Probe] = ()
) -> Counterexample | None:
    """The first small probe on which the submission differs from right code, where there is one.

    Args:
        mistake: the named mistake; probes on which it does not show are passed over without asking the submission, and
            those on which the submission does something else too.
        failed: larger probes on which the submission is known to differ, for when no small one shows it.

    Raises:
        Stopped, LoadFailed: the submission's worker was lost.
    """
    for probe, done_by in _in_order(known.models, failed):
        expected = done_by(known.right)
        if mistake is not None and same(expected, done_by(mistake)):
            continue
        actual = observation_of(known.models.observe, subject, probe)
        if mistake is not None and not same(done_by(mistake), actual):
            continue  # something else shows there too
        if actual.asked and not same(expected, actual):
            shown = _of_answer(known.models, probe, expected, actual)
            if shown is None and mistake is not None:
                shown = _of_argument(known.models, probe, mistake)
            if shown is not None:
                return shown
    return None


def _in_order(
    models: MistakeModels, failed: Iterable[Probe]
) -> Iterator[tuple[Probe, Callable[[Behaviour], Observation]]]:
    """The probes that are tried, each with what a behaviour does with it; small ones are the same each time."""
    for index, small in enumerate(models.small):
        yield small, methodcaller("at_small", index)
    for probe in sorted(failed, key=probe_size):
        yield probe, methodcaller("on", probe)


def _of_answer(
    models: MistakeModels, probe: Probe, expected: Observation, actual: Observation
) -> Counterexample | None:
    """One input with both answers; None where the answers are the same and only an argument was changed."""
    raised = expected.raised or actual.raised
    place = _first_numbers(expected if actual.raised else actual) if raised else first_difference(expected, actual)
    if place is None:
        return None
    names = (".".join(map(str, place)), str(place[-1])) if place else ()
    axes = models.axes_of(*names, "result")
    wanted, got = (seen.leaves.get(place, seen.leaves.get(())) for seen in (expected, actual))
    return Counterexample(
        call=models.call_of(probe),
        inputs=shown_inputs(models, probe),
        expected=_shown(expected, wanted, axes),
        actual=_shown(actual, got, axes if _shape(wanted) == _shape(got) else ()),
        first_wrong=_first_wrong(wanted, got),
    )


def _first_numbers(seen: Observation) -> Place:
    """Where an exception stands against a value of several parts, the part that is shown."""
    return next((place for place, leaf in seen.leaves.items() if isinstance(leaf, Numbers)), ())


def _of_argument(models: MistakeModels, probe: Probe, mistake: Behaviour) -> Counterexample | None:
    """One input and what the mistake makes of it in place; the worker tells only that it was changed."""
    changed = mistake.input_changed(probe)
    if changed is None:
        return None
    name, before, after = changed[0], leaf_of(changed[1]), leaf_of(changed[2])
    axes = models.axes_of(name)
    return Counterexample(
        call=f"{models.call_of(probe)}; {name}",
        inputs=shown_inputs(models, probe),
        expected=shown_leaf(before, axes),
        actual=shown_leaf(after, axes if _shape(before) == _shape(after) else ()),
        first_wrong=_first_wrong(before, after),
    )


def shown_inputs(models: MistakeModels, probe: Probe) -> tuple[tuple[str, Shown], ...]:
    """Every input; behind an object that is described, the numbers it is given."""
    shown = []
    for name, value in models.inputs_of(probe).items():
        shown.append((name, _shown_input(models, name, value)))
        if isinstance(value, Build):
            held = {part: numbers for part, numbers in (value.state or {}).items() if part not in probe}
            shown += [(f"{name}.{part}", _shown_part(models, part, leaf_of(held[part]))) for part in held]
    return tuple(shown)


def _shown_part(models: MistakeModels, name: str, leaf: Leaf) -> Shown:
    """Numbers inside an object: as torch would be asked for them where that is short, so that the others are seen."""
    if not isinstance(leaf, Numbers):
        return shown_leaf(leaf, ())
    short = as_torch_makes_it(leaf.values)
    axes = models.axes_of(name) or ("out", "in")[: leaf.values.ndim]  # of every linear layer of torch
    return Shown(kind="text", text=short) if short else _shown_array(leaf, axes)


def as_torch_makes_it(values: Array) -> str:
    """The call of torch that makes this matrix or vector, if it is zero, or the identity once or several times."""
    if not values.any():
        return f"torch.zeros({', '.join(map(str, values.shape))})"
    columns = values.shape[-1]
    times, rest = divmod(len(values), columns)
    if values.ndim != 2 or rest or not np.array_equal(values, np.tile(np.eye(columns), (times, 1))):
        return ""
    return f"torch.eye({columns})" + (f".repeat({times}, 1)" if times > 1 else "")


def _shown_input(models: MistakeModels, name: str, value: object) -> Shown:
    leaf = leaf_of(value)
    if isinstance(leaf, Numbers) and leaf.form != "number":
        return _shown_array(leaf, models.axes_of(name))
    return Shown(kind="text", text=short_form(value))


def _shown(seen: Observation, leaf: Leaf | None, axes: tuple[str, ...]) -> Shown:
    if seen.raised is not None:
        return _shown_error(f"{seen.raised.type_name}: {seen.raised.text}")
    return shown_leaf(leaf, axes)


def shown_leaf(leaf: Leaf | None, axes: tuple[str, ...]) -> Shown:
    if isinstance(leaf, Numbers):
        number = leaf.form == "number"
        return Shown(kind="text", text=repr(leaf.values[()].item())) if number else _shown_array(leaf, axes)
    text = leaf.text if leaf else ""
    return _shown_error(text) if leaf and leaf.kind == "refusal" else Shown(kind="text", text=text)


def _shown_error(text: str) -> Shown:
    return Shown(kind="error", text=" ".join(text[:MAX_ERROR].split()).removesuffix(":"))


def _shown_array(leaf: Numbers, axes: tuple[str, ...]) -> Shown:
    values, dtype = leaf.values, leaf.dtype or str(leaf.values.dtype)
    if leaf.form == "tensor":
        dtype = f"torch.{dtype}"  # as torch writes it; an array of the same numbers is something else
    if values.size > MAX_SHOWN:
        return Shown(kind="text", text=f"{'Tensor' if leaf.form == 'tensor' else 'ndarray'} {values.shape} {dtype}")
    plain = values.ravel().tolist()
    return Shown(
        kind="array",
        axes=axes[len(axes) - values.ndim :] if len(axes) >= values.ndim else (),  # a shared mask has the last of them
        shape=values.shape,
        dtype=dtype,
        values=tuple(str(value) if isinstance(value, complex) else value for value in plain),
    )


def _shape(leaf: Leaf | None) -> tuple[int, ...] | None:
    return leaf.values.shape if isinstance(leaf, Numbers) else None


def _first_wrong(expected: Leaf | None, actual: Leaf | None) -> tuple[int, ...] | None:
    """Index of the first wrong element, where both are arrays of one shape and kind."""
    if not (isinstance(expected, Numbers) and isinstance(actual, Numbers) and comparable(expected, actual)):
        return None
    wrong = np.argwhere(~(elementwise(expected.values, actual.values) <= TOLERANCE))
    return tuple(int(i) for i in wrong[0]) if len(wrong) and expected.form != "number" else None
