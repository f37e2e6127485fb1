"""A course of one small exercise, written anew for each test, and one sandbox for all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.course import Course, load_course, load_exercise
from grader.judge.grading import grade_one
from grader.model import Exercise, GradeReport, Limits, Submission
from grader.sandbox.client import Sandbox

REFERENCE = """\
def concat_heads(heads):
    return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
"""

SUITE = """\
import pytest
from grader.checks import assert_close, assert_shape, assert_unchanged, seeded

@pytest.mark.points(1)
def test_shape(submission):
    assert_shape(submission.concat_heads(seeded((3, 5, 6))), L=5, d_model=18)

@pytest.mark.points(2)
@pytest.mark.parametrize("h, L, d", [(3, 5, 6), (2, 7, 3)])
def test_columns(submission, reference, h, L, d):
    heads = seeded((h, L, d))
    assert_close(submission.concat_heads(heads), reference.concat_heads(heads), axes="L d_model")

@pytest.mark.points(1)
def test_argument(submission):
    submission.concat_heads(seeded((2, 3, 4)))
    assert_unchanged(submission)
"""


@dataclass(frozen=True)
class Bench:
    """A course under test."""

    root: Path
    sandbox: Sandbox
    wall_s: float = 5.0

    @property
    def course(self) -> Course:
        return load_course(self.root)

    @property
    def exercise(self) -> Exercise:
        return replace(load_exercise(self.course, "04_concat"), limits=Limits(wall_s=self.wall_s))

    def submission(self, source: str, who: str = "ada") -> Submission:
        data = source.encode()
        return Submission(who, "04_concat", "concat.py", data, hashlib.sha256(data).hexdigest())

    def grade(self, source: str) -> GradeReport:
        return grade_one(self.course, self.exercise, self.submission(source), sandbox=self.sandbox)

    def write_suite(self, suite: str) -> None:
        """Put another hidden suite in place, with a rule for each of its test functions."""
        (self.root / "solutions/04_concat/test_concat_hidden.py").write_text(suite, encoding="utf-8")
        names = [
            line.removeprefix("def ").partition("(")[0] for line in suite.splitlines() if line.startswith("def test_")
        ]
        rules = "\n".join(f'[check.{name}]\nen = "Rule of {name}."\nzh = "{name} 的规则。"' for name in names)
        self.write_toml(rules)

    def write_toml(self, rules: str) -> None:
        (self.root / "exercises/04_concat/exercise.toml").write_text(
            'title = {en = "Concat", zh = "拼接"}\nmodule = "concat"\ndefines = ["concat_heads"]\n'
            'packages = ["numpy"]\nsource = {en = "Paper", zh = "论文"}\n'
            f'[[hint]]\nen = "Look at the axes."\nzh = "看看各轴。"\n{rules}\n',
            encoding="utf-8",
        )


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as started:
        yield started


@pytest.fixture
def bench(tmp_path: Path, sandbox: Sandbox) -> Bench:
    """A course with one exercise of three checks, four points in all."""
    for folder in ("exercises/04_concat", "solutions/04_concat"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "solutions/04_concat/concat.py").write_text(REFERENCE, encoding="utf-8")
    bench = Bench(tmp_path, sandbox)
    bench.write_suite(SUITE)
    return bench
