"""What lies where a student's file should be and is no file that can be read: refused, at once and in words."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from ground import Ground

from grader.course import read_submission
from grader.errors import SubmissionError

pytestmark = pytest.mark.hostile


def _folder(path: Path) -> None:
    path.mkdir()


def _fifty_megabytes(path: Path) -> None:
    path.touch()
    os.truncate(path, 50 * 2**20)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("lay", "key"),
    [
        pytest.param(_folder, "course.directory", id="directory"),
        pytest.param(_fifty_megabytes, "course.too_large", id="50 MB"),
        pytest.param(_pipe, "course.no_regular_file", id="named pipe"),
        pytest.param(_link_to("/dev/zero"), "course.link_elsewhere", id="link to an endless device"),
        pytest.param(_link_to("concat.py"), "course.unreadable", id="link to itself"),
        pytest.param(_link_to("nothing"), "course.no_file", id="link to nothing"),
    ],
)
def test_what_is_no_file_is_refused(lay: Callable[[Path], None], key: str, ground: Ground, tmp_path: Path) -> None:
    """Something that is no regular file of at most 1 MiB is refused by name, without reading it."""
    path = tmp_path / "concat.py"
    lay(path)
    with pytest.raises(SubmissionError) as refused:
        read_submission(path, ground.exercise, "mallory")
    assert refused.value.message.key == key
