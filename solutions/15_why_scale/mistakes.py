"""Mistake models of 15_why_scale: the reference with named switches, what it is asked, and how to show it.

    keys, spread --> score_std;   jacobian --> softmax_jacobian
    scores --argument--> softmax --axis, exponential, gradient--> derivatives --norm--> gradient_norm

    build(spread="sample-deviation-measured").score_std(q, k)

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which. Probes hold numpy arrays, `observe` asks with tensors over the same numbers. A result
that is one number may be a float or a tensor without axes, so `observe` makes both one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from grader.sandbox.wire import Build

Tensor = torch.Tensor
Probe = dict[str, Any]

CALLS = {
    "q": "score_std(q, k)",
    "weights": "softmax_jacobian(weights)",
    "scores": "gradient_norm(scores, scale)",
    "afterwards": "gradient_norm(scores, scale); scores, scores.requires_grad",
}
# an array with fewer axes has the last of them
AXES = {"q": "B h L d_k", "k": "B h S d_k", "weights": "B h L S", "scores": "B h L S", "result": "B h L weight score"}


def _reversed(x: Tensor) -> Tensor:
    """x.T, without its warning for other than two axes."""
    return x.permute(*reversed(range(x.dim())))


# --- score_std ---------------------------------------------------------------------------------------------------

_KEYS: dict[str, Callable[[Tensor], Tensor]] = {
    "last-two-axes": lambda k: k.mT,
    "keys-not-transposed": lambda k: k,
    "keys-reversed-on-all-axes": _reversed,
    "keys-transposed-for-three-axes-only": lambda k: k.transpose(1, 2),
}


def _products(q: Tensor, k: Tensor) -> Tensor:
    return q.unsqueeze(-2) * k.unsqueeze(-3)  # (..., L, S, d_k), not summed over d_k


_SPREAD: dict[str, Callable[[Tensor, Tensor, Tensor], Any]] = {  # scores, q, k -> spread
    "population": lambda s, _q, _k: s.std(correction=0),
    "sample-deviation-measured": lambda s, _q, _k: s.std(),
    "scaled-scores-measured": lambda s, q, _k: (s / q.shape[-1] ** 0.5).std(correction=0),  # the result over √d_k too
    "variance-in-place-of-the-deviation": lambda s, _q, _k: s.var(correction=0),
    "mean-not-subtracted-before-squaring": lambda s, _q, _k: s.square().mean().sqrt(),  # s.norm() / s.numel() ** 0.5
    "deviations-of-rows-averaged": lambda s, _q, _k: s.std(dim=-1, correction=0).mean(),
    "deviations-of-tables-averaged": lambda s, _q, _k: s.std(dim=(-2, -1), correction=0).mean(),
    "one-deviation-for-each-row": lambda s, _q, _k: s.std(dim=-1, correction=0),
    "one-deviation-for-each-table": lambda s, _q, _k: s.std(dim=(-2, -1), correction=0),
    "spread-of-single-products": lambda _s, q, k: _products(q, k).std(correction=0),
    "spread-of-matching-pairs-only": lambda _s, q, k: (q * k).sum(dim=-1).std(correction=0),  # RuntimeError for L ≠ S
    "spread-of-the-diagonal-only": lambda s, _q, _k: s.diagonal(dim1=-2, dim2=-1).std(correction=0),
    "weights-measured": lambda s, _q, _k: s.softmax(dim=-1).std(correction=0),
    "rule-in-place-of-a-measurement": lambda _s, q, _k: math.sqrt(q.shape[-1]),
}


# --- softmax_jacobian --------------------------------------------------------------------------------------------


def _outer(p: Tensor) -> Tensor:
    return p.unsqueeze(-1) * p.unsqueeze(-2)  # (..., S, S)


def _jacobian(p: Tensor) -> Tensor:
    return torch.diag_embed(p) - _outer(p)


def _of_all_rows(p: Tensor) -> Tensor:
    """As torch.autograd.functional.jacobian gives it: every weight by every score, (..., S, ..., S)."""
    blocks = _jacobian(p).reshape(-1, p.shape[-1], p.shape[-1])
    return torch.block_diag(*blocks).reshape(*p.shape, *p.shape)


_JACOBIAN: dict[str, Callable[[Tensor], Tensor]] = {
    "diagonal-minus-products": _jacobian,
    "jacobian-without-the-diagonal": lambda p: -_outer(p),
    "jacobian-without-the-products": torch.diag_embed,
    "jacobian-with-the-diagonal-only": lambda p: torch.diag_embed(p * (1 - p)),
    "jacobian-as-a-row": lambda p: p * (1 - p),
    "jacobian-with-its-sign-reversed": lambda p: _outer(p) - torch.diag_embed(p),
    "products-added-to-the-diagonal": lambda p: torch.diag_embed(p) + _outer(p),
    "ones-on-the-diagonal": lambda p: torch.eye(p.shape[-1], dtype=p.dtype) - _outer(p),
    "squares-in-place-of-products": lambda p: torch.diag_embed(p) - p * p,  # RuntimeError for L ≠ S
    "dot-product-in-place-of-all-products": lambda p: torch.diag_embed(p) - p @ _reversed(p),  # p @ p.T
    "jacobian-for-one-row-only": lambda p: torch.diag(p) - torch.outer(p, p),  # RuntimeError for two axes
    "jacobian-of-all-rows-at-once": _of_all_rows,
    "weights-taken-for-scores": lambda weights: _jacobian(weights.softmax(dim=-1)),
}


# --- gradient_norm -----------------------------------------------------------------------------------------------

Softmax = Callable[[Tensor], Tensor]
Jacobian = Callable[[Tensor], Tensor]


def _rounded_to_nothing(scores: Tensor, scale: float, softmax: Softmax, _jacobian: Jacobian) -> Tensor:
    """`weights.sum().backward()`: the weights of a row always sum to 1, so the gradient is 0 but for rounding."""
    asking = scores.detach().clone().requires_grad_()
    softmax(asking * scale).sum().backward()
    assert asking.grad is not None
    return asking.grad


_GRADIENT: dict[str, Callable[[Tensor, float, Softmax, Jacobian], Tensor]] = {
    "chain-rule": lambda x, scale, softmax, jacobian: scale * jacobian(softmax(x * scale)),
    "scale-missing-in-the-chain-rule": lambda x, scale, softmax, jacobian: jacobian(softmax(x * scale)),
    "scale-ignored": lambda x, _scale, softmax, jacobian: jacobian(softmax(x)),
    "scale-outside-the-softmax-only": lambda x, scale, softmax, jacobian: scale * jacobian(softmax(x)),
    "scores-divided-by-the-scale": lambda x, scale, softmax, jacobian: jacobian(softmax(x / scale)) / scale,
    "chain-rule-applied-twice": lambda x, scale, softmax, jacobian: scale**2 * jacobian(softmax(x * scale)),
    "gradient-of-the-summed-weights": _rounded_to_nothing,
    "norm-of-the-weights": lambda x, scale, softmax, _jacobian: softmax(x * scale),
    "norm-of-the-diagonal-only": lambda x, scale, softmax, _jacobian: (
        scale * softmax(x * scale) * (1 - softmax(x * scale))
    ),
    "rows-left-out-of-the-norm": lambda x, scale, softmax, jacobian: (
        scale * jacobian(softmax((x[0] if x.dim() > 1 else x) * scale))
    ),
}

_NORM: dict[str, Callable[[Tensor, int], Any]] = {  # derivatives, axes of a row's derivatives -> norm
    "all-together": lambda d, _axes: d.norm(),
    "root-missing-from-the-norm": lambda d, _axes: d.square().sum(),
    "norms-of-rows-added": lambda d, axes: d.flatten(-axes).norm(dim=-1).sum(),
    "norms-of-rows-averaged": lambda d, axes: d.flatten(-axes).norm(dim=-1).mean(),
    "one-norm-for-each-row": lambda d, axes: d.flatten(-axes).norm(dim=-1),
    "largest-singular-value": lambda d, _axes: torch.linalg.norm(d, 2),  # RuntimeError for more than one row
    "absolute-derivatives-added": lambda d, _axes: d.abs().sum(),
    "squares-averaged-in-the-norm": lambda d, _axes: d.square().mean().sqrt(),
}


def _asked_for_gradients(scores: Tensor, _scale: float) -> Tensor:
    return scores.requires_grad_().detach()


def _scaled_in_place(scores: Tensor, scale: float) -> Tensor:
    scores *= scale
    return scores / scale


_ARGUMENT: dict[str, Callable[[Tensor, float], Tensor]] = {
    "left-alone": lambda scores, _scale: scores,
    "argument-asked-for-gradients": _asked_for_gradients,
    "scores-scaled-in-place": _scaled_in_place,
}


def _by_hand(x: Tensor) -> Tensor:
    return x.exp() / x.exp().sum(dim=-1, keepdim=True)  # NaN where exp is infinite


_SOFTMAX: dict[str, Softmax] = {
    "over-the-last-axis": lambda x: x.softmax(dim=-1),
    "softmax-over-the-first-axis": lambda x: x.softmax(dim=0),
    "no-maximum-subtracted": _by_hand,
}


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "reach": ("derivatives-by-themselves", "derivatives-by-the-jacobian"),
    "keys": tuple(_KEYS),
    "spread": tuple(_SPREAD),
    "jacobian": tuple(_JACOBIAN),
    "argument": tuple(_ARGUMENT),
    "softmax": tuple(_SOFTMAX),
    "gradient": tuple(_GRADIENT),
    "norm": tuple(_NORM),
}

# Stages whose every option is right, and which change how a mistake elsewhere looks.
# reach: gradient_norm calls the student's softmax_jacobian, right or wrong, or does without it.
STYLES = ("reach",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    softmax_jacobian = _JACOBIAN[chosen["jacobian"]]
    inner = softmax_jacobian if chosen["reach"] == "derivatives-by-the-jacobian" else _jacobian

    def score_std(q: Tensor, k: Tensor) -> Any:
        needs_scores = chosen["spread"] not in ("spread-of-matching-pairs-only", "rule-in-place-of-a-measurement")
        scores = q @ _KEYS[chosen["keys"]](k) if needs_scores else q
        return _SPREAD[chosen["spread"]](scores, q, k)

    def gradient_norm(scores: Tensor, scale: float) -> Any:
        raw = _ARGUMENT[chosen["argument"]](scores, scale)
        derivatives = _GRADIENT[chosen["gradient"]](raw, scale, _SOFTMAX[chosen["softmax"]], inner)
        return _NORM[chosen["norm"]](derivatives, min(2, derivatives.dim()))

    return SimpleNamespace(score_std=score_std, softmax_jacobian=softmax_jacobian, gradient_norm=gradient_norm)


# --- what is asked -----------------------------------------------------------------------------------------------

NOTHING = 1e-9  # of a number below this, only rounding may be left


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call; for "afterwards", the argument as the call leaves it."""
    if "q" in probe:
        return _number(subject.score_std(torch.from_numpy(probe["q"]), torch.from_numpy(probe["k"])))
    if "weights" in probe:
        return subject.softmax_jacobian(torch.from_numpy(probe["weights"]))
    scores = torch.tensor(probe["scores"])  # a copy: what is built may be changed
    if probe.get("asked") == "afterwards":
        kept = subject.build(Build("torch.nn.Parameter", {"data": scores, "requires_grad": False}))
        subject.gradient_norm(kept, probe["scale"])
        return {"scores": kept.get("data"), "requires_grad": kept.get("requires_grad")}
    return _number(subject.gradient_norm(scores, probe["scale"]))


def _number(got: Any) -> Any:
    """One number as a float, 0.0 where only rounding is left of it; anything else as it is."""
    if isinstance(got, Tensor) and got.dim() == 0:
        got = got.item()
    if isinstance(got, bool) or not isinstance(got, int | float | np.number):
        return got
    return 0.0 if abs(got) < NOTHING else float(got)


def _vectors(rng: np.random.Generator, front: tuple[int, ...], lengths: tuple[int, int, int]) -> Probe:
    """Queries and keys of (*front, L, d_k) and (*front, S, d_k), not centred at 0."""
    L, S, d_k = lengths
    return {"q": rng.standard_normal((*front, L, d_k)) + 0.7, "k": rng.standard_normal((*front, S, d_k)) + 0.7}


def _weights(rng: np.random.Generator, *size: int) -> Probe:
    powers = np.exp(rng.standard_normal(size))
    return {"weights": powers / powers.sum(axis=-1, keepdims=True)}


def _scores(rng: np.random.Generator, *size: int, scale: float) -> Probe:
    return {"scores": rng.standard_normal(size), "scale": scale}


def _far_apart(rng: np.random.Generator, *size: int) -> Probe:
    """Scores of which no two are less than 800 apart: no gradient is left, and exp overflows."""
    return {"scores": 800.0 * rng.permutation(math.prod(size)).reshape(size), "scale": 1.0}


# few pairs in each: one less of them is then a clear difference
_VECTORS = (
    *(((), (2, 3, 5)), ((2,), (4, 3, 5)), ((2, 3), (2, 4, 3))),
    *(((), (3, 3, 4)), ((3,), (2, 2, 2)), ((2,), (4, 4, 3)), ((2,), (2, 2, 2))),  # L = S
)
_ROWS = ((3,), (4, 2), (3, 3), (2, 4, 3), (2, 2, 3, 4))


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style; some are square, where a wrong axis raises nothing."""
    made = [_vectors(np.random.default_rng(300 + i), *sizes) for i, sizes in enumerate(_VECTORS)]
    made += [_weights(np.random.default_rng(10 + i), *size) for i, size in enumerate(_ROWS)]
    rngs = [np.random.default_rng(30 + i) for i in range(9)]
    made += [
        _scores(rngs[0], 4, scale=1.7),
        _scores(rngs[1], 4, scale=2.5),
        _scores(rngs[2], 5, 3, scale=0.5),
        _scores(rngs[3], 3, 3, scale=2.0),
        _scores(rngs[4], 2, 4, 3, scale=0.6),
        _far_apart(rngs[5], 3, 4),
        _scores(rngs[6], 2, 3, scale=0.5) | {"asked": "afterwards"},
        _scores(rngs[7], 3, scale=0.5) | {"asked": "afterwards"},  # one row: some mistakes raise for more
        _far_apart(rngs[8], 4),
    ]
    return made


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    kind = int(rng.integers(10))
    front = tuple(int(size) for size in rng.integers(2, 4, int(rng.integers(3))))
    L, S, d_k = (int(size) for size in 2 + rng.permutation(3))
    if kind < 3:
        lengths = (front[0],) * 3 if kind == 0 and front else (L, L if kind < 2 else S, d_k)
        return _vectors(rng, front[:1], lengths)
    if kind < 6:
        return _weights(rng, *front, S)
    scale = float(rng.choice([0.4, 0.6, 1.7, 2.5]))
    if kind == 6:
        return _far_apart(rng, *(L, S)[len(front) % 2 :])
    probe = _scores(rng, *front, S, scale=scale)
    return probe | {"asked": "afterwards"} if kind == 7 else probe


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, with numbers that can be checked by hand."""
    numbers = np.array([1.0, 0, 2, 1, 3, 1, 0, 2, 1, 1, 4, 0])
    for front, L, S, d_k in (((), 1, 2, 2), ((), 2, 2, 2), ((), 2, 1, 2), ((2,), 1, 2, 1), ((2,), 1, 2, 2)):
        q, k = math.prod(front) * L * d_k, math.prod(front) * S * d_k
        yield {"q": numbers[:q].reshape(*front, L, d_k), "k": numbers[-k:].reshape(*front, S, d_k)}
    halves = np.array([[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]])
    yield {"weights": np.array([0.75, 0.25])}
    yield {"weights": halves[0]}
    yield {"weights": np.array([[0.75, 0.25], [0.5, 0.5]])}
    yield {"weights": halves}
    logarithms = np.log([[1.0, 3.0], [1.0, 1.0], [2.0, 1.0]])
    for scores in (logarithms[0], logarithms[:2], logarithms):
        yield {"scores": scores, "scale": 2.0}
        yield {"scores": scores, "scale": 0.5}
    yield {"scores": np.array([0.0, 1000.0]), "scale": 1.0}
    yield {"scores": np.array([0.0, 1.0]), "scale": 2.0, "asked": "afterwards"}
