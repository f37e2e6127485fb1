r"""The stages of 13_masks, each with all the ways in which people write it, the right one first.

    x, lengths --causal | padded, empty--> masks --weights--> pair of the module --late, result--> (out, weights)
    masks of the module --none, polarity, padding_axes, row_axes--> two of four axes --join, shape, kind--> allowed

A wrong option bears the slug of its card in exercises/mistakes.toml. mistakes.py makes the three functions of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

Mha = nn.MultiheadAttention
Masks = dict[str, Any]  # arguments of a call of the module

# what a student writes who does not name a dtype, and who adds axes by [:, None]; or names it, and uses unsqueeze
_HABIT = dict.fromkeys(["default-dtype-and-brackets", "given-dtype-and-methods"])
_BEFORE = dict.fromkeys(["nothing", "module-left-in-evaluation-mode"])
_LATE = dict.fromkeys(["masks-first", "returned-weights-masked"])


# --- a causal mask for the module --------------------------------------------------------------------------------


def future(x: Tensor, diagonal: int = 1) -> Tensor:
    return torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(diagonal)


def _added(blocked: Tensor, x: Tensor, habit: str) -> Tensor:
    """1.0 where a key is to be blocked, in torch's default dtype or in that of the scores."""
    return blocked.to(x.dtype if habit == "given-dtype-and-methods" else torch.float32)


_CAUSAL: dict[str, Callable[[Tensor, str], Masks]] = {
    "future-blocked": lambda x, _habit: {"attn_mask": future(x)},
    "causal-mask-left-out": lambda _x, _habit: {},
    "causal-hint-without-a-mask": lambda _x, _habit: {"is_causal": True},
    "causal-mask-put-on-the-returned-weights": lambda _x, _habit: {},  # see causal_attention
    "causal-mask-with-the-polarity-of-sdpa": lambda x, _habit: {"attn_mask": ~future(x)},
    "causal-mask-blocks-the-diagonal": lambda x, _habit: {"attn_mask": future(x, 0)},
    "causal-mask-shows-one-future-key": lambda x, _habit: {"attn_mask": future(x, 2)},
    "causal-mask-blocks-the-past": lambda x, _habit: {"attn_mask": future(x).T},
    "causal-mask-of-whole-numbers": lambda x, _habit: {"attn_mask": future(x).int()},
    "causal-mask-of-ones-to-add": lambda x, habit: {"attn_mask": _added(future(x), x, habit)},
    "causal-mask-in-the-default-dtype": lambda x, _habit: {
        "attn_mask": nn.Transformer.generate_square_subsequent_mask(x.shape[1])  # float32 of 0 and -inf
    },
    "causal-mask-in-the-place-of-the-padding-mask": lambda x, _habit: {"key_padding_mask": future(x)},
    "causal-mask-with-a-sentence-axis": lambda x, _habit: {"attn_mask": future(x).expand(len(x), -1, -1)},
    "causal-mask-of-four-axes": lambda x, _habit: {"attn_mask": future(x)[None, None]},
}


# --- a padding mask for the module -------------------------------------------------------------------------------


def padding(x: Tensor, lengths: Tensor, opened: Tensor | bool = False) -> Tensor:
    """True behind the length of a sentence, but for the sentences that are opened."""
    return (torch.arange(x.shape[1]) >= lengths[:, None]) & ~torch.as_tensor(opened)[..., None]


def _for_each_query(mask: Tensor) -> Tensor:
    return mask[:, None].expand(-1, mask.shape[1], -1)  # (B, L, S)


# mha, x, lengths, what is padding in sentences of other lengths, habit -> masks
_PADDED: dict[str, Callable[[Mha, Tensor, Tensor, Callable[[Tensor], Tensor], str], Masks]] = {
    "padding-blocked": lambda _mha, _x, n, of, _habit: {"key_padding_mask": of(n)},
    "padding-not-masked": lambda _mha, _x, _n, _of, _habit: {},
    "padding-mask-marks-the-real-keys": lambda _mha, _x, n, of, _habit: {"key_padding_mask": ~of(n)},
    "padding-mask-shows-one-padded-key": lambda _mha, _x, n, of, _habit: {"key_padding_mask": of(n + 1)},
    "padding-mask-blocks-the-last-real-key": lambda _mha, _x, n, of, _habit: {"key_padding_mask": of(n - 1)},
    "padding-mask-of-whole-numbers": lambda _mha, _x, n, of, _habit: {"key_padding_mask": of(n).int()},
    "padding-mask-of-ones-to-add": lambda _mha, x, n, of, habit: {"key_padding_mask": _added(of(n), x, habit)},
    "padding-mask-of-positions-and-sentences": lambda _mha, _x, n, of, _habit: {"key_padding_mask": of(n).T},
    "lengths-compared-without-an-axis": lambda _mha, x, n, _of, _habit: {
        "key_padding_mask": torch.arange(x.shape[1]) >= n  # RuntimeError unless B = L or B = 1
    },
    "longest-length-for-all-sentences": lambda _mha, _x, n, of, _habit: {
        "key_padding_mask": of(n.max().expand(len(n)))
    },
    "padding-mask-given-as-attn-mask": lambda _mha, _x, n, of, _habit: {"attn_mask": of(n)},
    "padding-mask-without-a-row-for-each-head": lambda _mha, _x, n, of, _habit: {"attn_mask": _for_each_query(of(n))},
    "rows-for-heads-repeated-in-blocks": lambda mha, _x, n, of, _habit: {
        "attn_mask": _for_each_query(of(n)).repeat(mha.num_heads, 1, 1)
    },
    "padded-positions-set-to-zero": lambda _mha, _x, _n, _of, _habit: {},  # and x is another one: padded_attention
}


def _mended(answer: Any) -> Any:
    """The answer without NaN; the gradients still hold it."""
    if isinstance(answer, tuple):
        return tuple(map(_mended, answer))
    return answer if answer is None else answer.nan_to_num(0.0)


# A sentence of length 0 has no key at all: open it before the softmax, forget it, or mend the module's answer.
_EMPTY: dict[str, Callable[[Any], Any]] = {
    "empty-sentence-opened": lambda answer: answer,
    "empty-sentence-gives-nan": lambda answer: answer,
    "empty-sentence-mended-in-the-results": _mended,
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


# which masks may be missing, see _is_given of mistakes.py
_NONE = dict.fromkeys(
    [
        "either-may-be-missing",
        "padding-mask-always-expected",
        "attention-mask-always-expected",
        "both-masks-always-expected",
        "mask-asked-whether-it-is-true",
    ]
)

_INVERTED: dict[str, Callable[[Tensor], Tensor]] = {
    "as-a-new-mask": lambda mask: ~mask,
    "mask-inverted-in-place": lambda mask: mask.logical_not_(),
}

OPTIONS: dict[str, dict[str, Any]] = {
    "habit": _HABIT,
    "before": _BEFORE,
    "causal": _CAUSAL,
    "padded": _PADDED,
    "empty": _EMPTY,
    "weights": _WEIGHTS,
    "late": _LATE,
    "result": _RESULT,
    "none": _NONE,
    "inverted": _INVERTED,
    "polarity": _POLARITY,
    "padding_axes": _PADDING_AXES,
    "row_axes": _ROW_AXES,
    "table_axes": _TABLE_AXES,
    "join": _JOIN,
    "kind": _KIND,
}
