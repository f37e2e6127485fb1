"""Whole submissions of the torch exercises that touch what a check looks at lose what is wrong, and no more."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import pytest

from grader.course import Course, installed_course, load_course, load_exercise
from grader.judge.grading import grade_one
from grader.model import GradeReport, Submission, Verdict
from grader.sandbox.client import Sandbox

pytestmark = pytest.mark.slow

OWN = """
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("the heads are no equal parts")
        self.h, self.E = num_heads, embed_dim
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim, bias=bias) for _ in range(4))
    def forward(self, query, key, value, allowed=None):
        {act}
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for f, x in ((self.q, query), (self.k, key), (self.v, value)))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = (scores if allowed is None else scores.masked_fill(~allowed, -torch.inf)).softmax(-1)
        return {pair}
    @classmethod
    def from_torch(cls, mha):
        layer = cls(mha.embed_dim, mha.num_heads, mha.in_proj_bias is not None).to(mha.out_proj.weight.dtype)
        for name in ("weight", "bias"):
            if getattr(mha.out_proj, name) is not None:
                thirds = getattr(mha, f"in_proj_{{name}}").detach().chunk(3)
                for part, third in zip((layer.q, layer.k, layer.v, layer.o), (*thirds, getattr(mha.out_proj, name))):
                    getattr(part, name).data.copy_(third)
        return layer
"""
RESULT = "self.o((weights @ v).transpose(1, 2).flatten(2)), weights"
WORDS = 'assert query.shape[-1] == self.E, f"was expecting embedding dimension of {self.E}, got {query.shape[-1]}"'

WRAPPED = """
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1:
            raise ValueError(num_heads)
        self.m = {kept}
    def forward(self, query, key, value, allowed=None):
        {act}
        if allowed is not None:
            size = len(query), self.m{inner}.num_heads, query.shape[1], key.shape[1]
            allowed = ~allowed.expand(size).flatten(0, 1)
        return self.m{inner}(query, key, value, attn_mask=allowed, average_attn_weights=False)
    @classmethod
    def from_torch(cls, mha):
        layer = cls(mha.embed_dim, mha.num_heads, mha.in_proj_bias is not None).to(mha.out_proj.weight.dtype)
        layer.m{inner}.load_state_dict(mha.state_dict())
        return layer
"""
MODULE = "nn.MultiheadAttention(embed_dim, num_heads, bias=bias, batch_first=True)"
ASKED = 'assert query.shape[-1] == self.m{inner}.embed_dim, "another width"'

WEIGHTS = """
def mean_weights(mha, x):
    return mha(x, x, x)[1]
def per_head_weights(mha, x):
    return mha(x, x, x, average_attn_weights=False)[1]
def output_only(mha, x):
    {act}
    return out
"""


@pytest.fixture(scope="module")
def course() -> Course:
    """The course of this checkout."""
    return load_course(installed_course())


@pytest.fixture(scope="module")
def graded(course: Course) -> Iterator[Callable[[str, str], GradeReport]]:
    """Grades a source as an answer to an exercise."""
    with Sandbox(packages=("numpy", "torch")) as sandbox:

        def graded(name: str, source: str) -> GradeReport:
            exercise = load_exercise(course, name)
            data = source.encode()
            given = Submission("ada", name, f"{exercise.module}.py", data, hashlib.sha256(data).hexdigest())
            return grade_one(course, exercise, given, sandbox=sandbox)

        yield graded


def lost(report: GradeReport) -> set[str]:
    """The checks that gave no point."""
    return {check.name for check in report.checks if not check.points}


def named(report: GradeReport) -> list[str]:
    """The mistakes that are named."""
    return [finding.mistake.slug for finding in report.diagnosis.findings]


# --- 14: who does the work ---------------------------------------------------------------------------------------


def test_the_words_of_torch_in_code_of_ones_own_are_no_mistake(graded: Callable[[str, str], GradeReport]) -> None:
    """A layer that refuses a wrong width in the words of torch is right; a list of both results is too."""
    report = graded("14_from_scratch", OWN.format(act=WORDS, pair=f"[{RESULT}]"))
    assert (lost(report), named(report)) == (set(), [])


@pytest.mark.parametrize(
    ("kept", "inner", "act", "slugs"),
    [
        (MODULE, "", "pass", ["attention-left-to-the-module-of-torch"]),
        (MODULE, "", ASKED, []),
        (f"nn.ModuleList([nn.Sequential({MODULE})])", "[0][0]", ASKED, []),
    ],
    ids=["plainly", "behind an assert", "in a list"],
)
def test_the_module_of_torch_in_a_layer_takes_one_point(
    graded: Callable[[str, str], GradeReport], kept: str, inner: str, act: str, slugs: list[str]
) -> None:
    """Wherever it is kept, one check sees it; the mistake is named where torch is seen to answer."""
    source = WRAPPED.format(kept=kept, inner=inner, act=act.format(inner=inner))
    report = graded("14_from_scratch", source)
    assert (lost(report), report.points, named(report)) == ({"test_parts_are_registered_and_its_own"}, 9, slugs)
    assert {each.message.key for check in report.checks for each in check.failures} == {"checks.left_to_library"}


# --- what is done to what a check looks at -----------------------------------------------------------------------


def test_gradients_switched_off_in_the_layer_are_wrong_gradients(graded: Callable[[str, str], GradeReport]) -> None:
    """An input that no longer asks for its gradient costs the points for gradients, and the check does not fail."""
    report = graded("14_from_scratch", OWN.format(act="value.requires_grad_(False)", pair=RESULT))
    assert lost(report) == {"test_gradients_are_those_of_torch"}


def test_gradients_switched_off_in_a_function_are_wrong_gradients(graded: Callable[[str, str], GradeReport]) -> None:
    """The same where a function is differentiated by an input alone."""
    source = """
import torch
def padded_attention(mha, x, lengths):
    x.requires_grad_(False)
    padding = (torch.arange(x.shape[1]) >= lengths[:, None]) & (lengths > 0)[:, None]
    return mha(x, x, x, key_padding_mask=padding, average_attn_weights=False)
"""
    report = graded("13_masks", source)
    (check,) = (check for check in report.checks if check.name == "test_empty_sentence_gives_no_nan")
    assert [failure.message.key for failure in check.failures][:1] == ["checks.wrong_values"]


@pytest.mark.parametrize(
    "act",
    [
        "out = mha(x, x, x)[0]; mha.recorded = None",
        "out = mha(x, x, x)[0]; getattr(mha, 'recorded', []).clear()",
        "out = type(mha).forward(mha, x, x, x)[0]",
    ],
)
def test_weights_that_are_asked_for_are_seen(graded: Callable[[str, str], GradeReport], act: str) -> None:
    """Whatever is done to the module afterwards, and whichever way it is called."""
    report = graded("11_attention_weights", WEIGHTS.format(act=act))
    assert "test_output_asks_for_no_weights" in lost(report)
    assert report.verdict is not Verdict.GRADER_ERROR
