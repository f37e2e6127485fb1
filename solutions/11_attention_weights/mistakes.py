r"""Mistake models of 11_attention_weights: the reference with named switches, what it is asked, and how to show it.

    before --> call of the module --pair--> weights --mean | heads--> result --> after
                                       \--> output ---------------> result --> after

    build(heads="averaged-weights-taken-for-each-head").per_head_weights(mha, x)

A wrong option bears the slug of its card in exercises/mistakes.toml. Every call is a call of the real module, so that
a model does, and raises, what torch does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]
Ask = Callable[..., Any]  # the module with x in all three places; switches -> (output, weights)

CALLS = {"mean": "mean_weights(mha, x)", "heads": "per_head_weights(mha, x)", "output": "output_only(mha, x)"}
AXES = {"x": "B L d", "mean": "B L S", "heads": "B h L S", "out": "B L d"}


# --- how the module is called ------------------------------------------------------------------------------------


def _transposed(mha: nn.MultiheadAttention, x: Tensor, switches: dict[str, bool]) -> tuple[Tensor, Tensor | None]:
    swapped = x.transpose(0, 1)  # (L, B, d), taken by the module for L sentences
    out, weights = mha(swapped, swapped, swapped, **switches)
    return out.transpose(0, 1), weights


def _without_biases(mha: nn.MultiheadAttention, x: Tensor, switches: dict[str, bool]) -> tuple[Tensor, Tensor | None]:
    """The output of the module, and weights by hand from `in_proj_weight` alone."""
    out, found = mha(x, x, x, **switches)
    if found is None:
        return out, None
    w_q, w_k, _w_v = mha.in_proj_weight.chunk(3)
    q, k = ((x @ w.T).unflatten(-1, (mha.num_heads, -1)).transpose(1, 2) for w in (w_q, w_k))
    weights = (q @ k.mT / mha.head_dim**0.5).softmax(dim=-1)
    return out, weights if found.dim() == 4 else weights.mean(dim=1)


_CALL: dict[str, Callable[[nn.MultiheadAttention, Tensor, dict[str, bool]], Any]] = {
    "three-times-x": lambda mha, x, switches: mha(x, x, x, **switches),
    "module-called-with-x-alone": lambda mha, x, switches: mha(x, **switches),
    "input-transposed-although-batch-first": _transposed,
    "weights-by-hand-without-the-biases": _without_biases,
}

_PAIR: dict[str, Callable[[tuple[Any, Any]], tuple[Any, Any]]] = {
    "output-then-weights": lambda pair: pair,
    "pair-read-in-the-other-order": lambda pair: (pair[1], pair[0]),
}


# --- what is made of the weights ---------------------------------------------------------------------------------


def _each(ask: Ask) -> Tensor:
    """The weights of each head, (B, h, L, S)."""
    weights: Tensor = ask(average_attn_weights=False)[1]
    return weights


def _averaged(ask: Ask) -> Tensor:
    """The weights as they come by default, (B, L, S)."""
    weights: Tensor = ask()[1]
    return weights


_MEAN: dict[str, Callable[[Ask], Any]] = {
    "by-the-module": _averaged,
    "weights-of-each-head-in-place-of-the-average": _each,
    "weights-of-the-first-head-only": lambda ask: _each(ask)[:, 0],
    "weights-summed-over-the-heads": lambda ask: _each(ask).sum(dim=1),
    "weights-averaged-over-the-batch": lambda ask: _each(ask).mean(dim=0),  # (h, L, S)
    "weights-averaged-over-the-queries": lambda ask: _each(ask).mean(dim=-2),  # (B, h, S)
    "weights-averaged-over-the-keys": lambda ask: _each(ask).mean(dim=-1),  # (B, h, L), 1 / S everywhere
    "average-over-the-heads-taken-twice": lambda ask: _averaged(ask).mean(dim=1),  # (B, S)
    "head-axis-kept-in-the-average": lambda ask: _each(ask).mean(dim=1, keepdim=True),  # (B, 1, L, S)
    "axes-of-length-one-dropped": lambda ask: _averaged(ask).squeeze(),
    "output-taken-for-the-average": lambda ask: ask()[0],
    "pair-in-place-of-the-average": lambda ask: ask(),
}


def _copied(mha: nn.MultiheadAttention, ask: Ask) -> Tensor:
    weights = _averaged(ask)
    return weights.unsqueeze(1).expand(-1, mha.num_heads, -1, -1)  # repeat, and a stack of copies, too


def _cut(mha: nn.MultiheadAttention, ask: Ask) -> Tensor:
    weights = _averaged(ask)
    return weights.view(len(weights), mha.num_heads, *weights.shape[1:])  # RuntimeError unless h = 1


_HEADS: dict[str, Callable[[nn.MultiheadAttention, Ask], Any]] = {
    "by-the-module": lambda _mha, ask: _each(ask),
    "averaged-weights-taken-for-each-head": lambda _mha, ask: _averaged(ask),
    "average-copied-for-every-head": _copied,
    "average-given-a-head-axis": lambda _mha, ask: _averaged(ask).unsqueeze(1),  # (B, 1, L, S)
    "average-cut-into-heads": _cut,
    "output-taken-for-the-weights-of-each-head": lambda _mha, ask: ask(average_attn_weights=False)[0],
    "weights-asked-for-and-switched-off": lambda _mha, ask: ask(need_weights=False, average_attn_weights=False)[1],
    "heads-in-front-of-the-batch": lambda _mha, ask: _each(ask).transpose(0, 1),  # (h, B, L, S)
    "heads-behind-the-queries": lambda _mha, ask: _each(ask).transpose(1, 2),  # (B, L, h, S)
    "heads-and-batch-in-one-axis": lambda _mha, ask: _each(ask).flatten(0, 1),  # (B * h, L, S)
    "pair-in-place-of-the-weights-of-each-head": lambda _mha, ask: ask(average_attn_weights=False),
}


def _by_position(mha: nn.MultiheadAttention, x: Tensor, _ask: Ask) -> Any:
    return mha(x, x, x, False)[0]  # the fourth place belongs to key_padding_mask


_OUTPUT: dict[str, Callable[[nn.MultiheadAttention, Tensor, Ask], Any]] = {
    "weights-off": lambda _mha, _x, ask: ask(need_weights=False)[0],
    "weights-asked-for-and-thrown-away": lambda _mha, _x, ask: ask()[0],  # with average_attn_weights=False, too
    "pair-in-place-of-the-output": lambda _mha, _x, ask: ask(need_weights=False),
    "none-in-place-of-the-output": lambda _mha, _x, ask: ask(need_weights=False)[1],
    "output-recomputed-from-the-average": lambda _mha, x, ask: _averaged(ask) @ x,
    "switch-given-by-position": _by_position,
}


# --- what comes before and after ---------------------------------------------------------------------------------


def _left_in_evaluation(mha: nn.MultiheadAttention) -> None:
    mha.eval()


_BEFORE: dict[str, Callable[[nn.MultiheadAttention], None]] = {
    "nothing": lambda _mha: None,
    "module-left-in-evaluation-mode": _left_in_evaluation,
}

_AFTER: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda found: found,
    "only-the-first-sentence": lambda found: found[0],
    "array-in-place-of-a-tensor": lambda found: found.detach().numpy(),
}

_AGAIN: dict[str, Callable[[Any], Any]] = {
    "weights-as-returned": lambda weights: weights,
    "returned-weights-taken-for-scores": lambda weights: weights.softmax(dim=-1),
}


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "before": tuple(_BEFORE),
    "call": tuple(_CALL),
    "pair": tuple(_PAIR),
    "mean": tuple(_MEAN),
    "heads": tuple(_HEADS),
    "output": tuple(_OUTPUT),
    "again": tuple(_AGAIN),
    "after": tuple(_AFTER),
}

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    after, again = _AFTER[chosen["after"]], _AGAIN[chosen["again"]]

    def asking(mha: nn.MultiheadAttention, x: Tensor) -> Ask:
        _BEFORE[chosen["before"]](mha)
        return lambda **switches: _PAIR[chosen["pair"]](_CALL[chosen["call"]](mha, x, switches))

    def mean_weights(mha: nn.MultiheadAttention, x: Tensor) -> Any:
        return after(again(_MEAN[chosen["mean"]](asking(mha, x))))

    def per_head_weights(mha: nn.MultiheadAttention, x: Tensor) -> Any:
        return after(again(_HEADS[chosen["heads"]](mha, asking(mha, x))))

    def output_only(mha: nn.MultiheadAttention, x: Tensor) -> Any:
        return after(_OUTPUT[chosen["output"]](mha, x, asking(mha, x)))

    return SimpleNamespace(mean_weights=mean_weights, per_head_weights=per_head_weights, output_only=output_only)


# --- what is asked -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _module(
    embed_dim: int, num_heads: int, seed: int | None = None, *, training: bool = False, bias: float = 0.0
) -> Build:
    """A batch-first module; without a seed every weight is an identity matrix, `bias` that of the three projections."""
    d = embed_dim
    if seed is None:
        weights, biases = [np.tile(np.eye(d), (3, 1)), np.eye(d)], [np.full(3 * d, bias), np.zeros(d)]
    else:
        rng = np.random.default_rng(seed)
        weights = [rng.standard_normal((rows, d)) / d**0.5 for rows in (3 * d, d)]
        biases = [rng.standard_normal(rows) / d**0.5 for rows in (3 * d, d)]
    names = ("in_proj_weight", "out_proj.weight", "in_proj_bias", "out_proj.bias")
    state = {name: torch.from_numpy(held) for name, held in zip(names, [*weights, *biases], strict=True)}
    arguments = {"embed_dim": d, "num_heads": num_heads, "batch_first": True}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call and, where that matters, whether the module was asked for weights.

    It matters for an output, and where None came back in place of weights: a missing return gives None as well.
    """
    x = torch.from_numpy(probe["x"])
    if probe["asked"] == "mean":
        return {"mean": subject.mean_weights(probe["mha"], x)}
    mha = subject.build(replace(probe["mha"], recording=True))
    if probe["asked"] == "heads":
        answer = subject.per_head_weights(mha, x)
        return {"heads": "None, need_weights=False" if answer is None and not _asked(mha) else answer}
    return {"out": subject.output_only(mha, x), "need_weights": _asked(mha)}


def _asked(mha: Any) -> bool:
    """Whether any call of a recording module asked for weights."""
    return any(call["need_weights"] for call in mha.calls())


_FIXED = ((4, 5, 3, 2), (2, 3, 4, 6), (5, 4, 2, 3), (1, 4, 3, 2), (3, 3, 1, 4))  # B, L, h, d_k


def _probe(asked: str, rng: np.random.Generator, size: tuple[int, int, int, int]) -> Probe:
    B, L, h, d_k = size
    mha = _module(h * d_k, h, int(rng.integers(1000)), training=bool(rng.integers(2)))
    return {"asked": asked, "mha": mha, "x": rng.standard_normal((B, L, h * d_k))}


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, for each of the three functions."""
    return [_probe(asked, np.random.default_rng(i), size) for asked in CALLS for i, size in enumerate(_FIXED)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, L, h, d_k = (int(length) for length in rng.permutation(np.arange(2, 7))[:4])
    if rng.random() < 0.2:
        B = 1
    return _probe(str(rng.choice(list(CALLS))), rng, (B, L, h, d_k))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, one column for each of two heads, so that the tables can be checked by hand."""
    numbers = np.array([1.0, 0, 0, 2, 1, 1, 3, 0])
    for B, L in ((1, 2), (2, 2)):
        for training in (False, True):
            x = numbers[: B * L * 2].reshape(B, L, 2)
            yield from ({"asked": asked, "mha": _module(2, 2, training=training), "x": x} for asked in CALLS)
        yield from ({"asked": asked, "mha": _module(2, 2, bias=1.0), "x": x} for asked in CALLS)
