"""The gradebook on PostgreSQL: the same rules, the same content, and its own ways to be out of reach."""

import csv
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, SYNTAX, WRONG, Ran, written
from made_results import made_report
from server import free_port, new_database, running_server
from sqlalchemy import text
from test_batch_gradebook import (  # noqa: F401 - the same rules, with the fixture `book` of this module
    report,
    standing,
    test_a_fault_of_ours_never_takes_the_place_of_a_score,
    test_a_score_stays_where_the_next_file_cannot_be_read,
    test_an_override_survives_a_regrade_and_is_flagged_where_it_differs,
    test_points_are_written_as_people_write_them,
    test_the_table_is_safe_to_open_and_loses_nothing,
    test_what_an_earlier_run_saw_is_kept,
)

from grader.cli.quiz_items import _in_code
from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.book import Gradebook
from grader.gradebook.files import export
from grader.gradebook.inputs.collect import Row

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """One server for this module."""
    with running_server() as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    """An empty database."""
    return new_database(server, "grades")


@pytest.fixture
def book(url: str, tmp_path: Path) -> Iterator[Gradebook]:
    """A gradebook that has seen alice."""
    made = Gradebook(tmp_path, url)
    made.take_in(made.begin_run("in", [EXERCISE], "e"), [Row("alice", EXERCISE, "read", "alice/concat.py", sha256="a")])
    yield made
    made.close()


def same(folder: Path) -> list[dict[str, str]]:
    """The rows of grades.csv without times."""
    rows = csv.DictReader(io.StringIO((folder / "grades.csv").read_text("utf-8-sig"), newline=""))
    return [{name: cell for name, cell in row.items() if name != "graded_at"} for row in rows]


def test_everything_that_is_asked_is_answered_alike(course: Course, url: str, tmp_path: Path) -> None:
    """Standings, counts, settings, overrides and their order are those of SQLite, whatever the names."""
    names = ["b", "B", "a b", "ä", "Z", "_", "王", "a'b", 'a"b', "%s", "a\\b"]
    books = [Gradebook(tmp_path), Gradebook(tmp_path, url)]
    for one in books:
        run = one.begin_run("in", [EXERCISE], "e")
        one.take_in(run, [Row(name, EXERCISE, "read", f"{name}/concat.py", sha256="a") for name in names])
        one.know({name: f"N {name}" for name in names})
        for place, name in enumerate(names):
            checks = [i > place % 6 for i in range(6)]
            mistakes = {"merge-without-transpose": True, "features-interleaved": place % 2 == 0}
            one.add(run, made_report(course, name, checks, mistakes=mistakes), "{}", "k")
        one.override("B", EXERCISE, 1, "Li Wei", "so")
        one.settle("missing", "zero")
        one.end_run(run, "done", "strong")
    first, second = ([{**vars(each), "graded_at": 0} for each in one.standings()] for one in books)
    for each in (*first, *second):
        if each["override"]:
            each["override"] = each["override"].points
    assert first == second
    assert books[0].tallies() == books[1].tallies()
    assert books[0].names() == books[1].names()
    assert list(books[0].reports()) == list(books[1].reports())
    for one in books:
        one.close()


def test_a_result_and_its_history(book: Gradebook) -> None:
    """A regrade takes the place of the old result and erases nothing."""
    book.add(1, report(8), "{}", "k1")
    assert book.add(1, report(5), "{}", "k2").before == 8
    assert (standing(book).points, standing(book).key) == (5, "k2")
    with book._engine.begin() as connection:
        rows = connection.execute(text("SELECT points, current FROM results ORDER BY id")).fetchall()
    assert [tuple(row) for row in rows] == [(8, False), (5, True)]


def test_a_newer_and_another_database_are_refused(book: Gradebook, server: str, url: str, tmp_path: Path) -> None:
    """A schema number that is not known, and a database of something else, are left as they are."""
    with book._engine.begin() as connection:
        connection.execute(text("UPDATE gradebook_schema SET number = 99"))
    book.close()
    with pytest.raises(UsageError, match=r"newer_gradebook.*'found': 99"):
        Gradebook(tmp_path, url)
    other = new_database(server, "recipes")
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(other.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(UsageError, match=r"batch\.no_gradebook"):
        Gradebook(tmp_path, other)


def test_only_one_program_writes(book: Gradebook, url: str, tmp_path: Path) -> None:
    """Another program on the same database is told to wait, also with another folder; afterwards it may."""
    with pytest.raises(UsageError, match=r"database\.in_use"):
        Gradebook(tmp_path / "other", url)
    book.close()
    Gradebook(tmp_path / "other", url).close()


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("nonsense", r"database\.bad_url"),
        ("mysql://root@localhost/x", r"database\.other_driver.*mysql"),
        ("postgresql+psycopg://tester:secret@127.0.0.1:{port}/x", r"gradebook_out_of_reach"),
        ("{server}/nowhere", r"gradebook_out_of_reach.*nowhere"),
    ],
)
def test_what_cannot_be_reached_is_told_without_the_password(
    server: str, tmp_path: Path, typed: str, says: str
) -> None:
    """A wrong URL, a server that is not there, a database that is not there: a sentence, and no password in it."""
    with pytest.raises(UsageError, match=says) as told:
        Gradebook(tmp_path, typed.format(server=server, port=free_port()))
    assert "secret" not in str(told.value)


def test_a_class_on_a_server_ends_like_one_in_a_file(
    batch: Callable[..., Ran], environment: dict[str, str], url: str, tmp_path: Path, course: Course
) -> None:
    """Killed on the way, the same command goes on; the tables are those that SQLite gives, but for times."""
    kinds = (RIGHT, WRONG, SYNTAX)
    folder = written(tmp_path / "in", {f"s{i:02}/concat.py": f"{kinds[i % 3]}# {i}\n" for i in range(18)})
    arguments = ["batch", "in", "--out", "out", "--exercise", EXERCISE, "--gradebook", url]
    with subprocess.Popen(
        [sys.executable, "-m", "grader.cli", *arguments], cwd=tmp_path, env=environment, start_new_session=True
    ) as running:
        while running.poll() is None and not graded(url):
            os.sched_yield()
        os.killpg(running.pid, signal.SIGKILL)
    before = graded(url)
    done = batch(folder, "--gradebook", url)
    assert done.code == 0, done.err
    assert f"Graded in this run: {18 - before}." in done.out
    assert "The gradebook is at its URL." in done.out
    assert "gradebook.db" not in done.out + (done.folder / "index.html").read_text(encoding="utf-8")
    assert batch(folder, out="file").code == 0
    assert same(done.folder) == same(tmp_path / "file")
    forgotten = batch(folder)
    assert (
        forgotten.code,
        f"the gradebook of this folder is at {url}. Add --gradebook {url}, or" in forgotten.err,
    ) == (*(2, True),)
    assert same(done.folder) == same(tmp_path / "file")
    assert not (done.folder / "gradebook.db").exists()
    assert len(_in_code(str(done.folder)).attempted[EXERCISE]) == 18  # `grade quiz items --gradebook out` finds it
    again = Gradebook(tmp_path, url)
    export(again, course, done.folder, "en")
    again.close()
    assert same(done.folder) == same(tmp_path / "file")


def graded(url: str) -> int:
    """How many results there are by now."""
    import psycopg  # noqa: PLC0415 - an extra

    try:
        with psycopg.connect(url.replace("+psycopg", "")) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except psycopg.errors.UndefinedTable:  # not made yet
        return 0
