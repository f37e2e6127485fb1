"""Explains exceptions that torch raises (texts of torch 2.13); torch itself is not needed here."""

from __future__ import annotations

import re

from grader.diagnosis.explanations.numpy_shapes import reshape, reshape_open
from grader.diagnosis.explanations.rule import Fields, Rule, with_arrays
from grader.sandbox.wire import ExceptionReport


def _pair_operand(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    return {"operator": match["operator"]} if {match["a"], match["b"]} == {"Tensor", "tuple"} else None


def _inside_torch(_match: re.Match[str], report: ExceptionReport) -> Fields | None:
    return None if ".dim" in report.code else {}  # else the student wrote x.dim() of a numpy array


_RUNTIME, _TYPE, _ASSERTION = "RuntimeError", "TypeError", "AssertionError"
_OPERANDS = "unsupported operand type(s) for {operator:any}: '{a:quoted}' and '{b:quoted}'"

RULES = (
    # --- shapes
    Rule("reshape_open", _RUNTIME, "shape '{shape:sizes}' is invalid for input of size {size:int}", reshape_open),
    Rule("reshape", _RUNTIME, "shape '{shape:sizes}' is invalid for input of size {size:int}", reshape),
    Rule("view_strides", _RUNTIME, "view size is not compatible with input tensor's size and stride"),
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
    Rule("transpose_two", _TYPE, "transpose() takes 2 positional arguments but"),
    Rule("transpose_two", _TYPE, "transpose() received an invalid combination"),
    Rule("expects_tensor", _TYPE, "argument '{name:quoted}'{:any}must be Tensor, not {kind:name}"),
    Rule("numpy_into_torch", "AttributeError", "'numpy.ndarray' object has no attribute 'dim'", _inside_torch),
    # --- kinds of numbers
    Rule("tensor_dtypes", _RUNTIME, "to have the same dtype, but got: {a:name} != {b:name}"),
    Rule("tensor_dtypes", _RUNTIME, "Input dtypes must be the same, got: input {a:name}, batch1: {b:name},"),
    Rule("bool_mask", _RUNTIME, "only supports boolean masks, but got mask with dtype"),
    Rule("half_overflow", _RUNTIME, "value cannot be converted to type {kind:any} without overflow"),
    Rule("sdpa_mask_dtype", _RUNTIME, "Expected attn_mask dtype to be bool or float"),
    Rule("sdpa_both_masks", _RUNTIME, "Explicit attn_mask should not be set when is_causal=True"),
    Rule("gradient_in_place", _RUNTIME, "modified by an inplace operation"),
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
