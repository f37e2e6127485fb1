"""Mistake models of 12_in_proj: the reference with named switches, what it is asked, and how to show it.

    build(fused="in-proj-read-as-k-q-v").split_in_proj(mha)

What each switch does stands in stages.py, beside this file. Every call works on the real module, so that a model raises
what torch raises.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]

CALLS = {"split": "split_in_proj(mha)", "project": "project(mha, query, key, value)"}
PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
AXES = {"in_proj_weight": "out in", "in_proj_bias": "out", "query": "B L E", "key": "B S kdim", "value": "B S vdim"}
AXES |= dict.fromkeys(PARTS[:3], "out in") | dict.fromkeys(PARTS[3:], "out")
AXES |= {"q": "B h L d_k", "k": "B h S d_k", "v": "B h S d_k"}


# --- everything together -----------------------------------------------------------------------------------------

_STAGES = runpy.run_path(str(Path(__file__).with_name("stages.py")))
OPTIONS: dict[str, dict[str, Any]] = _STAGES["OPTIONS"]
STAGES = {stage: tuple(options) for stage, options in OPTIONS.items()}

# What changes only how a mistake elsewhere looks: what Python says where None is cut or multiplied, whether `project`
# shares the mistakes of `split_in_proj`, and whether, where products are written out, reshape is used and the batch is
# read off the query for all three.
STYLES = ("habit",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _six(chosen: dict[str, str], mha: nn.MultiheadAttention) -> tuple[Sequence[Any], Sequence[Any]]:
    """Weights and biases as these switches find them."""
    cut = OPTIONS["fused"][chosen["fused"]](OPTIONS["habit"][chosen["habit"]][0])
    return OPTIONS["separate"][chosen["separate"]](mha, cut), OPTIONS["bias"][chosen["bias"]](mha, cut)


def _projected(chosen: dict[str, str], mha: nn.MultiheadAttention, inputs: Sequence[Tensor]) -> Any:
    _cut, right, anew = OPTIONS["habit"][chosen["habit"]]
    weights, biases = _six({stage: names[0] for stage, names in STAGES.items()} if anew else chosen, mha)
    given = [OPTIONS["layout"][chosen["layout"]](mha, x) for x in inputs]
    project = OPTIONS["project"][chosen["project"]](right)
    sources = OPTIONS["source"][chosen["source"]]
    projected = [project(given[i], weights[part], biases[part]) for i, part in sources]
    heads, projection = [], _STAGES["Projected"]
    for x, (i, _part) in zip(projected, sources, strict=True):
        by_products = chosen["habit"] == "slices-and-products"
        batch = (projected[0] if by_products else x).shape[0]
        cut = projection(x, batch, projected[0], given[i], views=not by_products)
        heads.append(OPTIONS["heads"][chosen["heads"]](mha, cut))
    return OPTIONS["ready"][chosen["ready"]](*heads)


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    kind = OPTIONS["kind"][chosen["kind"]]

    def split_in_proj(mha: nn.MultiheadAttention) -> Any:
        weights, biases = _six(chosen, mha)
        return OPTIONS["parts"][chosen["parts"]](
            mha, [kind(weight) for weight in weights], [kind(bias) for bias in biases]
        )

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
    """A tuple with its items by name, where it has as many; anything else as it is, a dict as no tuple."""
    if isinstance(answer, dict):
        return {"dict": answer}
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


_KINDS = ("plain", "no bias", "other widths", "sequence first", "other widths, no bias", "another vdim")
_RARE = ("one other width, no bias", "sequence first, one other width, no bias")


def _random_module(rng: np.random.Generator, h: int, d_k: int, kind: str) -> Build:
    options: dict[str, dict[str, Any]] = {
        "plain": {},
        "no bias": {"bias": False},
        "other widths": {"kdim": h * d_k + 2, "vdim": h * d_k - 1},
        "sequence first": {"batch_first": False},
        "another vdim": {"vdim": h * d_k + h},
        "other widths, no bias": {"kdim": h * d_k + 1, "vdim": h * d_k + 3, "bias": False},
        # where few mistakes show, so that two made together are told from any other two
        "one other width, no bias": {"kdim": h * d_k + h, "vdim": h * d_k + h, "bias": False},
        "sequence first, one other width, no bias": {
            "kdim": h * d_k + h,
            "vdim": h * d_k + h,
            "bias": False,
            "batch_first": False,
        },
    }
    return _module(h * d_k, h, int(rng.integers(1000)), **options[kind])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style: modules of each kind, for both functions."""
    rng = np.random.default_rng(0)
    modules = [(3, 4, _KINDS[0]), (2, 5, _KINDS[1]), (4, 3, _KINDS[2]), (3, 2, _KINDS[4]), (2, 3, _KINDS[5])]
    splits: list[Probe] = [{"asked": "split", "mha": _random_module(rng, *module)} for module in modules]
    sizes = ((4, 3, 5), (2, 4, 3), (3, 5, 2), (4, 2, 6), (2, 3, 4), (3, 2, 4))
    projections = [
        _projection(rng, _random_module(rng, 3, 4, kind), *size) for kind, size in zip(_KINDS, sizes, strict=True)
    ]
    projections.append(_projection(rng, _random_module(rng, 2, 3, "plain"), 3, 4, 4))  # S = L
    # S = L = d_k, where even a view of what was transposed has a shape that fits
    projections += [_projection(rng, _random_module(rng, 2, 4, kind), 3, 4, 4) for kind in _RARE]
    # kdim and vdim are no whole multiples of h, and the same number of columns for each head as embed_dim
    projections.append(_projection(rng, _random_module(rng, 5, 2, _KINDS[4]), 2, 4, 3))
    three = _random_module(rng, 3, 1, "plain")  # where pieces of three rows are thirds
    splits.append({"asked": "split", "mha": three})
    projections.append(_projection(rng, three, 2, 4, 3))
    return [*splits, *projections]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, L, S = (int(length) for length in rng.permutation(np.arange(2, 7))[:3])
    h, d_k = (int(length) for length in rng.permutation(np.arange(2, 6))[:2])
    if rng.random() < 0.1:
        h, d_k = 3, 1
    mha = _random_module(rng, h, d_k, str(rng.choice(_KINDS)))
    if rng.random() < 0.4:
        return {"asked": "split", "mha": mha}
    if rng.random() < 0.2:
        length = L if rng.random() < 0.5 else d_k
        return _projection(rng, _random_module(rng, h, d_k, str(rng.choice(_RARE))), B, length, length)
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
    for mha in (*modules, _module(2, 1, kdim=2, vdim=3)):
        probe: Probe = {"asked": "split", "mha": mha}
        yield probe | (_shown_beside(mha) if mha.arguments["embed_dim"] < 3 else {})
    for mha in modules[1:]:
        for B, L, S in ((1, 1, 1), (1, 1, 2), (2, 1, 1), (1, 2, 1), (2, 2, 1)):
            probe = _projection(np.random.default_rng(0), mha, B, L, S)
            sizes = {name: value.size for name, value in probe.items() if isinstance(value, np.ndarray)}
            if sum(sizes.values()) <= 36:
                whole = {name: np.arange(1.0, size + 1) % 3 - 1 for name, size in sizes.items()}
                yield probe | {name: whole[name].reshape(probe[name].shape) for name in sizes}
