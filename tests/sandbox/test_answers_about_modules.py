"""What is told of gradients and of the calls of a module can be taken apart, whatever a submission does to it."""

from collections.abc import Callable

import pytest
import torch

from grader.checks import CheckFailure, assert_called
from grader.sandbox import wire
from grader.sandbox.client import LocalSubject, Stopped, Subject

RECORDING = wire.Build(
    "torch.nn.MultiheadAttention", {"embed_dim": 6, "num_heads": 2, "batch_first": True}, recording=True
)
X = torch.ones(1, 2, 6)

FORGES = """
import sys
def everywhere(module, **names):
    frame = sys._getframe()
    while frame is not None:
        if module in frame.f_globals:
            vars(frame.f_globals[module]).update(names)
        if "served" in frame.f_locals and "calls" in names:
            frame.f_locals["served"].calls = dict.fromkeys(range(9), names["calls"])
        frame = frame.f_back
"""


def asking() -> torch.Tensor:
    """Two numbers that ask for a gradient."""
    return torch.tensor([5.0, 7.0], requires_grad=True)


# --- gradients ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ["(x * y, None)", "[x * y, None]", "x * y"])
def test_the_output_may_come_first_in_a_tuple_or_a_list(opened: Callable[[str], Subject], pair: str) -> None:
    """Where several results come back, the first one is differentiated."""
    told = opened(f"def f(x, y):\n    return {pair}").gradients("f", asking(), asking(), cotangent=torch.ones(2))
    assert [gradient.tolist() for gradient in told["inputs"]] == [[5, 7], [5, 7]]


@pytest.mark.parametrize("switched", ["x", "y"])
def test_an_input_that_no_longer_asks_still_has_its_place(opened: Callable[[str], Subject], switched: str) -> None:
    """A call that switches off the gradient of an input gives None for it, and the other one keeps its place."""
    subject = opened(f"def f(x, y):\n    {switched}.requires_grad_(False)\n    return x + y")
    told = subject.gradients("f", asking(), y=asking(), cotangent=torch.ones(2))
    assert [gradient is None for gradient in told["inputs"]] == [switched == "x", switched == "y"]


@pytest.mark.parametrize(
    "forged",
    [
        "5",
        "{}",
        "{'value': 1, 'inputs': (), 'parameters': None}",
        "{'value': 1, 'inputs': (None, None), 'parameters': None}",
        "{'value': 1, 'inputs': [None], 'parameters': None}",
        "{'value': 1, 'inputs': (3,), 'parameters': None}",
        "{'value': 1, 'inputs': (None,), 'parameters': x}",
    ],
)
def test_gradients_of_another_form_are_no_answer(opened: Callable[[str], Subject], forged: str) -> None:
    """A reply that is not about exactly the inputs that asked is nonsense, and no failure of whoever asked."""
    forge = f"    everywhere('objects', gradients=lambda *_: {forged})\n    return x"
    subject = opened(f"{FORGES}\nclass Layer:\n  def f(self, x):\n    return f(x)\ndef f(x):\n{forge}")
    for ask in (subject, subject.make("Layer")):
        with pytest.raises(Stopped) as caught:
            ask.gradients("f", asking(), cotangent=torch.ones(2))
        assert caught.value.reason == "nonsense"


# --- calls of a recording module ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    [
        "m(x, x, x)",
        "type(m).forward(m, x, x, x)",
        "m.forward(x, x, x)",
        "copy.deepcopy(m)(x, x, x)",
        "m(x, x, x); m.recorded = None; m.calls = []",
    ],
)
def test_every_call_of_a_recording_module_is_noted(opened: Callable[[str], Subject], way: str) -> None:
    """Through the class or a copy as well; and what is done to the object afterwards takes nothing away."""
    subject = opened(f"import copy\ndef f(m, x):\n    {way}")
    made = subject.build(RECORDING)
    subject.f(made, X)
    with pytest.raises(CheckFailure):
        assert_called(made, need_weights=False)
    assert [call["query"] for call in made.calls()] == [(1, 2, 6)]


def test_a_recording_module_looks_like_any_other(opened: Callable[[str], Subject]) -> None:
    """Its type has the name it has without the recording, and it is a module of that class."""
    subject = opened("import torch\ndef f(m):\n    return isinstance(m, torch.nn.MultiheadAttention), str(type(m))")
    made = subject.build(RECORDING)
    assert made.type_name == "torch.nn.modules.activation.MultiheadAttention"
    assert subject.f(made) == (True, f"<class '{made.type_name}'>")


def test_a_module_that_does_not_record_tells_of_no_calls() -> None:
    """Asked for calls, an object that was not built recording has none."""
    subject = LocalSubject(type("Module", (), {"f": staticmethod(lambda m, x: m(x, x, x)[0])}))
    made = subject.build(wire.Build(RECORDING.target, RECORDING.arguments))
    subject.f(made, X)
    assert made.calls() == []


@pytest.mark.parametrize("forged", ["5", "None", "[5]", "({},)", "[{'need_weights': x}]"])
def test_calls_of_another_form_are_no_answer(opened: Callable[[str], Subject], forged: str) -> None:
    """Anything but a list of calls is nonsense, and no failure of whoever asked."""
    subject = opened(f"{FORGES}\ndef f(m, x):\n    everywhere('objects', calls={forged})")
    made = subject.build(RECORDING)
    subject.f(made, X)
    with pytest.raises(Stopped) as caught:
        assert_called(made, need_weights=False)
    assert caught.value.reason == "nonsense"


def test_a_call_without_the_argument_is_told_as_such(opened: Callable[[str], Subject]) -> None:
    """A call of which nothing is noted is no call with the expected value."""
    subject = opened(f"{FORGES}\ndef f(m, x):\n    everywhere('objects', calls=[{{}}])")
    made = subject.build(RECORDING)
    subject.f(made, X)
    with pytest.raises(CheckFailure):
        assert_called(made, need_weights=False)


def test_a_module_that_was_not_made_is_no_answer(opened: Callable[[str], Subject]) -> None:
    """What comes back for a description has to be an object that stays there."""
    walk = "    while 'served' not in frame.f_locals:\n        frame = frame.f_back\n"
    forge = "    type(frame.f_locals['served']).build = lambda *_: 5"
    subject = opened(f"import sys\ndef f():\n    frame = sys._getframe()\n{walk}{forge}")
    subject.f()
    with pytest.raises(Stopped) as caught:
        subject.build(RECORDING)
    assert caught.value.reason == "nonsense"
