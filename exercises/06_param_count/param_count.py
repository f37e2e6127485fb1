"""Exercise 06: what several heads cost in parameters."""


def head_dim(d_model: int, num_heads: int) -> int:
    """Width of one head when d_model is cut into equal parts: d_k.

    Args:
        d_model: numbers for one position, all heads together; at least 1.
        num_heads: h, the number of heads.

    Returns:
        d_k = d_model / num_heads, a whole number.

    Raises:
        ValueError: num_heads does not divide d_model, or is smaller than 1; the text names both numbers.
    """
    # TODO: write this function, then the two below.
    raise NotImplementedError


def count_naive(d_model: int, num_heads: int) -> int:
    """Parameters of the naive plan: every head has W^Q, W^K and W^V at full width, and there is no W^O.

    Args:
        d_model: width of the input and, in this plan, of every head.
        num_heads: h, the number of heads.

    Returns:
        The number of weights of all heads together, a whole number; this plan has no biases.
    """
    raise NotImplementedError


def count_multi_head(d_model: int, num_heads: int, bias: bool = False) -> int:
    """Parameters of multi-head attention: heads of width d_k, then W^O.

    Args:
        d_model: width of the input, of all heads together, and of the result.
        num_heads: h, a number that divides d_model.
        bias: True: each of the four projections (query, key, value, output) adds a bias to every number that it
            computes. False: there are weights only.

    Returns:
        The number of weights, and of biases where there are any, a whole number.
    """
    raise NotImplementedError
