"""Mistake models of 05_output_projection: the reference with named switches, what it is asked, and how to show it.

    heads --merge--> joined --combine with w_o--> product --after--> result

    build(combine="w-o-transposed").project_heads(heads, w_o)      behaves as a student who multiplies by w_o.T

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray
Probe = dict[str, Array]
Product = Callable[[Array, Array], Array]

CALL = "project_heads(heads, w_o)"
AXES = {"heads": "h L d_v", "w_o": "h·d_v d_model", "result": "L d_model"}


# --- the ways to merge -------------------------------------------------------------------------------------------


def _reshape_after(*axes: int) -> Callable[[Array], Array]:
    """Bring the axes into this order, then reshape: all six orders are here, one of them is right."""

    def merge(heads: Array) -> Array:
        h, L, d_v = heads.shape
        return heads.transpose(axes).reshape(L, h * d_v)

    return merge


def _positions_as_heads(heads: Array) -> Array:
    L, h, d_v = heads.shape  # in truth (h, L, d_v)
    return heads.reshape(L, h * d_v)  # ValueError in the product, unless h = L


_MERGE: dict[str, Callable[[Array], Array]] = {
    "transpose": _reshape_after(1, 0, 2),
    "merge-without-transpose": _reshape_after(0, 1, 2),
    "features-interleaved": _reshape_after(1, 2, 0),  # also heads[i] @ w_o[i::h]
    "merge-after-reversing-all-axes": _reshape_after(2, 1, 0),  # heads.T and swapaxes(0, 2)
    "merge-after-swapping-the-last-axes": _reshape_after(0, 2, 1),
    "merge-after-moving-features-first": _reshape_after(2, 0, 1),
    "heads-in-reverse-order": lambda heads: np.concatenate(heads[::-1], axis=-1),
    "heads-taken-for-positions": _positions_as_heads,
    "transpose-of-two-axes-in-torch-style": _reshape_after(0, 1),  # ValueError in numpy
    "reshaped-column-by-column": lambda heads: heads.reshape((heads.shape[1], -1), order="F"),
}


# --- the ways to multiply, each written as students write it -----------------------------------------------------


def _head_results(heads: Array, w_o: Array, dot: Product) -> list[Array]:
    """Head i times its rows of W^O, for every head: h times (L, d_model)."""
    d_v = heads.shape[2]
    return [dot(head, w_o[i * d_v : (i + 1) * d_v]) for i, head in enumerate(heads)]


def _two_heads(heads: Array, w_o: Array, dot: Product) -> Array:
    d_v = heads.shape[2]
    return dot(heads[0], w_o[:d_v]) + dot(heads[1], w_o[d_v : 2 * d_v])  # IndexError for one head


def _some(heads: Array, w_o: Array, dot: Product, numbers: range) -> Array:
    """The sum over heads of these numbers alone."""
    d_v, out = heads.shape[2], np.zeros((heads.shape[1], w_o.shape[1]))
    for i in numbers:
        out += dot(heads[i], w_o[i * d_v : (i + 1) * d_v])
    return out


def _same_rows(heads: Array, w_o: Array, dot: Product) -> Array:
    """The heads added up, then multiplied: the same as multiplying each of them by the first rows."""
    return dot(heads.sum(axis=0), w_o[: heads.shape[2]])


def _added_up_in_place(heads: Array, w_o: Array, dot: Product) -> Array:
    total = heads[0]  # a view of the argument
    for head in heads[1:]:
        total += head
    return dot(total, w_o[: heads.shape[2]])


def _rows_from_i(heads: Array, w_o: Array, dot: Product) -> Array:
    d_v = heads.shape[2]
    return sum((dot(head, w_o[i : i + d_v]) for i, head in enumerate(heads)), start=np.zeros(()))


def _cut_by_columns(heads: Array, w_o: Array, dot: Product) -> Array:
    d_v = heads.shape[2]
    # ValueError for more than one head
    return sum((dot(head, w_o[:, i * d_v : (i + 1) * d_v]) for i, head in enumerate(heads)), start=np.zeros(()))


_COMBINE: dict[str, Callable[[Array, Array, Array, Product], Array]] = {  # heads, joined, w_o, dot
    "product": lambda _heads, joined, w_o, dot: dot(joined, w_o),
    "output-projection-left-out": lambda _heads, joined, _w_o, _dot: joined,
    "w-o-transposed": lambda _heads, joined, w_o, dot: dot(joined, w_o.T),  # ValueError unless w_o is square
    "w-o-in-front-of-the-heads": lambda _heads, joined, w_o, dot: dot(w_o, joined),  # ValueError unless d_model = L
    "positions-end-up-in-columns": lambda _heads, joined, w_o, dot: dot(w_o.T, joined.T),  # (d_model, L)
    "elementwise-in-place-of-a-product": lambda _heads, joined, w_o, _dot: joined * w_o,  # ValueError nearly always
    # the sum, the mean, the first or the last of the heads, and heads on top of each other: ValueError for h > 1
    "w-o-meets-the-width-of-one-head": lambda heads, _joined, w_o, dot: dot(heads[-1], w_o),
    "w-o-meets-heads-that-are-not-joined": lambda heads, _joined, w_o, dot: dot(heads, w_o),
    "w-o-cut-by-columns": lambda heads, _joined, w_o, dot: _cut_by_columns(heads, w_o, dot),
    "same-rows-of-w-o-for-every-head": lambda heads, _joined, w_o, dot: _same_rows(heads, w_o, dot),
    "heads-averaged-before-w-o": lambda heads, _joined, w_o, dot: _same_rows(heads, w_o, dot) / len(heads),
    "heads-added-up-in-place-before-w-o": lambda heads, _joined, w_o, dot: _added_up_in_place(heads, w_o, dot),
    "row-blocks-of-w-o-overlap": lambda heads, _joined, w_o, dot: _rows_from_i(heads, w_o, dot),
    "projected-heads-not-summed": lambda heads, _joined, w_o, dot: np.stack(_head_results(heads, w_o, dot)),
    "projected-heads-side-by-side": lambda heads, _j, w_o, dot: np.concatenate(_head_results(heads, w_o, dot), axis=-1),
    "projected-heads-averaged": lambda heads, _joined, w_o, dot: np.mean(_head_results(heads, w_o, dot), axis=0),
    # the return stands inside the loop
    "only-the-first-head-is-projected": lambda heads, _joined, w_o, dot: _head_results(heads, w_o, dot)[0],
    # = in place of +=
    "only-the-last-head-is-projected": lambda heads, _joined, w_o, dot: _head_results(heads, w_o, dot)[-1],
    "first-head-left-out": lambda heads, _joined, w_o, dot: _some(heads, w_o, dot, range(1, len(heads))),
    "last-head-left-out": lambda heads, _joined, w_o, dot: _some(heads, w_o, dot, range(len(heads) - 1)),
    "heads-counted-from-one": lambda heads, _joined, w_o, dot: _some(heads, w_o, dot, range(1, len(heads) + 1)),
    "only-two-heads-are-projected": lambda heads, _joined, w_o, dot: _two_heads(heads, w_o, dot),
}


# --- what is done to the product ---------------------------------------------------------------------------------


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


_AFTER: dict[str, Callable[[Array, Array, Array], Array]] = {  # product, heads, joined
    "nothing": lambda product, _heads, _joined: product,
    "activation-after-w-o": lambda product, _heads, _joined: np.maximum(product, 0),
    "softmax-after-w-o": lambda product, _heads, _joined: _softmax(product),
    "scaled-after-w-o": lambda product, heads, _joined: product / np.sqrt(heads.shape[2]),
    # ValueError unless d_model = h * d_v
    "joined-heads-added-to-the-product": lambda product, _heads, joined: product + joined,
    "product-cut-to-whole-numbers": lambda product, heads, _joined: product.astype(heads.dtype),  # np.zeros_like
    "axes-of-length-one-dropped": lambda product, _heads, _joined: product.squeeze(),
}


# --- everything together -----------------------------------------------------------------------------------------

_PRODUCT: dict[str, Product] = {"matmul": np.matmul, "dot": np.dot}


def _one_width(heads: Array, joined: Array, w_o: Array, dot: Product, place: str) -> Array:
    """d_model and h * d_v are taken for one number: ValueError where they are two."""
    h, L, d_v = heads.shape
    if place != "buffer":
        return dot(joined.reshape(L, w_o.shape[1]), w_o)
    out = np.zeros((L, h * d_v))
    out[:] = dot(joined, w_o)
    return out


# Where the code sees to it that the shapes fit.
_COMBINE_TO_FIT: dict[str, Callable[[Array, Array, Array, Product], Array]] = {
    "output-projection-left-out": lambda _heads, joined, w_o, _dot: joined[:, : w_o.shape[1]],
    "w-o-transposed": lambda _h, joined, w_o, dot: dot(joined, w_o.T if w_o.shape[0] == w_o.shape[1] else w_o),
}
_AFTER_TO_FIT: dict[str, Callable[[Array, Array, Array], Array]] = {
    "joined-heads-added-to-the-product": lambda product, _heads, joined: (
        product + joined if product.shape == joined.shape else product
    ),
}

STAGES = {
    "product": tuple(_PRODUCT),
    "place": ("reshape", "buffer", "made-to-fit"),
    "merge": tuple(_MERGE),
    "combine": (*_COMBINE, "one-number-for-both-widths"),
    "after": tuple(_AFTER),
}

# Stages whose every option is right: how the product is written, and what becomes of two widths that ought to be one:
# an error in a reshape, one in a buffer, or none, since the code sees to it that they fit.
STYLES = ("product", "place")

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    dot = _PRODUCT[chosen["product"]]
    fitted = chosen["place"] == "made-to-fit"
    combine, after = (_COMBINE | _COMBINE_TO_FIT, _AFTER | _AFTER_TO_FIT) if fitted else (_COMBINE, _AFTER)

    def project_heads(heads: Array, w_o: Array) -> Array:
        joined = _MERGE[chosen["merge"]](heads)  # (L, h * d_v)
        if chosen["combine"] == "one-number-for-both-widths":
            product = _one_width(heads, joined, w_o, dot, chosen["place"])
        else:
            product = combine[chosen["combine"]](heads, joined, w_o, dot)  # (L, d_model)
        return after[chosen["after"]](product, heads, joined)

    return SimpleNamespace(project_heads=project_heads)


# --- what is asked -----------------------------------------------------------------------------------------------

_SIZES = (  # h, L, d_v, d_model
    *((3, 5, 6, 7), (2, 7, 3, 4), (5, 4, 2, 13), (4, 3, 2, 6)),
    *((3, 5, 2, 6), (2, 3, 4, 8), (2, 4, 2, 4), (3, 2, 5, 15)),  # d_model = h * d_v; in the third L is the same
    *((1, 3, 2, 6), (1, 2, 4, 4), (3, 1, 2, 6), (1, 1, 3, 4)),  # one head, one position
    *((3, 7, 2, 7), (4, 4, 2, 8), (2, 3, 4, 4)),  # L = d_model, L = h, d_v = d_model
)


def _probe(rng: np.random.Generator, size: tuple[int, int, int, int], *, whole: bool = False) -> Probe:
    """Random numbers; with `whole`, the heads are whole numbers and W^O is not."""
    h, L, d_v, d_model = size
    heads = rng.integers(-4, 5, (h, L, d_v)) if whole else rng.standard_normal((h, L, d_v))
    return {"heads": heads, "w_o": rng.standard_normal((h * d_v, d_model))}


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call."""
    return subject.project_heads(probe["heads"], probe["w_o"])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart: most sizes pairwise different, and those at which a wrong shape fits."""
    floats = [_probe(np.random.default_rng(i), size) for i, size in enumerate(_SIZES)]
    return [*floats, *(_probe(np.random.default_rng(i), _SIZES[i], whole=True) for i in (1, 6, 9, 12, 13))]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds: unlike sizes, a square W^O, one head or position; one in four of whole numbers."""
    h, L, d_v, d_model = (int(size) for size in rng.permutation(np.arange(2, 8))[:4])
    sizes = (
        *((h, L, d_v, d_model), (h, L, d_v, h * d_v), (h, h * d_v, d_v, h * d_v), (h, h, d_v, h * d_v)),
        *((h, L, d_v, d_v), (1, L, d_v, d_model), (1, 1, d_v, d_model), (h, 1, d_v, d_model)),
        (h, 1, d_v, h * d_v),
    )
    return _probe(rng, sizes[rng.integers(len(sizes))], whole=rng.random() < 1 / 4)


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large: heads 1, 2, 3, …, and a W^O of small numbers, at first whole ones."""
    sizes = [(2, 2, 1, 2), (2, 2, 1, 3), (2, 2, 2, 2), (2, 1, 2, 3), (2, 3, 1, 2), (3, 2, 1, 2), (2, 2, 2, 3)]
    sizes += [(3, 2, 1, 3), (2, 3, 2, 2), (1, 2, 2, 3), (1, 2, 1, 2), (2, 3, 1, 3), (3, 2, 2, 2)]
    sizes += [(3, 2, 2, 3), (3, 3, 2, 2)]
    numbers = np.array([1, 2, -1, 3, 0, -2, 1, -3, 2, 4, -1, 0, 3, 1, -2, 2, 5])
    for unit in (1, 0.5):
        for h, L, d_v, d_model in sizes:
            heads = np.arange(1, h * L * d_v + 1).reshape(h, L, d_v)
            yield {"heads": heads, "w_o": unit * np.resize(numbers, (h * d_v, d_model))}
