import torch


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError(f"{x.shape[-1]} columns, {num_heads} heads")
    return torch.stack(torch.chunk(x, num_heads, dim=-1), dim=1)


def merge_heads(heads):
    return torch.cat([head for head in heads.unbind(dim=1)], dim=-1)
