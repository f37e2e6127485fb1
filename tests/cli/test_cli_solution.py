"""`grade solution`: nothing of it before one's own answer has all points, then the reference and what differs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]

OTHER = '''"""Twice as much."""
import numpy as np


def double(x: np.ndarray) -> np.ndarray:
    """Both at once."""
    return np.multiply(x, 2)  # elementwise
'''


@pytest.fixture
def rich(course: Path, tmp_path: Path) -> Path:
    """The course with another right answer for 01_double."""
    root = Path(shutil.copytree(course, tmp_path / "rich", ignore=shutil.ignore_patterns(".manyheads")))
    accepted = root / "solutions" / "01_double" / "accepted"
    accepted.mkdir()
    (accepted / "by_numpy.py").write_text(OTHER)
    return root


def test_before_full_points_nothing_is_shown(grade: Run, home: Path, rich: Path) -> None:
    """A wrong answer, and a starter, get a calm sentence with the way to a hint; exit code 1."""
    unwritten = grade("solution", "1", cwd=home, on=rich)
    assert unwritten.code == 1
    assert "There is no answer in double.py yet." in unwritten.out
    write_answer(home, "01_double", WRONG)
    wrong = grade("solution", "exercises/01_double", cwd=home, on=rich)
    assert (wrong.code, wrong.err) == (1, "")
    assert "The solution is shown once all checks pass. Now your answer has 1 of 3 points.\n" in wrong.out
    assert "A hint helps meanwhile: grade hint 01_double --course" in wrong.out
    for text in (unwritten.out, wrong.out):
        assert "return" not in text


def test_a_right_answer_opens_it(grade: Run, home: Path, rich: Path) -> None:
    """The reference in full, what differs from one's own, and of each variant what the reference has not."""
    write_answer(home, "01_double", RIGHT)
    done = grade("solution", "double", cwd=home, on=rich)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "01_double  Double it\n"
        "3 of 3 points  ✓ All checks pass\n"
        "\n"
        "The reference\n"
        "  def double(x):\n"
        "      return 2 * x\n"
        "\n"
        "Yours beside it\n"
        "  - only in the reference   + only in yours   (without comments and types)\n"
        "   def double(x):\n"
        "  -    return 2 * x\n"
        "  +    return x + x\n"
        "\n"
        "Other answers that are right: 1\n"
        "  + not in the reference\n"
        "\n"
        "  1. by_numpy\n"
        "  +import numpy as np\n"
        "  +\n"
        "   def double(x):\n"
        "  +    return np.multiply(x, 2)\n"
    )


def test_it_is_the_file_of_now_that_counts(grade: Run, home: Path, rich: Path) -> None:
    """An exercise that was complete once shows nothing while its file is wrong."""
    write_answer(home, "01_double", RIGHT)
    grade("exercises/01_double", cwd=home)
    write_answer(home, "01_double", WRONG)
    assert grade("solution", "1", cwd=home, on=rich).code == 1


def test_the_same_code_is_said_to_be_so(grade: Run, home: Path) -> None:
    """Comments, docstrings and types make no difference."""
    write_answer(home, "01_double", 'def double(x: list) -> list:\n    """Twice."""\n    return 2 * x  # twice\n')
    out = grade("solution", "1", "--lang", "zh", cwd=home).out
    assert out.endswith("和你的写法比较\n  代码相同。\n")


def test_without_a_name_it_is_the_exercise_at_hand(grade: Run, home: Path) -> None:
    """In an exercise folder that one, elsewhere the last that was graded; without any, it asks which."""
    asks = grade("solution", cwd=home)
    assert (asks.code, asks.err) == (2, "Which exercise? For example: grade solution 01_double\n")
    write_answer(home, "02_negate", "def negate(x):\n    return x.copy()\n")
    grade("exercises/02_negate", cwd=home)
    assert grade("solution", cwd=home).out.startswith("02_negate")
    assert grade("solution", cwd=home / "exercises" / "01_double").out.startswith("01_double")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exercises", "exercises holds several exercises. Name one of them, for example: grade solution 01_double\n"),
        ("03_halve", "There is no file or folder "),
    ],
)
def test_a_name_that_means_nothing_is_said(grade: Run, home: Path, name: str, said: str) -> None:
    """Several exercises or none are exit code 2."""
    done = grade("solution", name, cwd=home)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(said)


def test_what_a_student_wrote_steers_no_terminal(grade: Run, home: Path) -> None:
    """Control characters in one's own code are spelt out."""
    write_answer(home, "01_double", 'def double(x):\n    return x + x + 0 * len("\x1b[31m[bold]")\n')
    out = grade("solution", "1", cwd=home).out
    assert "\x1b" not in out
    assert "[bold]" in out
