"""The old way: heads are folded into the batch, heads first, and unfolded in the same order."""

import torch


class DoesNotFit(ValueError):
    pass


def split_heads(x, num_heads):
    B, L, d_model = x.size()
    if num_heads <= 0 or d_model // num_heads * num_heads != d_model:
        raise DoesNotFit(d_model, num_heads)
    folded = torch.cat(x.split(d_model // num_heads, dim=2), dim=0)  # (h * B, L, d_k)
    return folded.view(num_heads, B, L, -1).transpose(0, 1)


def merge_heads(heads):
    B, h, L, d_k = heads.size()
    folded = heads.transpose(0, 1).reshape(h * B, L, d_k)
    return torch.cat(folded.split(B, dim=0), dim=2)
