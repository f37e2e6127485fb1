"""The log: append only, on disk before anything is said, and clear about what stops it."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from quiz_course import ROOT

from grader.errors import UsageError
from grader.quiz.events import Event, in_force
from grader.quiz.log import Log, data_folder

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(log, item="a", **given):
    """One entry with an id of this log."""
    plain = {
        "variant": "v",
        "bank": "r",
        "answered": "2026-03-01T20:00:00+00:00",
        "zone": "UTC",
        "day": "2026-03-01",
        "raw": "1",
        "mistake": "",
    }
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


def test_an_older_log_is_brought_up_to_date_after_a_copy(tmp_path):
    """QC28 A log of the first format keeps every entry, and what it was before lies beside it."""
    path = tmp_path / "quiz.db"
    log = Log(path)
    kept = [log.append(entry(log, f"i{i}")) for i in range(5)]
    log.close()
    base = sqlite3.connect(path)
    names = ", ".join(name for name in vars(kept[0]))
    refuse = "BEGIN SELECT RAISE(ABORT, 'append only'); END"
    for statement in (
        f"CREATE TABLE first AS SELECT {names} FROM event ORDER BY id DESC",  # noqa: S608 - our own names
        "DROP TABLE event",
        "DROP TABLE computed",
        "ALTER TABLE first RENAME TO event",
        f"CREATE TRIGGER never_changed BEFORE UPDATE ON event {refuse}",
        f"CREATE TRIGGER never_removed BEFORE DELETE ON event {refuse}",
        "PRAGMA user_version = 1",
    ):
        base.execute(statement)
    base.commit()
    base.close()
    log = Log(path)
    assert (log.events(), log.copy) == (kept, tmp_path / "quiz.format-1.db")
    assert sqlite3.connect(log.copy).execute("SELECT count(*) FROM event").fetchone() == (5,)
    log.append(entry(log))
    assert (Log(path).copy, len(Log(path).events())) == (None, 6)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look", b""])
def test_a_file_that_is_no_log(tmp_path, content):
    """A file of something else is refused with a sentence; an empty one becomes a log."""
    path = tmp_path / "quiz.db"
    path.write_bytes(content)
    if content:
        with pytest.raises(UsageError, match="log_damaged"):
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


SAVED = """
import resource, sys
from pathlib import Path
from test_quiz_log import entry
from grader.errors import UsageError
from grader.quiz.log import Log
log = Log(Path(sys.argv[1]))
log.append(entry(log, "first"))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    for i in range(10_000):
        log.append(entry(log, f"i{i}", raw="x" * 500))
        print(f"i{i}", flush=True)
except UsageError as error:
    print(error.message.key)
"""


def test_a_disk_that_fills_up_refuses_and_keeps(tmp_path):
    """Where the system takes no more, an answer is refused with a sentence, and each acknowledged one is kept."""
    path = tmp_path / "quiz.db"
    environ = {**os.environ, "PYTHONPATH": PATHS}
    done = subprocess.run(
        [sys.executable, "-c", SAVED, str(path)], env=environ, capture_output=True, text=True, check=True
    )
    *acknowledged, refused = done.stdout.split()
    assert (refused, len(acknowledged) > 5) == ("quiz.log_closed", True)
    assert [event.item for event in Log(path).events()] == ["first", *acknowledged]


@pytest.fixture
def read_only():
    """A folder with a log in which nobody may write, not even root, who runs some tests."""
    with TemporaryDirectory() as top:
        folder = Path(top) / "home"
        log = Log(folder / "quiz.db")
        log.append(entry(log, "kept"))
        log.close()
        for path, mode in ((Path(top), 0o755), (folder, 0o555), (folder / "quiz.db", 0o444)):
            path.chmod(mode)
        was = os.geteuid()
        if was == 0:
            os.seteuid(65534)  # root may write anywhere
        yield folder
        os.seteuid(was)
        folder.chmod(0o755)


def written_to(path):
    """Open a log and add to it."""
    log = Log(path)
    log.append(entry(log))


def test_a_home_that_cannot_be_written_is_told(read_only):
    """Where the folder is read-only, the log is refused with a sentence, whether there is one or none."""
    for path in (read_only / "quiz.db", read_only / "more" / "quiz.db"):
        with pytest.raises(UsageError, match="log_closed"):
            written_to(path)


def test_two_copies_of_a_log_never_give_one_id(tmp_path):
    """Where the clock was set back on both, two copies of a log still give different ids, all behind the newest."""
    logs = [Log(tmp_path / name / "quiz.db") for name in "ab"]
    first = entry(logs[0])
    given = set()
    for log in logs:
        log.absorb([first])
        for _ in range(50):
            given.add(log.append(replace(entry(log), id=log.new_id(MOMENT.replace(year=1999)))).id)
    assert len(given) == 100
    assert min(given) > first.id


def test_an_id_is_never_given_back(tmp_path):
    """Ids asked for and not yet used stay apart from each other."""
    log = Log(tmp_path / "quiz.db")
    ids = [log.new_id(MOMENT) for _ in range(50)]
    assert ids == sorted(set(ids))


def test_what_was_computed_is_void_once_something_is_added(tmp_path):
    """What is kept beside the log is given back until an entry comes, from whichever process."""
    log, other = Log(tmp_path / "quiz.db"), Log(tmp_path / "quiz.db")
    log.keep_computed("state", log.mark(), "much")
    kept = [each.computed("state", since=each.mark()) for each in (log, other)]
    assert (kept, log.computed("other")) == (["much", "much"], None)
    other.append(entry(other))
    assert (log.computed("state", since=log.mark()), log.computed("state")) == (None, "much")


def test_the_data_folder_is_where_the_user_keeps_such_things():
    """$MANYHEADS_DATA, else $XDG_DATA_HOME, else the home folder; never the package."""
    assert data_folder({"MANYHEADS_DATA": "/x", "XDG_DATA_HOME": "/y"}) == Path("/x")
    assert data_folder({"XDG_DATA_HOME": "/y"}) == Path("/y/manyheads")
    assert data_folder({"XDG_DATA_HOME": "not/absolute"}) == Path.home() / ".local" / "share" / "manyheads"


PATHS = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "quiz")])
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
    command = [sys.executable, "-c", WRITER, str(path), name, str(times)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": PATHS}, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_three_writers_at_once(tmp_path):
    """QC30 Three sessions write into one log that none of them found there, and nothing of any is lost."""
    path = tmp_path / "quiz.db"
    running = [writer(path, name, 150) for name in ("a", "b", "c")]
    said = [each.communicate(timeout=100)[0].split() for each in running]
    assert [len(each) for each in said] == [150, 150, 150]
    assert {event.item for event in Log(path).events()} == {item for each in said for item in each}
