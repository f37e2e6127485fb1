"""Where reports go, and that they are written whole or not at all."""

from pathlib import Path

import pytest

from grader.cli.files import ReportPaths, prepare_state_folder, state_folder, write_asked, write_whole
from grader.errors import UsageError


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("/home/ada/course/exercises/04_concat/concat.py", "/home/ada/course/.manyheads"),
        ("/home/ada/04_concat/concat.py", "/home/ada/.manyheads"),
        ("/home/ada/loose.py", "/home/ada/.manyheads"),
        ("/home/ada/exercises/loose.py", "/home/ada/exercises/.manyheads"),
    ],
)
def test_the_state_folder_lies_beside_the_exercises(file: str, folder: str) -> None:
    """`.manyheads` lies beside the folder of all exercises, else beside the exercise, else beside the file."""
    assert state_folder(Path(file), "04_concat") == Path(folder)


def test_the_state_folder_is_ignored_by_git(tmp_path: Path) -> None:
    """The state folder holds a .gitignore for everything in it, which stays as it is once it is there."""
    reports = tmp_path / ".manyheads" / "reports"
    prepare_state_folder(reports)
    ignore = tmp_path / ".manyheads" / ".gitignore"
    assert ignore.read_text() == "*\n"
    ignore.write_text("reports/\n")
    prepare_state_folder(reports)
    assert ignore.read_text() == "reports/\n"


@pytest.mark.parametrize("link", [".manyheads", ".manyheads/reports"])
def test_a_link_in_place_of_the_state_folder_is_not_followed(tmp_path: Path, link: str) -> None:
    """A repository of a stranger cannot send our reports elsewhere by a symbolic link."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic links"):
        prepare_state_folder(tmp_path / ".manyheads" / "reports")
    assert list(elsewhere.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """Where the new text cannot be put in place, the old file stays and nothing else is left."""
    target = tmp_path / "report.html"
    target.mkdir()  # a folder cannot be replaced by a file
    with pytest.raises(OSError, match="directory"):
        write_whole(target, "new")
    assert list(tmp_path.iterdir()) == [target]


def test_half_a_character_is_no_reason_to_fail(tmp_path: Path) -> None:
    """A text with half a surrogate pair, as a student's name may hold, is written with a replacement for it."""
    write_whole(tmp_path / "report.html", "a\udc80b")
    assert (tmp_path / "report.html").read_bytes() == b"a?b"


def test_an_asked_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """What the user asked for and did not get is said with option, path and reason."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError) as refused:
        write_asked(tmp_path / "taken" / "out.json", "{}", "--json")
    assert refused.value.message.key == "cli.cannot_write"
    assert refused.value.message.fields["option"] == "--json"


def test_an_asked_file_gets_its_folder(tmp_path: Path) -> None:
    """The folder of a file that was asked for is made."""
    write_asked(tmp_path / "a" / "b" / "out.json", "{}", "--json")
    assert (tmp_path / "a" / "b" / "out.json").read_text() == "{}"


def test_a_report_is_a_file_unless_a_folder_is_meant(tmp_path: Path) -> None:
    """`--report` names a file; an existing folder, a slash at the end or several submissions make it a folder."""
    file = Path("exercises/04_concat/concat.py")
    new = tmp_path / "new"
    assert ReportPaths(str(new), several=False).path_for(file, "04_concat") == new
    for paths in (
        ReportPaths(f"{new}/", several=False),
        ReportPaths(str(new), several=True),
    ):
        assert paths.path_for(file, "04_concat") == new / "04_concat.html"
    assert ReportPaths(str(tmp_path), several=False).path_for(file, "04_concat") == tmp_path / "04_concat.html"


def test_two_reports_on_one_exercise_have_two_names(tmp_path: Path) -> None:
    """Several submissions for one exercise do not overwrite each other's report in one run."""
    paths = ReportPaths(str(tmp_path), several=True)
    names = [paths.path_for(Path(f"{who}.py"), "04_concat").name for who in ("ada", "bob", "eve")]
    assert names == ["04_concat.html", "04_concat-2.html", "04_concat-3.html"]


def test_several_reports_do_not_go_into_one_file(tmp_path: Path) -> None:
    """`--report` with an existing file is refused where several submissions are graded."""
    (tmp_path / "one.html").write_text("")
    with pytest.raises(UsageError) as refused:
        ReportPaths(str(tmp_path / "one.html"), several=True)
    assert refused.value.message.key == "cli.report_needs_folder"
