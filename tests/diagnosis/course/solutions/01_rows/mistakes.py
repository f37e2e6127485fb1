"""Mistake models of a small exercise: row_sums (L, d) -> (L,) and centred (L, d) -> (L, d)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray
Probe = dict[str, Any]

CALLS = {"sums": "row_sums(x)", "centred": "centred(x)"}
AXES = {"x": "L d", "sums": "L", "result": "L d"}


def _in_place(x: Array) -> Array:
    x -= x.mean(axis=1, keepdims=True)
    return x


_SUMS = {
    "rows": lambda x: x.sum(axis=1),
    "columns": lambda x: x.sum(axis=0),
    "columns-of-a-transpose": lambda x: x.T.sum(axis=1),
    "kept": lambda x: x.sum(axis=1, keepdims=True),
    "square": lambda x: x.reshape(x.shape[1], x.shape[1]).sum(axis=1),
}
_CENTRED = {
    "rows": lambda x: x - x.mean(axis=1, keepdims=True),
    "in-place": _in_place,
    "everything": lambda x: x - x.mean(),
}

STAGES = {"form": ("array", "copy"), "sums": tuple(_SUMS), "centred": tuple(_CENTRED)}
STYLES = ("form",)
MISTAKES = {
    "sums-columns": ("sums", "columns"),
    "sums-columns-too": ("sums", "columns-of-a-transpose"),
    "sums-keep-axis": ("sums", "kept"),
    "sums-square-only": ("sums", "square"),
    "centre-in-place": ("centred", "in-place"),
    "centre-over-everything": ("centred", "everything"),
}


def build(form: str = "array", sums: str = "rows", centred: str = "rows") -> SimpleNamespace:
    """The reference with the named options; the form changes nothing that can be seen."""

    def row_sums(x: Array) -> Array:
        return _SUMS[sums](x.copy() if form == "copy" else x)

    def centred_rows(x: Array) -> Array:
        return _CENTRED[centred](x)

    return SimpleNamespace(row_sums=row_sums, centred=centred_rows)


def observe(subject: Any, probe: Probe) -> dict[str, Any]:
    """The answer of the function that the probe is for, under its name."""
    if probe["kind"] == "sums":
        return {"sums": subject.row_sums(probe["x"])}
    return {"centred": subject.centred(probe["x"])}


def probes() -> list[Probe]:
    """Both functions on three sizes each."""
    rng = np.random.default_rng(0)
    sizes = ((3, 5), (4, 2), (2, 6))
    return [{"kind": kind, "x": rng.standard_normal(size)} for kind in CALLS for size in sizes]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more probe of either kind."""
    return {"kind": str(rng.choice(list(CALLS))), "x": rng.standard_normal(rng.permutation(np.arange(2, 8))[:2])}


def small_probes() -> Iterator[Probe]:
    """Both functions on few small numbers."""
    for size in ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3)):
        yield from ({"kind": kind, "x": np.arange(1.0, size[0] * size[1] + 1).reshape(size)} for kind in CALLS)
