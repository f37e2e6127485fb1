"""The gradebook itself: schema numbers, history, overrides, and what happens where it cannot be written."""

import csv
import dataclasses
import io
import sqlite3
from pathlib import Path

import pytest
from made_class import EXERCISE
from sqlalchemy import inspect, text

from grader.errors import UsageError
from grader.gradebook.book import Gradebook
from grader.gradebook.database import FILE, _bring_up_to_date, _engine
from grader.gradebook.exports import COLUMNS, write_grades
from grader.gradebook.inputs.collect import Row
from grader.gradebook.pages import folder_name
from grader.gradebook.tables import METADATA, SCHEMA, schema
from grader.model import (
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    GradeReport,
    Isolation,
    Message,
    Outcome,
    Printed,
    Provenance,
    Text,
    Verdict,
)

PLAIN = Text("x", "x")


def report(points: float, *, who: str = "alice", sha256: str = "a", verdict: Verdict = Verdict.PARTLY) -> GradeReport:
    """A report that gives points."""
    isolation = Isolation("strong", ("seccomp",))
    made_with = Provenance("1", "3.11", "2", None, "9", "suite", sha256, 0, isolation)
    checks = (CheckResult("test_x", PLAIN, Outcome.PASSED, points, 10, 1),)
    diagnosis = Diagnosis(DiagnosisKind.NOT_RUN)
    return GradeReport(EXERCISE, PLAIN, who, "concat.py", verdict, points, 10, checks, diagnosis, Printed(), made_with)


@pytest.fixture
def book(tmp_path: Path) -> Gradebook:
    """A gradebook that has seen alice."""
    made = Gradebook(tmp_path)
    made.take_in(made.begin_run("in", [EXERCISE], "e"), [Row("alice", EXERCISE, "read", "alice/concat.py", sha256="a")])
    return made


def standing(book: Gradebook):
    """Where alice stands."""
    (one,) = book.standings()
    return one


def test_a_result_counts_until_the_next_one_and_stays_in_the_history(book: Gradebook, tmp_path: Path) -> None:
    """A regrade takes the place of the old result, says by how much, and erases nothing."""
    assert book.add(1, report(8), "{}", "k1") is None
    change = book.add(1, report(5), "{}", "k2")
    assert (change.before, change.after, change.same_file) == (8, 5, True)
    assert (standing(book).points, standing(book).key) == (5, "k2")
    with sqlite3.connect(tmp_path / FILE) as connection:
        rows = connection.execute("SELECT points, current FROM results ORDER BY id").fetchall()
    assert rows == [(8, 0), (5, 1)]


def test_a_fault_of_ours_never_takes_the_place_of_a_score(book: Gradebook) -> None:
    """Situation C104: a regrade that fails keeps the old score and flags the row."""
    book.add(1, report(8), "{}", "k1")
    assert book.add(1, report(0, verdict=Verdict.GRADER_ERROR), "{}", "k2") is None
    assert (standing(book).points, standing(book).key, standing(book).failed_since) == (8, "k1", True)


def test_an_override_survives_a_regrade_and_is_flagged_where_it_differs(book: Gradebook) -> None:
    """Situation C147: points given by hand count on, and a new score that differs is pointed out."""
    book.add(1, report(8), "{}", "k1")
    book.override("alice", EXERCISE, 9.5, "Li Wei", "asked in class")
    assert (standing(book).points, standing(book).override_differs) == (9.5, False)
    book.add(1, report(3), "{}", "k2")
    assert (standing(book).points, standing(book).graded_points, standing(book).override_differs) == (9.5, 3, True)
    assert (standing(book).override.made_by, standing(book).override.why) == ("Li Wei", "asked in class")


def test_an_override_can_be_taken_back_and_both_steps_are_kept(book: Gradebook, tmp_path: Path) -> None:
    """Taking back is another entry, with its own who and why."""
    book.add(1, report(8), "{}", "k1")
    book.override("alice", EXERCISE, 9, "Li Wei", "asked in class")
    book.override("alice", EXERCISE, None, "Li Wei", "a mistake")
    assert (standing(book).points, standing(book).override) == (8, None)
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT points, why FROM overrides ORDER BY id").fetchall() == [
            (9, "asked in class"),
            (None, "a mistake"),
        ]


def test_what_an_earlier_run_saw_is_kept(book: Gradebook) -> None:
    """A run that does not see a student leaves that student's row alone."""
    book.add(1, report(8), "{}", "k1")
    book.take_in(book.begin_run("in", [EXERCISE], "e"), [Row("bob", EXERCISE, "missing")])
    assert [(one.student, one.points) for one in book.standings()] == [("alice", 8), ("bob", None)]


def test_a_score_stays_where_the_next_file_cannot_be_read(book: Gradebook) -> None:
    """An unreadable second hand-in is a row with a reason; the score of the first one is not lost."""
    book.add(1, report(8), "{}", "k1")
    book.take_in(1, [Row("alice", EXERCISE, "unreadable", reason=Message("batch.link"))])
    assert (standing(book).state, standing(book).points, standing(book).reason) == (
        "unreadable",
        8,
        Message("batch.link"),
    )


def test_who_is_no_longer_in_the_class_list_and_gave_nothing_is_gone(book: Gradebook) -> None:
    """A wrong class list leaves nothing behind once the right one is given; who has points, by whomever, stays."""
    absent = [
        Row(who, EXERCISE, "missing", reason=Message("batch.nothing_handed_in")) for who in ("[due]", "bob", "eve")
    ]
    other = Row("kim", EXERCISE, "missing", reason=Message("batch.no_file_for_it", {"files": "notes.md"}))
    book.take_in(1, [*absent, other])
    book.add(1, report(8), "{}", "k1")
    book.override("eve", EXERCISE, 5, "Li Wei", "oral exam")
    book.forget_absent(["bob"])
    assert [one.student for one in book.standings()] == ["alice", "bob", "eve", "kim"]
    book.override("eve", EXERCISE, None, "Li Wei", "another Eve")
    book.forget_absent(["bob"])
    assert [one.student for one in book.standings()] == ["alice", "bob", "kim"]


def test_who_was_never_graded_and_is_in_no_input_any_more_is_gone(book: Gradebook) -> None:
    """Who is known from a file that is gone from this input goes, too; what another one told, or has points, stays."""
    nothing = Message("batch.nothing_for_it")
    broken = Row("bob", EXERCISE, "unreadable", place="bob.py", reason=Message("batch.damaged"))
    old = [Row(who, EXERCISE, "missing", reason=nothing) for who in ("README", "carol", "listed")]
    other = Row("dora", "05_output_projection", "missing", reason=nothing)
    book.take_in(book.begin_run("/in", [EXERCISE], ""), [*old, broken, other])
    book.add(1, report(8), "{}", "k1")
    now = [Row("carol", EXERCISE, "missing", reason=nothing)]
    book.forget_absent(["listed"], now, "/elsewhere")
    assert [one.student for one in book.standings()] == ["README", "alice", "bob", "carol", "listed", "dora"]
    book.forget_absent(None, now, "/in")
    assert [one.student for one in book.standings()] == ["alice", "carol", "dora"]


def test_a_class_list_does_not_undo_what_another_input_told(book: Gradebook) -> None:
    """Who is only listed in one input may have handed in by another; in that very input it is gone, if it is."""
    nothing = Row("alice", EXERCISE, "missing", reason=Message("batch.nothing_handed_in"))
    late = Row("alice", EXERCISE, "read", "alice/concat.py", sha256="a", late=True, submitted_at="2026-03-06T12:00:00")
    damaged = Row("bob", EXERCISE, "unreadable", place="bob.zip", reason=Message("batch.damaged"))
    book.take_in(book.begin_run("/week1", [EXERCISE], ""), [late, damaged])
    listed = [nothing, dataclasses.replace(nothing, student="bob"), dataclasses.replace(nothing, student="cy")]
    book.take_in(book.begin_run("/late", [EXERCISE], ""), listed)
    assert [one.state for one in book.standings()] == ["read", "unreadable", "missing"]
    assert book.standings()[0].place == "alice/concat.py"
    book.take_in(book.begin_run("/week1", [EXERCISE], ""), listed)
    assert [one.state for one in book.standings()] == ["missing"] * 3


# --- schema and damage -----------------------------------------------------------------------------------------------


def test_a_newer_gradebook_is_refused_and_untouched(book: Gradebook, tmp_path: Path) -> None:
    """A schema number that this version does not know ends the run before anything is written."""
    book.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE gradebook_schema SET number = 99")
    with pytest.raises(UsageError, match=r"newer_gradebook.*'found': 99"):
        Gradebook(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT count(*) FROM submissions").fetchone() == (1,)


def test_an_older_gradebook_is_migrated_step_by_step(tmp_path: Path) -> None:
    """Each step runs once, in order, and the number follows; a step that fails leaves all as it was."""
    path = tmp_path / FILE
    engine = _engine(path)
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(schema.insert().values(number=SCHEMA))
    steps = {
        SCHEMA: lambda connection: connection.execute(text("ALTER TABLE runs ADD COLUMN one TEXT")),
        SCHEMA + 1: lambda connection: connection.execute(text("ALTER TABLE runs ADD COLUMN two TEXT")),
    }

    def fails(connection: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), engine.begin() as connection:
        _bring_up_to_date(connection, str(path), {**steps, SCHEMA + 1: fails}, SCHEMA + 2)
    with engine.begin() as connection:
        assert "one" not in {column["name"] for column in inspect(connection).get_columns("runs")}
        _bring_up_to_date(connection, str(path), steps, SCHEMA + 2)
        assert connection.execute(text("SELECT number FROM gradebook_schema")).scalar_one() == SCHEMA + 2
        _bring_up_to_date(connection, str(path), steps, SCHEMA + 2)
    engine.dispose()


# As version 0.1.0 first made it, before its schema had a second number.
FIRST_SCHEMA = """
CREATE TABLE gradebook_schema (number INTEGER NOT NULL PRIMARY KEY);
INSERT INTO gradebook_schema VALUES (1);
CREATE TABLE runs (id INTEGER NOT NULL PRIMARY KEY, started_at VARCHAR NOT NULL, ended_at VARCHAR, ended VARCHAR,
    input TEXT NOT NULL, exercises TEXT NOT NULL, engine VARCHAR NOT NULL, isolation VARCHAR);
INSERT INTO runs VALUES (1, '2026-01-01T00:00:00+00:00', NULL, NULL, 'in', '04_concat', 'e', NULL);
CREATE TABLE students (id VARCHAR NOT NULL PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE submissions (id INTEGER NOT NULL PRIMARY KEY, student VARCHAR NOT NULL, exercise VARCHAR NOT NULL,
    state VARCHAR NOT NULL, place TEXT NOT NULL, sha256 VARCHAR NOT NULL, reason TEXT,
    run_id INTEGER NOT NULL REFERENCES runs (id), UNIQUE (student, exercise));
INSERT INTO submissions VALUES (1, 'alice', '04_concat', 'read', 'alice/concat.py', 'a', NULL, 1);
CREATE TABLE provenance (id INTEGER NOT NULL PRIMARY KEY, grader VARCHAR NOT NULL, python VARCHAR NOT NULL,
    numpy VARCHAR NOT NULL, torch VARCHAR, pytest VARCHAR NOT NULL, suite_sha256 VARCHAR NOT NULL,
    isolation VARCHAR NOT NULL, layers TEXT NOT NULL);
INSERT INTO provenance VALUES (1, '1', '3.11', '2', NULL, '9', 'suite', 'strong', 'seccomp');
CREATE TABLE results (id INTEGER NOT NULL PRIMARY KEY, submission_id INTEGER NOT NULL REFERENCES submissions (id),
    run_id INTEGER NOT NULL REFERENCES runs (id), provenance_id INTEGER NOT NULL REFERENCES provenance (id),
    current BOOLEAN NOT NULL, key VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, graded_at VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL, points FLOAT NOT NULL, max_points FLOAT NOT NULL, diagnosis VARCHAR NOT NULL,
    report TEXT NOT NULL);
INSERT INTO results VALUES (1, 1, 1, 1, 1, 'k', 'a', '2026-01-01T00:00:00+00:00', 'partly', 8, 10, 'unknown', '{}');
CREATE TABLE checks (result_id INTEGER NOT NULL REFERENCES results (id), position INTEGER NOT NULL,
    name VARCHAR NOT NULL, outcome VARCHAR NOT NULL, points FLOAT NOT NULL, max_points FLOAT NOT NULL,
    PRIMARY KEY (result_id, position));
CREATE TABLE findings (result_id INTEGER NOT NULL REFERENCES results (id), position INTEGER NOT NULL,
    mistake VARCHAR NOT NULL, lesson_row VARCHAR, certain BOOLEAN NOT NULL, PRIMARY KEY (result_id, position));
CREATE TABLE overrides (id INTEGER NOT NULL PRIMARY KEY, student VARCHAR NOT NULL, exercise VARCHAR NOT NULL,
    points FLOAT, graded_points FLOAT, made_by VARCHAR NOT NULL, why TEXT NOT NULL, made_at VARCHAR NOT NULL);
INSERT INTO overrides VALUES (1, 'alice', '04_concat', 9, 8, 'Li Wei', 'asked', '2026-01-02T00:00:00+00:00');
"""


def test_a_gradebook_of_the_first_schema_goes_on(tmp_path: Path) -> None:
    """Results and overrides of a gradebook made before are there after its migration, and new ones are taken."""
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.executescript(FIRST_SCHEMA)
    old = Gradebook(tmp_path)
    assert (standing(old).graded_points, standing(old).points, standing(old).submitted_at) == (8, 9, None)
    handed_in = Row("alice", EXERCISE, "read", "alice/concat.py", sha256="b", submitted_at="2026-03-01T18:39:44+00:00")
    old.take_in(old.begin_run("in", [EXERCISE], "e"), [handed_in])
    old.add(2, report(10, sha256="b"), "{}", "k2")
    old.settle("feedback", "names")
    old.settle("feedback", "summary")
    old.close()
    again = Gradebook(tmp_path)
    assert (standing(again).graded_points, standing(again).submitted_at) == (10, "2026-03-01T18:39:44+00:00")
    assert (again.setting("feedback"), again.setting("other")) == ("summary", None)
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT number FROM gradebook_schema").fetchall() == [(SCHEMA,)]


def test_who_was_marked_late_before_the_third_schema_still_is(tmp_path: Path) -> None:
    """Until then being marked late was the one reason of a row; it becomes a mark of its own, others stay reasons."""
    second = """
        CREATE TABLE settings (name VARCHAR NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        ALTER TABLE submissions ADD COLUMN submitted_at VARCHAR;
        UPDATE gradebook_schema SET number = 2;
        UPDATE submissions SET reason = '["batch.note_marked_late", {}]';
        INSERT INTO submissions VALUES (2, 'bob', '04_concat', 'unreadable', 'b', '', '["batch.link", {}]', 1, NULL);
    """
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.executescript(FIRST_SCHEMA + second)
    book = Gradebook(tmp_path)
    alice, bob = book.standings()
    book.close()
    assert (alice.marked_late, alice.reason, bob.marked_late) == (True, None, False)
    assert bob.reason is not None
    assert bob.reason.key == "batch.link"


def test_another_database_is_refused(tmp_path: Path) -> None:
    """A database that is no gradebook is not turned into one."""
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(UsageError, match=r"batch\.no_gradebook"):
        Gradebook(tmp_path)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    """A damaged gradebook is told and not overwritten."""
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to look like one" * 99)
    with pytest.raises(UsageError, match=r"batch\.gradebook_damaged"):
        Gradebook(tmp_path)
    assert (tmp_path / FILE).read_bytes().startswith(b"no database")


def test_a_locked_gradebook_is_told(book: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that writes ends the run with a sentence; what was committed is there."""
    monkeypatch.setattr("grader.gradebook.database.WAIT_MS", 1)
    book.add(1, report(8), "{}", "k1")
    book.close()
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UsageError, match=r"batch\.gradebook_locked"):
        Gradebook(tmp_path)
    other.close()
    assert standing(Gradebook(tmp_path)).points == 8


# --- names -----------------------------------------------------------------------------------------------------------

HARD_NAMES = ["Doe, Jane", 'O"Hara', "=1+1", "@x", "-1", "+1", "＝1", " =1", "line\nbreak", "<b>&amp;", "a+b_c.d@e"]


def test_the_table_is_safe_to_open_and_loses_nothing(book: Gradebook, tmp_path: Path) -> None:
    """Situation C148: names with commas, quotes and line breaks stay in their cell; no cell is a formula."""
    rows = [dataclasses.replace(standing(book), student=name) for name in HARD_NAMES]
    write_grades(tmp_path, rows, {"-1": "=cmd"}, "en")
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert {len(row) for row in read} == {len(COLUMNS)}
    assert [row[0].removeprefix("'") for row in read[1:]] == HARD_NAMES
    assert not [cell for row in read for cell in row if cell.strip().startswith(("=", "+", "-", "@", "＝"))]


def test_nothing_in_the_table_steers_a_terminal_or_hides(book: Gradebook, tmp_path: Path) -> None:
    """Situation: a folder called ESC[31m or with an override of direction coloured and turned what `cat` shows."""
    name, place = "\x1b[31mred\x7f", "al\u202eyp.\u200bpy"
    write_grades(tmp_path, [dataclasses.replace(standing(book), student=name, place=place)], {name: "\r\x9bJ"}, "en")
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["student"], row["name"]) == ("␛[31mred␡", "␍<U+009B>J")
    assert row["file"] == "al<U+202E>yp.<U+200B>py"


def test_the_columns_are_those_that_are_documented(book: Gradebook, tmp_path: Path) -> None:
    """Situation C151: the header of grades.csv is fixed; programs of others read it."""
    write_grades(tmp_path, [], {}, "en")
    assert (tmp_path / "grades.csv").read_bytes() == (
        b"\xef\xbb\xbfstudent,name,exercise,status,verdict,points,max_points,graded_points,override_by,override_why,"
        b"mistakes,note,file,sha256,graded_at,report,submitted_at,late_days,late_percent,weight\r\n"
    )


def test_points_are_written_as_people_write_them(book: Gradebook, tmp_path: Path) -> None:
    """Situation C098: no point is lost by rounding down."""
    book.add(1, report(0.29 * 100), "{}", "k1")
    write_grades(tmp_path, book.standings(), {}, "en")
    assert ",29,10,29," in (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "a\\b", "\0", "x" * 300, "王" * 200, "-x", "CON:", "a ", "<b>"])
def test_folders_of_reports_stay_in_their_place(name: str) -> None:
    """Situation C121: any id becomes one plain folder, short enough, and different ids different folders."""
    folder = folder_name(name)
    assert Path("reports", folder).parent == Path("reports")
    assert folder
    assert not folder.startswith(".")
    assert len(folder.encode()) < 100
    assert folder_name(f"{name}/") != folder


def test_an_id_that_can_be_a_folder_is_one() -> None:
    """Instructors find a report by the id they know."""
    assert [folder_name(name) for name in ("alice", "王芳", "a+b_c.d@e f")] == ["alice", "王芳", "a+b_c.d@e f"]
