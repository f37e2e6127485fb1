"""Explains exceptions of numpy about names, arguments and kinds of numbers."""

from __future__ import annotations

import re

import numpy as np

from grader.diagnosis.explanations import misspelt
from grader.diagnosis.explanations.rule import Fields, MakeFields, Rule, renamed, with_arrays
from grader.sandbox.wire import ExceptionReport

# What numpy calls things that torch calls otherwise.
_FUNCTIONS = {
    "bmm": "matmul",
    "cat": "concatenate",
    "chunk": "split",
    "clone": "copy",
    "masked_fill": "where",
    "mm": "matmul",
    "numel": "size",
    "permute": "transpose",
    "rand": "random.rand",
    "randn": "random.randn",
    "repeat_interleave": "repeat",
    "tensor": "array",
    "unsqueeze": "expand_dims",
}
_METHODS = {
    "clone": "copy",
    "contiguous": "copy",
    "dim": "ndim",
    "double": "astype",
    "float": "astype",
    "int": "astype",
    "long": "astype",
    "numel": "size",
    "permute": "transpose",
    "repeat_interleave": "repeat",
    "t": "T",
    "to": "astype",
    "type": "astype",
}
_ARGUMENTS = {"dim": "axis", "dims": "axis", "keepdim": "keepdims", "perm": "axes", "diagonal": "k"}
_PYTHON_TYPES = frozenset(["bool", "complex", "float", "int", "object", "str"])


def _python_type(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return match.groupdict() if match["name"] in _PYTHON_TYPES else None


def _function_not_method(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    name = _FUNCTIONS.get(match["name"], match["name"])
    return {"name": match["name"], "known": name} if callable(getattr(np, name, None)) else None


def _of_view(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return match.groupdict() if ".view(" in report.code else None


def _of_functions(*functions: str) -> MakeFields:
    """Fields for a rule that holds only where one of these functions complains."""

    def fields(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
        return match.groupdict() if match["function"] in functions else None

    return fields


_whole_sizes = _of_functions("empty", "zeros", "ones", "full")
_one_list = _of_functions("hstack", "vstack", "dstack", "stack", "concatenate", "concat", "column_stack")


def _sizes(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return match.groupdict() if match["given"].isdigit() else None


_VALUE, _TYPE, _ATTRIBUTE = "ValueError", "TypeError", "AttributeError"
_NO_ATTRIBUTE = "has no attribute '{name:quoted}'"
_OF_MODULE = "module 'numpy' " + _NO_ATTRIBUTE
_OF_ARRAY = "'numpy.ndarray' object " + _NO_ATTRIBUTE

RULES = (
    # --- names
    Rule("softmax", _ATTRIBUTE, "module 'numpy' has no attribute 'softmax'"),
    Rule("softmax", _ATTRIBUTE, "'numpy.ndarray' object has no attribute 'softmax'"),
    Rule("numpy_type", _ATTRIBUTE, _OF_MODULE, _python_type),
    Rule("numpy_function", _ATTRIBUTE, _OF_MODULE, renamed(_FUNCTIONS)),
    Rule("numpy_method", _ATTRIBUTE, _OF_ARRAY, renamed(_METHODS)),
    Rule("numpy_not_method", _ATTRIBUTE, _OF_ARRAY, _function_not_method),
    *misspelt.RULES,
    Rule("numpy_unknown", _ATTRIBUTE, "module 'numpy{:any}' " + _NO_ATTRIBUTE),
    Rule("view", _VALUE, "Type must be a sub-type of ndarray type"),
    Rule("view", _TYPE, "view() takes from 0 to 2 positional arguments"),
    Rule("view", _TYPE, "Cannot interpret '{:quoted}' as a data type", _of_view),
    # --- arguments
    Rule("numpy_argument", _TYPE, "unexpected keyword argument '{name:quoted}'", renamed(_ARGUMENTS)),
    Rule("sizes_tuple", _TYPE, "Cannot interpret '{given:quoted}' as a data type", _sizes),
    Rule("sizes_tuple", _TYPE, "{function:name}() takes from {:any} positional arguments but", _whole_sizes),
    Rule("keepdims_by_name", _TYPE, "Cannot interpret 'True' as a data type"),
    Rule("one_list", _TYPE, "{function:name}() takes {:any} but {:int} were given", _one_list),
    Rule("one_list", _TYPE, "only integer scalar arrays can be converted to a scalar index"),
    Rule("one_list", _TYPE, 'arrays to stack must be passed as a "sequence" type'),
    Rule("one_list", _TYPE, "__array_function__ did not return an iterable"),
    Rule("one_number", _TYPE, "arrays can be converted to Python scalars", with_arrays),
    # --- kinds of numbers
    Rule("truth", _VALUE, "truth value of an array with more than one element is ambiguous", with_arrays),
    Rule(
        "in_place_dtype",
        _TYPE,
        "Cannot cast ufunc '{function:quoted}' output from dtype('{have:quoted}') to dtype('{target:quoted}')",
        with_arrays,
    ),
    Rule("read_only", _VALUE, "is read-only", with_arrays),
    Rule("bool_minus", _TYPE, "numpy boolean negative, the `-` operator"),
    Rule("bool_minus", _TYPE, "numpy boolean subtract, the `-` operator"),
    Rule("invert", _TYPE, "ufunc 'invert' not supported for the input types", with_arrays),
    Rule("ufunc_kind", _TYPE, "ufunc '{function:quoted}' not supported for the input types", with_arrays),
    Rule("ufunc_kind", _TYPE, "ufunc '{function:quoted}' did not contain a loop", with_arrays),
    Rule("ufunc_object", _TYPE, "loop of ufunc does not support argument {:int} of type {kind:name}"),
)
