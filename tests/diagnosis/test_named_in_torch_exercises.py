"""Mistakes of the torch exercises that chance or NaN could hide are named in code as students write it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from grader.course import load_course, load_exercise, load_module
from grader.diagnosis.engine import diagnose
from grader.diagnosis.trusted import Trusted
from grader.model import Diagnosis, DiagnosisKind

COURSE = load_course(Path(__file__).parents[2])


def _said(name: str, **changed: object) -> Diagnosis:
    """What is said of the reference of an exercise in which some functions are other ones."""
    exercise = load_exercise(COURSE, name)
    right = load_module(exercise.reference)
    defined = {each: getattr(right, each) for each in exercise.defines}
    return diagnose(COURSE, exercise, Trusted(SimpleNamespace(**defined | changed)), seed=5)


def _slugs(said: Diagnosis) -> list[str]:
    return [finding.mistake.slug for finding in said.findings]


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.02, 0.1, 0.5, 0.9])
def test_dropout_in_one_call_is_named_whatever_its_rate(p: float) -> None:
    """No two calls give the same, yet what they have in common is enough."""

    def attention_sdpa(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None) -> Tensor:
        return scaled_dot_product_attention(q, k, v, attn_mask=allowed, dropout_p=p)

    said = _said("09_scaled_dot_product", attention_sdpa=attention_sdpa)
    assert (said.kind, _slugs(said)) == (DiagnosisKind.NAMED, ["sdpa-dropout-in-every-mode"])


@pytest.mark.slow
def test_other_chance_is_no_dropout() -> None:
    """An output that changes by noise, with nothing dropped, is said to be not repeatable and nothing more."""

    def attention_sdpa(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None) -> Tensor:
        out = scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return out + 0.1 * torch.randn_like(out)

    assert _said("09_scaled_dot_product", attention_sdpa=attention_sdpa).kind is DiagnosisKind.NOT_REPEATABLE


@pytest.mark.slow
@pytest.mark.parametrize("mended", [False, True])
def test_a_sentence_without_words_is_named_by_what_was_done_about_it(mended: bool) -> None:
    """NaN in the results is one mistake, NaN left in the gradients another."""

    def padded_attention(mha: torch.nn.Module, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        padding = torch.arange(x.size(1)).unsqueeze(0) >= lengths.unsqueeze(1)
        out, weights = mha(x, x, x, key_padding_mask=padding, average_attn_weights=False)
        return (torch.nan_to_num(out), torch.nan_to_num(weights)) if mended else (out, weights)

    said = _said("13_masks", padded_attention=padded_attention)
    slug = "empty-sentence-mended-in-the-results" if mended else "empty-sentence-gives-nan"
    assert (said.kind, _slugs(said)) == (DiagnosisKind.NAMED, [slug])


@pytest.mark.slow
def test_a_finite_number_in_place_of_infinity_is_no_mistake_there() -> None:
    """Weights by hand whose blocked scores are -1e9 never become NaN, so nothing is named."""

    def padded_attention(mha: torch.nn.MultiheadAttention, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        packed = torch.nn.functional.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (mha.num_heads, -1)).transpose(1, 2) for part in packed)
        padding = torch.arange(x.size(1)) >= lengths[:, None]
        scores = q @ k.mT / mha.head_dim**0.5
        weights = scores.masked_fill(padding[:, None, None], -1e9).softmax(dim=-1)
        return mha.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights

    assert _said("13_masks", padded_attention=padded_attention).kind is DiagnosisKind.UNKNOWN
