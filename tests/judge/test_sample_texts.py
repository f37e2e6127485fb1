"""What a failed sample check says, read into short lines."""

import numpy as np
import pytest

from grader.judge.sample_texts import Seen, seen
from grader.judge.samples import run_samples
from grader.model import Message
from grader.sandbox.client import Sandbox


def said(got: object, expected: object) -> Seen:
    """What is seen of numpy's own text, in whatever version of numpy runs here."""
    with pytest.raises(AssertionError) as caught:
        np.testing.assert_allclose(got, expected)
    return seen(str(caught.value))


def test_two_arrays_are_shown_one_below_the_other() -> None:
    """How many numbers differ and which is the first one, then both arrays as numpy writes them."""
    found = said(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 5.0]]))
    assert found.told is not None
    assert found.told.fields["count"] == "1 / 4"
    assert [(label and label.key, lines) for label, lines in found.parts] == [
        ("samples.expected", ("array([[1., 2.],", "       [3., 5.]])")),
        ("samples.got", ("array([[1., 2.],", "       [3., 4.]])")),
    ]


def test_shapes_and_nan_are_told_in_words() -> None:
    """Another shape, and nan in other places, are no count of numbers."""
    assert said(np.zeros(2), np.zeros(3)).told == Message("samples.shapes_differ", {"got": "(2,)", "expected": "(3,)"})
    assert said(np.array([np.nan, 1.0]), np.array([0.0, 1.0])).told == Message("samples.nan_differs")


@pytest.mark.parametrize(
    ("text", "key", "lines"),
    [
        ("expected a ValueError, found none", "samples.no_error", []),
        ("expected a ValueError that says 'h', found 'no'", "samples.other_error", []),
        ("assert f(2) == 4\nf(2) = 3", "samples.does_not_hold", ["assert f(2) == 4", "f(2) = 3"]),
        ("too\nbad\n", None, ["too", "bad"]),
        ("\n".join(map(str, range(40))), None, [*"012345", "…", *map(str, range(34, 40))]),
    ],
    ids=["no error", "another text", "an assertion", "any text", "a long one"],
)
def test_other_texts_are_kept_in_lines(text: str, key: str | None, lines: list[str]) -> None:
    """A missing error in the reader's language, an assertion with its left side, any other text as it is."""
    found = seen(text)
    assert (found.told and found.told.key, [each for _, part in found.parts for each in part]) == (key, lines)


def test_only_a_check_is_shown_as_it_is_written(sandbox: Sandbox) -> None:
    """A bare assertion of the check is told with its left side; one in the answer is told with its place there."""
    checks = "from double import double\n\n\ndef test_it():\n    assert double(2) == 4\n"
    wrong, own = "def double(x):\n    return 3 * x\n", "def double(x):\n\n\n\n    assert x == 1\n"
    (of_check,) = run_samples(sandbox, "double", wrong, checks)
    (of_answer,) = run_samples(sandbox, "double", own, checks)
    assert of_check.trouble is not None
    assert of_answer.trouble is not None
    assert "assert double(2) == 4" in str(of_check.trouble)
    assert "assert double(2) == 4" not in str(of_answer.trouble)
