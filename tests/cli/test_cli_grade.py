"""`grade` as a process: what it grades, what it writes, and its exit code."""

import json
import os
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]

# --- what is graded ------------------------------------------------------------------------------------------------


def test_all_points_are_exit_code_0(grade: Run, home: Path) -> None:
    """A right answer gets all points, a report beside the exercises, and exit code 0."""
    write_answer(home, "01_double", RIGHT)
    done = grade("exercises/01_double", cwd=home)
    assert (done.code, done.err) == (0, "")
    assert "3 of 3 points" in done.out
    assert (home / ".manyheads" / "reports" / "01_double.html").is_file()
    assert (home / ".manyheads" / ".gitignore").read_text() == "*\n"
    assert str(home / ".manyheads" / "reports" / "01_double.html") in done.out


def test_a_wrong_answer_is_exit_code_1_and_its_mistake_is_named(grade: Run, home: Path) -> None:
    """Situation C028: a wrong answer gets the points of the checks it passes, and its mistake is named; no success."""
    write_answer(home, "01_double", WRONG)
    done = grade("exercises/01_double", cwd=home)
    assert (done.code, done.err) == (1, "")
    assert "1 of 3 points" in done.out
    assert "Nothing is done: double" in done.out


def test_an_untouched_starter_is_exit_code_1(grade: Run, home: Path) -> None:
    """A starter is not attempted, which is no success."""
    done = grade("exercises/01_double", cwd=home)
    assert done.code == 1
    assert "is not written yet" in done.out


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (["exercises/01_double"], "."),
        (["exercises/01_double/"], "."),
        (["exercises/01_double/double.py"], "."),
        (["./01_double"], "exercises"),
        (["double.py"], "exercises/01_double"),
        (["."], "exercises/01_double"),
        ([], "exercises/01_double"),
    ],
)
def test_every_way_to_name_one_exercise(grade: Run, home: Path, arguments: list[str], folder: str) -> None:
    """Situation C131: folder, file and working directory all name the same exercise, and so does its report."""
    write_answer(home, "01_double", RIGHT)
    done = grade(*arguments, cwd=home / folder)
    assert (done.code, done.err) == (0, "")
    assert (home / ".manyheads" / "reports" / "01_double.html").is_file()


@pytest.mark.parametrize("folder", [".", "exercises/01_double"])
def test_another_file_is_graded_in_place_of_the_starter(grade: Run, home: Path, folder: str) -> None:
    """`--file` is seen from the working directory, or else from the exercise folder."""
    (home / "exercises" / "01_double" / "other.py").write_text(RIGHT)
    arguments = ["exercises/01_double"] if folder == "." else []
    done = grade(*arguments, "--file", "other.py", cwd=home / folder)
    assert (done.code, done.err) == (0, "")


def test_a_path_that_looks_like_a_command_word_is_a_path(grade: Run, home: Path) -> None:
    """`./doctor` is a path, although `doctor` is a command."""
    (home / "doctor").mkdir()
    done = grade("./doctor", cwd=home)
    assert done.code == 2
    assert "not an exercise folder" in done.err


@pytest.mark.parametrize("arguments", [["exercises"], ["."], []])
def test_several_are_graded_with_a_table_at_the_end(grade: Run, home: Path, arguments: list[str]) -> None:
    """The folder of all exercises, or the one around it, grades each of them; a table ends with the sum of points."""
    write_answer(home, "01_double", RIGHT)
    write_answer(home, "02_negate", "def negate(x):\n    return x.copy()\n")
    done = grade(*arguments, cwd=home)
    assert (done.code, done.err) == (1, "")
    table = done.out[done.out.index("\nExercise") + 1 :].splitlines()
    assert table[1].split() == ["01_double", "3", "/", "3", "All", "checks", "pass"]
    assert table[2].startswith("02_negate")
    assert max(map(len, table[:3])) <= 80
    assert table[2].endswith("Nothing is done: negate")
    assert "Together: 4 of 6 points." in table
    assert f"Reports: {home / '.manyheads' / 'reports'}" in table
    assert sorted(path.name for path in (home / ".manyheads" / "reports").iterdir()) == [
        "01_double.html",
        "02_negate.html",
    ]


def test_of_several_only_those_with_something_to_do_are_told_in_full(grade: Run, home: Path) -> None:
    """Of several reports the accepted and the untouched ones are a line of the table; `--verbose` prints all."""
    write_answer(home, "01_double", RIGHT)
    short = grade("exercises", cwd=home)
    assert "Every number must be treated." not in short.out
    full = grade("exercises", "--verbose", cwd=home)
    assert "Every number must be treated." in full.out
    assert "is not written yet" in full.out


def test_a_file_named_twice_is_graded_once(grade: Run, home: Path) -> None:
    """The same file reached by two paths is one submission."""
    write_answer(home, "01_double", RIGHT)
    done = grade("exercises/01_double", "exercises/01_double/double.py", "--json", "-", cwd=home)
    assert json.loads(done.out)["points"] == 3


def test_one_unreadable_file_does_not_stop_the_others(grade: Run, home: Path) -> None:
    """Where one of several files is missing, it is named on stderr, the others are graded, and the exit code is 2."""
    write_answer(home, "01_double", RIGHT)
    (home / "exercises" / "02_negate" / "negate.py").unlink()
    done = grade("exercises", cwd=home)
    assert done.code == 2
    assert "There is no file " in done.err
    assert "Together: 3 of 3 points." in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "You are in {home}/empty, and there are no exercises here. Go to the folder of your exercises, or write "),
        (["../nowhere"], "There is no file or folder {home}/nowhere."),
        (["../exercises", "--file", "conftest.py"], "There is no file or folder conftest.py."),
        (
            ["../exercises/01_double", "../exercises/02_negate", "--file", "x.py"],
            "--file x.py goes with the folder of one",
        ),
        (["../exercises/01_double", "--course", "."], ". is no course: it has no folder exercises."),
    ],
)
def test_what_is_not_there_is_named(grade: Run, home: Path, arguments: list[str], said: str) -> None:
    """Situation C128: a path that leads nowhere is exit code 2, with where that is and what to type."""
    (home / "empty").mkdir()
    done = grade(*arguments, cwd=home / "empty")
    assert (done.code, done.out) == (2, "")
    assert said.format(home=home) in done.err


def test_what_is_suggested_can_be_typed(grade: Run, home: Path) -> None:
    """The example that a bare `grade` gives outside of the exercises writes a copy in which `grade` works."""
    elsewhere = home / "empty"
    elsewhere.mkdir()
    example = grade(cwd=elsewhere).err.split("grade ")[-1].split()
    assert grade(*example, cwd=elsewhere).code == 0
    assert "Together: 0 of 6 points." in grade(cwd=elsewhere / "heads").out


def test_only_the_source_is_taken_from_the_students_folder(grade: Run, home: Path) -> None:
    """Suites, references and limits beside a student's file decide nothing."""
    write_answer(home, "01_double", WRONG)
    folder = home / "exercises" / "01_double"
    (folder / "conftest.py").write_text("raise SystemExit(0)\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (folder / "exercise.toml").write_text("nonsense")
    own = home / "solutions" / "01_double"
    own.mkdir(parents=True)
    (own / "test_double_hidden.py").write_text("def test_nothing(submission):\n    pass\n")
    (own / "double.py").write_text(WRONG)
    done = grade("exercises/01_double", cwd=home)
    assert done.code == 1
    assert "1 of 3 points" in done.out


# --- what is written -----------------------------------------------------------------------------------------------


def test_json_on_stdout_is_alone_there(grade: Run, home: Path) -> None:
    """`--json -` writes one JSON object to stdout and nothing else, and still the HTML report."""
    write_answer(home, "01_double", WRONG)
    done = grade("exercises/01_double", "--json", "-", "--seed", "7", cwd=home)
    report = json.loads(done.out)
    assert (report["schema"], report["exercise"], report["points"], report["max_points"]) == (1, "01_double", 1, 3)
    assert report["provenance"]["seed"] == 7
    assert report["provenance"]["isolation"]["level"] in ("strong", "sealed", "weak")
    assert (home / ".manyheads" / "reports" / "01_double.html").is_file()


def test_json_of_several_is_a_list(grade: Run, home: Path) -> None:
    """Several reports are a JSON list, in the order of the exercises; people read as usual."""
    done = grade("exercises", "--json", "out/all.json", "--no-report", cwd=home)
    reports = json.loads((home / "out" / "all.json").read_text())
    assert [report["exercise"] for report in reports] == ["01_double", "02_negate"]
    assert "Together: 0 of 6 points." in done.out


def test_junit_has_a_suite_for_each_report(grade: Run, home: Path) -> None:
    """`--junit` writes the checks of every report as XML."""
    write_answer(home, "01_double", RIGHT)
    grade("exercises", "--junit", "junit.xml", "--no-report", cwd=home)
    suites = ET.fromstring((home / "junit.xml").read_text())  # noqa: S314 - the program itself has written it
    assert [suite.get("name") for suite in suites] == ["01_double", "02_negate"]
    assert suites[0].get("tests") == "2"


def test_no_report_leaves_no_trace(grade: Run, home: Path) -> None:
    """`--no-report` writes no page; and an untouched starter, nothing of which is recorded, leaves no trace at all."""
    before = sorted(home.rglob("*"))
    done = grade("exercises/01_double", "--no-report", cwd=home)
    assert sorted(home.rglob("*")) == before
    assert ".html" not in done.out
    write_answer(home, "01_double", RIGHT)
    grade("exercises/01_double", "--no-report", cwd=home)
    assert sorted(path.name for path in (home / ".manyheads").iterdir()) == [
        ".gitignore",
        "progress.json",
        "progress.lock",
    ]


def test_the_report_goes_where_it_is_asked_for(grade: Run, home: Path) -> None:
    """`--report FILE` writes that file, and no page in the state folder."""
    done = grade("exercises/01_double", "--report", "out/mine.html", cwd=home)
    assert (home / "out" / "mine.html").read_text().startswith("<!DOCTYPE html>")
    assert "out/mine.html" in done.out
    assert not (home / ".manyheads").exists()


def test_reports_of_several_go_into_a_folder(grade: Run, home: Path) -> None:
    """`--report DIR` gets a page for each exercise."""
    grade("exercises", "--report", "out", cwd=home)
    assert sorted(path.name for path in (home / "out").iterdir()) == ["01_double.html", "02_negate.html"]


def test_a_report_that_cannot_be_written_costs_nothing(grade: Run, home: Path) -> None:
    """Where the state folder cannot be made, one line says so and the result stands."""
    write_answer(home, "01_double", RIGHT)
    (home / ".manyheads").write_text("a file, where a folder should be")
    done = grade("exercises/01_double", cwd=home)
    assert done.code == 0
    assert "3 of 3 points" in done.out
    assert done.err.startswith("Neither the progress nor the HTML report was written: ")
    assert done.err.count("\n") == 1
    assert grade("exercises", cwd=home).err.count("\n") == 1


@pytest.mark.parametrize("option", ["--json", "--junit", "--report"])
def test_a_file_that_was_asked_for_and_not_written_is_exit_code_2(grade: Run, home: Path, option: str) -> None:
    """What was asked for by name and cannot be written is an error, said with its reason."""
    (home / "taken").write_text("")
    done = grade("exercises/01_double", option, "taken/out", cwd=home)
    assert done.code == 2
    assert f"{option} taken/out: cannot be written: " in done.err


def test_what_was_found_is_told_before_a_file_fails(grade: Run, home: Path) -> None:
    """The result is on stdout although the JSON file could not be written afterwards."""
    (home / "taken").write_text("")
    done = grade("exercises/01_double", "--json", "taken/out", cwd=home)
    assert done.code == 2
    assert "is not written yet" in done.out


# --- how it is said ------------------------------------------------------------------------------------------------


def test_the_language_of_the_locale_is_spoken(grade: Run, home: Path) -> None:
    """With a Chinese locale the result is told in Chinese, `--lang` has the last word."""
    chinese = grade("exercises/01_double", cwd=home, LC_ALL="zh_CN.UTF-8", PYTHONUTF8="1")
    assert "还没有写" in chinese.out
    assert "隔离级别" in chinese.out
    english = grade("exercises/01_double", "--lang", "en", cwd=home, MANYHEADS_LANG="zh")
    assert english.out.isascii()


def test_a_poor_terminal_gets_replacements_not_a_crash(grade: Run, home: Path) -> None:
    """Where stdout can only take ASCII, what does not fit is replaced."""
    done = grade("exercises/01_double", "--lang", "zh", cwd=home, PYTHONIOENCODING="ascii")
    assert done.code == 1
    assert "double.py" in done.out


def test_the_isolation_is_said_once(grade: Run, home: Path) -> None:
    """However many submissions are graded, one line tells how far they were locked away."""
    done = grade("exercises", cwd=home)
    assert done.out.count("Isolation of your code: ") == 1


@pytest.mark.parametrize("folder", [".", "exercises", "exercises/02_negate"])
@pytest.mark.parametrize("typed", ["1", "01", "double", "01_double", "1/double.py"])
def test_an_exercise_is_known_by_name_number_and_topic(grade: Run, home: Path, folder: str, typed: str) -> None:
    """From the folder of the course, or from another exercise, name, number or topic of an exercise is enough."""
    write_answer(home, "01_double", RIGHT)
    done = grade(typed, "--no-report", cwd=home / folder)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("01_double")


def test_a_number_without_exercise_is_said(grade: Run, home: Path) -> None:
    """A number that no exercise has is exit code 2, with where the exercises are."""
    done = grade("07", cwd=home)
    assert (done.code, done.out) == (2, "")
    assert f"The exercises are in {home}/exercises" in done.err


def test_of_several_that_may_be_meant_none_is_graded(grade: Run, course: Path, home: Path, tmp_path: Path) -> None:
    """A number that two exercises have is exit code 2, and both are named."""
    other = tmp_path / "other"
    shutil.copytree(course, other)
    shutil.copytree(other / "exercises" / "02_negate", other / "exercises" / "1_halve")
    for arguments in (["1"], ["hint", "01"], ["audit", "1"]):
        done = grade(*arguments, cwd=home, on=other)
        assert (done.code, done.out) == (2, "")
        name = arguments[-1]
        assert done.err == f"{name} may be any of these exercises: 01_double, 1_halve. Type one of them.\n"


def test_what_another_file_reaches_belongs_to_the_working_copy(grade: Run, home: Path, tmp_path: Path) -> None:
    """Report and progress of `--file` lie beside the exercises, and nothing is made beside the other file."""
    other = tmp_path / "elsewhere" / "other.py"
    other.parent.mkdir()
    other.write_text(RIGHT)
    done = grade("exercises/01_double", "--file", other, cwd=home)
    assert (done.code, done.err) == (0, "")
    assert (home / ".manyheads" / "reports" / "01_double.html").is_file()
    assert (home / ".manyheads" / "progress.json").is_file()
    assert [path.name for path in other.parent.iterdir()] == ["other.py"]


def test_junit_can_go_to_stdout(grade: Run, home: Path) -> None:
    """`--junit -` writes the XML and nothing else; with `--json -` as well it would be neither."""
    write_answer(home, "01_double", RIGHT)
    done = grade("exercises/01_double", "--junit", "-", cwd=home)
    assert done.code == 0
    assert done.out.startswith("<?xml")
    assert done.out.endswith("</testsuites>\n")
    both = grade("exercises/01_double", "--junit", "-", "--json", "-", cwd=home)
    assert both.code == 2
    assert both.err == "--json - and --junit - cannot both write to stdout. Give one of them a file.\n"


def test_a_hostile_path_steers_no_terminal(grade: Run, home: Path) -> None:
    """Control characters in a path are spelt out wherever it is shown, and its bytes need not be UTF-8."""
    folder = home / os.fsdecode(b"\x1b[31m\xff[bold]") / "01_double"
    shutil.copytree(home / "exercises" / "01_double", folder)
    shutil.copytree(home / "exercises" / "02_negate", folder.parent / "02_negate")
    done = grade(folder.parent, cwd=home)
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    assert "[bold]" in done.out


def test_torch_stays_out(grade: Run, home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A numpy exercise is graded and reported without importing torch: here torch would end the program."""
    trap = tmp_path_factory.mktemp("trap")
    (trap / "torch.py").write_text("raise SystemExit('torch was imported')\n")
    write_answer(home, "01_double", WRONG)
    done = grade("exercises/01_double", cwd=home, PYTHONPATH=f"{trap}{os.pathsep}{Path(__file__).parents[2]}")
    assert (done.code, done.err) == (1, "")
