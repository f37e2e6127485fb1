"""Tensors, modules and gradients cross the wire, and a torch zygote forks quickly and safely."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from grader.model import Limits
from grader.sandbox import tensors, wire
from grader.sandbox.client import LocalSubject, MissingName, Sandbox, Stopped, Subject

ATTENTION = wire.Build("torch.nn.MultiheadAttention", {"embed_dim": 6, "num_heads": 2, "batch_first": True})


TENSORS = {
    "plain": torch.arange(6.0).reshape(2, 3),
    "transposed": torch.arange(6.0).reshape(2, 3).T,
    "three axes": torch.arange(24.0).reshape(2, 3, 4).transpose(0, 1),
    "strided": torch.arange(6)[::2],
    "expanded": torch.arange(3.0).expand(2, 3),
    "number": torch.tensor(3),
    "empty": torch.zeros(0, 3),
    "requires grad": torch.ones(2, requires_grad=True),
    "conjugate": torch.tensor([1 + 2j]).conj(),
}


@pytest.mark.parametrize("tensor", TENSORS.values(), ids=TENSORS.keys())
def test_tensors_keep_values_layout_and_the_wish_for_a_gradient(tensor: torch.Tensor) -> None:
    """A tensor comes back equal, contiguous exactly where it was, and asking for gradients where it did."""
    got = wire.decode(wire.encode(tensor))
    assert torch.equal(got, tensor)
    assert got.is_contiguous() == tensor.is_contiguous()
    assert got.requires_grad == tensor.requires_grad


@pytest.mark.slow
def test_the_clock_starts_with_the_submission() -> None:
    """Situation C008: what a sandbox needs to start, here longer than the limit, is taken from no submission's time."""
    with Sandbox(("numpy", "torch")) as sandbox:
        subject = sandbox.open(b"import torch\ndef f(x):\n    return torch.ones(x)", "a.py", Limits(wall_s=1.0))
        subject.begin_check()
        assert torch.equal(subject.f(2), torch.ones(2))
        subject.close()


@pytest.mark.parametrize("name", sorted(tensors.ITEM_BYTES))
def test_every_dtype_crosses(name: str) -> None:
    """Each dtype of the list, float16 and bfloat16 among them, keeps its values."""
    tensor = torch.tensor([0, 1, 1]).to(getattr(torch, name))
    got = wire.decode(wire.encode(tensor))
    assert got.dtype == tensor.dtype
    assert torch.equal(got, tensor)
    assert tensor.element_size() == tensors.ITEM_BYTES[name]


class Tampered(torch.Tensor):
    """A subclass of a tensor that could answer anything."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (torch.nn.Parameter(torch.ones(2)), torch.ones(2)),
        (torch.Size([2, 3]), (2, 3)),
        (torch.zeros(2, device="meta"), "torch.Tensor"),
        (torch.eye(2).to_sparse(), "torch.Tensor"),
        (torch.ones(2).as_subclass(Tampered), f"{Tampered.__module__}.Tampered"),
    ],
    ids=["parameter", "size", "meta", "sparse", "subclass"],
)
def test_relatives_of_tensors_cross_as_plain_data_or_as_a_label(value: object, expected: object) -> None:
    """A parameter is a tensor, a size a tuple; what is no dense CPU tensor becomes a label."""
    got = wire.decode(wire.encode(value))
    if isinstance(expected, torch.Tensor):
        assert torch.equal(got.detach(), expected)
    else:
        assert (got.type_name if isinstance(got, wire.Opaque) else got) == expected


@pytest.mark.parametrize(
    ("tensor", "said"),
    [(torch.zeros(1).expand(10**5, 10**5), "40000000000 bytes"), (torch.zeros([1] * 17), "a tensor of shape")],
    ids=["lazy 40 GB", "seventeen axes"],
)
def test_a_tensor_that_is_too_much_is_refused_before_it_is_copied(tensor: torch.Tensor, said: str) -> None:
    """The size of an expanded tensor is counted as what a copy would take."""
    with pytest.raises(wire.WireError, match=said):
        wire.encode(tensor)


FORGED = {
    "unknown dtype": b"R\x00\x00\x04void\x00",
    "an order of other axes": b"R\x00\x02\x00\x00\x07float32\x02\x01" + b"\0" * 7 + b"\x01" + b"\0" * 7 + b"\0" * 4,
    "more numbers than bytes": b"R\x00\x00\x07float32\x01\x09" + b"\0" * 7 + b"\0" * 4,
    "a bool that is two": b"R\x00\x00\x04bool\x01\x01" + b"\0" * 7 + b"\x02",
    "gradients of whole numbers": b"R\x01\x00\x05int64\x00" + b"\0" * 8,
    "a build without name": b"M(\x00\x00\x00\x00",
}


@pytest.mark.parametrize("payload", FORGED.values(), ids=FORGED.keys())
def test_forged_tensors_are_refused(payload: bytes) -> None:
    """Bytes that `encode` never writes raise WireError and nothing else."""
    with pytest.raises(wire.WireError):
        wire.decode(payload)


def test_a_submission_gets_and_returns_tensors(opened: Callable[[str], Subject]) -> None:
    """Tensors go in and come back, with the layout that the submission gave them."""
    got = opened("def f(x):\n    return x.transpose(1, 2)").f(torch.arange(24.0).reshape(2, 3, 4))
    assert got.shape == (2, 4, 3)
    assert not got.is_contiguous()


def test_a_described_module_is_made_in_the_worker(opened: Callable[[str], Subject]) -> None:
    """The same description gives the submission and our side modules of the same parameters."""
    state = {name: torch.randn(value.shape) for name, value in torch.nn.MultiheadAttention(6, 2).state_dict().items()}
    build = wire.Build(ATTENTION.target, ATTENTION.arguments, state)
    source = "def f(m, x):\n    return m(x, x, x)[0]"
    x = torch.randn(2, 5, 6)
    ours = LocalSubject(type("Module", (), {"f": staticmethod(lambda m, x: m(x, x, x)[0])}))
    assert torch.allclose(opened(source).f(build, x), ours.f(build, x), atol=1e-6)


@pytest.mark.parametrize(
    ("act", "changed"),
    [
        ("m(x, x, x)", ()),
        ("m.train(); m.eval()", ()),
        ("m.train()", ("m",)),
        ("m.in_proj_weight.data.zero_()", ("m",)),
        ("m.batch_first = False", ("m",)),
        ("x.mul_(2)", ("x",)),
    ],
)
def test_a_module_or_tensor_changed_by_a_call_is_named(
    opened: Callable[[str], Subject], act: str, changed: tuple[str, ...]
) -> None:
    """Parameters, mode and flags of a module count as its value; what is put back is unchanged."""
    subject = opened(f"def f(m, x):\n    {act}\n    return x")
    subject.f(ATTENTION, torch.ones(2, 5, 6))
    assert subject.changed == changed


def test_a_recording_module_shows_the_arguments_of_its_calls(opened: Callable[[str], Subject]) -> None:
    """Every call of forward is kept by parameter name, defaults filled in, tensors as their shapes."""
    subject = opened("def f(m, x):\n    return m(x, x, value=x, need_weights=False)[0]")
    made = subject.build(wire.Build(ATTENTION.target, ATTENTION.arguments, recording=True))
    subject.f(made, torch.ones(2, 5, 6))
    (call,) = made.calls()
    assert call["query"] == (2, 5, 6)
    assert (call["need_weights"], call["average_attn_weights"], call["attn_mask"]) == (False, True, None)


def test_gradients_are_computed_where_the_module_is(opened: Callable[[str], Subject]) -> None:
    """Of sum(cotangent * output): the gradient of each input that asks, and the sum of squares over all parameters."""
    source = """
import torch
class Twice(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor([2.0, 3.0]))
    def forward(self, x):
        return self.w * x, None
"""
    made = opened(source).make("Twice")
    x, cotangent = torch.tensor([5.0, 7.0], requires_grad=True), torch.tensor([1.0, 10.0])
    told = made.gradients("forward", x, cotangent=cotangent)
    assert told["value"][0].tolist() == [10, 21]
    assert told["inputs"][0].tolist() == [2, 30]
    assert told["parameters"] == 5.0**2 + 70.0**2


@pytest.mark.parametrize("line", ["torch.optim.SGD([torch.nn.Parameter(x)], 0.1)", "torch.func.grad(torch.sum)(x)"])
def test_parts_that_torch_imports_late_can_be_used(opened: Callable[[str], Subject], line: str) -> None:
    """What torch imports only when it is used, and all that needs, can be read in the sandbox."""
    assert opened(f"import torch\ndef f(x):\n    {line}\n    return 1").f(torch.ones(2)) == 1


QUIET = """
import torch
from torch.nn import functional as F
def f(x):
    for x in (x, x.double()):
        F.scaled_dot_product_attention(x[:, None], x[:, None], x[:, None], is_causal=True)
        w = F.softmax(torch.einsum("bld,bmd->blm", x, x) + x @ x.transpose(1, 2), dim=-1)
        torch.bmm(w, x).var(), F.dropout(x), F.linear(x, x[0], x[0, 0]), x[0] @ x[0].T, torch.allclose(x, x)
        m = torch.nn.MultiheadAttention(4, 2, batch_first=True, dtype=x.dtype)
        m(x, x, x, attn_mask=torch.ones(4, 4).triu(1) > 0)[0].sum().backward()
        with torch.no_grad():
            m.eval()(x, x, x)
    return 1
"""


def test_torch_says_nothing_by_itself(opened: Callable[[str], Subject]) -> None:
    """What a submission with tensors did not print does not stand in its output: torch has looked at /proc before."""
    subject = opened(QUIET)
    assert subject.f(torch.ones(2, 4, 4)) == 1
    assert subject.printed.text == ""


def test_torch_out_of_memory_is_the_memory_limit(opened: Callable[[str], Subject]) -> None:
    """Torch raises a RuntimeError where Python raises MemoryError; both are the same limit, above the zygote's own."""
    with pytest.raises(Stopped) as caught:
        opened("import torch\ndef f():\n    return torch.empty(10**9)").f()
    assert caught.value.reason == "memory_limit"
    assert opened("import torch\ndef f():\n    return torch.zeros(30 * 2**20).sum()").f() == 0


def test_a_sandbox_for_many_has_loaded_the_late_parts() -> None:
    """What drags hundreds of modules along lies there before the first fork, in huge pages, and all still works."""
    source = b"""
import sys, torch
def f(x):
    before = len(sys.modules)
    m = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    m(x, x, x, key_padding_mask=torch.zeros(x.shape[:2], dtype=torch.bool))[0].sum().backward()
    torch.optim.SGD(m.parameters(), 0.1).step()
    return len(sys.modules) - before
"""
    with Sandbox(("numpy", "torch"), many=True) as sandbox:
        for _ in range(2):
            subject = sandbox.open(source, "a.py", Limits(wall_s=60.0, memory_mib=256))
            assert subject.f(torch.ones(2, 3, 4)) <= 5
            assert subject.printed.text == ""
            subject.close()


def test_the_memory_limit_counts_above_torch_itself(torch_sandbox: Sandbox) -> None:
    """With 512 MiB allowed, a tensor of 300 MB is made whatever torch itself takes, and one of 600 MB is too much."""
    limits = Limits(wall_s=60.0, memory_mib=512)
    subject = torch_sandbox.open(b"import torch\ndef f(n):\n    return torch.ones(n // 4).numel()", "a.py", limits)
    assert subject.f(300_000_000) == 75_000_000
    with pytest.raises(Stopped) as caught:
        subject.f(600_000_000)
    assert caught.value.reason == "memory_limit"
    subject.close()


def test_an_exception_of_torch_names_the_tensors_of_the_line(opened: Callable[[str], Subject]) -> None:
    """Shapes and dtypes of tensors come along as those of arrays do."""
    with pytest.raises(Exception, match="invalid for input of size") as caught:
        opened("def f(x):\n    return x.view(3, 7)").f(torch.ones(4, 5))
    assert caught.value.report.arrays == (wire.ArrayShape("x", "float32", (4, 5)),)


def test_numpy_still_crosses_and_missing_names_are_said(opened: Callable[[str], Subject]) -> None:
    """A torch worker serves arrays as well."""
    subject = opened("def f(x):\n    return x.numpy()")
    assert np.array_equal(subject.f(torch.ones(2)), np.ones(2))
    with pytest.raises(MissingName):
        subject.g()
