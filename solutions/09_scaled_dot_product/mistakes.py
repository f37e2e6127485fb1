"""Mistake models of 09_scaled_dot_product: the reference with named switches, what it is asked, and how to show it.

    q, k --read, compare, scale--> scores --none, mask, softmax, maximum, sum--> weights --combine, result--> the pair
    q, k, v, allowed --sdpa--> output

    build(scale="scores-not-scaled").attention(q, k, v)      behaves as a student who forgets √d_k

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which. Dropout is random, so `observe` looks at a case in which chance does not
matter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from grader.sandbox.client import Raised
from grader.sandbox.wire import ExceptionReport

Probe = dict[str, Any]
Softmax = Callable[[Tensor], Tensor]

CALLS = {"attention": "attention(q, k, v, allowed)", "attention_sdpa": "attention_sdpa(q, k, v, allowed)"}
AXES = {
    "q": "B h L d_k",
    "k": "B h S d_k",
    "v": "B h S d_v",
    "allowed": "B h L S",  # one with fewer axes has the last of them
    "0": "B h L d_v",
    "1": "B h L S",
    "result": "B h L d_v",
}


# --- by hand: the scores -----------------------------------------------------------------------------------------

_READ: dict[str, Callable[[Tensor], Tensor]] = {
    "as-they-are": lambda tensor: tensor,
    "heads-of-one-position-compared": lambda tensor: tensor.transpose(1, 2),  # (B, L, h, d_k), for q, k and v
}

Compare = Callable[[Tensor, Tensor], Tensor]


_COMPARE: dict[str, Compare] = {
    "each-query-with-each-key": lambda q, k: q @ k.transpose(-2, -1),
    "keys-not-transposed": lambda q, k: q @ k,  # RuntimeError unless S = d_k
    "keys-reversed-on-all-four-axes": lambda q, k: q @ k.permute(3, 2, 1, 0),  # k.T, without its warning
    "transpose-of-four-axes-in-numpy-style": lambda q, k: q @ k.transpose(0, 1, 3, 2),
    "keys-transposed-for-three-axes-only": lambda q, k: q @ k.transpose(1, 2),
    "keys-reshaped-not-transposed": lambda q, k: q @ k.reshape(k.shape[0], k.shape[1], k.shape[3], k.shape[2]),
}


def _divide(number: Callable[[Tensor, Tensor, Tensor], float]) -> Callable[[Compare, Tensor, Tensor, Tensor], Tensor]:
    """Divide the products by `number(q, k, v)`."""
    return lambda compare, q, k, v: compare(q, k) / number(q, k, v)


def _root_by_torch(compare: Compare, q: Tensor, k: Tensor, _v: Tensor) -> Tensor:
    return compare(q, k) / torch.sqrt(q.shape[-1])  # TypeError: an int is no tensor


def _in_place(compare: Compare, q: Tensor, k: Tensor, _v: Tensor) -> Tensor:
    q /= math.sqrt(q.shape[-1])  # the caller's tensor
    return compare(q, k)


_SCALE: dict[str, Callable[[Compare, Tensor, Tensor, Tensor], Tensor]] = {
    "root-of-d_k": _divide(lambda q, _k, _v: math.sqrt(q.shape[-1])),
    "scores-not-scaled": lambda compare, q, k, _v: compare(q, k),
    "scaled-by-the-root-of-d-model": _divide(lambda q, _k, _v: math.sqrt(q.shape[1] * q.shape[-1])),
    "scaled-without-the-root": _divide(lambda q, _k, _v: q.shape[-1]),  # also the root on q and on k
    "multiplied-by-the-root": lambda compare, q, k, _v: compare(q, k) * math.sqrt(q.shape[-1]),  # also / d_k**-0.5
    "half-power-without-brackets": lambda compare, q, k, _v: compare(q, k) / q.shape[-1] ** 1 / 2,
    "scaled-by-the-count-of-queries": _divide(lambda q, _k, _v: math.sqrt(q.shape[2])),  # the axis of d_k without batch
    "scaled-by-the-count-of-keys": _divide(lambda _q, k, _v: math.sqrt(k.shape[2])),  # the last axis of the products
    "scaled-by-the-count-of-heads": _divide(lambda q, _k, _v: math.sqrt(q.shape[1])),
    "scaled-by-the-width-of-the-values": _divide(lambda _q, _k, v: math.sqrt(v.shape[-1])),
    "scale-of-the-example": _divide(lambda _q, _k, _v: 2),
    "scale-of-the-paper": _divide(lambda _q, _k, _v: 8),
    "root-cut-to-a-whole-number": _divide(lambda q, _k, _v: math.isqrt(q.shape[-1])),
    "torch-root-of-a-plain-number": _root_by_torch,
    "queries-scaled-in-place": _in_place,
    "scaled-after-the-softmax": lambda compare, q, k, _v: compare(q, k),  # `build` divides the weights
}


# --- by hand: the mask -------------------------------------------------------------------------------------------


def _without_none(allowed: Any, _q: Tensor, _k: Tensor) -> Tensor:
    _blocked = ~allowed  # TypeError for None
    return allowed


def _by_truth(allowed: Tensor | None, _q: Tensor, _k: Tensor) -> Tensor | None:
    if allowed:  # RuntimeError for a tensor
        return allowed
    return None


def _causal(allowed: Tensor | None, q: Tensor, k: Tensor) -> Tensor:
    return torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril() if allowed is None else allowed


_NONE: dict[str, Callable[[Tensor | None, Tensor, Tensor], Tensor | None]] = {
    "no-mask": lambda allowed, _q, _k: allowed,
    "no-mask-not-expected": _without_none,
    "mask-asked-whether-it-is-true": _by_truth,  # `not allowed` and `allowed or …` too
    "no-mask-means-causal": _causal,
}


def _assigned(scores: Tensor, allowed: Tensor, fill: float, softmax: Softmax) -> Tensor:
    scores[~allowed] = fill  # IndexError unless the mask is as large as the scores
    return softmax(scores)


def _multiplied(scores: Tensor, allowed: Tensor, _fill: float, _softmax: Softmax) -> Tensor:
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp() * allowed  # NaN where only blocked keys are high
    return powers / powers.sum(dim=-1, keepdim=True)


_MASK: dict[str, Callable[[Tensor, Tensor, float, Softmax], Tensor]] = {
    "fill": lambda x, allowed, fill, softmax: softmax(x.masked_fill(~allowed, fill)),
    "mask-ignored": lambda x, _allowed, _fill, softmax: softmax(x),  # also an unassigned masked_fill
    "mask-inverted": lambda x, allowed, fill, softmax: softmax(x.masked_fill(allowed, fill)),
    # to 9 digits also -1e-9 in place of -1e9; x * allowed
    "blocked-scores-set-to-zero": lambda x, allowed, _inf, softmax: softmax(x.masked_fill(~allowed, 0)),
    "blocked-scores-set-to-minus-hundred": lambda x, allowed, _inf, softmax: softmax(x.masked_fill(~allowed, -100)),
    "blocked-scores-set-to-minus-ten-thousand": lambda x, allowed, _inf, softmax: softmax(
        x.masked_fill(~allowed, -1e4)
    ),
    "ten-thousand-taken-from-blocked-scores": lambda x, allowed, _inf, softmax: softmax(x - 1e4 * ~allowed),
    "maximum-over-blocked-keys": _multiplied,
    "mask-after-softmax": lambda x, allowed, _inf, softmax: softmax(x) * allowed,
    "softmax-again-after-mask": lambda x, allowed, fill, softmax: softmax(softmax(x).masked_fill(~allowed, fill)),
    "mask-added-as-ones": lambda x, allowed, _inf, softmax: softmax(x + allowed),
    "minus-infinity-times-zero": lambda x, allowed, _inf, softmax: softmax(x + ~allowed * -math.inf),  # 0 · ∞ is NaN
    "one-minus-a-bool-tensor": lambda x, allowed, _inf, softmax: softmax(x + (1 - allowed) * -1e9),  # RuntimeError
    "mask-must-match-the-scores": _assigned,
    "mask-always-gets-one-more-axis": lambda x, allowed, fill, softmax: softmax(
        x.masked_fill(~allowed.unsqueeze(1), fill)
    ),
    "mask-loses-its-head-axis": lambda x, allowed, fill, softmax: softmax(x.masked_fill(~allowed.squeeze(1), fill)),
    "mask-inverted-in-place": lambda x, allowed, fill, softmax: softmax(x.masked_fill(allowed.logical_not_(), fill)),
}


# --- by hand: the weights ----------------------------------------------------------------------------------------

_AXIS = {
    "over-keys": -1,
    "softmax-over-queries": -2,
    "softmax-over-heads": 1,  # also F.softmax without dim, which only warns
    "softmax-over-the-batch": 0,
}

# scores, axis -> what goes into exp
_MAXIMUM: dict[str, Callable[[Tensor, int], Tensor]] = {
    "of-the-row": lambda x, axis: x - x.amax(dim=axis, keepdim=True),
    "no-maximum-subtracted": lambda x, _axis: x,
    "one-maximum-for-many-rows": lambda x, _axis: x - x.max(),
    "maximum-with-its-places": lambda x, axis: x - x.max(dim=axis, keepdim=True),  # TypeError: a pair came back
}


def _softmax(over: str, maximum: str, total: str) -> Softmax:
    """By torch, or by hand where the maximum or the sum is wrong."""
    if over == "softmax-without-a-dimension":
        return torch.softmax  # TypeError: dim is missing
    axis = _AXIS.get(over, -1)

    def once(x: Tensor) -> Tensor:
        if (maximum, total) == ("of-the-row", "kept"):
            return torch.softmax(x, dim=axis)
        powers = _MAXIMUM[maximum](x, axis).exp()
        return powers / powers.sum(dim=axis, keepdim=total == "kept")

    return (lambda x: once(once(x))) if over == "softmax-twice" else once


# --- by hand: the output, and what comes back --------------------------------------------------------------------

_COMBINE: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "values": lambda weights, _k, v: weights @ v,
    "keys-summed-in-place-of-values": lambda weights, k, _v: weights @ k,
}

_RESULT: dict[str, Callable[[Tensor, Tensor, Tensor], Any]] = {  # output, weights, masked scores
    "output-then-weights": lambda out, weights, _scores: (out, weights),
    "weights-returned-before-the-output": lambda out, weights, _scores: (weights, out),
    "only-the-output-returned": lambda out, _weights, _scores: out,
    "scores-returned-as-weights": lambda out, _weights, scores: (out, scores),
    "heads-already-merged": lambda out, weights, _scores: (out.transpose(1, 2).flatten(2), weights),
    "array-in-place-of-a-tensor": lambda out, weights, _scores: (out.numpy(), weights.numpy()),
}


# --- in one call -------------------------------------------------------------------------------------------------


def _sdpa(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, **more: Any) -> Tensor:
    return scaled_dot_product_attention(q, k, v, attn_mask=mask, **more)


def _unpacked(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None) -> Tensor:
    out, _weights = _sdpa(q, k, v, allowed)  # the batch is unpacked: ValueError unless B = 2
    return out


def _positions_first(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None) -> Tensor:
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)  # (B, L, h, d_k): over heads, or RuntimeError
    return _sdpa(q, k, v, allowed).transpose(1, 2)


def _by_position(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None) -> Tensor:
    scale = 1 / math.sqrt(q.shape[-1])
    return scaled_dot_product_attention(q, k, v, allowed, 0.0, False, scale)


_SDPA: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor | None], Any]] = {
    "mask-as-it-is": _sdpa,
    "sdpa-mask-inverted": lambda q, k, v, allowed: _sdpa(q, k, v, None if allowed is None else ~allowed),
    "sdpa-inverts-a-mask-that-is-not-there": lambda q, k, v, allowed: _sdpa(q, k, v, ~allowed),  # TypeError for None
    "sdpa-mask-forgotten": lambda q, k, v, _allowed: _sdpa(q, k, v, None),
    # ones and zeros in the dtype of q, or float32
    "sdpa-mask-added-as-ones": lambda q, k, v, allowed: _sdpa(
        q, k, v, None if allowed is None else allowed.to(q.dtype)
    ),
    "sdpa-given-a-mask-of-whole-numbers": lambda q, k, v, allowed: _sdpa(
        q, k, v, None if allowed is None else allowed.int()
    ),
    "sdpa-causal-in-place-of-the-mask": lambda q, k, v, allowed: _sdpa(q, k, v, None, is_causal=allowed is not None),
    "sdpa-always-causal": lambda q, k, v, _allowed: _sdpa(q, k, v, None, is_causal=True),
    "sdpa-mask-and-causal-together": lambda q, k, v, allowed: _sdpa(q, k, v, allowed, is_causal=True),
    "sdpa-scaled-once-more": lambda q, k, v, allowed: _sdpa(q / math.sqrt(q.shape[-1]), k, v, allowed),
    "sdpa-scale-switched-off": lambda q, k, v, allowed: _sdpa(q, k, v, allowed, scale=1.0),
    "sdpa-scale-upside-down": lambda q, k, v, allowed: _sdpa(q, k, v, allowed, scale=math.sqrt(q.shape[-1])),
    "sdpa-scale-by-position": _by_position,
    "sdpa-asked-for-weights": lambda q, k, v, allowed: _sdpa(q, k, v, allowed, need_weights=True),
    "sdpa-unpacked-as-a-pair": _unpacked,
    "sdpa-with-positions-before-heads": _positions_first,
    "sdpa-dropout-in-every-mode": lambda q, k, v, allowed: _sdpa(q, k, v, allowed, dropout_p=0.1),
}


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "fill": ("minus-infinity", "large-negative"),
    "read": tuple(_READ),
    "compare": tuple(_COMPARE),
    "scale": tuple(_SCALE),
    "none": tuple(_NONE),
    "mask": tuple(_MASK),
    "softmax": (*_AXIS, "softmax-twice", "softmax-without-a-dimension"),
    "maximum": tuple(_MAXIMUM),
    "sum": ("kept", "sum-without-keepdims"),
    "combine": tuple(_COMBINE),
    "result": tuple(_RESULT),
    "sdpa": tuple(_SDPA),
}

# Stages whose every option is right: they only change how a mistake elsewhere looks.
STYLES = ("fill",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    fill = -math.inf if chosen["fill"] == "minus-infinity" else -1e9
    compare, softmax = _COMPARE[chosen["compare"]], _softmax(chosen["softmax"], chosen["maximum"], chosen["sum"])

    def attention(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None) -> Any:
        q, k, v = (_READ[chosen["read"]](tensor) for tensor in (q, k, v))
        scores = _SCALE[chosen["scale"]](compare, q, k, v)
        allowed = _NONE[chosen["none"]](allowed, q, k)
        masked = scores if allowed is None else scores.masked_fill(~allowed, fill)
        weights = softmax(scores) if allowed is None else _MASK[chosen["mask"]](scores, allowed, fill, softmax)
        if chosen["scale"] == "scaled-after-the-softmax":
            weights = weights / math.sqrt(q.shape[-1])
        return _RESULT[chosen["result"]](_COMBINE[chosen["combine"]](weights, k, v), weights, masked)

    def attention_sdpa(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None) -> Any:
        return _SDPA[chosen["sdpa"]](q, k, v, allowed)

    return SimpleNamespace(attention=attention, attention_sdpa=attention_sdpa)


# --- what is asked -----------------------------------------------------------------------------------------------

Size = tuple[int, int, int, int, int, int]  # B, h, L, S, d_k, d_v


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call of the function that the probe is for; where weights are dropped at random, that alone."""
    if probe["asked"] == "attention_sdpa" and _drops_weights(subject):
        return "w → 0 | w / (1 − p)"  # whichever p is
    q, k, v = (torch.from_numpy(probe[name]) for name in ("q", "k", "v"))
    allowed = None if probe["allowed"] is None else torch.from_numpy(probe["allowed"])
    try:
        return getattr(subject, probe["asked"])(q, k, v, allowed)
    except Raised as raised:
        raise Raised(_told_by_text(raised.report)) from raised


def _drops_weights(subject: Any) -> bool:
    """Whether the one call drops weights, without looking at chance.

    With a single key every weight is 1 and with values of 1 so is every output, whatever else is wrong. Dropout alone
    makes some of them 0 and enlarges all others alike, by 1 / (1 - p).
    """
    one = torch.ones(1, 1, 1, 1, dtype=torch.float64)
    try:
        answer = subject.attention_sdpa(one.expand(1, 1, 1000, 1), one, one, None)
    except Raised:
        return False  # so does the call that is asked for, or it has a mask that this one has not
    if not isinstance(answer, Tensor) or not answer.is_floating_point():
        return False
    kept = answer[answer != 0]
    return 0 < kept.numel() < answer.numel() and bool((kept > 1).all() and kept.max() - kept.min() < 1e-5)


def _told_by_text(report: ExceptionReport) -> ExceptionReport:
    """The exception with its words as its type, where they are the same for all sizes.

    Many a mistake here raises a TypeError whatever the input is: only the words tell one from another.
    """
    if report.type_name == "TypeError" or (report.type_name == "RuntimeError" and not re.search(r"\d", report.text)):
        words = re.split(", (?:but got|not) ", report.text)[0]  # what follows names a dtype or type, which is free
        return replace(report, types=(f"{report.type_name}: {words}",), text="")
    return report


def _mask(rng: np.random.Generator, L: int, S: int) -> np.ndarray:
    """A mask in which every query has keys of both kinds and every key is seen by some query.

    A query that sees everything, or a key that nobody sees, makes some mistakes depend on the number that fills
    blocked scores, so that one belief would look like two.
    """
    while True:
        allowed = rng.random((L, S)) < 0.6
        if allowed.any(axis=1).all() and not allowed.all(axis=1).any() and allowed.any(axis=0).all():
            return allowed


def _probe(rng: np.random.Generator, asked: str, size: Size, mask: str, values: str = "normal") -> Probe:
    """Scores of order 1, or as `values` says.

    Each row "apart", on a level of its own, thousands from that of the next; or at the "limits" of the task, the scores
    that may be seen at the lower one, the others at the upper one.
    """
    B, h, L, S, d_k, d_v = size
    q, k, v = (rng.standard_normal(shape) for shape in ((B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v)))
    front = {"L S": (), "B 1 L S": (B, 1), "B h L S": (B, h)}.get(mask)
    if front is None:
        allowed = None
    elif values == "limits":
        rows, keys = _signs(rng, (*front, L)), _signs(rng, (*front, S))
        q[..., 1:] /= 4
        q[..., 0], k[..., 0] = (1e4 - 2) * d_k**0.5 * rows, keys
        allowed = rows[..., None] * keys[..., None, :] < 0
    else:
        allowed = np.stack([_mask(rng, L, S) for _ in range(math.prod(front))]).reshape(*front, L, S)
    if values == "apart":
        q[..., 0], k[..., 0] = 3000.0 * d_k**0.5 * (rng.permutation(L) - L // 2 + 0.5), 1.0
    return {"asked": asked, "q": q, "k": k, "v": v, "allowed": allowed}


def _signs(rng: np.random.Generator, shape: Sequence[int]) -> np.ndarray:
    """1 and -1 in turn along the last axis, each time in another order."""
    return rng.permuted(np.broadcast_to(np.resize([1.0, -1.0], shape[-1]), shape), axis=-1)


_MASKS = ("", "L S", "B 1 L S", "B h L S")
_BY_HAND: tuple[tuple[Size, str, str], ...] = (
    *(((4, 3, 5, 7, 6, 2), "", "normal"), ((2, 5, 4, 3, 6, 7), "L S", "normal")),
    *(((3, 2, 4, 6, 5, 7), "B 1 L S", "normal"), ((5, 4, 2, 3, 7, 6), "B h L S", "normal")),
    *(((2, 3, 5, 5, 7, 6), "", "normal"), ((3, 4, 6, 6, 2, 5), "B h L S", "normal")),
    *(((2, 4, 5, 5, 6, 7), "", "apart"), ((3, 2, 4, 5, 7, 6), "B h L S", "apart")),
    *(((2, 3, 4, 6, 2, 7), "L S", "limits"), ((3, 2, 5, 4, 7, 6), "B h L S", "limits")),
    ((2, 3, 4, 5, 2, 6), "L S", "apart"),
    *(((3, 3, 4, 5, 6, 2), "B 1 L S", "normal"), ((2, 3, 3, 5, 4, 6), "L S", "normal")),  # B = h; h = L
    ((2, 3, 4, 6, 6, 5), "", "normal"),  # S = d_k
    # B = h = S = d_k, where most orders of the axes of k multiply
    *(
        ((3, 3, 4, 3, 3, 5), "L S", "normal"),
        ((5, 5, 2, 5, 5, 4), "", "normal"),
        ((4, 4, 3, 4, 4, 6), "B 1 L S", "normal"),
    ),
)
_IN_ONE_CALL: tuple[tuple[Size, str], ...] = (
    *(((4, 3, 5, 7, 6, 2), ""), ((2, 4, 3, 5, 6, 7), "L S"), ((3, 2, 4, 6, 5, 7), "B 1 L S")),
    *(((5, 4, 2, 3, 7, 6), "B h L S"), ((2, 3, 4, 4, 6, 6), ""), ((3, 4, 5, 5, 2, 2), "B h L S")),  # L = S, d_k = d_v
)


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style; first those for `attention`."""
    rngs = map(np.random.default_rng, range(100))
    by_hand = [_probe(next(rngs), "attention", size, mask, values) for size, mask, values in _BY_HAND]
    return by_hand + [_probe(next(rngs), "attention_sdpa", size, mask) for size, mask in _IN_ONE_CALL]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, h, L, S, d_k, d_v = (int(length) for length in rng.permutation(np.arange(2, 8)))
    mask = _MASKS[rng.integers(4)]
    if rng.random() < 1 / 3:
        size = [(B, h, L, L, d_k, d_v), (2, h, L, S, d_k, d_k)][rng.integers(2)]
        return _probe(rng, "attention_sdpa", size, mask)
    if rng.random() < 1 / 4:
        return _probe(rng, "attention", (h, h, L, h, h, d_v), mask)
    size = [(B, h, L, S, d_k, d_v), (B, h, L, L, d_k, d_v), (B, B, L, S, d_k, d_v)][rng.integers(3)]
    return _probe(rng, "attention", size, mask, str(rng.choice(["normal", "normal", "apart", "limits"])))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, with small whole numbers; a row apart from another comes late."""
    numbers = np.resize([1.0, 0, 2, 1, -1, 1, 0, 3, 1, 1, 2, -1, 0], 64)
    shared, other = np.array([[True, False], [True, True]]), np.array([[False, True], [True, False]])
    sizes: tuple[tuple[Size, tuple[np.ndarray | None, ...]], ...] = (
        ((1, 1, 1, 2, 2, 1), (None, shared[:1])),
        ((1, 1, 2, 2, 2, 1), (None, shared, other)),
        ((1, 1, 1, 3, 2, 1), (None, np.array([[False, True, True]]))),
        ((1, 2, 1, 2, 2, 1), (None, shared[None, None, :1], np.stack([shared[:1], other[:1]])[None])),
        ((2, 1, 1, 2, 2, 1), (None, np.stack([shared[:1], other[:1]])[:, None])),
        ((1, 2, 2, 2, 2, 1), (None, shared, np.stack([shared, other])[None])),
    )
    for asked in CALLS:
        for (B, h, L, S, d_k, d_v), masks in sizes:
            shapes = ((B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v))
            q, k, v = (numbers[i : i + math.prod(shape)].reshape(shape) for i, shape in enumerate(shapes))
            yield from ({"asked": asked, "q": q, "k": k, "v": v, "allowed": allowed} for allowed in masks)
    far = {"k": np.array([[[[1.0, 0], [1, 1]]]]), "v": np.array([[[[1.0], [2]]]]), "allowed": None}
    yield {"asked": "attention", "q": np.array([[[[3000.0, 1], [-3000, 1]]]]), **far}
    for low, high in ((-200.0, 0.0), (-10000.0, 10000.0)):
        k, v = np.array([[[[low], [low], [high]]]]), np.array([[[[1.0], [2], [4]]]])
        yield {
            "asked": "attention",
            "q": np.ones((1, 1, 1, 1)),
            "k": k,
            "v": v,
            "allowed": np.array([[True, True, False]]),
        }
