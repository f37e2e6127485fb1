"""The log as JSON lines: nothing is lost on the way, merging is a union, and what is no log adds nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quiz_entries import DAY, agenda, answer, bank, entry

from grader.errors import UsageError
from grader.quiz.log import Log
from grader.quiz.state import outlines, state_of
from grader.quiz.transfer import FORMAT, read, written

BANK = bank("a1", "a2", "b1")
# what two machines may have written since they parted, each entry with an id of its own
ENTRIES = [
    replace(event, id=f"01{number:024}")
    for number, event in enumerate(
        entry(
            mode, DAY, item=item, version=1, outcome=outcome, variant="v", raw="2027-01-15" if mode == "plan" else "é"
        )
        for mode in ("scheduled", "retry", "ahead", "forget", "pause", "resume", "plan", "help")
        for item in ("a1", "b1")
        for outcome in ("right", "wrong")
    )
]
ENTRIES += [replace(entry("undo", DAY, undoes=event.id), id=f"02{i:024}") for i, event in enumerate(ENTRIES[:6])]
LOGS = st.lists(st.sampled_from(ENTRIES), max_size=12, unique=True)


def merged(*logs):
    """The entries of a log that took in these, one after the other."""
    log = Log(Path(":memory:"))
    for events in logs:
        log.absorb(events)
    return log.events()


@given(LOGS, LOGS, LOGS)
@settings(deadline=None, max_examples=60)
def test_merging_is_a_union(a, b, c):
    """QC25 Whichever log takes in which, in any order and however often, the entries and the schedule are the same."""
    together = merged(a, b, c)
    assert together == merged(c, b, a) == merged(a, merged(b, c)) == merged(merged(a, b), c) == merged(a, b, c, b, a)
    assert {event.id for event in together} == {event.id for event in [*a, *b, *c]}
    assert state_of(together, BANK) == state_of(merged(b, a, c), BANK)


@given(LOGS)
@settings(deadline=None)
def test_nothing_is_lost_on_the_way(events):
    """What was written is read back exactly, with every sign of every answer."""
    assert read(written(events).splitlines(), "a.jsonl") == events


def test_a_failure_on_another_machine_is_counted_after_the_merge():
    """QC26 Failed on one copy and answered right on the other later, an item has both in its standing."""
    failed, later = answer("a1", DAY, "wrong"), answer("a1", DAY.replace(day=5))
    (standing,) = agenda(merged([later], [failed]), BANK, DAY).known.values()
    assert (standing.asked, standing.lapses, standing.last) == (2, 1, DAY.replace(day=5))


def test_an_entry_that_was_altered_adds_nothing():
    """Where a file gives a known entry another content, the whole file is refused, and the log stays as it was."""
    log = Log(Path(":memory:"))
    log.absorb(ENTRIES[:2])
    with pytest.raises(UsageError, match="log_altered"):
        log.absorb([ENTRIES[5], replace(ENTRIES[0], outcome="right" if ENTRIES[0].outcome == "wrong" else "wrong")])
    assert log.events() == ENTRIES[:2]


WHOLE = written(ENTRIES[:2]).splitlines()
PLAIN = json.loads(WHOLE[1])


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([], 1),
        (["{}"], 1),
        (["[]"], 1),
        ([WHOLE[1]], 1),
        ([*WHOLE, WHOLE[1][:-5]], 4),
        ([WHOLE[0], json.dumps({**PLAIN, "more": 1})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "id": "../../etc"})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "day": "tomorrow"})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "answered": "2026-01-01T09:00"})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "ms": "9"})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "ms": 2**70})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "hint": True})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "mode": "plan", "raw": "soon"})], 2),
        ([WHOLE[0], json.dumps({**PLAIN, "mode": "drop table"})], 2),
        ([WHOLE[0], "[" * 100_000], 2),
        ([WHOLE[0], '"' + "x" * 200_000 + '"'], 2),
        ([WHOLE[0], "null"], 2),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else None,
)
def test_what_is_no_log_names_file_and_line(lines, line):
    """A line that the export would not write is refused by number, before anything is added."""
    with pytest.raises(UsageError) as caught:
        read(lines, "a.jsonl")
    assert (caught.value.message.key, caught.value.message.fields) == (
        "schedule.bad_line",
        {"path": "a.jsonl", "line": line},
    )


def test_a_file_of_a_newer_version_is_refused():
    """An export of a newer version is refused with a sentence that says so."""
    newer = json.dumps({**json.loads(WHOLE[0]), "format": FORMAT + 1})
    with pytest.raises(UsageError, match="log_newer"):
        read([newer, "what it may be"], "a.jsonl")


def test_outlines_are_all_that_a_date_needs():
    """An item's outline names the mistakes of its wrong options, each once."""
    of = bank("a1", mistakes={"a1": ["x", "y", "x"]})
    assert outlines(of)[0].mistakes == ("x", "y")
