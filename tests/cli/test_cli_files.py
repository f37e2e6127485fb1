"""Where reports go, and files that were asked for by name."""

import os
from pathlib import Path

import pytest

from grader.cli.files import ReportPaths, write_asked
from grader.errors import UsageError


def test_an_asked_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """What the user asked for and did not get is said with option, path and reason."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError) as refused:
        write_asked(tmp_path / "taken" / "out.json", "{}", "--json")
    assert refused.value.message.key == "cli.cannot_write"
    assert refused.value.message.fields["option"] == "--json"


def test_a_pipe_stays_what_it_is(tmp_path: Path) -> None:
    """A pipe or a device that was asked for is written to and not replaced by a file: /dev/null above all."""
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_asked(tmp_path / "pipe", "{}", "--json")
    assert os.read(reading, 9) == b"{}"
    os.close(reading)
    assert (tmp_path / "pipe").is_fifo()


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
