"""Known exceptions are explained with the sizes and arrays involved."""

from __future__ import annotations

import ast
import csv
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from grader.diagnosis.exceptions import MAX_TEXT, RULES, explain
from grader.diagnosis.explanations.rule import clash
from grader.model import LANGUAGES, Limits, Message
from grader.sandbox.client import Raised, RemoteSubject, Sandbox
from grader.sandbox.wire import ArrayShape, ExceptionReport
from grader.texts import area, say

RAISES = Path(__file__).parent / "submissions" / "raises.py"
RAISES_TORCH = RAISES.with_name("raises_torch.py")


def _sentences(path: Path) -> list[tuple[str, str]]:
    functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    return [(each.name, ast.get_docstring(each) or "") for each in functions if not each.name.startswith("_")]


def _texts() -> list[dict[str, str]]:
    with (Path(__file__).parent / "exception_texts.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def raising(sandbox: Sandbox) -> Iterator[RemoteSubject]:
    subject = sandbox.open(RAISES.read_bytes(), "raises.py", Limits(wall_s=20))
    yield subject
    subject.close()


@pytest.mark.parametrize(("function", "sentence"), _sentences(RAISES), ids=lambda text: text.partition(" ")[0])
def test_an_exception_of_python_or_numpy_has_its_sentence(raising: RemoteSubject, function: str, sentence: str) -> None:
    """What a submission really raises in the sandbox is explained with the sizes and arrays of its line."""
    raising.begin_check()
    with pytest.raises(Raised) as caught:
        raising.call(function, np.ones((2, 3, 5)), np.ones((5, 7)), np.arange(6).reshape(2, 3))
    assert _said(explain(caught.value.report)) == sentence


@pytest.fixture(scope="module")
def raising_torch() -> Iterator[RemoteSubject]:
    with Sandbox(("numpy", "torch")) as sandbox:
        subject = sandbox.open(RAISES_TORCH.read_bytes(), "raises_torch.py", Limits(wall_s=40))
        yield subject
        subject.close()


@pytest.mark.parametrize(("function", "sentence"), _sentences(RAISES_TORCH), ids=lambda text: text.partition(" ")[0])
def test_an_exception_of_torch_has_its_sentence(raising_torch: RemoteSubject, function: str, sentence: str) -> None:
    """What torch really raises in the sandbox is explained with the shapes of the tensors on that line."""
    raising_torch.begin_check()
    with pytest.raises(Raised) as caught:
        raising_torch.call(function, torch.ones(3, 4, 5, 6), torch.ones(3, 4, 7, 6), torch.ones(3, 5, 24))
    assert _said(explain(caught.value.report)) == sentence


@pytest.mark.parametrize("row", _texts(), ids=lambda row: f"{row['source']}-{row['sentence']}")
def test_a_text_of_torch_or_another_version_is_recognised(row: dict[str, str]) -> None:
    """Texts that this interpreter does not raise itself are found by their wording."""
    message = explain(_report(row["type"], row["text"]))
    assert message is not None
    assert message.key == f"diagnosis.{row['sentence']}"
    for language in LANGUAGES:
        assert "{" not in say(message, language)


def test_the_lessons_reshape_error_is_explained_with_its_sizes() -> None:
    """The numbers of "shape '[…]' is invalid for input of size …" stand in the sentence, in both languages."""
    message = explain(_report("RuntimeError", "shape '[2, 5, 8, 8]' is invalid for input of size 320"))
    assert message is not None
    assert say(message, "en") == "320 numbers do not fit into 2 × 5 × 8 × 8 = 640."
    assert say(message, "zh") == "320 个数放不进 2 × 5 × 8 × 8 = 640。"


def test_an_unknown_exception_is_not_explained() -> None:
    """Nothing is guessed of an exception, or of a text, that no rule knows."""
    assert explain(_report("KeyError", "'heads'")) is None
    assert explain(_report("ValueError", "d_model 10 is not a multiple of num_heads 3")) is None
    assert explain(_report("RuntimeError", "cannot reshape array of size 30 into shape (5,5)")) is None


def test_input_is_left_to_the_sandboxs_own_sentence() -> None:
    """An exception that already has a sentence of its own is not explained a second time."""
    report = ExceptionReport(("InputNotAvailable", "EOFError", "Exception"), "input() is not available here")
    assert explain(report) is None


def test_arrays_are_named_only_where_the_line_names_them() -> None:
    """Arrays of the frame that the failing line does not mention stay out of the sentence."""
    arrays = (ArrayShape("q", "float64", (3, 5, 6)), ArrayShape("k", "float64", (3, 7, 6)))
    text = "axis 3 is out of bounds for array of dimension 3"
    report = ExceptionReport(("AxisError", "ValueError"), text, code="return kk + k.sum(3)", arrays=arrays)
    said = _said(explain(report))
    assert said.endswith("[k (3, 7, 6)].")


def test_every_sentence_is_used_and_every_rule_has_one() -> None:
    """The texts of this area and the rules name each other, none is left over."""
    assert {rule.key for rule in RULES} == set(area("diagnosis"))


@pytest.mark.parametrize(
    "text", ["(" * 5000, "0" * 5000, "a" * 5000, "shapes (1) " * 900, "f() takes " * 900, "'" * 5000]
)
def test_a_text_made_to_be_slow_is_not(text: str) -> None:
    """Explaining takes no more than a moment whatever the text holds; only its beginning is looked at."""
    kinds = tuple({rule.type_name for rule in RULES})
    explain(_report("ValueError", text))  # compiles the patterns
    start = time.perf_counter()
    for kind in kinds:
        explain(ExceptionReport((kind, *kinds), text[:MAX_TEXT] + text))
    assert time.perf_counter() - start < 1.0


def test_broadcasting_is_judged_as_numpy_does() -> None:
    """A clash is found for exactly those pairs of shapes that numpy refuses."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        a, b = (tuple(map(int, rng.integers(1, 4, rng.integers(0, 4)))) for _ in "ab")
        try:
            np.broadcast_shapes(a, b)
        except ValueError:
            assert clash(a, b) is not None
        else:
            assert clash(a, b) is None


def _report(type_name: str, text: str) -> ExceptionReport:
    return ExceptionReport((type_name, "Exception", "BaseException"), text)


def _said(message: Message | None) -> str:
    assert message is not None
    say(message, "zh")
    return say(message, "en")
