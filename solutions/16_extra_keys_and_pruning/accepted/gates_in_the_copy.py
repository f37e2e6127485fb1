import itertools

import torch


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    keys = S + (1 if add_bias_kv else 0) + (1 if add_zero_attn else 0)
    per_head = torch.Size([B, num_heads, L, keys])
    return tuple(per_head[:1] + per_head[2:]) if average else tuple(per_head)


def gate_heads(heads, gates):
    result = heads.clone()
    result *= gates.reshape(1, -1, 1, 1)
    return result


def prune(mha, keep):
    E, h = mha.embed_dim, mha.num_heads
    d = E // h
    index = list(itertools.chain.from_iterable(range(i * d, i * d + d) for i in keep))
    index = torch.tensor(index)
    state = mha.state_dict()
    fused = state["in_proj_weight"]
    weights = [fused.index_select(0, index + part * E) for part in range(3)]
    if "in_proj_bias" in state:
        biases = [state["in_proj_bias"].index_select(0, index + part * E) for part in range(3)]
    else:
        biases = [None] * 3
    return tuple(weights + biases + [state["out_proj.weight"].index_select(1, index), state.get("out_proj.bias")])
