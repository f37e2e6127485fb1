"""Downloads weights from a server on this machine."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch


def attack():
    torch.hub.load_state_dict_from_url("http://127.0.0.1:@@TCP@@/weights.pt", progress=False)
    print("breach: something was downloaded")


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
