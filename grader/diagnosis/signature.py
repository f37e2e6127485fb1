"""What a submission did that no mistake explains, told without a word of its source and kept for authors.

    seen, right --Signature--> a line of JSON --append--> FILE          (read again by grader/audit/mining.py)

Of each probe it holds whether the answer was right; else the class of the exception, or form, shape and rounded numbers
of each part of the answer. Names and texts that a student can choose do not get in.
"""

from __future__ import annotations

import builtins
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from grader.diagnosis.leaves import Leaf, Place, Plain
from grader.diagnosis.observation import Observation, same
from grader.model import DiagnosisKind

SCHEMA = 1
DIGITS = 4  # to which numbers are rounded, counted from the first digit of the largest
MOST_VALUES = 8  # of an array; all of them count in the hash
MOST_PARTS = 16  # of an answer
_TOLD = frozenset(["sequence", "dict", "int", "bool", "NoneType", "refusal"])  # leaves whose key is no free text

Answer = dict[str, Any]  # plain JSON


@dataclass(frozen=True)
class Signature:
    """How one unexplained submission behaves.

    Attributes:
        probes: hash of what right code does with the probes; signatures of other probes cannot be compared.
        kind: what the diagnosis was, "located" or "unknown".
        located: key of the sentence that was said, "" where there was none.
        answers: one for each probe.
    """

    exercise: str
    probes: str
    kind: str
    located: str
    answers: tuple[Answer, ...]
    schema: int = SCHEMA

    @property
    def line(self) -> str:
        """As a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"


def signature_of(
    exercise: str, kind: DiagnosisKind, located: str, seen: Sequence[Observation], right: Sequence[Observation]
) -> Signature:
    """The signature of a submission, from what it and right code do with the probes."""
    answers = tuple(_answer(does, wanted) for does, wanted in zip(seen, right, strict=True))
    return Signature(exercise, probes_hash(right), kind.value, located, answers)


def probes_hash(right: Sequence[Observation]) -> str:
    """Hash of what right code does with the probes; see Signature."""
    return _hash(json.dumps([_wrong_answer(each, each) for each in right]).encode())


def _answer(seen: Observation, right: Observation) -> Answer:
    if not seen.asked:
        return {"is": "not asked"}
    return {"is": "right"} if same(seen, right) else _wrong_answer(seen, right)


def _wrong_answer(seen: Observation, right: Observation) -> Answer:
    told: Answer = {"changed": list(seen.changed)} if seen.changed else {}
    if seen.raised is not None:
        # of a class that the student wrote, the first of Python's own above it
        known = (name for name in seen.raised.types if isinstance(getattr(builtins, name, None), type))
        return {"is": "raises", "type": next(known, "Exception")} | told
    parts = [_part(place, leaf, right) for place, leaf in islice(seen.leaves.items(), MOST_PARTS)]
    return {"is": "answers", "parts": parts} | told


def _part(place: Place, leaf: Leaf, right: Observation) -> dict[str, Any]:
    names = {name for known in right.leaves for name in known}
    where = [step if isinstance(step, int) or step in names else "#" for step in place]
    if isinstance(leaf, Plain):
        return {"at": where, "form": leaf.kind, "value": leaf.key if leaf.kind in _TOLD else ""}
    told = _rounded(leaf.values)
    shown = [str(number) for number in told.ravel()[:MOST_VALUES].tolist()]
    return {
        "at": where,
        "form": leaf.form,
        "shape": list(leaf.values.shape),
        "dtype": leaf.values.dtype.kind,
        "values": shown,
        "hash": _hash(",".join(map(str, told.ravel().tolist())).encode()),
    }


def _rounded(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """To so many digits of the largest number; what rounds to nothing is 0, whatever its sign."""
    if values.dtype.kind not in "fc" or not values.size:
        return values
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max(initial=0.0))
    decimals = DIGITS - 1 - int(np.floor(np.log10(largest))) if largest else 0
    with np.errstate(all="ignore"):
        return np.asarray(np.round(values.astype(complex if values.dtype.kind == "c" else float), decimals) + 0.0)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
