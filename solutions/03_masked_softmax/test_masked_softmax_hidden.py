"""Hidden checks for 03_masked_softmax (Vaswani et al. 2017, sections 3.2.1 and 3.2.3)."""

import numpy as np
import pytest

from grader.checks import (
    assert_above_zero,
    assert_close,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    assert_zero,
    seeded,
)

SIZES = pytest.mark.parametrize(("h", "L", "S"), [(3, 5, 7), (2, 6, 4), (5, 2, 3)])


def mask(shape, seed=0):
    """A random mask in which every row has keys of both kinds, one allowed key at least."""
    rank = seeded(shape, seed=100 + seed).argsort(axis=-1).argsort(axis=-1)  # each row holds 0 … S-1 in random order
    allowed_keys = 1 + np.arange(np.prod(shape[:-1])).reshape(shape[:-1]) % (shape[-1] - 1)  # from 1 to S-1
    return rank < allowed_keys[..., None]


@pytest.mark.points(2)
@pytest.mark.parametrize("length", [1, 2, 5, 6])
def test_causal_mask_shows_a_position_itself_and_the_past(submission, reference, length):
    """Entry [i, j] of the causal mask must be True exactly where j <= i, as a bool."""
    got = submission.causal_allowed(length)
    assert_close(got, reference.causal_allowed(length), axes="L S")


@pytest.mark.points(2)
@SIZES
def test_softmax_runs_over_the_keys(submission, reference, h, L, S):
    """Without a mask each row must be the softmax of its scores, whether None is given or left out.

    Why: gives points for the softmax where only the mask is wrong.
    """
    scores = seeded((h, L, S))
    for got in (submission.masked_softmax(scores), submission.masked_softmax(scores, None)):
        assert_close(got, reference.masked_softmax(scores), axes="h L S")


@pytest.mark.points(1)
@SIZES
def test_blocked_keys_have_weight_0(submission, h, L, S):
    """The weight must be exactly 0 where a key is blocked, and above 0 where it is allowed.

    Why: gives its point for the right keys where only their share is wrong.
    """
    allowed = mask((L, S))
    got = submission.masked_softmax(seeded((h, L, S), seed=1), allowed)
    assert_shape(got, h=h, L=L, S=S)
    assert_numbers(got)
    assert_zero(got, ~allowed, axes="h L S")
    assert_above_zero(got, allowed, axes="h L S")


@pytest.mark.points(1)
@SIZES
def test_allowed_keys_share_the_whole_weight(submission, reference, h, L, S):
    """Under one mask for all heads the weights must be those of a softmax over the allowed keys alone.

    Why: gives its point for the common mask where a mask for each head is not thought of.
    """
    scores, allowed = seeded((h, L, S), seed=2), mask((L, S), seed=1)
    got = submission.masked_softmax(scores, allowed)
    assert_close(got, reference.masked_softmax(scores, allowed), axes="h L S")


@pytest.mark.points(1)
@SIZES
def test_each_head_may_have_a_mask_of_its_own(submission, reference, h, L, S):
    """With one mask for each head, every head must follow its own.

    Why: says plainly that the masks of the heads are mixed up; a check of other things would fail too.
    """
    scores, allowed = seeded((h, L, S), seed=3), mask((h, L, S), seed=2)
    got = submission.masked_softmax(scores, allowed)
    assert_close(got, reference.masked_softmax(scores, allowed), axes="h L S")


def large_scores(kind):
    """Scores and mask of one kind; h, L, S = 3, 4, 6."""
    scores, allowed = seeded((3, 4, 6), seed=4), mask((4, 6), seed=3)
    if kind == "rows far apart":  # rows around -3000, -1000, 1000, 3000 in each head
        return scores + np.array([-3000.0, -1000.0, 1000.0, 3000.0])[:, None], None
    if kind == "heads far apart":
        return scores + np.array([-2000.0, 0.0, 2000.0])[:, None, None], allowed
    if kind == "limits":
        return np.where(scores > 0, 1e4, -1e4), None
    if kind == "lowest allowed, highest blocked":
        return np.where(allowed, -1e4, 1e4) + np.zeros((3, 1, 1)), allowed
    return scores - 9000.0, allowed  # "low rows"


@pytest.mark.points(2)
@pytest.mark.parametrize(
    "kind", ["rows far apart", "heads far apart", "limits", "lowest allowed, highest blocked", "low rows"]
)
def test_large_scores_stay_finite(submission, reference, kind):
    """Scores far from 0 must neither overflow nor vanish, nor reach past a mask."""
    scores, allowed = large_scores(kind)
    got = submission.masked_softmax(scores, allowed)
    assert_close(got, reference.masked_softmax(scores, allowed), axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("kind", ["int64", "float32", "view"])
def test_any_numbers_and_untouched_arguments(submission, reference, kind, masked):
    """Scores of any dtype must give the weights of a softmax, and both arguments must stay as they were."""
    h, L, S = 3, 5, 4
    if kind == "int64":
        scores = np.arange(h * L * S).reshape(h, L, S) * 7 % 5 - 2
    elif kind == "float32":
        scores = seeded((h, L, S), dtype=np.float32)
    else:
        scores = seeded((h, S, L)).swapaxes(1, 2)  # (h, S, L) -> (h, L, S), not contiguous
    allowed = mask((h, L, S), seed=4) if masked else None
    got = submission.masked_softmax(scores, allowed)
    assert_close(got, reference.masked_softmax(scores, allowed), axes="h L S", dtype=scores.dtype)
    assert_unchanged(submission)
