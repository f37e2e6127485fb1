"""`grade quiz due` and what it is computed from: the kept state is the computed one, and code makes questions due."""

import json
import subprocess
import sys
from datetime import timedelta
from random import Random

import pytest
from quiz_course import ROOT, Learner
from quiz_entries import DAY, answer, entry

from grader.cli.quiz_due import due_count
from grader.progress import MetMistake, Progress, ProgressFile, Record
from grader.quiz.agenda import Agenda
from grader.quiz.due import agenda
from grader.quiz.lock import PATH, read_lock
from grader.quiz.log import Log
from grader.quiz.state import outlines, state_of

BANK = read_lock(ROOT)
NOW = ("--now", "2026-03-01T20:00")


def month(path):
    """A log with something of everything."""
    draw, items = Random(7), [record["id"] for record in BANK.records]  # noqa: S311 - no secret
    days = [DAY + timedelta(days=n // 6) for n in range(120)]
    events = [answer(draw.choice(items), day, draw.choice(["right", "right", "wrong"]), confidence=3) for day in days]
    events += [entry("plan", days[-1], raw="2026-05-01"), entry("plan", days[-1], item="softmax", raw="2026-04-20")]
    events += [entry("pause", days[30]), entry("resume", days[60]), entry("code", days[-1], mistake="heads-summed")]
    log = Log(path)
    log.absorb(events)
    return log


def said(found):
    """Everything that an agenda says."""
    dates = {item: found.when(item) for item in found.known}
    return dates, found.due, found.new(found.due), found.waiting, found.held, found.pace, found.exams, found.newest


def test_what_is_kept_is_what_would_be_computed(tmp_path):
    """From the log alone, from what was kept, and after another entry: the same agenda on every day."""
    log = month(tmp_path / "answers.db")
    for _ in range(2):
        for days in (20, 21, 35, 90):
            day = DAY + timedelta(days=days)
            fresh = Agenda(state_of(log.events(), BANK), outlines(BANK), day)
            for _again in range(2):
                assert said(agenda(log, ROOT, day)) == said(fresh)
        log.absorb([answer("splitting.shape", DAY + timedelta(days=21), "wrong")])


def test_another_bank_is_another_agenda(tmp_path):
    """Once the frozen bank is written anew, what was kept for the old one is not used."""
    log = month(tmp_path / "answers.db")
    course = tmp_path / "course"
    (course / PATH).parent.mkdir(parents=True)
    (course / PATH).write_bytes((ROOT / PATH).read_bytes())
    first = agenda(log, course, DAY).topics
    tree = json.loads((ROOT / PATH).read_bytes())
    tree["items"] = [record for record in tree["items"] if record["topic"] != "softmax"]
    (course / PATH).write_text(json.dumps(tree), encoding="utf-8")
    assert set(first) - set(agenda(log, course, DAY).topics) == {"softmax"}


def test_a_prompt_waits_for_neither_bank_nor_scheduler(tmp_path):
    """Where nothing has changed, `due` imports neither fsrs nor the bank nor the course, on whatever day."""
    log = month(tmp_path / "answers.db")
    agenda(log, ROOT, DAY)
    log.close()
    code = (
        "import sys; from grader.cli.main import run; run(['quiz', 'due', '--now', '2026-04-01T20:00']); "
        "print(sorted({'fsrs', 'rich', 'hashlib', 'grader.quiz.lock', 'grader.quiz.answers'} & set(sys.modules)))"
    )
    environ = {"PYTHONPATH": str(ROOT), "MANYHEADS_DATA": str(tmp_path), "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_count_for_other_pages(tmp_path, monkeypatch):
    """Another page gets the number of what is due; none where nobody has answered, and no file is made for it."""
    monkeypatch.setenv("MANYHEADS_DATA", str(tmp_path / "data"))
    assert (due_count(ROOT), (tmp_path / "data").exists()) == (None, False)
    Log(tmp_path / "data" / "answers.db").absorb([answer("splitting.shape", DAY, "wrong")])
    assert due_count(ROOT) >= 1
    assert due_count(tmp_path) is None


# --- from code to quiz ---------------------------------------------------------------------------------------------


def graded(folder, slug="heads-summed", when="2026-03-01T09:00:00Z", exercise="04_concat"):
    """What grading leaves behind in a folder of exercises."""
    record = Record(runs=1, mistakes={slug: MetMistake(when, when)})
    state = folder / ".manyheads"
    ProgressFile(state, lambda _: None).change(lambda old: Progress({**old.exercises, exercise: record}, exercise))


def test_a_mistake_that_grading_showed_makes_its_questions_due(tmp_path):
    """A mistake in the progress of the folder makes questions that know it due, also for one who never answered."""
    learner = Learner(tmp_path / "data")
    assert learner.quiz("due", *NOW).code == 0
    graded(tmp_path)
    for _ in range(2):
        run = learner.quiz("due", "--json", *NOW)
        due = json.loads(run.out)["due"]
        assert (run.code, bool(due)) == (10, True)
    knowing = {item.id for item in BANK.items.values() if "heads-summed" in {each.mistake for each in item.wrong}}
    assert set(due) <= knowing
    assert [event.mode for event in Log(tmp_path / "data" / "answers.db").events()] == ["code"]


@pytest.mark.parametrize("content", ["", "{", '{"schema": 99}', '{"schema": 1, "last": null, "exercises": []}'])
def test_a_progress_file_that_is_none_stops_nobody(tmp_path, content):
    """Whatever lies where grading keeps its progress, the quiz goes on without it."""
    (tmp_path / ".manyheads").mkdir()
    (tmp_path / ".manyheads" / "progress.json").write_text(content)
    run = Learner(tmp_path / "data").quiz("due", *NOW)
    assert (run.code, run.err) == (0, "")


def test_a_mistake_of_long_ago_calls_nothing(tmp_path):
    """What was last seen more than a month ago, or at no time at all, calls no question."""
    graded(tmp_path, when="2026-01-01T09:00:00Z")
    graded(tmp_path, slug="merge-without-transpose", when="once", exercise="07_multi_head_attention")
    assert Learner(tmp_path / "data").quiz("due", *NOW).code == 0


# --- what is said --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "word"), [("en", "2026-03-20"), ("zh", "2026-03-20")])
def test_a_clock_that_was_set_back_is_told(tmp_path, language, word):
    """Where an answer lies days ahead of the clock, a sentence says so, and the answer is kept."""
    Log(tmp_path / "answers.db").absorb([answer("splitting.shape", DAY.replace(day=20), "wrong")])
    run = Learner(tmp_path).quiz("due", *NOW, "--lang", language)
    assert (run.code, word in run.out, "--since" in run.out) == (0, True, True)
    session = Learner(tmp_path).quiz(*NOW, "--lang", language)
    assert (session.code, word in session.out) == (0, True)


def test_back_after_a_long_time(tmp_path):
    """After weeks away the session says how much is probably left, and what today's share is."""
    items = [record["id"] for record in BANK.records]
    Log(tmp_path / "answers.db").absorb([answer(item, DAY, "wrong") for item in items[:40]])
    words = ("--now", "2026-05-01T20:00", "--lang", "en")
    told = Learner(tmp_path).quiz("due", *words).out
    assert "Waiting" in told
    assert "61 days" in Learner(tmp_path).quiz(*words).out


def test_help_comes_before_the_fifth_failure(tmp_path):
    """QC20 Failed on four days, a question is explained at the next session, and asked again days later."""
    days = [DAY + timedelta(days=n) for n in range(4)]
    Log(tmp_path / "answers.db").absorb([answer("splitting.shape", day, "wrong") for day in days])
    learner, words = Learner(tmp_path), ("--now", "2026-03-05T20:00", "--lang", "en")
    assert learner.quiz("due", *words).code == 10
    run = learner.quiz(*words)
    assert (run.code, "again and again" in run.out, "01_split_heads" in run.out) == (0, True, True)
    assert "again and again" not in learner.quiz(*words).out
    assert "splitting.shape" in json.loads(learner.quiz("due", "--json", "--now", "2026-03-08T20:00").out)["due"]
