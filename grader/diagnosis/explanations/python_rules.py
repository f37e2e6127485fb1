"""Explains exceptions of Python itself, and of the sandbox that a submission runs in."""

from __future__ import annotations

import re

from grader.diagnosis.explanations.rule import Fields, Rule, with_arrays
from grader.sandbox.wire import ExceptionReport

_MODULES = frozenset(["np", "numpy", "math", "torch", "nn", "F"])


def _module_name(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return match.groupdict() if match["name"] in _MODULES else None


def _of_shape(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return with_arrays(match, report) if ".shape" in report.code else None


def _plain_eof(_match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return {} if report.type_name == "EOFError" else None  # the sandbox has its own sentence for input()


def _import(_match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return {"name": report.name.partition(".")[0]} if report.name else None


def _none_operand(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return {"operator": match["operator"]} if "NoneType" in (match["a"], match["b"]) else None


def _list_operand(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    kind = next((kind for kind in (match["a"], match["b"]) if kind in ("list", "tuple")), None)
    return {"operator": match["operator"], "kind": kind} if kind else None


_TYPE, _VALUE, _INDEX, _ATTRIBUTE = "TypeError", "ValueError", "IndexError", "AttributeError"
_OPERANDS = "unsupported operand type(s) for {operator:any}: '{a:quoted}' and '{b:quoted}'"
_TOO_FEW = "not enough values to unpack (expected {expected:int}, got {got:int}"
_TOO_MANY = "too many values to unpack (expected {expected:int}"
_FUNCTIONS = ("function", "method", "builtin_function_or_method", "numpy._ArrayFunctionDispatcher", "numpy.ufunc")

RULES = (
    # --- names
    Rule("unbound", "UnboundLocalError", "local variable '{name:quoted}'"),
    Rule("unbound", "NameError", "cannot access free variable '{name:quoted}'"),
    Rule("module_name", "NameError", "name '{name:quoted}' is not defined", _module_name),
    Rule("name", "NameError", "name '{name:quoted}' is not defined"),
    Rule("import", "ImportError", "", _import),
    # --- None and other kinds of values
    Rule("none_attribute", _ATTRIBUTE, "'NoneType' object has no attribute '{name:quoted}'"),
    Rule("list_attribute", _ATTRIBUTE, "'list' object has no attribute '{name:quoted}'"),
    Rule("tuple_attribute", _ATTRIBUTE, "'tuple' object has no attribute '{name:quoted}'"),
    Rule("attribute", _ATTRIBUTE, "'{kind:quoted}' object has no attribute '{name:quoted}'"),
    Rule("none_operand", _TYPE, _OPERANDS, _none_operand),
    Rule("list_operand", _TYPE, _OPERANDS, _list_operand),
    Rule("operands", _TYPE, _OPERANDS),
    Rule("list_times", _TYPE, "can't multiply sequence by non-int of type"),
    Rule("join_kinds", _TYPE, 'can only concatenate {a:name} (not "{b:quoted}") to'),
    Rule("unpack_none", _TYPE, "cannot unpack non-iterable NoneType object"),
    Rule("unpack_one", _TYPE, "cannot unpack non-iterable {kind:name} object"),
    Rule("none_subscript", _TYPE, "'NoneType' object is not subscriptable"),
    *(Rule("function_subscript", _TYPE, f"'{kind}' object is not subscriptable") for kind in _FUNCTIONS),
    Rule("subscript", _TYPE, "'{kind:quoted}' object is not subscriptable"),
    Rule("none_loop", _TYPE, "'NoneType' object is not iterable"),
    Rule("int_loop", _TYPE, "'int' object is not iterable"),
    Rule("no_len", _TYPE, "object of type '{kind:quoted}' has no len()"),
    Rule("not_callable", _TYPE, "'{kind:quoted}' object is not callable"),
    # --- sizes and indices
    Rule("unpack_shape_many", _VALUE, _TOO_MANY, _of_shape),
    Rule("unpack_shape_few", _VALUE, _TOO_FEW, _of_shape),
    Rule("unpack_many", _VALUE, _TOO_MANY),
    Rule("unpack_few", _VALUE, _TOO_FEW),
    Rule("shape_index", _INDEX, "tuple index out of range", _of_shape),
    Rule("list_index", _INDEX, "index out of range"),
    Rule("list_pair", _TYPE, "list indices must be integers or slices, not tuple"),
    Rule("whole_index", _TYPE, "indices must be integers"),
    Rule("whole_number", _TYPE, "float' object cannot be interpreted as an integer"),
    Rule("whole_number", _TYPE, "float64' object cannot be interpreted as an integer"),
    Rule("whole_number", _TYPE, "expected a sequence of integers or a single integer"),
    Rule("one_size", _TYPE, "'{kind:quoted}' object cannot be interpreted as an integer"),
    # --- calls
    Rule("argument", _TYPE, "{function:name}() got an unexpected keyword argument '{name:quoted}'"),
    Rule("arguments_missing", _TYPE, "{function:name}() missing {:any} argument{:name}: {names:any}"),
    Rule("arguments_missing", _TYPE, "{function:name}() missing {:any} argument: {names:any}"),
    Rule("arguments_many", _TYPE, "{function:name}() takes {:any} but {given:int} w"),
    Rule("recursion", "RecursionError", ""),
    Rule("zero_division", "ZeroDivisionError", ""),
    # --- the sandbox
    Rule("memory_array", "MemoryError", "allocate {size:any} for an array with shape {shape:sizes}"),
    Rule("memory", "MemoryError", ""),
    Rule("keyboard", "EOFError", "", _plain_eof),
    Rule("thread", "RuntimeError", "can't start new thread"),
    Rule("outside", "OSError", ""),
)
