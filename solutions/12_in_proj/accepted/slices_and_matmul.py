def split_in_proj(mha):
    E = mha.embed_dim
    if mha.in_proj_weight is not None:
        w = mha.in_proj_weight
        w_q, w_k, w_v = w[:E, :], w[E : 2 * E, :], w[2 * E :, :]
    else:
        w_q, w_k, w_v = mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight
    b_q = b_k = b_v = None
    if mha.in_proj_bias is not None:
        b_q, b_k, b_v = mha.in_proj_bias[:E], mha.in_proj_bias[E : 2 * E], mha.in_proj_bias[2 * E :]
    return w_q, w_k, w_v, b_q, b_k, b_v


def project(mha, query, key, value):
    w_q, w_k, w_v, b_q, b_k, b_v = split_in_proj(mha)
    if not mha.batch_first:
        query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
    q, k, v = query @ w_q.T, key @ w_k.mT, value @ w_v.t()
    if b_q is not None:
        q, k, v = q + b_q, k + b_k, v + b_v
    B, L, E = q.shape
    S = k.shape[1]
    h, d_k = mha.num_heads, E // mha.num_heads
    q = q.view(B, L, h, d_k).permute(0, 2, 1, 3)
    k = k.view(B, S, h, d_k).permute(0, 2, 1, 3)
    v = v.view(B, S, h, d_k).permute(0, 2, 1, 3)
    return q, k, v
