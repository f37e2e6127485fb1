"""Folders and flat files: whose a file is, which exercise it answers, and what is said where that is in doubt."""

import os
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, WRONG, read, written

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.inputs.roster import Roster
from grader.model import Message


def test_a_folder_for_each_student(tmp_path: Path, course: Course) -> None:
    """The first folder names the student, however deep the answer lies in it."""
    files = {"alice/concat.py": RIGHT, "bob/exercises/04_concat/concat.py": WRONG, "carol/a/b/Concat.PY": RIGHT}
    found = read(written(tmp_path / "in", files), course)
    assert found.sources == {"alice": RIGHT, "bob": WRONG, "carol": RIGHT}
    assert found.doubts == []


@pytest.mark.parametrize(
    ("filename", "student"),
    [
        ("alice_concat.py", "alice"),
        ("concat-alice.py", "alice"),
        ("alice concat (1).py", "alice"),
        ("van_der_berg_concat-2.py", "van_der_berg"),
        ("alice.py", "alice"),
        ("王芳_concat.py", "王芳"),
        ("Süß_CONCAT.PY", "Süß"),
    ],
)
def test_flat_files(tmp_path: Path, course: Course, filename: str, student: str) -> None:
    """A flat file's name without the exercise's is the student's."""
    assert list(read(written(tmp_path / "in", {filename: RIGHT, "x/y.py": ""}), course).sources) == [student]


def test_a_flat_file_without_a_student_is_told(tmp_path: Path, course: Course) -> None:
    """A file that tells of no student is not graded for nobody, and not dropped in silence."""
    found = read(written(tmp_path / "in", {"concat.py": RIGHT, "alice/concat.py": RIGHT}), course)
    assert (list(found.rows), found.doubts) == (["alice"], ["nobodys"])


def test_a_loose_file_that_is_no_submission_makes_no_student(tmp_path: Path, course: Course) -> None:
    """README.txt beside the folders is listed and nobody's; a program may be a student's, unless a class list says."""
    files = {"alice/concat.py": RIGHT, "README.txt": "hello", "plan.pdf": "x", "zed.py": "x = 1\n", "eve.zip": "junk"}
    folder = written(tmp_path / "in", files)
    found = read(folder, course)
    assert (sorted(found.rows), found.doubts) == (["alice", "eve", "zed"], ["no_submission"] * 2)
    listed = read(folder, course, roster=Roster({"alice": "", "eve": "Eve", "plan": ""}))
    assert (sorted(listed.rows), listed.doubts) == (["alice", "eve", "plan"], ["no_submission"] * 2)


def test_one_wrapping_folder_is_tolerated(tmp_path: Path, course: Course) -> None:
    """Where all lies in one folder, the students are the next level, and this is said."""
    found = read(written(tmp_path / "in", {"hw4/alice/concat.py": RIGHT, "hw4/bob/concat.py": WRONG}), course)
    assert (sorted(found.sources), found.notes) == (["alice", "bob"], ["wrapper"])


@pytest.mark.parametrize(
    "path", ["alice/concat.py", "alice/04_concat/concat.py", "alice/exercises/04_concat/concat.py"]
)
def test_a_single_student_is_no_wrapping_folder(tmp_path: Path, course: Course, path: str) -> None:
    """The folder of the only student who handed in is theirs."""
    assert list(read(written(tmp_path / "in", {path: RIGHT}), course).sources) == ["alice"]


@pytest.mark.parametrize(
    "filename", ["concat (1).py", "concat(2).py", "concat-2.py", "Concat.PY", "concat - Copy.py", "concat.py.txt"]
)
def test_renamed_files_are_matched(tmp_path: Path, course: Course, filename: str) -> None:
    """Situation C118: a download renamed the file; the run goes on and the file is known all the same."""
    found = read(written(tmp_path / "in", {f"alice/{filename}": RIGHT}), course)
    assert (found.sources, found.doubts) == ({"alice": RIGHT}, [])


def test_a_file_with_another_name_is_known_by_what_it_defines(tmp_path: Path, course: Course) -> None:
    """Situation C118: "my answer.txt" is matched by the function it defines, and the guess is listed."""
    found = read(written(tmp_path / "in", {"alice/my answer.txt": RIGHT, "bob/homework.py": WRONG}), course)
    assert (found.sources, found.doubts) == ({"alice": RIGHT, "bob": WRONG}, ["by_definition", "by_definition"])


def test_the_later_copy_counts_and_the_choice_is_listed(tmp_path: Path, course: Course) -> None:
    """Situation C140: of two attempts one counts whole, the later one."""
    found = read(written(tmp_path / "in", {"alice/concat.py": WRONG, "alice/concat-2.py": RIGHT}), course)
    assert (found.sources, found.doubts) == ({"alice": RIGHT}, ["several_files"])


def test_what_fits_several_exercises_is_not_guessed(tmp_path: Path, course: Course) -> None:
    """A class that two exercises ask for stays ungraded where the name decides nothing, and is listed."""
    source = "class MultiHeadAttention:\n    pass\n"
    found = read(written(tmp_path / "in", {"alice/mine.py": source}), course, asked=course.names)
    assert found.doubts == ["several_exercises"]
    assert not found.sources


def test_the_answer_to_another_exercise_is_not_graded_for_this_one(tmp_path: Path, course: Course) -> None:
    """A file that answers an exercise nobody asked about leaves a row that says so."""
    files = {"alice/masked_softmax.py": "def masked_softmax(x):\n    pass\n", "bob/concat.py": RIGHT}
    found = read(written(tmp_path / "in", files), course)
    assert (found.rows["alice"].state, found.reason("alice")) == ("missing", "nothing_for_it")


def test_nobody_misses_an_exercise_that_nobody_handed_in(tmp_path: Path, course: Course) -> None:
    """With every exercise asked for, only those that came count as set."""
    files = {"alice/concat.py": RIGHT, "bob/notes.md": "later"}
    found = read(written(tmp_path / "in", files), course, asked=course.names, every=True)
    assert [(row.student, row.exercise, row.state) for row in found.rows.values()] == [
        ("alice", EXERCISE, "read"),
        ("bob", EXERCISE, "missing"),
    ]


def test_an_empty_folder_is_a_row(tmp_path: Path, course: Course) -> None:
    """Situation C096: a student whose folder is empty has a row and no percentage."""
    (written(tmp_path / "in", {"alice/concat.py": RIGHT}) / "bob").mkdir()
    found = read(tmp_path / "in", course)
    assert (found.rows["bob"].state, found.reason("bob")) == ("missing", "nothing_for_it")


def test_hidden_files_and_those_of_tools_are_ignored(tmp_path: Path, course: Course) -> None:
    """What a system, an editor or a tool left is no submission, and no student."""
    ignored = ("__MACOSX/alice/._concat.py", ".git/concat.py", "alice/.concat.py", "alice/__pycache__/concat.py")
    files = dict.fromkeys((*ignored, "alice/venv/concat.py", "alice/test_concat.py", "alice/conftest.py"), WRONG)
    found = read(written(tmp_path / "in", {**files, "alice/concat.py": RIGHT}), course)
    assert (found.sources, found.doubts) == ({"alice": RIGHT}, [])


def test_links_are_not_followed(tmp_path: Path, course: Course) -> None:
    """Situation C130: a link out of the folder is a row with a reason, whether to a file or to a folder."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT})
    for student in ("bob", "carol"):
        (folder / student).mkdir()
    (folder / "bob" / "concat.py").symlink_to("/etc/passwd")
    (folder / "carol" / "answers").symlink_to(folder / "alice")
    (folder / "dave").symlink_to(folder / "alice")
    found = read(folder, course)
    assert list(found.sources) == ["alice"]
    assert [found.reason(student) for student in ("bob", "carol", "dave")] == ["link", "link", "link"]


def test_what_cannot_be_read_is_a_row_with_its_reason(tmp_path: Path, course: Course) -> None:
    """Situation C118: a broken hand-in neither stops the run nor disappears."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT, "bob/concat.py": b"#" * (2**20 + 1)})
    written(folder, {"dave/concat.ipynb": "{}", "erin/concat.zip": "no zip", "frank/concat.docx": "x"})
    (folder / "carol").mkdir()
    os.mkfifo(folder / "carol" / "concat.py")
    found = read(folder, course)
    reasons = {student: found.reason(student) for student in ("bob", "carol", "dave", "erin", "frank")}
    assert reasons == {
        "bob": "file_too_large",
        "carol": "special",
        "dave": "notebook_broken",
        "erin": "nested_other",
        "frank": "no_file_for_it",
    }


def test_a_library_is_refused_for_its_student_alone(tmp_path: Path, course: Course) -> None:
    """Situation C130: hundreds of files of one student cost that student a reason, and nobody else anything."""
    files = {f"bob/lib/m{i}.py": "" for i in range(201)}
    found = read(written(tmp_path / "in", {**files, "bob/concat.py": RIGHT, "alice/concat.py": RIGHT}), course)
    assert (found.rows["bob"].state, found.reason("bob")) == ("unreadable", "too_many_files")
    assert list(found.sources) == ["alice"]


def test_inputs_are_not_touched(tmp_path: Path, course: Course) -> None:
    """Situation C161: reading changes no time and no content."""
    path = written(tmp_path / "in", {"alice/concat.py": RIGHT}) / "alice" / "concat.py"
    os.utime(path, (1e9, 1e9))
    read(tmp_path / "in", course)
    assert (path.stat().st_mtime, path.read_text()) == (1e9, RIGHT)


@pytest.mark.parametrize(
    "name", ["a+b_c-d.e@f g", 'O\'Brien "x"', "x" * 100, "=1+1", "<b>", "line\nbreak", "Zoe\u0308 Meyer"]
)
def test_a_folder_is_never_taken_apart(tmp_path: Path, course: Course, name: str) -> None:
    """Situation C121: an id with separators, quotes or a hundred characters stays as it is."""
    found = read(written(tmp_path / "in", {f"{name}/concat.py": RIGHT}), course)
    assert list(found.sources) == [name.replace("e\u0308", "ë")]


def test_the_spelling_of_accents_does_not_matter(tmp_path: Path, course: Course) -> None:
    """Situation C123: the same name composed in the class list and decomposed in the folder is one student."""
    folder = written(tmp_path / "in", {"Zoe\u0308 Meyer/concat.py": RIGHT, "ID7/concat.py": WRONG})
    found = read(folder, course, roster=Roster({"s1": "Zo\u00eb Meyer", "id7": "Al", "s3": "Bo"}))
    assert sorted(found.sources) == ["id7", "s1"]
    assert found.doubts == []
    assert (found.rows["s3"].state, found.reason("s3")) == ("missing", "nothing_handed_in")


def test_who_is_not_in_the_class_list_is_graded_and_told(tmp_path: Path, course: Course) -> None:
    """Situation C155: an unknown student is listed; the run goes on."""
    found = read(written(tmp_path / "in", {"mallory/concat.py": RIGHT}), course, roster=Roster({"alice": "Alice"}))
    assert (sorted(found.rows), found.doubts) == (["alice", "mallory"], ["not_in_roster"])


@pytest.mark.parametrize("archive", [b"PK\x03\x04 cut short", b"no archive", b"PK\x05\x06"])
def test_an_archive_that_cannot_be_read_beside_an_answer_is_told(
    tmp_path: Path, course: Course, archive: bytes
) -> None:
    """The answer is graded; that something else was handed in is a doubt, and a note of the row."""
    folder = written(tmp_path / "in", {"bob/concat.py": RIGHT, "bob/x.zip": archive, "bob/report.pdf": b"%PDF"})
    found = read(folder, course)
    assert (list(found.sources), found.doubts) == (["bob"], ["unread_beside"])
    assert found.rows["bob"].reason == Message("batch.note_unread_beside", {"files": "bob/x.zip"})


def test_an_archive_that_cannot_be_read_is_no_hand_in_without_a_word(tmp_path: Path, course: Course) -> None:
    """A broken archive with nothing but a report beside it is a row with its reason."""
    files = {"bob/hw.zip": b"PK\x03\x04 cut short", "bob/report.pdf": b"%PDF", "alice/concat.py": RIGHT}
    found = read(written(tmp_path / "in", files), course)
    assert (found.rows["bob"].state, found.rows["bob"].place) == ("unreadable", "bob/hw.zip")


def test_names_that_two_students_have_are_not_guessed(tmp_path: Path, course: Course) -> None:
    """Situation C154: what fits two students is given to neither."""
    folder = written(tmp_path / "in", {"Li Na/concat.py": RIGHT})
    found = read(folder, course, roster=Roster({"1": "Li Na", "2": "Li Na"}))
    assert list(found.sources) == ["Li Na"]
    assert "not_in_roster" in found.doubts


@pytest.mark.parametrize("files", [{}, {"alice/notes.md": "x"}])
def test_an_input_without_any_answer_is_told(tmp_path: Path, course: Course, files: dict[str, str]) -> None:
    """An empty folder is a mistake of whoever typed it: nothing is graded."""
    (tmp_path / "in").mkdir()
    with pytest.raises(UsageError, match=r"batch\.nothing_found"):
        read(written(tmp_path / "in", files), course)


def test_a_path_that_is_not_there_is_told(tmp_path: Path, course: Course) -> None:
    """Situation C129: a wrong path is told at once."""
    with pytest.raises(UsageError, match=r"batch\.not_there"):
        read(tmp_path / "in", course)
    with pytest.raises(UsageError, match=r"batch\.no_input"):
        read(written(tmp_path, {"concat.py": RIGHT}) / "concat.py", course)
