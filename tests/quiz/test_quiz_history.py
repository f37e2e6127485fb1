"""`grade quiz history|undo|forget|remark|log|plan|pause`: as they are typed, on a log of a few days."""

import json
import os
from datetime import UTC, datetime

import pytest
from quiz_course import QUESTION, ROOT, Learner, course_with
from quiz_entries import DAY, answer, entry

from grader.cli.quiz import Options
from grader.cli.quiz_notices import after
from grader.course import load_course
from grader.quiz.build import build
from grader.quiz.events import in_force
from grader.quiz.lock import PATH, read_lock
from grader.quiz.log import Log

NOW = ("--now", "2026-03-02T20:30")
SHAPE, WIDTH = "splitting.shape", "splitting.width-of-a-head"


@pytest.fixture
def learner(tmp_path):
    """Somebody with two days of answers behind them."""
    later = DAY.replace(day=2)
    first = answer(SHAPE, DAY, "wrong")
    events = [
        changed(first, raw="(3, 2, 5)", mistake="heads-left-behind-the-positions"),
        changed(answer(SHAPE, DAY, mode="retry"), raw="(2, 3, 5)"),
        changed(answer(WIDTH, later), raw="20"),
        changed(answer("gone.from-the-bank", later), raw="7"),
    ]
    Log(tmp_path / "data" / "answers.db").absorb(events)
    return Learner(tmp_path / "data")


def changed(event, **given):
    """The entry with other fields."""
    return type(event)(**{**vars(event), **given})


def kept(learner):
    """The entries of the log."""
    return Log(learner.data / "answers.db").events()


def done(run):
    """The output of a command that did what it was asked for."""
    assert (run.code, run.err) == (0, "")
    return run.out


# --- history -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "word"), [("en", "wrong"), ("zh", "错")])
def test_history_shows_every_answer_with_its_mistake_by_name(learner, language, word):
    """Day by day: time, verdict, question, what was typed, and what the mistake is called; also of questions gone."""
    out = done(learner.quiz("history", "--lang", language))
    assert [line for line in out.splitlines() if line.startswith("2026-03-0")] == ["2026-03-01", "2026-03-02"]
    assert [each for each in (word, SHAPE, "(3, 2, 5)", "20:00", "gone.from-the-bank") if each not in out] == []
    assert "heads-left-behind-the-positions" not in out
    only = json.loads(done(learner.quiz("history", SHAPE, "--json")))
    assert [(each["mode"], each["outcome"], each["counts"]) for each in only] == [
        ("scheduled", "wrong", True),
        ("retry", "right", True),
    ]


def test_an_old_answer_keeps_its_version(learner):
    """QC69 An answer to an earlier version is shown as such, with a note that the question was corrected since."""
    Log(learner.data / "answers.db").absorb([answer(SHAPE, DAY.replace(day=2), version=7)])
    *_, last = json.loads(done(learner.quiz("history", SHAPE, "--json")))
    assert (last["version"], last["corrected_since"]) == (7, True)
    assert "version 7" in done(learner.quiz("history", SHAPE, "--lang", "en"))


def test_a_name_that_nobody_knows_is_told(learner):
    """A question that is neither in the log nor in the bank is a usage error, as is a log that does not exist."""
    run = learner.quiz("history", "no.such")
    assert (run.code, "no.such" in run.err) == (2, True)
    nobody = Learner(learner.data.parent / "nobody")
    for action in ("history", "undo"):
        run = nobody.quiz(action)
        assert (run.code, "MANYHEADS_DATA" in run.err, nobody.data.exists()) == (2, True, False)


# --- undo ----------------------------------------------------------------------------------------------------------


def test_undo_takes_back_one_after_the_other(learner):
    """QC31 Each undo takes the newest answer back, across sessions; the log keeps both, and at last there is none."""
    before = len(kept(learner))
    for left in (3, 2, 1, 0):
        done(learner.quiz("undo", *NOW))
        assert len(in_force(kept(learner))) == left
    run = learner.quiz("undo", *NOW)
    assert (run.code, len(kept(learner))) == (1, before + 4)


def test_undo_since_a_time(learner):
    """QC32 All answers since a time are taken back at once: a time of day is the last time that it was so late."""
    run = learner.quiz("undo", "--since", "19:59", *NOW, "--json")
    assert (run.code, sorted(json.loads(run.out)["items"])) == (0, ["gone.from-the-bank", WIDTH])
    run = learner.quiz("undo", "--since", "2026-03-01T08:00", *NOW, "--json")
    assert json.loads(run.out)["items"] == [SHAPE]
    assert learner.quiz("undo", "--since", "soon", *NOW).code == 2


# --- forget, remark ------------------------------------------------------------------------------------------------


def test_forget_begins_a_question_anew(learner):
    """QC23 What was forgotten on request is new again; the log keeps the answers, and history shows them as void."""
    done(learner.quiz("forget", SHAPE, *NOW))
    stats = json.loads(learner.quiz("stats", "--json", *NOW).out)
    assert (stats["begun"], stats["answers"]) == (1, 2)
    assert not any(each["counts"] for each in json.loads(learner.quiz("history", SHAPE, "--json").out))
    assert learner.quiz("forget", "no.such", *NOW).code == 2
    assert learner.quiz("forget", *NOW).code == 2


def test_a_corrected_key_marks_old_answers_anew(tmp_path):
    """QC70 After a key was corrected, remark gives another verdict, says how many, and history shows both."""
    course = course_with(tmp_path, QUESTION.replace('run = "h * k // h"', 'run = "h * k // h + 1"'))
    path = tmp_path / PATH
    path.write_text(build(course).text, encoding="utf-8")
    (item,) = read_lock(tmp_path).items.values()
    variant = item.variants[0]
    right = str(variant.answer - 1)
    event = answer(item.id, DAY, "wrong")
    Log(tmp_path / "data" / "answers.db").absorb([changed(event, raw=right, variant=variant.id)])
    learner, there = Learner(tmp_path / "data"), ("--course", str(tmp_path))
    assert "0" in done(learner.quiz("remark", item.id, *there, "--lang", "en"))
    quiz = tmp_path / "quizzes" / "tiny.toml"
    quiz.write_text(QUESTION, encoding="utf-8")
    path.write_text(build(course).text, encoding="utf-8")
    assert variant.id in {each.id for each in read_lock(tmp_path).items[item.id].variants}
    done(learner.quiz("remark", item.id, *there))
    (shown,) = json.loads(done(learner.quiz("history", "--json", *there)))
    assert (shown["outcome"], shown["marked_anew"]) == ("wrong", "right")
    assert json.loads(learner.quiz("stats", "--json", *there).out)["right"] == 1


# --- log -----------------------------------------------------------------------------------------------------------


def test_a_log_travels_to_another_machine(learner, tmp_path):
    """QC25 Exported and imported, twice and in whichever order, two logs become the same one."""
    file, back = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    other = Learner(tmp_path / "other")
    Log(other.data / "answers.db").absorb([answer(WIDTH, DAY.replace(day=5), "wrong")])
    done(learner.quiz("log", "export", str(file)))
    done(other.quiz("log", "export", str(back)))
    for _ in range(2):
        done(other.quiz("log", "import", str(file)))
        done(learner.quiz("log", "import", str(back)))
    assert kept(learner) == kept(other)
    assert len(kept(learner)) == 5
    assert done(learner.quiz("log", "export", "-")) == done(other.quiz("log", "export", "-"))


def test_what_is_no_log_adds_nothing(learner, tmp_path):
    """A file that is none, or no file, is named; of two files, nothing of the first is added either."""
    good, bad, before = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", kept(learner)
    learner.quiz("log", "export", str(good))
    good.write_text(good.read_text().replace('"id": "000', '"id": "001'))
    bad.write_bytes(b"\xff\xfe")
    for name in (bad, tmp_path / "none.jsonl", tmp_path):
        run = learner.quiz("log", "import", str(good), str(name))
        assert (run.code, str(name) in run.err, "Traceback" in run.err) == (2, True, False)
    for words in ((), ("export",), ("import",), ("move", "x")):
        assert learner.quiz("log", *words).code == 2
    assert kept(learner) == before


def test_a_log_of_a_newer_version_is_refused_by_every_command(learner):
    """A log that a newer version wrote is left alone, and a sentence says so."""
    log = Log(learner.data / "answers.db")
    log._base.execute("PRAGMA user_version = 99")
    log.close()
    for action in ("due", "history", "undo"):
        run = learner.quiz(action)
        assert (run.code, "99" in run.err) == (2, True)


def test_import_is_short_for_log_import(learner, tmp_path):
    """`grade quiz import FILE` adds a log, too; without a file it is a usage error."""
    file = tmp_path / "a.jsonl"
    done(learner.quiz("log", "export", str(file)))
    other = Learner(tmp_path / "other")
    done(other.quiz("import", str(file)))
    assert kept(other) == kept(learner)
    assert other.quiz("import").code == 2


# --- plan, pause ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_exam_is_planned_and_ended(learner, language):
    """QC14 A plan is set, shown, moved and ended; dates after the exam are gone as long as it holds."""
    words = (*NOW, "--lang", language)
    assert "2026-04-11" in done(learner.quiz("plan", "--exam", "2026-04-11", *words))
    assert "2026-04-06" in done(learner.quiz("plan", *words))
    planned = json.loads(done(learner.quiz("plan", "--json", *words)))
    assert planned["exams"] == [{"topic": None, "exam": "2026-04-11"}]
    assert max(planned["dates"].values()) < "2026-04-11"
    for action in ("due", "plan"):
        on, after = (
            done(learner.quiz(action, "--now", day, "--lang", language))
            for day in ("2026-04-11T12:00", "2026-04-12T12:00")
        )
        assert {"en": "The exam is today", "zh": "今天就是考试"}[language] in on
        assert {"en": "2026-04-11 is over", "zh": "2026-04-11 的考试已过"}[language] in after
    done(learner.quiz("plan", "--off", *words))
    assert json.loads(done(learner.quiz("plan", "--json", *words)))["exams"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "--exam", "soon"),
        ("plan", "--exam", "2026-03-02"),
        ("plan", "--exam", "2026-04-11", "--off"),
        ("plan", "--exam", "2026-04-11", "--topic", "cooking"),
        ("due", "--exam", "2026-04-11"),
        ("stats", "--off"),
        ("due", "--since", "13:00"),
        ("stats", "--ahead"),
    ],
)
def test_a_plan_that_cannot_be_is_a_usage_error(learner, words):
    """A date that is none or past, a topic that is none, an option of another action: named, and nothing is noted."""
    before = kept(learner)
    run = learner.quiz(*words, *NOW)
    assert (run.code, "Traceback" in run.err, kept(learner)) == (2, False, before)


def test_pause_and_resume(learner):
    """QC12 Paused, nothing is due and a session asks nothing; resumed, it goes on; twice is once."""
    for day, action in (("03", "pause"), ("04", "pause"), ("23", "due"), ("23", "resume"), ("23", "resume")):
        assert learner.quiz(action, "--now", f"2026-03-{day}T09:00").code == 0
    assert [event.mode for event in kept(learner)][-2:] == ["pause", "resume"]
    during = Log(learner.data / "answers.db")
    during.absorb([changed(entry("pause", datetime(2026, 3, 24, tzinfo=UTC).date()), id="02" + "7" * 24)])
    said = done(learner.quiz("--now", "2026-03-25T09:00", "--lang", "en"))
    assert ("resume" in said, "to go" in said) == (True, False)


def test_titles_of_mistakes_in_stats(learner):
    """Statistics name mistakes by their title, not by their slug."""
    out = done(learner.quiz("stats", "--lang", "en", *NOW))
    assert "heads-left-behind-the-positions" not in out


# --- what a session leaves alone, and what it notices --------------------------------------------------------------


def test_a_session_writes_nothing_into_the_course(tmp_path):
    """QC24 After a session every file of the bank is what it was, and the answer lies in the learner's folder alone."""

    def sums():
        return {path: path.read_bytes() for path in sorted((ROOT / "quizzes").iterdir()) if path.is_file()}

    before = sums()
    learner = Learner(tmp_path / "data")
    said = learner.quiz("--json", *NOW, "--topic", "splitting", answers="999983\n\n")
    assert '"right": false' in done(said)
    assert sums() == before
    assert len(kept(learner)) == 1


def test_one_function_decides_the_day():
    """QC05 Nothing but `learning_day` knows when a day turns over, so that no two commands can disagree."""
    knowing = [path.name for path in (ROOT / "grader").rglob("*.py") if "ROLLOVER" in path.read_text(encoding="utf-8")]
    assert knowing == ["schedule.py"]


@pytest.mark.parametrize("ms", [200, 20_000])
def test_answers_faster_than_reading_are_noticed(tmp_path, monkeypatch, capsys, ms):
    """QC32 Where answers at a terminal came faster than anybody reads, the session says how to take them back."""
    log = Log(tmp_path / "answers.db")
    log.absorb([answer(f"i{n}", DAY, ms=60_000) for n in range(3)])
    begun = log.mark()
    log.absorb([answer(f"j{n}", DAY, ms=ms) for n in range(5)])
    keyboard, terminal = os.openpty()
    monkeypatch.setenv("TZ", "UTC")
    blank = dict.fromkeys(Options.__dataclass_fields__)
    with os.fdopen(terminal) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        after(Options(**{**blank, "language": "en", "now": NOW[1]}), load_course(ROOT), log, begun)
        monkeypatch.undo()
    os.close(keyboard)
    assert ("undo --since 20:00" in capsys.readouterr().out) == (ms == 200)
