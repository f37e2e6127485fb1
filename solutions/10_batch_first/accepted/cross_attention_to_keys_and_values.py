import torch
from torch import nn


def make_attention(embed_dim, num_heads):
    assert embed_dim % num_heads == 0
    return nn.MultiheadAttention(embed_dim, num_heads, batch_first=True).eval()


def attend(mha, x):
    order = (0, 1, 2) if mha.batch_first else (1, 0, 2)
    q, k, v = (x.permute(order) for _ in range(3))
    with torch.no_grad():
        outputs = mha.forward(query=q, value=v, key=k, average_attn_weights=False)
    return outputs[0].permute(order).contiguous()
