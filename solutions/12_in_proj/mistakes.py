r"""Mistake models of 12_in_proj: the reference with named switches, what it is asked, and how to show it.

    parameters --separate, fused, bias--> six parts --parts--> split_in_proj
                                             |
    inputs --layout, source--> (B, ·, width) --project--> (B, ·, E) --heads--> (B, h, ·, d_k) --ready--> project

    build(fused="in-proj-read-as-k-q-v").split_in_proj(mha)

A wrong option bears the slug of its card in exercises/mistakes.toml. Every call works on the real module, so that a
model raises what torch raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]
Thirds = Sequence[Any]
Cut = Callable[[nn.MultiheadAttention, Any], Thirds]  # the module and a packed weight or bias
Project = Callable[[Tensor, Any, Any], Tensor]  # an input, weight and bias

CALLS = {"split": "split_in_proj(mha)", "project": "project(mha, query, key, value)"}
PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
AXES = {"in_proj_weight": "out in", "in_proj_bias": "out", "query": "B L E", "key": "B S kdim", "value": "B S vdim"}
AXES |= dict.fromkeys(PARTS[:3], "out in") | dict.fromkeys(PARTS[3:], "out")
AXES |= {"q": "B h L d_k", "k": "B h S d_k", "v": "B h S d_k"}


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


_FUSED: dict[str, Callable[[Cut], Cut]] = {
    "q-k-v": lambda cut: cut,
    "in-proj-read-as-k-q-v": _in_order(1, 0, 2),
    "in-proj-read-as-q-v-k": _in_order(0, 2, 1),
    "in-proj-read-as-v-k-q": _in_order(2, 1, 0),
    "in-proj-read-head-by-head": lambda _cut: _by_heads,
    "in-proj-read-in-turns": lambda _cut: lambda _mha, packed: [packed[i::3] for i in range(3)],
    "in-proj-cut-by-columns": lambda _cut: lambda _mha, packed: packed.chunk(3, dim=-1),
    "split-told-the-number-of-pieces": lambda _cut: _pieces_of_three,
}


def _separate(mha: nn.MultiheadAttention) -> Thirds:
    return mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight


_SEPARATE: dict[str, Callable[[nn.MultiheadAttention, Cut], Thirds]] = {
    "where-in-proj-weight-is-none": lambda mha, cut: (
        _separate(mha) if mha.in_proj_weight is None else cut(mha, mha.in_proj_weight)
    ),
    "separate-weights-not-expected": lambda mha, cut: cut(mha, mha.in_proj_weight),
    "separate-weights-always-expected": lambda mha, _cut: _separate(mha),
}

_NONE = (None, None, None)


def _without_separate(mha: nn.MultiheadAttention, cut: Cut) -> Thirds:
    return _NONE if mha.in_proj_weight is None or mha.in_proj_bias is None else cut(mha, mha.in_proj_bias)


def _zeros(mha: nn.MultiheadAttention, cut: Cut) -> Thirds:
    if mha.in_proj_bias is None:
        return [mha.out_proj.weight.new_zeros(mha.embed_dim) for _ in range(3)]
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
    "weight-not-turned-for-the-product": lambda _right: _not_turned,
    "activation-on-the-projections": lambda right: lambda x, weight, bias: right(x, weight, bias).relu(),
}


class Projected(NamedTuple):
    """One projection and what its student cuts it by."""

    x: Tensor  # (B, ·, E)
    batch: int  # what is taken for B: of x itself, or of the query for all three
    query: Tensor  # the projected query
    given: Tensor  # the input of this projection


def _into_heads(mha: nn.MultiheadAttention, p: Projected, length: int) -> Tensor:
    return p.x.reshape(p.batch, length, mha.num_heads, mha.head_dim)  # (B, ·, h, d_k)


def _own_columns(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    return _into_heads(mha, p, p.x.shape[1]).transpose(1, 2)


def _given_width(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    d_k = p.given.shape[-1] // mha.num_heads
    return p.x.reshape(p.batch, p.x.shape[1], mha.num_heads, d_k).transpose(1, 2)


def _every_hth(mha: nn.MultiheadAttention, p: Projected) -> Tensor:
    return p.x.reshape(p.batch, p.x.shape[1], mha.head_dim, mha.num_heads).permute(0, 3, 1, 2)


_HEADS: dict[str, Callable[[nn.MultiheadAttention, Projected], Tensor]] = {
    "own-columns": _own_columns,
    "key-length-taken-from-the-query": lambda mha, p: _into_heads(mha, p, p.query.shape[1]).transpose(1, 2),
    "head-width-taken-from-the-input": _given_width,
    "split-without-transpose": lambda mha, p: p.x.reshape(p.batch, mha.num_heads, p.x.shape[1], mha.head_dim),
    "head-takes-every-hth-column": _every_hth,
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


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "habit": tuple(_HABIT),
    "fused": tuple(_FUSED),
    "separate": tuple(_SEPARATE),
    "bias": tuple(_BIAS),
    "parts": tuple(_PARTS),
    "layout": tuple(_LAYOUT),
    "source": tuple(_SOURCE),
    "project": tuple(_PROJECT),
    "heads": tuple(_HEADS),
    "ready": tuple(_READY),
    "kind": tuple(_KIND),
}

# What changes only how a mistake elsewhere looks: what Python says where None is cut or multiplied, whether `project`
# shares the mistakes of `split_in_proj`, and whether the batch is read off each input or, where products are written
# out, off the query for all three.
STYLES = ("habit",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _six(chosen: dict[str, str], mha: nn.MultiheadAttention) -> tuple[Thirds, Thirds]:
    """Weights and biases as these switches find them."""
    cut = _FUSED[chosen["fused"]](_HABIT[chosen["habit"]][0])
    return _SEPARATE[chosen["separate"]](mha, cut), _BIAS[chosen["bias"]](mha, cut)


def _projected(chosen: dict[str, str], mha: nn.MultiheadAttention, inputs: Sequence[Tensor]) -> Any:
    _cut, right, anew = _HABIT[chosen["habit"]]
    weights, biases = _six({stage: names[0] for stage, names in STAGES.items()} if anew else chosen, mha)
    given = [_LAYOUT[chosen["layout"]](mha, x) for x in inputs]
    project = _PROJECT[chosen["project"]](right)
    sources = _SOURCE[chosen["source"]]
    projected = [project(given[i], weights[part], biases[part]) for i, part in sources]
    heads = []
    for x, (i, _part) in zip(projected, sources, strict=True):
        batch = (projected[0] if right is _product else x).shape[0]
        heads.append(_HEADS[chosen["heads"]](mha, Projected(x, batch, projected[0], given[i])))
    return _READY[chosen["ready"]](*heads)


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    kind = _KIND[chosen["kind"]]

    def split_in_proj(mha: nn.MultiheadAttention) -> Any:
        weights, biases = _six(chosen, mha)
        return _PARTS[chosen["parts"]](mha, [kind(weight) for weight in weights], [kind(bias) for bias in biases])

    def project(mha: nn.MultiheadAttention, query: Tensor, key: Tensor, value: Tensor) -> Any:
        return tuple(kind(part) for part in _projected(chosen, mha, (query, key, value)))

    return SimpleNamespace(split_in_proj=split_in_proj, project=project)


# --- what is asked -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _module(embed_dim: int, num_heads: int, seed: int | None = None, **options: int | bool) -> Build:
    """A module; without a seed its weights count 1, 2, 3, … and its biases 10, 20, 30, …."""
    arguments = {"embed_dim": embed_dim, "num_heads": num_heads, "batch_first": True} | options
    rng, state = np.random.default_rng(seed), {}
    for name, empty in nn.MultiheadAttention(**arguments).state_dict().items():
        if seed is None:
            numbers = np.arange(1.0, empty.numel() + 1).reshape(empty.shape) * (10 if empty.ndim == 1 else 1)
        else:
            numbers = rng.standard_normal(empty.shape)
        state[name] = torch.from_numpy(numbers)
    return Build("torch.nn.MultiheadAttention", arguments, state)


def _named(answer: Any, *names: str) -> Any:
    """A tuple with its items by name, where it has as many; anything else as it is."""
    if isinstance(answer, tuple | list) and len(answer) == len(names):
        return dict(zip(names, answer, strict=True))
    return answer


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call, its parts by name."""
    if probe["asked"] == "split":
        return _named(subject.split_in_proj(probe["mha"]), *PARTS)
    inputs = [torch.from_numpy(probe[name]) for name in ("query", "key", "value")]
    return _named(subject.project(probe["mha"], *inputs), "q", "k", "v")


def _projection(rng: np.random.Generator, mha: Build, B: int, L: int, S: int) -> Probe:
    widths = [mha.arguments.get(name, mha.arguments["embed_dim"]) for name in ("embed_dim", "kdim", "vdim")]
    probe: Probe = {"asked": "project", "mha": mha}
    for name, length, width in zip(("query", "key", "value"), (L, S, S), widths, strict=True):
        shape = (B, length, width) if mha.arguments["batch_first"] else (length, B, width)
        probe[name] = rng.standard_normal(shape)
    return probe


_KINDS = ("plain", "no bias", "other widths", "sequence first", "other widths, no bias")


def _random_module(rng: np.random.Generator, h: int, d_k: int, kind: str) -> Build:
    options: dict[str, dict[str, Any]] = {
        "plain": {},
        "no bias": {"bias": False},
        "other widths": {"kdim": h * d_k + 2, "vdim": h * d_k - 1},
        "sequence first": {"batch_first": False},
        "other widths, no bias": {"kdim": h * d_k + 1, "vdim": h * d_k + 3, "bias": False},
    }
    return _module(h * d_k, h, int(rng.integers(1000)), **options[kind])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style: modules of each kind, for both functions."""
    rng = np.random.default_rng(0)
    modules = [(3, 4, _KINDS[0]), (2, 5, _KINDS[1]), (4, 3, _KINDS[2]), (3, 2, _KINDS[4])]
    splits: list[Probe] = [{"asked": "split", "mha": _random_module(rng, *module)} for module in modules]
    sizes = ((4, 3, 5), (2, 4, 3), (3, 5, 2), (4, 2, 6), (2, 3, 4))
    projections = [
        _projection(rng, _random_module(rng, 3, 4, kind), *size) for kind, size in zip(_KINDS, sizes, strict=True)
    ]
    return [*splits, *projections, _projection(rng, _random_module(rng, 2, 3, "plain"), 3, 4, 4)]  # the last: S = L


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, L, S = (int(length) for length in rng.permutation(np.arange(2, 7))[:3])
    h, d_k = (int(length) for length in rng.permutation(np.arange(2, 6))[:2])
    mha = _random_module(rng, h, d_k, str(rng.choice(_KINDS)))
    if rng.random() < 0.4:
        return {"asked": "split", "mha": mha}
    return _projection(rng, mha, B, L, S)


def _shown_beside(mha: Build) -> Probe:
    """The packed parameters of a small module, shown as inputs although they are inside another one."""
    state = mha.state or {}
    return {name: np.asarray(state[name]) for name in ("in_proj_weight", "in_proj_bias") if name in state}


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, with whole numbers, so that every product can be done by hand."""
    modules = [
        *(_module(1, 1), _module(2, 2), _module(2, 2, bias=False), _module(2, 1, kdim=1, vdim=3)),
        *(_module(2, 2, batch_first=False), _module(4, 2), _module(4, 2, bias=False), _module(4, 2, kdim=2, vdim=1)),
    ]
    for mha in modules:
        probe: Probe = {"asked": "split", "mha": mha}
        yield probe | (_shown_beside(mha) if mha.arguments["embed_dim"] < 3 else {})
    for mha in modules[1:]:
        for B, L, S in ((1, 1, 1), (1, 1, 2), (2, 1, 1), (1, 2, 1), (2, 2, 1)):
            probe = _projection(np.random.default_rng(0), mha, B, L, S)
            sizes = {name: value.size for name, value in probe.items() if isinstance(value, np.ndarray)}
            if sum(sizes.values()) <= 36:
                whole = {name: np.arange(1.0, size + 1) % 3 - 1 for name, size in sizes.items()}
                yield probe | {name: whole[name].reshape(probe[name].shape) for name in sizes}
