"""Mistake models of 13_masks: the reference with named switches, what it is asked, and how to show it.

    build(padded="padding-mask-marks-the-real-keys").padded_attention(mha, x, lengths)

What each switch does stands in stages.py, beside this file. Every call is a call of the real module, so that a model
does, and raises, what torch does.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]
Mha = nn.MultiheadAttention
Masks = dict[str, Any]  # arguments of a call of the module

CALLS = {
    "causal": "causal_attention(mha, x)",
    "causal, frozen": "causal_attention(mha.requires_grad_(False), x)",
    "padded": "padded_attention(mha, x, lengths)",
    "padded, frozen": "padded_attention(mha.requires_grad_(False), x, lengths)",
    "padded, backward": "out, _ = padded_attention(mha, x, lengths); (out * is_real).sum().backward(); x.grad",
    "sdpa": "to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads)",
}
AXES = {
    **dict.fromkeys(("x", "out", "gradient"), "B L d"),
    **dict.fromkeys(("weights", "allowed"), "B h L S"),
    "lengths": "B",
    "key_padding_mask": "B S",
    "attn_mask": "B·h L S",  # one of two axes has the last of them
}


# --- everything together -----------------------------------------------------------------------------------------

_STAGES = runpy.run_path(str(Path(__file__).with_name("stages.py")))
OPTIONS: dict[str, dict[str, Any]] = _STAGES["OPTIONS"]
STAGES = {stage: tuple(options) for stage, options in OPTIONS.items()}

# Stages whose every option is right: they only change how a mistake elsewhere looks.
STYLES = ("habit",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _is_given(mask: Any, none: str, name: str, habit: str) -> Any:
    if mask is None and none in (f"{name}-mask-always-expected", "both-masks-always-expected"):
        return mask.unsqueeze(1) if habit == "given-dtype-and-methods" else mask[:, None]  # AttributeError, TypeError
    return bool(mask) if none == "mask-asked-whether-it-is-true" else mask is not None  # RuntimeError for the former


def _attended(chosen: dict[str, str], mha: Mha, x: Tensor, masks: Masks, blocked: Tensor, *, late: bool = False) -> Any:
    """The module's pair under these masks; `blocked` is the right one, for who comes too late with it."""
    late = late or chosen["late"] != STAGES["late"][0]
    if chosen["before"] == "module-left-in-evaluation-mode":
        mha.eval()
    out, weights = mha(x, x, x, **({} if late else masks), **OPTIONS["weights"][chosen["weights"]])
    return OPTIONS["result"][chosen["result"]](out, weights.masked_fill(blocked, 0.0) if late else weights)


def _four_axes(chosen: dict[str, str], mask: Tensor, B: int, h: int) -> Tensor:
    return (
        OPTIONS["row_axes"][chosen["row_axes"]] if mask.dim() == 3 else OPTIONS["table_axes"][chosen["table_axes"]]
    )(mask, B, h)


def _allowed(chosen: dict[str, str], padding: Any, attention: Any, B: int, h: int) -> Any:
    parts = []
    inverted = OPTIONS["polarity"][chosen["polarity"]]
    for mask, name, inverts in ((padding, "padding", inverted[0]), (attention, "attention", inverted[1])):
        if _is_given(mask, chosen["none"], name, chosen["habit"]):
            part = OPTIONS["inverted"][chosen["inverted"]](mask) if inverts else mask
            axes = OPTIONS["padding_axes"][chosen["padding_axes"]]
            parts.append(axes(part) if name == "padding" else _four_axes(chosen, part, B, h))
    return OPTIONS["kind"][chosen["kind"]](OPTIONS["join"][chosen["join"]](*parts) if len(parts) == 2 else parts[0])


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options

    def causal_attention(mha: Mha, x: Tensor) -> Any:
        masks = OPTIONS["causal"][chosen["causal"]](x, chosen["habit"])
        late = chosen["causal"] == "causal-mask-put-on-the-returned-weights"
        return _attended(chosen, mha, x, masks, _STAGES["future"](x), late=late)

    def padded_attention(mha: Mha, x: Tensor, lengths: Tensor) -> Any:
        padding = _STAGES["padding"](x, lengths)
        if chosen["padded"] == "padded-positions-set-to-zero":
            x = x.masked_fill(padding[:, :, None], 0.0)
        opened = (lengths == 0) & (chosen["empty"] == STAGES["empty"][0])
        masks = OPTIONS["padded"][chosen["padded"]](
            mha, x, lengths, lambda n: _STAGES["padding"](x, n, opened), chosen["habit"]
        )
        return OPTIONS["empty"][chosen["empty"]](_attended(chosen, mha, x, masks, padding[:, None, None]))

    def to_sdpa_mask(key_padding_mask: Any, attn_mask: Any, batch: int, num_heads: int) -> Any:
        return _allowed(chosen, key_padding_mask, attn_mask, batch, num_heads)

    return SimpleNamespace(
        causal_attention=causal_attention, padded_attention=padded_attention, to_sdpa_mask=to_sdpa_mask
    )


# --- what is asked -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _module(embed_dim: int, num_heads: int, seed: int | None = None, *, training: bool = False) -> Build:
    """A batch-first module in float64; without a seed every weight is an identity matrix and every bias 0."""
    d = embed_dim
    if seed is None:
        weights, biases = [np.tile(np.eye(d), (3, 1)), np.eye(d)], [np.zeros(3 * d), np.zeros(d)]
    else:
        rng = np.random.default_rng(seed)
        weights = [rng.standard_normal((rows, d)) / d**0.5 for rows in (3 * d, d)]
        biases = [rng.standard_normal(rows) / d**0.5 for rows in (3 * d, d)]
    return _described(d, num_heads, [*weights, *biases], training=training)


@lru_cache(maxsize=256)
def _flat_module(embed_dim: int, num_heads: int, seed: int) -> Build:
    """A module in float32 whose scores are all 0 and whose other numbers are small whole ones.

    A mean of 1, 2 or 4 values is then exact, so that float32 needs no tolerance of its own.
    """
    d, rng = embed_dim, np.random.default_rng(seed)
    whole = [rng.integers(-3, 4, size).astype(np.float32) for size in ((3 * d, d), (d, d), 3 * d, d)]
    whole[0][: 2 * d], whole[2][: 2 * d] = 0, 0
    return _described(d, num_heads, whole, training=False)


def _described(d: int, num_heads: int, held: list[np.ndarray], *, training: bool) -> Build:
    names = ("in_proj_weight", "out_proj.weight", "in_proj_bias", "out_proj.bias")
    state = {name: torch.from_numpy(numbers) for name, numbers in zip(names, held, strict=True)}
    arguments = {"embed_dim": d, "num_heads": num_heads, "batch_first": True}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call, its parts by name; rows of padded queries, which may hold anything but NaN, as 0."""
    if probe["asked"] == "sdpa":
        masks = [
            None if probe[name] is None else torch.from_numpy(probe[name]) for name in ("key_padding_mask", "attn_mask")
        ]
        return {"allowed": subject.to_sdpa_mask(*masks, probe["batch"], probe["num_heads"])}
    name = "causal_attention" if "lengths" not in probe else "padded_attention"
    inputs = [torch.from_numpy(probe[each]) for each in ("x", "lengths") if each in probe]
    if probe["asked"] == "padded, backward":
        is_real = torch.arange(probe["x"].shape[1]) < inputs[1][:, None]  # (B, L)
        x, told = inputs[0].clone().requires_grad_(), is_real[:, :, None].double()
        gradients = subject.gradients(name, probe["mha"], x, inputs[1], cotangent=told)["inputs"]
        return {"gradient": gradients[0]}
    answer = subject.call(name, _built(subject, probe), *inputs)
    if answer is None:  # no return, or weights that are switched off: the calls of the module tell
        recorded = _built(subject, probe, recording=True)
        subject.call(name, recorded, *inputs)
        return {"nothing": None, "need_weights": any(call["need_weights"] for call in recorded.calls())}
    if "lengths" in probe:
        answer = _without_padding(answer, torch.arange(probe["x"].shape[1]) >= inputs[1][:, None])
    if isinstance(answer, tuple | list) and len(answer) == 2:
        return dict(zip(("out", "weights"), answer, strict=True))
    return answer


def _built(subject: Any, probe: Probe, *, recording: bool = False) -> Any:
    """The module of a probe; one that is frozen has no gradients, so that torch may take its fast path."""
    if not (recording or "frozen" in probe["asked"]):
        return probe["mha"]
    mha = subject.build(replace(probe["mha"], recording=recording))
    if "frozen" in probe["asked"]:
        mha.call("requires_grad_", False)
    return mha


def _without_padding(answer: Any, padding: Tensor) -> Any:
    """Tensors of (B, L, d) and (B, h, L, S) with 0 or NaN in the rows of padded queries; anything else as it is."""
    if isinstance(answer, tuple | list):
        return [_without_padding(part, padding) for part in answer]
    if not isinstance(answer, Tensor) or answer.dim() not in (3, 4):
        return answer
    if (len(answer), answer.shape[-2]) != tuple(padding.shape):
        return answer
    rows = padding[:, :, None] if answer.dim() == 3 else padding[:, None, :, None]
    return answer.detach().masked_fill(rows & ~answer.isnan(), 0)


def _masks(rng: np.random.Generator, B: int, L: int, S: int, h: int, given: str) -> Probe:
    """`given` names the masks: "padding", "table" (L, S), "rows" (B * h, L, S), or two of them."""

    def blocked(*shape: int) -> np.ndarray:
        return rng.permuted(np.arange(np.prod(shape)).reshape(shape) % S, axis=-1) < rng.integers(
            1, S, (*shape[:-1], 1)
        )

    padding = blocked(B, S) if "padding" in given else None
    attention = blocked(L, S) if "table" in given else blocked(B * h, L, S) if "rows" in given else None
    return {"asked": "sdpa", "key_padding_mask": padding, "attn_mask": attention, "batch": B, "num_heads": h}


def _attention(rng: np.random.Generator, asked: str, B: int, L: int, h: int, d_k: int, *, shortest: int = 1) -> Probe:
    seed, d = int(rng.integers(1000)), h * d_k
    training = asked in ("causal", "padded") and bool(rng.integers(2))
    probe: Probe = {"asked": asked, "mha": _module(d, h, seed, training=training), "x": rng.standard_normal((B, L, d))}
    if "padded" in asked:
        probe["lengths"] = np.concatenate([[shortest, L], rng.integers(shortest, L + 1, B)])[:B]
    return probe


def _float32(rng: np.random.Generator, asked: str, B: int, h: int, d_k: int) -> Probe:
    L = 2 if asked == "causal" else 5
    x = rng.integers(-3, 4, (B, L, h * d_k)).astype(np.float32)
    probe: Probe = {"asked": asked, "mha": _flat_module(h * d_k, h, int(rng.integers(1000))), "x": x}
    if asked == "padded":
        probe["lengths"] = rng.permutation(np.arange(B) % 3)
        probe["lengths"] = 2 ** probe["lengths"]
    return probe


_GIVEN = ("padding table", "padding rows", "padding", "table", "rows")
_SIZES = ((4, 5, 3, 2), (4, 4, 3, 2), (2, 3, 1, 4))  # B, L, h, d_k: all different, B = L, one head
_WITH_EMPTY = ("padded", "padded, backward")  # with a sentence of length 0, and one without padding


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style: either path of the module, both dtypes, all masks."""
    rng = np.random.default_rng(0)
    asked = [_attention(rng, kind, *size) for kind in ("causal", "padded") for size in _SIZES]
    asked += [_attention(rng, f"{kind}, frozen", 3, 5, 4, 3) for kind in ("causal", "padded")]
    asked += [_float32(rng, kind, 3, 2, 3) for kind in ("causal", "padded")]
    asked += [_masks(rng, 4, 5, 7, 3, given) for given in _GIVEN]
    asked += [_masks(rng, 2, 4, 4, 3, "padding table")]  # L = S
    return asked + [_attention(rng, kind, 4, 5, 3, 2, shortest=0) for kind in _WITH_EMPTY]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, L, h, d_k = (int(length) for length in rng.permutation(np.arange(2, 7))[:4])
    kind = int(rng.integers(12))
    if kind >= 10:
        return _attention(rng, _WITH_EMPTY[kind - 10], B, L, h, d_k, shortest=0)
    if kind < 4:
        L, h = [(L, h), (L, h), (B, h), (L, 1)][kind]
        return _attention(rng, str(rng.choice(["causal", "padded"])), B, L, h, d_k)
    if kind < 6:
        return _attention(rng, str(rng.choice(["causal, frozen", "padded, frozen"])), B, L, 2 * h, d_k)
    if kind == 6:
        return _float32(rng, str(rng.choice(["causal", "padded"])), B, h, d_k)
    return _masks(rng, B, L, int(rng.choice([L, 7])), h, str(rng.choice(_GIVEN)))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, one column for each of two heads, so that the tables can be checked by hand."""
    numbers = np.array([1.0, 0, 0, 2, 1, 1, 3, 0, 2, 1, 0, 1])
    for B, L in ((1, 2), (1, 3), (2, 2), (2, 3)):
        for training in (False, True):
            probe = {"mha": _module(2, 2, training=training), "x": numbers[: B * L * 2].reshape(B, L, 2)}
            yield {"asked": "causal", **probe}
            yield {"asked": "padded", **probe, "lengths": np.arange(B) + 1}
        yield {"asked": "causal, frozen", **probe, "mha": _module(2, 2)}
        if B == 2:
            yield from ({"asked": kind, **probe, "lengths": np.array([L, 0])} for kind in _WITH_EMPTY)
    for B, L, S, h in ((1, 1, 2, 1), (1, 2, 2, 2), (2, 1, 2, 2), (2, 2, 3, 2)):
        yield from (_masks(np.random.default_rng(1), B, L, S, h, given) for given in _GIVEN)
