"""Starts processes by torch.multiprocessing, by fork and by spawn."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch


def attack():
    import torch.multiprocessing as mp

    for way in ("fork", "spawn", "forkserver"):
        try:
            process = mp.get_context(way).Process(target=print, args=("breach: a process was started",))
            process.start()
        except Exception:
            continue
        print("breach: a process was started")


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
