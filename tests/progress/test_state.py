"""The state folder: where it lies, that its files are never half written, and that a lock is given back."""

import os
from pathlib import Path

import pytest

from grader.state import locked, prepare_state_folder, read_regular, state_folder, write_durably, write_whole


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


@pytest.mark.parametrize("write", [write_whole, write_durably])
def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path, write) -> None:
    """After a write the folder holds the file with its new text, and no unfinished one."""
    target = tmp_path / "progress.json"
    write(target, "old")
    write(target, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("progress.json", "new")]


def test_what_a_crash_left_is_cleared_away(tmp_path: Path) -> None:
    """The unfinished file of a run that was killed is no obstacle for the next one, even where it is a link."""
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / ".progress.json.partial").symlink_to(tmp_path / "elsewhere")
    write_durably(tmp_path / "progress.json", "new")
    assert (tmp_path / "progress.json").read_text() == "new"
    assert (tmp_path / "elsewhere").read_text() == "mine"
    assert not (tmp_path / ".progress.json.partial").is_symlink()


def test_only_an_ordinary_file_is_read(tmp_path: Path) -> None:
    """A link, a pipe and a folder are refused at once; of a file, as many bytes are read as are asked for."""
    (tmp_path / "file").write_text("123456")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "file", 4) == b"1234"
    for name in ("link", "folder", "pipe", "missing"):
        with pytest.raises(OSError, match=name):
            read_regular(tmp_path / name, 4)


def test_a_lock_is_waited_for_and_then_given_up(tmp_path: Path) -> None:
    """While one holds the lock, another one waits no longer than it is told to; afterwards it is free."""
    lock = tmp_path / "progress.lock"
    with locked(lock), pytest.raises(BlockingIOError), locked(lock, wait_s=0):
        pass
    with locked(lock, wait_s=0):
        assert lock.is_file()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    """A repository of a stranger cannot make us create a file elsewhere."""
    (tmp_path / "progress.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "progress.lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()
