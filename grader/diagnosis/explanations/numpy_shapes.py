"""Explains exceptions of numpy about sizes, axes and indices, with the arrays that the student's line names."""

from __future__ import annotations

import re
from itertools import combinations

from grader.diagnosis.explanations.rule import Fields, Rule, arrays_on_line, clash, product, shape_of, with_arrays
from grader.sandbox.wire import ExceptionReport

_SHAPES = re.compile(r"\([^()]{0,100}\)")
_REMAPPED = re.compile(r"->(\([^()]{0,100}\))")


def reshape(match: re.Match[str], report: ExceptionReport) -> Fields:
    """Fields size, target ("5 × 5 = 25") and arrays, for a reshape to whole sizes."""
    size = int(match["size"])
    return {"size": size, "target": product(shape_of(match["shape"])), "arrays": arrays_on_line(report, size)}


def reshape_open(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    """The same for a reshape with one -1, which numpy's text calls newaxis."""
    size = int(match["size"])
    given, known = re.subn("newaxis|-1", "", match["shape"])
    if not known:
        return None
    return {"size": size, "target": product(shape_of(given)), "arrays": arrays_on_line(report, size)}


def _two_shapes(match: re.Match[str], report: ExceptionReport) -> Fields:
    return {"a": str(shape_of(match["a"])), "b": str(shape_of(match["b"])), "arrays": arrays_on_line(report)}


def _broadcast(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    shapes = [shape_of(text) for text in _SHAPES.findall(match["shapes"])]
    for a, b in combinations(shapes, 2):
        found = clash(a, b)
        if found:
            return {**found, "arrays": arrays_on_line(report)}
    return None


def _matmul_batch(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    a, b = shape_of(match["a"]), shape_of(match["b"])
    found = clash(a[:-2], b[:-2])
    return found and {"a": str(a), "b": str(b), "m": found["m"], "n": found["n"], "arrays": arrays_on_line(report)}


def _einsum_sizes(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    shapes = [shape_of(text) for text in _REMAPPED.findall(match["shapes"])]
    found = next(filter(None, (clash(a, b) for a, b in combinations(shapes, 2))), None)
    return found and {"m": found["m"], "n": found["n"], "arrays": arrays_on_line(report)}


def _last_axis(match: re.Match[str], report: ExceptionReport) -> Fields:
    return {**with_arrays(match, report), "last": int(match["axes"]) - 1}


def _last_index(match: re.Match[str], report: ExceptionReport) -> Fields:
    return {**with_arrays(match, report), "last": int(match["size"]) - 1}


_VALUE, _TYPE, _INDEX = "ValueError", "TypeError", "IndexError"
_REMAP = "remapped shapes [original->remapped]: "

RULES = (
    # --- reshape
    Rule("reshape_open", _VALUE, "reshape array of size {size:int} into shape {shape:sizes}", reshape_open),
    Rule("reshape", _VALUE, "reshape array of size {size:int} into shape {shape:sizes}", reshape),
    Rule("reshape_two_unknown", _VALUE, "can only specify one unknown dimension"),
    Rule("reshape_tuple", _TYPE, "order must be str, not int"),
    Rule("negative_size", _VALUE, "negative dimensions are not allowed"),
    # --- broadcasting
    Rule("matmul_batch", _VALUE, _REMAP + "{a:sizes}->{:sizes} {b:sizes}->{:sizes}  and requested", _matmul_batch),
    Rule("einsum_sizes", _VALUE, _REMAP + "{shapes:any}", _einsum_sizes),
    Rule("broadcast_to", _VALUE, _REMAP + "{a:sizes}  and requested shape {b:sizes}", _two_shapes),
    Rule("broadcast", _VALUE, "could not be broadcast together with shapes {shapes:any}", _broadcast),
    Rule("broadcast", _VALUE, "cannot be broadcast to a single shape.  Mismatch is between {shapes:any}", _broadcast),
    Rule("broadcast_into", _VALUE, "input array from shape {a:sizes} into shape {b:sizes}", _two_shapes),
    Rule(
        "broadcast_into",
        _VALUE,
        "value array of shape {a:sizes} could not be broadcast to indexing result of shape {b:sizes}",
        _two_shapes,
    ),
    Rule(
        "broadcast_in_place",
        _VALUE,
        "output operand with shape {a:sizes} doesn't match the broadcast shape {b:sizes}",
        _two_shapes,
    ),
    # --- products
    Rule(
        "matmul",
        _VALUE,
        "mismatch in its core dimension{:any}(size {right:int} is different from {left:int})",
        with_arrays,
    ),
    Rule("matmul", _VALUE, "not aligned: {left:int} (dim {:int}) != {right:int} (dim", with_arrays),
    Rule("matmul_number", _VALUE, "Input operand {:int} does not have enough dimensions"),
    Rule("einsum_many", _VALUE, "contains too many subscripts for operand {operand:int}", with_arrays),
    Rule("einsum_few", _VALUE, "operand has more dimensions than subscripts given", with_arrays),
    Rule("einsum_output", _VALUE, "output subscript '{letter:quoted}' which never appeared"),
    Rule("einsum_twice", _VALUE, "output subscript '{letter:quoted}' multiple times"),
    Rule("einsum_operands", _VALUE, "operands provided to einstein sum"),
    # --- axes
    Rule("axis", _VALUE, "axis {axis:int} is out of bounds for array of dimension {axes:positive}", _last_axis),
    Rule("transpose_axes", _VALUE, "axes don't match array", with_arrays),
    Rule("transpose_twice", _VALUE, "repeated axis in transpose"),
    Rule("transpose_tuple", _TYPE, "transpose() takes from 1 to 2 positional arguments"),
    Rule("transpose_keyword", _TYPE, "ndarray.transpose() takes no keyword arguments"),
    Rule("swapaxes", _TYPE, "swapaxes() takes exactly 2 arguments"),
    Rule("swapaxes", _TYPE, "swapaxes() missing"),
    # --- joining and splitting
    Rule(
        "concatenate",
        _VALUE,
        "along dimension {axis:int}, the array at index {i:int} has size {m:int} "
        "and the array at index {j:int} has size {n:int}",
        with_arrays,
    ),
    Rule(
        "concatenate_axes",
        _VALUE,
        "the array at index {i:int} has {m:int} dimension(s) and the array at index {j:int} has {n:int}",
        with_arrays,
    ),
    Rule("stack", _VALUE, "all input arrays must have the same shape", with_arrays),
    Rule("concatenate_numbers", _VALUE, "zero-dimensional arrays cannot be concatenated", with_arrays),
    Rule("concatenate_nothing", _VALUE, "need at least one array to "),
    Rule("split", _VALUE, "array split does not result in an equal division", with_arrays),
    Rule("empty_reduction", _VALUE, "zero-size array to reduction operation {function:name}"),
    # --- indices
    Rule(
        "index", _INDEX, "index {index:int} is out of bounds for axis {axis:int} with size {size:positive}", _last_index
    ),
    Rule("index_many", _INDEX, "array is {axes:int}-dimensional, but {given:int} were indexed", with_arrays),
    Rule("index_kind", _INDEX, "only integers, slices", with_arrays),
    Rule("index_kind", _INDEX, "arrays used as indices must be of integer", with_arrays),
    Rule(
        "index_bool",
        _INDEX,
        "axis {axis:int}; size of axis is {m:int} but size of corresponding boolean axis is {n:int}",
        with_arrays,
    ),
    Rule(
        "index_bool",
        _INDEX,
        "dimension {axis:int}; dimension is {m:int} but corresponding boolean dimension is {n:int}",
        with_arrays,
    ),
    Rule("index_scalar", _INDEX, "invalid index to scalar variable"),
    Rule("assign_masked", _VALUE, "cannot assign {given:int} input values to the {places:int} output", with_arrays),
    Rule("ragged", _VALUE, "inhomogeneous shape after"),
    Rule("element_sequence", _VALUE, "setting an array element with a sequence"),
)
