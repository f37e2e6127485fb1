"""Hidden checks for 07_multi_head_attention (Vaswani et al. 2017, section 3.2.2)."""

from contextlib import suppress

import numpy as np
import pytest

from grader.checks import (
    assert_close,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    assert_whole,
    expect_error,
    seeded,
    unpack,
)
from grader.sandbox.client import Raised, RemoteObject

MATRICES = ("w_q", "w_k", "w_v", "w_o")

# h, L, d_k and d_model are pairwise different, and the root of d_k is no whole number
SIZES = ((3, 5, 6), (2, 7, 5), (4, 6, 3))
CASES = (
    *((*size, "numbers of order 1") for size in SIZES),
    *((3, 5, 6, "scores of order 1000"), (3, 4, 5, "int64"), (2, 6, 5, "float32"), (2, 3, 2, "three words")),
)
ALL = pytest.mark.parametrize(("h", "L", "d_k", "kind"), CASES)


def three_words():
    """猫吃鱼: row t of x picks row t of each matrix."""
    w_q = np.array([[1, 1, 0, 0], [0, 2, 0, 2], [0, 0, 1, 1], [0, 0, 0, 0]])
    w_k = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]])
    w_v = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [2, 0, 0, 2], [0, 0, 0, 0]])
    return dict(zip(MATRICES, (w_q, w_k, w_v, np.eye(4)), strict=True)), np.eye(3, 4)


def random_matrices(d_model, seed=0, dtype=np.float64):
    """Four random matrices, none of them symmetric, that keep numbers of order 1 at order 1."""
    drawn = (seeded((d_model, d_model), seed + i, dtype) / np.sqrt(d_model).astype(dtype) for i in range(4))
    return dict(zip(MATRICES, drawn, strict=True))


def given(h, L, d_k, kind):
    """The four matrices, and x of this kind."""
    if kind == "three words":
        return three_words()
    dtype = np.float32 if kind == "float32" else np.float64
    x = seeded((L, h * d_k), seed=9, dtype=dtype)
    if kind == "scores of order 1000":
        x *= 32
    elif kind == "int64":
        x = np.round(2 * x).astype(np.int64)
    return random_matrices(h * d_k, dtype=dtype), x


def attend(layer, matrices, x, *args, **kwargs):
    """What `forward` gives after these matrices have been set."""
    assert isinstance(layer, RemoteObject), "the class makes an object"
    layer.set(**matrices)
    return unpack(layer.call("forward", x, *args, **kwargs), "out", "weights")


@pytest.mark.points(1)
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("h", "L", "d_k"), SIZES)
def test_output_and_weights_come_back(submission, h, L, d_k, causal):
    """A tuple must come back: the output in the shape of x, then a table of weights for each head.

    Why: it speaks of types and shapes alone, before anybody has to think about values, and gives its point for that.
    """
    layer = submission.make("MultiHeadAttention", h * d_k, h)
    out, weights = attend(layer, random_matrices(h * d_k), seeded((L, h * d_k)), causal=causal)
    assert_shape(out, L=L, d_model=h * d_k)
    assert_numbers(out)
    assert_shape(weights, h=h, L=L, S=L)
    assert_numbers(weights)


@pytest.mark.points(2)
@ALL
def test_each_head_weighs_all_positions(submission, reference, h, L, d_k, kind):
    """Without a mask each head must have the softmax of its own scaled scores as weights.

    Why: gives points for split, scores, scale and softmax where mask or output are not right yet.
    """
    matrices, x = given(h, L, d_k, kind)
    _, got = attend(submission.make("MultiHeadAttention", h * d_k, h), matrices, x, causal=False)
    _, want = attend(reference.make("MultiHeadAttention", h * d_k, h), matrices, x, causal=False)
    assert_close(got, want, axes="h L S", dtype=x.dtype)
    assert_close(got.sum(axis=-1), np.ones((h, L)), axes="h L", dtype=x.dtype)


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("h", "L", "d_k", "kind", "causal"),
    [*((*case, "left out") for case in CASES), (*CASES[0], "True"), (*CASES[1], "causal=True")],
)
def test_later_positions_have_no_weight(submission, reference, h, L, d_k, kind, causal):
    """With the mask, which is on unless it is switched off, later positions must have no weight in any head.

    Why: gives points for the mask where what comes after the weights is not right yet.
    """
    matrices, x = given(h, L, d_k, kind)
    args, kwargs = {"left out": ((), {}), "True": ((True,), {}), "causal=True": ((), {"causal": True})}[causal]
    _, got = attend(submission.make("MultiHeadAttention", h * d_k, h), matrices, x, *args, **kwargs)
    assert_shape(got, h=h, L=L, S=L)
    _, want = attend(reference.make("MultiHeadAttention", h * d_k, h), matrices, x)
    assert_close(got, want, axes="h L S", dtype=x.dtype)
    later = np.triu(np.ones((L, L), dtype=bool), k=1)
    assert not got[:, later].any(), "tiny weights are not 0"


@pytest.mark.points(2)
@pytest.mark.parametrize("causal", [True, False])
@ALL
def test_output_is_the_joined_heads_times_w_o(submission, reference, h, L, d_k, kind, causal):
    """The output must be the weighted values of all heads, side by side, times W^O, with and without the mask."""
    matrices, x = given(h, L, d_k, kind)
    got, _ = attend(submission.make("MultiHeadAttention", h * d_k, h), matrices, x, causal=causal)
    want, _ = attend(reference.make("MultiHeadAttention", h * d_k, h), matrices, x, causal=causal)
    assert_close(got, want, axes="L d_model", dtype=x.dtype)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("d_model", "h", "L"), [(6, 1, 4), (5, 5, 3), (6, 2, 1), (10, 4, 3), (11, 4, 3), (9, 2, 3), (4, 8, 3)]
)
def test_any_number_of_heads_that_divides_d_model(submission, reference, d_model, h, L):
    """One head, as many heads as features and one position must work; sizes that do not fit must be refused."""
    if d_model % h:
        refused = ("ValueError", "AssertionError")
        expect_error(lambda: submission.make("MultiHeadAttention", d_model, h), types=refused)
        return
    matrices, x = random_matrices(d_model, seed=20), seeded((L, d_model), seed=29)
    out, weights = attend(submission.make("MultiHeadAttention", d_model, h), matrices, x)
    expected = attend(reference.make("MultiHeadAttention", d_model, h), matrices, x)
    assert_close(out, expected[0], axes="L d_model")
    assert_close(weights, expected[1], axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("L", "L_before"), [(5, 5), (6, 4), (4, 6)])
def test_matrices_are_read_at_each_call_and_left_alone(submission, reference, L, L_before):
    """A second call must follow the matrices and the length of its own, and change neither them nor x."""
    d_model, h = 12, 3
    first, second = (random_matrices(d_model, seed=seed) for seed in (30, 40))
    earlier, x = seeded((L_before, d_model), seed=38), seeded((L, d_model), seed=39)
    layer = submission.make("MultiHeadAttention", d_model, h)
    attend(layer, first, earlier)
    assert_unchanged(submission)
    out, weights = attend(layer, second, x)
    assert_unchanged(submission)
    for name, w in second.items():
        assert_close(layer.get(name), w, axes="d_model d_model")
    expected = attend(reference.make("MultiHeadAttention", d_model, h), second, x)
    assert_close(out, expected[0], axes="L d_model")
    assert_close(weights, expected[1], axes="h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("d_model", "h"), [(24, 4), (15, 3), (10, 1)])
def test_four_matrices_are_counted(submission, reference, d_model, h):
    """The count must be that of the four matrices, a whole number, also after a sequence has passed through."""
    layer = submission.make("MultiHeadAttention", d_model, h)
    assert isinstance(layer, RemoteObject), "the class makes an object"
    for _ in range(2):
        got = layer.call("parameter_count")
        assert_whole(got)
        assert_close(got, reference.make("MultiHeadAttention", d_model, h).call("parameter_count"))
        with suppress(Raised):  # what it raises is told by the checks of the output
            layer.call("forward", seeded((5, d_model)))
