"""Saves tensors into every folder that it can name."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch


def attack():
    for folder in """@@WRITE@@""".splitlines():
        try:
            torch.save(torch.ones(3), f"{folder}/@@MARK@@.pt")
        except Exception:
            continue
        print(f"breach: saved a tensor in {folder}")


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
