import torch


def per_head_weights(mha, x):
    with torch.no_grad():
        _, weights = mha(query=x, key=x, value=x, need_weights=True, average_attn_weights=False)
    return weights


def mean_weights(mha, x):
    per_head = per_head_weights(mha, x)
    return sum(per_head.unbind(dim=1)) / per_head.shape[1]


def output_only(mha, x):
    with torch.no_grad():
        output, weights = mha(x, x, x, need_weights=False, average_attn_weights=False)
    assert weights is None
    return output
