r"""The stages of 12_in_proj, each with all the ways in which people write it, the right one first.

    parameters --separate, fused, bias--> six parts --parts--> split_in_proj
                                             |
    inputs --layout, source--> (B, ·, width) --project--> (B, ·, E) --heads--> (B, h, ·, d_k) --ready--> project

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which. mistakes.py makes the two functions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

Thirds = Sequence[Any]
Cut = Callable[[nn.MultiheadAttention, Any], Thirds]  # the module and a packed weight or bias
Project = Callable[[Tensor, Any, Any], Tensor]  # an input, weight and bias


# --- split_in_proj: from the module to six parts -----------------------------------------------------------------


def _chunks(_mha: nn.MultiheadAttention, packed: Any) -> Thirds:
    thirds: Thirds = packed.chunk(3)
    return thirds


def _slices(mha: nn.MultiheadAttention, packed: Any) -> Thirds:
    E = mha.embed_dim
    return packed[:E], packed[E : 2 * E], packed[2 * E :]


def _in_order(*places: int) -> Callable[[Cut], Cut]:
    """Thirds in which W_Q, W_K and W_V are looked for at these places."""
    return lambda cut: lambda mha, packed: [cut(mha, packed)[place] for place in places]


def _by_heads(mha: nn.MultiheadAttention, packed: Tensor) -> Thirds:
    blocks = packed.reshape(mha.num_heads, 3, mha.head_dim, *packed.shape[1:])  # each head with its own q, k and v
    return [blocks[:, i].flatten(0, 1) for i in range(3)]


def _pieces_of_three(_mha: nn.MultiheadAttention, packed: Tensor) -> Thirds:
    q, k, v = packed.split(3)  # pieces with three rows each
    return q, k, v


def _thirds_of_a_reshaped_matrix(cut: Cut) -> Cut:
    def thirds(mha: nn.MultiheadAttention, packed: Tensor) -> Thirds:
        if packed.dim() == 1:
            return cut(mha, packed)
        return packed.reshape(mha.embed_dim, -1).chunk(3, dim=-1)  # (E, 3E), rows 0, 1, 2 behind each other

    return thirds


_FUSED: dict[str, Callable[[Cut], Cut]] = {
    "q-k-v": lambda cut: cut,
    "in-proj-read-as-k-q-v": _in_order(1, 0, 2),
    "in-proj-read-as-q-v-k": _in_order(0, 2, 1),
    "in-proj-read-as-v-k-q": _in_order(2, 1, 0),
    "in-proj-read-head-by-head": lambda _cut: _by_heads,
    "in-proj-read-in-turns": lambda _cut: lambda _mha, packed: [packed[i::3] for i in range(3)],
    "in-proj-cut-by-columns": lambda _cut: lambda _mha, packed: packed.chunk(3, dim=-1),
    "in-proj-reshaped-into-columns": _thirds_of_a_reshaped_matrix,
    "split-told-the-number-of-pieces": lambda _cut: _pieces_of_three,
}


def _separate(mha: nn.MultiheadAttention) -> Thirds:
    return mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight


_SEPARATE: dict[str, Callable[[nn.MultiheadAttention, Cut], Thirds]] = {
    "where-in-proj-weight-is-none": lambda mha, cut: (
        _separate(mha) if mha.in_proj_weight is None else cut(mha, mha.in_proj_weight)
    ),
    "separate-weights-not-expected": lambda mha, cut: cut(mha, mha.in_proj_weight),
    # where kdim is as usual and vdim is not
    "only-kdim-is-looked-at": lambda mha, cut: (
        cut(mha, mha.in_proj_weight) if mha.kdim == mha.embed_dim else _separate(mha)
    ),
    "separate-weights-always-expected": lambda mha, _cut: _separate(mha),
}

_NONE = (None, None, None)


def _without_separate(mha: nn.MultiheadAttention, cut: Cut) -> Thirds:
    return _NONE if mha.in_proj_weight is None or mha.in_proj_bias is None else cut(mha, mha.in_proj_bias)


def _zeros(mha: nn.MultiheadAttention, cut: Cut) -> Thirds:
    if mha.in_proj_bias is None:
        return [torch.zeros(mha.embed_dim) for _ in range(3)]  # in torch's default dtype
    return cut(mha, mha.in_proj_bias)


_BIAS: dict[str, Callable[[nn.MultiheadAttention, Cut], Thirds]] = {
    "none-where-there-is-none": lambda mha, cut: _NONE if mha.in_proj_bias is None else cut(mha, mha.in_proj_bias),
    "biases-left-out": lambda _mha, _cut: _NONE,
    "biases-left-out-of-separate-weights": _without_separate,
    "bias-taken-for-granted": lambda mha, cut: cut(mha, mha.in_proj_bias),
    "zeros-in-place-of-no-bias": _zeros,
    "whole-bias-for-each-projection": lambda mha, _cut: [mha.in_proj_bias] * 3,
}


def _turned(weights: Thirds) -> Thirds:
    return [None if weight is None else weight.T for weight in weights]  # (in, out), as for x @ W


_PARTS: dict[str, Callable[[nn.MultiheadAttention, Thirds, Thirds], Any]] = {
    "weights-then-biases": lambda _mha, weights, biases: (*weights, *biases),
    "weights-and-biases-in-turns": lambda _mha, weights, biases: tuple(
        part for pair in zip(weights, biases, strict=True) for part in pair
    ),
    "weights-and-biases-nested": lambda _mha, weights, biases: (tuple(weights), tuple(biases)),
    "only-weights-returned": lambda _mha, weights, _biases: tuple(weights),
    "output-projection-returned-too": lambda mha, weights, biases: (
        *(*weights, *biases),
        *(mha.out_proj.weight, mha.out_proj.bias),
    ),
    "parts-returned-as-a-dict": lambda _mha, weights, biases: dict(
        zip(("w_q", "w_k", "w_v", "b_q", "b_k", "b_v"), (*weights, *biases), strict=True)
    ),
    "weights-turned-to-in-out": lambda _mha, weights, biases: (*_turned(weights), *biases),
}


# --- project: from the inputs to the heads -----------------------------------------------------------------------


def _batch_in_front(mha: nn.MultiheadAttention, x: Tensor) -> Tensor:
    return x if mha.batch_first else x.transpose(0, 1)


def _reshaped(mha: nn.MultiheadAttention, x: Tensor) -> Tensor:
    return x if mha.batch_first else x.reshape(x.shape[1], x.shape[0], x.shape[2])


_LAYOUT: dict[str, Callable[[nn.MultiheadAttention, Tensor], Tensor]] = {
    "as-the-module-says": _batch_in_front,
    "sequence-first-module-taken-for-batch-first": lambda _mha, x: x,
    "batch-first-module-taken-for-sequence-first": lambda _mha, x: x.transpose(0, 1),
    "batch-first-flag-read-the-wrong-way-round": lambda mha, x: x.transpose(0, 1) if mha.batch_first else x,
    "axes-exchanged-by-reshape": _reshaped,
}

# which input, and the part of which projection, makes q, k and v
_SOURCE: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    "each-its-own": ((0, 0), (1, 1), (2, 2)),
    "query-projected-three-times": ((0, 0), (0, 1), (0, 2)),
    "values-taken-from-the-key": ((0, 0), (1, 1), (1, 2)),
    "values-projected-by-w-k": ((0, 0), (1, 1), (2, 1)),
    "keys-projected-by-w-q": ((0, 0), (1, 0), (2, 2)),
}


def _linear(x: Tensor, weight: Any, bias: Any) -> Tensor:
    return nn.functional.linear(x, weight, bias)


def _product(x: Tensor, weight: Any, bias: Any) -> Tensor:
    projected: Tensor = x @ weight.T
    return projected if bias is None else projected + bias


# how a packed parameter is cut, how an input is projected, and whether `project` leaves `split_in_proj` alone
_HABIT: dict[str, tuple[Cut, Project, bool]] = {
    "chunks-and-linear-maps": (_chunks, _linear, False),
    "slices-and-products": (_slices, _product, False),
    "chunks-twice": (_chunks, _linear, True),
    "slices-twice": (_slices, _linear, True),
}


def _not_turned(x: Tensor, weight: Any, bias: Any) -> Tensor:
    projected: Tensor = x @ weight
    return projected if bias is None else projected + bias


_PROJECT: dict[str, Callable[[Project], Project]] = {
    "linear-map": lambda right: right,
    "biases-not-added": lambda right: lambda x, weight, _bias: right(x, weight, None),
    "missing-bias-added-all-the-same": lambda _right: lambda x, weight, bias: x @ weight.T + bias,  # TypeError for None
    "weight-not-turned-for-the-product": lambda _right: _not_turned,
    "activation-on-the-projections": lambda right: lambda x, weight, bias: right(x, weight, bias).relu(),
}


class Projected(NamedTuple):
    """One projection and what its student cuts it by."""

    x: Tensor  # (B, ·, E)
    batch: int  # what is taken for B: of x itself, or of the query for all three
    query: Tensor  # the projected query
    given: Tensor  # the input of this projection
    views: bool  # whether it is cut by view, which refuses what a transpose has turned; else by reshape


def _into_heads(mha: nn.MultiheadAttention, p: Projected, length: int) -> Tensor:
    return p.x.reshape(p.batch, length, mha.num_heads, mha.head_dim)  # (B, ·, h, d_k)


def _own_columns(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    return _into_heads(mha, p, p.x.shape[1]).transpose(1, 2)


def _given_width(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    d_k = p.given.shape[-1] // mha.num_heads
    return p.x.reshape(p.batch, p.x.shape[1], mha.num_heads, d_k).transpose(1, 2)


def _every_hth(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    return p.x.reshape(p.batch, p.x.shape[1], mha.head_dim, mha.num_heads).permute(0, 3, 1, 2)


def _exchanged_first(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    turned = p.x.transpose(1, 2)  # (B, E, ·), then as many numbers for a head as it should have
    cut = turned.view if p.views else turned.reshape
    return cut(p.batch, mha.num_heads, p.x.shape[1], mha.head_dim)


_HEADS: dict[str, Callable[[nn.MultiheadAttention, Projected], Tensor]] = {
    "own-columns": _own_columns,
    "key-length-taken-from-the-query": lambda mha, p: _into_heads(mha, p, p.query.shape[1]).transpose(1, 2),
    "head-width-taken-from-the-input": _given_width,
    "split-without-transpose": lambda mha, p: p.x.reshape(p.batch, mha.num_heads, p.x.shape[1], mha.head_dim),
    "head-takes-every-hth-column": _every_hth,
    "axes-exchanged-before-the-cut": _exchanged_first,
    "heads-left-behind-the-positions": lambda mha, p: _into_heads(mha, p, p.x.shape[1]),
    "projections-not-cut-into-heads": lambda _mha, p: p.x,
    "heads-folded-into-the-batch": lambda mha, p: _own_columns(mha, p).flatten(0, 1),  # (B * h, ·, d_k)
}

_READY: dict[str, Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]] = {
    "as-projected": lambda q, k, v: (q, k, v),
    "queries-scaled-already": lambda q, k, v: (q / q.shape[-1] ** 0.5, k, v),
    "keys-turned-already": lambda q, k, v: (q, k.transpose(-2, -1), v),
}

_KIND: dict[str, Callable[[Any], Any]] = {
    "tensors": lambda part: part,
    "array-in-place-of-a-tensor": lambda part: part if part is None else part.detach().numpy(),
}

OPTIONS: dict[str, dict[str, Any]] = {
    "habit": _HABIT,
    "fused": _FUSED,
    "separate": _SEPARATE,
    "bias": _BIAS,
    "parts": _PARTS,
    "layout": _LAYOUT,
    "source": _SOURCE,
    "project": _PROJECT,
    "heads": _HEADS,
    "ready": _READY,
    "kind": _KIND,
}
