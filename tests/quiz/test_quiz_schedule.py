"""The schedule: learning days, one answer a day that counts, families, and what becomes of errors."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from operator import eq
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quiz_entries import DAY, agenda, answer, bank

from grader.quiz.agenda import NEW_A_DAY
from grader.quiz.schedule import LONGEST_DAYS, learning_day, recall, standings
from grader.quiz.session import shuffled

BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")
GOLDEN = [2.31, 16.18, 92.43, 410.08]  # days of stability after each of four right answers


BANK = bank("a1", "a2", "b1", "b2")


def test_a_day_turns_over_at_four_where_the_learner_is():
    """03:59 belongs to the day before, 04:00 to the new one, in every zone."""
    for zone in (UTC, BERLIN, TOKYO):
        before = datetime(2026, 5, 5, 3, 59, tzinfo=zone)
        assert learning_day(before, zone) == date(2026, 5, 4)
        assert learning_day(before + timedelta(minutes=1), zone) == date(2026, 5, 5)


def test_a_traveller_loses_no_day():
    """QC01 Answered in Berlin, asked for in Tokyo the next morning: what is due that day is due there from 04:00 on."""
    events = [answer("a1", learning_day(datetime(2026, 3, 1, 20, tzinfo=BERLIN), BERLIN), "wrong")]
    morning = datetime(2026, 3, 2, 4, 30, tzinfo=TOKYO)
    assert agenda(events, BANK, learning_day(morning, TOKYO)).due == ["a1"]


def test_the_night_the_clocks_go_back_is_one_night():
    """QC02 Both 02:30s of that night belong to the same learning day."""
    moments = (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC))
    assert {learning_day(moment, BERLIN) for moment in moments} == {date(2026, 10, 24)}


def test_a_little_earlier_each_evening_is_still_a_new_day():
    """QC08 Answered right on six days 23.5 hours apart, an item becomes more stable each time."""
    events, found = [], []
    for i in range(6):
        moment = datetime(2026, 3, 1, 23, tzinfo=UTC) + i * timedelta(hours=23.5)
        events.append(answer("a1", learning_day(moment, UTC)))
        found.append(standings(events, BANK)["a1"].stability)
    assert found == sorted(set(found))


def test_only_the_first_answer_of_a_day_counts():
    """QC09 QC68 Fifteen answers in one day move the date as far as one does."""
    once = standings([answer("a1", DAY)], BANK)["a1"]
    often = standings([answer("a1", DAY) for _ in range(15)], BANK)["a1"]
    assert often == once
    corrected = [answer("a1", DAY, "wrong"), answer("a1", DAY, mode="retry"), answer("a1", DAY, mode="options")]
    assert standings(corrected, BANK)["a1"].due == DAY + timedelta(days=1)


def test_what_was_taken_back_did_not_happen():
    """An answer that was undone leaves everything as it was before."""
    first, second = answer("a1", DAY), answer("a1", DAY + timedelta(days=2), "wrong")
    undo = replace(answer("a1", DAY), mode="undo", undoes=second.id)
    assert standings([first, second, undo], BANK) == standings([first], BANK)


def test_help_and_guesses_are_worth_less():
    """A hint counts as not known, a lucky guess brings the item back no later than a sure answer."""
    due = {
        key: standings([answer("a1", DAY, **how)], BANK)["a1"].due
        for key, how in {"hint": {"hint": 1}, "guess": {"confidence": 1}, "sure": {"confidence": 3}}.items()
    }
    assert due["hint"] == DAY + timedelta(days=1)
    assert due["guess"] <= due["sure"]


def test_a_confident_error_is_seen_twice_within_a_week():
    """After a confident error an item comes tomorrow, and once more within seven days, however well it was known."""
    events = [answer("a1", DAY + timedelta(days=i)) for i in (0, 3, 14)]
    error = DAY + timedelta(days=60)
    events.append(answer("a1", error, "wrong", confidence=3))
    assert standings(events, BANK)["a1"].due == error + timedelta(days=1)
    events.append(answer("a1", error + timedelta(days=1)))
    assert standings(events, BANK)["a1"].due <= error + timedelta(days=7)


def test_of_a_family_one_a_day():
    """QC16 Siblings are not asked on one day, not even where another one was answered already."""
    family = bank("a1/x", "a2/x", "b1")
    events = [answer(item, DAY, "wrong") for item in ("a1", "a2", "b1")]
    tomorrow = DAY + timedelta(days=1)
    assert sorted(agenda(events, family, tomorrow).due) in (["a1", "b1"], ["a2", "b1"])
    events.append(answer("a1", tomorrow))
    assert agenda(events, family, tomorrow).due == ["b1"]


def test_neighbours_differ_in_topic():
    """Where it can be, two questions of one topic do not follow each other."""
    events = [answer(item, DAY, "wrong") for item in ("a1", "a2", "b1", "b2")]
    order = agenda(events, BANK, DAY + timedelta(days=1)).due
    assert [item[0] for item in order] in (["a", "b", "a", "b"], ["b", "a", "b", "a"])


def test_new_questions_begin_slowly():
    """At most six new ones a day, in the order of the lessons."""
    many = bank(*(f"i{n:02}" for n in range(20)))
    assert agenda([], many, DAY).new() == [f"i{n:02}" for n in range(NEW_A_DAY)]
    begun = [answer(f"i{n:02}", DAY) for n in range(4)]
    assert agenda(begun, many, DAY).new() == ["i04", "i05"]


def test_a_topic_has_new_questions_of_its_own():
    """Asked for a later topic, its first questions begin; the limit of the day holds all the same."""
    many = bank(*(f"a{n:02}" for n in range(20)), *(f"b{n:02}" for n in range(20)))
    assert agenda([], many, DAY).new(topic="b") == [f"b{n:02}" for n in range(NEW_A_DAY)]
    begun = [answer(f"a{n:02}", DAY) for n in range(5)]
    assert agenda(begun, many, DAY).new(topic="b") == ["b00"]


def test_the_key_has_no_favourite_place():
    """QC55 Over thousands of times the right option stands in each place equally often, and two items do not agree."""
    places = [shuffled(4, "a", count, DAY).index(0) for count in range(8000)]
    others = [shuffled(4, "b", count, DAY).index(0) for count in range(8000)]
    assert all(abs(places.count(place) - 2000) < 160 for place in range(4))  # four standard deviations
    assert abs(sum(map(eq, places, others)) - 2000) < 160


def test_a_new_version_begins_anew():
    """What was answered under an older version does not schedule the new one."""
    assert standings([answer("a1", DAY, version=7)], BANK) == {}


def test_a_question_that_is_gone_is_not_asked():
    """An item that left the bank stays in the log and nowhere else."""
    assert standings([answer("gone", DAY)], BANK) == {}


@given(st.lists(st.tuples(st.integers(0, 900), st.sampled_from(["right", "wrong"]), st.integers(1, 3)), max_size=20))
@settings(deadline=None)
def test_a_clock_may_jump(answers):
    """Whatever days the clock shows, a date lies after the answer and never further than the longest interval."""
    events = [answer("a1", DAY + timedelta(days=day), outcome, confidence=sure) for day, outcome, sure in answers]
    for i in range(1, len(events) + 1):
        standing = standings(events[:i], BANK)["a1"]
        assert standing.last < standing.due <= standing.last + timedelta(days=LONGEST_DAYS)
        assert 0 <= recall(standing, DAY) <= 1


@pytest.mark.parametrize("days", [60, 400])
def test_a_long_absence_ends_well(days):
    """QC13 Answered right long after its date, an item gets a later date, never beyond the longest interval."""
    events = [answer("a1", DAY), answer("a1", DAY + timedelta(days=2))]
    back = DAY + timedelta(days=days)
    standing = standings([*events, answer("a1", back)], BANK)["a1"]
    assert back < standing.due <= back + timedelta(days=LONGEST_DAYS)


def test_the_first_dates_are_those_of_fsrs():
    """Answered right each time, intervals grow as the library has them; a row of stabilities guards against another."""
    events, days, stable = [], [DAY], []
    for _ in range(4):
        events.append(answer("a1", days[-1]))
        standing = standings(events, BANK)["a1"]
        days.append(standing.due)
        stable.append(round(standing.stability, 2))
    intervals = [(b - a).days for a, b in pairwise(days)]
    assert intervals == sorted(set(intervals))
    assert stable == GOLDEN
    assert standings([answer("a1", DAY, "wrong")], BANK)["a1"].due == DAY + timedelta(days=1)
