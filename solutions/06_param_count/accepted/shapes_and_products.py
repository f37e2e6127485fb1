"""Every matrix is written down by its shape, then all are added up."""

import math


def head_dim(d_model: int, num_heads: int) -> int:
    if num_heads >= 1:
        width, rest = divmod(d_model, num_heads)
        if rest == 0:
            return width
    raise ValueError(f"d_model={d_model}, num_heads={num_heads}: not a whole width")


def count_naive(d_model: int, num_heads: int) -> int:
    shapes = [(d_model, d_model) for _head in range(num_heads) for _matrix in "QKV"]
    return sum(math.prod(shape) for shape in shapes)


def count_multi_head(d_model: int, num_heads: int, bias: bool = False) -> int:
    d_k = head_dim(d_model, num_heads)
    shapes = [(d_model, d_k) for _head in range(num_heads) for _matrix in "QKV"]
    shapes += [(num_heads * d_k, d_model)]
    if bias:
        shapes += [(d_k,) for _head in range(num_heads) for _matrix in "QKV"]
        shapes += [(d_model,)]
    return sum(math.prod(shape) for shape in shapes)
