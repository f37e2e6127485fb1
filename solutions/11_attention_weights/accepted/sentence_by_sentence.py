"""Each sentence by itself: a tensor of two axes is one sequence without a batch."""

import torch


def mean_weights(mha, x):
    return torch.stack([mha(sentence, sentence, sentence)[1] for sentence in x])


def per_head_weights(mha, x):
    tables = []
    for sentence in x:
        _, weights = mha(sentence, sentence, sentence, average_attn_weights=False)
        tables.append(weights)
    return torch.stack(tables, dim=0)


def output_only(mha, x):
    return torch.cat([mha(s[None], s[None], s[None], need_weights=False)[0] for s in x])
