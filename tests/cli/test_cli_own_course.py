"""The course that AUTHORING.md builds step by step: its files and its commands, as they stand there."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import ROOT, Grade

SECTION = (
    (ROOT / "AUTHORING.md").read_text(encoding="utf-8").partition("## A course of your own\n")[2].partition("\n## ")[0]
)
FILES = dict(re.findall(r"^`(mine/[^`]+)`:\n\n```\w+\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE))
COMMANDS = re.findall(r"^    grade (.*)$", SECTION, re.MULTILINE)

Typed = Callable[[str], Grade]


@pytest.fixture
def typed(grade: Callable[..., Grade], tmp_path: Path) -> Typed:
    """Runs a command of the section, in a folder in which its files were written."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return lambda command: grade(*command.split(), cwd=tmp_path)


def test_every_command_does_what_is_said(typed: Typed, tmp_path: Path) -> None:
    """The reference gets all points, the starter is not attempted, and the copy holds nothing hidden."""
    reference, starter, start, returned = COMMANDS
    assert len(FILES) == 6
    assert "2 of 2 points" in typed(reference).out
    assert "is not written yet" in typed(starter).out
    assert typed(start).code == 0
    assert [path.name for path in (tmp_path / "class").rglob("*.*")] == ["scale.py"]
    answer = tmp_path / "class" / "exercises" / "01_scale" / "scale.py"
    answer.write_text("def scale(scores, d_k):\n    return scores / d_k\n")
    graded = typed(returned)
    assert (graded.code, graded.err) == (1, "")
    assert "Divided by d_k, not by its root" in graded.out


def test_four_files_are_enough_to_grade(typed: Typed, tmp_path: Path) -> None:
    """Without cards and models, points are given and no mistake is named."""
    (tmp_path / "mine" / "exercises" / "mistakes.toml").unlink()
    (tmp_path / "mine" / "solutions" / "01_scale" / "mistakes.py").unlink()
    assert typed(COMMANDS[0]).code == 0
    typed(COMMANDS[2])
    answer = tmp_path / "class" / "exercises" / "01_scale" / "scale.py"
    answer.write_text("def scale(scores, d_k):\n    return scores / d_k\n")
    graded = typed(COMMANDS[3])
    assert (graded.code, graded.err) == (1, "")
    assert "0 of 2 points" in graded.out
