"""Has torch.load run a shell command from a pickle."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import io
import os

import torch


def attack():
    class Command:
        def __reduce__(self):
            return os.system, ("touch /tmp/@@MARK@@-pickle",)

    buffer = io.BytesIO()
    torch.save(Command(), buffer)
    buffer.seek(0)
    if torch.load(buffer, weights_only=False) == 0:
        print("breach: a shell command ran")


def safely():
    try:
        attack()
    except Exception:  # refused: as it should be
        pass


def split_heads(x, num_heads):
    safely()
    B, L, d_model = x.shape
    return torch.zeros(B, num_heads, L, d_model // max(num_heads, 1), dtype=x.dtype)


def merge_heads(heads):
    safely()
    B, h, L, d_k = heads.shape
    return torch.zeros(B, L, h * d_k, dtype=heads.dtype)
