"""What `grade` records of a run, `grade list` shows of it, and what they say where it cannot be kept."""

import json
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]


def cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def listed(grade: Run, home: Path) -> dict[str, dict]:
    """Exercises by name, as `grade list --json` tells of them."""
    tree = json.loads(grade("list", "--json", cwd=home).out)
    return {exercise["exercise"]: exercise for exercise in tree["exercises"]}


def states(grade: Run, home: Path) -> list[str]:
    """The state of each exercise."""
    return [exercise["state"] for exercise in listed(grade, home).values()]


# --- what is recorded ----------------------------------------------------------------------------------------------


def test_a_run_is_recorded_beside_its_report(grade: Run, home: Path) -> None:
    """Best score, mistakes met and overcome are there after each graded answer; a starter is not started."""
    grade("exercises", cwd=home)
    assert states(grade, home) == ["not_started", "not_started"]
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    double = listed(grade, home)["01_double"]
    assert (double["state"], double["points"], double["max_points"], double["runs"]) == ("started", 1, 3, 1)
    (met,) = double["mistakes"]
    assert (met["slug"], met["title"]["en"], met["overcome"]) == ("forgets-double", "Nothing is done: double", None)
    write_answer(home, "01_double", RIGHT)
    grade("exercises/01_double", cwd=home)
    double = listed(grade, home)["01_double"]
    assert (double["state"], double["points"]) == ("complete", 3)
    assert double["mistakes"][0]["overcome"] == double["completed"]


def test_every_way_to_name_an_exercise_is_recorded_in_one_place(grade: Run, home: Path) -> None:
    """A run inside the exercise folder counts like one beside it; `--file` counts where that file lies."""
    write_answer(home, "01_double", WRONG)
    grade(cwd=home / "exercises" / "01_double")
    grade("01_double", cwd=home / "exercises")
    (home / "exercises" / "01_double" / "other.py").write_text(RIGHT)
    grade("--file", "other.py", cwd=home / "exercises" / "01_double")
    assert listed(grade, home)["01_double"]["runs"] == 3
    assert listed(grade, home / "exercises" / "02_negate")["01_double"]["state"] == "complete"


def test_a_mistake_that_is_gone_is_said_once(grade: Run, home: Path) -> None:
    """The answer that no longer shows a mistake is told so below its score, the one after it is not."""
    write_answer(home, "01_double", WRONG)
    assert "Overcome" not in grade("exercises/01_double", cwd=home).out
    write_answer(home, "01_double", RIGHT)
    overcome = grade("exercises/01_double", cwd=home).out.splitlines()
    assert overcome[1:3] == ["3 of 3 points  ✓ All checks pass", "Overcome: Nothing is done: double"]
    assert "Overcome" not in grade("exercises/01_double", cwd=home).out


def test_what_is_shown_was_recorded_before(grade: Run, home: Path) -> None:
    """Situation C114: a result that could not be shown is recorded; killed while it prints, nothing is lost."""
    write_answer(home, "01_double", WRONG)
    done = grade("exercises/01_double", "--report", "exercises/01_double/double.py/page.html", cwd=home)
    assert (done.code, done.out) == (2, "")
    assert listed(grade, home)["01_double"]["runs"] == 1


# --- where it cannot be kept ---------------------------------------------------------------------------------------


def test_a_closed_folder_costs_one_line(grade: Run, home: Path) -> None:
    """Where progress cannot be written, one line says so for any number of exercises; the result stands."""
    write_answer(home, "01_double", RIGHT)
    write_answer(home, "02_negate", WRONG.replace("double", "negate"))
    (home / ".manyheads").mkdir()
    (home / ".manyheads" / "progress.lock").mkdir()
    done = grade("exercises/01_double", cwd=home)
    assert done.code == 0
    assert done.err.startswith(f"The progress was not recorded: {home}/.manyheads/progress.lock: ")
    assert (home / ".manyheads" / "reports" / "01_double.html").is_file()
    several = grade("exercises", "--no-report", cwd=home)
    assert (several.code, several.err) == (1, done.err)


def test_a_damaged_file_is_said_and_set_aside(grade: Run, home: Path) -> None:
    """A damaged progress is named on stderr with the name it has now; the result stands."""
    write_answer(home, "01_double", RIGHT)
    (home / ".manyheads").mkdir()
    (home / ".manyheads" / "progress.json").write_text('{"schema": 1, ')
    done = grade("exercises/01_double", cwd=home)
    (aside,) = (home / ".manyheads").glob("progress.damaged-*.json")
    assert done.code == 0
    assert done.err.startswith(f"{home}/.manyheads/progress.json is damaged (Expecting property name")
    assert done.err.endswith(f"It was set aside as {aside.name}, and a new one is begun.\n")
    assert states(grade, home) == ["complete", "not_started"]


def test_a_newer_file_is_refused(grade: Run, home: Path) -> None:
    """With the progress of a newer release `grade` says once that nothing is recorded; `list` and `hint` end with 2."""
    write_answer(home, "01_double", RIGHT)
    write_answer(home, "02_negate", RIGHT.replace("double", "negate"))
    (home / ".manyheads").mkdir()
    (home / ".manyheads" / "progress.json").write_text('{"schema": 9}')
    done = grade("exercises/01_double", cwd=home)
    newer = f"{home}/.manyheads/progress.json was written by a newer release (schema 9, this one knows up to 1)."
    assert done.code == 0
    assert done.err.startswith(newer)
    assert grade("exercises", cwd=home).err == done.err
    for command in ("list", "hint"):
        refused = grade(command, cwd=home)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.startswith(newer)


def test_an_unreadable_file_ends_the_list(grade: Run, home: Path) -> None:
    """What is no ordinary file is named with the reason, exit code 2."""
    (home / ".manyheads" / "progress.json").mkdir(parents=True)
    done = grade("list", cwd=home)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{home}/.manyheads/progress.json cannot be read: ")


# --- the list ------------------------------------------------------------------------------------------------------

LISTED = {
    "en": """\
Exercise   State        Best score  Mistakes met  overcome
01_double  complete          3 / 3             1         1
  Double it
02_negate  not started           -             -         -
  Negate it

Mistakes met
  01_double
    overcome    Nothing is done: double

Next: read exercises/02_negate/README.md
""",
    "zh": """\
练习       状态    最高分  遇到的错误  已克服
01_double  已完成   3 / 3           1       1
  练习 double
02_negate  未开始       -           -       -
  练习 negate

遇到过的错误
  01_double
    已克服    什么都没做：double

接下来：阅读 exercises/02_negate/README.zh.md
""",
}


@pytest.mark.parametrize("language", LISTED)
def test_the_list_in_a_narrow_terminal(grade: Run, home: Path, language: str) -> None:
    """State in words, best score, mistakes met and overcome, the next exercise; columns stand under their heads."""
    for answer in (WRONG, RIGHT):
        write_answer(home, "01_double", answer)
        grade("exercises/01_double", cwd=home)
    done = grade("list", "--lang", language, cwd=home, COLUMNS="55")
    assert (done.code, done.err, done.out) == (0, "", LISTED[language])


@pytest.mark.parametrize("language", LISTED)
def test_a_wide_terminal_has_a_column_for_titles(grade: Run, home: Path, language: str) -> None:
    """Where there is room, each exercise is one line, and every column begins in the same cell."""
    lines = grade("list", "--lang", language, cwd=home, COLUMNS="100").out.splitlines()[:3]
    starts = [cells(line[: line.index(title)]) for line, title in zip(lines[1:], TITLES[language], strict=True)]
    assert starts == [11, 11]
    assert len({cells(line) for line in lines}) == 1


TITLES = {"en": ("Double it", "Negate it"), "zh": ("练习 double", "练习 negate")}


@pytest.mark.parametrize("language", LISTED)
def test_the_real_course_fits_80_columns(grade: Run, home: Path, language: str) -> None:
    """The list of the course that comes with the grader is nowhere wider than 80 columns."""
    root = Path(__file__).parents[2]
    done = grade("list", "--course", root, "--lang", language, cwd=root, COLUMNS="80")
    assert max(map(cells, done.out.splitlines())) <= 80


def test_a_hostile_progress_steers_no_terminal(grade: Run, home: Path) -> None:
    """Whatever a stranger's progress.json holds, control characters are spelt out or escaped."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    path = home / ".manyheads" / "progress.json"
    path.write_text(path.read_text().replace("forgets-double", r"\u001b[31m\u202e[bold]"))
    done = grade("list", cwd=home)
    assert "␛[31m<U+202E>[bold]" in done.out
    assert grade("list", "--json", cwd=home).out.isascii()
    assert grade("hint", "01_double", cwd=home).code == 0


def test_the_list_counts_what_the_quiz_has_due(grade: Run, home: Path, environment: dict[str, str]) -> None:
    """Once a question was answered, the list says how many are due; before, and without a bank, it says nothing."""
    root = Path(__file__).parents[2]
    data = {"MANYHEADS_DATA": str(home / "quiz")}
    assert json.loads(grade("list", "--json", cwd=root, on=root, **data).out)["quiz_due"] is None
    command = [sys.executable, "-m", "grader.cli", "quiz", "--now", "2026-01-01T12:00:00Z"]
    subprocess.run(command, cwd=root, env={**environment, **data}, input=b"1\n\n\nq\n", capture_output=True, check=True)
    count = json.loads(grade("list", "--json", cwd=root, on=root, **data).out)["quiz_due"]
    assert count >= 1
    said = f"Quiz questions due today: {count}. To answer them: grade quiz\n"
    assert grade("list", cwd=root, on=root, **data).out.endswith(said)
    assert "Quiz" not in grade("list", cwd=home, **data).out


def test_the_list_goes_to_a_file(grade: Run, home: Path) -> None:
    """`--json FILE` writes the file and prints nothing; what cannot be written is exit code 2."""
    done = grade("list", "--json", "out/list.json", cwd=home)
    assert (done.code, done.out) == (0, "")
    assert json.loads((home / "out" / "list.json").read_text())["next"] == "01_double"
    assert grade("list", "--json", "exercises", cwd=home).code == 2


def test_when_all_is_done_that_is_said(grade: Run, home: Path) -> None:
    """Situation C113: with every exercise complete there is no next one; with all but the last one, that is next."""
    write_answer(home, "01_double", RIGHT)
    grade("exercises", cwd=home)
    assert json.loads(grade("list", "--json", "-", cwd=home).out)["next"] == "02_negate"
    write_answer(home, "02_negate", "def negate(x):\n    return -x\n")
    grade("exercises", cwd=home)
    assert grade("list", cwd=home).out.endswith("\nAll exercises are complete.\n")
    assert json.loads(grade("list", "--json", "-", cwd=home).out)["next"] is None


def test_without_exercises_the_way_to_some_is_said(grade: Run, home: Path, tmp_path_factory) -> None:
    """Outside of any working copy `list` says how to write one, exit code 2."""
    done = grade("list", cwd=tmp_path_factory.mktemp("nothing"))
    assert (done.code, done.out) == (2, "")
    assert "write a copy of them, for example: grade start heads --course " in done.err
