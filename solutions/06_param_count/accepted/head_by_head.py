def head_dim(d_model, num_heads):
    candidates = [d for d in range(1, d_model + 1) if d * num_heads == d_model]
    if not candidates:
        raise ValueError(f"no width d with {num_heads} * d == {d_model}")
    return candidates[0]


def count_naive(d_model, num_heads):
    total = 0
    for _ in range(num_heads):
        total += d_model * d_model  # W_q
        total += d_model * d_model  # W_k
        total += d_model * d_model  # W_v
    return total


def count_multi_head(d_model, num_heads, bias=False):
    d_k = head_dim(d_model, num_heads)
    total = 0
    for _ in range(num_heads):
        total += 3 * d_model * d_k
        total += d_k * d_model  # the rows of W^O that belong to this head
        if bias:
            total += 3 * d_k
    if bias:
        total += d_model
    return total
