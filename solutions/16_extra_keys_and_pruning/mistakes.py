"""Mistake models of 16_extra_keys_and_pruning: the reference with named switches, what it is asked, how to show it.

    keys --> axes --> weights_shape;   gate --> gate_heads
    fused --> q, k, v --rows, axis--> smaller --biases, output, parts--> prune

    build(output="output-projection-pruned-by-rows").prune(mha, keep)

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which. Every model works on the real module, so that it raises what torch raises.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.sandbox.wire import Build

Probe = dict[str, Any]

CALLS = {
    "B": "weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average)",
    "afterwards": "gate_heads(heads, gates); heads",
    "heads": "gate_heads(heads, gates)",
    "mha": "prune(mha, keep)",
}
PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "w_o", "b_o")
AXES = {
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), "out in"),
    **dict.fromkeys(("b_q", "b_k", "b_v", "b_o"), "out"),
    **dict.fromkeys(("heads", "gated"), "B h L d_v"),
    "gates": "h",
    "shape": "axis",
}

# --- weights_shape -----------------------------------------------------------------------------------------------

_KEYS: dict[str, Callable[[int, bool, bool, int], int]] = {  # S, add_bias_kv, add_zero_attn, h -> keys
    "one-for-each-option": lambda S, bias, zero, _h: S + bias + zero,
    "added-keys-not-counted": lambda S, _bias, _zero, _h: S,
    "two-added-keys-counted-once": lambda S, bias, zero, _h: S + (bias or zero),
    "zero-key-not-counted": lambda S, bias, _zero, _h: S + bias,
    "learned-key-not-counted": lambda S, _bias, zero, _h: S + zero,
    "learned-key-and-value-counted-as-two": lambda S, bias, zero, _h: S + 2 * bias + zero,
    "a-new-key-for-every-head": lambda S, bias, zero, h: S + h * (bias + zero),
}

_LENGTHS: dict[str, Callable[[int, int, int], tuple[int, int]]] = {  # L, S, keys -> rows and columns
    "queries-by-keys": lambda L, _S, keys: (L, keys),
    "keys-added-to-the-queries-instead": lambda L, S, keys: (L + keys - S, S),
    "keys-added-to-the-queries-too": lambda L, S, keys: (L + keys - S, keys),
    "keys-in-front-of-the-queries": lambda L, _S, keys: (keys, L),
}

_AXES: dict[str, Callable[[int, int, tuple[int, int], bool], tuple[int, ...]]] = {  # B, h, rows and columns, average
    "as-the-flag-says": lambda B, h, table, average: (B, *table) if average else (B, h, *table),
    "averaging-the-wrong-way-round": lambda B, h, table, average: (B, h, *table) if average else (B, *table),
    "average-keeps-an-axis-of-one": lambda B, h, table, average: (B, 1 if average else h, *table),
    "shape-of-each-head-for-the-average": lambda B, h, table, _average: (B, h, *table),
    "shape-of-the-average-for-each-head": lambda B, _h, table, _average: (B, *table),
    "heads-in-front-of-the-shape": lambda B, h, table, average: (B, *table) if average else (h, B, *table),
    "heads-counted-in-the-batch": lambda B, h, table, average: (B if average else B * h, *table),
    "batch-missing-from-the-weights": lambda _B, h, table, average: table if average else (h, *table),
}


# --- gate_heads --------------------------------------------------------------------------------------------------


def _only_switched(heads: Tensor, gates: Tensor) -> Tensor:
    gated = heads.clone()
    gated[:, gates == 0] = 0.0
    return gated


def _with_the_last_gate(heads: Tensor, gates: Tensor) -> Tensor:
    gated = heads
    for gate in gates:
        gated = heads * gate
    return gated


def _in_place(heads: Tensor, gates: Tensor) -> Tensor:
    for i, gate in enumerate(gates):
        heads[:, i] *= gate
    return heads


_GATE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "on-the-axis-of-the-heads": lambda heads, gates: heads * gates[:, None, None],
    "gates-on-the-features": lambda heads, gates: heads * gates,  # RuntimeError unless h = d_v
    "gates-on-the-positions": lambda heads, gates: heads * gates[:, None],  # RuntimeError unless h = L
    "gates-on-the-batch": lambda heads, gates: heads * gates[:, None, None, None],  # RuntimeError unless h = B
    "gates-through-a-softmax": lambda heads, gates: heads * gates.softmax(dim=0)[:, None, None],
    "gates-through-a-sigmoid": lambda heads, gates: heads * gates.sigmoid()[:, None, None],
    "gates-divided-by-their-sum": lambda heads, gates: heads * (gates / gates.sum())[:, None, None],
    "gates-taken-for-switches": _only_switched,  # heads * (gates != 0) too
    "silent-heads-removed": lambda heads, gates: (heads * gates[:, None, None])[:, gates != 0],
    "gated-heads-summed": lambda heads, gates: (heads * gates[:, None, None]).sum(dim=1),
    "last-gate-for-all-heads": _with_the_last_gate,
    "heads-gated-in-place": _in_place,
}


# --- prune -------------------------------------------------------------------------------------------------------


def _by_heads(mha: nn.MultiheadAttention, packed: Tensor) -> list[Tensor]:
    blocks = packed.reshape(mha.num_heads, 3, mha.head_dim, *packed.shape[1:])  # each head with its own q, k and v
    return [blocks[:, i].flatten(0, 1) for i in range(3)]


_FUSED: dict[str, Callable[[nn.MultiheadAttention, Tensor], Sequence[Tensor]]] = {
    "q-k-v": lambda _mha, packed: packed.chunk(3),
    "in-proj-read-as-k-q-v": lambda _mha, packed: [packed.chunk(3)[i] for i in (1, 0, 2)],
    "in-proj-read-as-q-v-k": lambda _mha, packed: [packed.chunk(3)[i] for i in (0, 2, 1)],
    "in-proj-read-head-by-head": _by_heads,
    "first-third-taken-for-all-projections": lambda _mha, packed: [packed] * 3,
}


def _blocks(heads: Sequence[int], width: int) -> list[int]:
    return [i * width + feature for i in heads for feature in range(width)]


_ROWS: dict[str, Callable[[nn.MultiheadAttention, list[int]], Any]] = {
    "block-of-each-head": lambda mha, keep: _blocks(keep, mha.head_dim),
    "head-numbers-taken-for-rows": lambda _mha, keep: keep,
    "kept-heads-take-every-hth-row": lambda mha, keep: [
        row for i in keep for row in range(i, mha.embed_dim, mha.num_heads)
    ],
    "blocks-of-kept-heads-overlap": lambda mha, keep: [row for i in keep for row in range(i, i + mha.head_dim)],
    "width-from-the-kept-heads": lambda mha, keep: _blocks(keep, mha.embed_dim // len(keep)),  # IndexError, mostly
    "first-heads-kept": lambda mha, keep: slice(0, len(keep) * mha.head_dim),
    "one-slice-from-first-to-last": lambda mha, keep: slice(keep[0] * mha.head_dim, (keep[-1] + 1) * mha.head_dim),
    "kept-heads-removed": lambda mha, keep: _blocks([i for i in range(mha.num_heads) if i not in keep], mha.head_dim),
}

_AXIS: dict[str, Callable[[Tensor, Any], Tensor]] = {
    "rows": lambda weight, rows: weight[rows],
    "projections-pruned-by-columns": lambda weight, rows: weight[:, rows],
    "projections-pruned-on-both-axes": lambda weight, rows: weight[rows][:, rows],
}


def _two_biases(mha: nn.MultiheadAttention, parts: Callable[[Any], Any], rows: Any) -> tuple[Any, Any]:
    """The packed bias in thirds, pruned, and that of the output; None where there are none."""
    packed = mha.in_proj_bias
    return [None] * 3 if packed is None else [bias[rows] for bias in parts(packed)], mha.out_proj.bias


def _own_biases_only(mha: nn.MultiheadAttention, parts: Callable[[Any], Any], _rows: Any) -> tuple[Any, Any]:
    packed = mha.in_proj_bias
    return [None] * 3 if packed is None else list(parts(packed)), mha.out_proj.bias


def _every_bias(mha: nn.MultiheadAttention, parts: Callable[[Any], Any], rows: Any) -> tuple[Any, Any]:
    biases, of_output = _two_biases(mha, parts, rows)
    return biases, None if of_output is None else of_output[rows]


def _zeros(mha: nn.MultiheadAttention, parts: Callable[[Any], Any], rows: Any) -> tuple[Any, Any]:
    if mha.in_proj_bias is not None:
        return _two_biases(mha, parts, rows)
    nothing = mha.out_proj.weight.new_zeros(mha.embed_dim)
    return [nothing[rows]] * 3, nothing


def _unchecked(mha: nn.MultiheadAttention, parts: Callable[[Any], Any], rows: Any) -> tuple[Any, Any]:
    return [bias[rows] for bias in parts(mha.in_proj_bias)], mha.out_proj.bias  # AttributeError or TypeError for None


_BIASES: dict[str, Callable[[nn.MultiheadAttention, Callable[[Any], Any], Any], tuple[Any, Any]]] = {
    "rows-of-the-kept-heads": _two_biases,
    "input-biases-not-pruned": _own_biases_only,
    "output-bias-pruned": _every_bias,
    "pruned-layer-without-biases": lambda _mha, _parts, _rows: ([None] * 3, None),
    "bias-taken-for-granted": _unchecked,
    "pruned-layer-with-zeros-for-biases": _zeros,
}

_OUTPUT: dict[str, Callable[[Tensor, Any], Tensor]] = {
    "columns": lambda w_o, rows: w_o[:, rows],
    "output-projection-pruned-by-rows": lambda w_o, rows: w_o[rows],
    "output-projection-not-pruned": lambda w_o, _rows: w_o,
    "output-projection-pruned-on-both-axes": lambda w_o, rows: w_o[rows][:, rows],
    "output-projection-turned": lambda w_o, rows: w_o[:, rows].T,
    "output-projection-rows-turned": lambda w_o, rows: w_o[rows].T,  # the right shape, of the wrong numbers
}


@dataclass(frozen=True)
class _Smaller:
    """The parts of the pruned layer, each kind by itself."""

    weights: Sequence[Any]
    biases: Sequence[Any]
    w_o: Any
    b_o: Any


_PARTS: dict[str, Callable[[_Smaller], Any]] = {
    "weights-biases-output": lambda s: (*s.weights, *s.biases, s.w_o, s.b_o),
    "output-projection-in-front-of-the-biases": lambda s: (*s.weights, s.w_o, *s.biases, s.b_o),
    "pruned-weights-and-biases-in-turns": lambda s: (
        *(part for pair in zip(s.weights, s.biases, strict=True) for part in pair),
        s.w_o,
        s.b_o,
    ),
    "output-projection-not-returned": lambda s: (*s.weights, *s.biases),
}


def _silenced(mha: nn.MultiheadAttention, keep: list[int]) -> _Smaller:
    """All heads are still there; what belongs to those that go is 0."""
    stays = torch.zeros(mha.embed_dim, dtype=mha.out_proj.weight.dtype)
    stays[_blocks(keep, mha.head_dim)] = 1.0
    weights = [weight * stays[:, None] for weight in mha.in_proj_weight.chunk(3)]
    biases = [None] * 3 if mha.in_proj_bias is None else [bias * stays for bias in mha.in_proj_bias.chunk(3)]
    return _Smaller(weights, biases, mha.out_proj.weight * stays, mha.out_proj.bias)


def _silenced_inside(mha: nn.MultiheadAttention, keep: list[int]) -> None:
    gone = [i for i in range(mha.num_heads) if i not in keep]
    with torch.no_grad():
        mha.out_proj.weight[:, _blocks(gone, mha.head_dim)] = 0.0


# --- everything together -----------------------------------------------------------------------------------------

STAGES = {
    "none": ("what-none-is-asked", "none-is-indexed"),
    "keys": tuple(_KEYS),
    "lengths": tuple(_LENGTHS),
    "axes": tuple(_AXES),
    "gate": tuple(_GATE),
    "fused": tuple(_FUSED),
    "rows": tuple(_ROWS),
    "axis": tuple(_AXIS),
    "biases": tuple(_BIASES),
    "output": tuple(_OUTPUT),
    "parts": tuple(_PARTS),
    "module": ("left-alone", "pruned-heads-kept-as-zeros", "module-pruned-in-place"),
}

# Stages whose every option is right, and which change how a mistake elsewhere looks.
# none: what Python says of a bias that is None depends on whether it is cut into chunks or indexed.
STYLES = ("none",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def _slices(packed: Any) -> list[Any]:
    width = 0 if packed is None else len(packed) // 3
    return [packed[i * width : (i + 1) * width] for i in range(3)]


def _smaller(chosen: dict[str, str], mha: nn.MultiheadAttention, keep: list[int]) -> _Smaller:
    """The parts as these switches find them."""
    if chosen["module"] == "pruned-heads-kept-as-zeros":
        return _silenced(mha, keep)
    if chosen["module"] == "module-pruned-in-place":
        _silenced_inside(mha, keep)

    def parts(packed: Any) -> Sequence[Any]:
        plain = chosen["fused"] == "q-k-v" and chosen["none"] == "none-is-indexed"
        return _slices(packed) if plain else _FUSED[chosen["fused"]](mha, packed)

    rows = _ROWS[chosen["rows"]](mha, keep)
    weights = [_AXIS[chosen["axis"]](weight, rows) for weight in parts(mha.in_proj_weight)]
    biases, b_o = _BIASES[chosen["biases"]](mha, parts, rows)
    return _Smaller(weights, biases, _OUTPUT[chosen["output"]](mha.out_proj.weight, rows), b_o)


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options

    def weights_shape(
        B: int, L: int, S: int, num_heads: int, add_bias_kv: bool, add_zero_attn: bool, average: bool
    ) -> Any:
        keys = _KEYS[chosen["keys"]](S, add_bias_kv, add_zero_attn, num_heads)
        return _AXES[chosen["axes"]](B, num_heads, _LENGTHS[chosen["lengths"]](L, S, keys), average)

    def gate_heads(heads: Tensor, gates: Tensor) -> Any:
        return _GATE[chosen["gate"]](heads, gates)

    def prune(mha: nn.MultiheadAttention, keep: list[int]) -> Any:
        return _PARTS[chosen["parts"]](_smaller(chosen, mha, keep))

    return SimpleNamespace(weights_shape=weights_shape, gate_heads=gate_heads, prune=prune)


# --- what is asked -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _module(embed_dim: int, num_heads: int, seed: int | None = None, *, bias: bool = True) -> Build:
    """A module; without a seed its weights count 1, 2, 3, … and its biases 10, 20, 30, …."""
    arguments = {"embed_dim": embed_dim, "num_heads": num_heads, "bias": bias}
    rng, state = np.random.default_rng(seed), {}
    for name, empty in nn.MultiheadAttention(**arguments).state_dict().items():
        if seed is None:
            numbers = np.arange(1.0, empty.numel() + 1).reshape(empty.shape) * (10 if empty.ndim == 1 else 1)
        else:
            numbers = rng.standard_normal(empty.shape)
        state[name] = torch.from_numpy(numbers)
    return Build("torch.nn.MultiheadAttention", arguments, state)


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call, its parts by name; for "afterwards", the heads as the call leaves them."""
    if "B" in probe:
        return {"shape": _lengths(subject.weights_shape(*probe.values()))}
    if "mha" in probe:
        parts = subject.prune(probe["mha"], probe["keep"])
        alike = isinstance(parts, tuple | list) and len(parts) == len(PARTS)
        return dict(zip(PARTS, parts, strict=True)) if alike else parts
    heads, gates = torch.tensor(probe["heads"]), torch.tensor(probe["gates"])  # copies: what is built may be changed
    if probe.get("asked") == "afterwards":
        kept = subject.build(Build("torch.nn.Parameter", {"data": heads, "requires_grad": False}))
        subject.gate_heads(kept, gates)
        return {"heads": kept.get("data")}
    return {"gated": subject.gate_heads(heads, gates)}


def _lengths(got: Any) -> Any:
    """Whole numbers in a tuple or list as an array, for display; anything else as it is."""
    if not isinstance(got, tuple | list) or not all(isinstance(length, int | np.integer) for length in got):
        return got
    return np.array([int(length) for length in got])


def _shape(lengths: Sequence[int], *flags: bool) -> Probe:
    names = ("B", "L", "S", "num_heads", "add_bias_kv", "add_zero_attn", "average")
    return dict(zip(names, (*(int(length) for length in lengths), *flags), strict=True))


def _gated(rng: np.random.Generator, *size: int) -> Probe:
    """Heads of (B, h, L, d_v) = `size` and gates, one of them 0, none near 0 or 1, their sum near neither."""
    gates = rng.choice([-1.6, 0.4, 2.3, 3.1, 1.7], size[1], replace=False)
    gates[rng.integers(size[1])] = 0.0
    return {"heads": rng.standard_normal(size), "gates": gates}


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, for each of the three functions; some sizes are equal on purpose."""
    shapes = [
        *(_shape((4, 5, 7, 3), True, False, True), _shape((3, 2, 6, 5), True, True, False)),
        *(_shape((2, 6, 5, 3), False, True, False), _shape((5, 4, 3, 2), False, False, False)),
        _shape((2, 7, 4, 5), True, True, True),
    ]
    sizes = ((2, 3, 4, 5), (3, 3, 4, 2), (2, 3, 3, 4), (2, 4, 3, 4), (3, 3, 3, 3), (2, 2, 2, 2))
    gated = [_gated(np.random.default_rng(i), *size) for i, size in enumerate(sizes)]
    modules = [
        *((_module(12, 4, 0), [1, 3]), (_module(15, 3, 1), [0, 2]), (_module(10, 5, 2), [2])),
        *((_module(12, 3, 3), [0, 1, 2]), (_module(8, 4, 4, bias=False), [0, 1, 3]), (_module(15, 3, 5), [0, 1])),
    ]
    pruned = [{"mha": mha, "keep": keep} for mha, keep in modules]
    return [*shapes, *gated, gated[0] | {"asked": "afterwards"}, *pruned]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    kind = int(rng.integers(10))
    if kind < 3:
        return _shape(rng.permutation(np.arange(2, 8))[:4], *(bool(flag) for flag in rng.integers(2, size=3)))
    if kind < 6:
        B, h, L, d_v = (int(length) for length in rng.permutation(np.arange(2, 6))[:4])
        size = [(B, h, L, d_v), (h, h, L, d_v), (B, h, h, d_v), (B, h, L, h)][rng.integers(4)]
        probe = _gated(rng, *size)
        return probe | {"asked": "afterwards"} if kind == 3 else probe
    h, d_k = (int(length) for length in rng.permutation(np.arange(2, 6))[:2])
    keep = sorted(int(i) for i in rng.permutation(h)[: rng.integers(1, h + 1)])
    return {"mha": _module(h * d_k, h, int(rng.integers(1000)), bias=bool(rng.integers(4))), "keep": keep}


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large; the weights of a module count 1, 2, 3, …, its biases 10, 20, 30, …."""
    for flags in ((False, False), (True, False), (False, True), (True, True)):
        for average in (True, False):
            yield _shape((2, 3, 4, 2) if average else (4, 2, 5, 3), *flags, average)
    numbers = np.arange(1.0, 17)
    for size in ((1, 2, 1, 1), (1, 2, 1, 2), (1, 2, 2, 1), (2, 2, 1, 1)):
        probe = {"heads": numbers[: np.prod(size)].reshape(size), "gates": np.array([0.0, 0.5])}
        yield probe
        yield probe | {"asked": "afterwards"}
    for module, keep in (
        *((_module(2, 2), [1]), (_module(2, 2, bias=False), [1]), (_module(4, 2), [1]), (_module(4, 2), [0, 1])),
        *((_module(3, 3), [0, 2]), (_module(4, 4), [1, 3]), (_module(6, 3), [0, 2])),
    ):
        yield {"mha": module, "keep": keep}
