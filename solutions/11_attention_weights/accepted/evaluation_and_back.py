"""In evaluation mode while the weights are read, then back to the mode it came in."""

from contextlib import contextmanager

import torch


@contextmanager
def evaluating(module):
    was_training = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(was_training)


def mean_weights(mha, x):
    with evaluating(mha), torch.inference_mode():
        return mha(x, x, x, average_attn_weights=True)[1].clone()


def per_head_weights(mha, x):
    with evaluating(mha):
        out, weights = mha(x, x, x, average_attn_weights=False)
    return weights.detach()


def output_only(mha, x):
    with evaluating(mha):
        return mha.forward(x, x, x, need_weights=False)[0]
