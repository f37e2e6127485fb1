"""What an instructor hands out, and what `grade` does there: sample checks, in the sandbox, and nothing hidden."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import ROOT, Grade

from grader.cli.release import _readme
from grader.cli.release_guard import (
    FEWEST,
    bare,
    hidden_files,
    hidden_names,
    refuse_what_is_hidden,
    shown_lines,
    telling_lines,
)
from grader.course import load_course
from grader.errors import ContentError
from grader.model import LANGUAGES

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
        *("release.toml", "README.md", "README.zh.md", "quizzes/numbers.toml"),
        *("exercises/01_double/double.py", "exercises/01_double/test_double.py"),
    }


def test_grade_there_runs_the_sample_checks_and_says_so(
    released: Path, environment: dict[str, str], grade: Callable[..., Grade]
) -> None:
    """Situation C066: each check is told, whatever the answer is, and that these checks are not all that counts."""
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
    assert "✗ test_two\n    Two becomes four.\n    line 4: TypeError " in raised.out
    kept = run(ANSWER.replace("no number", "no").replace("x + x", "0 * x"), "1").out
    assert "    This does not hold:\n    assert double(x) == pytest.approx(2 * x)\n    double(x) = 0\n" in kept
    assert "✗ test_text\n    A text is refused.\n    expected: TypeError that says 'number'; its text is 'no'." in kept
    for typed in ("1", "double"):  # as everywhere else
        assert run(ANSWER, typed).code == 0
    broken = run("def double(x)\n")
    assert (broken.code, "Sample checks that pass: 0 of 1" in broken.out) == (1, True)
    assert run(ANSWER, "02_negate").code == 2
    assert "--json has no meaning here" in run(ANSWER, "--json", "-").err


def test_a_release_says_how_to_get_the_command_and_use_it(released: Path) -> None:
    """Who has nothing but the folder reads there, in both languages, what to install and what to type."""
    for name, says in (("README.md", "the sample checks of one exercise"), ("README.zh.md", "运行一个练习的示例检查")):
        text = (released / name).read_text(encoding="utf-8")
        assert "-m venv ~/attention && ~/attention/bin/pip install ./manyheads-" in text
        assert "-py3-none-any.whl\n" in text  # no torch where no exercise needs it
        assert f"    grade 01_double         # {says}" in text
        assert len({line.index("#") for line in text.splitlines() if line.startswith("    grade ")}) == 1


def test_a_release_with_torch_pins_it() -> None:
    """Where an exercise needs torch, the version of constraints.txt is named; elsewhere torch is not mentioned."""
    pinned = next(line for line in (ROOT / "constraints.txt").read_text().splitlines() if line.startswith("torch=="))
    course = load_course(ROOT)
    for language in LANGUAGES:
        with_torch, without = (_readme(course, [name], language) for name in ("09_scaled_dot_product", "04_concat"))
        assert f"-py3-none-any.whl[torch]' {pinned}\n\n" in with_torch
        assert ("CUDA" in with_torch, "torch" in without.lower()) == (True, False)


def test_the_list_there_is_that_of_the_release(released: Path, grade: Callable[..., Grade]) -> None:
    """Exactly its exercises, with their titles, and what was reached with the sample checks: from any folder of it."""
    answer = released / "exercises" / "01_double" / "double.py"

    def listed() -> tuple[list[object], str | None]:
        tree = json.loads(grade("list", "--json", cwd=answer.parent, on=None).out)
        return [(one["exercise"], one["state"], one["points"]) for one in tree["exercises"]], tree["next"]

    grade(cwd=released, on=None)  # the starter
    assert listed() == ([("01_double", "not_started", None)], "01_double")
    answer.write_text(ANSWER.replace("x + x", "x * x / 1"))
    grade("1", cwd=released, on=None)
    assert listed() == ([("01_double", "started", 2)], "01_double")
    answer.write_text(ANSWER)
    grade("1", cwd=released, on=None)
    assert listed() == ([("01_double", "complete", 4)], None)
    shown = grade("list", cwd=released, on=None).out
    assert ("02_" in shown, "4 / 4" in shown, "All exercises are complete." in shown) == (False, True, True)
    assert "Double" in shown


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


LEAKS: dict[str, Callable[[str], bytes]] = {
    "a line more": lambda hidden: f"#\n{hidden}".encode(),
    "one blank before comments": lambda hidden: hidden.replace("\n", " # so\n").encode(),
    "other blanks": lambda hidden: hidden.replace(" ", "\t").replace(",", ", ").encode(),
    "quoted": lambda hidden: ("> " + hidden.replace("\n", "\n> ")).encode(),
    "a notebook": lambda hidden: json.dumps({"cells": [{"source": hidden.splitlines(keepends=True)}]}).encode(),
    "a page": lambda hidden: hidden.replace(">", "&gt;").replace('"', "&quot;").encode(),
    "other names of tests": lambda hidden: hidden.replace("def test_", "def check_").encode(),
    "UTF-16": lambda hidden: hidden.encode("utf-16"),
    "UTF-16 without a mark": lambda hidden: hidden.encode("utf-16-le"),
}


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        *(("concat.py", leak) for leak in LEAKS if leak != "other names of tests"),
        ("test_concat_hidden.py", "other names of tests"),
        *((name, "a line more") for name in ("mistakes.py", "accepted/hstack.py", "accepted/row_by_row.py")),
    ],
)
def test_a_hidden_file_is_known_however_it_is_written(name: str, leak: str) -> None:
    """Reference, suite, mistakes and accepted answers: quoted, in a notebook, in other bytes or with changes."""
    course = load_course(ROOT)
    hidden = (ROOT / "solutions" / "04_concat" / name).read_text(encoding="utf-8")
    with pytest.raises(ContentError, match="notes"):
        refuse_what_is_hidden(course, {Path("exercises/04_concat/notes"): LEAKS[leak](hidden)})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (
            "08_batched_heads",
            "    # TODO: write this function, then the one below.\n    raise NotImplementedError\n",
            "",
        ),
        ("04_concat", "    raise NotImp", "    return np.hstack([*heads])\n    raise NotImp"),
        (
            "07_multi_head_attention",
            "        # TODO: write this method, then the one below.\n        raise NotI",
            "  # I",
        ),
    ],
    ids=["one of two functions", "an answer above the raise", "one of two methods"],
)
def test_a_starter_that_is_half_written_stays_here(tmp_path: Path, name: str, old: str, new: str) -> None:
    """Each function that students write stops at its `raise NotImplementedError`, and returns nothing before."""
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises")
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    course = load_course(tmp_path)
    starter = course.exercises[name].starter
    text = starter.read_text(encoding="utf-8")
    refuse_what_is_hidden(course, {starter.relative_to(course.root): text.encode()})
    assert old in text
    starter.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ContentError, match="written in, where a starter has"):
        refuse_what_is_hidden(course, {starter.relative_to(course.root): starter.read_bytes()})


@pytest.mark.parametrize(
    "listed",
    [
        '[exercise.01_double]\nmodule = "double"\npackages = ["numpy", "evil"]\n',
        '[exercise.01_double]\nmodule = "double"\npackages = []\n',
        "exercise = " + 3000 * "[",
    ],
    ids=["a package of its own", "no package", "lists in lists"],
)
def test_a_list_of_exercises_may_come_from_anybody(released: Path, grade: Callable[..., Grade], listed: str) -> None:
    """Packages that the grader does not know, none at all, or what is no list: told as a broken release."""
    (released / "evil.py").write_text(f"open({str(released / 'out')!r}, 'w').close()\n")
    (released / "release.toml").write_text(listed)
    told = grade(cwd=released, on=None)
    assert (told.code, "expected the list of exercises that grade release wrote" in told.err) == (2, True), told.err
    assert not (released / "out").exists()


@pytest.mark.parametrize("place", [".", "exercises/01_double"])
def test_a_package_is_never_taken_from_the_working_directory(
    released: Path, grade: Callable[..., Grade], place: str
) -> None:
    """A numpy.py and a click.py where `grade` is called, or beside the answer, are run by nobody."""
    for name in ("numpy.py", "click.py"):
        (released / place / name).write_text(f"open({str(released / 'out')!r}, 'w').close()\n")
    (released / "exercises" / "01_double" / "double.py").write_text(ANSWER)
    done = grade(cwd=released / place, on=None)
    assert (done.code, done.err) == (0, ""), done.out
    assert not (released / "out").exists()


def test_what_lies_in_the_working_directory_is_no_package(environment: dict[str, str], tmp_path: Path) -> None:
    """The sandbox looks for packages elsewhere, even where Python itself looks there first."""
    for name in ("numpy.py", "evil.py"):
        (tmp_path / name).write_text("")
    code = "from grader.sandbox.launch import launch, is_installed as found; print(found('numpy'), found('evil'))\n"
    code += "print(*launch(('numpy',)).process.args, sep='|')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True)
    found, arguments = done.stdout.decode().splitlines()
    assert found == "True False"
    assert str(tmp_path) not in arguments.split("|")


def test_a_course_with_other_packages_is_not_released(small: Path, grade: Callable[..., Grade], tmp_path: Path) -> None:
    """What `grade` would not take from a release is not written into one."""
    table = small / "exercises" / "01_double" / "exercise.toml"
    table.write_text(table.read_text(encoding="utf-8").replace('["numpy"]', '["numpy", "click"]'), encoding="utf-8")
    done = grade("release", "handout", cwd=tmp_path, on=small)
    assert (done.code, "packages: found" in done.err, (tmp_path / "handout").exists()) == (3, True, False)


def test_the_course_itself_has_nothing_hidden_in_its_release(grade: Callable[..., Grade], tmp_path: Path) -> None:
    """Situations C062, C068: no name of a hidden test and no telling line of a reference is in any released file."""
    done = grade("release", "handout", cwd=tmp_path, on=ROOT)
    assert done.code == 0, done.err
    course = load_course(ROOT)
    given = "\n".join(line for each in course.exercises.values() for line in shown_lines(each))
    texts = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "handout").rglob("*") if path.is_file()}
    assert len(texts) > 4 * len(course.names)
    released = bare("".join(texts.values()))
    for exercise in course.exercises.values():
        names = set(hidden_names(exercise))
        assert len(names) >= 4
        assert {name: path for name in names for path, text in texts.items() if name in text} == {}
        assert {exercise.reference, exercise.suite, exercise.solution / "mistakes.py"} < set(hidden_files(exercise))
        for hidden in (exercise.reference, exercise.suite):
            lines = set(telling_lines(hidden))
            assert lines
            assert all(len(line) >= FEWEST for line in lines)
            assert {line for line in lines if line in released and line not in given} == set()
