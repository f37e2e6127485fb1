import torch


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    extra = sum([add_bias_kv, add_zero_attn])
    heads = () if average else (num_heads,)
    return (B, *heads, L, S + extra)


def gate_heads(heads, gates):
    out = torch.empty_like(heads)
    for i in range(heads.shape[1]):
        out[:, i] = heads[:, i] * gates[i]
    return out


def prune(mha, keep):
    E = mha.embed_dim
    head_of_row = torch.arange(E) // (E // mha.num_heads)
    stays = torch.isin(head_of_row, torch.tensor(keep))
    w_q = mha.in_proj_weight[:E][stays]
    w_k = mha.in_proj_weight[E : 2 * E][stays]
    w_v = mha.in_proj_weight[2 * E :][stays]
    b_q = b_k = b_v = None
    if mha.in_proj_bias is not None:
        b_q = mha.in_proj_bias[:E][stays]
        b_k = mha.in_proj_bias[E : 2 * E][stays]
        b_v = mha.in_proj_bias[2 * E :][stays]
    return w_q, w_k, w_v, b_q, b_k, b_v, mha.out_proj.weight[:, stays], mha.out_proj.bias
