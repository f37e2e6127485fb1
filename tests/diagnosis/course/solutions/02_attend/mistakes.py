"""Mistake models of a small exercise of torch: attend(mha, x) and a class that scales, both (B, L, d) -> (B, L, d)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]

CALLS = {"attend": "attend(mha, x)", "scaled": "Scaled(factor).forward(x)"}
AXES = {"x": "B L d", "result": "B L d", "gradient": "B L d"}


def _in_training(mha: nn.MultiheadAttention, x: Tensor) -> Tensor:
    mha.train()
    return mha(x, x, x)[0]


def _zeroes_the_bias(mha: nn.MultiheadAttention, x: Tensor) -> Tensor:
    with torch.no_grad():
        mha.in_proj_bias.zero_()
    return mha(x, x, x)[0]


_ATTEND = {
    "output": lambda mha, x: mha(x, x, x, need_weights=False)[0],
    "attend-in-training": _in_training,
    "attend-zeroes-the-bias": _zeroes_the_bias,
    "attend-returns-the-pair": lambda mha, x: mha(x, x, x),
}
_SCALED = {
    "scaled": lambda x, factor: x * factor,
    "scaled-in-place": lambda x, factor: x.detach().mul_(factor),  # of a copy that shares its numbers
    "scaled-without-factor": lambda x, factor: x * 1.0,
}

STAGES = {"attend": tuple(_ATTEND), "scaled": tuple(_SCALED)}
MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() for slug in options[1:]}


def build(attend: str = "output", scaled: str = "scaled") -> SimpleNamespace:
    """The reference with the named options."""

    class Scaled:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def forward(self, x: Tensor) -> Tensor:
            return _SCALED[scaled](x, self.factor)

    return SimpleNamespace(attend=_ATTEND[attend], Scaled=Scaled)


def observe(subject: Any, probe: Probe) -> Any:
    """The output; of the class, with the gradient of its input where the probe asks for it."""
    if probe["kind"] == "attend":
        return subject.attend(probe["mha"], probe["x"])
    made = subject.make("Scaled", probe["factor"])
    if not probe["x"].requires_grad:
        return made.call("forward", probe["x"])
    told = made.gradients("forward", probe["x"], cotangent=torch.ones(probe["x"].shape, dtype=torch.float64))
    return {"value": told["value"], "gradient": told["inputs"][0]}


def _module(rng: np.random.Generator, d: int) -> Build:
    shapes = {"in_proj_weight": (3 * d, d), "in_proj_bias": (3 * d,), "out_proj.weight": (d, d), "out_proj.bias": (d,)}
    state = {name: torch.from_numpy(rng.standard_normal(shape)) for name, shape in shapes.items()}
    return Build("torch.nn.MultiheadAttention", {"embed_dim": d, "num_heads": 2, "batch_first": True}, state)


def _probe(rng: np.random.Generator, kind: str, size: tuple[int, int, int], *, gradient: bool = False) -> Probe:
    x = torch.from_numpy(rng.standard_normal(size))
    if kind == "attend":
        return {"kind": kind, "mha": _module(rng, size[2]), "x": x}
    return {"kind": kind, "factor": float(rng.uniform(1.5, 3)), "x": x.requires_grad_(gradient)}


def probes() -> list[Probe]:
    """Both on three sizes each."""
    rng = np.random.default_rng(0)
    sizes = ((2, 3, 4), (3, 5, 2), (1, 4, 6))
    kinds = [_probe(rng, kind, size) for kind in CALLS for size in sizes]
    return [*kinds, _probe(rng, "scaled", (2, 3, 2), gradient=True)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more probe of either kind."""
    B, L, half = (int(n) for n in rng.permutation(np.arange(1, 6))[:3])
    return _probe(rng, str(rng.choice(list(CALLS))), (B, L, 2 * half))


def small_probes() -> Iterator[Probe]:
    """Both on few numbers."""
    rng = np.random.default_rng(1)
    for size in ((1, 1, 2), (1, 2, 2), (2, 2, 2)):
        yield from (_probe(rng, kind, size) for kind in CALLS)
