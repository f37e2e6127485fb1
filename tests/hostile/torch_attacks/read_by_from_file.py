"""Maps secret files into tensors and prints them."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch


def attack():
    for path in """@@READ@@""".splitlines():
        for read in (lambda: torch.from_file(path, size=20, dtype=torch.uint8), lambda: torch.load(path), lambda: torch.jit.load(path)):
            try:
                found = bytes(read().tolist())
            except Exception:
                continue
            print(f"breach: read {path}: {found}")


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
