"""What other platforms are given: their own tables back with our points, and nothing they would misread."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from made_class import EXERCISE, RIGHT, WRONG, Ran, written
from made_results import filled, made_report

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.platforms.canvas import canvas_csv
from grader.gradebook.platforms.moodle import grade_import, worksheet
from grader.gradebook.platforms.write import Exporter, read_export
from grader.report.json import json_report
from grader.report.read import read_report
from tests.report.samples import all_reports

ALL, HALF = [True] * 6, [True] * 3 + [False] * 3
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (77),04_concat (123),Current Score,Final Score\n"
    ",,,,,Manual Posting,,,\n"
    "    Points Possible,,,,,20,{possible},(read only),(read only)\n"
    '"Doe, Jane",9001,,jdoe@uni.edu,A,17,,85,85\n'
    '"Wang, Fang",9002,w2,fang,A,,3,,\n'
    '"Nobody, New",9003,n3,new,A,,,,\n'
    '"Student, Test",9004,,,A,,,,\n'
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade)\n"
    'Participant 41,Jane Doe,jane@uni.edu,"Submitted, graded",,6.00,Yes,-\n'
    "Participant 42,Fang Wang,fang@uni.edu,Submitted,1.00,6.00,No,-\n"
)


@pytest.fixture
def standings(course: Course, tmp_path: Path):
    """Jane has all points, Fang half of them, a third student is in no table."""
    book = filled(tmp_path / "book", [made_report(course, who, checks) for who, checks in WHO.items()])
    found = book.standings()
    book.close()
    return found


WHO = {"jdoe@uni.edu": ALL, "W2": HALF, "stranger": HALF}


def table(text: str) -> list[list[str]]:
    """A CSV file as its cells."""
    return list(csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")))


def given(folder: Path, text: str) -> Path:
    """A table as a platform gave it out."""
    path = folder / "given.csv"
    path.write_text(text, encoding="utf-8-sig")
    return path


# --- Canvas ----------------------------------------------------------------------------------------------------------


def test_canvas_gets_its_own_rows_and_ids_back(course: Course, tmp_path: Path, standings) -> None:
    """Situation C153: header rows, names, ids, the title with its number are kept; other assignments are left out."""
    text, notes = canvas_csv(given(tmp_path, CANVAS.format(possible=6)), course, standings, {})
    assert table(text) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "04_concat (123)"],
        ["", "", "", "", "", ""],
        ["    Points Possible", "", "", "", "", "6"],
        ["Doe, Jane", "9001", "", "jdoe@uni.edu", "A", "6"],
        ["Wang, Fang", "9002", "w2", "fang", "A", "3"],
        ["Nobody, New", "9003", "n3", "new", "A", ""],
        ["Student, Test", "9004", "", "", "A", ""],
    ]
    assert [(note.key, note.fields["students"]) for note in notes] == [("exports.not_there", "stranger")]


def test_canvas_may_count_to_another_number(course: Course, tmp_path: Path, standings) -> None:
    """Where the assignment has a hundred points, half of ours are fifty there, and that is said."""
    text, notes = canvas_csv(given(tmp_path, CANVAS.format(possible="100.0")), course, standings, {})
    assert [row[-1] for row in table(text)][2:5] == ["100.0", "100", "50"]
    assert notes[0].key == "exports.scaled"


def test_an_exercise_that_canvas_does_not_have_gets_a_column(course: Course, tmp_path: Path, standings) -> None:
    """A new assignment has a title without a number, and its points; that Canvas will make it is said."""
    for title in ("Other (123)", EXERCISE):
        sheet = given(tmp_path, CANVAS.format(possible=6).replace("04_concat (123)", title))
        text, notes = canvas_csv(sheet, course, standings, {})
        assert [row[-1] for row in table(text)][:4] == [EXERCISE, "", "6", "6"]
        assert (notes[0].key, notes[0].fields) == ("exports.new_column", {"columns": EXERCISE})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("Essay (77)", "04_concat (77)"), "two_columns"),
        (lambda text: text.replace("Essay (77)", "Concat: put the heads side by side (7)"), "two_columns"),
        (lambda text: text.replace("20,6,", "20,(read only),"), "ignored"),
        (lambda text: text.replace("Student,ID", "Pupil,ID"), "other_columns"),
        (lambda text: "", "other_columns"),
        (lambda text: 'a,"b\n', "other_columns"),
    ],
)
def test_canvas_would_ignore_or_confuse_it(course: Course, tmp_path: Path, standings, change, says) -> None:
    """A table that is not Canvas's, two columns of one name, and a column that Canvas computes are refused."""
    with pytest.raises(UsageError, match=rf"exports\.{says}"):
        canvas_csv(given(tmp_path, change(CANVAS.format(possible=6))), course, standings, {})


def test_an_exercise_named_like_a_computed_column_is_refused(tmp_path: Path, standings) -> None:
    """Canvas passes over a column called Final Score without a word; so no exercise of that name is exported."""
    import dataclasses  # noqa: PLC0415

    for title in ("Final Score", "current grade", "Unposted Final Score", "Homework Current Points", "Section"):
        renamed = [dataclasses.replace(one, exercise=title) for one in standings]
        with pytest.raises(UsageError, match=r"exports\.(ignored|two_columns)"):
            canvas_csv(given(tmp_path, CANVAS.format(possible=6)), Course(tmp_path), renamed, {})


def test_canvas_in_another_place_writes_semicolons(course: Course, tmp_path: Path, standings) -> None:
    """The separator of the table is kept."""
    text, _ = canvas_csv(given(tmp_path, "Student;ID;Section\nJane;jdoe@uni.edu;A\n"), course, standings, {})
    assert text.splitlines() == ["Student;ID;Section;04_concat", "Jane;jdoe@uni.edu;A;6"]


# --- Moodle ----------------------------------------------------------------------------------------------------------


def test_a_worksheet_has_its_grades_filled_in(course: Course, tmp_path: Path) -> None:
    """Only the column Grade changes; a grade that cannot be changed stays, and that is said."""
    reports = [made_report(course, "Participant 41", HALF), made_report(course, "42", ALL)]
    book = filled(tmp_path / "book", reports)
    text, notes = worksheet(given(tmp_path, MOODLE), [EXERCISE], book.standings(), {})
    book.close()
    before, after = table(MOODLE), table(text)
    assert [row[4] for row in after] == ["Grade", "3", "1.00"]
    assert [row[:4] + row[5:] for row in after] == [row[:4] + row[5:] for row in before]
    assert [note.key for note in notes] == ["exports.closed"]


def test_a_worksheet_is_of_one_exercise(course: Course, tmp_path: Path, standings) -> None:
    """With several exercises it has to be said which; a table without grades is refused."""
    with pytest.raises(UsageError, match=r"exports\.one_exercise"):
        worksheet(given(tmp_path, MOODLE), [EXERCISE, "05"], standings, {})
    with pytest.raises(UsageError, match=r"exports\.other_columns"):
        worksheet(given(tmp_path, CANVAS), [EXERCISE], standings, {})


def test_moodle_also_takes_a_plain_table(standings) -> None:
    """Without a worksheet: ids, names, and a column for each exercise."""
    text, notes = grade_import([EXERCISE], standings, {"W2": "Fang"})
    assert [note.key for note in notes] == ["exports.matched_by_id"]
    assert table(text) == [
        ["ID number", "Full name", EXERCISE],
        ["W2", "Fang", "3"],
        ["jdoe@uni.edu", "", "6"],
        ["stranger", "", "3"],
    ]


def test_moodle_is_given_no_ids_that_its_import_knows_nobody_by(standings) -> None:
    """The numbers of a download are those of one assignment: left out; addresses stand under their own heading."""
    numbered = [replace(one, student=f"Participant 700{place}") for place, one in enumerate(standings)]
    with pytest.raises(UsageError, match=r"exports\.needs_worksheet"):
        grade_import([EXERCISE], numbered, {})
    text, notes = grade_import([EXERCISE], [*standings, *numbered], {})
    assert "Participant" not in text
    assert [note.key for note in notes] == ["exports.matched_by_id", "exports.only_a_number"]
    text, notes = grade_import([EXERCISE], [one for one in standings if "@" in one.student], {})
    assert table(text)[0][0] == "Email address"
    assert [note.key for note in notes] == ["exports.matched_by_email"]


# --- Gradescope, JUnit, and the way back from JSON -------------------------------------------------------------------


def test_a_report_is_the_same_after_its_json() -> None:
    """What is kept in the gradebook can be made a report again; the second JSON is the first, letter by letter."""
    for name, report in all_reports().items():
        text = json_report(report)
        assert json_report(read_report(text)) == text, name


@pytest.mark.parametrize("text", ["[]", "{}", '{"schema": 99}', "{", '{"schema": 1, "exercise": 4}'])
def test_what_is_no_report_is_refused(text: str) -> None:
    """Another schema, or something else altogether, is a ValueError and nothing else."""
    with pytest.raises(ValueError, match=r"\w"):
        read_report(text)


def test_gradescope_and_junit_have_everybody(course: Course, tmp_path: Path) -> None:
    """A results.json for each submission, with the points that count; one JUnit suite for each."""
    book = filled(tmp_path, [made_report(course, "a/b", HALF), made_report(course, "c", ALL)])
    book.override("c", EXERCISE, 5, "Li Wei", "why not")
    exporter = Exporter(book, course, tmp_path, "en", "summary")
    for platform in ("gradescope", "junit"):
        assert exporter.write(read_export(platform)) == []
    book.close()
    found = {path.parent.name: json.loads(path.read_text()) for path in (tmp_path / "gradescope").glob("*/*.json")}
    assert {name[:3]: (each["score"], len(each["tests"])) for name, each in found.items()} == {
        "a_b": (3, 6),
        "c": (5, 6),
    }
    assert [test["status"] for test in next(iter(found.values()))["tests"]].count("passed") in {3, 6}
    suites = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own
    assert [suite.get("tests") for suite in suites] == ["6", "6"]


# --- the command -----------------------------------------------------------------------------------------------------


def test_exports_are_written_with_and_without_grading(batch: Callable[..., Ran], tmp_path: Path) -> None:
    """--export works in the run that grades, and later alone; what means nothing is told before anything is graded."""
    folder = written(tmp_path / "in", {"jdoe@uni.edu/concat.py": RIGHT, "w2/concat.py": WRONG})
    sheet = given(tmp_path, CANVAS.format(possible=10))
    done = batch(folder, "--export", f"canvas={sheet}", "--export", "gradescope")
    assert done.code == 0, done.err
    assert "Written for canvas: out/canvas.csv" in done.out
    rows = table((done.folder / "canvas.csv").read_text(encoding="utf-8"))
    assert [row[-1] for row in rows[3:5]] == ["10", "2"]
    assert len(list((done.folder / "gradescope").glob("*/04_concat.json"))) == 2
    later = batch("--export", "moodle", "--export", "junit", exercise=False)
    assert (later.code, later.err) == (0, "")
    assert (later.folder / "moodle.csv").read_text().startswith("ID number,Full name,04_concat")
    for typed, says in (("canvas", "Export Entire Gradebook"), ("excel", "found excel"), ("junit=x", "takes no file")):
        told = batch(folder, "--export", typed)
        assert (told.code, says in told.err, told.out) == (2, True, "")
    assert batch("--export", "canvas=nowhere.csv").code == 2
