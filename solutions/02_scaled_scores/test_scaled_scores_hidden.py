"""Hidden checks for 02_scaled_scores (Vaswani et al. 2017, section 3.2.1)."""

import numpy as np
import pytest

from grader.checks import assert_close, assert_not_zero, assert_numbers, assert_shape, assert_unchanged, seeded

# h, L, S, d_k and d_model = h * d_k are pairwise different, and the root of d_k is no whole number
# the last one is self-attention: as many keys as queries
SIZES = pytest.mark.parametrize(("h", "L", "S", "d_k"), [(3, 5, 7, 6), (2, 7, 4, 5), (4, 2, 6, 3), (2, 5, 5, 9)])


def queries_and_keys(h, L, S, d_k, seed=0, dtype=np.float64):
    """Random queries (h, L, d_k) and keys (h, S, d_k), unlike each other also where L = S."""
    return seeded((h, L, d_k), seed=seed, dtype=dtype), seeded((h, S, d_k), seed=100 + seed, dtype=dtype)


@pytest.mark.points(1)
@SIZES
def test_result_has_a_score_for_each_query_and_key(submission, h, L, S, d_k):
    """The result must be one array of numbers with a row for each query and a column for each key, in every head.

    Why: it speaks of the shape alone, before anybody has to think about values, and gives its point for that much.
    """
    got = submission.scaled_scores(*queries_and_keys(h, L, S, d_k))
    assert_shape(got, h=h, L=L, S=S)
    assert_numbers(got)


@pytest.mark.points(2)
@SIZES
def test_a_query_meets_each_key_of_its_own_head(submission, reference, h, L, S, d_k):
    """Scores must be 0 exactly where query and key share no feature: here each has a single 1. No scale matters.

    Why: gives points for the right pairs where only the scale is wrong.
    """
    features = np.eye(d_k)
    q_feature, k_feature = (np.abs(x).argmax(axis=-1) for x in queries_and_keys(h, L, S, d_k, seed=1))  # (h, L), (h, S)
    q, k = features[q_feature], features[k_feature]
    got = submission.scaled_scores(q, k)
    assert_shape(got, h=h, L=L, S=S)
    assert_numbers(got)
    shared = reference.scaled_scores(q, k) > 0
    assert_close(np.where(shared, 0.0, got), np.zeros((h, L, S)), axes="h L S")
    assert_not_zero(got, shared, axes="h L S")


@pytest.mark.points(4)
@SIZES
def test_products_are_divided_by_the_root_of_d_k(submission, reference, h, L, S, d_k):
    """Every score must be the dot product divided by the root of d_k, whatever the other sizes.

    Why: this is the task itself; the checks after it repeat it for unusual sizes and dtypes.
    """
    q, k = queries_and_keys(h, L, S, d_k, seed=2)
    got = submission.scaled_scores(q, k)
    assert_close(got, reference.scaled_scores(q, k), axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "L", "S", "d_k"), [(1, 3, 4, 5), (3, 1, 4, 2), (2, 5, 1, 3), (2, 3, 4, 1)])
def test_one_of_anything(submission, reference, h, L, S, d_k):
    """An axis of length 1 must be treated like any other; a d_k of 1 leaves the products as they are."""
    q, k = queries_and_keys(h, L, S, d_k, seed=3)
    got = submission.scaled_scores(q, k)
    assert_close(got, reference.scaled_scores(q, k), axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "L", "S", "d_k"), [(3, 4, 7, 5), (2, 5, 3, 6)])
def test_whole_numbers_keep_their_fractions(submission, reference, h, L, S, d_k):
    """Queries and keys of whole numbers must give the scores of the same numbers as float, a query of zeros too."""
    q = np.arange(h * L * d_k).reshape(h, L, d_k) * 7 % 5 - 2
    q[0, 1] = 0
    k = np.arange(h * S * d_k).reshape(h, S, d_k) * 3 % 7 - 3
    got = submission.scaled_scores(q, k)
    assert_close(got, reference.scaled_scores(q, k), axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize("kind", ["float32", "view"])
def test_float32_and_untouched_arguments(submission, reference, kind):
    """float32 and arrays that are not contiguous must give right scores, and both arguments must stay as they were.

    Why: whoever is right for float64 may still lose digits of float32, rely on the memory order, or write into q or k.
    """
    h, L, S, d_k = 3, 5, 4, 6
    if kind == "float32":
        q, k = queries_and_keys(h, L, S, d_k, seed=4, dtype=np.float32)
    else:
        q, k = (x.swapaxes(0, 1) for x in (seeded((L, h, d_k)), seeded((S, h, d_k))))  # as split_heads gives them
    got = submission.scaled_scores(q, k)
    assert_close(got, reference.scaled_scores(q, k), axes="h L S", dtype=q.dtype)
    assert_unchanged(submission)
