"""Makes generic mutants of a right solution: its source with one place changed, each of them another source.

    solution --ast--> a statement, an expression in it --operators--> the same program but for that place

A mutant is known by its file and by the statement before and after the change, so that a reviewed list of harmless ones
survives whatever else is done to the file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.audit.operators import OPERATORS, fewer_rounds, words
from grader.errors import ContentError

_MOST_SHOWN = 160  # characters of a statement in the name of a mutant; of a longer one only what changes is shown
_AROUND = 50  # and this much before and behind it
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SKIPPED = {"annotation", "returns", "decorator_list", "type_params"}  # change nothing that a suite could see


@dataclass(frozen=True)
class Mutant:
    """A right solution with one place changed.

    Attributes:
        name: file, statement as it was, statement as it is now.
        line: of that statement, in the file that was changed.
    """

    name: str
    line: int
    source: bytes


def mutants_of(path: Path, shown: str, given: Collection[str] = ()) -> tuple[Mutant, ...]:
    """Every mutant of a solution, in the order of the file; no two have the same source.

    Args:
        shown: what stands for the file in their names, "concat.py" or "accepted/hstack.py".
        given: functions that are left as they are, see `given_functions`.

    Raises:
        ContentError: the file is missing or no Python.
    """
    tree = _parsed(path)
    found: dict[str, Mutant] = {}
    names: dict[str, int] = {}
    unchanged = ast.unparse(tree)
    for change in _Changes(tree, given).all():
        source = change.source
        if source == unchanged or source in found:
            continue
        name = f"{shown}: {change.shown}"
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:  # the same statement stands at several places
            name = f"{name} #{names[name]}"
        found[source] = Mutant(name, change.line, f"{source}\n".encode())
    return tuple(found.values())


def given_functions(starter: Path) -> frozenset[str]:
    """Functions that a starter has written already, "f" or "Class.f": nobody has to write them, or can get them wrong.

    Raises:
        ContentError: the file is missing or no Python.
    """
    found = set()
    for owner, function in _functions(_parsed(starter)):
        if "NotImplementedError" not in ast.unparse(function):
            found.add(f"{owner}{function.name}")
    return frozenset(found)


def _functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for node in tree.body:
        if isinstance(node, _Function):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.", each) for each in node.body if isinstance(each, _Function))


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError) as error:
        raise ContentError(f"{path}: found no Python that can be read: {error}; mend it.") from error


@dataclass(frozen=True)
class _Change:
    was: str
    now: str
    line: int
    source: str

    @property
    def shown(self) -> str:
        """Both statements, or what is different in them where they are long."""
        if max(len(self.was), len(self.now)) <= _MOST_SHOWN:
            return f"{self.was} → {self.now}"
        start = _in_common(self.was, self.now)
        end = _in_common(self.was[:start:-1], self.now[:start:-1])
        return " → ".join(_around(text, start, len(text) - end) for text in (self.was, self.now))


class _Changes:
    """Walks one syntax tree and changes it, one place at a time; it is as before after each of them."""

    def __init__(self, tree: ast.Module, given: Collection[str]) -> None:
        self._tree = tree
        self._left_alone = {id(node) for node in words(tree)}
        self._left_alone |= {id(function) for owner, function in _functions(tree) if f"{owner}{function.name}" in given}

    def all(self) -> Iterator[_Change]:
        yield from self._block(self._tree, "body", ())

    # --- statements --------------------------------------------------------------------------------------------

    def _block(self, owner: ast.AST, field: str, params: tuple[str, ...]) -> Iterator[_Change]:
        body: list[ast.stmt] = getattr(owner, field)
        for index, statement in enumerate(list(body)):
            if isinstance(statement, ast.Import | ast.ImportFrom) or _is_docstring(statement):
                continue
            if id(statement) in self._left_alone:
                continue
            if isinstance(statement, _Function):
                yield from self._function(statement)
                continue
            if isinstance(statement, ast.ClassDef):
                yield from self._block(statement, "body", ())
                continue
            yield from self._around(owner, field, index)
            yield from self._whole(statement)
            yield from self._expressions(statement, statement, params)
            for inner in ("body", "orelse", "finalbody"):
                if getattr(statement, inner, None):
                    yield from self._block(statement, inner, params)
            for handler in getattr(statement, "handlers", ()):
                yield from self._block(handler, "body", params)

    def _function(self, function: _Function) -> Iterator[_Change]:
        """Another thing returned at once, then every place inside."""
        arguments = function.args
        everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        params = tuple(argument.arg for argument in everything if argument.arg not in ("self", "cls"))
        if not function.name.startswith("__"):
            for value in _instead(params):
                body: list[ast.stmt] = [ast.Return(value)]
                yield from self._set(function, "body", body, function, f"return {ast.unparse(value)}")
        yield from self._expressions(function.args, function, ())
        yield from self._block(function, "body", params)

    def _around(self, owner: ast.AST, field: str, index: int) -> Iterator[_Change]:
        """The statement left out; a `return` moved into the loop before it."""
        body: list[ast.stmt] = getattr(owner, field)
        statement, rest = body[index], [*body[:index], *body[index + 1 :]]
        yield from self._set(owner, field, rest or [ast.Pass()], statement, "(left out)")
        loop = body[index - 1] if index else None
        if isinstance(statement, ast.Return) and isinstance(loop, ast.For | ast.While):
            yield from self._set(loop, "body", [*loop.body, statement], statement, "(inside the loop before it)")

    def _whole(self, statement: ast.stmt) -> Iterator[_Change]:
        """What only a statement can have: a condition, a loop, an operator with `=`, an exception."""
        if isinstance(statement, ast.If | ast.While):
            for truth in (True, False)[isinstance(statement, ast.While) :]:
                yield from self._set(statement, "test", ast.Constant(truth), statement)
        elif isinstance(statement, ast.For):
            for fewer in fewer_rounds(statement.iter):
                yield from self._set(statement, "iter", fewer, statement)
        elif isinstance(statement, ast.AugAssign):
            for other in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()):
                yield from self._set(statement, "op", other, statement)
            plain = ast.Assign([statement.target], statement.value, lineno=statement.lineno)
            yield from self._replaced(statement, plain)
        elif isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call):
            yield from self._set(statement.exc, "func", ast.Name("RuntimeError", ast.Load()), statement)
        elif isinstance(statement, ast.Break | ast.Continue):
            yield from self._replaced(statement, ast.Continue() if isinstance(statement, ast.Break) else ast.Break())

    # --- expressions -------------------------------------------------------------------------------------------

    def _expressions(self, node: ast.AST, statement: ast.stmt, params: tuple[str, ...]) -> Iterator[_Change]:
        """Every expression below `node`, without those of statements in it."""
        for field, value in ast.iter_fields(node):
            if field in _SKIPPED:
                continue
            items = value if isinstance(value, list) else [value]
            for index, item in enumerate(items):
                if isinstance(item, ast.stmt | ast.ExceptHandler) or not isinstance(item, ast.AST):
                    continue
                if id(item) in self._left_alone:
                    continue
                if isinstance(item, ast.expr):
                    for other in self._others(item, params):
                        changed = [*items[:index], other, *items[index + 1 :]] if isinstance(value, list) else other
                        yield from self._set(node, field, changed, statement)
                if not isinstance(item, ast.JoinedStr):
                    yield from self._expressions(item, statement, params)

    def _others(self, node: ast.expr, params: Sequence[str]) -> Iterator[ast.expr]:
        for operator in OPERATORS:
            yield from operator(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in params:
            yield from (ast.Name(other, ast.Load()) for other in params if other != node.id)

    # --- changing, and changing back ---------------------------------------------------------------------------

    def _set(self, owner: ast.AST, field: str, value: object, statement: ast.stmt, now: str = "") -> Iterator[_Change]:
        was, before = _head(statement), getattr(owner, field)
        setattr(owner, field, value)
        try:
            source = ast.unparse(ast.fix_missing_locations(self._tree))
            changed = now or _head(statement)
        finally:
            setattr(owner, field, before)
        yield _Change(was, changed, statement.lineno, source)

    def _replaced(self, statement: ast.stmt, other: ast.stmt) -> Iterator[_Change]:
        for owner in ast.walk(self._tree):
            for field, value in ast.iter_fields(owner):
                if isinstance(value, list) and statement in value:
                    index = value.index(statement)
                    yield from self._set(
                        owner, field, [*value[:index], other, *value[index + 1 :]], statement, _head(other)
                    )
                    return


def _instead(params: Sequence[str]) -> Iterator[ast.expr]:
    """What a function may return without having done anything: nothing, a constant, an argument, zeros."""
    yield from (ast.Constant(None), ast.Constant(0))
    for param in params:
        name = ast.Name(param, ast.Load())
        yield name
        yield ast.BinOp(name, ast.Mult(), ast.Constant(0))


def _head(statement: ast.stmt) -> str:
    """The statement in one line; of one with a body, the line that opens it."""
    if isinstance(statement, _Function):
        return f"def {statement.name}({ast.unparse(_without_annotations(statement.args))})"
    text = ast.unparse(statement)
    if hasattr(statement, "body"):
        text = text.partition("\n")[0]
    return " ".join(text.split())


def _in_common(one: str, other: str) -> int:
    """How many characters two texts have in common, from the first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _around(text: str, start: int, end: int) -> str:
    """The part of a statement from `start` to `end`, with a little of what stands around it."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND, start + _MOST_SHOWN)
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")


def _without_annotations(arguments: ast.arguments) -> ast.arguments:
    plain = copy.deepcopy(arguments)
    for argument in ast.walk(plain):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return plain


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
