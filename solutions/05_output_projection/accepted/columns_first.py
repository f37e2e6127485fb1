"""Mathematicians' layout: positions are columns, and W^O stands in front."""

import numpy as np


def project_heads(heads: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    stacked = np.concatenate([head.T for head in heads])  # (h * d_v, L)
    return (w_o.T @ stacked).T
