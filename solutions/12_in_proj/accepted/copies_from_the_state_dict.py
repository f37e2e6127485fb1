def split_in_proj(mha):
    state = {name: tensor.clone() for name, tensor in mha.state_dict().items()}
    if "in_proj_weight" in state:
        weights = list(state["in_proj_weight"].unflatten(0, (3, mha.embed_dim)).unbind(0))
    else:
        weights = [state[f"{letter}_proj_weight"] for letter in "qkv"]
    if "in_proj_bias" in state:
        biases = list(state["in_proj_bias"].reshape(3, -1))
    else:
        biases = [None] * 3
    return weights + biases


def project(mha, query, key, value):
    parts = split_in_proj(mha)
    results = []
    for x, weight, bias in zip((query, key, value), parts[:3], parts[3:]):
        if not mha.batch_first:
            x = x.swapaxes(0, 1)
        x = x.matmul(weight.transpose(-1, -2))
        if bias is not None:
            x += bias
        results.append(x.reshape(*x.shape[:-1], mha.num_heads, mha.head_dim).swapdims(1, 2).contiguous())
    return tuple(results)
