"""Mistake models of 06_param_count: the reference with named switches, what it is asked, and how to show it.

    check, below_one --> head_dim;   naive, power --> count_naive;   weights, biases, power --> count_multi_head

    build(weights="output-projection-not-counted").count_multi_head(d_model, num_heads)

A wrong option bears the slug of its card in exercises/mistakes.toml. Formulas that give one and the same number share
one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader.checks import refusal

Probe = dict[str, Any]
Sizes = Callable[[int, int], Any]  # d_model, num_heads
TooFew = Callable[[int, int], bool]

CALLS = {
    "width": "head_dim(d_model, num_heads)",
    "naive": "count_naive(d_model, num_heads)",
    "multi-head": "count_multi_head(d_model, num_heads)",
    "multi-head, bias": "count_multi_head(d_model, num_heads, bias)",
}
AXES: dict[str, str] = {}  # numbers only


# --- head_dim ----------------------------------------------------------------------------------------------------


def _refuse(d_model: int, num_heads: int) -> None:
    raise ValueError(f"d_model = {d_model} cannot be cut into num_heads = {num_heads} equal parts")


def _names_num_heads_only(_d_model: int, num_heads: int) -> bool:
    if num_heads < 1:
        raise ValueError(f"num_heads = {num_heads} must be at least 1")
    return False


_BELOW_ONE: dict[str, TooFew] = {
    "refused": lambda _d_model, num_heads: num_heads < 1,
    "too-few-heads-not-refused": lambda _d_model, _num_heads: False,  # a division by 0 raises then
    "only-zero-heads-refused": lambda _d_model, num_heads: num_heads == 0,
    "zero-heads-divided-by": lambda _d_model, num_heads: num_heads < 0,  # where the rest is asked for first, too
    "too-few-heads-refused-without-the-width": _names_num_heads_only,
    "one-head-refused": lambda _d_model, num_heads: num_heads <= 1,
}


def _unless(refused: Sizes, width: Sizes) -> Callable[[int, int, TooFew], Any]:
    """Refuse by a proper ValueError where there are too few heads or `refused` holds; else the width."""

    def head_dim(d_model: int, num_heads: int, too_few: TooFew) -> Any:
        if too_few(d_model, num_heads) or refused(d_model, num_heads):
            _refuse(d_model, num_heads)
        return width(d_model, num_heads)

    return head_dim


def _without_the_numbers(d_model: int, num_heads: int, too_few: TooFew) -> int:
    if too_few(d_model, num_heads) or d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return d_model // num_heads


def _asserted(d_model: int, num_heads: int, too_few: TooFew) -> int:
    assert not too_few(d_model, num_heads)
    assert d_model % num_heads == 0, f"d_model = {d_model}, num_heads = {num_heads}"
    return d_model // num_heads


def _instead(value: object) -> Callable[[int, int, TooFew], Any]:
    """Return this where the sizes do not fit."""
    return lambda d, h, too_few: value if too_few(d, h) or d % h != 0 else d // h


def _indivisible(d_model: int, num_heads: int) -> bool:
    return d_model % num_heads != 0


def _unchecked(_d_model: int, _num_heads: int) -> bool:
    return False


_CHECK: dict[str, Callable[[int, int, TooFew], Any]] = {
    "both-numbers": _unless(_indivisible, lambda d, h: d // h),
    "indivisible-width-rounded-down": _unless(_unchecked, lambda d, h: d // h),  # int(d / h) too
    "indivisible-width-rounded-to-the-nearest": _unless(_unchecked, lambda d, h: round(d / h)),
    "indivisible-width-as-a-fraction": _unless(_unchecked, lambda d, h: d / h),
    "indivisible-width-gives-zero": _instead(0),
    "refusal-without-the-numbers": _without_the_numbers,  # or with one of them
    "refusal-by-another-exception": _asserted,  # or raise RuntimeError, TypeError, Exception
    "refusal-printed-not-raised": _instead(None),
    "divisibility-check-inverted": _unless(lambda d, h: d % h == 0, lambda d, h: d // h),
    "divisibility-check-the-wrong-way-round": _unless(lambda d, h: h % d != 0, lambda d, h: d // h),
    "heads-divided-by-the-width": _unless(_indivisible, lambda d, h: h // d),
    "head-dim-returned-as-a-float": _unless(_indivisible, lambda d, h: d / h),
}


# --- count_naive -------------------------------------------------------------------------------------------------

_NAIVE: dict[str, Sizes] = {
    "full-width": lambda d, h: h * 3 * d * d,
    "naive-plan-with-narrow-heads": lambda d, _h: 3 * d * d,  # h * 3 * d * d_k; also h left out
    "naive-plan-with-a-wide-output-projection": lambda d, h: h * 4 * d * d,  # W^O of (h * d_model, d_model)
    "naive-plan-with-a-square-output-projection": lambda d, h: h * 3 * d * d + d * d,
    "naive-plan-with-one-matrix-for-each-head": lambda d, h: h * d * d,
    "naive-plan-with-sizes-exchanged": lambda d, h: d * 3 * h * h,
    "naive-plan-with-tiny-matrices": lambda d, h: h * 3 * (d // h) ** 2,  # d_k by d_k
    "naive-plan-with-biases": lambda d, h: h * 3 * (d * d + d),
}


# --- count_multi_head --------------------------------------------------------------------------------------------

# d_model, num_heads, d_k -> weights, and the biases of the matrices that are counted
_WEIGHTS: dict[str, Callable[[int, int, Any], tuple[Any, Any]]] = {
    "four-matrices": lambda d, h, k: (h * 3 * d * k + d * d, 4 * d),
    "output-projection-not-counted": lambda d, _h, _k: (3 * d * d, 3 * d),
    "count-multiplied-by-the-heads": lambda d, h, _k: (h * 4 * d * d, h * 4 * d),
    "every-head-counted-at-full-width": lambda d, h, _k: (h * 3 * d * d + d * d, h * 3 * d + d),
    "multi-head-counted-like-the-naive-plan": lambda d, h, _k: (h * 3 * d * d, h * 3 * d),
    "count-divided-by-the-heads": lambda d, _h, k: (4 * d * k, 4 * k),  # h * 4 * d_k² too
    "head-matrices-counted-too-small": lambda d, _h, k: (3 * d * k + d * d, 3 * k + d),  # h * 3 * d_k², or one head
    "one-small-matrix-for-all-heads": lambda d, _h, k: (3 * k * k + d * d, 3 * k + d),
    "one-matrix-for-query-key-and-value": lambda d, _h, _k: (2 * d * d, 2 * d),
    "output-projection-of-one-head": lambda d, _h, k: (3 * d * d + k * d, 4 * d),
    "output-projection-for-every-head": lambda d, h, _k: (3 * d * d + h * d * d, 3 * d + h * d),
}

# d_model, num_heads, d_k -> biases, where they are counted
_BIASES: dict[str, Callable[[int, int, Any], int]] = {
    "biases-never-counted": lambda _d, _h, _k: 0,
    "bias-of-the-output-projection-forgotten": lambda d, _h, _k: 3 * d,
    "one-bias-for-the-whole-layer": lambda d, _h, _k: d,
    "biases-of-one-head": lambda d, _h, k: 3 * k + d,
    "only-the-biases-of-one-head": lambda _d, _h, k: 3 * k,
    "biases-multiplied-by-the-heads": lambda d, h, _k: h * 4 * d,
    "one-number-for-each-bias": lambda _d, _h, _k: 4,
    "biases-of-heads-at-full-width": lambda d, h, _k: 3 * h * d + d,
    "every-bias-as-wide-as-a-head": lambda _d, _h, k: 4 * k,
}
_WHEN_BIASED = {  # is a bias counted? None: the argument is left out
    "biases-always-counted": lambda _bias: True,
    "bias-on-unless-switched-off": lambda bias: bias is None or bias,
    "bias-read-the-wrong-way-round": lambda bias: not bias,
}


def _caret(factor: int, width: int) -> int:
    """`factor * width ^ 2` in Python: ^ flips bits and takes no power, and * comes before it."""
    return (factor * width) ^ 2


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "formula": ("in-full", "head-by-head"),
    "reach": ("both-rules", "one-rule"),
    "check": tuple(_CHECK),
    "below_one": tuple(_BELOW_ONE),
    "naive": tuple(_NAIVE),
    "weights": tuple(_WEIGHTS),
    "biases": ("one-for-each-column", *_BIASES, *_WHEN_BIASED, "nothing-counted-without-biases"),
    "power": ("square", "caret-for-a-power"),
    "number": ("whole", "count-returned-as-a-float", "power-returned-as-a-float"),
}

# Stages whose every option is right, and which change how a mistake elsewhere looks.
# formula: 4 * d_model² and 4 * d_model, or matrix by matrix with the width that head_dim gives.
# reach: a student whose check is wrong checks num_heads < 1 in the same way, or forgets it.
STYLES = ("formula", "reach")

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _head_dim(chosen: dict[str, str]) -> Sizes:
    check, too_few = _CHECK[chosen["check"]], _BELOW_ONE[chosen["below_one"]]
    if chosen["check"] != STAGES["check"][0] and chosen["reach"] == "one-rule":
        too_few = _BELOW_ONE["too-few-heads-not-refused"]
    return lambda d_model, num_heads: check(d_model, num_heads, too_few)


def _counted(chosen: dict[str, str], d: int, h: int, d_k: Any, bias: bool | None) -> Any:
    """The sum for multi-head attention, with the options that were chosen."""
    weights, own_biases = _WEIGHTS[chosen["weights"]](d, h, d_k)
    with_bias = _WHEN_BIASED.get(chosen["biases"], bool)(bias)
    all_biases = own_biases if chosen["formula"] == "head-by-head" else 4 * d
    biases = _BIASES[chosen["biases"]](d, h, d_k) if chosen["biases"] in _BIASES else all_biases
    if chosen["power"] == "caret-for-a-power":
        weights = _caret(4, d)
    if chosen["biases"] == "nothing-counted-without-biases":  # weights + biases if bias else 0
        return weights + biases if with_bias else 0
    return weights + (biases if with_bias else 0)


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    head_dim = _head_dim(chosen)

    def count_naive(d_model: int, num_heads: int) -> Any:
        if chosen["power"] == "caret-for-a-power":
            return _caret(num_heads * 3, d_model)
        count = _NAIVE[chosen["naive"]](d_model, num_heads)
        return float(count) if chosen["number"] == "power-returned-as-a-float" else count

    def count_multi_head(d_model: int, num_heads: int, bias: bool | None = None) -> Any:
        d_k = head_dim(d_model, num_heads) if chosen["formula"] == "head-by-head" else d_model // num_heads
        count = _counted(chosen, d_model, num_heads, d_k, bias)
        return count if chosen["number"] == "whole" else float(count)  # d_model / num_heads, math.pow

    return SimpleNamespace(head_dim=head_dim, count_naive=count_naive, count_multi_head=count_multi_head)


# --- what is asked -----------------------------------------------------------------------------------------------


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call; where a width must be refused, how it is refused."""
    d_model, num_heads = probe["d_model"], probe["num_heads"]
    if probe["asked"] == "naive":
        return subject.count_naive(d_model, num_heads)
    if probe["asked"] == "multi-head":
        return subject.count_multi_head(d_model, num_heads)
    if probe["asked"] == "multi-head, bias":
        return subject.count_multi_head(d_model, num_heads, bias=probe["bias"])
    if num_heads >= 1 and d_model % num_heads == 0:
        return subject.head_dim(d_model, num_heads)
    return refusal(lambda: subject.head_dim(d_model, num_heads), mentions=(d_model, num_heads))


def _asked(kind: str, d_model: int, num_heads: int, *, bias: bool | None = None) -> Probe:
    sizes = {"asked": kind, "d_model": d_model, "num_heads": num_heads}
    return sizes if bias is None else {**sizes, "bias": bias}


_WIDTHS = ((24, 4), (42, 3), (10, 1), (11, 4), (13, 4), (4, 8), (12, 0), (12, -3))
_SIZES = ((24, 4), (10, 5), (18, 3))


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart: every function, widths that must be refused, with and without biases."""
    widths = [_asked("width", *sizes) for sizes in _WIDTHS]
    counts = [_asked(kind, *sizes) for kind in ("naive", "multi-head") for sizes in _SIZES]
    biased = [_asked("multi-head, bias", *sizes, bias=True) for sizes in _SIZES]
    small = _asked("multi-head, bias", 6, 2, bias=True)  # where a bias more or less is no small part of the whole
    return [*widths, *counts, *biased, _asked("multi-head, bias", 20, 4, bias=False), small]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds; half of the widths must be refused."""
    h, d_k = (int(size) for size in 2 + rng.permutation(9)[:2])
    d_model = h * d_k
    kind = int(rng.integers(8))
    if kind == 0:
        return _asked("width", d_model + int(rng.integers(1, h)), h)
    if kind == 1:
        return _asked("width", d_model, [0, -h][rng.integers(2)])
    if kind in (2, 3):
        return _asked("multi-head, bias", d_model, h, bias=kind == 2)
    if kind == 4 and rng.random() < 1 / 2:
        h = 1
    return _asked(("width", "naive", "naive", "multi-head")[kind - 4], d_model, h)


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large."""
    for d_model, num_heads in ((2, 2), (4, 2), (3, 3), (6, 3)):
        yield from (_asked(kind, d_model, num_heads) for kind in ("width", "naive", "multi-head"))
        yield from (_asked("multi-head, bias", d_model, num_heads, bias=bias) for bias in (True, False))
    for d_model, num_heads in ((3, 2), (5, 3), (2, 4), (2, 0), (2, -1), (6, -3), (2, 1)):
        yield _asked("width", d_model, num_heads)
