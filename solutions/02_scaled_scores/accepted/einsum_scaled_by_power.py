import numpy as np


def scaled_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    *_, d_k = q.shape
    return np.einsum("hld,hsd->hls", q, k) * d_k**-0.5
