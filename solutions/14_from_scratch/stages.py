r"""The stages of 14_from_scratch, each with all the ways in which people write it, the right one first.

    query, key, value --source, project--> q, k, v --split--> heads --compare, scale, none, mask, softmax--> weights
    weights, v --combine--> heads --merge--> (B, L, E) --output--> --result--> the pair
    refused, registered, biased: the constructor;   thirds, copy, given, made: from_torch;   graph: what is recorded

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which. mistakes.py makes a layer of them.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

# --- how the right code may be written ---------------------------------------------------------------------------


def _linears(E: int, inner: bool, outer: bool) -> list[nn.Module]:
    return [nn.Linear(E, E, bias=bias) for bias in (inner, inner, inner, outer)]


def _one_linear_inside(E: int, inner: bool, outer: bool) -> list[nn.Module]:
    return [nn.Linear(E, 3 * E, bias=inner), nn.Linear(E, E, bias=outer)]


def _with_biases_of_zero(E: int, inner: bool, outer: bool) -> list[nn.Module]:
    layers = _linears(E, inner, outer)
    for layer in layers:
        if layer.bias is not None:
            nn.init.zeros_(layer.bias)  # as nn.Parameter(torch.zeros(E)) does
    return layers


# Each is given E and whether the first three and the last have biases, and has its own way to cut into thirds and to
# fill what is blocked. No mistake depends on more than one of these.
_STORED: dict[str, Callable[..., list[nn.Module]]] = {
    "four-linears": _linears,
    "two-linears": _one_linear_inside,
    "zero-biases": _with_biases_of_zero,
}

# --- what the inputs become --------------------------------------------------------------------------------------

# which input, and which projection, makes q, k and v
_SOURCE: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    "each-its-own": ((0, 0), (1, 1), (2, 2)),
    "query-projected-three-times": ((0, 0), (0, 1), (0, 2)),
    "values-taken-from-the-key": ((0, 0), (1, 1), (1, 2)),
    "values-projected-by-w-k": ((0, 0), (1, 1), (2, 1)),
    "keys-projected-by-w-q": ((0, 0), (1, 0), (2, 2)),
}

Project = Callable[[Tensor, Any, Any], Tensor]  # x, weight, bias


def _linear(x: Tensor, weight: Any, bias: Any) -> Tensor:
    return nn.functional.linear(x, weight, bias)


def _not_turned(x: Tensor, weight: Any, bias: Any) -> Tensor:
    projected: Tensor = x @ weight
    return projected if bias is None else projected + bias


_PROJECT: dict[str, Project] = {
    "linear-map": _linear,
    "projections-skipped": lambda x, _weight, _bias: x,
    "weight-not-turned-for-the-product": _not_turned,  # W_O is not turned either; copying weight.T is the same
    "activation-on-the-projections": lambda x, weight, bias: _linear(x, weight, bias).relu(),
}


def _cut(x: Tensor, h: int, d_k: int) -> Tensor:
    return x.view(x.shape[0], x.shape[1], h, d_k)


_SPLIT: dict[str, Callable[[Tensor, int, int, int], Tensor]] = {  # x, h, d_k, L -> heads
    "own-columns": lambda x, h, d_k, _L: _cut(x, h, d_k).transpose(1, 2),
    "split-without-transpose": lambda x, h, d_k, _L: x.view(x.shape[0], h, x.shape[1], d_k),
    "head-takes-every-hth-column": lambda x, h, d_k, _L: _cut(x, d_k, h).permute(0, 3, 1, 2),
    "heads-left-behind-the-positions": lambda x, h, d_k, _L: _cut(x, h, d_k),  # RuntimeError unless L = S
    "key-length-taken-from-the-query": lambda x, h, d_k, L: x.view(x.shape[0], L, h, d_k).transpose(1, 2),
}

# --- the weights -------------------------------------------------------------------------------------------------

_COMPARE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "each-query-with-each-key": lambda q, k: q @ k.transpose(-2, -1),
    "keys-not-transposed": lambda q, k: q @ k,  # RuntimeError unless S = d_k
}

_SCALE: dict[str, Callable[[Tensor, int, int], Tensor]] = {  # scores, E, d_k
    "root-of-d_k": lambda scores, _E, d_k: scores / math.sqrt(d_k),
    "scores-not-scaled": lambda scores, _E, _d_k: scores,
    "scaled-by-the-root-of-d-model": lambda scores, E, _d_k: scores / math.sqrt(E),
    "scaled-without-the-root": lambda scores, _E, d_k: scores / d_k,
    "multiplied-by-the-root": lambda scores, _E, d_k: scores * math.sqrt(d_k),
    "scaled-after-the-softmax": lambda scores, _E, _d_k: scores,  # the weights are divided
}

Softmax = Callable[[Tensor], Tensor]
Fill = Callable[[Tensor, Tensor], Tensor]  # scores, allowed -> scores that block

_SOFTMAX: dict[str, Softmax] = {
    "over-keys": lambda scores: scores.softmax(dim=-1),
    "softmax-over-queries": lambda scores: scores.softmax(dim=-2),
    "softmax-over-heads": lambda scores: scores.softmax(dim=1),  # F.softmax without dim too
}


def _none_into_not(allowed: Any) -> Tensor:
    blocked = ~allowed  # TypeError for None
    return ~blocked


_NONE: dict[str, Callable[[Any], Any]] = {
    "no-mask": lambda allowed: allowed,
    "no-mask-not-expected": _none_into_not,
}


def _both(scores: Tensor, softmax: Softmax) -> tuple[Tensor, Tensor]:
    return scores, softmax(scores)


_MASK: dict[str, Callable[[Tensor, Tensor, Fill, Softmax], tuple[Tensor, Tensor]]] = {  # -> scores, weights
    "fill": lambda scores, allowed, fill, softmax: _both(fill(scores, allowed), softmax),
    "mask-ignored": lambda scores, _allowed, _fill, softmax: _both(scores, softmax),  # an unassigned masked_fill too
    "mask-inverted": lambda scores, allowed, fill, softmax: _both(fill(scores, ~allowed), softmax),
    "mask-after-softmax": lambda scores, allowed, _fill, softmax: (scores, softmax(scores) * allowed),
    "mask-added-as-ones": lambda scores, allowed, _fill, softmax: _both(scores + allowed, softmax),
    "mask-always-gets-one-more-axis": lambda scores, allowed, fill, softmax: _both(
        fill(scores, allowed.unsqueeze(1)), softmax
    ),
}

_COMBINE: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {  # weights, k, v
    "values": lambda weights, _k, v: weights @ v,
    "keys-used-as-values": lambda weights, k, _v: weights @ k,
    "gradient-stops-at-the-weights": lambda weights, _k, v: weights.detach() @ v,
    "gradient-stops-before-the-output": lambda weights, _k, v: (weights @ v).detach(),  # all up to here in no_grad too
}

# --- the output --------------------------------------------------------------------------------------------------

_MERGE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {  # heads, query
    "heads-side-by-side": lambda heads, query: heads.transpose(1, 2).reshape(query.shape),
    "merge-without-transpose": lambda heads, query: heads.reshape(query.shape),
    "view-after-transpose": lambda heads, query: heads.transpose(1, 2).view(query.shape),  # RuntimeError
}

_OUTPUT: dict[str, Callable[[Project, Tensor, Any, Tensor], Tensor]] = {  # project, joined heads, last layer, query
    "projected": lambda project, joined, last, _query: project(joined, last.weight, last.bias),
    "output-projection-left-out": lambda _project, joined, _last, _query: joined,
    "input-added-to-the-output": lambda project, joined, last, query: project(joined, last.weight, last.bias) + query,
}

_RESULT: dict[str, Callable[[Tensor, Tensor, Tensor], Any]] = {  # output, weights, scores
    "output-then-weights": lambda out, weights, _scores: (out, weights),
    "only-the-output-is-returned": lambda out, _weights, _scores: out,
    "weights-returned-before-the-output": lambda out, weights, _scores: (weights, out),
    "weights-averaged-over-the-heads": lambda out, weights, _scores: (out, weights.mean(dim=1)),
    "scores-returned-for-weights": lambda out, _weights, scores: (out, scores),
}

# --- the constructor ---------------------------------------------------------------------------------------------

_REFUSED: dict[str, Callable[[int, int], bool]] = {  # what is refused
    "what-does-not-fit": lambda E, h: h < 1 or E % h != 0,
    "indivisible-width-let-through": lambda _E, _h: False,  # a division by 0 raises then
    "too-few-heads-not-refused": lambda E, h: E % h != 0,
    "only-zero-heads-refused": lambda E, h: h == 0 or E % h != 0,
    "divisibility-check-inverted": lambda E, h: h < 1 or E % h == 0,
}


class _Unregistered(list[nn.Module]):
    """Layers in a plain list, which nn.Module does not look into."""


class _OnlyTheLast(nn.Module):
    """The last layer is registered, those before it are in a plain list."""

    def __init__(self, layers: Sequence[nn.Module]) -> None:
        super().__init__()
        self.before, self.last = list(layers[:-1]), layers[-1]

    def __len__(self) -> int:
        return len(self.before) + 1

    def __getitem__(self, place: Any) -> Any:
        return [*self.before, self.last][place]


_REGISTERED: dict[str, Callable[[Sequence[nn.Module]], Any]] = {
    "in-the-module": nn.ModuleList,
    "parameters-not-registered": _Unregistered,
    "only-the-output-projection-registered": _OnlyTheLast,
}

_BIASED: dict[str, Callable[[bool], tuple[bool, bool]]] = {  # of the first three layers, of the last
    "if-asked-for": lambda bias: (bias, bias),
    "bias-switch-ignored": lambda _bias: (True, True),
    "bias-switch-ignored-by-the-output": lambda bias: (bias, True),
}

# --- from_torch --------------------------------------------------------------------------------------------------


def _by_heads(mha: nn.MultiheadAttention, packed: Tensor) -> list[Tensor]:
    blocks = packed.reshape(mha.num_heads, 3, mha.head_dim, *packed.shape[1:])  # each head with its own q, k and v
    return [blocks[:, i].flatten(0, 1) for i in range(3)]


_THIRDS: dict[str, Callable[[nn.MultiheadAttention, Sequence[Tensor], Tensor], Sequence[Tensor]]] = {
    "q-k-v": lambda _mha, thirds, _packed: thirds,
    "in-proj-read-as-k-q-v": lambda _mha, thirds, _packed: [thirds[i] for i in (1, 0, 2)],
    "in-proj-read-as-q-v-k": lambda _mha, thirds, _packed: [thirds[i] for i in (0, 2, 1)],
    "in-proj-read-head-by-head": lambda mha, _thirds, packed: _by_heads(mha, packed),
    "in-proj-read-in-turns": lambda _mha, _thirds, packed: [packed[i::3] for i in range(3)],
}

# what is copied, and how; the first is right
_COPY = dict.fromkeys(
    [
        "everything",
        "biases-not-copied",
        "output-bias-not-copied",
        "output-projection-not-copied",
        "output-projection-copied-turned",
        "nothing-copied",
        "parameters-shared-with-the-module",
        "dtype-of-the-module-ignored",
        "bias-taken-for-granted",
    ]
)

_GIVEN: dict[str, Callable[[nn.MultiheadAttention], Any]] = {
    "left-alone": lambda mha: mha,
    "given-module-frozen": lambda mha: mha.requires_grad_(False),
    "module-left-in-evaluation-mode": lambda mha: mha.eval(),
}

_MADE: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "class-method": classmethod,
    "from-torch-without-classmethod": lambda function: function,
    "from-torch-returns-nothing": classmethod,
}


def _refused_by_torch(E: int, width: int) -> None:
    """All the rest is right: what is not one's own only shows where torch refuses a width."""
    if width != E:
        x = torch.zeros(1, 1, width)
        nn.MultiheadAttention(E, 1)(x, x, x)


_WHOSE: dict[str, Callable[[int, int], None]] = {  # embed_dim, width of the query
    "own": lambda _E, _width: None,
    "attention-left-to-the-module-of-torch": _refused_by_torch,
}

_GRAPH = {
    "kept": torch.is_grad_enabled,
    "forward-without-gradients": lambda: False,
}

OPTIONS: dict[str, dict[str, Any]] = {
    "stored": _STORED,
    "source": _SOURCE,
    "project": _PROJECT,
    "split": _SPLIT,
    "compare": _COMPARE,
    "scale": _SCALE,
    "none": _NONE,
    "mask": _MASK,
    "softmax": _SOFTMAX,
    "combine": _COMBINE,
    "merge": _MERGE,
    "output": _OUTPUT,
    "result": _RESULT,
    "refused": _REFUSED,
    "registered": _REGISTERED,
    "biased": _BIASED,
    "thirds": _THIRDS,
    "copy": _COPY,
    "given": _GIVEN,
    "made": _MADE,
    "whose": _WHOSE,
    "graph": _GRAPH,
}
