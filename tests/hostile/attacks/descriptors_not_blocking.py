"""Makes every descriptor non-blocking, its own standard output and the reply socket included, and prints much."""
# verdict: partly | accepted | crashed
# points: any
import os

import numpy as np

for descriptor in range(64):
    try:
        os.set_blocking(descriptor, False)
    except OSError:
        pass


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
