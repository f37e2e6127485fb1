def mean_weights(mha, x):
    return mha(x, x, x)[1]


def per_head_weights(mha, x):
    return mha(x, x, x, None, True, None, False)[1]


def output_only(mha, x):
    return mha(x, x, x, None, False)[0]
