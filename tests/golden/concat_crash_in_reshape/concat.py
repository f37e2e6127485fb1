def concat_heads(heads):
    h, L, d_v = heads.shape
    out = heads.transpose(1, 0, 2)
    return out.reshape(h, h * d_v)
