import torch


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads not in [n for n in range(1, d_model + 1) if d_model % n == 0]:
        raise ValueError(f"num_heads {num_heads} is no divisor of d_model {d_model}")
    owned = torch.arange(d_model).reshape(num_heads, -1)  # row i: the columns of head i
    return x[:, :, owned].permute(0, 2, 1, 3)


def merge_heads(heads):
    rows = torch.permute(heads, (0, 2, 1, 3))
    return rows.contiguous().view(*rows.shape[:2], -1)
