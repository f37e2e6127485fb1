"""What goes into the pipeline: the hand calculation “cat eats fish”, or a file of numbers that is read strictly.

    {"tokens": ["the", "cat"], "num_heads": 2, "causal": true,
     "x": [[...], [...]], "w_q": [[...], ...], "w_k": ..., "w_v": ..., "w_o": ...}

x has the shape (L, d_model), each matrix (d_model, d_model). Tokens, causal and w_o may be left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.errors import UsageError
from grader.model import Message, Text
from grader.pipeline.arithmetic import Array

MOST_TOKENS, MOST_WIDTH, MOST_HEADS = 8, 16, 6  # a page of these is read with the eyes
MOST_VALUE = 1000.0  # of a number, either way
MOST_LETTERS = 12  # of a token
MOST_BYTES = 2**16  # of a file
MATRICES = ("w_q", "w_k", "w_v", "w_o")
KEYS = ("x", *MATRICES, "num_heads", "causal", "tokens")


@dataclass(frozen=True, eq=False)
class Sentence:
    """Numbers for the positions of a sentence, and the matrices that they meet.

    Attributes:
        tokens: a name for each position.
        x: (L, d_model).
        matrices: "w_q", "w_k", "w_v" and "w_o", each (d_model, d_model).
        causal: whether a position may look only at itself and at what came before.
        by_hand: it is the example that the exercises calculate by hand.
    """

    tokens: tuple[Text, ...]
    x: Array
    matrices: Mapping[str, Array]
    num_heads: int
    causal: bool = True
    by_hand: bool = False

    @property
    def length(self) -> int:
        """L."""
        return len(self.tokens)

    @property
    def d_model(self) -> int:
        return int(self.x.shape[1])

    @property
    def d_k(self) -> int:
        return self.d_model // self.num_heads


def cat_eats_fish(*, causal: bool = True) -> Sentence:
    """The example of the tasks: row t of x picks row t of each matrix, so that queries, keys and values can be read."""
    tokens = (Text("cat", "猫"), Text("eats", "吃"), Text("fish", "鱼"))
    rows = {
        "w_q": [[1, 1, 0, 0], [0, 2, 0, 2], [0, 0, 1, 1]],
        "w_k": [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]],
        "w_v": [[1, 0, 1, 0], [0, 1, 0, 1], [2, 0, 0, 2]],
    }
    matrices = {name: np.array([*chosen, [0, 0, 0, 0]], dtype=float) for name, chosen in rows.items()}
    return Sentence(tokens, np.eye(3, 4), matrices | {"w_o": np.eye(4)}, num_heads=2, causal=causal, by_hand=True)


# --- a file ------------------------------------------------------------------------------------------------------


def read_input(path: Path) -> Sentence:
    """The sentence in a JSON file.

    Raises:
        UsageError: it cannot be read, a key is missing or unknown, or a value does not fit; names key, found and fix.
    """
    found = _json(path, _content(path))
    if not isinstance(found, dict):
        raise _error(path, "no_object", keys=", ".join(KEYS))
    unknown = [key for key in found if key not in KEYS]
    if unknown:
        raise _error(path, "unknown_key", key=unknown[0], keys=", ".join(KEYS))
    return _sentence(path, found)


def _content(path: Path) -> bytes:
    """What is in the file; a pipe that nobody writes to is empty, and never waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.set_blocking(descriptor, True)  # a pipe that somebody writes to is read to its end
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                content = file.read(MOST_BYTES + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _error(path, "unreadable", reason=error.strerror or str(error)) from error
    if len(content) > MOST_BYTES:
        raise _error(path, "too_large", most=MOST_BYTES // 1024)
    return content


def _json(path: Path, content: bytes) -> object:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found:
                raise _error(path, "key_twice", key=key)
            found[key] = value
        return found

    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=once)
    except UnicodeDecodeError as error:
        raise _error(path, "no_utf8") from error
    except json.JSONDecodeError as error:
        raise _error(path, "no_json", line=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets without end
        raise _error(path, "odd_json") from error


def _sentence(path: Path, found: Mapping[str, object]) -> Sentence:
    x = _matrix(path, found, "x")
    length, d_model = x.shape
    if length > MOST_TOKENS or d_model > MOST_WIDTH:
        raise _error(path, "too_many", got=f"({length}, {d_model})", most=f"({MOST_TOKENS}, {MOST_WIDTH})")
    matrices = {name: _matrix(path, found, name) for name in MATRICES if name != "w_o" or name in found}
    for name, matrix in matrices.items():
        if matrix.shape != (d_model, d_model):
            raise _error(path, "wrong_shape", key=name, got=str(matrix.shape), wanted=str((d_model, d_model)))
    matrices.setdefault("w_o", np.eye(d_model))
    heads = found.get("num_heads")
    if type(heads) is not int or not 1 <= heads <= MOST_HEADS or d_model % heads:
        raise _error(path, "wrong_heads", got=_short(heads), d_model=d_model, most=MOST_HEADS)
    causal = found.get("causal", True)
    if type(causal) is not bool:
        raise _error(path, "wrong_causal", got=_short(causal))
    return Sentence(_tokens(path, found, length), x, matrices, num_heads=heads, causal=causal)


def _tokens(path: Path, found: Mapping[str, object], length: int) -> tuple[Text, ...]:
    tokens = found.get("tokens", [str(place) for place in range(length)])
    whole = isinstance(tokens, list) and all(isinstance(each, str) and 0 < len(each) <= MOST_LETTERS for each in tokens)
    if not isinstance(tokens, list) or not whole or len(tokens) != length:
        raise _error(path, "wrong_tokens", length=length, most=MOST_LETTERS)
    return tuple(Text(each, each) for each in tokens)


def _matrix(path: Path, found: Mapping[str, object], key: str) -> Array:
    if key not in found:
        raise _error(path, "missing_key", key=key)
    rows = found[key]
    whole = isinstance(rows, list) and rows and all(isinstance(row, list) and row for row in rows)
    if not isinstance(rows, list) or not whole or len({len(row) for row in rows}) != 1:
        raise _error(path, "no_matrix", key=key)
    for place, row in enumerate(rows):
        for column, value in enumerate(row):
            if type(value) not in (int, float) or not -MOST_VALUE <= value <= MOST_VALUE:  # NaN is in no range
                raise _error(
                    path, "no_number", key=f"{key}[{place}][{column}]", got=_short(value), most=int(MOST_VALUE)
                )
    return np.array(rows, dtype=float)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _error(path: Path, sentence: str, /, **fields: str | float) -> UsageError:
    return UsageError(Message(f"show.input_{sentence}", {"path": str(path), **fields}))
