"""`grade show`: which exercises have a page, where it lies, and what is refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import ROOT, Grade

Run = Callable[..., Grade]
WHOLE = "07_multi_head_attention"


@pytest.fixture
def student(tmp_path: Path) -> Path:
    """A copy of the exercises, starters untouched."""
    names = ("01_split_heads", "02_scaled_scores", "03_masked_softmax", "04_concat", "05_output_projection", WHOLE)
    for name in (*names, "06_param_count"):
        shutil.copytree(ROOT / "exercises" / name, tmp_path / "exercises" / name)
    return tmp_path


def shown(grade: Run, student: Path, *arguments: str | Path) -> Grade:
    """`grade show` on the course of this checkout."""
    return grade("show", *arguments, cwd=student, on=None)


def answer(student: Path, name: str, source: str) -> None:
    """Writes what the student hands in for an exercise."""
    module = {"04_concat": "concat", "02_scaled_scores": "scaled_scores"}[name]
    (student / "exercises" / name / f"{module}.py").write_text(source, encoding="utf-8")


def test_the_page_lies_beside_the_reports(grade: Run, student: Path) -> None:
    """Without a name the first exercise with steps is meant; the page goes to the state folder; its path is said."""
    done = shown(grade, student)
    path = student / ".manyheads" / "reports" / f"{WHOLE}-steps.html"
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Nothing of this is written yet. All numbers are those of the reference.",
        f"Page: {path}",
    ]
    assert "Your tensors, step by step" in path.read_text(encoding="utf-8")


def test_the_students_own_files_are_asked_in_the_sandbox(grade: Run, student: Path) -> None:
    """What the student wrote is run as grading runs it: it can write nothing, and its values are on the page."""
    evil = student / "written"
    answer(
        student,
        "04_concat",
        f"import numpy as np\ndef concat_heads(heads):\n    open({str(evil)!r}, 'w').close()\n    return heads\n",
    )
    answer(student, "02_scaled_scores", "def scaled_scores(q, k):\n    return q @ k.transpose(0, 2, 1)\n")
    done = shown(grade, student, WHOLE, "--page", student / "page.html", "--lang", "zh")
    assert done.out.startswith("看第 3 步“缩放”：你的 02_scaled_scores 从这里开始不同。\n")
    page = (student / "page.html").read_text(encoding="utf-8")
    assert "你的 04_concat 在这里没有给出结果" in page
    assert not evil.exists()
    assert not (student / ".manyheads").exists()


def test_an_input_of_ones_own(grade: Run, student: Path) -> None:
    """`--input` shows other numbers; what does not fit is refused with exit code 2 and no page."""
    eye = [[1, 0], [0, 1]]
    file = student / "mine.json"
    given = {"x": [[1, 2]], "w_q": eye, "w_k": eye, "w_v": eye, "num_heads": 1, "tokens": ["<b>hi"]}
    file.write_text(json.dumps(given), encoding="utf-8")
    assert shown(grade, student, "07", "--input", file, "--page", "page.html").code == 0
    page = (student / "page.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;hi" in page
    assert "<b>hi" not in page
    file.write_text(json.dumps({**given, "num_heads": 3}), encoding="utf-8")
    done = shown(grade, student, "07", "--input", file)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("num_heads: found 3; expected a whole number from 1 to 6 that divides d_model = 2.\n")
    assert not (student / ".manyheads").exists()


def test_an_exercise_that_is_not_in_the_copy_is_no_example(grade: Run, student: Path) -> None:
    """What is not there is said not to be there, and the example that is named is one that is."""
    done = shown(grade, student, "14")
    assert done.code == 2
    assert "for example 04_concat" in done.err or "for example 01_split_heads" in done.err


def test_a_file_that_is_too_large_is_told_on_the_page(grade: Run, student: Path) -> None:
    """A file of another exercise that cannot be read is no unwritten one: its reason is on the page."""
    answer(student, "04_concat", "#" * (2**20 + 1))
    done = shown(grade, student, "07", "--page", "page.html")
    assert done.out.startswith("Look at step 7, Concat: there your 04_concat")
    assert "04_concat is not written yet" not in (student / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["04"], "It is a part of 07_multi_head_attention: type grade show 07_multi_head_attention\n"),
        (["06"], "There are no steps to show for 06_param_count. There are some for: 07_multi_head_attention, 14_"),
        (["exercises"], "holds several exercises. Name one, such as 07_multi_head_attention.\n"),
        (["07", "--no-mask", "--input", "x.json"], "--no-mask is for the example of the tasks."),
        (["nothing"], ""),
        (["07", "--page", "/dev/null/x.html"], "--page"),
    ],
)
def test_what_cannot_be_shown_is_said(grade: Run, student: Path, arguments: list[str], told: str) -> None:
    """An exercise without steps points to one that has them; options that exclude each other are refused."""
    done = shown(grade, student, *arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err
