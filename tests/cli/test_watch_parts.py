"""The parts under `grade watch`, each alone: keys, folders that are replaced, starters, and reports that must fit."""

import os
import select
import shutil
import threading
from importlib import import_module
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.cli.main import run
from grader.course import Course
from grader.installing import install_command
from grader.model import LANGUAGES, Language
from grader.report.compact import print_compact
from grader.watch.changes import Changes
from grader.watch.starter import put_back
from grader.watch.terminal import Terminal
from tests.report.samples import all_reports

COURSE = Course(Path(__file__).parents[1] / "report" / "course")


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("n", ["n"]),
        ("N", ["n"]),
        ("ｈ", ["h"]),
        ("是", ["是"]),
        ("xy", ["x", "y"]),
        ("\x1b[A\x1bOB", ["up", "down"]),
        ("\x1b[5~\x1b[6~q", ["page up", "page down", "q"]),
        ("\x1b", ["\x1b"]),
        ("\x1b[15~", ["\x1b[15~"]),
        ("\x1bx", ["\x1bx"]),
        ("\x04", ["end"]),
        ("\udcff", ["�"]),
    ],
)
def test_keys_have_names(typed: str, keys: list[str]) -> None:
    """Whatever a terminal sends for a key becomes one name; a sequence that nobody knows is one key, not several."""
    reading, writing = os.pipe()
    os.write(writing, typed.encode("utf-8", "surrogateescape"))
    assert Terminal(keyboard=reading).keys() == keys
    os.close(writing)
    assert Terminal(keyboard=reading).keys() == ["end"]
    os.close(reading)


def wait_for(changes: Changes) -> None:
    """Until the descriptor is readable; taken note of."""
    assert select.select([changes], [], [], 60)[0]
    changes.taken()


def test_a_replaced_folder_is_followed(tmp_path: Path) -> None:
    """A folder that comes later, goes, and comes anew is listened to, beside another one that stays."""
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    with Changes([first, second]) as changes:
        wait_for(changes)  # the listening has begun
        (second / "a.py").write_text("1")
        wait_for(changes)
        first.mkdir()
        wait_for(changes)
        for number in range(2):
            (first / "b.py").write_text(str(number))
            wait_for(changes)
            shutil.rmtree(first)
            wait_for(changes)
            first.mkdir()
            wait_for(changes)


def test_nothing_of_the_listening_is_left(tmp_path: Path) -> None:
    """After the end the thread is over and the descriptor closed."""
    before = threading.active_count()
    with Changes([tmp_path]) as changes:
        wait_for(changes)
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(changes.fileno())


def test_no_kept_file_is_overwritten(tmp_path: Path) -> None:
    """Each file that a starter replaces is kept under a name of its own."""
    file = tmp_path / "04_concat" / "concat.py"
    assert put_back(file, b"starter") is None
    names = []
    for text in ("one", "two", "three"):
        file.write_text(text)
        kept = put_back(file, b"starter")
        assert kept is not None
        names.append((kept.name, kept.read_text()))
    assert names == [("concat.py.old", "one"), ("concat.py.old-2", "two"), ("concat.py.old-3", "three")]
    assert file.read_bytes() == b"starter"


def test_whatever_lies_there_is_kept(tmp_path: Path) -> None:
    """A folder, a pipe or a link to nowhere that bears the name of the file is set aside as it is."""
    file = tmp_path / "concat.py"
    for name, make in (
        ("concat.py.old", file.mkdir),
        ("concat.py.old-2", lambda: os.mkfifo(file)),
        ("concat.py.old-3", lambda: file.symlink_to("nowhere")),
    ):
        make()
        kept = put_back(file, b"starter")
        assert kept == tmp_path / name
        assert os.path.lexists(kept)
        assert file.read_bytes() == b"starter"
        file.unlink()
    assert (tmp_path / "concat.py.old").is_dir()
    assert (tmp_path / "concat.py.old-3").is_symlink()


def test_a_starter_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    """Where the starter cannot be written, the old file is where it was, and nothing is beside it."""
    file = tmp_path / "concat.py"
    file.write_text("mine")
    (tmp_path / f".concat.py.{os.getpid()}.partial").mkdir()
    with pytest.raises(OSError, match="directory"):
        put_back(file, b"starter")
    assert file.read_text() == "mine"
    assert not list(tmp_path.glob("*.old*"))


@pytest.mark.parametrize("saved", [False, True])
def test_without_second_names_nothing_is_lost_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, saved: bool
) -> None:
    """Where a file system has no hard links the starter is renamed, but never over what was saved just now."""
    file = tmp_path / "concat.py"
    file.write_text("mine")

    def no_link(*_arguments: object, **_options: object) -> None:
        if saved:
            file.write_text("newer")
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_link)
    if saved:
        with pytest.raises(FileExistsError):
            put_back(file, b"starter")
    else:
        put_back(file, b"starter")
    assert file.read_text() == ("newer" if saved else "starter")
    assert {path.name for path in tmp_path.iterdir()} == {"concat.py", "concat.py.old"}
    assert (tmp_path / "concat.py.old").read_text() == "mine"


@pytest.mark.parametrize(
    "refusal", [OSError("OS file watch limit reached"), RuntimeError("Too many open files")], ids=str
)
def test_where_nobody_may_listen_it_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: Exception) -> None:
    """A limit of the system on listening is answered by looking: saves, new files and new folders are told of."""

    def refused(*_folders: object, **_options: object) -> None:
        raise refusal

    monkeypatch.setattr("watchfiles.watch", refused)
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    with Changes([first, second]) as changes:
        wait_for(changes)
        (first / "a.py").write_text("1")
        wait_for(changes)
        (first / "b.py").symlink_to("nowhere")
        wait_for(changes)
        (first / "a.py").write_text("2")
        wait_for(changes)
        second.mkdir()
        (second / "c.py").write_text("3")
        wait_for(changes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [30, 80])
@pytest.mark.parametrize("name", all_reports())
def test_a_short_report_fits(name: str, width: int, language: Language) -> None:
    """Every report has a short form that is nowhere wider than the terminal, and names every mistake."""
    report = all_reports()[name]
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        print_compact(report, COURSE, language, console, exercises=Path("exercises"), example=width == 80)
    text = captured.get()
    assert max(map(cell_len, text.splitlines())) <= width
    told = "".join(text.split())
    for finding in report.diagnosis.findings:
        assert "".join(finding.mistake.title.in_language(language).split()) in told


def test_what_is_said_of_a_mistake_stands_under_its_title() -> None:
    """Of several mistakes the first is told in full; the titles of the others come after it."""
    console = Console(width=80, color_system=None)
    report = all_reports()["several"]
    with console.capture() as captured:
        print_compact(report, COURSE, "en", console, exercises=Path("exercises"))
    first, second = (finding.mistake for finding in report.diagnosis.findings)
    told = " ".join(captured.get().split())
    assert told.index(first.title.en) < told.index(first.question.en) < told.index(second.title.en)


def test_without_watchfiles_the_way_to_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the extra is not installed, `grade watch` says what to type, exit code 2."""
    monkeypatch.setenv("MANYHEADS_LANG", "en")
    import_module("grader.cli.watch")  # before the path is cut
    import_module("grader.sandbox.launch")
    monkeypatch.setattr("sys.path", [])
    root = Path(__file__).parents[2]
    assert run(["watch", str(root / "exercises" / "04_concat")]) == 2
    assert capsys.readouterr().err == f"watchfiles is not installed. To install it: {install_command('watch')}\n"


def test_where_the_checks_are_not_handed_out_nothing_is_watched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In a release, `grade watch` and `grade solution` say what is missing there, exit code 2."""
    monkeypatch.setenv("MANYHEADS_LANG", "en")
    exercise = tmp_path / "exercises" / "04_concat"
    exercise.mkdir(parents=True)
    (tmp_path / "release.toml").write_text("")
    assert run(["watch", str(exercise)]) == 2
    assert capsys.readouterr().err.startswith("`grade watch` needs the hidden checks, which are not handed out.")
    assert run(["solution", str(exercise)]) == 2
    assert capsys.readouterr().err == "There are no solutions in this folder: whoever runs the course has them.\n"
