"""Sample checks for 06_param_count. Run them with: python -m pytest test_param_count.py."""

import pytest
from param_count import count_multi_head, count_naive, head_dim


def test_width_of_one_head():
    """Six numbers make two heads of three; GPT-2 cuts 768 into 12 heads of 64."""
    assert head_dim(6, 2) == 3
    assert head_dim(768, 12) == 64


def test_width_that_cannot_be_cut():
    """768 numbers do not make 10 equal heads, and the text says which two numbers do not fit."""
    with pytest.raises(ValueError, match="768") as caught:
        head_dim(768, 10)
    assert "10" in str(caught.value).replace("768", "")


def test_small_bills():
    """The example of the task: two heads over six numbers."""
    assert count_naive(6, 2) == 216
    assert count_multi_head(6, 2) == 144
    assert count_multi_head(6, 2, bias=True) == 168


def test_bills_of_gpt_2():
    """Twelve heads over 768 numbers: both bills of the lesson, and the second one with biases."""
    assert count_naive(768, 12) == 21_233_664
    assert count_multi_head(768, 12) == 2_359_296
    assert count_multi_head(768, 12, bias=True) == 2_362_368


def test_bill_of_a_torch_module():
    """nn.MultiheadAttention(64, 8) has biases unless told otherwise, and 16,640 parameters."""
    assert count_multi_head(64, 8, bias=True) == 16_640
    assert count_multi_head(64, 8, bias=False) == 16_384
