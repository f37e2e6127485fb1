"""Mistake models of 14_from_scratch: the reference with named switches, what it is asked, and how to show it.

    build(copy="parameters-shared-with-the-module").MultiHeadAttention.from_torch(mha)

What each switch does stands in stages.py, beside this file. Where a mistake leaves parameters as they were drawn,
`observe` makes torch draw the same ones each time.
"""

import math
import runpy
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from grader.checks import Refusal, is_deliberate, refusal
from grader.sandbox.client import Raised
from grader.sandbox.wire import Build

Probe = dict[str, Any]

CLASS = "MultiHeadAttention"
CALLS = {
    "forward": "MultiHeadAttention.from_torch(mha)(query, key, value, allowed)",
    "self": "MultiHeadAttention.from_torch(mha)(x, x, x)",
    "gradients": "out, _ = MultiHeadAttention.from_torch(mha)(query, key, value); (out * cotangent).sum().backward()",
    "copied": "layer = MultiHeadAttention.from_torch(mha); mha.load_state_dict(other); layer(query, key, value)",
    "saved": "new.double().load_state_dict(MultiHeadAttention.from_torch(mha).state_dict()); new(query, key, value)",
    "double": "MultiHeadAttention.from_torch(mha).double()(query, key, value)",
    "own": "MultiHeadAttention.from_torch(mha).train()(query, key, value)",
    "refused": "MultiHeadAttention(embed_dim, num_heads)",
}
AXES = {
    **dict.fromkeys(("query", "x", "out", "gradient of query", "cotangent"), "B L E"),
    **dict.fromkeys(("key", "value", "gradient of key", "gradient of value"), "B S E"),
    **dict.fromkeys(("allowed", "weights"), "B h L S"),  # a mask with fewer axes has the last of them
}

OPTIONS: dict[str, dict[str, Any]] = runpy.run_path(str(Path(__file__).with_name("stages.py")))["OPTIONS"]
STAGES = {stage: tuple(options) for stage, options in OPTIONS.items()}

# Stages whose every option is right, and which change how a mistake elsewhere looks: which numbers are drawn for what
# is not copied, what Python says where a bias is None, and what blocked scores are filled with.
STYLES = ("stored",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}

# --- the layer ---------------------------------------------------------------------------------------------------


class _Layer(nn.Module):
    """The reference, with the options that were chosen: their names, and what each stage does."""

    chosen: dict[str, str]
    do: dict[str, Any]

    def __init__(self, embed_dim: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if self.do["refused"](embed_dim, num_heads):
            raise ValueError(f"embed_dim = {embed_dim} cannot be cut into num_heads = {num_heads} equal parts")
        self.embed_dim, self.num_heads, self.d_k = embed_dim, num_heads, embed_dim // num_heads
        self.layers = self.do["registered"](self.do["stored"](embed_dim, *self.do["biased"](bias)))

    def _inner(self) -> list[tuple[Any, Any]]:
        """Weight and bias of W_Q, W_K and W_V."""
        if len(self.layers) == 4:
            return [(layer.weight, layer.bias) for layer in self.layers[:3]]
        fused = self.layers[0]
        biases = (None, None, None) if fused.bias is None else fused.bias.chunk(3)
        return list(zip(fused.weight.chunk(3), biases, strict=True))

    def _filled(self, scores: Tensor, allowed: Tensor) -> Tensor:
        return scores.masked_fill(~allowed, -1e9 if len(self.layers) == 2 else -math.inf)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> Any:
        self.do["whose"](self.embed_dim, query.shape[-1])
        with torch.set_grad_enabled(self.do["graph"]()):
            return self._attended((query, key, value), self.do["none"](allowed))

    def _attended(self, inputs: tuple[Tensor, Tensor, Tensor], allowed: Tensor | None) -> Any:
        do, inner, query = self.do, self._inner(), inputs[0]
        q, k, v = (
            do["split"](do["project"](inputs[i], *inner[part]), self.num_heads, self.d_k, query.shape[1])
            for i, part in do["source"]
        )
        scores = do["scale"](do["compare"](q, k), self.embed_dim, self.d_k)
        if allowed is None:
            weights = do["softmax"](scores)
        else:
            scores, weights = do["mask"](scores, allowed, self._filled, do["softmax"])
        if self.chosen["scale"] == "scaled-after-the-softmax":
            weights = weights / math.sqrt(self.d_k)
        heads = do["combine"](weights, k, v)
        behind = self.chosen["split"] == "heads-left-behind-the-positions"
        joined = heads.flatten(2) if behind else do["merge"](heads, query)
        turned = self.chosen["project"] == "weight-not-turned-for-the-product"
        project = do["project"] if turned else OPTIONS["project"]["linear-map"]
        return do["result"](do["output"](project, joined, self.layers[-1], query), weights, scores)


def _thirds(layer: _Layer, packed: Any) -> Sequence[Any]:
    """W_Q, W_K and W_V, or their biases, cut as the style wants it; an error of Python for None."""
    if layer.chosen["stored"] == "zero-biases":
        thirds: Sequence[Any] = packed.chunk(3)
        return thirds
    E = layer.embed_dim
    return [packed[i * E : (i + 1) * E] for i in range(3)]


def _give(layer: _Layer, mha: nn.MultiheadAttention) -> None:
    """Give the layer the parameters of the module, as the options say."""
    copy, read = layer.chosen["copy"], layer.do["thirds"]
    share, granted = copy == "parameters-shared-with-the-module", copy == "bias-taken-for-granted"
    if copy == "nothing-copied":
        return
    if granted and len(layer.layers) == 2:
        layer.layers[0].bias.copy_(mha.in_proj_bias)  # TypeError for None
    weights = read(mha, _thirds(layer, mha.in_proj_weight), mha.in_proj_weight)
    biased = granted or (mha.in_proj_bias is not None and copy != "biases-not-copied")
    biases = read(mha, _thirds(layer, mha.in_proj_bias), mha.in_proj_bias) if biased else [None] * 3
    if len(layer.layers) == 2:  # one layer for all three
        weights = [mha.in_proj_weight if share else torch.cat(list(weights))]
        biases = [(mha.in_proj_bias if share else torch.cat(list(biases))) if biased else None]
    _put(layer.layers[:-1], weights, biases, share=share)
    if copy != "output-projection-not-copied":
        w_o = mha.out_proj.weight.T if copy == "output-projection-copied-turned" else mha.out_proj.weight
        b_o = mha.out_proj.bias if biased and copy != "output-bias-not-copied" else None
        _put(layer.layers[-1:], [w_o], [b_o], share=share)


def _put(layers: Sequence[Any], weights: Sequence[Tensor], biases: Sequence[Any], *, share: bool) -> None:
    for layer, weight, bias in zip(layers, weights, biases, strict=True):
        for name, given in (("weight", weight), ("bias", bias)):
            if given is None:
                continue
            if share:
                setattr(layer, name, nn.Parameter(given))
            else:
                getattr(layer, name).copy_(given)


def _from_torch(cls: type[_Layer], mha: nn.MultiheadAttention) -> Any:
    copy = cls.chosen["copy"]
    cls.do["given"](mha)
    layer = cls(mha.embed_dim, mha.num_heads, bias=copy == "bias-taken-for-granted" or mha.in_proj_bias is not None)
    for part in layer.layers:
        part.to(torch.get_default_dtype() if copy == "dtype-of-the-module-ignored" else mha.out_proj.weight.dtype)
    with torch.no_grad():
        _give(layer, mha)
    return None if cls.chosen["made"] == "from-torch-returns-nothing" else layer


_from_torch.__qualname__ = f"{CLASS}.from_torch"  # as an exception tells it


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    do = {stage: OPTIONS[stage][option] for stage, option in chosen.items()}
    body = {"chosen": chosen, "do": do, "from_torch": do["made"](_from_torch)}
    return SimpleNamespace(**{CLASS: type(CLASS, (_Layer,), body)})


# --- what is asked -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _module(
    embed_dim: int, num_heads: int, seed: int | None = None, *, bias: bool = True, digits: int = 64, mode: str = "eval"
) -> Build:
    """A module in float64 or float32; without a seed its parameters are small whole numbers."""
    arguments = {"embed_dim": embed_dim, "num_heads": num_heads, "bias": bias, "batch_first": True}
    rng, state = np.random.default_rng(seed), {}
    for name, empty in nn.MultiheadAttention(**arguments).state_dict().items():
        if seed is None:
            numbers = np.resize([1.0, 0, -1, 2, 1, 0, 1], empty.numel()).reshape(empty.shape)
        else:
            numbers = rng.standard_normal(empty.shape) * 1.4 / embed_dim**0.5
        state[name] = torch.from_numpy(numbers).to(torch.float64 if digits == 64 else torch.float32)
    return Build("torch.nn.MultiheadAttention", arguments, state, training=mode == "train")


def _named(answer: Any) -> Any:
    """Output and weights by name, where two things came back; anything else as it is."""
    two = isinstance(answer, tuple | list) and len(answer) == 2
    return dict(zip(("out", "weights"), answer, strict=True)) if two else answer


@lru_cache
def _seeding() -> Build:
    """As torch.manual_seed(0), without the walk through the stack by which that notes a seed for each GPU."""
    return Build("torch.set_rng_state", {"new_state": torch.Generator().manual_seed(0).get_state()})


def _copied(subject: Any, mha: Any) -> Any:
    """What from_torch makes."""
    subject.build(_seeding())  # what is not copied is drawn, and the same each time
    return subject.make(f"{CLASS}.from_torch", mha)


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to what the probe asks for, its parts by name."""
    do, mha = probe["do"], probe.get("mha")
    if do == "refused":
        kinds = ("ValueError", "AssertionError")
        told = refusal(lambda: subject.make(CLASS, probe["embed_dim"], probe["num_heads"]), types=kinds, any_value=True)
        accident = told.text.startswith("ZeroDivisionError")  # in an assert, or behind it
        return Refusal("none", told.text) if accident else told
    inputs = [torch.tensor(probe["x" if do == "self" else name]) for name in ("query", "key", "value")]
    if do == "gradients":
        return _gradients(_copied(subject, mha), inputs, torch.tensor(probe["cotangent"]))
    if do == "copied":
        module = subject.build(mha)
        layer = _copied(subject, module)
        module.call("load_state_dict", {name: 1 - held for name, held in mha.state.items()})
        return _named(layer.call("forward", *inputs))
    layer = _copied(subject, mha)
    if do == "saved":
        arguments, state = mha.arguments, layer.call("state_dict")
        layer = subject.make(CLASS, arguments["embed_dim"], arguments["num_heads"], bias=arguments["bias"])
        layer.call("double")
        layer.call("load_state_dict", state)
    if do == "double":
        layer.call("double")
    if do == "own":
        return _who_refuses(layer, inputs)
    allowed = probe.get("allowed")
    return _named(layer.call("forward", *inputs, *([] if allowed is None else [torch.tensor(allowed)])))


def _who_refuses(layer: Any, inputs: Sequence[Tensor]) -> str:
    """The name of the class that refuses inputs of a wrong width, in words of torch that no line of the code says."""
    layer.call("train")  # in evaluation mode torch has others
    try:
        layer.call("forward", *inputs)
    except Raised as raised:
        if "was expecting embedding dimension of" in raised.report.text and not is_deliberate(raised.report):
            return "nn.MultiheadAttention"
    return CLASS


def _gradients(layer: Any, inputs: Sequence[Tensor], cotangent: Tensor) -> Any:
    told = layer.gradients("forward", *(x.requires_grad_() for x in inputs), cotangent=cotangent)
    found = dict(zip(("query", "key", "value"), told["inputs"], strict=True))
    squares = told["parameters"]
    of_inputs = {f"gradient of {name}": gradient for name, gradient in found.items()}
    return of_inputs | {"sum of squares of the gradients of all parameters": squares}


def _mask(rng: np.random.Generator, *size: int) -> np.ndarray:
    """Permissions in which every query has keys of both kinds."""
    allowed = rng.random(size) < 0.6
    allowed[..., 0] |= ~allowed.any(axis=-1)
    allowed[..., -1] &= ~allowed.all(axis=-1)
    return allowed


def _asked(rng: np.random.Generator, do: str, mha: Build, B: int, L: int, S: int, mask: str = "") -> Probe:
    """Random inputs; the mask is "shared" by all, one "for each sentence" or one "for each head"."""
    E, h = int(mha.arguments["embed_dim"]), int(mha.arguments["num_heads"])
    probe: Probe = {"do": do, "mha": mha}
    E += do == "own"  # which does not fit
    probe |= {name: rng.standard_normal((B, n, E)) for name, n in (("query", L), ("key", S), ("value", S))}
    if do == "gradients":
        probe["cotangent"] = rng.standard_normal((B, L, E))
    if mask:
        size = {"shared": (L, S), "for each sentence": (B, 1, L, S), "for each head": (B, h, L, S)}[mask]
        probe["allowed"] = _mask(rng, *size)
    return probe


_FIXED: tuple[tuple[str, tuple[int, int, int, int, int], str, dict[str, Any]], ...] = (  # B, L, S, h, d_k
    ("forward", (4, 5, 7, 3, 2), "", {}),
    ("forward", (2, 4, 3, 2, 5), "shared", {}),
    ("forward", (3, 2, 5, 4, 3), "for each sentence", {}),
    ("forward", (2, 3, 4, 3, 2), "for each head", {}),
    ("forward", (2, 4, 4, 3, 4), "", {}),  # L = S = d_k: here wrong axes raise nothing
    ("forward", (3, 3, 3, 2, 3), "shared", {"bias": False}),
    ("forward", (2, 5, 5, 5, 2), "for each head", {}),
    ("gradients", (2, 3, 4, 3, 2), "", {}),
    ("gradients", (3, 2, 2, 2, 2), "", {"bias": False}),
    ("copied", (2, 3, 3, 2, 3), "", {"mode": "train"}),  # L = S = d_k
    ("saved", (2, 4, 3, 2, 3), "", {"digits": 32}),
    ("double", (3, 2, 4, 2, 3), "", {"digits": 32, "bias": False}),
    ("own", (2, 3, 4, 3, 2), "", {}),
)
_REFUSALS = ((10, 4), (9, 2), (6, 0), (6, -2))


def _refusal(embed_dim: int, num_heads: int) -> Probe:
    return {"do": "refused", "embed_dim": embed_dim, "num_heads": num_heads}


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, in every style."""
    made = []
    for i, (do, (B, L, S, h, d_k), mask, options) in enumerate(_FIXED):
        made.append(_asked(np.random.default_rng(i), do, _module(h * d_k, h, i, **options), B, L, S, mask))
    return [*made, *(_refusal(*sizes) for sizes in _REFUSALS)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of these kinds."""
    kind = int(rng.integers(15))
    B, L, S, h = (int(length) for length in rng.permutation(np.arange(2, 6))[:4])
    if kind in (11, 12):
        return _refusal(*[(h * 3 + 1, h), (h * 3 + 1, h), (h * 2, -h), (h * 2, -h), (h * 2, 0)][rng.integers(5)])
    dos = {1: "gradients", 2: "gradients", 3: "copied", 4: "saved", 5: "double", 13: "own", 14: "copied"}
    do = dos.get(kind, "forward")
    d_k = int(rng.integers(2, 5))
    seed, mode = int(rng.integers(10**6)), "train" if kind in (3, 6, 14) else "eval"
    mha = _module(h * d_k, h, seed, bias=kind % 2 == 0, digits=32 if kind in (4, 5) else 64, mode=mode)
    mask = ["", "shared", "for each sentence", "for each head"][rng.integers(4)] if do == "forward" else ""
    return _asked(rng, do, mha, B, L, L if kind > 8 or do == "copied" else S, mask)


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large, in small whole numbers."""
    yield from (_refusal(*sizes) for sizes in ((3, 2), (2, 0), (2, -1)))
    yield {"do": "own", "mha": _module(1, 1), **dict.fromkeys(("query", "key", "value"), np.ones((1, 1, 2)))}
    for E, h, L in ((2, 1, 2), (2, 2, 2), (4, 2, 1), (4, 2, 2)):
        x = _whole(L, E, 0)
        yield from ({"do": "self", "mha": _module(E, h, bias=bias), "x": x} for bias in (True, False))
    for E, h in ((1, 1), (2, 1), (2, 2)):
        query, key, value = _whole(1, E, 0), _whole(2, E, 2), _whole(2, E, 5)
        given = {"query": query, "key": key, "value": value}
        yield {"do": "forward", "mha": _module(E, h), **given}
        if E == 1:
            masks = np.array([[True, False]]), np.array([[[[True, False]]]])
            yield from ({"do": "forward", "mha": _module(E, h), **given, "allowed": allowed} for allowed in masks)
        for bias in (True, False):
            yield {"do": "gradients", "mha": _module(E, h, bias=bias), **given, "cotangent": query + 1}
        yield {"do": "copied", "mha": _module(E, h, mode="train"), **given}
        yield from ({"do": do, "mha": _module(E, h, digits=32), **given} for do in ("saved", "double"))


def _whole(length: int, width: int, start: int) -> np.ndarray:
    """Small whole numbers, (1, length, width)."""
    return np.resize(np.roll([1.0, 0, 2, -1, 1, 1, 0, 2, -1, 1, 3, 0], -start), (1, length, width))
