"""Exercises of torch are diagnosed like any other: tensors, described modules, objects that stay, and gradients."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from grader.course import Course, load_exercise
from grader.diagnosis.counterexample import as_torch_makes_it
from grader.diagnosis.engine import diagnose
from grader.model import Counterexample, Diagnosis, DiagnosisKind, Limits, Shown
from grader.sandbox.client import LocalSubject, Sandbox

RIGHT = """
import torch

def attend(mha, x):
    out, _ = mha(x, x, x)
    return out

class Scaled:
    def __init__(self, factor):
        self.factor = factor
    def forward(self, x):
        return self.factor * x
"""
OF_CLASS = "\nclass Scaled(Scaled):\n    def forward(self, x):\n        "

AS_STUDENTS_WRITE = {
    "attend-in-training": "def attend(mha, x):\n    mha.training = True\n    return mha(x, x, x)[0]",
    "attend-zeroes-the-bias": (
        "def attend(mha, x):\n    mha.in_proj_bias.data = torch.zeros_like(mha.in_proj_bias.data)\n"
        "    return mha(x, x, x)[0]"
    ),
    "attend-returns-the-pair": "def attend(mha, x):\n    return mha(query=x, key=x, value=x)",
    "scaled-in-place": OF_CLASS + "x.data *= self.factor\n        return x.detach()",
    "scaled-without-factor": OF_CLASS + "return x + 0",
}


@pytest.fixture
def diagnosed(course: Course) -> Callable[[str], Diagnosis]:
    """What is said of right code in which the source defines something anew."""

    def diagnosed(source: str) -> Diagnosis:
        module = ModuleType("student")
        exec(RIGHT + source, vars(module))  # noqa: S102 - source written in these tests
        return diagnose(course, load_exercise(course, "02_attend"), LocalSubject(module), 0)

    return diagnosed


def _slugs(diagnosis: Diagnosis) -> list[str]:
    return [finding.mistake.slug for finding in diagnosis.findings]


def _example(diagnosis: Diagnosis) -> Counterexample:
    example = diagnosis.findings[0].counterexample
    assert example is not None
    return example


@pytest.mark.parametrize(("slug", "source"), AS_STUDENTS_WRITE.items(), ids=AS_STUDENTS_WRITE)
def test_a_mistake_with_tensors_is_named(diagnosed: Callable[[str], Diagnosis], slug: str, source: str) -> None:
    """Values, gradients, and what is changed in modules or through methods count as behaviour."""
    diagnosis = diagnosed(source)
    assert diagnosis.kind is DiagnosisKind.NAMED
    assert _slugs(diagnosis) == [slug]
    assert diagnosis.findings[0].counterexample is not None


def test_the_sandbox_gives_the_same_diagnosis(course: Course) -> None:
    """A submission behind the sandbox, whose objects stay there, is named as well."""
    with Sandbox(packages=("numpy", "torch")) as sandbox:
        source = RIGHT + AS_STUDENTS_WRITE["scaled-in-place"]
        subject = sandbox.open(source.encode(), "attend.py", Limits(wall_s=20))
        assert _slugs(diagnose(course, load_exercise(course, "02_attend"), subject, 0)) == ["scaled-in-place"]
        subject.close()


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def attend(mha, x):\n    return mha(x, x, x)[0].transpose(0, 1).contiguous().transpose(0, 1)",
        OF_CLASS + "return (x.float() * self.factor).double() * 0 + x * self.factor",
    ],
)
def test_right_code_with_tensors_is_never_accused(diagnosed: Callable[[str], Diagnosis], source: str) -> None:
    """The layout of a tensor in memory, and how it was computed, is no mistake."""
    diagnosis = diagnosed(source)
    assert (diagnosis.kind, diagnosis.counterexample) == (DiagnosisKind.UNKNOWN, None)


def test_an_array_in_place_of_a_tensor_is_another_answer(diagnosed: Callable[[str], Diagnosis]) -> None:
    """The right numbers in an array of numpy are no tensor."""
    diagnosis = diagnosed("def attend(mha, x):\n    return mha(x, x, x)[0].detach().numpy()")
    assert diagnosis.findings == ()
    assert diagnosis.counterexample is not None


def test_modules_and_tensors_are_shown(diagnosed: Callable[[str], Diagnosis]) -> None:
    """A module stands in an example as it would be written, with its weights; a tensor with its numbers and dtype."""
    example = _example(diagnosed(AS_STUDENTS_WRITE["attend-returns-the-pair"]))
    inputs = dict(example.inputs)
    assert inputs["mha"] == Shown("text", text="nn.MultiheadAttention(embed_dim=2, num_heads=2, batch_first=True)")
    held = {name.removeprefix("mha."): (shown.axes, shown.shape) for name, shown in inputs.items() if "." in name}
    weights = {"in_proj_weight": (6, 2), "in_proj_bias": (6,), "out_proj.weight": (2, 2), "out_proj.bias": (2,)}
    assert held == {name: (("out", "in")[: len(shape)], shape) for name, shape in weights.items()}
    x = inputs["x"]
    assert (x.axes, x.shape, x.dtype, len(x.values)) == (("B", "L", "d"), (1, 1, 2), "torch.float64", 2)
    assert example.call == "attend(mha, x)"
    assert example.actual.text == "tuple, len 2"


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        (np.zeros(6), "torch.zeros(6)"),
        (np.zeros((1, 1, 2)), "torch.zeros(1, 1, 2)"),
        (np.eye(3), "torch.eye(3)"),
        (np.tile(np.eye(2), (3, 1)), "torch.eye(2).repeat(3, 1)"),
        (np.eye(3)[:2], ""),
        (np.eye(3) * 2, ""),
        (np.ones(3), ""),
    ],
    ids=str,
)
def test_plain_weights_are_shown_as_torch_makes_them(weights: np.ndarray, shown: str) -> None:
    """Zeros and identities take one line that can be typed; other weights have none."""
    assert as_torch_makes_it(weights) == shown


def test_a_changed_module_is_shown_by_what_changed(diagnosed: Callable[[str], Diagnosis]) -> None:
    """Of a module that is not as before, the first flag or parameter that differs is shown before and after."""
    example = _example(diagnosed(AS_STUDENTS_WRITE["attend-in-training"]))
    assert example.call == "attend(mha, x); mha.training"
    assert (example.expected, example.actual) == (Shown("text", text="False"), Shown("text", text="True"))
    made = _example(diagnosed(AS_STUDENTS_WRITE["scaled-in-place"]))
    assert made.call == "Scaled(factor).forward(x); x"
    assert made.expected == dict(made.inputs)["x"]
    assert made.actual.values != made.expected.values


def test_a_factor_on_tensors_is_located(diagnosed: Callable[[str], Diagnosis]) -> None:
    """What no model explains is located on tensors too."""
    diagnosis = diagnosed("def attend(mha, x):\n    return 2 * mha(x, x, x)[0]")
    assert diagnosis.located is not None
    assert (diagnosis.located.key, diagnosis.located.fields["factor"]) == ("located.factor", "2")
