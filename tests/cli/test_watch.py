"""`grade watch` in a terminal: what is saved is graded, what is pressed is done, and the terminal is given back."""

import shutil
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from seat import LEFT, Seat, Sit
from small_course import RIGHT, WRONG, write_answer

NEGATED = "def negate(x):\n    return -x\n"


def cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


# --- saving --------------------------------------------------------------------------------------------------------


def test_what_is_saved_is_graded(sit: Sit, home: Path) -> None:
    """Score, checks, the named mistake and the next step; then it is overcome, and the next exercise comes."""
    seat = sit()
    write_answer(home, "01_double", WRONG)
    frame = seat.until("1 of 3 points")
    assert "✗ Nothing is done: double" in frame
    assert "The result is the input." in frame
    assert "✗ failed    Every number must be treated." in frame
    assert "Next: Answer the question above" in frame
    assert "0 of 2 complete" in frame
    write_answer(home, "01_double", RIGHT)
    frame = seat.until(lambda frame: "01_double is complete" in frame and "negate.py is not written yet" in frame)
    assert frame.startswith("✓ 01_double is complete: 3 of 3 points.\nOvercome: Nothing is done: double\n\n02_negate")
    assert "1 of 2 complete" in frame
    write_answer(home, "02_negate", NEGATED)
    frame = seat.until("All exercises are complete.")
    assert "3 of 3 points  ✓ All checks pass" in frame
    assert "01_double is complete" not in frame


def test_it_is_recorded_as_by_grade(sit: Sit, home: Path) -> None:
    """What was met and overcome under `grade watch` stands in the progress before it is shown."""
    seat = sit()
    write_answer(home, "01_double", WRONG)
    seat.until("1 of 3 points")
    record = (home / ".manyheads" / "progress.json").read_text()
    assert '"runs": 1' in record
    assert "forgets-double" in record


def test_every_way_to_save_is_seen(sit: Sit, home: Path) -> None:
    """An editor that renames, one that writes in pieces, a file that goes and comes back: what lies there counts."""
    seat = sit()
    path = write_answer(home, "01_double", WRONG)
    seat.until("1 of 3 points")
    save_at_once(home, "def double(x):\n    return [\n")
    seat.until("Python cannot read the file")
    with path.open("w") as file:
        for piece in ("def double(x):\n", "    return ", "x", ".copy()\n"):
            file.write(piece)
            file.flush()
    seat.until("1 of 3 points")
    path.unlink()
    seat.until("There is no file")
    write_answer(home, "01_double", WRONG)
    seat.until("1 of 3 points")
    folder = path.parent
    folder.rename(home / "away")
    seat.until("There is no file")
    (home / "away").rename(folder)
    seat.until("1 of 3 points")
    path.write_text("")
    seat.until("There is no code in the file yet.")


def test_of_many_saves_the_last_one_counts(sit: Sit, home: Path) -> None:
    """After twenty saves as fast as they can be made, what is shown is the verdict on the last."""
    seat = sit()
    for number in range(19):
        write_answer(home, "01_double", f"{WRONG}# {number}\n")
    write_answer(home, "01_double", RIGHT)
    seat.until("01_double is complete")


def test_the_exercise_that_is_saved_is_the_current_one(sit: Sit, home: Path) -> None:
    """Saving the file of another exercise goes there; exercises that were not asked for are let be."""
    seat = sit()
    write_answer(home, "02_negate", "def negate(x):\n    return x.copy()\n")
    assert seat.until("1 of 3 points").startswith("02_negate")
    write_answer(home, "01_double", WRONG)
    seat.until(lambda frame: frame.startswith("01_double") and "1 of 3 points" in frame)
    seat.press("q")
    assert seat.end() == 0
    alone = sit("2", ready="1 of 3 points")
    write_answer(home, "01_double", RIGHT)
    write_answer(home, "02_negate", NEGATED)
    assert "01_double" not in alone.until("3 of 3 points")


@pytest.mark.slow
def test_a_long_grading_is_said_to_be_going_on(sit: Sit, home: Path) -> None:
    """A loop that does not end is waited for visibly, and then named."""
    seat = sit()
    write_answer(home, "01_double", "def double(x):\n    while True:\n        pass\n")
    seat.until("Grading…")
    seat.until("Stopped at the time limit")


# --- keys ----------------------------------------------------------------------------------------------------------


def test_keys_lead_to_exercises_and_sheets(sit: Sit, home: Path) -> None:
    """Next, previous, hints with their pause, the list and the report; any other key takes a sheet away."""
    write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    seat.press("n")
    seat.until("02_negate  Negate it")
    seat.press("p")
    seat.until(lambda frame: frame.startswith("01_double") and "1 of 3 points" in frame)
    seat.press("h")
    assert "Hint 1 of 3" in seat.until("For the next hint: h")
    seat.press("h")
    assert "What should change?" in seat.until("Hint 2 of 3")
    seat.press("h")
    assert "Hint 3 of 3" not in seat.until("Give the last hint a try")
    seat.press("l")
    seat.until("Best score")
    seat.press("q")
    seat.until("1 of 3 points")
    seat.press("r")
    seat.until("Common mistakes detected")
    page = home / ".manyheads" / "reports" / "01_double.html"
    assert "Nothing is done: double" in page.read_text()
    seat.press(" ")
    seat.until(lambda frame: "Report:" in frame and not frame.startswith("01_double"))
    seat.press("\x1b[5~")
    seat.until(lambda frame: frame.startswith("01_double"))
    seat.press("ｑ")  # as a Chinese input method may write it
    seat.until("Whenever double.py is saved")
    seat.press("q")
    assert seat.end() == 0


def test_without_a_pause_where_none_is_wanted(sit: Sit, home: Path) -> None:
    """With `--no-pause` the next hint comes at once, below those that were seen."""
    write_answer(home, "01_double", WRONG)
    seat = sit("--no-pause", ready="1 of 3 points", rows=40)
    for number in (1, 2, 3):
        seat.press("h")
        assert "Hint 1 of 3" in seat.until(f"Hint {number} of 3")
    assert "These are all the hints." in seat.frame


def test_reset_asks_and_keeps_what_was_written(sit: Sit, home: Path) -> None:
    """Any key but y leaves all as it is; y puts the starter back, and the answer lies beside it."""
    path = write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    seat.press("xn")
    seat.press("x")
    seat.until("Put the starter back in place of double.py?")
    seat.press("q")
    seat.until("Whenever double.py is saved")
    assert path.read_text() == WRONG
    seat.press("xy")
    seat.until("The starter is back. What you had is now double.py.old.")
    assert "NotImplementedError" in path.read_text()
    assert path.with_name("double.py.old").read_text() == WRONG
    seat.press("x")
    seat.until("double.py is the starter already.")


def test_in_the_course_itself_reset_names_git(course: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Where the file that is written in is the starter of the course, nothing can be put back from there."""
    own = Path(shutil.copytree(course, tmp_path / "own"))
    with Seat(["1", "--course", str(own)], own, environment) as seat:
        seat.until("still raises")
        seat.press("x")
        seat.until("git checkout exercises/01_double/double.py")


def test_the_quiz_gets_the_terminal_and_gives_it_back(sit: Sit, home: Path) -> None:
    """The quiz speaks for itself, also where there is none; Enter leads back."""
    seat = sit()
    seat.press("z")
    seat.until_said("Press Enter to go back to your exercise.")
    assert seat.attributes == seat.before
    frames = seat.said.count("\x1b[H")
    seat.press("\n")
    seat.until(lambda _frame: seat.said.count("\x1b[H") > frames and seat.said.count("\x1b[?1049h") == 2)
    write_answer(home, "01_double", RIGHT)
    seat.until("01_double is complete")


# --- the terminal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "code"),
    [("q", 0), ("\x04", 0), ("\x03", 130), ("\x1c", 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)],
    ids=["q", "Ctrl-D", "Ctrl-C", "Ctrl-backslash", "SIGTERM", "SIGHUP"],
)
def test_the_terminal_is_given_back(sit: Sit, way: str | signal.Signals, code: int) -> None:
    """However it ends, keys are echoed again, the cursor is there, the old screen too, and no process is left."""
    seat = sit()
    assert seat.attributes != seat.before
    children = Path(f"/proc/{seat.process.pid}/task/{seat.process.pid}/children").read_text().split()
    assert children
    if isinstance(way, signal.Signals):
        seat.process.send_signal(way)
    else:
        seat.press(way)
    assert seat.end() == code
    assert seat.attributes == seat.before
    assert LEFT in seat.said
    assert seat.said.partition(LEFT)[2].strip() in ("", "Stopped.")
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def test_a_fault_of_the_course_gives_the_terminal_back(
    course: Path, home: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """Where a suite is missing, the fault is told on the terminal as it was before, exit code 3."""
    broken = Path(shutil.copytree(course, tmp_path / "broken", ignore=shutil.ignore_patterns(".manyheads")))
    (broken / "solutions" / "01_double" / "test_double_hidden.py").unlink()
    with Seat(["--course", str(broken)], home, environment) as seat:
        assert seat.end() == 3
        assert "The course has a fault" in seat.said.partition(LEFT)[2]
        assert seat.attributes == seat.before


def test_ctrl_z_lends_the_terminal_to_the_shell(sit: Sit, home: Path) -> None:
    """Stopped, the terminal is as it was; going on, everything is drawn anew, and what was saved meanwhile counts."""
    seat = sit()
    seat.press("\x1a")
    seat.stopped()
    assert seat.attributes == seat.before
    write_answer(home, "01_double", WRONG)
    seat.go_on()
    seat.until("1 of 3 points")
    assert seat.attributes != seat.before


def test_any_size_of_the_terminal_will_do(sit: Sit, home: Path) -> None:
    """A new size is drawn at once; never more lines than there are rows, and the keys stay in sight."""
    write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    for columns, rows in ((40, 12), (24, 6), (11, 3), (120, 50)):
        seat.resize(columns, rows)
        lines = seat.until(lambda frame, rows=rows: len(frame.split("\n")) == rows).split("\n")
        assert "q quit" in lines[-1]
        assert max(map(cells, lines)) <= max(columns, 20)  # narrower ones are cut by the terminal


def test_a_line_as_wide_as_the_terminal_keeps_its_last_character(sit: Sit, home: Path) -> None:
    """Each row is erased before it is written; erasing after it would take what stands in the last column."""
    write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points", columns=60)
    assert max(map(cells, seat.frame.split("\n"))) == 60
    first, *others = seat.raw_frame.removeprefix("\x1b[H").split("\x1b[2K")
    assert first == ""
    assert len(others) == 24
    assert not any("\x1b[K" in line or "\x1b[J" in line for line in others)


def test_without_colour(sit: Sit, home: Path) -> None:
    """Where NO_COLOR is set, no colour is sent; words carry the meaning."""
    write_answer(home, "01_double", WRONG)
    assert "31m" in sit(ready="1 of 3 points").raw_frame
    plain = sit(ready="1 of 3 points", NO_COLOR="1")
    assert "31m" not in plain.raw_frame
    assert "32m" not in plain.raw_frame


def test_it_speaks_chinese(sit: Sit, home: Path) -> None:
    """Every sentence of the screen is Chinese where Chinese is asked for."""
    seat = sit("--lang", "zh", ready="还没有写")
    write_answer(home, "01_double", WRONG)
    frame = seat.until("什么都没做：double")
    assert "每次保存 double.py，都会自动评分。   已完成 0 / 2" in frame
    assert frame.endswith("n 下一个   p 上一个   h 提示   r 报告   l 列表   x 重来   z 复习题   q 退出")


# --- where nobody sits ---------------------------------------------------------------------------------------------


@pytest.fixture
def piped(course: Path, home: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen]:
    """The command with nobody before it, its lines in a pipe."""
    command = [sys.executable, "-m", "grader.cli", "watch", "--course", str(course)]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=home, env=environment, **streams) as watching:
        yield watching
        watching.kill()  # where it has not ended


def save_at_once(home: Path, text: str) -> None:
    """Put an answer in place whole, so that nothing between two answers can be seen."""
    path = home / "exercises" / "01_double" / "double.py"
    partial = path.with_name("double.py~")
    partial.write_text(text)
    partial.replace(path)


def test_without_a_terminal_each_verdict_is_a_line(piped: subprocess.Popen, home: Path) -> None:
    """In a pipe every verdict is one line, no control character is sent, and SIGINT ends it with 130."""
    assert piped.stdout.readline() == "01_double  Not attempted yet\n"
    save_at_once(home, WRONG)
    first = piped.stdout.readline()
    assert first == "01_double  1 of 3 points  Some checks pass  ✗ Nothing is done: double\n"
    save_at_once(home, RIGHT)
    assert [piped.stdout.readline() for _ in range(4)] == [
        "01_double  3 of 3 points  All checks pass\n",
        "01_double  Overcome: Nothing is done: double\n",
        "Now comes 02_negate.\n",
        "02_negate  Not attempted yet\n",
    ]
    piped.send_signal(signal.SIGINT)
    assert piped.communicate(timeout=60) == ("", "Stopped.\n")
    assert piped.returncode == 130


def test_a_reader_that_goes_away_ends_it(piped: subprocess.Popen, home: Path) -> None:
    """Where nobody reads the lines any more, it ends by code 141, as others do."""
    assert piped.stdout.readline()
    piped.stdout.close()
    write_answer(home, "01_double", WRONG)
    assert piped.wait(timeout=60) == 141
    assert piped.stderr.read() == ""
