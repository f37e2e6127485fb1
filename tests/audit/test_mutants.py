"""Mutants: right code with one place changed, known by the statement before and after."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from grader.audit.mutants import given_functions, mutants_of
from grader.errors import ContentError

# right code -> some of the statements that must be put in its place
CHANGES = {
    "return x.sum(axis=-1, keepdims=True)": [
        *("x", "x.mean(axis=-1, keepdims=True)", "x.sum(keepdims=True)", "x.sum(axis=-1)"),
        *("x.sum(axis=1, keepdims=True)", "x.sum(axis=-2, keepdims=True)", "x.sum(axis=-1, keepdims=False)"),
    ],
    "return x @ y.T / 2.0": [
        "x @ y / 2.0",
        "y.T @ x / 2.0",
        "x @ y.T * 2.0",
        "x @ y.T",
        "x @ x.T / 2.0",
        "x * y.T / 2.0",
    ],
    "return x.transpose(1, 0, 2)": ["x.transpose(0, 1, 2)", "x.transpose(1, 2, 0)", "x"],
    "return x[:, 1:y]": ["x[:, :y]", "x[:, 1:]", "x[1:y, :]", "x[:, 0:y]"],
    "return np.where(x <= y, x, 0)": ["np.where(x < y, x, 0)", "np.where(x >= y, x, 0)", "np.where(x <= y, 0, x)"],
    "return np.einsum('hld,hsd->hls', x, y)": ["np.einsum('hld,hsd->hsl', x, y)", "np.einsum('hld,hsd->ls', x, y)"],
    "return np.zeros(3, dtype=float)": ["np.zeros(3)", "np.ones(3, dtype=float)"],
    "return [a for a in range(y)]": ["[a for a in range(0 + 1, y)]", "[a for a in range(0, y - 1)]"],
    "return x if not y else -x": ["x", "-x", "x if y else -x", "x if not y else x"],
    "return x.reshape(y, -1)": ["x.reshape(-1, y)", "x"],
}


def returned(source: str, tmp_path: Path) -> set[str]:
    """What the mutants of a function of x and y with this body return."""
    path = tmp_path / "right.py"
    path.write_text(f"import numpy as np\n\n\ndef f(x, y):\n    {source}\n", encoding="utf-8")
    return {mutant.name.partition(" → return ")[2] for mutant in mutants_of(path, "right.py")}


@pytest.mark.parametrize("source", CHANGES)
def test_changes_one_place(source: str, tmp_path: Path) -> None:
    """Axes, signs, operators, comparisons, arguments, keywords, bounds, relatives and letters change, one at a time."""
    assert set(CHANGES[source]) <= returned(source, tmp_path)


def test_returns_something_else(tmp_path: Path) -> None:
    """Situation C110: a function is also mutated to return nothing, a constant, each of its arguments, and zeros."""
    assert {"None", "0", "x", "x * 0", "y", "y * 0"} <= returned("return np.dot(x, y)", tmp_path)


def test_the_rest_of_a_reshape_is_no_number(tmp_path: Path) -> None:
    """The -1 of a reshape is a word for what is left, so that -2, which numpy takes for the same, is no mutant."""
    assert "x.reshape(y, -2)" not in returned("return x.reshape(y, -1)", tmp_path)


BODY = '''"""A right solution."""

import numpy as np


class Total:
    """Sums."""

    def add(self, x: int, times: int = 2) -> int:
        """Adds."""
        total = 0
        for row in x:
            total += row
        if times > 1:
            total *= times
        return total


def checked(x):
    if x < 1:
        raise ValueError(f"{x} is below {1}")
    return x
'''


@pytest.fixture
def mutants(tmp_path: Path) -> dict[str, str]:
    """Names of the mutants of BODY, without the file, and their sources."""
    path = tmp_path / "right.py"
    path.write_text(BODY, encoding="utf-8")
    return {mutant.name.removeprefix("right.py: "): mutant.source.decode() for mutant in mutants_of(path, "right.py")}


@pytest.mark.parametrize(
    "name",
    [
        "total = 0 → (left out)",
        "total += row → total = row",
        "total += row → total -= row",
        "for row in x: → for row in x[1:]:",
        "for row in x: → for row in x[:-1]:",
        "if times > 1: → if True:",
        "if times > 1: → (left out)",
        "return x → (left out)",
        "def add(self, x, times=2) → def add(self, x, times=3)",
        "raise ValueError(f'{x} is below {1}') → raise RuntimeError(f'{x} is below {1}')",
        "raise ValueError(f'{x} is below {1}') → raise ValueError(f' is below {1}')",
        "def add(self, x, times=2) → return x",
    ],
)
def test_changes_statements(mutants: dict[str, str], name: str) -> None:
    """Statements are left out, conditions fixed, rounds of a loop skipped, refusals raised as something else."""
    assert name in mutants


def test_leaves_words_alone(mutants: dict[str, str]) -> None:
    """Docstrings, annotations and imports are in every mutant as they are."""
    for source in mutants.values():
        assert '"""A right solution."""' in source
        assert "import numpy as np" in source
        assert "def add(self, x: int, times: int=" in source


def test_a_long_statement_is_named_by_what_changes(tmp_path: Path) -> None:
    """Of a statement that fills a screen, the name shows what is different and a little around it, and is unique."""
    path = tmp_path / "right.py"
    numbers = ", ".join(map(str, range(100, 160)))
    path.write_text(f"def f(x, y):\n    return g({numbers}, x)\n", encoding="utf-8")
    names = [mutant.name for mutant in mutants_of(path, "right.py")]
    assert "right.py: …" in names[-1]
    assert max(map(len, names)) < 300
    assert len(set(names)) == len(names)
    assert any(re.search(r"129, 130, 131, .* → .*129, 131, 131, ", name) for name in names)


def test_what_is_given_is_left_alone(tmp_path: Path) -> None:
    """A function that the starter has written already is not changed: no student writes it."""
    path, starter = tmp_path / "right.py", tmp_path / "starter.py"
    path.write_text(BODY, encoding="utf-8")
    starter.write_text(BODY.replace("    return x\n", "    raise NotImplementedError\n"), encoding="utf-8")
    given = given_functions(starter)
    assert given == {"Total.add"}
    names = [mutant.name for mutant in mutants_of(path, "right.py", given)]
    assert "right.py: def checked(x) → return 0" in names
    assert not any("add" in name or "total" in name for name in names)


def test_every_mutant_is_another_program(mutants: dict[str, str]) -> None:
    """No mutant has the source of another one or of the right code, and all of them can be parsed."""
    sources = {ast.unparse(ast.parse(source)) for source in mutants.values()}
    assert len(sources) == len(mutants)
    assert ast.unparse(ast.parse(BODY)) not in sources


def test_refuses_what_is_no_python(tmp_path: Path) -> None:
    """A solution that cannot be read or parsed is told with its path."""
    path = tmp_path / "right.py"
    path.write_text("def f(:\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"right\.py: found no Python that can be read"):
        mutants_of(path, "right.py")
