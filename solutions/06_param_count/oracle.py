"""Oracle of 06_param_count: nothing is multiplied; every weight and every bias is counted, one after the other."""

from itertools import product


def head_dim(d_model, num_heads):
    """How many features each head gets when they are dealt out one by one and none may be left over."""
    if num_heads < 1:
        raise ValueError(f"{d_model} features cannot be dealt out to {num_heads} heads")
    dealt = [0] * num_heads
    for feature in range(d_model):
        dealt[feature % num_heads] += 1
    if dealt[0] != dealt[-1]:
        raise ValueError(f"{d_model} features cannot be dealt out evenly to {num_heads} heads")
    return dealt[0]


def count_naive(d_model, num_heads):
    """Every weight of W^Q, W^K and W^V of every head, each d_model by d_model."""
    return sum(1 for _ in product(range(num_heads), "qkv", range(d_model), range(d_model)))


def count_multi_head(d_model, num_heads, bias=False):
    """Every weight of the narrow W^Q, W^K and W^V of every head, of W^O, and the biases of all columns."""
    d_k = head_dim(d_model, num_heads)
    weights = sum(1 for _ in product(range(num_heads), "qkv", range(d_model), range(d_k)))
    weights += sum(1 for _ in product(range(num_heads), range(d_k), range(d_model)))
    columns = [*product("qkv", range(num_heads), range(d_k)), *range(d_model)]
    return weights + (len(columns) if bias else 0)
