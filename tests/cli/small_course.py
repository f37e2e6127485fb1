"""The files of a small course, and what one run of the command on it came to."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

EXERCISE = """\
title = {{en = "{verb} it", zh = "练习 {name}"}}
module = "{name}"
defines = ["{name}"]
packages = ["numpy"]
source = {{en = "made for this test", zh = "为测试而写"}}
[[hint]]
en = "Look at the sign."
zh = "看看符号。"
[check.test_every_number]
en = "Every number must be treated."
zh = "每个数都要处理。"
[check.test_keeps_the_shape]
en = "The shape must stay."
zh = "形状不能变。"
"""
REFERENCE = "def {name}(x):\n    return {factor} * x\n"
STARTER = "def {name}(x):\n    raise NotImplementedError\n"
SUITE = '''"""Hidden checks."""

import pytest

from grader.checks import assert_close, assert_shape, seeded


@pytest.mark.points(2)
def test_every_number(submission, reference):
    """Every number must be treated."""
    x = seeded((3, 4))
    assert_close(submission.{name}(x), reference.{name}(x), axes="L d")


@pytest.mark.points(1)
def test_keeps_the_shape(submission):
    """The shape must stay."""
    assert_shape(submission.{name}(seeded((3, 4))), L=3, d=4)
'''
MISTAKES = '''"""Mistake models."""

from types import SimpleNamespace

import numpy as np

STAGES = {{"factor": ("right", "forgotten")}}
MISTAKES = {{"forgets-{name}": ("factor", "forgotten")}}
CALL = "{name}(x)"
AXES = {{"x": "L d", "result": "L d"}}


def build(factor="right"):
    return SimpleNamespace({name}=lambda x: {factor} * x if factor == "right" else x.copy())


def probes():
    return [{{"x": np.arange(1.0, 7.0).reshape(2, 3) + i}} for i in range(8)]


def fresh_probe(rng):
    return {{"x": rng.normal(size=(2, 3))}}


def small_probes():
    yield {{"x": np.array([[1.0]])}}


def observe(subject, probe):
    return subject.{name}(**probe)
'''
CARD = """
[mistake.forgets-{name}]
title = {{en = "Nothing is done: {name}", zh = "什么都没做：{name}"}}
belief = {{en = "It looks right.", zh = "看起来是对的。"}}
seen = {{en = "The result is the input.", zh = "结果就是输入。"}}
question = {{en = "What should change?", zh = "哪里应该改变？"}}
place = {{en = "Look at the return.", zh = "看看 return。"}}
"""

RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return x.copy()\n"


@dataclass(frozen=True)
class Grade:
    """How one run of the command ended."""

    code: int
    out: str
    err: str


def write_course(root: Path) -> None:
    """Write a course with 01_double and 02_negate, three points each."""
    cards = ""
    for folder, name, factor, verb in (("01_double", "double", 2, "Double"), ("02_negate", "negate", -1, "Negate")):
        exercise, solution = root / "exercises" / folder, root / "solutions" / folder
        exercise.mkdir(parents=True)
        solution.mkdir(parents=True)
        fields = {"name": name, "factor": factor, "verb": verb}
        (exercise / "exercise.toml").write_text(EXERCISE.format(**fields), encoding="utf-8")
        (exercise / f"{name}.py").write_text(STARTER.format(**fields))
        (solution / f"{name}.py").write_text(REFERENCE.format(**fields))
        (solution / f"test_{name}_hidden.py").write_text(SUITE.format(**fields))
        (solution / "mistakes.py").write_text(MISTAKES.format(**fields))
        cards += CARD.format(**fields)
    (root / "exercises" / "mistakes.toml").write_text(cards, encoding="utf-8")


def write_answer(home: Path, exercise: str, text: str) -> Path:
    """Put an answer where the starter lies."""
    path = home / "exercises" / exercise / f"{exercise.partition('_')[2]}.py"
    path.write_text(text, encoding="utf-8")
    return path
