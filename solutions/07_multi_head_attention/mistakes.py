"""Mistake models of 07_multi_head_attention: the reference with named switches, what it is asked, how to show it.

    build(split="split-without-transpose").MultiHeadAttention(d_model, num_heads)

What each switch does stands in stages.py, beside this file.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader.checks import refusal
from grader.sandbox.wire import Build

Array = np.ndarray
Probe = dict[str, Any]

CLASS = "MultiHeadAttention"
MATRICES = ("w_q", "w_k", "w_v", "w_o")
CALLS = {
    "default": "layer.forward(x)",
    "causal": "layer.forward(x, causal=True)",
    "open": "layer.forward(x, causal=False)",
    "again": "layer.forward(longer_x); layer.forward(x)",  # the matrices of the probe are set in between
    "kept": "layer.forward(x); layer.w_q, layer.w_k, layer.w_v, layer.w_o",
    "count": "layer.parameter_count()",
    "recount": "layer.forward(x); layer.parameter_count()",
    "refused": "MultiHeadAttention(d_model, num_heads)",
}
AXES = {"x": "L d_model", "0": "L d_model", "out": "L d_model", "1": "h L S", "weights": "h L S", "result": "L d_model"}
AXES |= dict.fromkeys(MATRICES, "d_model d_model")

OPTIONS: dict[str, dict[str, Any]] = runpy.run_path(str(Path(__file__).with_name("stages.py")))["OPTIONS"]
STAGES = {stage: tuple(options) for stage, options in OPTIONS.items()}

# Stages whose every option is right: how blocked scores are replaced.
STYLES = ("fill",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


class _Layer:
    """The reference, with what it does in each stage as an attribute."""

    do: dict[str, Any]

    def __init__(self, d_model: int, num_heads: int, seed: int = 0) -> None:
        if self.do["refuses"](d_model, num_heads):
            raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        rng = np.random.default_rng(seed)
        self.w_q, self.w_k, self.w_v, self.w_o = rng.standard_normal((4, d_model, d_model)) / np.sqrt(d_model)
        if self.do["kept"] == "projections-taken-in-the-constructor":
            self.w_qkv = np.concatenate([self.w_q, self.w_k, self.w_v], axis=1)

    def forward(self, x: Array, causal: bool | None = None) -> Any:
        q, k, v = self._projected(x)
        if self.do["kept"] == "query-matrix-scaled-in-place":
            self.w_q /= np.sqrt(self.d_k)  # TypeError for whole numbers; the next call finds it smaller
        scores = self.do["compare"](q, k)  # (h, L, L)
        scores = scores / self.do["scale"](self.num_heads, self.d_k, scores.shape[-1])
        if self.do["causal"](self.do["default"] if causal is None else causal):
            blocked = ~self._allowed(scores.shape[-1])
            scores, weights = self.do["mask"](scores, blocked, self.do["fill"], self.do["softmax"])
        else:
            weights = self.do["softmax"](scores)
        if self.do["scale"] is OPTIONS["scale"]["scaled-after-the-softmax"]:
            weights = weights / np.sqrt(self.d_k)
        self.weights = weights
        heads = self.do["values"](weights, v)  # (h, L, d_k), or (L, d_model) without heads
        joined = heads if heads.ndim == 2 else self.do["merge"](heads, x)  # (L, d_model)
        return self.do["result"](self.do["output"](joined, heads, self.w_o, x), weights, scores)

    def _projected(self, x: Array) -> list[Array]:
        """Queries, keys and values of all heads: three times (h, L, d_k)."""
        w_q, w_k, w_v = self.w_q, self.w_k, self.w_v
        if self.do["kept"] == "projections-taken-in-the-constructor":
            w_q, w_k, w_v = np.split(self.w_qkv, 3, axis=1)
        if self.do["output"] is OPTIONS["output"]["w-o-applied-to-the-values"]:
            w_v = w_v @ self.w_o
        matrices = self.do["matrices"](w_q, w_k, w_v)
        return [self.do["split"](x, w, self.do["product"], self.num_heads, self.d_k) for w in matrices]

    def _allowed(self, length: int) -> Array:
        if self.do["kept"] != "causal-mask-kept-from-the-first-call":
            return self.do["triangle"](length, self.d_k)
        self.allowed = getattr(self, "allowed", None)
        if self.allowed is None:
            self.allowed = self.do["triangle"](length, self.d_k)
        return self.allowed

    def parameter_count(self) -> Any:
        return self.do["count"](self, self.d_model, self.num_heads, self.d_k)


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    do = {stage: OPTIONS[stage][option] for stage, option in chosen.items()}
    return SimpleNamespace(**{CLASS: type(CLASS, (_Layer,), {"do": do})})


# --- what is asked -----------------------------------------------------------------------------------------------


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to the call that the probe is for, on a layer of its own."""
    do, num_heads = probe["do"], probe["num_heads"]
    if do == "refused":
        refused = ("ValueError", "AssertionError")
        return refusal(lambda: subject.make(CLASS, probe["d_model"], num_heads), types=refused, any_value=True)
    if do == "count":
        return subject.make(CLASS, probe["d_model"], num_heads).call("parameter_count")
    layer, x = subject.make(CLASS, probe["x"].shape[1], num_heads), probe["x"]
    if do == "recount":
        layer.call("forward", x)
        return layer.call("parameter_count")
    if do == "again":
        layer.call("forward", np.concatenate([x, x[:1]]))
    layer.set(**{name: probe[name] for name in MATRICES})
    answer = layer.call("forward", x, **{"causal": {"causal": True}, "open": {"causal": False}}.get(do, {}))
    return {name: layer.get(name) for name in MATRICES} if do == "kept" else _looked_at(answer, probe.get("part"))


def _looked_at(answer: Any, part: str | None) -> Any:
    """One part of the pair, or both; what is no pair is shown as it is, in place of the weights."""
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        return {"weights": answer} if part == "weights" else answer
    out, weights = answer
    return {"out": {"out": out}, "weights": {"weights": weights}}.get(part or "", (out, weights))


_SIZES = (  # L, h, d_k
    *(("default", 5, 3, 4), ("open", 7, 2, 5)),
    ("causal", 4, 2, 4),  # L = d_k
    *(("causal", 3, 3, 5), ("open", 3, 3, 3)),  # L = h; in the second d_k is the same
    ("open", 10, 2, 5),  # L = d_model
    *(("default", 4, 1, 5), ("open", 3, 4, 1)),  # one head, heads of one feature
    *(("again", 4, 3, 2), ("kept", 3, 2, 2)),
)


def _probe(rng: np.random.Generator, do: str, size: tuple[int, int, int], *, kind: str = "") -> Probe:
    """Random numbers; scores of a thousand where `kind` is "large", whole numbers in x where it is "whole"."""
    L, h, d_k = size
    d_model = h * d_k
    x = {"large": 30, "whole": 2}.get(kind, 1) * rng.standard_normal((L, d_model))
    drawn = rng.standard_normal((4, d_model, d_model)) / np.sqrt(d_model)
    matrices = dict(zip(MATRICES, drawn, strict=True))
    return {"do": do, "x": np.round(x).astype(int) if kind == "whole" else x, "num_heads": h, **matrices}


def _of_one_part(do: str, size: tuple[int, int, int], part: str, seed: int) -> Probe:
    """Where only the output is looked at, or only the weights, and these of queries that are all alike.

    On these few mistakes show, so that two made together are told from any other two.
    """
    probe = _probe(np.random.default_rng(seed), do, size) | {"part": part}
    return probe if part == "out" else probe | {"w_q": np.zeros_like(probe["w_q"])}


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart: sizes pairwise different, then those at which a wrong shape fits."""
    sized = [_probe(np.random.default_rng(i), do, tuple(size)) for i, (do, *size) in enumerate(_SIZES)]
    return [
        *sized,
        _probe(np.random.default_rng(53), "causal", (5, 2, 3), kind="large"),
        _probe(np.random.default_rng(59), "open", (4, 3, 2), kind="large"),
        _probe(np.random.default_rng(54), "default", (3, 3, 3), kind="large"),  # L = h = d_k
        _probe(np.random.default_rng(69), "causal", (6, 3, 2), kind="large"),  # L = d_model
        _probe(np.random.default_rng(56), "open", (2, 2, 5)),  # L = h = 2
        _probe(np.random.default_rng(57), "causal", (1, 2, 3)),
        _probe(np.random.default_rng(60), "open", (5, 2, 3), kind="whole"),
        _of_one_part("open", (1, 1, 5), "out", 62),
        _of_one_part("default", (1, 3, 4), "out", 63),
        _of_one_part("open", (4, 1, 3), "weights", 64),
        _of_one_part("default", (4, 3, 2), "weights", 65),
        {"do": "count", "d_model": 20, "num_heads": 4},
        {"do": "recount", "x": np.random.default_rng(61).standard_normal((5, 8)), "num_heads": 2},
        {"do": "refused", "d_model": 10, "num_heads": 4},
    ]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    L, h, d_k = (int(size) for size in 2 + rng.permutation(5)[:3])
    kind = int(rng.integers(13))
    if kind == 0:
        return {"do": "refused", "d_model": h * d_k + int(rng.integers(1, h)), "num_heads": h}
    if kind == 1:
        return {"do": "count", "d_model": h * d_k, "num_heads": h}
    if kind == 2:
        return {"do": "recount", "x": rng.standard_normal((L, h * d_k)), "num_heads": h}
    if kind < 7:
        return _probe(rng, ("again", "kept")[kind % 2], (L, h, d_k))
    fits = ((d_k, h, d_k), (h, h, d_k), (L, h, 1), (h * d_k, h, d_k))[rng.integers(4)]
    size = {9: (L, 1, d_k), 10: (1, h, d_k), 11: fits}.get(kind, (L, h, d_k))
    do = str(rng.choice(["default", "causal", "open"]))
    return _probe(rng, do, size, kind={7: "large", 8: "whole"}.get(kind, ""))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large: x of small whole numbers, and matrices that have a name in numpy."""
    yield {"do": "refused", "d_model": 3, "num_heads": 2}
    yield {"do": "count", "d_model": 2, "num_heads": 2}
    numbers = np.array([1, 0, -1, 2, 0, 1, 2, 1, -1])
    sizes = ((2, 1, 2), (2, 2, 2), (1, 2, 4), (3, 2, 2), (3, 1, 2), (2, 3, 3))  # L, h, d_model
    # the weights come first: where they are wrong, the output follows from them
    for names, some in (("plain", sizes), ("mixed", sizes[:2])):
        for L, h, d_model in some:
            x = np.resize(numbers, (L, d_model))
            yield from (_small(do, x, h, names, part) for do in ("open", "default") for part in ("weights", "out"))
    yield from (_small(do, np.array([[1, 0], [-1, 2]]), 1, "mixed") for do in ("again", "kept"))
    yield {"do": "recount", "x": np.array([[1, 0], [-1, 2]]), "num_heads": 2}
    yield _small("open", np.array([[40, 0], [0, 40]]), 1, "plain", "weights")
    yield _small("open", np.array([[40, 0], [1, 1]]), 1, "plain", "weights")
    yield _small("default", np.array([[40, -40], [1, 1]]), 1, "low", "weights")


def _small(do: str, x: Array, num_heads: int, names: str, part: str = "") -> Probe:
    """Identity matrices; or triangles and shifts, none of them symmetric; or keys that make scores far below 0."""
    d_model = x.shape[1]
    same = Build("numpy.eye", {"N": d_model})
    triangle, shift = Build("numpy.tri", {"N": d_model}), Build("numpy.eye", {"N": d_model, "k": 1})
    matrices = {
        "plain": (same, same, same, same),
        "mixed": (triangle, same, shift, triangle),
        "low": (same, shift, same, same),
    }[names]
    return {"do": do, "x": x, "num_heads": num_heads, "part": part, **dict(zip(MATRICES, matrices, strict=True))}
