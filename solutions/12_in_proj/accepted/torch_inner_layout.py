"""As torch does it inside: sequence first, batch and heads in one axis, and only at the end (B, h, ., d_k)."""

import torch.nn.functional as F


def split_in_proj(mha):
    fused, bias, E = mha.in_proj_weight, mha.in_proj_bias, mha.embed_dim
    separate = (mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight)
    weights = separate if fused is None else tuple(fused.narrow(0, i * E, E) for i in range(3))
    biases = (None,) * 3 if bias is None else tuple(bias.narrow(0, i * E, E) for i in range(3))
    return weights + biases


def project(mha, query, key, value):
    parts = split_in_proj(mha)
    out = []
    for i, x in enumerate([query, key, value]):
        if mha.batch_first:
            x = x.transpose(0, 1)
        length, batch, _ = x.shape
        x = F.linear(x, parts[i], parts[3 + i])  # (length, B, E)
        x = x.contiguous().view(length, batch * mha.num_heads, mha.head_dim).transpose(0, 1)
        out.append(x.reshape(batch, mha.num_heads, length, mha.head_dim))
    return out[0], out[1], out[2]
