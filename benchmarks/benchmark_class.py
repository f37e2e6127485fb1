"""A made class, half of it right and half wrong, every file with other bytes; and `grade batch` over it.

Right and wrong are each written in several ways, as in a class: not everybody computes the same bits.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class MadeClass:
    """What is handed in for one exercise.

    Attributes:
        right: sources with all points, in several ways.
        wrong: as many sources, each with one known mistake.
        plain: what a plain pytest suite has for imports and for the body of one case, with as many cases as the hidden
            suite; the student's file and the reference are modules beside it.
    """

    exercise: str
    filename: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    cases: int
    plain: str

    @property
    def reference(self) -> Path:
        return ROOT / "solutions" / self.exercise / self.filename

    @property
    def kinds(self) -> tuple[str, ...]:
        """All sources, right and wrong in turn."""
        return tuple(source for pair in zip(self.right, self.wrong, strict=True) for source in pair)

    def write(self, folder: Path, count: int) -> list[Path]:
        """Hand in `count` files, a folder for each student, right and wrong in turn."""
        paths = []
        for i in range(count):
            path = folder / f"s{i:05}" / self.filename
            path.parent.mkdir(parents=True)
            path.write_text(f"{self.kinds[i % len(self.kinds)]}# {i}\n")
            paths.append(path)
        return paths

    def batch(self, submissions: Path, out: Path) -> list[str]:
        """The command that an instructor types."""
        command = [sys.executable, "-m", "grader.cli", "batch", str(submissions)]
        return [*command, "--exercise", self.exercise, "--out", str(out)]


def environment(*import_path: Path) -> dict[str, str]:
    """No side is kept from its compiled modules, or slowed by threads or by plugins that happen to be installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    path = os.pathsep.join(map(str, import_path or (ROOT,)))
    return {**kept, **one, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def graded(out: Path) -> int:
    """How many results a batch has kept by now."""
    try:
        with sqlite3.connect(f"file:{out / 'gradebook.db'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


_CONCAT = "import numpy as np\n\n\ndef concat_heads(heads):\n    {body}\n"

NUMPY = MadeClass(
    exercise="04_concat",
    filename="concat.py",
    right=(
        _CONCAT.format(body="return np.concatenate(list(heads), axis=-1)"),
        _CONCAT.format(body="return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)"),
        """import numpy as np


def concat_heads(heads):
    h, L, d_v = heads.shape
    out = np.zeros((L, h * d_v))
    for i in range(h):
        out[:, i * d_v : (i + 1) * d_v] = heads[i]
    return out
""",
    ),
    wrong=(
        _CONCAT.format(body="return heads.reshape(heads.shape[1], -1)"),
        _CONCAT.format(body="return heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)"),
        _CONCAT.format(body="return np.concatenate(list(heads[::-1]), axis=-1)"),
    ),
    cases=17,
    plain='''"""A plain pytest suite."""

import concat
import numpy as np
import pytest
import reference


@pytest.mark.parametrize("case", range({cases}))
def test_the_same_as_the_reference(case):
    """The submission returns what the reference returns."""
    heads = np.random.default_rng(case).standard_normal((3, 5 + case, 6))
    assert np.allclose(concat.concat_heads(heads), reference.concat_heads(heads))
''',
)

ATTENTION = '''"""Attention for a batch of heads."""

import math

import torch
import torch.nn.functional as F


def attention(q, k, v, allowed=None):
    scores = {scores}
    if allowed is not None:
        scores = scores.masked_fill({blocked}, float("-inf"))
    weights = F.softmax(scores, dim={axis})
    return {out}, weights


def attention_sdpa(q, k, v, allowed=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
'''


def attention(
    scores: str = "torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))",
    blocked: str = "allowed == 0",
    axis: int = -1,
    out: str = "torch.matmul(weights, v)",
) -> str:
    """A source for 09_scaled_dot_product with these expressions."""
    return ATTENTION.format(scores=scores, blocked=blocked, axis=axis, out=out)


TORCH = MadeClass(
    exercise="09_scaled_dot_product",
    filename="scaled_dot_product.py",
    right=(
        attention(),
        attention(scores="(q / q.shape[-1] ** 0.5) @ k.mT", blocked="~allowed", out="weights @ v"),
        attention(scores='torch.einsum("bhld,bhsd->bhls", q, k) * q.shape[-1] ** -0.5'),
    ),
    wrong=(attention(axis=-2), attention(scores="torch.matmul(q, k.transpose(-2, -1))"), attention(blocked="allowed")),
    cases=35,
    plain='''"""A plain pytest suite."""

import pytest
import reference
import scaled_dot_product
import torch


@pytest.mark.parametrize("case", range({cases}))
def test_the_same_as_the_reference(case):
    """The submission returns what the reference returns."""
    torch.manual_seed(case)
    q, k, v = (torch.randn(2, 3, length, 6) for length in (5, 4 + case % 5, 4 + case % 5))
    allowed = torch.rand(q.shape[-2], k.shape[-2]) > 0.5 if case % 2 else None
    if allowed is not None:
        allowed[:, 0] = True
    out, weights = scaled_dot_product.attention(q, k, v, allowed)
    wanted_out, wanted_weights = reference.attention(q, k, v, allowed)
    assert torch.allclose(out, wanted_out, atol=1e-6)
    assert torch.allclose(weights, wanted_weights, atol=1e-6)
    assert torch.allclose(scaled_dot_product.attention_sdpa(q, k, v, allowed), wanted_out, atol=1e-6)
''',
)


MADE = {made.exercise: made for made in (NUMPY, TORCH)}
