"""The ways in which one place of a program can go wrong: each operator gives the replacements for one syntax node.

Operators know nothing of attention and nothing of students. They exist to ask a hidden suite one question a thousand
times over: if this token were another one, would you notice?
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
Expressions = Iterator[ast.expr]
Operator = Callable[[ast.expr], Expressions]

# Functions and methods that stand in for each other in a slip of the mind or of the keyboard.
_RELATIVES: tuple[tuple[str, ...], ...] = (
    ("sum", "mean", "max"),
    ("min", "max"),
    ("prod", "sum"),
    ("exp", "exp2", "expm1"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("tril", "triu"),
    ("stack", "concatenate"),
    ("cat", "stack"),
    ("hstack", "vstack"),
    ("all", "any"),
    ("int", "round", "float"),
    ("maximum", "minimum"),
    ("argmax", "argmin"),
)
_BINARY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_DTYPES = ("bool", "int", "float", "float32", "float64", "int64", "bool_")
_MODULES = frozenset(["np", "numpy", "math", "torch", "F", "nn", "itertools", "functools"])


# --- constants, signs, names -------------------------------------------------------------------------------------


def constants(node: ast.expr) -> Expressions:
    """Off by one, the other truth value, another order of memory."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, float):
        yield from (ast.Constant(value + 1.0), ast.Constant(value / 2))
    elif value in ("C", "F"):
        yield ast.Constant("F" if value == "C" else "C")


def signs(node: ast.expr) -> Expressions:
    """A sign, a tilde or a `not` left out."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def attributes(node: ast.expr) -> Expressions:
    """`.T` and its kind left out; another dtype."""
    if not isinstance(node, ast.Attribute):
        return
    if node.attr in ("T", "mT", "H"):
        yield node.value
    if node.attr in _DTYPES and _is_module(node.value):
        yield from (_attribute(node, other) for other in ("int64", "float32", "float64", "bool") if other != node.attr)


# --- arithmetic, comparisons, conditions -------------------------------------------------------------------------


def arithmetic(node: ast.expr) -> Expressions:
    """Another operator, one of the operands alone, both the other way round."""
    if not isinstance(node, ast.BinOp):
        return
    for other in _BINARY.get(type(node.op), ()):
        yield ast.BinOp(node.left, other(), node.right)
    yield from (node.left, node.right)
    if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.FloorDiv | ast.Mod | ast.Pow):
        yield ast.BinOp(node.right, node.op, node.left)


def comparisons(node: ast.expr) -> Expressions:
    """Another comparison."""
    if not isinstance(node, ast.Compare):
        return
    for index, op in enumerate(node.ops):
        for other in _COMPARED.get(type(op), ()):
            yield ast.Compare(node.left, _with(node.ops, index, other()), node.comparators)


def conditions(node: ast.expr) -> Expressions:
    """`and` for `or`, a part left out, one branch always."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for index in range(len(node.values)):
            rest = _without(node.values, index)
            yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)


# --- sequences and slices ----------------------------------------------------------------------------------------


def orders(node: ast.expr) -> Expressions:
    """Neighbours exchanged in a tuple or list: axes, shapes, indices; not in a list of names."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        if all(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in node.elts):
            return
        for swapped in _swapped(node.elts):
            yield type(node)(swapped, node.ctx)


def slices(node: ast.expr) -> Expressions:
    """A bound of a slice left out."""
    if isinstance(node, ast.Slice):
        if node.lower is not None:
            yield ast.Slice(None, node.upper, node.step)
        if node.upper is not None:
            yield ast.Slice(node.lower, None, node.step)
        if node.step is not None:
            yield ast.Slice(node.lower, node.upper, None)


def loops(node: ast.expr) -> Expressions:
    """The first or the last round of a comprehension left out."""
    if not isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
        return
    for index, part in enumerate(node.generators):
        for fewer in fewer_rounds(part.iter):
            other = copy.copy(part)
            other.iter = fewer
            changed = copy.copy(node)
            changed.generators = _with(node.generators, index, other)
            yield changed


def fewer_rounds(iterated: ast.expr) -> Expressions:
    """What is looped over without its first, and without its last."""
    if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "range":
        start, stop = (ast.Constant(0), *iterated.args)[-2:] if len(iterated.args) < 3 else iterated.args[:2]
        step = iterated.args[2:]
        one = ast.Constant(1)
        yield ast.Call(iterated.func, [ast.BinOp(start, ast.Add(), one), stop, *step], [])
        yield ast.Call(iterated.func, [start, ast.BinOp(stop, ast.Sub(), one), *step], [])
    elif isinstance(iterated, ast.Name | ast.Attribute):
        for part in (ast.Slice(ast.Constant(1)), ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1)))):
            yield ast.Subscript(iterated, part, ast.Load())


# --- calls -------------------------------------------------------------------------------------------------------


def calls(node: ast.expr) -> Expressions:
    """A call left out, a relative called in its place, arguments exchanged or left out."""
    if not isinstance(node, ast.Call):
        return
    yield from _left_out(node)
    yield from _relatives(node)
    for swapped in _swapped(node.args):
        yield ast.Call(node.func, swapped, node.keywords)
    if len(node.args) > 1:
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield ast.Call(node.func, node.args, _without(node.keywords, index))


def _left_out(node: ast.Call) -> Expressions:
    """`x.reshape(…)` becomes `x`, `np.exp(x)` becomes `x`."""
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]


def _relatives(node: ast.Call) -> Expressions:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    others = dict.fromkeys(other for family in _RELATIVES if name in family for other in family if other != name)
    for other in others:
        func = _attribute(node.func, other) if isinstance(node.func, ast.Attribute) else ast.Name(other, ast.Load())
        yield ast.Call(func, node.args, node.keywords)


def einsums(node: ast.expr) -> Expressions:
    """Neighbouring letters of an einsum exchanged in one of its parts; a letter of the result left out."""
    if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
        return
    pattern = node.args[0].value
    if not (isinstance(pattern, str) and "->" in pattern):
        return
    inputs, _, output = pattern.partition("->")
    parts = inputs.split(",")
    changed = [f"{inputs}->{other}" for other in (*_letters(output), *(output.replace(c, "") for c in output))]
    for index, part in enumerate(parts):
        changed += [f"{','.join(_with(parts, index, other))}->{output}" for other in _letters(part)]
    for other in changed:
        yield ast.Call(node.func, [ast.Constant(other), *node.args[1:]], node.keywords)


def _letters(word: str) -> list[str]:
    return ["".join(letters) for letters in _swapped(list(word))]


def messages(node: ast.expr) -> Expressions:
    """One of the values that a message names left out."""
    if isinstance(node, ast.JoinedStr):
        for index, value in enumerate(node.values):
            if isinstance(value, ast.FormattedValue):
                yield ast.JoinedStr(_without(node.values, index))


OPERATORS: tuple[Operator, ...] = (
    *(constants, signs, attributes, arithmetic, comparisons, conditions),
    *(orders, slices, loops, calls, einsums, messages),
)


def words(tree: ast.AST) -> Iterator[ast.expr]:
    """Numbers that are no numbers: the -1 of a reshape stands for "whatever is left", and so does -2."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("reshape", "view"):
            for argument in call.args:
                yield from (
                    node for node in ast.walk(argument) if isinstance(node, ast.UnaryOp) and _is_minus_one(node)
                )


def _is_minus_one(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == 1


# --- small steps -------------------------------------------------------------------------------------------------


def _with(items: Sequence[T], index: int, item: T) -> list[T]:
    return [*items[:index], item, *items[index + 1 :]]


def _without(items: Sequence[T], index: int) -> list[T]:
    return [*items[:index], *items[index + 1 :]]


def _swapped(items: Sequence[T]) -> Iterator[list[T]]:
    """The items with two neighbours exchanged, for each pair of neighbours that differ."""
    for index, (one, other) in enumerate(pairwise(items)):
        if _spelt(one) != _spelt(other):
            yield [*items[:index], other, one, *items[index + 2 :]]


def _spelt(item: object) -> object:
    return ast.dump(item) if isinstance(item, ast.AST) else item


def _attribute(node: ast.expr, name: str) -> ast.Attribute:
    assert isinstance(node, ast.Attribute)  # noqa: S101 - callers have looked
    return ast.Attribute(node.value, name, ast.Load())


def _is_module(node: ast.expr) -> bool:
    """Whether this is a module, so that `node.f(x)` is a function call and no method of `node`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in _MODULES
