def concat_heads(heads):
    i = 0
    while i < len(heads): out = heads[i]
    return out
