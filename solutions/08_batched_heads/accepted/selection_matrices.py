import torch


def _pick(num_heads: int, d_k: int, dtype: torch.dtype) -> torch.Tensor:
    """(h, d_model, d_k): matrix i picks the columns of head i."""
    eye = torch.eye(num_heads * d_k, dtype=dtype)
    return eye.reshape(num_heads * d_k, num_heads, d_k).transpose(0, 1)


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    d_model = x.shape[2]
    if not (num_heads >= 1 and d_model % num_heads == 0):
        message = "d_model %d does not fit num_heads %d" % (d_model, num_heads)
        raise ValueError(message)
    return torch.einsum("blm,hmk->bhlk", x, _pick(num_heads, d_model // num_heads, x.dtype))


def merge_heads(heads: torch.Tensor) -> torch.Tensor:
    _, h, _, d_k = heads.shape
    return torch.einsum("bhlk,hmk->blm", heads, _pick(h, d_k, heads.dtype))
