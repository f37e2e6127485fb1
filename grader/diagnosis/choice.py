"""The probes of an exercise that were chosen from many: which they are, and whether they still are what they were.

    probes()      --written-->  candidates  --grade audit --choose-->  probes.lock.json, most telling first
    fresh_probe() --drawn---->

A chosen probe is kept by the place where it comes from and a hash of what it holds. Where one is no longer what it was,
since the author has changed it or another numpy draws other numbers, the choice does not count: all of `probes()` are
used in its place, and `grade audit` says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from grader.comparison import as_array
from grader.errors import ContentError
from grader.sandbox.tensors import is_tensor
from grader.sandbox.wire import Build

NAME = "probes.lock.json"
FORMAT = 1
CANDIDATES = 120  # written by the author and drawn, together
DECIMALS = 9  # that count in the hash: the last bit of a random number may differ from machine to machine
_OF_DRAWS = 5  # sets the draws apart from the fresh probes of a diagnosis, which must be others

Origin = Literal["written", "drawn"]
Probe = Mapping[str, Any]  # see models.py, which is built on this module


class Candidate(NamedTuple):
    """One input that may be chosen: of `probes()` by index, or of `fresh_probe` by seed."""

    origin: Origin
    number: int
    probe: Probe


@dataclass(frozen=True)
class Pick:
    """One chosen probe."""

    origin: Origin
    number: int
    hash: str


def candidates(written: Sequence[Probe], fresh_probe: Callable[[np.random.Generator], Probe]) -> list[Candidate]:
    """Everything that is chosen from: what the author wrote, then draws of the first seeds."""
    draws = range(1, 1 + max(0, CANDIDATES - len(written)))  # numpy takes [n, 0] for n
    return [
        *(Candidate("written", index, probe) for index, probe in enumerate(written)),
        *(Candidate("drawn", seed, drawn(fresh_probe, seed)) for seed in draws),
    ]


def drawn(fresh_probe: Callable[[np.random.Generator], Probe], seed: int) -> Probe:
    """The candidate of this seed."""
    return fresh_probe(np.random.default_rng([_OF_DRAWS, seed]))


def read_choice(path: Path) -> tuple[Pick, ...]:
    """What was chosen, the most telling first; nothing where there is no such file.

    Raises:
        ContentError: the file was not written by `grade audit --choose`.
    """
    if not path.is_file():
        return ()
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        picks = tuple(_pick(each) for each in told["probes"])
        known = told["format"] == FORMAT and picks
    except (ValueError, TypeError, KeyError, RecursionError):
        known = False
    if not known:
        raise ContentError(f"{path}: found no choice of probes; run `grade audit --choose {path.parent.name}`.")
    return picks


def _pick(told: Mapping[str, Any]) -> Pick:
    origin: Origin = "written" if "written" in told else "drawn"
    return Pick(origin, int(told[origin]), str(told["hash"]))


def written_choice(chosen: Sequence[Candidate], shown: Sequence[str]) -> str:
    """The text of the file; `shown` says of each what it asks, for people."""
    probes = [
        {each.origin: each.number, "asks": asks, "hash": hash_of(each.probe)}
        for each, asks in zip(chosen, shown, strict=True)
    ]
    return json.dumps({"format": FORMAT, "probes": probes}, indent=1, ensure_ascii=False) + "\n"


def chosen_of(
    picks: Sequence[Pick], written: Sequence[Probe], fresh_probe: Callable[[np.random.Generator], Probe]
) -> tuple[Probe, ...]:
    """The chosen probes; none where any of them is no longer what it was."""
    found = []
    for pick in picks:
        if pick.origin == "drawn":
            probe = drawn(fresh_probe, pick.number)
        elif pick.number < len(written):
            probe = written[pick.number]
        else:
            return ()
        if hash_of(probe) != pick.hash:
            return ()
        found.append(probe)
    return tuple(found)


# --- hashes --------------------------------------------------------------------------------------------------------


def hash_of(probe: Probe) -> str:
    """A short hash of what a probe holds; of numbers the first decimals count."""
    found = hashlib.sha256()
    for piece in _pieces(probe):
        found.update(piece)
        found.update(b"\0")
    return found.hexdigest()[:16]


def _pieces(value: Any) -> Iterator[bytes]:
    yield type(value).__name__.encode()
    if isinstance(value, Build):
        yield from _pieces(value.fields)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield str(name).encode()
            yield from _pieces(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _pieces(item)
    elif is_tensor(type(value)):
        yield f"{value.dtype} {value.requires_grad} {value.is_contiguous()}".encode()
        yield from _pieces(as_array(value))
    elif isinstance(value, np.ndarray | np.generic | float | complex):
        array = np.asarray(value)
        yield f"{array.dtype.str} {array.shape}".encode()
        rounded = np.round(array, DECIMALS) + 0.0 if array.dtype.kind in "fc" else array  # no -0.0
        yield np.ascontiguousarray(rounded).tobytes()
    else:
        yield repr(value).encode()
