"""What an attempt to break the page, the log and the checker found; each stays mended."""

from __future__ import annotations

import re
import socket
import sqlite3
import sys
from contextlib import closing
from dataclasses import asdict, replace
from datetime import date

import pytest
from page_reader import Clock, bank_of, reader
from quiz_course import Learner
from quiz_entries import answer, entry
from test_quiz_log import read_only  # noqa: F401 - a fixture

from grader.course import installed_course, load_course
from grader.errors import UsageError
from grader.quiz.answers import mark
from grader.quiz.asked import Asked, Outcome
from grader.quiz.log import Log
from grader.quiz.transfer import event_of, written
from grader.quizpage.prose import prose
from grader.quizpage.server import MOST_CONNECTIONS, listening, server

DAY = date(2026, 3, 1)


@pytest.fixture(scope="module")
def course():
    return load_course(installed_course())


# --- the checker ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["点", "点5", "፩", "5፩", "1.sqrt(-1)", "½" * 40, "(1/3)" * 40, "1 (3)" * 40, "12345 " * 45]
)
def test_odd_texts_are_sent_back_at_once(text):
    """An empty front of 点, a digit without a value and many bracketed fractions are neither a crash nor for ever."""
    assert mark(Asked("number", 8), text).outcome in {Outcome.RETYPE, Outcome.UNCLEAR, Outcome.WRONG}
    assert mark(Asked("shape", (2, 3), sizes={}), text).outcome is not Outcome.RIGHT


def test_a_tuple_that_never_closes_is_marked_up_at_once():
    """The page reads a sentence in a time that grows with its length, however many commas stand in it."""
    for text in ("(" + ", ".join("1" * 300) + ";", "(" + ", ".join(["12,345"] * 50)):
        assert re.sub(r"<[^>]+>", "", prose(text, "en")) == text


# --- the log ---------------------------------------------------------------------------------------------------------


BAD = [
    {"day": "9999-12-31"},
    {"day": "0001-01-01"},
    {"answered": "0001-01-01T00:00:00+23:59"},
    {"version": 2**70},
    {"confidence": 9},
    {"hint": -1},
    {"raw": "\ud800"},
    {"item": "\udfff"},
    {"outcome": "banana"},
    {"id": "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
    {"id": "zzz"},
]


def refused(tree):
    """Whether a line of an export is none of ours."""
    try:
        event_of(tree)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("field", BAD, ids=str)
def test_an_entry_that_would_stop_the_quiz_is_not_imported(field):
    """A day or id of another age, a number no table holds, half a character, an outcome there is not: refused."""
    good = answer("splitting.shape", DAY)
    assert event_of(asdict(good)) == good
    assert refused({**asdict(good), **field})


def test_a_plan_for_another_age_is_not_imported():
    """The date of an exam is one that a calendar of ours reaches."""
    assert refused(asdict(entry("plan", DAY, raw="0001-01-01")))


def test_a_row_that_is_no_entry_is_a_damaged_log(tmp_path):
    """What somebody wrote into the file by hand is told, not a traceback."""
    Log(tmp_path / "answers.db").close()
    with closing(sqlite3.connect(tmp_path / "answers.db")) as base:
        row = {**asdict(answer("a", DAY)), "day": "junk"}
        base.execute(f"INSERT INTO event ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))  # noqa: S608
        base.commit()
    with closing(Log(tmp_path / "answers.db")) as log, pytest.raises(UsageError, match="log_damaged"):
        log.events()


def test_an_imported_name_steers_no_terminal(tmp_path):
    """The history shows the name of a question that somebody else wrote as text."""
    (tmp_path / "x.jsonl").write_text(
        written([replace(answer("a", DAY), item="\x1b]0;x\x07\x1b[2J")]), encoding="utf-8"
    )
    learner = Learner(tmp_path / "data")
    assert learner.quiz("import", str(tmp_path / "x.jsonl")).code == 0
    assert "\x1b" not in learner.quiz("history").out


def test_no_export_replaces_a_log(tmp_path):
    """A file that is a database stays as it is, whatever is to be written there."""
    learner = Learner(tmp_path / "data")
    with closing(Log(tmp_path / "data" / "answers.db")) as log:
        log.append(answer("splitting.shape", DAY))
    path = str(tmp_path / "data" / "answers.db")
    for asked in (["log", "export", path], ["export", path, "--to", "csv"], ["items", path, "--html", path]):
        run = learner.quiz(*asked)
        assert (run.code, "Traceback" in run.err) == (2, False)
    with closing(Log(tmp_path / "data" / "answers.db")) as log:
        assert len(log.events()) == 1


def test_a_folder_of_answers_is_for_its_owner(tmp_path):
    """Other users of the machine do not see what somebody answers."""
    Log(tmp_path / "new" / "answers.db").close()
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is a device of Linux")
def test_a_full_disk_behind_a_pipe_is_told(tmp_path):
    """An export that cannot be written ends with a sentence, also on the standard output."""
    with closing(Log(tmp_path / "data" / "answers.db")) as log:
        log.append(answer("splitting.shape", DAY))
    run = Learner(tmp_path / "data").quiz("log", "export", "/dev/full")
    assert (run.code, "Traceback" in run.err) == (2, False)


def test_a_time_of_another_age_is_told(tmp_path):
    """What was typed is told as typed, not as a fault of the clock; a topic that there is not is named."""
    learner = Learner(tmp_path / "data")
    for moment in ("0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00", "1960-01-01"):
        run = learner.quiz("due", "--now", moment, "--lang", "en")
        assert (run.code, run.err) == (2, f"--now {moment}: write a time such as 2026-12-01T09:30.\n")
    assert learner.quiz("due", "--topic", "NOPE").code == 2
    assert learner.quiz("serve", "--json").code == 2


def test_a_table_that_computes_its_values_fills_no_memory(tmp_path):
    """The log of somebody else holds no value larger than an entry may be."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as base:
        base.execute("CREATE TABLE one (n INTEGER)")
        base.execute("INSERT INTO one VALUES (1)")
        names = [name for name in asdict(answer("a", DAY)) if name != "raw"]
        columns = ", ".join(f"{name} TEXT DEFAULT ''" for name in names)
        base.execute(f"CREATE TABLE event ({columns}, raw TEXT GENERATED ALWAYS AS (zeroblob(30000000)) VIRTUAL)")
        base.execute("INSERT INTO event (id) VALUES ('x')")
        base.execute("PRAGMA user_version = 2")
        base.commit()
    run = Learner(tmp_path / "data").quiz("items", str(tmp_path / "a.db"))
    assert (run.code, "Traceback" in run.err) == (2, False)


# --- read-only -------------------------------------------------------------------------------------------------------


def test_a_log_that_cannot_be_written_can_be_read(read_only):  # noqa: F811
    """Where nothing can be kept, what lies there is shown; an answer is refused before it is asked for."""
    with closing(Log(read_only / "quiz.db", reading=True)) as log:
        assert log.closed
        assert [event.item for event in log.events()] == ["kept"]
    with closing(Log(read_only / "more" / "quiz.db", reading=True)) as log:
        assert (bool(log.closed), log.events()) == (True, [])
    with pytest.raises(UsageError, match="log_closed"):
        Log(read_only / "quiz.db").assert_writable()


def test_what_only_reads_says_so_in_one_line(tmp_path):
    """`due`, `stats`, `plan` go on without a folder for answers; a session and the page do not begin."""
    (tmp_path / "file").write_text("")
    learner = Learner(tmp_path / "file")
    for action in ("due", "stats", "plan"):
        run = learner.quiz(action, "--lang", "en")
        assert (run.code in {0, 10}, run.err.count("\n"), "Traceback" in run.err) == (True, 1, False)
    assert learner.quiz("serve").code == 2


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["order", "match"])
def test_places_of_yesterday_are_asked_anew(course, tmp_path, kind):
    """Places on the screen mean nothing on a day on which the screen has another order."""
    page = reader(course, tmp_path / "answers.db", bank_of(kind), Clock())
    page.clock = page_clock = Clock()
    page = reader(course, tmp_path / "answers.db", bank_of(kind), page_clock)
    page.get()
    before = page.fields()
    page_clock.move(hours=24)
    page.post("/answer", {**before, "do": "answer", "text": "1 2 3", "pair0": "1", "pair1": "2", "pair2": "3"})
    assert page.events() == []
    assert page.code == 200


def test_an_address_that_a_form_left_leads_back(course, tmp_path):
    """The reply to an answer that cannot be read has the address /answer; opened again, it shows the question."""
    page = reader(course, tmp_path / "answers.db", bank_of("number"), Clock())
    page.get("/answer")
    assert (page.code, page.at) == (200, "/")


def test_a_log_that_cannot_be_read_is_no_lost_answer(course, tmp_path):
    """Who only looks is not told that an answer was lost."""
    page = reader(course, tmp_path / "answers.db", bank_of("number"), Clock())
    page.get()
    for path in tmp_path.glob("answers.db*"):
        path.unlink()
    (tmp_path / "answers.db").write_bytes(b"no log at all" * 100)
    assert "cannot be read" in page.get("/")
    assert page.code == 503


def test_connections_have_an_end():
    """Whoever opens more of them than a browser needs is turned away, and the next one after they left is served."""

    def app(environ, start_response):
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    with closing(listening(0)) as sock:
        made = server(sock, app)
        port = sock.getsockname()[1]
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(MOST_CONNECTIONS)]
        for _ in waiting:
            made.handle_request()
        with socket.create_connection(("127.0.0.1", port)) as late:
            made.handle_request()
            assert late.recv(1) == b""
        for each in waiting:
            each.close()
        made.server_close()
