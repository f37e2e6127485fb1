"""The line that says how far a batch is."""

import io
import re
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


@pytest.fixture
def out() -> io.StringIO:
    """What a log of the run shows."""
    return io.StringIO()


@pytest.fixture
def counter(out: io.StringIO) -> Counter:
    """The line of a run whose output is no terminal."""
    return Counter(Screen(file=out, width=80, force_terminal=False), "en")


def commit(counter: Counter, clock: Callable[[float], None], exercise: str, seconds: float, count: int) -> None:
    """So many are graded, one after the other."""
    for _ in range(count):
        clock(seconds)
        counter.advance(exercise)


def test_the_time_left_is_that_of_the_whole_run(
    counter: Counter, clock: Callable[[float], None], out: io.StringIO
) -> None:
    """From the twentieth result on, it is what the rest of the run takes at the pace of the last ones."""
    counter.planned(to_do={"04_concat": 100, "08_batched_heads": 100}, before=0, pages=0)
    counter.begin("04_concat")
    commit(counter, clock, "04_concat", 2.0, 100)
    counter.begin("08_batched_heads")
    commit(counter, clock, "08_batched_heads", 30.0, 60)
    lines = out.getvalue().splitlines()
    assert lines[0] == "5 of 200, time left not known yet"
    assert lines[3] == "20 of 200, 30 a minute, about 6 min left"
    assert "95 of 200, 30 a minute, about 4 min left" in lines  # 3.5 min are near enough to what was told before
    assert lines[-1] == "160 of 200, 2 a minute, about 20 min left"


def test_results_that_come_in_heaps_spoil_no_pace(
    counter: Counter, clock: Callable[[float], None], out: io.StringIO
) -> None:
    """A cluster hands over a whole share at once; its pace is taken over a minute, not over the last few results."""
    counter.planned(to_do={"04_concat": 1000}, before=0, pages=0)
    counter.begin("04_concat")
    for _ in range(9):
        clock(20.0)
        counter.tick()
        commit(counter, clock, "04_concat", 0.0, 100)
    lines = out.getvalue().splitlines()
    assert (lines[3], lines[-1]) == (
        "300 of 1000, 220 a minute, about 3 min left",
        "800 of 1000, 240 a minute, about 1 min left",
    )


def test_what_is_prepared_is_told_where_nothing_else_goes_on(
    counter: Counter, clock: Callable[[float], None], out: io.StringIO
) -> None:
    """The exercise is named until it has a result, unless some of another one are still on their way."""
    counter.planned(to_do={"04_concat": 30, "08_batched_heads": 30}, before=0, pages=0)
    counter.begin("04_concat")
    clock(10.0)
    counter.tick()
    commit(counter, clock, "04_concat", 1.0, 29)
    counter.begin("08_batched_heads")
    clock(10.0)
    counter.tick()
    commit(counter, clock, "04_concat", 10.0, 1)
    lines = out.getvalue().splitlines()
    assert lines[0] == "0 of 60, preparing 04_concat"
    assert lines[-2].startswith("29 of 60, 36 a minute,")
    assert lines[-1] == "30 of 60, preparing 08_batched_heads"


def test_the_last_ones_are_counted_and_not_timed(
    counter: Counter, clock: Callable[[float], None], out: io.StringIO
) -> None:
    """While something is graded nobody reads that no time is left; what is given up is waited for no longer."""
    counter.planned(to_do={"04_concat": 30, "05_output_projection": 20}, before=0, pages=0)
    for exercise in ("04_concat", "05_output_projection"):
        counter.begin(exercise)
        commit(counter, clock, exercise, 0.1, 1)
    counter.give_up("05_output_projection")
    commit(counter, clock, "04_concat", 0.1, 27)
    clock(100.0)
    counter.tick()
    commit(counter, clock, "05_output_projection", 10.0, 1)  # was on its way
    assert out.getvalue().splitlines() == ["29 of 31, waiting for 2 more", "30 of 32, waiting for 2 more"]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.01, {"en": "6000 a minute, less than 1 min left", "zh": "每分钟 6000 份，还需不到 1 分钟"}),
        (15.0, {"en": "4 a minute, about 4 h left", "zh": "每分钟 4 份，还需约 4 小时"}),
        (1000.0, {"en": "0.06 a minute, about 270.5 h left", "zh": "每分钟 0.06 份，还需约 270.5 小时"}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rate_is_told_as_zero(
    clock: Callable[[float], None], out: io.StringIO, language: Language, seconds: float, told: dict[Language, str]
) -> None:
    """The rate is that of a minute, in two digits, however slow it is."""
    counter = Counter(Screen(file=out, width=80, force_terminal=False), language)
    counter.planned(to_do={"04_concat": 1000}, before=0, pages=0)
    counter.begin("04_concat")
    commit(counter, clock, "04_concat", seconds, 26)
    counter._show(batch_progress.time.monotonic())
    assert told[language] in out.getvalue().splitlines()[-1]


@pytest.mark.parametrize("width", [50, 80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bar_fits_the_terminal(
    clock: Callable[[float], None], out: io.StringIO, language: Language, width: int
) -> None:
    """Bar, counts, rate and time left fill one line, uncut; a wide terminal has a long bar."""
    counter = Counter(Screen(file=out, width=width, force_terminal=True), language)
    counter.planned(to_do={"04_concat": 1500}, before=0, pages=0)
    counter.begin("04_concat")
    commit(counter, clock, "04_concat", 0.1, 30)
    counter.stop()
    told = {"en": "30/1500 600 a minute, about 2 min left", "zh": "30/1500 每分钟 600 份，还需约 2 分钟"}
    last = re.sub("\x1b\\[[^a-zA-Z]*[a-zA-Z]", "", out.getvalue()).split("\r")[-2].rstrip()
    assert last.endswith(told[language])
    assert last.count("━") >= max(5, width - 12 - batch_progress.PACE_CELLS)
