"""Changes the default dtype, device, number of threads and determinism of torch."""
# verdict: wrong | partly | crashed | time_limit
# points: as zeros
import torch

torch.set_default_dtype(torch.float16)
torch.set_num_threads(64)
torch.use_deterministic_algorithms(True)
torch.set_grad_enabled(False)
torch.set_flush_denormal(True)
torch.set_default_device("meta")


def split_heads(x, num_heads):
    B, L, d_model = x.shape
    return torch.zeros(B, num_heads, L, d_model // max(num_heads, 1), dtype=x.dtype, device="cpu")


def merge_heads(heads):
    B, h, L, d_k = heads.shape
    return torch.zeros(B, L, h * d_k, dtype=heads.dtype, device="cpu")
