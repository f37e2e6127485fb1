"""The smallest input that fails is found and prepared for display."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from grader.course import load_course, load_exercise, load_module
from grader.diagnosis.engine import diagnose
from grader.model import Counterexample, Diagnosis, Shown
from grader.sandbox.client import LocalSubject

COURSE = load_course(Path(__file__).parents[2])
Diagnosed = Callable[..., Diagnosis]


def _example(diagnosis: Diagnosis) -> Counterexample:
    example = diagnosis.findings[0].counterexample if diagnosis.findings else diagnosis.counterexample
    assert example is not None
    return example


def _array(axes: str, shape: tuple[int, ...], *values: float) -> Shown:
    return Shown("array", tuple(axes.split()), shape, "float64", values)


def test_the_smallest_input_is_shown_with_both_answers(diagnosed: Diagnosed) -> None:
    """Inputs and answers come with the names of their axes and the first wrong place."""
    example = _example(diagnosed("def centred(x):\n    return x - x.mean()"))
    assert example == Counterexample(
        call="centred(x)",
        inputs=(("x", _array("L d", (2, 1), 1.0, 2.0)),),
        expected=_array("L d", (2, 1), 0.0, 0.0),
        actual=_array("L d", (2, 1), -0.5, 0.5),
        first_wrong=(0, 0),
    )


def test_only_inputs_that_show_the_named_mistake_are_looked_at(diagnosed: Diagnosed) -> None:
    """A larger input is taken where the submission is right, or the mistake invisible, on the smaller ones."""
    example = _example(diagnosed("def row_sums(x):\n    return x.reshape(len(x.T), len(x.T)).sum(axis=1)"))
    assert example.inputs[0][1].shape == (1, 2)


def test_another_shape_has_no_wrong_place_and_no_names(diagnosed: Diagnosed) -> None:
    """Names of axes and a first wrong place are given only where the shapes agree."""
    example = _example(diagnosed("def row_sums(x):\n    return x.sum(axis=1, keepdims=True)"))
    assert example.expected == _array("L", (1,), 1.0)
    assert example.actual == _array("", (1, 1), 1.0)
    assert example.first_wrong is None


def test_an_exception_is_shown_as_one(diagnosed: Diagnosed) -> None:
    """Type and text of an exception stand where the answer would, cut and on one line."""
    example = _example(diagnosed("def row_sums(x):\n    raise KeyError('no\\n' + 'x' * 1000)"))
    assert example.actual.kind == "error"
    assert example.actual.text.startswith("KeyError: 'no\\nxxx")
    assert len(example.actual.text) < 350
    assert example.expected == _array("L", (1,), 1.0)
    bare = _example(diagnosed("def row_sums(x):\n    raise ValueError"))
    assert bare.actual == Shown("error", text="ValueError")


def test_a_refusal_is_shown_as_the_exception_it_is() -> None:
    """Where inputs must be refused, both exceptions stand there in full."""
    exercise = load_exercise(COURSE, "01_split_heads")
    source = "def split_heads(x, num_heads):\n    assert x.shape[1] % num_heads == 0\n    return right(x, num_heads)"
    module = ModuleType("student")
    vars(module).update(right=load_module(exercise.reference).split_heads)
    exec(source, vars(module))  # noqa: S102 - source written above
    example = _example(diagnose(COURSE, exercise, LocalSubject(module), 0))
    assert (example.expected.kind, example.actual.kind) == ("error", "error")
    assert example.expected.text.startswith("ValueError: ")
    assert example.actual.text == "AssertionError"


def test_other_values_are_shown_by_type_and_size(diagnosed: Diagnosed) -> None:
    """What is no array is named in a form that is the same in every language."""
    shown = {
        "None": "None",
        "[1.0, 2.0]": "list, len 2",
        "'a'": "'a'",
        "7": "7",
        "0.5": "0.5",
        "np.zeros((9, 9))": "ndarray (9, 9) float64",
        "np.zeros((999, 999))": "ndarray (999, 999) float64",
        "np.array([None])": "numpy.ndarray (dtype object)",
    }
    for answer, text in shown.items():
        example = _example(diagnosed(f"def row_sums(x):\n    return {answer}"))
        assert example.actual == Shown("text", text=text)


def test_nan_is_a_wrong_place(diagnosed: Diagnosed) -> None:
    """NaN never passes for the number that is expected."""
    example = _example(diagnosed("def row_sums(x):\n    return np.where(x[:, 0] > 1, np.nan, x.sum(axis=1))"))
    assert np.isnan(example.actual.values[1])
    assert example.first_wrong == (1,)


def test_complex_numbers_are_shown_as_text(diagnosed: Diagnosed) -> None:
    """Shown numbers can be drawn; a complex one cannot."""
    example = _example(diagnosed("def row_sums(x):\n    return x.sum(axis=1) + 1j"))
    assert example.actual.values == ("(1+1j)",)
    assert example.first_wrong is None


def test_a_changed_argument_is_shown_before_and_after(diagnosed: Diagnosed) -> None:
    """Where the answer is right and an input was changed, that input is what is shown."""
    example = _example(diagnosed("def centred(x):\n    x -= x.mean(axis=1, keepdims=True)\n    return x"))
    assert example.call == "centred(x); x"
    assert example.expected == example.inputs[0][1] == _array("L d", (1, 1), 1.0)
    assert example.actual == _array("L d", (1, 1), 0.0)
    assert example.first_wrong == (0, 0)


def test_a_larger_input_is_shown_where_no_small_one_fails(diagnosed: Diagnosed) -> None:
    """A failure that only larger inputs show is shown on the smallest of the inputs that were tried."""
    example = _example(diagnosed("def row_sums(x):\n    return x.sum(axis=1) + (x.size > 7)"))
    assert example.inputs[0][1].shape == (4, 2)
