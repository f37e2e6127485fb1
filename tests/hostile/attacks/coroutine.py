"""Is a coroutine function: a call gives an object that was never run."""
# verdict: wrong
# points: none
# says: checks.no_array
import numpy as np


async def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
