"""`grade start`: a copy to work in, with nothing hidden in it and nothing of the student's lost."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]


@pytest.fixture
def rich(course: Path, tmp_path: Path) -> Path:
    """A copy of the course with everything that may lie in an exercise folder."""
    root = Path(shutil.copytree(course, tmp_path / "rich"))
    folder = root / "exercises" / "01_double"
    (folder / "README.md").write_text("Double it.")
    (folder / "test_double.py").write_text("def test_double():\n    pass\n")
    (folder / "data").mkdir()
    (folder / "data" / "numbers.txt").write_text("1 2 3")
    for cache in ("__pycache__", ".pytest_cache", ".manyheads"):
        (folder / cache).mkdir()
        (folder / cache / "x.pyc").write_text("")
    return root


def files(folder: Path) -> list[str]:
    """Names of all files in a folder and below."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


COPY = [
    "exercises/01_double/README.md",
    "exercises/01_double/data/numbers.txt",
    "exercises/01_double/double.py",
    "exercises/01_double/test_double.py",
    "exercises/02_negate/negate.py",
]


def test_the_copy_holds_what_a_student_may_see(grade: Run, rich: Path, tmp_path: Path) -> None:
    """Task, starter, sample checks and further files are copied; solutions, hints, cards and caches are not."""
    done = grade("start", "my heads", cwd=tmp_path, on=rich)
    assert (done.code, done.err) == (0, "")
    assert files(tmp_path / "my heads") == COPY
    assert done.out.splitlines() == [
        "Exercises in my heads: 2.",
        f"Now type: cd 'my heads' && grade list --course {rich}",
    ]


def test_a_second_start_changes_nothing(grade: Run, rich: Path, tmp_path: Path) -> None:
    """What is there and unchanged is left and not mentioned; what was removed comes back."""
    first = grade("start", "heads", cwd=tmp_path, on=rich)
    (tmp_path / "heads" / COPY[0]).unlink()
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "heads").rglob("*.py")}
    assert grade("start", "heads", cwd=tmp_path, on=rich) == first
    assert files(tmp_path / "heads") == COPY
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_what_a_student_has_written_is_kept_and_named(grade: Run, rich: Path, tmp_path: Path) -> None:
    """A file that differs is never overwritten, whatever it is, and is named; its neighbours are written."""
    grade("start", "heads", cwd=tmp_path, on=rich)
    write_answer(tmp_path / "heads", "01_double", RIGHT)
    (tmp_path / "heads" / COPY[1]).unlink()
    (tmp_path / "heads" / COPY[4]).unlink()
    (tmp_path / "heads" / COPY[4]).symlink_to(tmp_path / "nowhere")
    done = grade("start", "heads", cwd=tmp_path, on=rich)
    assert done.code == 0
    assert done.out.splitlines()[1:4] == [
        "These files differ from those of the course and were kept:",
        "  heads/exercises/01_double/double.py",
        "  heads/exercises/02_negate/negate.py",
    ]
    assert (tmp_path / "heads" / COPY[2]).read_text() == RIGHT
    assert (tmp_path / "heads" / COPY[1]).read_text() == "1 2 3"
    assert not (tmp_path / "nowhere").exists()


def test_what_is_said_can_be_typed(grade: Run, tmp_path: Path) -> None:
    """In the copy, `grade list` names the first exercise, and a bare `grade` there uses the suites of the course."""
    grade("start", "heads", cwd=tmp_path)
    folder = tmp_path / "heads"
    assert grade("list", cwd=folder).out.endswith("Next: read exercises/01_double/README.md\n")
    write_answer(folder, "01_double", WRONG)
    done = grade(cwd=folder / "exercises" / "01_double")
    assert done.code == 1
    assert "Nothing is done: double" in done.out
    assert not list(folder.rglob("*hidden*"))
    assert not list(folder.rglob("__pycache__"))


def test_the_current_folder_needs_no_way_to_it(grade: Run, rich: Path, tmp_path: Path) -> None:
    """`grade start .` says the command without a cd."""
    (tmp_path / "here").mkdir()
    done = grade("start", ".", cwd=tmp_path / "here", on=rich)
    assert done.out.endswith(f"\nNow type: grade list --course {rich}\n")


def test_a_solutions_folder_in_the_copy_is_ignored(grade: Run, tmp_path: Path) -> None:
    """Suites and references that somebody put beside the copy decide nothing."""
    grade("start", "heads", cwd=tmp_path)
    own = tmp_path / "heads" / "solutions" / "01_double"
    own.mkdir(parents=True)
    (own / "double.py").write_text(WRONG)
    (own / "test_double_hidden.py").write_text("def test_nothing(submission):\n    pass\n")
    write_answer(tmp_path / "heads", "01_double", WRONG)
    done = grade("exercises/01_double", cwd=tmp_path / "heads")
    assert "1 of 3 points" in done.out


def test_an_answer_does_not_travel_as_a_starter(grade: Run, rich: Path, tmp_path: Path) -> None:
    """Where somebody wrote an answer into the course itself, nothing is handed out: the author is told which file."""
    starter = rich / "exercises" / "01_double" / "double.py"
    starter.write_text("def double(x):\n    return x + x\n")
    done = grade("start", "heads", cwd=tmp_path, on=rich)
    assert done.code == 3
    assert f"{starter}: expected the starter, found a file without `raise NotImplementedError`" in done.err
    assert not (tmp_path / "heads").exists()


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("double_old.py", "double.py"),
        ("notes/models.py", "mistakes.py"),
        ("test_double_hidden.py", None),
    ],
)
def test_nothing_hidden_travels(grade: Run, rich: Path, tmp_path: Path, name: str, source: str | None) -> None:
    """Where a file of the solutions lies among the exercises under any name, nothing is written: the author is told."""
    path = rich / "exercises" / "01_double" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text((rich / "solutions" / "01_double" / source).read_text() if source else "changed")
    done = grade("start", "heads", cwd=tmp_path, on=rich)
    assert done.code == 3
    assert f"{path}: found the hidden {rich}/solutions/01_double/{source or name}; put what a student may" in done.err
    assert not (tmp_path / "heads").exists()


@pytest.mark.parametrize("target", ["solutions/01_double", "solutions/01_double/double.py"])
def test_a_link_does_not_travel(grade: Run, rich: Path, tmp_path: Path, target: str) -> None:
    """A link among the exercises may lead to a solution: it is the author's to remove."""
    (rich / "exercises" / "01_double" / "more").symlink_to(rich / target)
    done = grade("start", "heads", cwd=tmp_path, on=rich)
    assert done.code == 3
    assert "exercises/01_double/more: found a link, which may lead anywhere; put a file in its place." in done.err
    assert not (tmp_path / "heads").exists()


@pytest.mark.parametrize("folder", [".", "exercises", "exercises/01_double", "solutions/new"])
def test_the_course_itself_is_no_copy(grade: Run, rich: Path, folder: str) -> None:
    """A folder of the course is refused: a copy in it would lie beside the solutions."""
    before = files(rich)
    done = grade("start", folder, cwd=rich, on=rich)
    assert done.code == 2
    assert done.err.startswith(f"{folder} is part of the course itself.")
    assert files(rich) == before


def test_a_link_to_the_course_is_no_copy(grade: Run, rich: Path, tmp_path: Path) -> None:
    """A folder whose `exercises` leads into the course is refused."""
    (tmp_path / "heads").mkdir()
    (tmp_path / "heads" / "exercises").symlink_to(rich / "exercises")
    assert grade("start", "heads", cwd=tmp_path, on=rich).code == 2


def test_a_folder_that_cannot_be_written_is_said(grade: Run, tmp_path: Path) -> None:
    """A file in place of the folder is named with the reason, exit code 2."""
    (tmp_path / "taken").write_text("")
    done = grade("start", "taken", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "taken" in done.err
    assert "cannot be written: Not a directory. Choose another folder." in done.err
