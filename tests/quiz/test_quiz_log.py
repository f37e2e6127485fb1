"""The log: append only, on disk before anything is said, and clear about what stops it."""

import os
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from quiz_course import ROOT

from grader.errors import UsageError
from grader.quiz.log import Event, Log, data_folder, in_force

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(log, item="a", **given):
    """One entry with an id of this log."""
    plain = {"variant": "v", "bank": "r", "answered": "", "zone": "UTC", "day": "2026-03-01", "raw": "1", "mistake": ""}
    more = {
        "mode": "scheduled",
        "version": 1,
        "understood": "1",
        "outcome": "right",
        "confidence": 2,
        "hint": 0,
        "ms": 9,
    }
    return Event(**{**plain, **more, "id": log.new_id(MOMENT), "item": item, "undoes": "", **given})


def test_what_is_appended_is_there_for_another_reader(tmp_path):
    """An entry is on disk when `append` returns, in order, even where the clock stands still."""
    log, other = Log(tmp_path / "quiz.db"), Log(tmp_path / "quiz.db")
    for i in range(20):
        (log if i % 2 else other).append(entry(log if i % 2 else other, f"i{i}"))
    assert [event.item for event in log.events()] == [f"i{i}" for i in range(20)] == [e.item for e in other.events()]


def test_nothing_is_changed_or_removed(tmp_path):
    """The file itself refuses both."""
    log = Log(tmp_path / "quiz.db")
    log.append(entry(log))
    log.close()
    base = sqlite3.connect(tmp_path / "quiz.db")
    for statement in ("DELETE FROM event", "UPDATE event SET outcome = 'wrong'"):
        with pytest.raises(sqlite3.IntegrityError, match="append only"):
            base.execute(statement)


def test_an_undo_is_one_more_entry(tmp_path):
    """What was taken back stays in the log, and out of force."""
    log = Log(tmp_path / "quiz.db")
    log.append(entry(log, "a"))
    first = log.events()[0]
    log.append(entry(log, "a", mode="undo", undoes=first.id))
    assert len(log.events()) == 2
    assert in_force(log.events()) == []


def test_a_newer_log_is_left_alone(tmp_path):
    """The log of a newer version is refused with a sentence, and not touched."""
    path = tmp_path / "quiz.db"
    log = Log(path)
    log.append(entry(log))
    log._base.execute("PRAGMA user_version = 99")
    log.close()
    with pytest.raises(UsageError) as caught:
        Log(path)
    assert caught.value.message.key == "quiz.log_newer"
    assert sqlite3.connect(path).execute("SELECT count(*) FROM event").fetchone() == (1,)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look", b""])
def test_a_file_that_is_no_log(tmp_path, content):
    """A file of something else is refused with a sentence; an empty one becomes a log."""
    path = tmp_path / "quiz.db"
    path.write_bytes(content)
    if content:
        with pytest.raises(UsageError, match="log_closed"):
            Log(path)
        assert path.read_bytes() == content
    else:
        assert Log(path).events() == []


def test_a_folder_that_cannot_be(tmp_path):
    """Where the folder cannot be made, a sentence says so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="log_closed"):
        Log(tmp_path / "file" / "quiz.db")


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path):
    """Where no page can be added, the answer is refused with a sentence, and all before it are there."""
    log = Log(tmp_path / "quiz.db")
    log.append(entry(log, "kept"))
    pages = log._base.execute("PRAGMA page_count").fetchone()[0]
    log._base.execute(f"PRAGMA max_page_count = {pages}")

    def fill():
        for _ in range(200):
            log.append(entry(log, raw="x" * 2000))

    with pytest.raises(UsageError, match="log_closed"):
        fill()
    log.close()
    assert Log(tmp_path / "quiz.db").events()[0].item == "kept"


def test_the_data_folder_is_where_the_user_keeps_such_things():
    """$MANYHEADS_DATA, else $XDG_DATA_HOME, else the home folder; never the package."""
    assert data_folder({"MANYHEADS_DATA": "/x", "XDG_DATA_HOME": "/y"}) == Path("/x")
    assert data_folder({"XDG_DATA_HOME": "/y"}) == Path("/y/manyheads")
    assert data_folder({"XDG_DATA_HOME": "not/absolute"}) == Path.home() / ".local" / "share" / "manyheads"


WRITER = """
import sys
from pathlib import Path
from test_quiz_log import entry
from grader.quiz.log import Log
log = Log(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    log.append(entry(log, f"{sys.argv[2]}-{i}"))
    print(f"{sys.argv[2]}-{i}", flush=True)
"""


def writer(path, name, times):
    """A process that acknowledges each entry once it is appended."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "quiz")])
    command = [sys.executable, "-c", WRITER, str(path), name, str(times)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_writers_at_once(tmp_path):
    """Two sessions write into one log at the same time, and nothing of either is lost."""
    path = tmp_path / "quiz.db"
    running = [writer(path, name, 60) for name in ("a", "b")]
    said = [each.communicate(timeout=100)[0].split() for each in running]
    assert [len(each) for each in said] == [60, 60]
    assert {event.item for event in Log(path).events()} == {*said[0], *said[1]}


@pytest.mark.slow
def test_a_killed_process_loses_no_acknowledged_answer(tmp_path):
    """Killed after any of hundreds of acknowledged answers, the process leaves all of them in the log."""
    acknowledged = []
    for round_ in range(12):
        path = tmp_path / "quiz.db"
        with writer(path, f"r{round_}", 1000) as process:
            acknowledged += [process.stdout.readline().strip() for _ in range(7 + 3 * round_)]
            process.send_signal(signal.SIGKILL)
            acknowledged += process.stdout.read().split()
    assert len(acknowledged) > 250
    assert set(acknowledged) <= {event.item for event in Log(path).events()}
