def project_heads(heads, w_o):
    d_v = heads.shape[2]
    return sum(head @ w_o[i * d_v : (i + 1) * d_v] for i, head in enumerate(heads))
