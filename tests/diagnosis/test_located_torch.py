"""What is said of a wrong submission that is right for some modules of torch, or in some parts of its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.locating.search import located
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation, observation_of
from grader.diagnosis.trusted import Trusted
from grader.model import LANGUAGES
from grader.sandbox.wire import Build
from grader.texts import say

MODULES: tuple[dict[str, Any], ...] = (
    {"embed_dim": 6, "num_heads": 3, "bias": False},
    {"embed_dim": 4, "num_heads": 2},
    {"embed_dim": 8, "num_heads": 2, "bias": False, "batch_first": True},
    {"embed_dim": 6, "num_heads": 2, "batch_first": True, "kdim": 5},
    {"embed_dim": 9, "num_heads": 3, "kdim": 4, "bias": False},
    {"embed_dim": 10, "num_heads": 5, "batch_first": True, "kdim": 10},
)


def _observe(subject: Any, probe: Probe) -> Any:
    return subject.f(probe["mha"], probe["x"])


def _right(_mha: Any, x: torch.Tensor) -> torch.Tensor:
    return x


def _probes() -> list[Probe]:
    """Modules of every kind, some in training mode; batch-first ones belong to a call of their own."""
    rng = torch.Generator().manual_seed(0)
    return [
        {
            "asked": "f" if options.get("batch_first") else "g",
            "mha": Build("torch.nn.MultiheadAttention", options, training=i in (0, 3, 5)),
            "x": torch.randn((i + 2, 3), generator=rng, dtype=torch.float64),
        }
        for i, options in enumerate(MODULES)
    ]


def _said(right: Callable[..., Any], wrong: Callable[..., Any], calls: dict[str, str]) -> list[str]:
    """What is said of `wrong` beside `right`, in every language; nothing where nothing can be said."""
    models = MistakeModels(
        path=Path("mistakes.py"),
        stages={},
        mistakes={},
        build=lambda **_options: None,
        probes=tuple(_probes()),
        fresh_probe=lambda _rng: {},
        small_probes=lambda: iter(()),
        observe=_observe,
        styles=(),
        calls=calls,
        axes={},
    )

    def asker(function: Callable[..., Any]) -> Callable[[Probe], Observation]:
        return lambda probe: observation_of(_observe, Trusted(SimpleNamespace(f=function)), probe)

    ask_right, ask_wrong = asker(right), asker(wrong)
    answers = [Answer(probe, ask_right(probe), ask_wrong(probe)) for probe in models.probes]
    message = located(models, answers, ask_right, ask_wrong)
    return [say(message, language) for language in LANGUAGES] if message else []


@pytest.mark.parametrize(
    ("is_wrong", "option"),
    [
        (lambda mha: mha.in_proj_bias is None, "bias=False"),
        (lambda mha: mha.batch_first, "batch_first=True"),
        (lambda mha: mha.in_proj_weight is None, "kdim≠embed_dim"),
        (lambda mha: mha.training, "training=True"),
    ],
    ids=["no bias", "batch first", "other width of the keys", "training"],
)
def test_a_kind_of_module_is_told(is_wrong: Callable[[Any], bool], option: str) -> None:
    """Where all modules of one kind get a wrong answer, and no others, the kind is said in both languages."""

    def wrong(mha: Any, x: torch.Tensor) -> torch.Tensor:
        return torch.sin(3 * x) if is_wrong(mha) else x

    english, chinese = _said(_right, wrong, {"": "f(mha, x)"})
    assert english == f"f(mha, x) is wrong only for modules mha with {option}; for the others everything is right."
    assert chinese == f"只有当模块 mha 的 {option} 时，f(mha, x) 才出错；其他模块全部正确。"


def _two(_mha: Any, x: torch.Tensor) -> dict[str, Any]:
    return {"gradient of x": x, "gradient of y": x + 1}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            lambda mha, x: _two(mha, x) | {"gradient of y": None},
            "Where f(mha, x) → gradient of y is wrong, it is None: nothing arrives there.",
        ),
        (
            lambda mha, x: _two(mha, x) | {"gradient of y": torch.sin(3 * x) * x.mean()},
            "f(mha, x) → gradient of y is wrong; all other parts of these answers are right.",
        ),
    ],
)
def test_one_part_of_several_is_told(wrong: Callable[..., Any], sentence: str) -> None:
    """A part that is missing or wrong is named, where the others are right."""
    assert _said(_two, wrong, {"": "f(mha, x)"})[0] == sentence


def test_another_call_is_looked_at_where_the_first_says_nothing() -> None:
    """Numbers that mean nothing in one function do not hide a clear fault of another one."""

    def wrong(mha: Any, x: torch.Tensor) -> torch.Tensor:
        return 2 * x if mha.batch_first else torch.sin(3 * x) * x.mean()

    calls = {"g": "g(mha, x)", "f": "f(mha, x)"}
    assert _said(_right, wrong, calls)[0] == "Where f(mha, x) is wrong, every number is 2 times the expected one."
