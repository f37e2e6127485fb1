"""`grade batch` as an instructor runs it: what it prints, leaves behind and ends with."""

import fcntl
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import EXERCISE, LOOP, RIGHT, ROOT, STARTER, SYNTAX, WRONG, Ran, written, zipped

Batch = Callable[..., Ran]
CLASS = {"alice/concat.py": RIGHT, "bob/concat (1).py": WRONG, "carol/concat.py": STARTER, "dave/concat.py": SYNTAX}


def test_a_class_is_graded_into_every_file(batch: Batch, tmp_path: Path) -> None:
    """One run leaves the gradebook, the table, the JSON lines and a page for each student; nothing half written."""
    done = batch(written(tmp_path / "in", CLASS))
    assert done.code == 0, done.err
    verdicts = {student: (row["verdict"], row["points"]) for student, row in done.rows.items()}
    assert verdicts["alice"] == ("accepted", "10")
    assert verdicts["bob"][0] == "partly"
    assert verdicts["carol"] == ("not_attempted", "0")
    assert verdicts["dave"] == ("invalid", "0")
    assert done.rows["bob"]["mistakes"] == "merge-without-transpose"
    lines = (done.folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["who"] for line in lines] == ["alice", "bob", "carol", "dave"]
    pages = {name: (done.folder / row["report"]).read_text(encoding="utf-8") for name, row in done.rows.items()}
    assert all("<!doctype html>" in page.lower() for page in pages.values())
    assert {name for name, page in pages.items() if 'id="next"' in page} == {"bob", "carol", "dave"}  # 04 alone was set
    left = {path.name for path in done.folder.iterdir()} - {"gradebook.db-wal", "gradebook.db-shm"}
    assert left == {"gradebook.db", ".gradebook.lock", "grades.csv", "results.jsonl", "index.html", "reports"}


def test_the_same_command_grades_nothing_again(batch: Batch, tmp_path: Path) -> None:
    """What is done is done; a file that changed and a page that is gone are made anew, and only those."""
    folder = written(tmp_path / "in", CLASS)
    first = batch(folder).rows
    again = batch(folder)
    assert "Graded before: 4. To grade now: 0." in again.err
    assert again.rows == first
    written(folder, {"bob/concat (1).py": RIGHT})
    (again.folder / first["alice"]["report"]).unlink()
    changed = batch(folder)
    assert "Graded before: 3. To grade now: 1.\nPages to write anew" in changed.err
    assert "bob 04_concat 2 -> 10, another file" in changed.out
    assert {name: row for name, row in changed.rows.items() if name != "bob"} == {
        name: row for name, row in first.items() if name != "bob"
    }
    assert (changed.folder / first["alice"]["report"]).is_file()


def test_pages_show_what_was_asked_for_last(batch: Batch, tmp_path: Path) -> None:
    """Pages are made anew at another level and scores stay; without the option the level stays, so nothing leaks."""
    folder = written(tmp_path / "in", {"bob/concat.py": WRONG})
    full = batch(folder)
    page = full.folder / full.rows["bob"]["report"]
    assert 'class="why"' in page.read_text(encoding="utf-8")
    anew = batch(folder, "--feedback", "summary")
    assert "Graded before: 1. To grade now: 0.\nPages to write anew" in anew.err
    assert "Graded in this run: 0.\nPages written anew: 1." in anew.out
    assert 'class="why"' not in page.read_text(encoding="utf-8")
    again = batch(folder)
    assert "Graded in this run: 0." in again.out
    assert again.rows == full.rows
    told = batch(folder, "--feedback", "all")
    assert (told.code, "full, summary, names; found all" in told.err) == (2, True)


def test_a_regrade_shows_what_changed_drops_first(batch: Batch, own_course: Path, tmp_path: Path) -> None:
    """Situation C103: after a change of the suite the drops are listed first; the old scores stay in the history."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT, "bob/concat.py": WRONG})
    batch(folder, "--course", own_course)
    suite = own_course / "solutions" / EXERCISE / "test_concat_hidden.py"
    suite.write_text(suite.read_text(encoding="utf-8").replace("points(2)", "points(1)", 1), encoding="utf-8")
    again = batch(folder, "--course", own_course, "--regrade")
    changed = again.out.partition("Scores that changed, drops first: ")[2].splitlines()
    assert any(line.strip().startswith("alice 04_concat 10 -> ") and line.endswith("the same file") for line in changed)
    with sqlite3.connect(again.folder / "gradebook.db") as connection:
        assert connection.execute("SELECT count(*) FROM results WHERE NOT current").fetchone() == (2,)


def test_an_override_is_kept_through_everything(batch: Batch, tmp_path: Path) -> None:
    """Situation C147: points given by hand are in the table after a regrade, and flagged where the grader moved."""
    folder = written(tmp_path / "in", {"bob/concat.py": WRONG})
    batch(folder)
    by_hand = ("--override", "bob", EXERCISE, "7.5", "--by", "Li Wei", "--why", "explained it")
    given = batch(*by_hand, exercise=False)
    assert (given.code, given.out) == (0, "bob, 04_concat: 7.5 points count from now on.\n")
    assert "in place of" not in given.out
    other = batch(*by_hand[:3], "7.5", "--by", "Wu", "--why", "the same", exercise=False)
    assert other.out == "bob, 04_concat: 7.5 points count from now on, in place of the 7.5 that Li Wei gave.\n"
    batch(*by_hand, exercise=False)
    row = batch(written(folder, {"bob/concat.py": RIGHT}), "--regrade").rows["bob"]
    assert (row["points"], row["graded_points"], row["override_by"], row["override_why"]) == (
        *("7.5", "10", "Li Wei", "explained it"),
    )
    assert "Overridden when the grader gave 2; it gives 10 now." in row["note"]
    batch("--override", "bob", EXERCISE, "none", "--by", "Li Wei", "--why", "no need", exercise=False)
    assert batch(folder).rows["bob"]["points"] == "10"


def test_an_override_takes_the_name_that_the_table_shows(batch: Batch, tmp_path: Path) -> None:
    """Situation: a folder's name holds an escape sequence, which grades.csv spells out."""
    batch(written(tmp_path / "in", {"\x1b[31mred/concat.py": WRONG}))
    by_hand = ("--override", "␛[31mred", EXERCISE, "7.5", "--by", "Li Wei", "--why", "explained it")
    given = batch(*by_hand, exercise=False)
    assert (given.code, given.rows["␛[31mred"]["points"]) == (0, "7.5")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--override", "bob", EXERCISE, "7"), "--by NAME and --why TEXT"),
        (("--override", "bob", EXERCISE, "-1", "--by", "a", "--why", "b"), "Points are a number, 0 or more"),
        (("--override", "zed", EXERCISE, "1", "--by", "a", "--why", "b"), "has no zed in 04_concat"),
        (("--override", "bob", "99", "1", "--by", "a", "--why", "b"), "There is no exercise 99."),
        (("in", "--override", "bob", EXERCISE, "1"), "Leave one of them out."),
    ],
)
def test_a_senseless_override_is_told(batch: Batch, tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    """Nothing is overridden without a who, a why, a number and somebody it is for."""
    written(tmp_path / "in", {"bob/concat.py": STARTER})
    batch("in")
    told = batch(*arguments, exercise=False)
    assert told.code == 2
    assert says in told.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("in", "--exercise", "99"), "There is no exercise 99."),
        (("in", "--all"), "--exercise and --all exclude each other."),
        (("nowhere",), "nowhere: expected a folder, a zip or a tar of submissions, found nothing."),
        (("empty",), "empty: expected submissions, such as alice/concat.py"),
        (("broken.zip",), "broken.zip: expected a whole archive, found a broken one"),
        (("in", "--roster", "nobody.csv"), "nobody.csv: the class list cannot be read"),
        (("in", "--policy", "nothing.toml"), "nothing.toml: the policy cannot be read"),
        (("in", "--feedback", "all"), "--feedback is one of full, summary, names; found all."),
        ((), "Which submissions?"),
    ],
)
def test_bad_input_is_told_before_anything_is_graded(
    batch: Batch, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    """Each wrong input has its sentence, exit code 2, and no traceback; no gradebook and no folder is left by it."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT, "../broken.zip": b"PK\x03\x04" + bytes(99), "../empty/x": ""})
    told = batch(*arguments)
    assert (told.code, "Traceback" in told.err) == (2, False)
    assert says in told.err
    chinese = batch(*arguments, "--lang", "zh")
    assert (chinese.code, chinese.folder.exists()) == (2, False)
    assert chinese.err != told.err


def test_results_that_cannot_be_written_are_told(batch: Batch, tmp_path: Path) -> None:
    """A folder that takes no file ends the run at once with its path and the reason."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT})
    for out in ("/proc/grades", "in/alice/concat.py"):
        told = batch("in", out=out)
        assert told.code == 2
        assert f"{out}: the results cannot be written there" in told.err


def test_two_runs_at_once_do_not_meet(batch: Batch, tmp_path: Path) -> None:
    """Situation C141: a second run on the same folder is told to wait and changes nothing."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT})
    done = batch(folder)
    with (done.folder / ".gradebook.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = batch(folder)
    assert told.code == 2
    assert "out: another grade batch is at work there." in told.err


def test_a_full_disk_loses_nothing(environment: dict[str, str], batch: Batch, tmp_path: Path) -> None:
    """A gradebook that cannot grow ends the run with a sentence; with room again the same command finishes."""
    folder = written(tmp_path / "in", {f"s{i:02}/concat.py": f"# {i}\n{WRONG}" for i in range(12)})

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200 * 1024, 200 * 1024))

    command = [sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out", "--exercise", EXERCISE]
    full = subprocess.run(
        command, cwd=tmp_path, env=environment, preexec_fn=little_room, capture_output=True, text=True, check=False
    )
    assert full.returncode == 2, full.stderr
    assert "Make room and run the same command again; what is graded stays." in full.stderr
    done = batch(folder)
    assert (done.code, len(done.rows)) == (0, 12)
    assert {row["status"] for row in done.rows.values()} == {"graded"}


def test_every_input_has_one_row_and_the_unread_a_reason(batch: Batch, tmp_path: Path) -> None:
    """Situation C057: nobody disappears; what could not be read gives exit code 1 and a reason in the table."""
    files = {"alice/concat.py": RIGHT, "bob/concat.py": b"#" * (2**20 + 1), "carol/notes.md": "later"}
    (tmp_path / "class.csv").write_text("id,name\nalice,Alice\nbob,Bob\ncarol,Carol\nzed,=Zed\n")
    done = batch(zipped(tmp_path / "in.zip", files), "--roster", "class.csv")
    assert done.code == 1
    assert {student: row["status"] for student, row in done.rows.items()} == {
        "alice": "graded",
        "bob": "unreadable",
        "carol": "missing",
        "zed": "missing",
    }
    assert all(row["note"] for student, row in done.rows.items() if student != "alice")
    assert done.rows["zed"]["name"] == "'=Zed"


def test_a_fault_of_the_course_costs_nobody_a_point(batch: Batch, own_course: Path, tmp_path: Path) -> None:
    """Situation C104: with a broken suite the run is exit code 3, and earlier scores stand."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT})
    batch(folder, "--course", own_course)
    suite = own_course / "solutions" / EXERCISE / "test_concat_hidden.py"
    suite.write_text("def broken(:\n")
    done = batch(folder, "--course", own_course, "--regrade")
    assert done.code == 3
    assert "cannot be collected; mend it" in done.err
    assert (done.rows["alice"]["points"], done.rows["alice"]["status"]) == ("10", "graded")


def test_names_of_students_are_no_markup_and_steer_no_terminal(batch: Batch, tmp_path: Path) -> None:
    """Situations C162 and C163: a name with markup or control characters is text in page, table and terminal."""
    name = b"<script>alert(1)<\\u001b]0;x".decode("unicode_escape")
    done = batch(written(tmp_path / "in", {f"{name}/concat.py": SYNTAX, "=1+1/concat.py": SYNTAX}))
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    page = (done.folder / done.rows[name.replace("\x1b", "␛")]["report"]).read_text(encoding="utf-8")
    assert "<script" not in page
    assert "'=1+1" in done.rows


def test_files_beside_a_submission_change_nothing(batch: Batch, tmp_path: Path) -> None:
    """Situations C052, C080 and C081: own tests, numpy.py, nt.py and pytest.ini beside an answer are never run."""
    beside = {"numpy.py": "raise SystemExit", "nt.py": "raise SystemExit", "pytest.ini": "[pytest]\naddopts = --co\n"}
    beside |= {"solutions/04_concat/test_concat_hidden.py": "", "conftest.py": "raise SystemExit"}
    files = {f"alice/{name}": text for name, text in {**beside, "concat.py": RIGHT}.items()}
    done = batch(written(tmp_path / "in", files))
    assert (done.code, done.rows["alice"]["points"]) == (0, "10")


def test_the_locale_does_not_matter(batch: Batch, tmp_path: Path) -> None:
    """Situation C119: in the C locale, arrows, Chinese and emoji in sources and names are read and written."""
    files = {"王芳/concat.py": f'"""√ → ₀ 🙂 头"""\n{RIGHT}'}
    done = batch(written(tmp_path / "in", files), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.code, done.rows["王芳"]["points"]) == (0, "10"), done.err


def test_a_zone_changes_no_time(batch: Batch, tmp_path: Path) -> None:
    """Situation C158: times are kept in UTC and say so, whatever zone the machine is in."""
    for zone in ("America/Los_Angeles", "Asia/Kolkata"):
        done = batch(written(tmp_path / "in", {"alice/concat.py": SYNTAX}), "--regrade", TZ=zone)
        assert done.rows["alice"]["graded_at"].endswith("+00:00")


def test_ctrl_c_ends_cleanly_and_loses_nothing(environment: dict[str, str], batch: Batch, tmp_path: Path) -> None:
    """Ctrl-C is exit code 130, leaves no process, and what was committed is in the table; the rest follows later."""
    files = {f"s{i}/concat.py": f"# {i}\n{SYNTAX}" for i in range(3)}
    folder = written(tmp_path / "in", {**files, "z/concat.py": LOOP, "zz/concat.py": f"# zz\n{LOOP}"})
    command = [sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out", "--exercise", EXERCISE]
    database = tmp_path / "out" / "gradebook.db"
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and graded(database) < 3:
            os.sched_yield()
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=30)
    assert (running.returncode, err.splitlines()[-1]) == (130, "Stopped.")
    assert "all kept. The same command goes on from there." in err
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    rows = Ran(130, "", "", tmp_path / "out").rows
    assert [rows[f"s{i}"]["status"] for i in range(3)] == ["graded"] * 3
    done = batch(folder)
    assert {row["status"] for row in done.rows.values()} == {"graded"}
    assert done.rows["z"]["verdict"] == "time_limit"


def graded(database: Path) -> int:
    """How many results a gradebook has by now; 0 where it is not there yet."""
    if not database.is_file():
        return 0
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            (count,) = connection.execute("SELECT count(*) FROM results").fetchone()
    except sqlite3.OperationalError:  # being made right now
        return 0
    return int(count)


def test_the_results_may_lie_in_the_input(batch: Batch, tmp_path: Path) -> None:
    """The folder of the results, inside of the submissions, is no student."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT})
    for _ in range(2):
        done = batch("in", out="in/grades")
        assert (done.code, list(done.rows)) == (0, ["alice"])


def test_sqlalchemy_is_an_extra(environment: dict[str, str], tmp_path: Path) -> None:
    """Only this command imports SQLAlchemy; without it, it says in one line what to install."""
    shutil.copytree(ROOT / "grader", tmp_path / "code" / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    written(tmp_path / "code", {"sqlalchemy.py": "raise ModuleNotFoundError('no', name='sqlalchemy')"})
    for part in ("exercises", "solutions"):
        (tmp_path / "code" / part).symlink_to(ROOT / part)
    changed = {**environment, "PYTHONPATH": str(tmp_path / "code")}
    run = {"cwd": tmp_path, "env": changed, "capture_output": True, "text": True}
    assert subprocess.run([sys.executable, "-m", "grader.cli", "list", "--help"], **run, check=False).returncode == 0
    told = subprocess.run([sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out"], **run, check=False)
    assert told.returncode == 2
    assert told.stderr.startswith("SQLAlchemy is not installed. To install it: pip install ")
    assert told.stderr.count("\n") == 1
