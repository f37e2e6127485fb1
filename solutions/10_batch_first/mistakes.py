"""Mistake models of 10_batch_first: the reference with named switches, what it is asked, and how to show it.

    embed_dim, num_heads --make--> module
    x --layout--> query, key, value --call--> pair --item--> output --layout--> (B, L, d) --after--> result

    build(layout="batch-first-not-looked-at").attend(mha, x)

A wrong option bears the slug of its card in exercises/mistakes.toml. Every call is a call of the real module, so that
a model does, and raises, what torch does. A module that `attend` makes anew is no model: it is random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from grader.checks import Refusal
from grader.sandbox.client import Raised, RemoteObject
from grader.sandbox.wire import Build

Probe = dict[str, Any]
MHA = nn.MultiheadAttention

CALLS = {"make": "make_attention(embed_dim, num_heads)", "attend": "attend(mha, x)"}
AXES = {"x": "B L d", "out": "B L d", "result": "B L d"}


# --- how the module is made --------------------------------------------------------------------------------------


def _checked_with_a_print(embed_dim: int, num_heads: int) -> MHA | None:
    if embed_dim % num_heads != 0:
        return None  # the text is printed; or the AssertionError is caught
    return MHA(embed_dim, num_heads, batch_first=True)


_MAKE: dict[str, Callable[[int, int], Any]] = {
    "batch-first": lambda d, h: MHA(d, h, batch_first=True),
    "batch-first-left-at-its-default": MHA,
    "batch-first-given-by-position": lambda d, h: MHA(d, h, True),  # the third place belongs to dropout
    "embed-dim-and-num-heads-exchanged": lambda d, h: MHA(h, d, batch_first=True),
    "embed-dim-taken-for-the-width-of-a-head": lambda d, h: MHA(d * h, h, batch_first=True),
    "width-of-a-head-given-for-keys-and-values": lambda d, h: MHA(d, h, kdim=d // h, vdim=d // h, batch_first=True),
    "attention-with-a-single-head": lambda d, _h: MHA(d, 1, batch_first=True),
    "attention-with-the-sizes-of-the-example": lambda _d, _h: MHA(1, 1, batch_first=True),
    "attention-made-with-dropout": lambda d, h: MHA(d, h, dropout=0.1, batch_first=True),
    "refusal-printed-not-raised": _checked_with_a_print,
    "indivisible-embed-dim-made-to-fit": lambda d, h: MHA(d // h * h, h, batch_first=True),
}


# --- how x goes in and the output comes out ----------------------------------------------------------------------

Back = Callable[[Any], Any]
Layout = tuple[Tensor, Tensor, Tensor, Back]  # query, key, value, and what is done to the output


def _same(x: Tensor) -> Layout:
    return x, x, x, lambda out: out


def _swapped(x: Tensor) -> Layout:
    swapped = x.transpose(0, 1)  # (L, B, d)
    return swapped, swapped, swapped, lambda out: out.transpose(0, 1)


def _by_flag(sequence_first: Callable[[Tensor], Layout]) -> Callable[[MHA, Tensor], Layout]:
    """As it is for a batch-first module, by `sequence_first` for the others."""
    return lambda mha, x: _same(x) if mha.batch_first else sequence_first(x)


def _reshaped(x: Tensor) -> Layout:
    B, L, d = x.shape
    moved = x.reshape(L, B, d)
    return moved, moved, moved, lambda out: out.reshape(B, L, d)


def _joined(_mha: MHA, x: Tensor) -> Layout:
    joined = x.flatten(0, 1)  # (B * L, d), taken for one sentence
    return joined, joined, joined, lambda out: out.reshape(x.shape)


def _features(x: Tensor) -> Layout:
    moved = x.transpose(1, 2)  # (B, d, L): AssertionError unless L = d
    return moved, moved, moved, lambda out: out.transpose(1, 2)


def _in_place(x: Tensor) -> Layout:
    x.transpose_(0, 1)  # the caller's tensor
    return x, x, x, lambda out: out.transpose(0, 1)


def _put_back_as_false(mha: MHA, x: Tensor) -> Layout:
    mha.batch_first = True

    def back(out: Any) -> Any:
        mha.batch_first = False  # whatever it was
        return out

    return x, x, x, back


def _set_on_the_module(mha: MHA, x: Tensor) -> Layout:
    mha.batch_first = True
    return _same(x)


_LAYOUT: dict[str, Callable[[MHA, Tensor], Layout]] = {
    "by-the-flag": _by_flag(_swapped),
    "batch-first-not-looked-at": lambda _mha, x: _same(x),
    "input-transposed-although-batch-first": lambda _mha, x: _swapped(x),
    "batch-first-read-the-wrong-way-round": lambda mha, x: _swapped(x) if mha.batch_first else _same(x),
    "output-not-transposed-back": _by_flag(lambda x: (*_swapped(x)[:3], lambda out: out)),
    "only-the-output-transposed": _by_flag(lambda x: (x, x, x, _swapped(x)[3])),
    "only-the-query-transposed": _by_flag(lambda x: (x.transpose(0, 1), x, x, _swapped(x)[3])),
    "axes-exchanged-by-reshape": _by_flag(_reshaped),
    "input-exchanged-by-reshape": _by_flag(lambda x: (*_reshaped(x)[:3], _swapped(x)[3])),
    "output-exchanged-by-reshape": _by_flag(lambda x: (*_swapped(x)[:3], _reshaped(x)[3])),
    "positions-and-features-exchanged": _by_flag(_features),
    "batch-joined-to-one-sentence": _joined,
    "input-transposed-in-place": _by_flag(_in_place),
    "batch-first-set-on-the-module": _set_on_the_module,
    "batch-first-put-back-as-false": _put_back_as_false,
}


# --- how the module is called, and what is taken of the pair -----------------------------------------------------


def _evaluated(mha: MHA, q: Tensor, k: Tensor, v: Tensor) -> Any:
    mha.eval()
    return mha(q, k, v)


def _projected(mha: MHA, q: Tensor, _k: Tensor, _v: Tensor) -> Any:
    return mha(*linear(q, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1))


_CALL: dict[str, Callable[[MHA, Tensor, Tensor, Tensor], Any]] = {
    "three-times-x": lambda mha, q, k, v: mha(q, k, v),
    "module-called-with-x-alone": lambda mha, q, _k, _v: mha(q),
    "module-left-in-evaluation-mode": _evaluated,
    "input-projected-before-the-module": _projected,
}

_ITEM: dict[str, Callable[[Any], Any]] = {
    "output": lambda pair: pair[0],
    "module-pair-taken-for-the-output": lambda pair: pair,
    "weights-in-place-of-the-output": lambda pair: pair[1],
    "pair-in-place-of-the-output": lambda pair: pair[0],  # `attend` puts the weights beside it again
}

_AFTER: dict[str, Callable[[Any, Tensor], Any]] = {
    "nothing": lambda out, _x: out,
    "only-the-first-sentence": lambda out, _x: out[0],
    "axes-of-length-one-dropped": lambda out, _x: out.squeeze(),
    "input-added-to-the-output": lambda out, x: out + x,
    "array-in-place-of-a-tensor": lambda out, _x: out.detach().numpy(),
}


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "make": tuple(_MAKE),
    "layout": tuple(_LAYOUT),
    "call": tuple(_CALL),
    "item": tuple(_ITEM),
    "after": tuple(_AFTER),
}

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options

    def make_attention(embed_dim: int, num_heads: int) -> Any:
        return _MAKE[chosen["make"]](embed_dim, num_heads)

    def attend(mha: MHA, x: Tensor) -> Any:
        query, key, value, back = _LAYOUT[chosen["layout"]](mha, x)
        pair = _CALL[chosen["call"]](mha, query, key, value)
        out = _AFTER[chosen["after"]](back(_ITEM[chosen["item"]](pair)), x)
        return (out, pair[1]) if chosen["item"] == "pair-in-place-of-the-output" else out

    return SimpleNamespace(make_attention=make_attention, attend=attend)


# --- what is asked -----------------------------------------------------------------------------------------------

_REFUSALS = {"AssertionError", "ValueError"}


def observe(subject: Any, probe: Probe) -> Any:
    """What `attend` gives; of a new module its flags and what it does, or how its sizes are refused."""
    if probe["asked"] == "attend":
        return subject.attend(probe["mha"], torch.from_numpy(probe["x"]))
    d, h = probe["embed_dim"], probe["num_heads"]
    try:
        made = subject.make("make_attention", d, h)
    except Raised as raised:
        report = raised.report
        if d % h == 0 or not _REFUSALS & set(report.types):
            raise
        return Refusal("as asked", f"{report.type_name}: {report.text}")  # torch's own exception is right
    if not isinstance(made, RemoteObject):
        return made
    sizes = {name: f"{name}={made.get(name)}" for name in ("batch_first", "embed_dim", "num_heads", "dropout")}
    return sizes | {"out": _used(made, d)} if d % h == 0 else sizes


def _used(made: RemoteObject, d: int) -> Any:
    """The output of a new module, in evaluation mode and with weights that are known."""
    rng = np.random.default_rng(d)
    weights = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d)}
    for done in ("double", "eval"):
        made.call(done)
    state = {name: torch.from_numpy(rng.standard_normal(shape) / d**0.5) for name, shape in weights.items()}
    made.call("load_state_dict", state, strict=False)  # the biases of a new module are 0
    x = torch.from_numpy(rng.standard_normal((2, 3, d)))
    return made.call("forward", x, x, x)[0]


@cache  # two probes of one description are equal only if they hold the same tensors
def _module(
    d: int, h: int, *, batch_first: bool, training: bool = False, seed: int | None = None, times: float = 1.0
) -> Build:
    """A module of random weights and biases; without a seed W^O is the identity, the others `times` that, biases 0."""
    shapes = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d), "in_proj_bias": (3 * d,), "out_proj.bias": (d,)}
    if seed is None:
        identity = torch.eye(d, dtype=torch.float64)
        state = {name: torch.zeros(shape, dtype=torch.float64) for name, shape in shapes.items()}
        state |= {"in_proj_weight": times * identity.repeat(3, 1), "out_proj.weight": identity}
    else:
        rng = np.random.default_rng(seed)
        state = {name: torch.from_numpy(rng.standard_normal(shape) / d**0.5) for name, shape in shapes.items()}
    arguments = {"embed_dim": d, "num_heads": h, "batch_first": batch_first}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


def _attend(rng: np.random.Generator, B: int, L: int, h: int, d_k: int, *, batch_first: bool) -> Probe:
    mha = _module(h * d_k, h, batch_first=batch_first, seed=int(rng.integers(40)), training=bool(rng.integers(2)))
    return {"asked": "attend", "mha": mha, "x": rng.standard_normal((B, L, h * d_k))}


def _make(embed_dim: int, num_heads: int) -> Probe:
    return {"asked": "make", "embed_dim": embed_dim, "num_heads": num_heads}


# B, L, h, d_k; B = L in the second, L = d in the last
_SIZES = ((4, 5, 3, 2), (3, 3, 2, 5), (5, 2, 4, 3), (1, 4, 3, 2), (4, 1, 2, 3), (5, 6, 2, 3))


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart; B = L, B = 1 and L = 1 among them."""
    made = [_make(6, 3), _make(8, 2), _make(5, 1), _make(7, 3), _make(4, 6)]
    sizes = [(size, batch_first) for size in _SIZES for batch_first in (True, False)]
    return made + [
        _attend(np.random.default_rng(i), *size, batch_first=batch_first) for i, (size, batch_first) in enumerate(sizes)
    ]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds; in one of nine what is made must be refused."""
    B, L, h, d_k = (int(length) for length in rng.permutation(np.arange(2, 7))[:4])
    kind = int(rng.integers(9))
    if kind == 0:
        return _make(h * d_k + int(rng.integers(1, h)), h)
    if kind < 3:
        return _make(h * d_k, h)
    if kind < 5:
        B, L = [(L, L), (1, L), (B, 1)][rng.integers(3)]
    return _attend(rng, B, L, h, d_k, batch_first=bool(rng.integers(2)))


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, with W = I (in the last ones 2I) and b = 0, so that one can check them by hand."""
    yield from (_make(*sizes) for sizes in ((2, 1), (4, 2), (6, 3), (3, 2)))
    numbers = np.array([0.0, 1, 2, 0, 1, 1, 3, 0, 0, 2, 1, 0])
    for B, L, d, h in ((2, 1, 1, 1), (1, 2, 1, 1), (2, 2, 1, 1), (2, 3, 2, 2), (3, 2, 2, 1)):
        for batch_first in (False, True):
            for training in (False, True):
                mha = _module(d, h, batch_first=batch_first, training=training, times=2.0 if B == 3 else 1.0)
                yield {"asked": "attend", "mha": mha, "x": numbers[: B * L * d].reshape(B, L, d)}
