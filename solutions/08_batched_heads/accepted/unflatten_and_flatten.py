import torch


def split_heads(x, num_heads):
    d_model = x.size(-1)
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("d_model={} is not divisible by num_heads={}".format(d_model, num_heads))
    return x.unflatten(-1, (num_heads, -1)).movedim(2, 1)


def merge_heads(heads):
    return heads.movedim(1, 2).flatten(start_dim=2).contiguous()
