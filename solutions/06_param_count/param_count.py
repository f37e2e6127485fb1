"""Reference for 06_param_count."""


def head_dim(d_model: int, num_heads: int) -> int:
    """d_k, the width of one head; ValueError where d_model cannot be cut into num_heads equal parts."""
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, but d_model = {d_model} needs at least one head")
    if d_model % num_heads != 0:
        raise ValueError(f"d_model = {d_model} cannot be cut into num_heads = {num_heads} equal parts")
    return d_model // num_heads


def count_naive(d_model: int, num_heads: int) -> int:
    """Weights of num_heads sets of W^Q, W^K and W^V, each (d_model, d_model)."""
    return num_heads * 3 * d_model * d_model


def count_multi_head(d_model: int, num_heads: int, bias: bool = False) -> int:
    """Weights of W^Q, W^K, W^V, each num_heads blocks of (d_model, d_k), and of W^O; four biases where asked for."""
    d_k = head_dim(d_model, num_heads)
    projections = num_heads * 3 * d_model * d_k  # = 3 * d_model², whatever num_heads
    output = num_heads * d_k * d_model  # (h * d_k, d_model)
    biases = 4 * d_model if bias else 0
    return projections + output + biases
