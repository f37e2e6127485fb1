"""Hidden checks for 14_from_scratch: a module of one's own, held to nn.MultiheadAttention of torch 2.13."""

import pytest
import torch

from grader.checks import (
    assert_close,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    expect_error,
    fail,
    is_deliberate,
    object_of,
    seeded_tensor,
    unpack,
)
from grader.sandbox.client import MissingName, Raised
from grader.sandbox.wire import Build, Opaque

CLASS = "MultiHeadAttention"
FROM_TORCH = f"{CLASS}.from_torch"
OF_TORCH = "torch.nn.modules.activation.MultiheadAttention"
DEPTH = 3  # of parts within parts that are looked through
SIZES = pytest.mark.parametrize(
    ("B", "L", "S", "h", "d_k"), [(4, 5, 7, 3, 6), (2, 6, 3, 4, 5), (3, 4, 4, 5, 2), (2, 3, 5, 1, 4)]
)


def attention(h, d_k, *, bias=True, seed=0, dtype=torch.float64, training=False):
    """A module of torch with random weights and biases, scores of order 1."""
    E = h * d_k
    shapes = {"in_proj_weight": (3 * E, E), "out_proj.weight": (E, E)}
    if bias:
        shapes |= {"in_proj_bias": (3 * E,), "out_proj.bias": (E,)}
    state = {name: seeded_tensor(shape, seed, dtype) / E**0.5 for name, shape in shapes.items()}
    arguments = {"embed_dim": E, "num_heads": h, "bias": bias, "batch_first": True}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


def inputs(B, L, S, E, *, dtype=torch.float64):
    """Query, key and value, all different."""
    return [seeded_tensor((B, length, E), seed, dtype) for seed, length in ((1, L), (2, S), (3, S))]


def output(layer, given):
    """The output alone: a tensor of the shape of the query, with finite numbers in it."""
    out, _weights = unpack(layer.call("forward", *given), "out", "weights")
    B, L, E = given[0].shape
    assert_shape(out, given[0], B=B, L=L, E=E)
    assert_numbers(out)
    return out


def of_torch(mha, query, key, value, allowed=None):
    """What the module of torch itself gives: output and weights of each head; and the module."""
    module = torch.nn.MultiheadAttention(**mha.arguments).to(query.dtype)
    module.load_state_dict(mha.state)
    blocked = None
    if allowed is not None:
        full = (len(query), module.num_heads, query.shape[1], key.shape[1])
        blocked = ~allowed.expand(full).flatten(0, 1)  # (B * h, L, S)
    out, weights = module(query, key, value, attn_mask=blocked, average_attn_weights=False)
    return out, weights, module


def mask(*size):
    """Random permissions; every row has at least one."""
    allowed = seeded_tensor(size, seed=7) > 0
    allowed[..., 0] |= ~allowed.any(dim=-1)
    return allowed


def is_or_holds_attention_of_torch(layer):
    """Whether nn.MultiheadAttention is the base class of a layer, or among its parts and theirs."""
    base = [layer.get(f"__class__.__base__.{name}") for name in ("__module__", "__name__")]
    paths, found = [""], ".".join(map(str, base)) == OF_TORCH
    while paths and not found:
        path = paths.pop()
        try:
            parts = layer.get(f"{path}_modules")
        except MissingName:  # a class without registered parts
            continue
        if not isinstance(parts, dict):
            continue
        kinds = {name: part.type_name for name, part in parts.items() if isinstance(part, Opaque)}
        found = OF_TORCH in kinds.values()
        if path.count(".") < DEPTH:
            paths += [f"{path}{name}." for name, kind in kinds.items() if not kind.endswith(".linear.Linear")]
    return found


def refused_by_torch(layer, given):
    """Whether what the layer calls refuses a wrong width as the function behind nn.MultiheadAttention does.

    A line of the layer itself may say it in the same words; whatever else it does with a wrong width is right.
    """
    layer.call("train")  # in evaluation mode torch has other words
    try:
        layer.call("forward", *given)
    except Raised as raised:
        return "was expecting embedding dimension of" in raised.report.text and not is_deliberate(raised.report)
    return False


@pytest.mark.points(3)
@SIZES
def test_output_is_that_of_torch(submission, B, L, S, h, d_k):
    """With the parameters of a module of torch the output must be that of the module, to nine digits.

    Why: this is the task itself; the other checks look at one thing that may be wrong beside it.
    """
    mha, given = attention(h, d_k), inputs(B, L, S, h * d_k)
    layer = object_of(submission.make(FROM_TORCH, mha), CLASS)
    out, _weights = unpack(layer.call("forward", *given), "out", "weights")
    assert_close(out, of_torch(mha, *given)[0], axes="B L E")


@pytest.mark.points(1)
@SIZES
def test_each_head_returns_its_weights(submission, B, L, S, h, d_k):
    """The second result must hold one table for each head of each sentence.

    Why: the weights can be right where the output is not, and the other way round.
    """
    mha, given = attention(h, d_k, seed=1), inputs(B, L, S, h * d_k)
    layer = object_of(submission.make(FROM_TORCH, mha), CLASS)
    _out, weights = unpack(layer.call("forward", *given), "out", "weights")
    assert_close(weights, of_torch(mha, *given)[1], axes="B h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "size"), [(3, (5, 7)), (3, (4, 1, 5, 7)), (3, (4, 3, 5, 7)), (2, (4, 2, 5, 7))], ids=str)
def test_blocked_keys_get_no_weight(submission, h, size):
    """A mask for all, for each sentence or for each head must block the same keys as in torch, and stay as it is.

    Why: only here is anything blocked.
    """
    mha, given, allowed = attention(h, 18 // h, seed=2), inputs(4, 5, 7, 18), mask(*size)
    layer = object_of(submission.make(FROM_TORCH, mha), CLASS)
    got = layer.call("forward", *given, allowed)
    assert_unchanged(submission)
    out, weights = unpack(got, "out", "weights")
    want_out, want_weights, _module = of_torch(mha, *given, allowed)
    assert_close(weights, want_weights, axes="B h L S")
    assert_close(out, want_out, axes="B L E")


@pytest.mark.points(2)
@pytest.mark.parametrize(("bias", "L", "S", "masked"), [(True, 5, 7, False), (False, 5, 7, False), (True, 7, 5, True)])
def test_gradients_are_those_of_torch(submission, bias, L, S, masked):
    """The gradients of all three inputs, and the sum of squares of those of all parameters, must be those of torch.

    Why: whoever cuts the graph, forgets to register a parameter or has one too many still gets the output right.
    """
    mha, cotangent = attention(3, 6, bias=bias, seed=3), seeded_tensor((4, L, 18), seed=8)
    given = [x.requires_grad_() for x in inputs(4, L, S, 18)]
    given += [mask(4, 3, L, S)] if masked else []
    layer = object_of(submission.make(FROM_TORCH, mha), CLASS)
    got = layer.gradients("forward", *given, cotangent=cotangent)
    out, _weights, module = of_torch(mha, *given)
    assert_close(unpack(got["value"], "out", "weights")[0], out, axes="B L E")
    (out * cotangent).sum().backward()
    for found, x, axes in zip(got["inputs"], given[:3], ("B L E", "B S E", "B S E"), strict=True):
        assert_close(torch.zeros_like(x) if found is None else found, x.grad, axes=axes)
    assert_close(got["parameters"] or 0.0, sum(float(p.grad.square().sum()) for p in module.parameters()))


@pytest.mark.points(1)
def test_parameters_are_copied_not_shared(submission):
    """from_torch must leave the module alone; when that changes later, the layer must not, right or wrong as it is.

    Why: as long as the module stays as it is, a shared parameter looks like a copy.
    """
    module, given = submission.build(attention(3, 4, seed=4, training=True)), inputs(2, 5, 7, 12)
    layer = object_of(submission.make(FROM_TORCH, module), CLASS)
    assert_unchanged(submission)
    before = output(layer, given)
    module.call("load_state_dict", attention(3, 4, seed=5).state)
    assert_close(output(layer, given), before, axes="B L E")


@pytest.mark.points(1)
@pytest.mark.parametrize("bias", [True, False])
def test_parts_are_registered_and_its_own(submission, bias):
    """A layer with the state_dict of another must compute the same, also after .double(), and without that of torch.

    Why: parameters that the module does not know of are neither saved nor trained nor moved; and no number tells who
    has computed it, so that nothing else is lost by whoever wraps the module of torch.
    """
    mha = attention(4, 3, bias=bias, seed=6, dtype=torch.float32)
    given = inputs(2, 5, 7, 12, dtype=torch.float32)
    layer = object_of(submission.make(FROM_TORCH, mha), CLASS)
    before = output(layer, given)
    other = object_of(submission.make(CLASS, 12, 4, **({} if bias else {"bias": False})), CLASS)
    other.call("load_state_dict", layer.call("state_dict"))
    assert_close(output(other, given), before, axes="B L E")
    other.call("double")
    after = output(other, [x.double() for x in given])
    assert_close(after, before.double(), axes="B L E", dtype=torch.float32)
    if is_or_holds_attention_of_torch(layer) or refused_by_torch(layer, inputs(2, 5, 7, 13, dtype=torch.float32)):
        fail("left_to_library", name="nn.MultiheadAttention")


@pytest.mark.points(1)
@pytest.mark.parametrize(("embed_dim", "num_heads"), [(10, 4), (18, 5), (12, 0), (12, -3)])
def test_sizes_that_do_not_fit_are_refused(submission, embed_dim, num_heads):
    """A num_heads that does not divide embed_dim, or is smaller than 1, must be refused by the constructor."""
    expect_error(lambda: submission.make(CLASS, embed_dim, num_heads), types=("ValueError", "AssertionError"))
