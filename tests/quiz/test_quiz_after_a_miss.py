"""After a miss: options that are answers themselves, how often a question returns, and what was right of it."""

import re
from datetime import date

import pytest
from quiz_course import ROOT, Learner

from grader.model import Message
from grader.quiz.answers import mark
from grader.quiz.folding import UnreadableError
from grader.quiz.lock import read_lock
from grader.quiz.offered import read_offered
from grader.quiz.returns import returns_told
from grader.quiz.session import Turn, arranged
from grader.report.visible import tell

BANK = read_lock(ROOT)
DAY = date(2026, 3, 1)


def offered(kind):
    """A question of this type, its options in the order of the bank but the right one last."""
    item = next(item for item in BANK.items.values() if item.kind == kind)
    return Turn(item, item.variants[0], "scheduled", (*range(1, len(item.wrong) + 1), 0))


def test_an_option_that_says_a_number_is_picked_by_that_number():
    """Where options are numbers, a number is what an option says, and never its place."""
    turn = offered("number")
    for place, text in enumerate(turn.texts("en")):
        assert read_offered(turn, text) == place
        assert read_offered(turn, "abcdefgh"[place]) == place
        assert read_offered(turn, f"Option {'ABCDEFGH'[place]}") == place
    with pytest.raises(UnreadableError) as found:
        read_offered(turn, "123456789")
    assert "letter" in tell(found.value.message, "en")


@pytest.mark.parametrize("kind", ["shape", "formula", "vector", "cloze", "code"])
def test_an_option_is_picked_by_its_letter_or_its_text(kind):
    """Whatever an option says can be typed as it stands there."""
    turn = offered(kind)
    for place, text in enumerate(turn.texts("en")):
        assert read_offered(turn, text) == place
        assert read_offered(turn, f"{'abcdefgh'[place]})") == place


def test_a_place_counts_where_no_option_is_a_number():
    """Numbers of lines of code are places, as they are where options are all there is."""
    turn = offered("code")
    assert [read_offered(turn, text) for text in ("1", "the first one")] == [0, 0]


@pytest.fixture
def missed(tmp_path):
    """What is said where one question is missed again and again."""
    run = Learner(tmp_path / "data").quiz(
        "--topic", "splitting", "--new", "1", "--now", "2026-03-01T20:00", answers="?\n?\n99999\n\n" + "99999\n" * 9
    )
    assert run.code == 0, run.err
    return " ".join(run.out.split())


def test_a_missed_question_returns_three_times_and_says_so(missed):
    """A question is asked four times on a day at most; each time it is told how often it may still come."""
    assert missed.count("Not this one.") == 4
    told = [" ".join(tell(returns_told(left), "en").split()) for left in (3, 2, 1, 0)]
    places = [missed.index(each) for each in told]
    assert places == sorted(places)
    assert "Next time: 2026-03-02" in missed


def test_a_hint_says_once_what_it_costs(missed):
    """The first hint says that the question comes sooner, the second that there is no other one."""
    assert missed.count(tell(Message("quiz.hint_costs"), "en")) == 1
    assert missed.count(tell(Message("quiz.hint_all"), "en")) == 1


def test_an_order_says_where_it_goes_wrong():
    """The first place is named at which no right order goes on as the learner's does."""
    item = next(item for item in BANK.items.values() if item.kind == "order")
    variant = item.variants[0]
    turn = Turn(item, variant, "scheduled", arranged(item, variant, 0, DAY))
    steps = [str(turn.options.index(step) + 1) for step in variant.orders[0]]
    steps[-1], steps[-2] = steps[-2], steps[-1]
    marked = mark(turn.asked(), " ".join(steps))
    assert marked.message is not None
    assert re.search(r"\d+", tell(marked.message, "en")).group() == str(len(steps) - 1)


def test_what_was_skipped_is_left_for_another_time(tmp_path):
    """At the end skipped questions count among those that are left, even where all of them were skipped."""
    run = Learner(tmp_path / "data").quiz(
        "--topic", "splitting", "--new", "2", "--now", "2026-03-01T20:00", answers="s\ns\n"
    )
    assert "left for another time: 2" in run.out
