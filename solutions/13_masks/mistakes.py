r"""Mistake models of 13_masks: the reference with named switches, what it is asked, and how to show it.

    x, lengths --causal | padded--> masks --weights--> pair of the module --late, result--> (out, weights)
    masks of the module --none, polarity, padding_axes, row_axes--> two of four axes --join, shape, kind--> allowed

    build(padded="padding-mask-marks-the-real-keys").padded_attention(mha, x, lengths)

A wrong option bears the slug of its card in exercises/mistakes.toml. Every call is a call of the real module, so that
a model does, and raises, what torch does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
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
    "sdpa": "to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads)",
}
AXES = {
    **dict.fromkeys(("x", "out"), "B L d"),
    **dict.fromkeys(("weights", "allowed"), "B h L S"),
    "lengths": "B",
    "key_padding_mask": "B S",
    "attn_mask": "B·h L S",  # one of two axes has the last of them
}


# --- a causal mask for the module --------------------------------------------------------------------------------


def _future(x: Tensor, diagonal: int = 1) -> Tensor:
    return torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(diagonal)


def _added(blocked: Tensor, x: Tensor, habit: str) -> Tensor:
    """1.0 where a key is to be blocked, in torch's default dtype or in that of the scores."""
    return blocked.to(x.dtype if habit == "given-dtype-and-methods" else torch.float32)


_CAUSAL: dict[str, Callable[[Tensor, str], Masks]] = {
    "future-blocked": lambda x, _habit: {"attn_mask": _future(x)},
    "causal-mask-left-out": lambda _x, _habit: {},
    "causal-hint-without-a-mask": lambda _x, _habit: {"is_causal": True},
    "causal-mask-with-the-polarity-of-sdpa": lambda x, _habit: {"attn_mask": ~_future(x)},
    "causal-mask-blocks-the-diagonal": lambda x, _habit: {"attn_mask": _future(x, 0)},
    "causal-mask-shows-one-future-key": lambda x, _habit: {"attn_mask": _future(x, 2)},
    "causal-mask-blocks-the-past": lambda x, _habit: {"attn_mask": _future(x).T},
    "causal-mask-of-whole-numbers": lambda x, _habit: {"attn_mask": _future(x).int()},
    "causal-mask-of-ones-to-add": lambda x, habit: {"attn_mask": _added(_future(x), x, habit)},
    "causal-mask-in-the-default-dtype": lambda x, _habit: {
        "attn_mask": nn.Transformer.generate_square_subsequent_mask(x.shape[1])  # float32 of 0 and -inf
    },
    "causal-mask-in-the-place-of-the-padding-mask": lambda x, _habit: {"key_padding_mask": _future(x)},
    "causal-mask-with-a-sentence-axis": lambda x, _habit: {"attn_mask": _future(x).expand(len(x), -1, -1)},
    "causal-mask-of-four-axes": lambda x, _habit: {"attn_mask": _future(x)[None, None]},
}


# --- a padding mask for the module -------------------------------------------------------------------------------


def _padding(x: Tensor, lengths: Tensor) -> Tensor:
    return torch.arange(x.shape[1]) >= lengths[:, None]


def _for_each_query(x: Tensor, lengths: Tensor) -> Tensor:
    return _padding(x, lengths)[:, None].expand(-1, x.shape[1], -1)  # (B, L, S)


_PADDED: dict[str, Callable[[Mha, Tensor, Tensor, str], Masks]] = {
    "padding-blocked": lambda _mha, x, n, _habit: {"key_padding_mask": _padding(x, n)},
    "padding-not-masked": lambda _mha, _x, _n, _habit: {},
    "padding-mask-marks-the-real-keys": lambda _mha, x, n, _habit: {"key_padding_mask": ~_padding(x, n)},
    "padding-mask-shows-one-padded-key": lambda _mha, x, n, _habit: {"key_padding_mask": _padding(x, n + 1)},
    "padding-mask-blocks-the-last-real-key": lambda _mha, x, n, _habit: {"key_padding_mask": _padding(x, n - 1)},
    "padding-mask-of-whole-numbers": lambda _mha, x, n, _habit: {"key_padding_mask": _padding(x, n).int()},
    "padding-mask-of-ones-to-add": lambda _mha, x, n, habit: {"key_padding_mask": _added(_padding(x, n), x, habit)},
    "padding-mask-of-positions-and-sentences": lambda _mha, x, n, _habit: {"key_padding_mask": _padding(x, n).T},
    "lengths-compared-without-an-axis": lambda _mha, x, n, _habit: {
        "key_padding_mask": torch.arange(x.shape[1]) >= n  # RuntimeError unless B = L or B = 1
    },
    "longest-length-for-all-sentences": lambda _mha, x, n, _habit: {
        "key_padding_mask": _padding(x, n.max().expand(len(n)))
    },
    "padding-mask-given-as-attn-mask": lambda _mha, x, n, _habit: {"attn_mask": _padding(x, n)},
    "padding-mask-without-a-row-for-each-head": lambda _mha, x, n, _habit: {"attn_mask": _for_each_query(x, n)},
    "rows-for-heads-repeated-in-blocks": lambda mha, x, n, _habit: {
        "attn_mask": _for_each_query(x, n).repeat(mha.num_heads, 1, 1)
    },
    "padded-positions-set-to-zero": lambda _mha, _x, _n, _habit: {},  # and x is another one, see padded_attention
}


# --- the module's pair -------------------------------------------------------------------------------------------

_WEIGHTS: dict[str, Masks] = {
    "each-head": {"average_attn_weights": False},
    "averaged-weights-taken-for-each-head": {},
    "weights-asked-for-and-switched-off": {"need_weights": False, "average_attn_weights": False},
}

_RESULT: dict[str, Callable[[Any, Any], Any]] = {
    "output-then-weights": lambda out, weights: (out, weights),
    "weights-returned-before-the-output": lambda out, weights: (weights, out),
    "only-the-output-returned": lambda out, _weights: out,
    "only-the-weights-returned": lambda _out, weights: weights,
}


# --- to_sdpa_mask ------------------------------------------------------------------------------------------------

_POLARITY = {  # is the padding mask inverted, is the attention mask?
    "both-inverted": (True, True),
    "masks-of-the-module-read-as-allowed": (False, False),
    "only-the-padding-mask-inverted": (True, False),
    "only-the-attention-mask-inverted": (False, True),
}

_PADDING_AXES: dict[str, Callable[[Tensor], Tensor]] = {
    "keys-last": lambda mask: mask[:, None, None, :],
    "padding-on-the-axis-of-the-queries": lambda mask: mask[:, None, :, None],
    "padding-mask-without-an-axis-for-the-heads": lambda mask: mask[:, None, :],  # (B, 1, S)
}

_ROW_AXES: dict[str, Callable[[Tensor, int, int], Tensor]] = {
    "sentence-then-head": lambda mask, B, h: mask.reshape(B, h, *mask.shape[1:]),
    "rows-read-head-first": lambda mask, B, h: mask.reshape(h, B, *mask.shape[1:]).transpose(0, 1),
    "rows-not-cut-into-heads": lambda mask, _B, _h: mask[:, None],  # (B * h, 1, L, S)
    "rows-left-at-three-axes": lambda mask, _B, _h: mask,
}

_TABLE_AXES: dict[str, Callable[[Tensor, int, int], Tensor]] = {
    "one-for-all-heads": lambda mask, B, _h: mask.expand(B, 1, -1, -1),
    "mask-not-repeated-for-each-sentence": lambda mask, _B, _h: mask[None, None],  # (1, 1, L, S)
    "attention-mask-left-at-two-axes": lambda mask, _B, _h: mask,
    "mask-copied-for-every-head": lambda mask, B, h: mask.expand(B, h, -1, -1),
}

_JOIN: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "allowed-by-both": lambda padding, attention: padding & attention,
    "blocked-only-where-both-masks-block": lambda padding, attention: padding | attention,
    "attention-mask-ignored-beside-padding": lambda padding, _attention: padding,
    "padding-mask-ignored-beside-attention": lambda _padding, attention: attention,
}

_KIND: dict[str, Callable[[Tensor], Tensor]] = {
    "bool": lambda allowed: allowed,
    "sdpa-mask-not-inverted": lambda allowed: ~allowed,  # what either mask blocks
    "sdpa-mask-to-be-added": lambda allowed: torch.zeros(allowed.shape).masked_fill(~allowed, -torch.inf),
    "sdpa-mask-of-whole-numbers": lambda allowed: allowed.int(),
}


def _is_given(mask: Any, none: str, name: str, habit: str) -> Any:
    if mask is None and none == f"{name}-mask-always-expected":
        return mask.unsqueeze(1) if habit == "given-dtype-and-methods" else mask[:, None]  # AttributeError, TypeError
    return bool(mask) if none == "mask-asked-whether-it-is-true" else mask is not None  # RuntimeError for the former


_NONE = ("either-may-be-missing", "padding-mask-always-expected", "attention-mask-always-expected")
_NONE += ("mask-asked-whether-it-is-true",)

_INVERTED: dict[str, Callable[[Tensor], Tensor]] = {
    "as-a-new-mask": lambda mask: ~mask,
    "mask-inverted-in-place": lambda mask: mask.logical_not_(),
}


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    # what a student writes who does not name a dtype, and who adds axes by [:, None]; or names it, and uses unsqueeze
    "habit": ("default-dtype-and-brackets", "given-dtype-and-methods"),
    "before": ("nothing", "module-left-in-evaluation-mode"),
    "causal": tuple(_CAUSAL),
    "padded": tuple(_PADDED),
    "weights": tuple(_WEIGHTS),
    "late": ("masks-first", "returned-weights-masked"),
    "result": tuple(_RESULT),
    "none": _NONE,
    "inverted": tuple(_INVERTED),
    "polarity": tuple(_POLARITY),
    "padding_axes": tuple(_PADDING_AXES),
    "row_axes": tuple(_ROW_AXES),
    "table_axes": tuple(_TABLE_AXES),
    "join": tuple(_JOIN),
    "kind": tuple(_KIND),
}

STYLES = ("habit",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _attended(chosen: dict[str, str], mha: Mha, x: Tensor, masks: Masks, blocked: Tensor) -> Any:
    """The module's pair under these masks; `blocked` is the right one, for who comes too late with it."""
    late = chosen["late"] != STAGES["late"][0]
    if chosen["before"] == "module-left-in-evaluation-mode":
        mha.eval()
    out, weights = mha(x, x, x, **({} if late else masks), **_WEIGHTS[chosen["weights"]])
    return _RESULT[chosen["result"]](out, weights.masked_fill(blocked, 0.0) if late else weights)


def _four_axes(chosen: dict[str, str], mask: Tensor, B: int, h: int) -> Tensor:
    return (_ROW_AXES[chosen["row_axes"]] if mask.dim() == 3 else _TABLE_AXES[chosen["table_axes"]])(mask, B, h)


def _allowed(chosen: dict[str, str], padding: Any, attention: Any, B: int, h: int) -> Any:
    parts = []
    inverted = _POLARITY[chosen["polarity"]]
    for mask, name, inverts in ((padding, "padding", inverted[0]), (attention, "attention", inverted[1])):
        if _is_given(mask, chosen["none"], name, chosen["habit"]):
            part = _INVERTED[chosen["inverted"]](mask) if inverts else mask
            axes = _PADDING_AXES[chosen["padding_axes"]]
            parts.append(axes(part) if name == "padding" else _four_axes(chosen, part, B, h))
    return _KIND[chosen["kind"]](_JOIN[chosen["join"]](*parts) if len(parts) == 2 else parts[0])


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options

    def causal_attention(mha: Mha, x: Tensor) -> Any:
        return _attended(chosen, mha, x, _CAUSAL[chosen["causal"]](x, chosen["habit"]), _future(x))

    def padded_attention(mha: Mha, x: Tensor, lengths: Tensor) -> Any:
        padding = _padding(x, lengths)
        if chosen["padded"] == "padded-positions-set-to-zero":
            x = x.masked_fill(padding[:, :, None], 0.0)
        masks = _PADDED[chosen["padded"]](mha, x, lengths, chosen["habit"])
        return _attended(chosen, mha, x, masks, padding[:, None, None])

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
    """The answer to one call, its parts by name; rows of padded queries, which may hold anything, as 0."""
    if probe["asked"] == "sdpa":
        masks = [
            None if probe[name] is None else torch.from_numpy(probe[name]) for name in ("key_padding_mask", "attn_mask")
        ]
        return {"allowed": subject.to_sdpa_mask(*masks, probe["batch"], probe["num_heads"])}
    name = "causal_attention" if "lengths" not in probe else "padded_attention"
    inputs = [torch.from_numpy(probe[each]) for each in ("x", "lengths") if each in probe]
    answer = subject.call(name, _built(subject, probe), *inputs)
    if answer is None:  # no return, or weights that are switched off: the calls of the module tell
        recorded = _built(subject, probe, recording=True)
        subject.call(name, recorded, *inputs)
        return {"nothing": None, "need_weights": any(call["need_weights"] for call in recorded.get("recorded"))}
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
    """Tensors of (B, L, d) and (B, h, L, S) with 0 in the rows of padded queries; anything else as it is."""
    if isinstance(answer, tuple | list):
        return [_without_padding(part, padding) for part in answer]
    if not isinstance(answer, Tensor) or answer.dim() not in (3, 4):
        return answer
    if (len(answer), answer.shape[-2]) != tuple(padding.shape):
        return answer
    rows = padding[:, :, None] if answer.dim() == 3 else padding[:, None, :, None]
    return answer.detach().masked_fill(rows, 0)


def _masks(rng: np.random.Generator, B: int, L: int, S: int, h: int, given: str) -> Probe:
    """`given` names the masks: "padding", "table" (L, S), "rows" (B * h, L, S), or two of them."""

    def blocked(*shape: int) -> np.ndarray:
        return rng.permuted(np.arange(np.prod(shape)).reshape(shape) % S, axis=-1) < rng.integers(
            1, S, (*shape[:-1], 1)
        )

    padding = blocked(B, S) if "padding" in given else None
    attention = blocked(L, S) if "table" in given else blocked(B * h, L, S) if "rows" in given else None
    return {"asked": "sdpa", "key_padding_mask": padding, "attn_mask": attention, "batch": B, "num_heads": h}


def _attention(rng: np.random.Generator, asked: str, B: int, L: int, h: int, d_k: int) -> Probe:
    seed, d = int(rng.integers(1000)), h * d_k
    training = asked in ("causal", "padded") and bool(rng.integers(2))
    probe: Probe = {"asked": asked, "mha": _module(d, h, seed, training=training), "x": rng.standard_normal((B, L, d))}
    if "padded" in asked:
        probe["lengths"] = np.concatenate([[1, L], rng.integers(1, L + 1, B)])[:B]
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


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style: either path of the module, both dtypes, all masks."""
    rng = np.random.default_rng(0)
    asked = [_attention(rng, kind, *size) for kind in ("causal", "padded") for size in _SIZES]
    asked += [_attention(rng, f"{kind}, frozen", 3, 5, 4, 3) for kind in ("causal", "padded")]
    asked += [_float32(rng, kind, 3, 2, 3) for kind in ("causal", "padded")]
    asked += [_masks(rng, 4, 5, 7, 3, given) for given in _GIVEN]
    return [*asked, _masks(rng, 2, 4, 4, 3, "padding table")]  # the last: L = S


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    B, L, h, d_k = (int(length) for length in rng.permutation(np.arange(2, 7))[:4])
    kind = int(rng.integers(10))
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
    for B, L, S, h in ((1, 1, 2, 1), (1, 2, 2, 2), (2, 1, 2, 2), (2, 2, 3, 2)):
        yield from (_masks(np.random.default_rng(1), B, L, S, h, given) for given in _GIVEN)
