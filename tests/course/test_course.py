"""Finding a course, its exercises and the student's file from what somebody typed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from grader import texts
from grader.course import (
    Course,
    find_exercises,
    installed_course,
    load_course,
    load_exercise,
    load_module,
    read_submission,
)
from grader.errors import ContentError, SubmissionError, UsageError
from grader.model import LANGUAGES, Limits, Text

TOML = """\
title = {{en = "Title {name}", zh = "标题"}}
module = "{module}"
defines = ["solve"]
packages = ["numpy"]
source = {{en = "Paper", zh = "论文"}}
[[hint]]
en = "First."
zh = "一。"
[[hint]]
en = "Second."
zh = "二。"
[check.test_b]
en = "Rule b."
zh = "规则 b。"
[check.test_a]
en = "Rule a."
zh = "规则 a。"
"""

MISTAKES = """\
[row.E1]
title = {en = "Row one", zh = "第一行"}
[row.E2]
title = {en = "Row two", zh = "第二行"}
[mistake.merge-without-transpose]
row = "E2"
title = {en = "t", zh = "题"}
belief = {en = "b", zh = "信"}
seen = {en = "s", zh = "见"}
question = {en = "q", zh = "问"}
place = {en = "p", zh = "处"}
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Two exercises, 03_softmax and 04_concat, with their starters."""
    root = tmp_path / "course"
    (root / "solutions").mkdir(parents=True)
    for name in ("04_concat", "03_softmax"):
        module = name.partition("_")[2]
        folder = root / "exercises" / name
        folder.mkdir(parents=True)
        (folder / "exercise.toml").write_text(TOML.format(name=name, module=module), encoding="utf-8")
        (folder / f"{module}.py").write_text("starter\n")
    (root / "exercises/mistakes.toml").write_text(MISTAKES, encoding="utf-8")
    return load_course(root)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A student's own copy of both exercise folders, elsewhere."""
    folder = tmp_path / "student" / "homework"
    for name, file in (("03_softmax", "softmax.py"), ("04_concat", "concat.py")):
        (folder / name).mkdir(parents=True)
        (folder / name / file).write_text("mine\n")
    return folder


def said(error: SubmissionError) -> str:
    """The English sentence; the Chinese one has to render too."""
    english, _chinese = (texts.say(error.message, language) for language in LANGUAGES)
    return english


# --- the course --------------------------------------------------------------------------------------------------


def test_the_checkout_around_the_running_grader_is_the_course() -> None:
    """Run from a checkout, the course is the one that the program lies in, wherever it is started."""
    assert installed_course() == Path(grader.__file__).resolve().parent.parent


def test_an_installed_package_carries_the_course(tmp_path: Path) -> None:
    """Installed from a wheel, the course is the copy inside the package; without one, the operator is told."""
    package = tmp_path / "site" / "grader"
    shutil.copytree(Path(grader.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    program = f"import sys; sys.path[0:0] = [{str(package.parent)!r}]; from grader.course import installed_course; "
    command = [sys.executable, "-c", f"{program} print(installed_course())"]
    bare = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert f"GraderError: {package}: no course beside it or in it." in bare.stderr
    for part in ("exercises", "solutions"):
        (package / "packaged" / part).mkdir(parents=True)
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert found.stdout.strip() == str(package / "packaged")


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_link_to_elsewhere_is_no_submission(tmp_path: Path, linked: str) -> None:
    """A file that lies outside what was handed in, such as the reference, is not graded as the student's."""
    exercise = load_exercise(load_course(installed_course()), "04_concat")
    handed_in = tmp_path / "exercises" / "04_concat"
    handed_in.parent.mkdir()
    if linked == "file":
        handed_in.mkdir()
        (handed_in / "concat.py").symlink_to(exercise.reference)
    else:
        handed_in.symlink_to(exercise.solution)
    with pytest.raises(SubmissionError) as caught:
        read_submission(handed_in / "concat.py", exercise, "mallory")
    assert f"is a link to {exercise.reference}, outside the folder." in texts.say(caught.value.message, "en")
    assert "是指向文件夹之外的链接" in texts.say(caught.value.message, "zh")


def test_a_folder_without_exercises_is_no_course(tmp_path: Path) -> None:
    """--course has to name a folder with exercises and solutions."""
    (tmp_path / "exercises").mkdir()
    with pytest.raises(UsageError) as caught:
        load_course(tmp_path)
    assert said(caught.value) == f"{tmp_path} is no course: it has no folder solutions."


def test_an_exercise_is_read_whole(course: Course) -> None:
    """Every field arrives, the rules in the order of the file, and the paths point into the course."""
    exercise = load_exercise(course, "04_concat")
    assert exercise.title == Text("Title 04_concat", "标题")
    assert (exercise.module, exercise.defines, exercise.packages) == ("concat", ("solve",), ("numpy",))
    assert list(exercise.rules) == ["test_b", "test_a"]
    assert exercise.rules["test_a"] == Text("Rule a.", "规则 a。")
    assert [hint.en for hint in exercise.hints] == ["First.", "Second."]
    assert exercise.limits == Limits()
    assert exercise.reference == course.root / "solutions/04_concat/concat.py"
    assert exercise.suite == course.root / "solutions/04_concat/test_concat_hidden.py"


def test_one_exercise_is_graded_though_another_is_broken(course: Course) -> None:
    """Only the files that are asked for are read: a broken neighbour or catalogue stops nobody."""
    (course.root / "exercises/03_softmax/exercise.toml").write_text("broken")
    (course.root / "exercises/mistakes.toml").write_text("broken")
    assert course.names == ("03_softmax", "04_concat")
    assert load_exercise(course, "04_concat").name == "04_concat"
    with pytest.raises(ContentError, match=r"03_softmax/exercise.toml: found no valid TOML"):
        _ = course.exercises
    with pytest.raises(ContentError, match=r"mistakes.toml: found no valid TOML"):
        _ = course.mistakes


def test_exercises_come_in_order(course: Course) -> None:
    """The exercises of a course are sorted by name; a folder without exercise.toml is none."""
    (course.root / "exercises/99_notes").mkdir()
    assert list(course.exercises) == ["03_softmax", "04_concat"]


def test_an_unknown_exercise_lists_the_known_ones(course: Course) -> None:
    """A name that is no exercise is answered with those that are; no path gets through as a name."""
    for name in ("05_other", "../solutions", ""):
        with pytest.raises(UsageError) as caught:
            load_exercise(course, name)
        assert said(caught.value) == f"There is no exercise {name}. The exercises are: 03_softmax, 04_concat."


def test_the_catalogue_of_mistakes(course: Course) -> None:
    """Rows and mistakes arrive with their texts; a course without a catalogue has none."""
    assert [(row.id, row.title.en) for row in course.rows.values()] == [("E1", "Row one"), ("E2", "Row two")]
    mistake = course.mistakes["merge-without-transpose"]
    assert (mistake.row, mistake.title.zh, mistake.place.en) == ("E2", "题", "p")
    (course.root / "exercises/mistakes.toml").unlink()
    bare = load_course(course.root)
    assert (bare.rows, bare.mistakes) == ({}, {})


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('row = "E2"', 'row = "E7"', "mistake.merge-without-transpose.row: found 'E7'; name one of E1, E2."),
        ("merge-without", "Merge_without", "found the slug 'Merge_without-transpose'; write lower-case words"),
        ('seen = {en = "s", zh = "见"}\n', "", "mistake.merge-without-transpose.seen: found nothing; write {en"),
        (
            "[row.E1]",
            '[row.E1]\ncolour = "red"',
            "row.E1.colour: found an unknown field; remove it, or use one of: title.",
        ),
        ("[row.E1]", "[rows.E1]", "row"),
    ],
)
def test_a_catalogue_that_is_not_well_written_is_refused(course: Course, old: str, new: str, complaint: str) -> None:
    """The author is told file, field, what was found and what to do."""
    path = course.root / "exercises/mistakes.toml"
    path.write_text(MISTAKES.replace(old, new), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        _ = course.mistakes
    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)


def test_trusted_files_are_run_as_modules_of_their_own(tmp_path: Path) -> None:
    """A reference may define dataclasses, is run anew each time, and stays out of sys.modules."""
    path = tmp_path / "concat.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Pair:\n    left: int\nmade = []\n"
    )
    first, second = load_module(path), load_module(path)
    assert first.Pair(1).left == 1
    assert first.made is not second.made
    assert first.__file__ == str(path)
    with pytest.raises(ContentError, match=r"other.py: found no such file; write it"):
        load_module(tmp_path / "other.py")


# --- what a student points at ------------------------------------------------------------------------------------


def test_an_exercise_folder_its_file_and_a_folder_of_them(course: Course, work: Path) -> None:
    """A folder, the file in it and a folder of such folders name what to grade, wherever they lie."""
    concat = work / "04_concat/concat.py"
    for path in (work / "04_concat", concat, work / "03_softmax/../04_concat"):
        ((exercise, file),) = find_exercises(course, path)
        assert (exercise.name, file) == ("04_concat", concat)
        assert exercise.suite.is_relative_to(course.root)
    both = find_exercises(course, work)
    assert [(exercise.name, file.name) for exercise, file in both] == [
        ("03_softmax", "softmax.py"),
        ("04_concat", "concat.py"),
    ]


def test_relative_paths_are_taken_from_the_current_folder(course: Course) -> None:
    """A path as it is typed, with the dots of the way, names the same exercise as an absolute one."""
    relative = Path(os.path.relpath(course.root / "exercises/04_concat"))
    assert relative.parts[0] == ".."
    ((exercise, file),) = find_exercises(course, relative)
    assert (exercise.name, file) == ("04_concat", course.root / "exercises/04_concat/concat.py")


def test_a_linked_folder_counts_by_the_name_that_was_typed(course: Course, work: Path, tmp_path: Path) -> None:
    """The name on the path decides, not where a link leads."""
    (tmp_path / "04_concat").symlink_to(work / "03_softmax")
    ((exercise, file),) = find_exercises(course, tmp_path / "04_concat")
    assert (exercise.name, file) == ("04_concat", tmp_path / "04_concat/concat.py")


def test_another_file_is_graded_with_the_exercise_named(course: Course, work: Path) -> None:
    """--file takes any file; another .py in the folder may be named directly."""
    other = work / "other.py"
    other.write_text("x\n")
    assert [file for _, file in find_exercises(course, work / "04_concat", other)] == [other]
    (work / "04_concat/second_try.py").write_text("x\n")
    ((exercise, _),) = find_exercises(course, work / "04_concat/second_try.py")
    assert exercise.name == "04_concat"


def usage(course: Course, path: Path, file: Path | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        find_exercises(course, path, file)
    return said(caught.value)


def test_paths_that_lead_nowhere_are_answered_with_the_way(course: Course, work: Path) -> None:
    """Each wrong path has a sentence that says where the exercises around it are, or what to type."""
    assert usage(course, work / "04_conact") == (
        f"There is no file or folder {work}/04_conact. The exercises are in {work}, for example 04_concat."
    )
    assert usage(course, work / "04_concat/concta.py").endswith("for example 04_concat.")
    (work / "notes").mkdir()
    assert usage(course, work / "notes") == (
        f"{work}/notes is not an exercise folder. The exercises are in {work}, for example 03_softmax."
    )
    start = f"To write a copy of them: grade start heads --course {course.root}"
    assert usage(course, work.parent) == (
        f"{work.parent} is not an exercise folder, and there are no exercises around it. {start}"
    )
    assert usage(course, work.parent / "gone") == (
        f"There is no file or folder {work.parent}/gone, and there are no exercises around it. {start}"
    )
    assert usage(course, work, work / "04_concat/concat.py") == (
        f"--file {work}/04_concat/concat.py goes with the folder of one exercise, for example: "
        f"grade exercises/03_softmax --file {work}/04_concat/concat.py"
    )
    assert usage(course, work / "04_concat/concat.py", work / "04_concat/concat.py").startswith("--file")
    assert usage(course, work / "04_concat", work / "gone.py").startswith(f"There is no file or folder {work}/gone.py.")


def test_a_file_without_an_exercise_gets_the_command_to_type(course: Course, work: Path) -> None:
    """A file outside an exercise folder is answered with the command that grades it, the likely exercise in it."""
    (work / "concat.py").write_text("x\n")
    assert usage(course, work / "concat.py") == (
        f"From the path {work}/concat.py it cannot be told which exercise is meant. Name the exercise and the file: "
        f"grade exercises/04_concat --file {work}/concat.py"
    )


@pytest.mark.parametrize("name", ["README.md", "test_concat.py"])
def test_other_files_of_the_folder_are_no_answers(course: Course, work: Path, name: str) -> None:
    """The task text and the sample checks are not graded by mistake."""
    path = work / "04_concat" / name
    path.write_text("x\n")
    assert usage(course, path) == (
        f"{path} is not a solution file of this exercise; that is concat.py. "
        f"To grade another file: grade exercises/04_concat --file {path}"
    )


# --- what a student handed in ------------------------------------------------------------------------------------


def test_a_submission_is_read_once_and_as_bytes(course: Course, work: Path) -> None:
    """Bytes, name and hash arrive as they are; a link to an ordinary file is followed."""
    exercise = load_exercise(course, "04_concat")
    source = b"\xef\xbb\xbfx = 1\r\n\xff"
    path = work / "04_concat/answer (1).py"
    path.write_bytes(source)
    link = work / "link.py"
    link.symlink_to(path)
    for given, name in ((path, "answer (1).py"), (link, "link.py")):
        submission = read_submission(given, exercise, "Zoë")
        assert (submission.who, submission.exercise, submission.filename) == ("Zoë", "04_concat", name)
        assert (submission.source, submission.sha256) == (source, hashlib.sha256(source).hexdigest())


def refused(course: Course, path: Path) -> str:
    with pytest.raises(SubmissionError) as caught:
        read_submission(path, load_exercise(course, "04_concat"), "ada")
    return said(caught.value)


def test_what_is_no_ordinary_file_is_refused(course: Course, work: Path) -> None:
    """A missing file, a folder, a pipe nobody writes to and a device each have a sentence, and none blocks."""
    pipe = work / "pipe.py"
    os.mkfifo(pipe)
    assert refused(course, work / "gone.py") == (
        f"There is no file {work}/gone.py. Your answer belongs in a file named concat.py."
    )
    assert refused(course, work) == f"{work} is a folder. Give the file with your answer."
    assert refused(course, pipe) == f"{pipe} is a device or a pipe. Give an ordinary file with your answer."
    assert refused(course, Path("/dev/zero")).startswith("/dev/zero is a device or a pipe.")


def test_a_file_of_50_mb_is_refused_unread(course: Course, work: Path) -> None:
    """Up to 1 MiB is read; the size of a larger file is told from its entry, not by reading it."""
    path = work / "large.py"
    path.write_bytes(b"#" * 2**20)
    assert len(read_submission(path, load_exercise(course, "04_concat"), "ada").source) == 2**20
    with path.open("wb") as file:
        file.truncate(50 * 2**20)
    assert refused(course, path) == (
        f"{path} has 50.0 MiB; up to 1 MiB is read. Check that it is the file with your answer."
    )


def test_a_file_without_a_known_size_is_capped_too(course: Course) -> None:
    """A file that claims to be empty, as those of /proc do, is read up to the cap."""
    assert read_submission(Path("/proc/self/status"), load_exercise(course, "04_concat"), "ada").source


def test_an_unreadable_file_is_told_with_its_reason(course: Course, work: Path) -> None:
    """What the system says against reading is passed on."""
    loop = work / "loop.py"
    loop.symlink_to(loop)
    assert refused(course, loop) == (
        f"{loop} cannot be read: Too many levels of symbolic links. Check its permissions."
    )
    long = work / ("x" * 300) / "concat.py"
    assert refused(course, long) == f"{long} cannot be read: File name too long. Check its permissions."


def test_names_that_are_no_utf8_are_shown_all_the_same(course: Course, work: Path) -> None:
    """A file name of other bytes reaches the report as text that can be written out."""
    path = Path(os.fsdecode(os.fsencode(work) + b"/caf\xe9.py"))
    path.write_bytes(b"x = 1\n")
    assert read_submission(path, load_exercise(course, "04_concat"), "ada").filename == "caf\ufffd.py"
