"""Mistake models of 03_masked_softmax: the reference with named switches, what it is asked, and how to show it.

    scores --none, mask--> masked scores --axis, maximum, keepdims, weights--> weights

    build(axis="softmax-over-queries").masked_softmax(scores, allowed)

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray
Probe = dict[str, Any]
Softmax = Callable[..., Array]

CALLS = {"length": "causal_allowed(length)", "scores": "masked_softmax(scores, allowed)"}
AXES = {"scores": "h L S", "allowed": "h L S", "result": "h L S"}  # an array with fewer axes has the last of them


# --- causal_allowed ----------------------------------------------------------------------------------------------

_CAUSAL: dict[str, Callable[[int], Array]] = {
    "lower-triangle": lambda n: np.tril(np.ones((n, n), dtype=bool)),
    "causal-mask-blocks-the-diagonal": lambda n: np.tril(np.ones((n, n), dtype=bool), k=-1),  # also ~np.triu(…)
    "causal-mask-shows-one-future-key": lambda n: np.tril(np.ones((n, n), dtype=bool), k=1),
    "causal-mask-blocks-the-past": lambda n: np.triu(np.ones((n, n), dtype=bool)),  # also i <= j, and a right one .T
    "causal-mask-marks-the-blocked": lambda n: np.triu(np.ones((n, n), dtype=bool), k=1),
    "causal-mask-of-numbers": lambda n: np.tril(np.ones((n, n))),  # float or int, 1 and 0
    "causal-mask-to-be-added": lambda n: np.triu(np.full((n, n), -np.inf), k=1),
    "causal-mask-blocks-nothing": lambda n: np.ones((n, n), dtype=bool),
    "causal-mask-with-extra-axis": lambda n: np.tril(np.ones((1, n, n), dtype=bool)),
}


# --- the mask: what None does, and how blocked scores are treated ------------------------------------------------


def _none_as_causal(scores: Array, allowed: Array | None) -> Array:
    return np.tril(np.ones((scores.shape[1], scores.shape[1]), dtype=bool)) if allowed is None else allowed


def _none_into_not(_scores: Array, allowed: Any) -> Array:
    blocked = ~allowed  # TypeError for None
    return ~blocked


def _none_by_truth(_scores: Array, allowed: Array | None) -> Array | None:
    if allowed:  # ValueError for an array; `allowed != None` ends there too
        return allowed
    return None


_NONE: dict[str, Callable[[Array, Array | None], Array | None]] = {
    "no-mask": lambda _scores, allowed: allowed,
    "no-mask-blocks-everything": lambda _scores, allowed: np.array(allowed, dtype=bool),  # np.where(None, …)
    "no-mask-not-expected": _none_into_not,
    "truth-value-of-the-mask": _none_by_truth,
    "no-mask-means-causal": _none_as_causal,
}


# Each gets scores that it may write to: a copy of floats, unless the student writes into the argument.


def _fill(scores: Array, allowed: Array, fill: float, softmax: Softmax) -> Array:
    scores[np.broadcast_to(~allowed, scores.shape)] = fill  # into whole numbers, -inf is an OverflowError
    return softmax(scores)


def _multiply(scores: Array, allowed: Array, _fill: float, softmax: Softmax) -> Array:
    """No score is touched: the powers are multiplied by the mask, and an overflowing one times 0 is NaN."""
    return softmax(scores, allowed)


def _multiply_after_max(scores: Array, allowed: Array, _fill: float, _softmax: Softmax) -> Array:
    """The softmax comes first; its weights are masked and divided once more, which is the same."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    return powers / powers.sum(axis=-1, keepdims=True)


def _first_head_only(scores: Array, allowed: Array, fill: float, softmax: Softmax) -> Array:
    scores[0][~(allowed if allowed.ndim == 2 else allowed[0])] = fill
    return softmax(scores)


def _first_mask_for_all(scores: Array, allowed: Array, fill: float, softmax: Softmax) -> Array:
    return _fill(scores, allowed if allowed.ndim == 2 else allowed[0], fill, softmax)


def _two_axes_only(scores: Array, allowed: Array, fill: float, softmax: Softmax) -> Array:
    scores[:, ~allowed] = fill  # IndexError for a mask of (h, L, S)
    return softmax(scores)


def _three_axes_only(scores: Array, allowed: Array, fill: float, softmax: Softmax) -> Array:
    scores[~allowed] = fill  # IndexError for a mask of (L, S), unless it happens to fit (h, L)
    return softmax(scores)


_MASK: dict[str, Callable[[Array, Array, float, Softmax], Array]] = {
    "fill": _fill,
    # an unassigned result of np.where, a mask applied and then overwritten, and scores + (1 - allowed) * 1e-9
    "mask-ignored": lambda x, _allowed, _fill, softmax: softmax(x),
    "mask-inverted": lambda x, allowed, fill, softmax: _fill(x, ~allowed, fill, softmax),
    # to 9 digits also 1e-9 and -1e-9 in place of -1e9; scores * allowed; exp of zeroed scores
    "blocked-scores-set-to-zero": lambda x, allowed, _inf, softmax: _fill(x, allowed, 0.0, softmax),
    "blocked-scores-set-to-minus-hundred": lambda x, allowed, _inf, softmax: _fill(x, allowed, -100.0, softmax),
    "blocked-scores-set-to-minus-thousand": lambda x, allowed, _inf, softmax: _fill(x, allowed, -1000.0, softmax),
    "blocked-scores-set-to-minus-ten-thousand": lambda x, allowed, _inf, softmax: _fill(x, allowed, -1e4, softmax),
    "ten-thousand-taken-from-blocked-scores": lambda x, allowed, _inf, softmax: softmax(x + (1 - allowed) * -1e4),
    "mask-after-softmax": lambda x, allowed, _inf, softmax: softmax(x) * allowed,  # also exp * allowed, sum over all
    "blocked-weights-set-to-minus-infinity": lambda x, allowed, fill, softmax: np.where(allowed, softmax(x), fill),
    "softmax-again-after-mask": lambda x, allowed, fill, softmax: _fill(softmax(x), allowed, fill, softmax),
    "maximum-over-blocked-keys": _multiply_after_max,
    "mask-on-the-first-head-only": _first_head_only,
    "mask-of-the-first-head-for-all": _first_mask_for_all,
    "mask-always-gets-a-head-axis": lambda x, allowed, fill, softmax: softmax(np.where(allowed[None], x, fill)),
    "mask-of-two-axes-only": _two_axes_only,
    "mask-of-three-axes-only": _three_axes_only,
}

_WRITTEN: dict[str, Callable[[Array], Array]] = {
    "into-floats": lambda scores: scores.astype(float),
    "infinity-into-whole-numbers": lambda scores: scores.copy(),
    "mask-written-into-the-scores": lambda scores: scores,
}


# --- the softmax -------------------------------------------------------------------------------------------------

_AXIS: dict[str, int | tuple[int, int] | None] = {
    "keys": -1,
    "softmax-over-queries": -2,
    "softmax-over-heads": 0,
    "softmax-over-each-table": (-2, -1),  # a loop over heads with e / e.sum()
    "softmax-over-everything": None,
}


def _subtract_in_place(x: Array, peak: Array) -> Array:
    x -= peak  # x is the argument itself where no mask made a copy
    return x


_MAXIMUM: dict[str, Callable[[Array, Array], Array]] = {
    "of-the-row": lambda x, peak: x - peak,
    "no-maximum-subtracted": lambda x, _peak: x,
    "one-maximum-for-many-rows": lambda x, _peak: x - x.max(),  # also one for each head, axis=(1, 2)
    "maximum-over-queries": lambda x, _peak: x - x.max(axis=-2, keepdims=True),
    "maximum-over-heads": lambda x, _peak: x - x.max(axis=0, keepdims=True),
    "maximum-subtracted-in-place": _subtract_in_place,
}

_KEEPDIMS = {
    "kept": (True, True),  # in the maximum, in the sum
    "sum-without-keepdims": (True, False),
    "maximum-without-keepdims": (False, True),
    "no-keepdims": (False, False),
}


_WEIGHTS = ("once", "softmax-twice", "powers-of-two", "weights-not-divided", "logarithm-of-the-weights")


def _softmax(axis: str, maximum: str, keepdims: str, weights: str) -> Softmax:
    over = _AXIS[axis]
    keep_maximum, keep_sum = _KEEPDIMS[keepdims]

    def softmax(x: Array, counted: Array | float = 1.0) -> Array:
        shifted = _MAXIMUM[maximum](x, x.max(axis=over, keepdims=keep_maximum))
        powers = (np.exp2(shifted) if weights == "powers-of-two" else np.exp(shifted)) * counted
        if weights == "weights-not-divided":
            return powers
        total = powers.sum(axis=over, keepdims=keep_sum)
        return shifted - np.log(total) if weights == "logarithm-of-the-weights" else powers / total

    return (lambda x, counted=1.0: softmax(softmax(x, counted))) if weights == "softmax-twice" else softmax


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "fill": ("minus-infinity", "large-negative", "powers-multiplied"),
    "causal": tuple(_CAUSAL),
    "none": tuple(_NONE),
    "mask": tuple(_MASK),
    "written": tuple(_WRITTEN),
    "axis": tuple(_AXIS),
    "maximum": tuple(_MAXIMUM),
    "keepdims": tuple(_KEEPDIMS),
    "weights": _WEIGHTS,
    "result": ("float", "weights-cut-to-whole-numbers"),
}

# Stages whose every option is right: they only change how a mistake elsewhere looks. Powers are multiplied by the mask
# where no maximum is subtracted; where one is, that is a mistake of its own, maximum-over-blocked-keys.
STYLES = ("fill",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    infinite = chosen["fill"] != "large-negative" or chosen["written"] == "infinity-into-whole-numbers"
    fill = -np.inf if infinite else -1e9
    multiplied = chosen["fill"] == "powers-multiplied" and chosen["maximum"] == "no-maximum-subtracted"
    blocked = _multiply if multiplied and chosen["mask"] == "fill" else _MASK[chosen["mask"]]
    softmax = _softmax(chosen["axis"], chosen["maximum"], chosen["keepdims"], chosen["weights"])

    def masked_softmax(scores: Array, allowed: Array | None = None) -> Array:
        allowed = _NONE[chosen["none"]](scores, allowed)
        if allowed is None:
            weights = softmax(scores)
        else:
            weights = blocked(_WRITTEN[chosen["written"]](scores), allowed, fill, softmax)
        # a buffer made by zeros_like(scores) takes whole numbers only, where the scores are such
        return weights if chosen["result"] == "float" else weights.astype(scores.dtype)

    return SimpleNamespace(causal_allowed=_CAUSAL[chosen["causal"]], masked_softmax=masked_softmax)


# --- what is asked -----------------------------------------------------------------------------------------------


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call of the function that the probe is for."""
    if "length" in probe:
        return subject.causal_allowed(probe["length"])
    return subject.masked_softmax(probe["scores"], probe["allowed"])


def _mask(rng: np.random.Generator, length: int, keys: int) -> Array:
    """A mask in which every query has keys of both kinds and every key is seen by some query.

    A query that sees everything, or a key that nobody sees, makes some mistakes depend on the number that fills
    blocked scores, so that one belief would look like two.
    """
    while True:
        allowed = rng.random((length, keys)) < 0.6
        if allowed.any(axis=1).all() and not allowed.all(axis=1).any() and allowed.any(axis=0).all():
            return allowed


def _probe(rng: np.random.Generator, size: tuple[int, int, int], values: str, mask: str) -> Probe:
    """Scores of (h, L, S) = `size`: one of _VALUES; the mask is one of _MASKS."""
    h, L, S = size
    allowed = {
        "none": lambda: None,
        "shared": lambda: _mask(rng, L, S),
        "own": lambda: np.stack([_mask(rng, L, S) for _ in range(h)]),
    }[mask]()
    scores = rng.standard_normal(size)
    if values == "rows-apart":
        scores += 600.0 * (rng.permutation(h * L) - h * L // 2).reshape(h, L, 1)
    elif values == "limits":  # what may be seen at the lower limit of the task, what may not at the upper one
        blocked = False if allowed is None else ~allowed
        scores = np.where(blocked, 1e4 - abs(scores), abs(scores) - 1e4)
    elif values == "low":  # below -100, above -1000
        scores -= 500.0
    elif values == "whole":
        scores = rng.integers(-4, 5, size)
    return {"scores": scores, "allowed": allowed}


_VALUES = ("normal", "rows-apart", "limits", "low", "whole")
_MASKS = ("none", "shared", "own")
_FIXED: tuple[tuple[tuple[int, int, int], str, str], ...] = (
    *(((3, 5, 4), "normal", "none"), ((2, 4, 6), "normal", "shared"), ((5, 2, 3), "normal", "own")),
    *(((2, 5, 3), "rows-apart", "none"), ((3, 2, 5), "rows-apart", "shared")),
    *(((4, 2, 3), "limits", "shared"), ((3, 4, 5), "limits", "own"), ((2, 4, 3), "low", "own")),
    *(((3, 6, 2), "whole", "none"), ((4, 3, 5), "whole", "shared"), ((2, 3, 4), "whole", "own")),
    # shapes for which a lost axis raises nothing
    *(((1, 4, 4), "normal", "none"), ((1, 5, 5), "limits", "shared")),
    *(((3, 3, 3), "normal", "none"), ((4, 4, 4), "whole", "own"), ((5, 5, 5), "low", "own")),
)


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style; sizes pairwise different but for the last five."""
    lengths: list[Probe] = [{"length": length} for length in (1, 2, 3, 5)]
    return lengths + [_probe(np.random.default_rng(i), *fixed) for i, fixed in enumerate(_FIXED)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    if rng.random() < 0.2:
        return {"length": int(rng.integers(2, 8))}
    h, L, S = rng.permutation(np.arange(2, 7))[:3].tolist()
    size = [(h, L, S), (h, L, S), (1, L, L), (L, L, L)][rng.integers(4)]
    return _probe(rng, size, str(rng.choice(_VALUES)), str(rng.choice(_MASKS)))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, with small whole numbers as scores where these show the mistake."""
    yield from ({"length": length} for length in range(2, 5))
    numbers = np.array([0.0, 1, 3, 1, 2, 0, 1, 1, 0, 3, 2, 1])
    for size in ((1, 2, 3), (2, 1, 3), (1, 2, 2), (2, 1, 2), (2, 2, 2), (2, 2, 3)):
        shared = np.tri(*size[1:], dtype=bool)
        own = np.stack([shared, shared[:, ::-1]][: size[0]])
        scores = numbers[: np.prod(size)].reshape(size)
        yield from ({"scores": scores, "allowed": allowed} for allowed in (None, shared, own))
    whole, causal = np.array([[[0, 1], [3, 1]]]), np.tri(2, dtype=bool)
    yield from ({"scores": whole, "allowed": allowed} for allowed in (None, causal))
    yield {"scores": np.array([[[1000.0, 1001.0]]]), "allowed": None}
    yield {"scores": np.array([[[0.0, 1.0], [1003.0, 1001.0]]]), "allowed": None}
    for low, high in ((-200.0, 0.0), (-10000.0, 10000.0)):
        yield {"scores": np.array([[[low, low, high]]]), "allowed": np.array([[True, True, False]])}
