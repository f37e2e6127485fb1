"""What must not end `grade watch`, and what may: signals, lost processes, folders and records that go, odd keys."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from seat import LEFT, Sit
from small_course import RIGHT, WRONG, write_answer

SUITE = Path("solutions", "01_double", "test_double_hidden.py")


def gone(pids: list[int]) -> bool:
    """Wait until none of these processes is there."""
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        os.sched_yield()
    return True


# --- ends ----------------------------------------------------------------------------------------------------------


def test_impatience_does_not_spoil_the_end(sit: Sit) -> None:
    """Whoever asks for the end again and again gets a terminal as it was, and no process is left."""
    seat = sit()
    children = seat.children
    seat.press("\x03" * 20)
    seat.process.send_signal(signal.SIGTERM)
    assert seat.end() == 130
    assert seat.attributes == seat.before
    assert LEFT in seat.said
    assert "Traceback" not in seat.said
    assert gone(children)


def test_an_end_from_outside_ends_the_quiz_too(sit: Sit) -> None:
    """While the terminal is lent to the quiz, SIGTERM ends all, and the terminal is as it was."""
    seat = sit()
    seat.press("z")
    seat.until_said("Press Enter to go back to your exercise.")
    seat.process.send_signal(signal.SIGTERM)
    assert seat.end() == 130
    assert seat.attributes == seat.before
    assert "Traceback" not in seat.said


def test_a_terminal_that_is_closed_ends_it(sit: Sit) -> None:
    """Without a terminal to say it on, the exit code is still the one of a stop from outside, and all is cleared."""
    seat = sit()
    children = seat.children
    seat.hang_up()
    assert seat.process.wait(timeout=60) == 130
    assert gone(children)


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_closed_streams_are_no_fault(course: Path, home: Path, environment: dict[str, str], closed: str) -> None:
    """Where standard input or the place for errors is closed, verdicts come all the same."""
    command = f'exec "$0" -m grader.cli watch 1 --course "$1" {closed}'
    run = ["sh", "-c", command, sys.executable, str(course)]
    with subprocess.Popen(run, cwd=home, env=environment, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout.readline() == "01_double  Not attempted yet\n"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(timeout=60) == 130


def test_in_a_folder_that_is_gone_the_way_out_is_said(home: Path, environment: dict[str, str]) -> None:
    """Every command says what has happened to the working directory, exit code 2, no traceback."""
    away = home / "away"
    away.mkdir()
    command = ["sh", "-c", 'rmdir "$1"; exec "$0" -m grader.cli watch', sys.executable, str(away)]
    done = subprocess.run(command, cwd=away, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "The folder you are in was deleted, or deleted and made again. Enter it again, or another one: cd FOLDER\n"
    )


# --- what is graded again ------------------------------------------------------------------------------------------


def test_a_sandbox_that_is_killed_is_replaced(sit: Sit, home: Path) -> None:
    """Whatever kills the sandbox, such as a system without memory, the next save is graded, and the report too."""
    seat = sit()
    for child in seat.children:
        os.kill(child, signal.SIGKILL)
    write_answer(home, "01_double", WRONG)
    seat.until("1 of 3 points")
    for child in seat.children:
        os.kill(child, signal.SIGKILL)
    seat.press("r")
    seat.until("Common mistakes detected")
    seat.press("qq")
    assert seat.end() == 0


def test_a_fault_of_the_suite_is_shown_and_told_at_the_end(sit: Sit, home: Path, course: Path, tmp_path: Path) -> None:
    """What fails again in a new sandbox is a fault of the course: it costs nothing, and the exit code is 3."""
    mine = Path(shutil.copytree(course, tmp_path / "mine"))
    suite = mine / SUITE
    suite.write_text(suite.read_text().replace("x = seeded((3, 4))", "raise RuntimeError('the suite fell over')"))
    write_answer(home, "01_double", WRONG)
    seat = sit(on=mine, ready="The grader failed")
    seat.press("q")
    assert seat.end() == 3
    assert "the suite fell over" in seat.said.partition(LEFT)[2]


def test_a_grading_in_which_all_stood_still_is_done_again(sit: Sit, home: Path, course: Path, tmp_path: Path) -> None:
    """After Ctrl-Z the time of a submission may be over through no fault of its own: only the next verdict counts."""
    mine = Path(shutil.copytree(course, tmp_path / "mine"))
    suite, runs = mine / SUITE, tmp_path / "runs"
    stop = (
        "import os, signal\n    from pathlib import Path\n"
        f"    runs = Path({str(runs)!r})\n    runs.write_text((runs.read_text() if runs.exists() else '') + 'x')\n"
        "    if runs.read_text() == 'xx':\n        os.kill(os.getpid(), signal.SIGTSTP)\n    x = seeded((3, 4))"
    )
    suite.write_text(suite.read_text().replace("x = seeded((3, 4))", stop, 1))
    seat = sit(on=mine)
    write_answer(home, "01_double", WRONG)
    seat.stopped()
    seat.go_on()
    seat.until("1 of 3 points")
    assert runs.read_text() == "xxx"
    assert '"runs": 1' in (home / ".manyheads" / "progress.json").read_text()


# --- what goes away ------------------------------------------------------------------------------------------------


def test_a_record_that_is_damaged_is_told_and_grading_goes_on(sit: Sit, home: Path) -> None:
    """The sentence stands beside the next verdict, not under it, and a record that cannot be read ends nothing."""
    seat = sit(columns=200)
    write_answer(home, "01_double", WRONG)
    seat.until("1 of 3 points")
    record = home / ".manyheads" / "progress.json"
    record.write_text("{")
    write_answer(home, "01_double", f"{WRONG}# again\n")
    assert "1 of 3 points" in seat.until("progress.json is damaged")
    record.unlink()
    record.mkdir()
    seat.press("h")
    assert "1 of 3 points" in seat.until("progress.json cannot be read: Invalid argument. It holds your progress")
    write_answer(home, "01_double", RIGHT)
    wanted = ("01_double is complete", "The progress was not recorded", "progress.json cannot be read")
    seat.until(lambda frame: all(each in " ".join(frame.split()) for each in wanted))
    seat.press("q")
    assert seat.end() == 0


def test_a_hint_that_cannot_be_recorded_is_shown(sit: Sit, home: Path) -> None:
    """A state folder that cannot be made costs the record of the hint and not the hint."""
    seat = sit(columns=200)
    (home / ".manyheads").symlink_to(home / "exercises")
    seat.press("h")
    assert "Hint 1 of 1" in seat.until("Which hint was shown could not be recorded")


def test_the_working_directory_may_go_and_come_again(sit: Sit, home: Path) -> None:
    """Started in an exercise folder that is deleted and made anew, it goes on, and ends as ever."""
    folder = home / "exercises" / "01_double"
    seat = sit(cwd=folder)
    shutil.rmtree(folder)
    seat.until("There is no file")
    folder.mkdir()
    write_answer(home, "01_double", RIGHT)
    seat.until("3 of 3 points")
    shutil.rmtree(folder)
    seat.until("There is no file")
    seat.press("q")
    assert seat.end() == 0
    assert "Traceback" not in seat.said


# --- keys ----------------------------------------------------------------------------------------------------------


def test_keys_that_follow_at_once_mean_what_is_seen_then(sit: Sit, home: Path) -> None:
    """Several keys in one read are keys one after the other: each finds the exercise to which the last one led."""
    write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    seat.press("nr")
    assert seat.until("There is no report yet.").startswith("02_negate")
    seat.press("prn")
    seat.until("Common mistakes detected")
    seat.press("q")
    seat.until(lambda frame: frame.startswith("02_negate"))


def test_what_is_pasted_presses_nothing(sit: Sit, home: Path) -> None:
    """A text that lands in the wrong window neither resets nor quits, nor uses up hints; the next key counts."""
    path = write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    seat.press("\x1b[200~" + 100 * "xyh\r\n是q" + "\x1b[201~l")
    seat.until("Best score")
    assert path.read_text() == WRONG
    assert not list(path.parent.glob("*.old*"))


def test_a_question_is_over_once_something_else_is_shown(sit: Sit, home: Path) -> None:
    """A y that comes after another verdict answers no question, so nothing is put back."""
    path = write_answer(home, "01_double", WRONG)
    seat = sit(ready="1 of 3 points")
    seat.press("x")
    seat.until("Put the starter back in place of double.py?")
    write_answer(home, "02_negate", "def negate(x):\n    return x.copy()\n")
    seat.until(lambda frame: frame.startswith("02_negate") and "1 of 3 points" in frame)
    seat.press("yl")
    seat.until("Best score")
    assert path.read_text() == WRONG
    assert not list(home.glob("exercises/*/*.old*"))
