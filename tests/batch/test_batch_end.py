"""The end of a batch on the screen, from made results: what is said once, in whose words, and where the rest lies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_class import EXERCISE
from made_results import filled, made_report

from grader.cli.batch_doubts import doubt_lines
from grader.cli.batch_screen import Page
from grader.course import Course
from grader.gradebook.batch import Outcome
from grader.gradebook.inputs.collect import Collected
from grader.gradebook.inputs.found import Spool
from grader.gradebook.standings import Standing
from grader.model import Isolation, Language, Message

Shown = Callable[..., str]
SEVERAL: dict[str, str | int] = {
    "student": "ann",
    "exercise": EXERCISE,
    "file": "q4.py",
    "others": "old.py",
    "best": "q4.py",
    "lines": 2,
    "first": "%run",
}


@pytest.fixture
def class_of_50(course: Course, tmp_path: Path) -> list[Standing]:
    """Wrong in a way that no known mistake explains, all of them."""
    book = filled(tmp_path, [made_report(course, f"s{place:02}", [True] * 3 + [False] * 3) for place in range(50)])
    standings = book.standings()
    book.close()
    return standings


@pytest.fixture
def shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Prints the end of a run, and gives it as one line."""

    def print_end(standings: Sequence[Standing], language: Language = "en", **outcome: Any) -> str:
        spool = Spool()
        found = Collected((), {}, (), (), spool)
        Page(language).say_end(Outcome(**outcome), standings, found, tmp_path, names={}, url=False)
        spool.close()
        return " ".join(capsys.readouterr().out.split())

    return print_end


def test_names_with_nothing_to_tell_share_a_line_and_the_rest_is_in_the_class_report(
    class_of_50: list[Standing], shown: Shown
) -> None:
    """A reason that says all is followed by names alone; who has no room there is in the file that lists them."""
    told = shown(class_of_50)
    assert "Wrong, and no known mistake explains it (50) 04_concat: s00, s01, s02," in told
    assert "s39, and 10 more, see index.html" in told


def test_a_mark_of_lateness_that_costs_nothing_is_told_once(class_of_50: list[Standing], shown: Shown) -> None:
    """Without a policy one line says who is late; with one, the names stand under the reason, without a note each."""
    late = [replace(one, marked_late=True) for one in class_of_50[:3]]
    told = shown(late)
    assert "without a late policy (--policy) nothing is taken off: 3 04_concat: s00, s01, s02" in told
    told = shown([replace(one, late_by_unknown=True) for one in late], "zh")
    assert "（如需扣分，请用 --override） (3) 04_concat：s00、s01、s02" in told
    assert "--policy" not in told


@pytest.mark.parametrize(
    ("isolation", "says", "not_said"),
    [
        (Isolation("strong", ("process", "Landlock ABI 7")), "strong. They could read Python", ("Landlock", "doctor")),
        (
            Isolation("strong", ("process",), (("uid", "/root is closed to other users"),)),
            "Not possible on this machine: a user of their own. Details: grade doctor",
            ("/root",),
        ),
        (
            Isolation("weak", (), (("landlock", "x"), ("seccomp", "y"))),
            "use the network. Not possible on this machine: the lock on files (Landlock), the filter of system calls",
            (),
        ),
    ],
    ids=["all there", "one missing", "weak"],
)
def test_isolation_is_told_in_words(shown: Shown, isolation: Isolation, says: str, not_said: tuple[str, ...]) -> None:
    """The level and what it means; layers are named only where they are missing, reasons are those of doctor."""
    told = shown([], isolation=isolation)
    assert says in told
    assert not any(word in told for word in not_said)


@pytest.mark.parametrize("kind", ["by_definition", "several_files", "best_of", "best_found", "magics"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_doubts_of_one_kind_about_one_student_share_a_line(kind: str, language: Language) -> None:
    """Each student is named once, whatever number of files they handed in; another one has a line of their own."""
    one, other = (Message(f"batch.{kind}", {**SEVERAL, "exercise": name, "file": name}) for name in ("01", "02"))
    third = Message(f"batch.{kind}", {**SEVERAL, "student": "bob"})
    merged, alone = doubt_lines([one, third, other], language)
    assert merged.count("ann") == 1
    assert ("01" in merged, "02" in merged) == (True, True)
    assert alone.startswith("bob")
