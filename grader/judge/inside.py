"""Runs sample checks next to a submission, inside of the worker that holds it: as much of pytest as they use.

Never imported here: its text, with a call of `prepare` below it, is what the worker loads.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_CASES: list[tuple[str, Callable[..., object], dict[str, object]]] = []
_CHECKS: list[str] = []  # their text


@contextmanager
def raises(kind: type[BaseException], match: str | None = None) -> Iterator[types.SimpleNamespace]:
    """As pytest.raises: the block has to raise this, with a text that fits."""
    caught = types.SimpleNamespace(value=None, type=kind)
    try:
        yield caught
    except kind as error:
        caught.value = error
        if match is not None and re.search(match, str(error)) is None:
            raise AssertionError(f"expected a {kind.__name__} that says {match!r}, found {str(error)!r}") from None
    else:
        raise AssertionError(f"expected a {kind.__name__}, found none")


class _Approx:
    """As pytest.approx, for single numbers."""

    def __init__(self, expected: float, rel: float = 1e-6, abs: float = 1e-12) -> None:  # noqa: A002 - pytest's name
        self._expected, self._rel, self._abs = expected, rel, abs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float) and math.isclose(
            other, self._expected, rel_tol=self._rel, abs_tol=self._abs
        )

    def __hash__(self) -> int:
        return hash(self._expected)

    def __repr__(self) -> str:
        return f"about {self._expected!r}"


def parametrize(names: str | tuple[str, ...], values: Any) -> Callable[[Any], Any]:
    """As pytest.mark.parametrize, of names and plain values."""
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def marked(test: Any) -> Any:
        cases = [dict(zip(split, value if len(split) > 1 else (value,), strict=True)) for value in values]
        before = getattr(test, "sample_cases", [{}])
        test.sample_cases = [{**one, **other} for one, other in itertools.product(before, cases)]
        return test

    return marked


def _module(name: str, source: str, filename: str) -> types.ModuleType:
    made = types.ModuleType(name)
    made.__file__ = filename
    sys.modules[name] = made
    exec(compile(source, filename, "exec", dont_inherit=True), made.__dict__)  # noqa: S102 - we are in the worker
    return made


def prepare(module: str, answer: str, checks: str) -> None:
    """Load the answer as the module that the sample checks import, and then those."""
    stand_in = types.ModuleType("pytest")
    parts = {"raises": raises, "approx": _Approx, "mark": types.SimpleNamespace(parametrize=parametrize)}
    stand_in.__dict__.update(parts)
    sys.modules["pytest"] = stand_in
    _CHECKS.append(checks)
    _module(module, answer, f"{module}.py")
    for name, test in vars(_module("samples", checks, f"test_{module}.py")).items():
        if name.startswith("test") and callable(test):
            for given in getattr(test, "sample_cases", [{}]):
                case = ", ".join(f"{key}={value!r}" for key, value in given.items())
                _CASES.append((f"{name}({case})" if case else name, test, given))


def sample_names() -> list[tuple[str, str]]:
    """What there is to run, in order: its name, and the first line of what it says about itself."""
    return [(name, (test.__doc__ or "").strip().partition("\n")[0]) for name, test, _ in _CASES]


def run_sample(place: int) -> None:
    """Run one; what it raises is its failure."""
    _, test, given = _CASES[place]
    try:
        test(**given)
    except AssertionError as error:
        last = _last_frame(error)
        if error.args or last is None or last.tb_frame.f_code.co_filename != test.__code__.co_filename:
            raise  # it says what is wrong, or the answer itself asserts something
        raise AssertionError(_bare(last)) from None


def _last_frame(error: BaseException) -> types.TracebackType | None:
    """Where it was raised."""
    found = error.__traceback__
    while found is not None and found.tb_next is not None:
        found = found.tb_next
    return found


def _bare(last: types.TracebackType) -> str:
    """An assertion without a text as it is written, and what its left side is where it compares."""
    for node in ast.walk(ast.parse(_CHECKS[0])):
        if isinstance(node, ast.Assert) and node.lineno <= last.tb_lineno <= (node.end_lineno or 0):
            told = f"assert {ast.unparse(node.test)}"
            if isinstance(node.test, ast.Compare):
                told += f"\n{_value(node.test.left, last.tb_frame)}"
            return told
    return ""


def _value(node: ast.expr, frame: types.FrameType) -> str:
    """An expression and its value, worked out once more; "" where that does not go."""
    text = ast.unparse(node)
    try:
        return f"{text} = {eval(text, frame.f_globals, frame.f_locals)!r}"  # noqa: S307 - we are in the worker
    except Exception:  # noqa: BLE001 - then the assertion alone has to do
        return ""
