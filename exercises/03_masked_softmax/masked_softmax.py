"""Exercise 03: from scores to attention weights, with a mask."""

import numpy as np


def causal_allowed(length: int) -> np.ndarray:
    """The causal mask: position i may look at itself and at every earlier position: length -> (L, L).

    Args:
        length: L, the number of positions.

    Returns:
        Array of shape (L, L) and dtype bool; entry [i, j] is True where query i may attend to key j.
    """
    # TODO: write this function, then the one below.
    raise NotImplementedError


def masked_softmax(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Turns scores into weights that sum to 1 over the keys: (h, L, S) -> (h, L, S).

    Args:
        scores: shape (h, L, S); scores[i, t, s] says how well key s fits query t in head i.
        allowed: bool, True = may attend. Shape (L, S), the same mask for every head, or (h, L, S), one mask for each
            head. None: every query may attend to every key.

    Returns:
        Weights of shape (h, L, S). Each row sums to 1; a key that is not allowed has the weight 0.
    """
    raise NotImplementedError
