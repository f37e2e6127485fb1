"""The assertions of grader/checks.py: what they let through, and what they say of everything else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader import texts
from grader.checks import (
    CheckFailure,
    assert_above_zero,
    assert_close,
    assert_not_zero,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    assert_whole,
    assert_zero,
    expect_error,
    object_of,
    seeded,
)
from grader.model import LANGUAGES
from grader.sandbox.client import LocalSubject, Raised, Stopped
from grader.sandbox.wire import ExceptionReport, Opaque

WANT = np.arange(6.0).reshape(2, 3)
OTHER = WANT + np.array([[0, 0, 0], [0, 0.5, 0]])


def failure(call: Any) -> CheckFailure:
    with pytest.raises(CheckFailure) as caught:
        call()
    return caught.value


def said(call: Any) -> str:
    """The English sentence of a failing assertion; the Chinese one has to render too."""
    message = failure(call).message
    english, _chinese = (texts.say(message, language) for language in LANGUAGES)
    return english


def with_value(value: object, at: tuple[int, ...] = (1, 1)) -> np.ndarray:
    changed = WANT.astype(np.result_type(WANT, value))
    changed[at] = value
    return changed


# what came back, in place of WANT -> the sentence about it
WRONG = {
    "None": (None, "The function returned nothing (None): is a `return` missing?"),
    "rounded": (
        (WANT + 1e-6).astype(np.float32),
        "The numbers are rounded: the result is float32, expected float64. Keep the dtype of what comes in.",
    ),
    "text": ("no", "The result is of type str; expected one array with the axes (L, d_model)."),
    "label": (
        Opaque("Always", ""),
        "The result is of type Always; expected one array with the axes (L, d_model).",
    ),
    "label with detail": (
        Opaque("Lying", "a subclass of numpy.ndarray, shape (2, 3)"),
        (
            "The result is of type Lying (a subclass of numpy.ndarray, shape (2, 3)); "
            "expected one plain array of numbers with the axes (L, d_model)."
        ),
    ),
    "list of arrays": (
        [WANT, WANT],
        (
            "The result is a list holding arrays (2 of them); expected one array with the axes (L, d_model): join them "
            "into one."
        ),
    ),
    "list of lists": (WANT.tolist(), "The result is a list; expected one array with the axes (L, d_model)."),
    "tuple": ((1, 2), "The result is a tuple; expected one array with the axes (L, d_model)."),
    "float": (0.5, "The result is a single number (float); expected one array with the axes (L, d_model)."),
    "numpy scalar": (
        np.float64(0.5),
        "The result is a single number (float64); expected one array with the axes (L, d_model).",
    ),
    "an axis too many": (
        WANT[None],
        "Number of axes of the result: 3, shape (1, 2, 3). Expected: 2, shape (2, 3) = (L, d_model).",
    ),
    "no axis": (np.array(0.5), "Number of axes of the result: 0, shape (). Expected: 2, shape (2, 3) = (L, d_model)."),
    "one axis": (
        np.zeros(6),
        "Number of axes of the result: 1, shape (6,). Expected: 2, shape (2, 3) = (L, d_model).",
    ),
    "an extra row": (np.zeros((3, 3)), "The result has shape (3, 3); expected (2, 3) = (L, d_model)."),
    "transposed": (
        WANT.T,
        (
            "The result has shape (3, 2); expected (2, 3) = (L, d_model). "
            "The lengths are right, the order of the axes is not."
        ),
    ),
    "bools": (WANT > 1, "The result holds bool; expected real numbers (int or float)."),
    "complex": (WANT + 0j, "The result holds complex128; expected real numbers (int or float)."),
    "NaN": (
        np.full((2, 3), np.nan),
        (
            "NaN (not a number) in 6 of 6 places, first at index [0,0] (L, d_model), where 0 is expected. "
            "0/0 and inf − inf give NaN: look at what is divided, and at what goes into exp."
        ),
    ),
    "one NaN in a corner": (
        with_value(np.nan, (1, 2)),
        (
            "NaN (not a number) in 1 of 6 places, first at index [1,2] (L, d_model), where 5 is expected. "
            "0/0 and inf − inf give NaN: look at what is divided, and at what goes into exp."
        ),
    ),
    "infinity": (
        with_value(np.inf),
        (
            "Infinity in 1 of 6 places, first at index [1,1] (L, d_model), where 4 is expected. "
            "Look at what is divided by 0, and at large numbers that go into exp."
        ),
    ),
    "values": (
        OTHER,
        "Wrong: 1 of 6 numbers. The first is at index [1,1] (L, d_model): expected 4, got 4.5 (tolerance 5e-9).",
    ),
    "values that look alike": (
        with_value(4.0000001),
        (
            "Wrong: 1 of 6 numbers. The first is at index [1,1] (L, d_model): "
            "expected 4.0, got 4.0000001 (tolerance 5e-9)."
        ),
    ),
}


@pytest.mark.parametrize(("got", "sentence"), WRONG.values(), ids=WRONG)
def test_says_what_is_wrong_with_a_result(got: object, sentence: str) -> None:
    """Every kind of wrong result has a sentence of its own, with the axes by name and the numbers in it."""
    assert said(lambda: assert_close(got, WANT, axes="L d_model")) == sentence


WRONG_NUMBERS = {
    "None": (None, "The function returned nothing (None): is a `return` missing?"),
    "list": ([4], "The result is of type list; expected a single number."),
    "label": (Opaque("Four"), "The result is of type Four; expected a single number."),
    "array": (np.array([4]), "The result has shape (1,); expected a single number."),
    "bool": (True, "The result holds bool; expected real numbers (int or float)."),
    "huge": (10**40, "The result holds object; expected real numbers (int or float)."),
    "NaN": (np.nan, "The result is NaN (not a number); expected 4. 0/0 and inf − inf give NaN."),
    "infinity": (-np.inf, "The result is infinite; expected 4."),
    "other": (5, "Expected 4, got 5 (tolerance 5e-9)."),
}


@pytest.mark.parametrize(("got", "sentence"), WRONG_NUMBERS.values(), ids=WRONG_NUMBERS)
def test_says_what_is_wrong_with_a_number(got: object, sentence: str) -> None:
    """Where one number is expected, the sentences speak of one number."""
    assert said(lambda: assert_close(got, 4)) == sentence


# what came back, in place of a whole number -> the sentence about it
NOT_WHOLE = {
    "float": (64.0, "The result is 64.0, of type float; expected a whole number: an int, or an integer of numpy."),
    "bool": (True, "The result is True, of type bool; expected a whole number: an int, or an integer of numpy."),
    "array": (
        np.array(64),
        "The result is 64, of type ndarray; expected a whole number: an int, or an integer of numpy.",
    ),
    "None": (None, "The function returned nothing (None): is a `return` missing?"),
    "text": ("64", "The result is of type str; expected a single number."),
    "shape": (np.array([64]), "The result has shape (1,); expected a single number."),
}


@pytest.mark.parametrize(("got", "sentence"), NOT_WHOLE.values(), ids=list(NOT_WHOLE))
def test_says_what_is_no_whole_number(got: object, sentence: str) -> None:
    """A value that is no whole number is told with its type, a float of whole value too."""
    assert said(lambda: assert_whole(got)) == sentence


def test_lets_whole_numbers_through() -> None:
    """An int of Python and an integer of numpy are whole numbers of any size."""
    for got in (0, -3, 2**70, np.int64(64), np.uint8(8)):
        assert_whole(got)


# what came back, where only the shape is asked about -> the sentence about it
NO_NUMBERS = {
    "NaN": (np.array([1.0, np.nan, np.inf]), "Numbers of the result that are NaN or infinite: 2 of 3."),
    "complex": (np.array([1j]), "The result holds complex128; expected real numbers (int or float)."),
    "bool": (np.array([True]), "The result holds bool; expected real numbers (int or float)."),
    "None": (None, "The result holds NoneType; expected real numbers (int or float)."),
}


@pytest.mark.parametrize(("got", "sentence"), NO_NUMBERS.values(), ids=list(NO_NUMBERS))
def test_says_what_are_no_numbers(got: object, sentence: str) -> None:
    """An array of anything but finite real numbers is refused, also where only its shape is of interest."""
    assert said(lambda: assert_numbers(got)) == sentence


def test_says_which_numbers_must_be_zero_and_which_not() -> None:
    """A rule on zero or the sign counts what breaks it and shows the first such number; a shared mask is spread out."""
    got, places = np.array([[[0.0, 1e-12], [2.0, 0.0]]]), np.array([[True, True], [False, True]])
    assert said(lambda: assert_zero(got, places, axes="h L S")) == (
        "Must be exactly 0, and are not: 1 of 3 numbers. The first is at index [0,0,1] (h, L, S): 1e-12."
    )
    assert said(lambda: assert_not_zero(got, places, axes="h L S")) == (
        "Must not be 0, and are: 2 of 3 numbers. The first is at index [0,0,0] (h, L, S)."
    )
    assert said(lambda: assert_above_zero(-got, ~places, axes="h L S")) == (
        "Must be above 0, and are not: 1 of 1 numbers. The first is at index [0,1,0] (h, L, S): -2."
    )
    assert_zero(got * places[::-1], np.eye(2, dtype=bool), axes="h L S")
    assert_not_zero(got, got != 0, axes="h L S")
    assert_above_zero(got, got != 0, axes="h L S")


def test_lets_numbers_through() -> None:
    """Whole numbers and floats of any value are numbers."""
    for got in (np.arange(3), np.zeros((2, 3), dtype=np.float32), np.empty((0, 2))):
        assert_numbers(got)


def test_wants_bool_where_true_and_false_are_expected() -> None:
    """A mask of 0 and 1 is refused with a sentence about bool, and a wrong mask is counted without a tolerance."""
    want = WANT > 2
    assert said(lambda: assert_close(want.astype(int), want, axes="L S")) == (
        "The result holds int64; expected True and False (dtype bool)."
    )
    assert said(lambda: assert_close(~want, want, axes="L S")) == (
        "Wrong: 6 of 6 values. The first is at index [0,0] (L, S): expected False, got True."
    )
    assert said(lambda: assert_close(False, True)) == "Expected True, got False."
    assert_close(want.copy(), want, axes="L S")


@pytest.mark.parametrize(
    ("got", "want", "axes"),
    [
        (WANT.copy(), WANT, "L d_model"),
        (WANT.astype(int), WANT, "L d_model"),
        (WANT, WANT.astype(int), "L d_model"),
        (WANT.astype(np.float32), WANT, "L d_model"),
        (4, 4, ""),
        (4.0, 4, ""),
        (np.int64(4), 4, ""),
        (np.array(4), 4, ""),
        (np.float32(4), np.float64(4), ""),
        (np.array([-np.inf, 1]), np.array([-np.inf, 1]), "S"),
        (np.zeros((0, 3)), np.zeros((0, 3)), "L S"),
        (WANT + 1j, WANT + 1j, "L d_model"),
    ],
)
def test_lets_right_results_through(got: object, want: object, axes: str) -> None:
    """Equal values pass whatever the width of their dtype, int for float included, and an infinity meets itself."""
    assert_close(got, want, axes=axes)


def test_compares_infinities_by_themselves() -> None:
    """Where the expected value is infinite, neither a finite number nor the other infinity passes."""
    want = np.array([-np.inf, 1.0])
    for got in (-1e300, np.inf, np.nan):
        failure(lambda got=got: assert_close(np.array([got, 1.0]), want, axes="S"))


def test_tolerance_follows_the_dtype_of_the_input() -> None:
    """1e-9 for float64 and whole numbers, 1e-5 for float32, relative and absolute together."""
    want = np.array([0.0, 1000.0])
    assert_close(want + np.array([0.9e-9, 0.9e-6]), want, axes="S")
    assert_close(want + np.array([0.9e-5, 0.9e-2]), want, axes="S", dtype=np.float32)
    assert_close(want.astype(np.float32) * np.float32(1 + 1e-6), want.astype(np.float32), axes="S")
    failure(lambda: assert_close(want + np.array([1.1e-9, 0]), want, axes="S"))
    failure(lambda: assert_close(want + np.array([0, 1.1e-6]), want, axes="S", dtype=np.int64))
    failure(lambda: assert_close(want + np.array([1.1e-5, 0]), want, axes="S", dtype=np.float32))


def test_a_suite_at_fault_raises_no_check_failure() -> None:
    """Axes that do not fit, a dtype without tolerance and an expected NaN are the author's fault, not the student's."""
    with pytest.raises(ValueError, match="names 1 axes, the expected value has 2"):
        assert_close(WANT, WANT, axes="L")
    with pytest.raises(ValueError, match="no tolerance is set for dtype bytes8: bfloat16, float16, float32, float64"):
        assert_close(WANT, WANT, axes="L S", dtype="S1")
    with pytest.raises(ValueError, match="the expected value holds NaN"):
        assert_close(WANT, WANT * np.nan, axes="L S")


def test_assert_shape_takes_axes_by_name() -> None:
    """The shape is held against the named lengths in their order; without axes one number is asked for."""
    assert_shape(WANT, L=2, d_model=3)
    assert_shape(0.5)
    assert said(lambda: assert_shape(WANT, L=2, d_k=4)) == "The result has shape (2, 3); expected (2, 4) = (L, d_k)."
    assert said(lambda: assert_shape(np.zeros(2), h=3)) == "The result has shape (2,); expected (3,) = (h,)."


def test_an_object_that_stays_in_the_worker_is_no_array() -> None:
    """An object of the submission is named by its type."""
    made = LocalSubject(SimpleNamespace(make=object)).make("make")
    assert (
        said(lambda: assert_shape(made, L=2)) == "The result is of type object; expected one array with the axes (L,)."
    )


def test_object_of_wants_an_object_of_the_submission() -> None:
    """An object that stays in the worker passes; None, an array, a class or an object of a library does not."""

    class Layer:
        pass

    subject = LocalSubject(SimpleNamespace(make=lambda value: value, Layer=Layer))
    made = subject.make("Layer")
    assert object_of(made, "Layer") is made
    assert said(lambda: object_of(None, "Layer")) == WRONG["None"][1]
    for value, kind in ((WANT, "ndarray"), ((1, 2), "tuple")):
        expected = f"The result is of type {kind}; expected an object of the class Layer."
        assert said(lambda value=value: object_of(subject.make("make", value), "Layer")) == expected
    library = LocalSubject(SimpleNamespace(make=lambda: np.random.default_rng(0), itself=lambda: Layer))
    assert "of type numpy.random._generator.Generator" in said(lambda: object_of(library.make("make"), "Layer"))
    assert "of type type" in said(lambda: object_of(library.make("itself"), "Layer"))


def test_seeded_numbers_repeat() -> None:
    """The same shape and seed give the same numbers; another shape or seed gives unrelated ones."""
    assert np.array_equal(seeded((3, 5)), seeded((3, 5)))
    assert seeded((3, 5), dtype=np.float32).dtype == np.float32
    assert not np.isclose(seeded((3, 5)).ravel()[:5], seeded((5, 3)).ravel()[:5]).any()
    assert not np.isclose(seeded((3, 5)), seeded((3, 5), seed=1)).any()


def test_seeded_numbers_belong_to_who_asks() -> None:
    """A suite or a submission that writes into an input changes no later one."""
    before = seeded((3, 5)).copy()
    seeded((3, 5))[:] = 0
    assert np.array_equal(seeded((3, 5)), before)


def test_names_the_argument_that_was_changed() -> None:
    """An argument changed in place is called by its name; an untouched call passes."""

    def sorts(heads: np.ndarray, other: np.ndarray) -> np.ndarray:
        heads.sort()
        return other

    subject = LocalSubject(SimpleNamespace(sorts=sorts, same=lambda heads: heads))
    subject.sorts(-WANT, WANT)
    assert said(lambda: assert_unchanged(subject)) == (
        "The call changed its argument heads in place; arguments must stay as they are. Work on a copy."
    )
    subject.same(WANT)
    assert_unchanged(subject)


def raising(error: BaseException) -> Any:
    def call() -> None:
        raise error

    subject = LocalSubject(SimpleNamespace(call=call))
    return lambda: subject.call("call")


class Indivisible(ValueError):
    """An exception of a student's own."""


def test_expected_errors_pass() -> None:
    """The named type or a class derived from it passes, with the numbers anywhere in its text."""
    expect_error(raising(Indivisible("d_model=10 cannot be split into 3 heads.")), mentions=(10, 3))
    expect_error(raising(AssertionError()), types=("ValueError", "AssertionError"))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: None, "No exception was raised; for this input ValueError is expected."),
        (raising(TypeError("bad")), "TypeError was raised (bad); for this input ValueError is expected."),
        (
            raising(ValueError("not divisible")),
            "ValueError was raised, as it should be, but its text does not name 10, 3. The text is: not divisible",
        ),
        (
            raising(ValueError("100 is not divisible by 3.5 or 10.")),
            (
                "ValueError was raised, as it should be, but its text does not name 3. The text is: "
                "100 is not divisible by 3.5 or 10."
            ),
        ),
    ],
)
def test_says_what_is_wrong_with_an_exception(call: Any, sentence: str) -> None:
    """No exception, another type, and a text without the numbers each have a sentence of their own."""
    assert said(lambda: expect_error(call, mentions=(10, 3))) == sentence


def test_an_error_that_merely_comes_about_is_told_from_one_of_the_code() -> None:
    """Where numpy raises the right type for a reason of its own, it is not said that this is as it should be."""
    report = ExceptionReport(("ValueError", "Exception"), "cannot reshape", code="return x.reshape(h, -1)")

    def call() -> None:
        raise Raised(report)

    assert said(lambda: expect_error(call, mentions=(10,))) == (
        "A ValueError came about, but no line of your own raised it, and its text does not name 10: cannot reshape. "
        "Check the sizes first, and raise one of your own."
    )


def test_a_wrong_exception_keeps_the_line_it_came_from() -> None:
    """The exception behind a failure stays attached, so that the student's line can be shown."""
    assert isinstance(failure(lambda: expect_error(raising(TypeError("bad")))).__cause__, Raised)


def test_a_lost_worker_is_no_expected_error() -> None:
    """`expect_error` lets the loss of a worker through: a crash is not the exception that was asked for."""
    lost = Stopped("killed", texts_message := failure(lambda: assert_shape(None, L=1)).message)

    def call() -> None:
        raise lost

    with pytest.raises(Stopped):
        expect_error(call, types=("Exception",))
    assert lost.message is texts_message


def test_every_sentence_of_the_checks_is_proved_here() -> None:
    """No sentence of checks.toml lacks a test: here, in test_checks_tensors.py, or three in test_grading.py."""
    elsewhere = {"rule_broken", "empty_file", "grader_fault"}
    elsewhere |= {"no_tensor", "no_tensor_detail", "sequence_of_tensors", "array_for_tensor", "tensor_for_array"}
    elsewhere |= {"not_contiguous", "nothing_in_memory", "no_tuple", "tuple_length", "called_with", "left_to_library"}
    seen = {failure(lambda got=got: assert_close(got, WANT, axes="L d_model")).message.key for got, _ in WRONG.values()}
    seen |= {failure(lambda got=got: assert_close(got, 4)).message.key for got, _ in WRONG_NUMBERS.values()}
    assert set(texts.area("checks")) - {key.removeprefix("checks.") for key in seen} - elsewhere == {
        *("dtype_bool", "wrong_bools", "wrong_bool", "changed_argument", "no_error", "wrong_error", "text_lacks"),
        "text_by_accident",
        *("no_whole_number", "not_finite", "no_object", "not_zero", "is_zero", "not_above_zero"),
    }


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_only_right_numbers_are_told_to_be_rounded(dtype: str) -> None:
    """Numbers that are right as far as a smaller dtype can hold them are told to be that; wrong ones are wrong."""
    want = seeded((3, 4))
    rounded = f"The numbers are rounded: the result is {dtype}, expected float64. Keep the dtype of what comes in."
    assert said(lambda: assert_close(want.astype(dtype), want, axes="L d")) == rounded
    assert failure(lambda: assert_close(2 * want.astype(dtype), want, axes="L d")).message.key == "checks.wrong_values"
