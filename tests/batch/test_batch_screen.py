"""The line that says how far a batch is."""

import io
from collections.abc import Callable

import pytest

from grader.cli import batch_progress
from grader.cli.batch_progress import Counter
from grader.cli.screen import Screen
from grader.model import LANGUAGES, Language


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the clock that the line reads."""
    now = [1000.0]

    class Time:
        monotonic = staticmethod(lambda: now[0])

    monkeypatch.setattr(batch_progress, "time", Time)

    def move(seconds: float) -> None:
        now[0] += seconds

    return move


def counted(clock: Callable[[float], None], language: Language, screen: Screen) -> None:
    """Ten quick ones are done, and one of the slow ones that follow."""
    counter = Counter(screen, language)
    to_do = {"04_concat": 20, "09_scaled_dot_product": 10, "10_batch_first": 10}
    counter.planned(to_do=to_do, before=0, pages=0)
    for exercise, seconds, count in (
        ("04_concat", 2.0, 10),
        ("09_scaled_dot_product", 30.0, 5),
        ("10_batch_first", 20, 4),
    ):
        counter.begin(exercise)
        for _ in range(count):
            clock(seconds)
            counter.advance(exercise)
    counter.stop()


def test_the_time_left_is_that_of_the_exercise(clock: Callable[[float], None]) -> None:
    """What numpy took says nothing of torch: the rate begins anew with each exercise, and others are said to follow.

    What is slower than one a second is counted by the minute.
    """
    out = io.StringIO()
    counted(clock, "en", Screen(file=out, width=80, force_terminal=False))
    lines = out.getvalue().splitlines()
    assert lines[1] == "10 of 40, 30 a minute, 0:20 for this exercise, 2 more to follow"
    assert "15 of 40, 2 a minute, 2:30 for this exercise, 1 more to follow" in lines
    assert "12 of 40, starting" in lines
    assert lines[-1] == "19 of 40, 3 a minute, 2:00 left"


def test_what_was_missing_of_the_exercise_before_is_counted_and_not_timed(clock: Callable[[float], None]) -> None:
    """A slow submission is graded beside the next exercise, whose rate and time left it does not touch."""
    out = io.StringIO()
    counter = Counter(Screen(file=out, width=80, force_terminal=False), "en")
    counter.planned(to_do={"04_concat": 1, "05_output_projection": 10}, before=0, pages=0)
    counter.begin("04_concat")
    counter.begin("05_output_projection")
    for exercise in (*["05_output_projection"] * 4, "04_concat"):
        clock(10.0)
        counter.advance(exercise)
    assert out.getvalue().splitlines()[-2:] == ["4 of 11, 6 a minute, 1:00 left", "5 of 11, 4.5 a minute, 1:20 left"]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.5, {"en": "2.0 a second", "zh": "每秒 2.0 份"}),
        (15.0, {"en": "4 a minute", "zh": "每分钟 4 份"}),
        (150.0, {"en": "0.4 a minute", "zh": "每分钟 0.4 份"}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rate_is_told_as_zero(
    clock: Callable[[float], None], language: Language, seconds: float, told: dict[Language, str]
) -> None:
    """One a second or more is told by the second, what is slower by the minute."""
    out = io.StringIO()
    counter = Counter(Screen(file=out, width=80, force_terminal=False), language)
    counter.planned(to_do={"04_concat": 100}, before=0, pages=0)
    counter.begin("04_concat")
    for _ in range(25):
        clock(seconds)
        counter.advance("04_concat")
    assert told[language] in out.getvalue().splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bar_fits_a_terminal_of_80_columns(clock: Callable[[float], None], language: Language) -> None:
    """Bar, counts, rate and time left stand on one line in both languages, uncut."""
    out = io.StringIO()
    screen = Screen(file=out, width=80, force_terminal=True)
    counter = Counter(screen, language)
    counter.planned(to_do={"04_concat": 9000, "09_scaled_dot_product": 3000}, before=0, pages=0)
    counter.begin("04_concat")
    for _ in range(9):
        clock(0.1)
        counter.advance("04_concat")
    counter.stop()
    assert "…" not in out.getvalue()
    assert ("14:59 for this exercise, 1 more to follow" if language == "en" else "后面还有 1 个") in out.getvalue()
