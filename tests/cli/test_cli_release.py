"""What an instructor hands out, and what `grade` does there: sample checks, in the sandbox, and nothing hidden."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import ROOT, Grade

from grader.cli.release_guard import FEWEST, bare, hidden_names, reference_lines
from grader.course import load_course

SAMPLES = '''"""Sample checks."""

import numpy as np
import pytest
from double import double


def test_two():
    """Two becomes four."""
    np.testing.assert_array_equal(double(np.array([2.0])), np.array([4.0]))


@pytest.mark.parametrize("x", [1, 3])
def test_whole(x):
    """Whole numbers, too."""
    assert double(x) == pytest.approx(2 * x)


def test_text():
    """A text is refused."""
    with pytest.raises(TypeError, match="number"):
        double("ab")
'''
ANSWER = "def double(x):\n    if isinstance(x, str):\n        raise TypeError('no number')\n    return x + x\n"


@pytest.fixture
def small(course: Path, tmp_path: Path) -> Path:
    """The small course with sample checks for its first exercise."""
    root = tmp_path / "course"
    shutil.copytree(course, root)
    (root / "exercises" / "01_double" / "test_double.py").write_text(SAMPLES)
    (root / "quizzes").mkdir()
    (root / "quizzes" / "numbers.toml").write_text("")
    return root


@pytest.fixture
def released(small: Path, grade: Callable[..., Grade], tmp_path: Path) -> Path:
    """A release of its first exercise."""
    done = grade("release", "handout", "--exercise", "01_double", cwd=tmp_path, on=small)
    assert (done.code, done.err) == (0, "")
    return tmp_path / "handout"


def test_a_release_holds_what_students_get_and_no_more(released: Path) -> None:
    """Starter, sample checks, quizzes and the list of exercises; no exercise.toml, no solution, no other exercise."""
    files = {path.relative_to(released).as_posix() for path in released.rglob("*") if path.is_file()}
    assert files == {
        *("release.toml", "quizzes/numbers.toml"),
        *("exercises/01_double/double.py", "exercises/01_double/test_double.py"),
    }


def test_grade_there_runs_the_sample_checks_and_says_so(
    released: Path, environment: dict[str, str], grade: Callable[..., Grade]
) -> None:
    """Untouched, wrong, broken and right answers; each check is told, and that these are not all that counts."""
    answer = released / "exercises" / "01_double" / "double.py"

    def run(text: str | None = None, *paths: str) -> Grade:
        if text is not None:
            answer.write_text(text, encoding="utf-8")
        return grade(*paths, cwd=released, on=None)

    untouched = run()
    assert (untouched.code, untouched.out.count("not written yet")) == (1, 4)
    assert "These are the sample checks of this folder alone." in untouched.out
    right = run(ANSWER)
    assert (right.code, "Sample checks that pass: 4 of 4" in right.out) == (0, True), right.out
    wrong = run(ANSWER.replace("x + x", "x * x / 1"), "exercises/01_double")
    assert (wrong.code, "✗ test_whole(x=1)" in wrong.out, "✓ test_two" in wrong.out) == (1, True, True)
    raised = run(ANSWER.replace("x + x", "x + {}"), "01")
    assert "✗ test_two: line 4: " in raised.out
    broken = run("def double(x)\n")
    assert (broken.code, "Sample checks that pass: 0 of 1" in broken.out) == (1, True)
    assert run(ANSWER, "02_negate").code == 2
    assert "--json has no meaning here" in run(ANSWER, "--json", "-").err


def test_a_release_from_anybody_runs_in_the_sandbox(
    released: Path, tmp_path: Path, grade: Callable[..., Grade]
) -> None:
    """Sample checks that were changed, and a list of exercises that was made up, reach nothing outside."""
    checks = released / "exercises" / "01_double" / "test_double.py"
    checks.write_text(f"def test_out():\n    open({str(tmp_path / 'out')!r}, 'w').write('x')\n")
    done = grade(cwd=released, on=None)
    assert (done.code, (tmp_path / "out").exists()) == (1, False)
    (released / "release.toml").write_text('[exercise."../.."]\nmodule = "double"\npackages = []\n')
    told = grade(cwd=released, on=None)
    assert (told.code, "expected the list of exercises that grade release wrote" in told.err) == (2, True)


@pytest.mark.parametrize(
    ("put", "says"),
    [
        (lambda exercise: (exercise / "README.md").write_text("see test_every_number"), "the name of a hidden test"),
        (lambda exercise: (exercise / "README.md").write_text("    return np.multiply(x, 2.0)  # so\n"), "a line of"),
        (
            lambda exercise: (exercise / "double.py").write_text("def double(x):\n    return 2 * x\n"),
            "expected the starter",
        ),
    ],
)
def test_nothing_hidden_travels(small: Path, grade: Callable[..., Grade], tmp_path: Path, put, says: str) -> None:
    """A hidden test's name, a line of a reference, a starter that was written in: nothing at all is written."""
    (small / "solutions" / "01_double" / "double.py").write_text(
        "import numpy as np\n\n\ndef double(x):\n    return np.multiply(x, 2.0)\n"
    )
    put(small / "exercises" / "01_double")
    done = grade("release", "handout", cwd=tmp_path, on=small)
    assert done.code == 3
    assert says in done.err
    assert not (tmp_path / "handout").exists()


def test_a_folder_in_use_is_not_written_into(small: Path, grade: Callable[..., Grade], tmp_path: Path) -> None:
    """A release goes into a folder of its own, which has to be named."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "notes.txt").write_text("mine")
    for arguments, says in ((["used"], "expected a new or an empty folder"), ([], "Give a new folder")):
        done = grade("release", *arguments, cwd=tmp_path, on=small)
        assert (done.code, says in done.err) == (2, True)
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["notes.txt"]


def test_the_course_itself_has_nothing_hidden_in_its_release(grade: Callable[..., Grade], tmp_path: Path) -> None:
    """No name of any hidden test and no telling line of any reference is in any file of the whole release."""
    done = grade("release", "handout", cwd=tmp_path, on=ROOT)
    assert done.code == 0, done.err
    course = load_course(ROOT)
    starters = {
        bare(line)
        for each in course.exercises.values()
        for line in each.starter.read_text(encoding="utf-8").splitlines()
    }
    texts = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "handout").rglob("*") if path.is_file()}
    assert len(texts) > 4 * len(course.names)
    released = {bare(line): path for path, text in texts.items() for line in text.splitlines()}
    for exercise in course.exercises.values():
        names, lines = set(hidden_names(exercise)), set(reference_lines(exercise))
        assert len(names) >= 4
        assert lines
        assert {name: path for name in names for path, text in texts.items() if name in text} == {}
        assert {line: released[line] for line in lines - starters if line in released} == {}
        assert all(len(line) >= FEWEST for line in lines)
