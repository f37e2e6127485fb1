"""Explains exceptions that torch raises (texts of torch 2.13); torch itself is not needed here."""

from __future__ import annotations

import re

from grader.diagnosis.explanations.numpy_shapes import reshape, reshape_open
from grader.diagnosis.explanations.rule import Fields, MakeFields, Rule, product, renamed, shape_of, with_arrays
from grader.sandbox.wire import ExceptionReport

# What torch calls things that numpy calls otherwise.
_FUNCTIONS = {"array": "tensor", "copy": "clone", "expand_dims": "unsqueeze", "repeat": "repeat_interleave"}
_METHODS = {"astype": "to", "copy": "clone", "expand_dims": "unsqueeze"}


def _pair_operand(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return {"operator": match["operator"]} if {match["a"], match["b"]} == {"Tensor", "tuple"} else None


def _inside_torch(_match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return None if ".dim" in report.code else {}  # else the student wrote x.dim() of a numpy array


def _of_attention(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    """For a product of batches inside scaled_dot_product_attention: the widths of q and k."""
    want, got = shape_of(match["want"]), shape_of(match["got"])
    if "sdpa" not in report.code and "scaled_dot_product_attention" not in report.code:
        return None
    return {**with_arrays(match, report), "q": want[-1], "k": got[-1]} if want[-1] != got[-1] else None


def _batch_sizes(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    want, got = shape_of(match["want"]), shape_of(match["got"])
    return {**with_arrays(match, report), "m": want[0], "n": got[0]} if want[0] != got[0] else None


def _inner_sizes(match: re.Match[str], report: ExceptionReport) -> Fields:
    left, right = shape_of(match["want"])[-1], shape_of(match["got"])[-1]
    return {**with_arrays(match, report), "left": left, "right": right}


def _last_of(size: str) -> MakeFields:
    def fields(match: re.Match[str], report: ExceptionReport) -> Fields:
        return {**with_arrays(match, report), "last": int(match[size]) - 1}

    return fields


def _two_dtypes(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    kinds = list(dict.fromkeys(kind.lower() for kind in match.groupdict().values()))
    return {"a": kinds[0], "b": kinds[1]} if len(kinds) > 1 else None


def _letters(few: bool) -> MakeFields:
    """Fields for an einsum that names fewer letters than there are axes, or more."""

    def fields(match: re.Match[str], report: ExceptionReport) -> Fields | None:
        return with_arrays(match, report) if (int(match["letters"]) < int(match["axes"])) is few else None

    return fields


def _target(match: re.Match[str], _report: ExceptionReport) -> Fields:
    return {"target": product(shape_of(match["sizes"])), "size": match["size"]}


_RUNTIME, _TYPE, _ASSERTION = "RuntimeError", "TypeError", "AssertionError"
_VALUE, _INDEX, _ATTRIBUTE = "ValueError", "IndexError", "AttributeError"
_BATCHES = "Expected size for first two dimensions of batch2 tensor to be: {want:sizes} but got: {got:sizes}"
_LETTERS = "number of subscripts in the equation ({letters:int}) does not match the number of dimensions ({axes:int})"
_OPERANDS = "unsupported operand type(s) for {operator:any}: '{a:quoted}' and '{b:quoted}'"

RULES = (
    # --- names
    Rule("torch_function", _ATTRIBUTE, "module 'torch' has no attribute '{name:quoted}'", renamed(_FUNCTIONS)),
    Rule("torch_method", _ATTRIBUTE, "'Tensor' object has no attribute '{name:quoted}'", renamed(_METHODS)),
    # --- shapes
    Rule("reshape_open", _RUNTIME, "shape '{shape:sizes}' is invalid for input of size {size:int}", reshape_open),
    Rule("reshape", _RUNTIME, "shape '{shape:sizes}' is invalid for input of size {size:int}", reshape),
    Rule("view_strides", _RUNTIME, "view size is not compatible with input tensor's size and stride", with_arrays),
    Rule(
        "matmul",
        _RUNTIME,
        "shapes cannot be multiplied ({:int}x{left:int} and {right:int}x{:int})",
        with_arrays,
    ),
    Rule(
        "tensor_sizes",
        _RUNTIME,
        "tensor a ({m:int}) must match the size of tensor b ({n:int}) at non-singleton dimension {axis:int}",
        with_arrays,
    ),
    Rule("sdpa_widths", _RUNTIME, _BATCHES, _of_attention),
    Rule("batch_sizes", _RUNTIME, _BATCHES, _batch_sizes),
    Rule("matmul", _RUNTIME, _BATCHES, _inner_sizes),
    Rule("bmm_axes", _RUNTIME, "batch{:int} must be a 3D tensor", with_arrays),
    Rule("mm_axes", _RUNTIME, "{:name} must be a matrix", with_arrays),
    Rule(
        "matmul", _RUNTIME, "size mismatch, got input ({:int}), mat ({:int}x{left:int}), vec ({right:int})", with_arrays
    ),
    Rule("dot", _RUNTIME, "expected tensor [{m:int}] and src [{n:int}] to have the same number", with_arrays),
    Rule(
        "expand",
        _RUNTIME,
        "expanded size of the tensor ({m:int}) must match the existing size ({n:int}) at non-singleton dimension "
        "{axis:int}.  Target sizes: {b:sizes}.  Tensor sizes: {a:sizes}",
        with_arrays,
    ),
    Rule(
        "expand_few",
        _RUNTIME,
        "sizes provided ({given:int}) must be greater or equal to the number of dimensions in the tensor ({axes:int})",
        with_arrays,
    ),
    Rule(
        "unflatten",
        _RUNTIME,
        "Provided sizes {sizes:sizes} don't multiply up to the size of dim {:int} ({size:int})",
        _target,
    ),
    Rule(
        "split_sizes",
        _RUNTIME,
        "expects split_sizes to sum exactly to {size:int} {:any} got split_sizes={given:sizes}",
        with_arrays,
    ),
    # --- joining
    Rule(
        "tensor_stack",
        _RUNTIME,
        "to be equal size, but got {a:sizes} at entry 0 and {b:sizes} at entry {i:int}",
        with_arrays,
    ),
    Rule(
        "tensor_cat",
        _RUNTIME,
        "must match except in dimension {axis:int}. Expected size {m:int} but got size {n:int} "
        "for tensor number {i:int}",
        with_arrays,
    ),
    Rule(
        "tensor_cat_axes", _RUNTIME, "Tensors must have same number of dimensions: got {m:int} and {n:int}", with_arrays
    ),
    Rule("concatenate_nothing", _VALUE, "expected a non-empty list of Tensors"),
    Rule("concatenate_nothing", _RUNTIME, "expects a non-empty TensorList"),
    Rule(
        "tensor_list", _TYPE, "{function:name}(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor"
    ),
    # --- axes and indices
    Rule("axis", _INDEX, "expected to be in range of [-{axes:positive}, {last:int}], but got {axis:int}", with_arrays),
    Rule("permute_axes", _RUNTIME, "input.dim() = {axes:int} is not equal to len(dims) = {given:int}", with_arrays),
    Rule("permute_twice", _RUNTIME, "duplicate dims are not allowed"),
    Rule("t_axes", _RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is {axes:int}D", with_arrays),
    Rule(
        "index",
        _INDEX,
        "index {index:int} is out of bounds for dimension {axis:int} with size {size:positive}",
        _last_of("size"),
    ),
    Rule("tensor_index_many", _INDEX, "too many indices for tensor of dimension {axes:int}", with_arrays),
    Rule(
        "index_mask",
        _INDEX,
        "shape of the mask {a:sizes} at index {:int} does not match the shape of the indexed tensor {b:sizes}",
        with_arrays,
    ),
    Rule("index_kind", _INDEX, "tensors used as indices must be long", with_arrays),
    # --- einsum
    Rule("einsum_few", _RUNTIME, _LETTERS, _letters(few=True)),
    Rule("einsum_many", _RUNTIME, _LETTERS + " for operand {operand:int}", _letters(few=False)),
    Rule(
        "einsum_sizes",
        _RUNTIME,
        "has size {n:int} for operand {:int} which does not broadcast with previously seen size {m:int}",
        with_arrays,
    ),
    Rule("einsum_output", _RUNTIME, "output subscript {letter:name} does not appear"),
    Rule("einsum_operands", _RUNTIME, "operands were provided than specified in the equation"),
    # --- calls
    Rule("transpose_two", _TYPE, "transpose() takes 2 positional arguments but"),
    Rule("transpose_two", _TYPE, "transpose() received an invalid combination"),
    Rule("expects_tensor", _TYPE, "argument '{name:quoted}'{:any}must be Tensor, not {kind:name}"),
    Rule("numpy_into_torch", _ATTRIBUTE, "'numpy.ndarray' object has no attribute 'dim'", _inside_torch),
    # --- kinds of numbers
    Rule("tensor_dtypes", _RUNTIME, "expected scalar type {a:name} but found {b:name}", _two_dtypes),
    Rule(
        "tensor_dtypes", _RUNTIME, "mat1 and mat2 must have the same dtype, but got {a:name} and {b:name}", _two_dtypes
    ),
    Rule(
        "tensor_dtypes",
        _RUNTIME,
        "got query.dtype: {a:name} key.dtype: {b:name} and value.dtype: {c:name} instead",
        _two_dtypes,
    ),
    Rule("whole_numbers", "NotImplementedError", "not implemented for '{kind:quoted}'", with_arrays),
    Rule("whole_numbers", _RUNTIME, "must be either a floating point or complex dtype. Got: {kind:name}", with_arrays),
    Rule("embedding_numbers", _RUNTIME, "argument #1 'indices' to have one of the following scalar types", with_arrays),
    Rule(
        "tensor_in_place_dtype",
        _RUNTIME,
        "result type {have:name} can't be cast to the desired output type {target:name}",
        with_arrays,
    ),
    Rule("bool_minus", _RUNTIME, "the `-` operator, with a bool tensor is not supported"),
    Rule("bool_minus", _RUNTIME, "the `-` operator, on a bool tensor is not supported"),
    Rule("bool_minus_bool", _RUNTIME, "the `-` operator, with two bool tensors is not supported", with_arrays),
    Rule("where_mask", _RUNTIME, "where expected condition to be a boolean tensor", with_arrays),
    Rule("tensor_one_number", _VALUE, "only one element tensors can be converted to Python scalars", with_arrays),
    Rule("tensor_one_number", _RUNTIME, "elements cannot be converted to Scalar", with_arrays),
    Rule("tensor_truth", _RUNTIME, "Boolean value of Tensor with more than one value is ambiguous", with_arrays),
    Rule("no_gpu", _ASSERTION, "Torch not compiled with CUDA enabled"),
    Rule("tensor_dtypes", _RUNTIME, "to have the same dtype, but got: {a:name} != {b:name}"),
    Rule("tensor_dtypes", _RUNTIME, "Input dtypes must be the same, got: input {a:name}, batch1: {b:name},"),
    Rule("bool_mask", _RUNTIME, "only supports boolean masks, but got mask with dtype"),
    Rule("half_overflow", _RUNTIME, "value cannot be converted to type {kind:any} without overflow"),
    Rule("sdpa_mask_dtype", _RUNTIME, "Expected attn_mask dtype to be bool or float"),
    Rule("sdpa_both_masks", _RUNTIME, "Explicit attn_mask should not be set when is_causal=True"),
    # --- gradients
    Rule("gradient_in_place", _RUNTIME, "modified by an inplace operation"),
    Rule(
        "leaf_in_place",
        _RUNTIME,
        "leaf Variable that requires grad is being used in an in-place operation",
        with_arrays,
    ),
    Rule("gradient_numpy", _RUNTIME, "Can't call numpy() on Tensor that requires grad", with_arrays),
    Rule("backward_twice", _RUNTIME, "Trying to backward through the graph a second time"),
    Rule("backward_many", _RUNTIME, "grad can be implicitly created only for scalar outputs", with_arrays),
    Rule("no_gradient", _RUNTIME, "does not require grad and does not have a grad_fn"),
    # --- modules
    Rule("module_init", _ATTRIBUTE, "before Module.__init__() call"),
    Rule("module_forward", "NotImplementedError", 'Module [{name:name}] is missing the required "forward" function'),
    Rule("module_parameter", _TYPE, "as parameter '{name:quoted}' (torch.nn.Parameter or None expected)"),
    Rule(
        "state_shape",
        _RUNTIME,
        "size mismatch for {name:name}: copying a param with shape torch.Size({a:sizes}) from "
        "checkpoint, the shape in current model is torch.Size({b:sizes})",
    ),
    Rule("state_keys", _RUNTIME, "Error(s) in loading state_dict for {name:name}:"),
    # --- nn.MultiheadAttention
    Rule("indivisible", _ASSERTION, "embed_dim must be divisible by num_heads"),
    Rule("positive_heads", "ValueError", "got embed_dim={width:int} and num_heads={heads:int} instead"),
    Rule("embedding_width", _ASSERTION, "expecting embedding dimension of {want:int}, but got {got:int}"),
    Rule("embedding_width", _RUNTIME, "passed-in embed_dim {want:int} didn't match last dim of query {got:int}"),
    Rule(
        "key_value_shapes",
        _ASSERTION,
        "key shape torch.Size({a:sizes}) does not match value shape torch.Size({b:sizes})",
    ),
    Rule("query_axes", _ASSERTION, "query should be unbatched 2D or batched 3D tensor but received {axes:int}-D"),
    Rule("batched_axes", _ASSERTION, "For batched (3-D) `query`, expected `key` and `value` to be 3-D"),
    Rule("padding_mask_axes", _ASSERTION, "expected `key_padding_mask` to be `None` or {:any} but found {axes:int}-D"),
    Rule("padding_mask_shape", _ASSERTION, "key_padded_mask.shape[{axis:int}] to be {want:int}, but got {got:int}"),
    Rule("mask_dtype", _ASSERTION, "only bool and floating types of {name:name} are supported"),
    Rule("mask_shape", _RUNTIME, "attn_mask is torch.Size({got:sizes}), but should be {want:sizes}"),
    Rule("mask_shape", _ASSERTION, "Expected `attn_mask` shape to be {want:sizes} but got torch.Size({got:sizes})"),
    Rule("mask_axes", _ASSERTION, "expected `attn_mask` to be `None`, 2-D or 3-D but found {axes:int}-D"),
    Rule("causal_hint", _RUNTIME, "Need attn_mask if specifying the is_causal hint"),
    Rule("attention_inputs", _TYPE, "MultiheadAttention.forward() missing"),
    Rule("attention_pair", _TYPE, _OPERANDS, _pair_operand),
)
