"""A course with a bank of its own: the exercises of this one, and questions that a test writes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course, load_course

ROOT = Path(__file__).parents[2]

QUESTION = """
format = 1
topic = "tiny"
title.en = "Tiny"
title.zh = "小题"

[[question]]
id = "tiny.width"
type = "number"
exercise = "01_split_heads"
require = ["h != k", "h * k != k"]
prompt.en = "d_model = {{h * k}}, {{h}} heads. d_k?"
prompt.zh = "d_model = {{h * k}}，{{h}} 个头。d_k 是多少？"
hint.en = "Share."
hint.zh = "平分。"
explain.en = "{{h * k}} / {{h}} = {{k}}."
explain.zh = "{{h * k}} ÷ {{h}} = {{k}}。"
[question.params]
h = { int = [2, 9] }
k = { int = [10, 30] }
[question.answer]
run = "h * k // h"
[[question.wrong]]
mistake = "every-head-gets-all-columns"
run = "h * k"
why.en = "That is all."
why.zh = "这是全部。"
[[question.wrong]]
mistake = "head-count-and-width-exchanged"
run = "h"
why.en = "That is h."
why.zh = "这是头数。"
"""


def course_with(folder: Path, bank: str) -> Course:
    """A course in `folder` whose bank is this one file."""
    for part in ("exercises", "solutions"):
        (folder / part).symlink_to(ROOT / part)
    (folder / "quizzes").mkdir()
    (folder / "quizzes" / "tiny.toml").write_text(bank, encoding="utf-8")
    return load_course(folder)


@dataclass(frozen=True)
class Run:
    """What one command did."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Learner:
    """Somebody with a data folder of their own."""

    data: Path

    def quiz(self, *args: str, answers: str | bytes = "", environ: dict[str, str] | None = None) -> Run:
        """`grade quiz` in a process of its own, with these lines typed."""
        own = {"PYTHONPATH": str(ROOT), "MANYHEADS_DATA": str(self.data), "PYTHONIOENCODING": "utf-8", "TZ": "UTC"}
        code = "from grader.cli.main import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "quiz", *args],
            env={**os.environ, **own, **(environ or {})},
            cwd=next(folder for folder in self.data.parents if folder.is_dir()),
            input=answers if isinstance(answers, bytes) else answers.encode(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
