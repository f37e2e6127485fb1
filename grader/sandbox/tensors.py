"""Takes torch tensors apart for the wire and puts them together again, with their layout in memory.

Never imports torch: where it is not loaded there are no tensors, and a numpy exercise stays without it. Shared by both
sides of the sandbox, so it imports nothing of ours but the values.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from grader.sandbox.values import MAX_AXES, MAX_PAYLOAD, Opaque, WireError

# dtype -> bytes of one number
ITEM_BYTES = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
GAPS = (255,)  # the order of a tensor whose numbers do not lie side by side, such as a slice or an expanded one


class Parts(NamedTuple):
    """A tensor in pieces.

    Attributes:
        order: its axes as they lie in memory, outermost first; () where that is the order of the shape.
        body: its numbers in the order of the shape.
    """

    dtype: str
    shape: tuple[int, ...]
    order: tuple[int, ...]
    requires_grad: bool
    body: bytes


def _torch() -> Any:
    """The loaded torch; None where there is none, or where its import has only begun."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "nn") else None


def is_tensor(kind: type) -> bool:
    """Whether this is the type of tensors, or one derived from it."""
    torch = _torch()
    return torch is not None and issubclass(kind, torch.Tensor)


def is_size(kind: type) -> bool:
    """Whether this is the type of the shape of a tensor, which crosses as a tuple."""
    torch = _torch()
    return torch is not None and kind is torch.Size


def taken_apart(tensor: Any) -> Parts | Opaque:
    """The parts of a dense CPU tensor or parameter; a label for any other one.

    Raises:
        WireError: it is too large, counted before anything is copied.
    """
    torch = _torch()
    kind, dtype = type(tensor), str(tensor.dtype).removeprefix("torch.")
    if kind not in (torch.Tensor, torch.nn.Parameter):
        return Opaque(f"{kind.__module__}.{kind.__qualname__}", "a subclass of torch.Tensor")
    if tensor.layout is not torch.strided or tensor.device.type != "cpu" or dtype not in ITEM_BYTES:
        return Opaque("torch.Tensor", f"dtype {dtype}, layout {tensor.layout}, device {tensor.device}")
    shape = tuple(tensor.shape)
    size = tensor.numel() * ITEM_BYTES[dtype]  # of an expanded tensor: what a copy takes, not what it holds
    if size > MAX_PAYLOAD or len(shape) > MAX_AXES:
        raise WireError(f"a tensor of shape {shape} and dtype {dtype}, {size} bytes")
    plain = tensor.detach().view(torch.int16) if dtype == "bfloat16" else tensor  # which numpy does not know
    return Parts(dtype, shape, _order(tensor), tensor.requires_grad, plain.numpy(force=True).tobytes())


def _order(tensor: Any) -> tuple[int, ...]:
    if tensor.is_contiguous():
        return ()
    axes = sorted(range(tensor.dim()), key=lambda axis: (-tensor.stride(axis), axis))
    return tuple(axes) if tensor.permute(axes).is_contiguous() else GAPS


def put_together(parts: Parts) -> Any:
    """A tensor of our own with these numbers and this layout; the parts have been checked against each other.

    Raises:
        WireError: torch is not loaded on this side.
        TypeError, ValueError, RuntimeError: torch refuses the shape.
    """
    torch = _torch()
    if torch is None:
        raise WireError("a tensor, and torch is not loaded here")
    dtype = getattr(torch, parts.dtype)
    if parts.body:
        tensor = torch.frombuffer(bytearray(parts.body), dtype=dtype).reshape(parts.shape)
    else:
        tensor = torch.empty(parts.shape, dtype=dtype)
    if parts.order == GAPS:
        tensor = torch.stack([tensor, tensor], dim=-1)[..., 0]
    elif parts.order:
        back = sorted(range(len(parts.order)), key=parts.order.__getitem__)
        tensor = tensor.permute(parts.order).contiguous().permute(back)
    return tensor.requires_grad_() if parts.requires_grad else tensor
