"""What is asked on a day: exam plans, pauses, backlogs, families, failures, and what a mistake in code calls."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card, Scheduler, State
from quiz_course import ROOT
from quiz_entries import DAY, agenda, answer, bank, entry

from grader.quiz.agenda import EXAM_LONGEST_DAYS, MOST_A_DAY, NEW_A_DAY, SWEEP_DAYS
from grader.quiz.lock import read_lock
from grader.quiz.log import Log
from grader.quiz.notices import notices
from grader.quiz.schedule import HELP_DAYS, MOST_FAILURES, recall, standings
from grader.quiz.session import Session


def after(days):
    """So many days after the first."""
    return DAY + timedelta(days=days)


def plan(exam, day=DAY, topic=""):
    """An exam plan of that day; None ends it."""
    return entry("plan", day, item=topic, raw=exam.isoformat() if exam else "")


MANY = bank(*(f"a{n:02}" for n in range(40)))


# --- days ----------------------------------------------------------------------------------------------------------


def test_what_is_due_is_due_from_the_first_minute_of_its_day():
    """QC07 Ten items answered in the evening are all due at the same date, whatever the hour, not a few at a time."""
    events = [answer(f"a{n:02}", DAY, "wrong") for n in range(10)]
    assert len(agenda(events, MANY, after(1)).due) == 10
    assert agenda(events, MANY, DAY).due == []


def test_recall_is_that_of_the_library():
    """The chance to remember, computed without the library for a prompt's sake, is the library's own."""
    of = bank("a1")
    events = [answer("a1", DAY), answer("a1", after(3), "wrong"), answer("a1", after(4))]
    standing = standings(events, of)["a1"]
    noon = datetime(2026, 3, 5, 12, tzinfo=UTC)
    card = Card(0, State.Review, None, standing.stability, standing.difficulty, noon, noon)
    for days in (0, 1, 10, 400):
        wanted = Scheduler().get_card_retrievability(card, noon + timedelta(days=days))
        assert recall(standing, after(4 + days)) == pytest.approx(wanted)


def test_a_slow_answer_is_worth_less_than_a_quick_one():
    """Right after far more than the learner's usual time for that type, an item comes back sooner."""
    of = bank("a1", *(f"b{n}" for n in range(9)))
    usual = [answer(f"b{n}", DAY, ms=8000) for n in range(9)]
    dates = [agenda([*usual, answer("a1", DAY, ms=ms)], of, DAY).when("a1") for ms in (9_000, 60_000)]
    assert dates[1] < dates[0]


# --- families ------------------------------------------------------------------------------------------------------


def test_no_two_of_a_family_on_one_day():
    """QC16 Of three siblings that are due, one is asked today, another tomorrow, the last the day after."""
    of = bank("a1/x", "a2/x", "a3/x")
    events = [answer(item, DAY, "wrong") for item in ("a1", "a2", "a3")]
    asked = []
    for days in (1, 2, 3):
        (item,) = agenda(events, of, after(days)).due
        events.append(answer(item, after(days)))
        asked.append(item)
        assert agenda(events, of, after(days)).due == []
    assert sorted(asked) == ["a1", "a2", "a3"]
    assert agenda([answer("a1", DAY)], of, DAY).new() == []


# --- exams ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcomes", [["right"], ["right", "wrong", "right"]])
def test_before_an_exam_everything_is_seen_once_more(outcomes):
    """QC14 With an exam in forty days every question has a date in the last five days before it, and none after."""
    exam, events = after(40), [plan(after(40))]
    seen: dict[str, date] = {}
    for days in range(41):
        events += [entry("help", after(days), item=item) for item in agenda(events, MANY, after(days)).held]
        today = agenda(events, MANY, after(days))
        for item in [*today.due, *today.new(today.due)]:
            outcome = outcomes[len(events) % len(outcomes)]
            events.append(answer(item, after(days), outcome))
            seen[item] = after(days)
            date_next = agenda(events, MANY, after(days)).when(item)
            assert date_next is None or date_next < exam
    assert len(seen) == 40
    assert all(exam - timedelta(days=SWEEP_DAYS) <= last < exam for last in seen.values())
    over = agenda(events, MANY, exam)
    assert (over.due, over.new()) == ([], [])


def test_siblings_are_swept_on_different_days():
    """Before an exam each of five siblings, wherever they stand in the bank, has a day of its own."""
    of = bank("a0/x", "a1", "a2", "a3", "a4", "a5/x", "a6/x", "a7", "b0/x", "b1", "b2/x")
    siblings = [item["id"] for item in of.records if item["family"] == "x"]
    events = [plan(after(12))] + [answer(item, after(-n)) for n, item in enumerate(siblings)]
    swept = []
    for days in range(13):
        today = agenda(events, of, after(days))
        for item in today.due:
            events.append(answer(item, after(days)))
            swept += [item] if days >= 7 else []
    assert sorted(swept) == siblings


def test_late_success_is_rewarded_up_to_the_cap():
    """QC13 Right after sixty days, an item comes again within the cap of an exam plan, and before the exam."""
    events = [plan(after(120)), answer("a00", DAY), answer("a00", after(2)), answer("a00", after(62))]
    assert after(62) < agenda(events, MANY, after(62)).when("a00") <= after(62 + EXAM_LONGEST_DAYS)


def test_a_plan_for_one_topic_leaves_the_others_alone():
    """QC15 An exam about one topic moves no date of another, and ended, none at all."""
    of = bank("a1", "a2", "b1", "b2")
    events = [answer(item, DAY) for item in ("a1", "a2", "b1", "b2")] + [answer("b1", after(2)), answer("a1", after(2))]
    before = agenda(events, of, after(3))
    planned = agenda([*events, plan(after(8), after(3), "a")], of, after(3))
    assert [planned.when(item) for item in ("b1", "b2")] == [before.when(item) for item in ("b1", "b2")]
    assert planned.when("a1") < before.when("a1")
    ended = agenda([*events, plan(after(8), after(3), "a"), plan(None, after(3), "a")], of, after(3))
    assert [ended.when(item) for item in ("a1", "a2")] == [before.when(item) for item in ("a1", "a2")]


def test_a_near_exam_brings_more_new_questions():
    """Where six a day would not show everything in time, more begin; those of the exam before others."""
    of = bank(*(f"a{n}" for n in range(5)), *(f"b{n:02}" for n in range(40)))
    planned = agenda([plan(after(9), topic="b")], of, DAY)
    assert planned.pace == 10  # forty in the four days before the last five
    assert {item[0] for item in planned.new()} == {"b"}
    assert len(planned.new()) == 10
    assert agenda([], of, DAY).pace == NEW_A_DAY


def test_a_session_keeps_room_for_what_an_exam_needs():
    """However much is due, as many new questions come as have to begin on that day; else what is due comes first."""
    real = read_lock(ROOT)
    items = [record["id"] for record in real.records]
    log = Log(Path(":memory:"))
    log.absorb([answer(item, DAY, "wrong") for item in items[:30]])
    moment = datetime(2026, 3, 2, 20, tzinfo=UTC)

    def fresh():
        asked = Session(real, log, lambda: moment, UTC, limit=10)
        return sum(name not in items[:30] for name, _ in asked._queue)

    assert fresh() == 0
    log.absorb([plan(after(16))])
    assert fresh() == agenda(log.events(), real, after(1)).must_begin == -(-(len(items) - 30) // 10)


# --- time off ------------------------------------------------------------------------------------------------------


def test_a_pause_moves_every_date_by_its_length():
    """QC12 After a pause of twenty days each item is as far from its date as it was, so nothing has piled up."""
    events = [answer(f"a{n:02}", after(n % 3)) for n in range(12)]
    before = agenda(events, MANY, after(3))
    left = {item: (before.when(item) - after(3)).days for item in before.known}
    events += [entry("pause", after(3)), entry("resume", after(23))]
    resumed = agenda(events, MANY, after(23))
    moved = {item: (resumed.when(item) - after(23)).days for item in resumed.known}
    assert {item: days for item, days in moved.items() if left[item] >= 0} == {
        item: days for item, days in left.items() if days >= 0
    }
    assert len(resumed.due) == len(before.due)


def test_nothing_is_asked_during_a_pause():
    """QC12 Paused, nothing is due and nothing begins; a second pause or a second end changes nothing."""
    events = [answer("a00", DAY, "wrong"), entry("resume", DAY), entry("pause", after(1)), entry("pause", after(2))]
    paused = agenda(events, MANY, after(9))
    assert (paused.due, paused.new(), paused.waiting, paused.paused) == ([], [], 0, after(1))


def test_a_backlog_is_spread_over_days():
    """QC12 Back after a month that was not announced, no day asks more than its share, and the end is foreseen."""
    events = [answer(f"a{n:02}", DAY, "wrong") for n in range(38)]
    back = agenda(events, MANY, after(30))
    assert (len(back.due), back.waiting, back.caught_up) == (MOST_A_DAY, 18, after(31))
    assert back.new(back.due) == []  # nothing begins while a backlog waits
    events += [answer(item, after(30)) for item in back.due[:5]]
    later = agenda(events, MANY, after(30))
    assert len(later.due) == MOST_A_DAY - 5
    events += [answer(item, after(30)) for item in later.due]
    assert agenda(events, MANY, after(30)).due == []
    assert len(agenda(events, MANY, after(31)).due) >= 18


def test_what_is_least_remembered_comes_first():
    """Of a backlog, the day's share is what is most likely forgotten."""
    known_well = [answer("a00", after(-90)), answer("a00", after(-60)), answer("a00", after(-1))]
    events = [*known_well, answer("a01", after(-1), "wrong")]
    back = agenda(events, MANY, after(300))
    assert back.due == ["a01", "a00"]


# --- failures ------------------------------------------------------------------------------------------------------


def test_what_fails_again_and_again_is_explained_before_it_is_asked():
    """QC20 After four failures on different days an item is held; once its help was shown it comes again, in days."""
    events = [answer("a00", after(days), "wrong") for days in range(MOST_FAILURES)]
    held = agenda(events, MANY, after(MOST_FAILURES))
    assert (held.held, held.due) == (["a00"], [])
    events.append(entry("help", after(MOST_FAILURES), item="a00"))
    helped = agenda(events, MANY, after(MOST_FAILURES))
    assert (helped.held, helped.when("a00")) == ([], after(MOST_FAILURES + HELP_DAYS))
    assert agenda(events, MANY, after(MOST_FAILURES + HELP_DAYS)).due == ["a00"]


def test_retries_of_a_day_are_one_failure():
    """QC20 Four wrong answers on one day are one failure, not four."""
    events = [answer("a00", DAY, "wrong", mode=mode) for mode in ("scheduled", "retry", "retry", "retry", "scheduled")]
    assert agenda(events, MANY, after(1)).held == []


@pytest.mark.parametrize("then", [["right"], ["wrong", "right"]])
def test_a_confident_error_comes_twice_within_a_week(then):
    """After being sure and wrong, an item comes tomorrow and is right a second time within seven days."""
    known = [answer("a00", after(days)) for days in (0, 2, 13)]
    events = [*known, answer("a00", after(60), "wrong", confidence=3)]
    for outcome in then:
        day = agenda(events, MANY, after(60)).when("a00")
        events.append(answer("a00", day, outcome, confidence=2))
    assert agenda(events, MANY, after(60)).when("a00") <= after(67)


# --- practice ahead ------------------------------------------------------------------------------------------------


def test_practice_ahead_never_moves_a_date_back():
    """QC10 Three right answers ahead of the date leave it where it was; a failure brings it to tomorrow."""
    events = [answer("a00", DAY), answer("a00", after(2))]
    date_before = agenda(events, MANY, after(3)).when("a00")
    assert agenda(events, MANY, after(3)).ahead == ["a00"]
    ahead = [answer("a00", after(3), mode="ahead") for _ in range(3)]
    assert agenda([*events, *ahead], MANY, after(3)).when("a00") == date_before
    failed = answer("a00", after(4), "wrong", mode="ahead")
    assert agenda([*events, *ahead, failed], MANY, after(4)).when("a00") == after(5) < date_before


# --- forgotten, marked anew ----------------------------------------------------------------------------------------


def test_what_is_forgotten_begins_anew():
    """QC23 A question that was forgotten on request is new again, and what comes after that counts."""
    events = [answer("a00", DAY), answer("a00", after(2)), entry("forget", after(3), item="a00")]
    assert agenda(events, MANY, after(3)).known == {}
    assert agenda(events, MANY, after(3)).new()[0] == "a00"
    assert agenda([*events, answer("a00", after(3))], MANY, after(3)).known["a00"].asked == 1


def test_an_answer_that_was_marked_anew_counts_as_it_is_marked_now():
    """QC70 A later marking replaces the verdict for the schedule; taken back, the answer is gone with it."""
    wrong = answer("a00", DAY, "wrong")
    anew = entry("remark", after(1), item="a00", undoes=wrong.id, outcome="right")
    right = replace(wrong, outcome="right")
    assert standings([wrong, anew], MANY) == standings([right], MANY)
    assert standings([wrong, anew, entry("undo", after(1), undoes=wrong.id)], MANY) == {}


# --- from code to quiz ---------------------------------------------------------------------------------------------

SLUGS = {"a1": ["merged"], "a2": ["other"], "b1": ["merged", "other"]}
ABOUT = bank("a1", "a2", "b1", "b2", mistakes=SLUGS)


def test_a_mistake_in_code_makes_its_questions_due():
    """A mistake that graded code showed makes the questions that know it due, whether they were asked before or not."""
    events = [answer("b1", DAY), answer("b2", DAY), entry("code", after(1), item="a_x", mistake="merged")]
    called = agenda(events, ABOUT, after(1))
    assert sorted(called.due) == ["a1", "b1"]
    events += [answer("a1", after(1)), answer("b1", after(1))]
    assert agenda(events, ABOUT, after(1)).due == []
    assert agenda(events, ABOUT, after(2)).due == []


def test_what_was_asked_today_is_called_for_tomorrow():
    """One scheduled answer a day: a mistake seen after it makes the question due on the next day."""
    events = [answer("a1", DAY), replace(entry("code", DAY, item="a_x", mistake="merged"), answered="2026-03-01T22:00")]
    assert agenda(events, ABOUT, DAY).due == ["b1"]
    assert sorted(agenda(events, ABOUT, after(1)).due) == ["a1", "b1"]


def test_what_code_calls_is_told():
    """What would not be due but for a mistake in code is told apart, and a notice says why it is asked."""
    events = [answer("b1", DAY), answer("b2", DAY), entry("code", after(1), item="a_x", mistake="merged")]
    found = agenda(events, ABOUT, after(1))
    assert set(found.called) <= set(found.due)
    assert [message.key for message in notices(found)] == ["schedule.called"]
    assert notices(agenda(events[:2], ABOUT, after(1))) == []


def test_code_calls_no_more_new_questions_than_a_day_may_begin():
    """Many mistakes at once do not begin a flood: what was never asked begins at the usual pace."""
    of = bank(*(f"a{n:02}" for n in range(30)), mistakes={f"a{n:02}": [f"m{n // 3}"] for n in range(30)})
    events = [entry("code", DAY, item="a_x", mistake=f"m{n}") for n in range(10)]
    today = agenda(events, of, DAY)
    assert (len(today.due), today.new(today.due)) == (NEW_A_DAY, [])


def test_a_slug_that_no_question_knows_calls_none():
    """A mistake without questions, or of another course, changes nothing."""
    assert agenda([entry("code", DAY, item="zz", mistake="unheard-of")], ABOUT, DAY).due == []
