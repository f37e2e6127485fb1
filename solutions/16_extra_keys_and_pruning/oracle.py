"""Oracle of 16_extra_keys_and_pruning: the module is asked for the shape, heads are gated and kept number by number."""

import torch
from torch import nn


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    """The shape of the weights that a module of torch returns."""
    mha = nn.MultiheadAttention(num_heads, num_heads, add_bias_kv=add_bias_kv, add_zero_attn=add_zero_attn)
    query, key = torch.ones(L, B, num_heads), torch.ones(S, B, num_heads)
    return tuple(mha(query, key, key, average_attn_weights=average)[1].shape)


def gate_heads(heads, gates):
    """Entry [b, i, t, c] is heads[b, i, t, c] * gates[i]."""
    gated = torch.zeros_like(heads)
    for b in range(heads.shape[0]):
        for i in range(heads.shape[1]):
            for t in range(heads.shape[2]):
                for c in range(heads.shape[3]):
                    gated[b, i, t, c] = float(heads[b, i, t, c]) * float(gates[i])
    return gated


def prune(mha, keep):
    """Output o of W_Q, W_K or W_V belongs to head o // d_k; W_O reads it as its input o."""
    E, state = mha.embed_dim, mha.state_dict()
    stays = [o for o in range(E) if o // (E // mha.num_heads) in keep]
    weights = [torch.stack([state["in_proj_weight"][part * E + o] for o in stays]) for part in range(3)]
    w_o = torch.stack([state["out_proj.weight"][:, o] for o in stays], dim=1)
    if "in_proj_bias" not in state:
        return (*weights, None, None, None, w_o, None)
    biases = [torch.stack([state["in_proj_bias"][part * E + o] for o in stays]) for part in range(3)]
    return (*weights, *biases, w_o, state["out_proj.bias"])
