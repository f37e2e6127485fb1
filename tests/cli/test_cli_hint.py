"""`grade hint`: one rung at a time, first on the mistake that was detected, and none is forgotten."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]

QUESTION, PLACE, OWN = "What should change?", "Look at the return.", "Look at the sign."


def heading(grade: Run, home: Path, *arguments: str) -> str:
    """The line over the hint that is shown next, "" where none is."""
    lines = grade("hint", *arguments, "--no-pause", cwd=home).out.splitlines()
    return next((line for line in lines if line.startswith("Hint ")), "")


def test_without_a_mistake_the_ladder_is_that_of_the_exercise(grade: Run, home: Path) -> None:
    """A hint has its number, its text, and the command for the next one below it."""
    done = grade("hint", "01_double", cwd=home)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "01_double  Double it",
        "",
        "Hint 1 of 1: on the exercise",
        f"  {OWN}",
        "",
        "That was the last hint. To see them again:",
        f"  grade hint 01_double --course {home_course(grade)} --again",
    ]


def home_course(grade: Run) -> str:
    """The folder of the small course, as the fixture passes it."""
    return grade("list", cwd=Path("/")).err.split()[-1]


def test_a_detected_mistake_comes_first(grade: Run, home: Path) -> None:
    """Question, then place of the mistake that the last answer showed, then the exercise's hint; then calm words."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    shown = [grade("hint", "01_double", "--no-pause", cwd=home).out for _ in range(4)]
    assert 'Hint 1 of 3: a question about the mistake "Nothing is done: double"' in shown[0]
    assert 'Hint 2 of 3: where to look for the mistake "Nothing is done: double"' in shown[1]
    assert "Hint 3 of 3: on the exercise" in shown[2]
    for text, out in zip((QUESTION, PLACE, OWN), shown, strict=False):
        assert f"\n  {text}\n" in out
    assert "For the next hint:\n  grade hint 01_double --course " in shown[1]
    assert "That was the last hint. To see them again:\n" in shown[2]
    assert "Hint" not in shown[3]
    assert "Every hint has been shown." in shown[3]
    assert shown[3].endswith(" --again\n")


def test_again_repeats_what_was_shown_and_no_more(grade: Run, home: Path) -> None:
    """`--again` shows the rungs that were shown already, and moves nothing on."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    assert "No hint has been shown yet. For the first one:\n" in grade("hint", "01_double", "--again", cwd=home).out
    grade("hint", "01_double", cwd=home)
    grade("hint", "01_double", "--no-pause", cwd=home)
    for _ in range(2):
        again = grade("hint", "01_double", "--again", cwd=home).out
        assert QUESTION in again
        assert PLACE in again
        assert OWN not in again
        assert "For the next hint:" in again
    assert heading(grade, home, "01_double").startswith("Hint 3 of 3")


def test_between_two_hints_there_is_a_pause(grade: Run, home: Path) -> None:
    """A minute long no further hint comes, and that is said; none after the question, which the report asked."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    question, place, early, late = (
        grade("hint", "01_double", "--now", f"2026-03-01T09:{clock}Z", cwd=home).out
        for clock in ("30:00", "30:00", "30:18", "31:00")
    )
    assert QUESTION in question
    assert PLACE in place
    said = "Give the last hint a try: the next one comes in 42 s, or once your answer has been graded again.\n"
    assert said in early
    assert early.endswith(" --no-pause\n")
    assert OWN not in early
    assert OWN in late


def test_a_graded_answer_ends_the_pause(grade: Run, home: Path) -> None:
    """Whoever tries something need not wait for the next hint."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    for _ in (QUESTION, PLACE):
        grade("hint", "01_double", "--now", "2026-03-01T09:30:00Z", cwd=home)
    grade("exercises/01_double", cwd=home)
    assert OWN in grade("hint", "01_double", "--now", "2026-03-01T09:30:01Z", cwd=home).out


def test_a_clock_that_was_set_back_keeps_nobody_waiting(grade: Run, home: Path) -> None:
    """Where the last hint lies in the future, the next one comes at once."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    for _ in (QUESTION, PLACE):
        grade("hint", "01_double", "--now", "2026-03-01T09:30:00Z", cwd=home)
    assert OWN in grade("hint", "01_double", "--now", "2026-03-01T09:29:59Z", cwd=home).out


def test_once_overcome_a_mistake_leaves_the_ladder(grade: Run, home: Path) -> None:
    """After a right answer only the exercise's hints are left; when the mistake is back, so is what is left on it."""
    for answer in (WRONG, RIGHT):
        write_answer(home, "01_double", answer)
        grade("exercises/01_double", cwd=home)
    assert heading(grade, home, "01_double") == "Hint 1 of 1: on the exercise"
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    assert heading(grade, home, "01_double").startswith("Hint 1 of 3: a question")


def test_without_a_name_it_is_the_exercise_at_hand(grade: Run, home: Path) -> None:
    """In an exercise folder it is that one; elsewhere the one that was attempted last, or the one after it."""
    assert grade("hint", cwd=home / "exercises" / "02_negate").out.startswith("02_negate")
    assert grade("hint", cwd=home).out.startswith("01_double")
    write_answer(home, "02_negate", "def negate(x):\n    return 3 * x\n")
    grade("exercises/02_negate", cwd=home)
    assert grade("hint", cwd=home / "exercises").out.startswith("02_negate")
    write_answer(home, "01_double", RIGHT)
    grade("exercises/01_double", cwd=home)
    assert grade("hint", cwd=home).out.startswith("02_negate")


@pytest.mark.parametrize(
    "name",
    [
        "01_double",
        "1",
        "01",
        "double",
        "exercises/01_double",
        "./exercises/01_double/",
        "exercises/01_double/double.py",
    ],
)
def test_every_way_to_name_the_exercise(grade: Run, home: Path, name: str) -> None:
    """Name, number, topic and path mean the same, and share what is remembered."""
    grade("hint", "01_double", cwd=home)
    assert "Every hint has been shown." in grade("hint", name, cwd=home).out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("03_halve", "There is no exercise 03_halve. The exercises are: 01_double, 02_negate."),
        ("exercises", "exercises holds several exercises. Name one of them, for example: grade hint 01_double"),
        ("exercises/01_duble", "There is no file or folder {home}/exercises/01_duble. The exercises are in {home}/ex"),
    ],
)
def test_a_name_that_means_nothing_is_said(grade: Run, home: Path, name: str, said: str) -> None:
    """An unknown exercise is exit code 2, with what there is."""
    done = grade("hint", name, cwd=home)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(said.format(home=home))


def test_what_cannot_be_remembered_is_shown_all_the_same(grade: Run, home: Path) -> None:
    """In a closed folder the hint is shown, and one line says that it is not recorded."""
    (home / ".manyheads" / "progress.lock").mkdir(parents=True)
    done = grade("hint", "01_double", cwd=home)
    assert done.code == 0
    assert OWN in done.out
    assert done.err.startswith(f"Which hint was shown could not be recorded: {home}/.manyheads/progress.lock: ")


def test_hints_speak_chinese(grade: Run, home: Path) -> None:
    """Every sentence round a hint is Chinese where Chinese is asked for."""
    write_answer(home, "01_double", WRONG)
    grade("exercises/01_double", cwd=home)
    first, second = (grade("hint", "01_double", "--lang", "zh", "--no-pause", cwd=home).out for _ in range(2))
    assert "提示 1 / 3：关于错误“什么都没做：double”的一个问题\n  哪里应该改变？\n\n查看下一条提示：\n" in first
    assert "提示 2 / 3：错误“什么都没做：double”该看哪里\n  看看 return。\n" in second


def test_the_report_names_the_command(grade: Run, home: Path) -> None:
    """The command that a report prints for the stuck can be typed as it stands, and shows the first hint."""
    write_answer(home, "01_double", WRONG)
    out = " ".join(grade("exercises/01_double", cwd=home).out.split())
    words = out.partition("If you are stuck: grade ")[2].partition(" Report:")[0].split()
    assert words[:2] == ["hint", "01_double"]
    assert QUESTION in grade(*words, cwd=home).out
