"""`grade quiz` as a learner types it: sessions over several days, piped, in both languages, and as JSON."""

import json
import re
import subprocess
import sys

import pytest
from quiz_course import ROOT, Learner

from grader.quiz.answers import show_value
from grader.quiz.lock import read_lock

BANK = read_lock(ROOT)


@pytest.fixture
def learner(tmp_path):
    """Somebody who begins today."""
    return Learner(tmp_path / "data")


def events(run):
    """The objects of a session in JSON."""
    assert run.code == 0, run.err
    return [json.loads(line) for line in run.out.splitlines()]


def key_of(asked):
    """The right answer to a question that JSON asked; "" where options are picked."""
    item = BANK.items[asked["item"]]
    variant = next(each for each in item.variants if each.id == asked["variant"])
    return show_value(item.kind, variant.key) if item.typed else ""


def first_question(learner, *args):
    """The question that comes first, without answering it."""
    return next(each for each in events(learner.quiz("--json", *args)) if each["event"] == "question")


def test_three_days_of_a_learner(learner):
    """What is known waits, what is not comes tomorrow; the exit code of `due` says whether anything is."""
    day = ("--now", "2026-03-01T20:00", "--new", "1", "--topic", "splitting")
    right = first_question(learner, *day)
    assert learner.quiz("due", "--now", "2026-03-01T20:00").code == 0
    said = events(learner.quiz("--json", *day, answers=key_of(right) + "\n"))
    verdict = next(each for each in said if each["event"] == "verdict")
    assert verdict["right"] is True
    assert verdict["due"] > "2026-03-02"

    wrong = first_question(learner, *day)
    assert wrong["item"] != right["item"]
    said = events(learner.quiz("--json", *day, answers="(1, 1)\n\n"))
    verdict = next(each for each in said if each["event"] == "verdict")
    assert (verdict["right"], verdict["due"]) == (False, "2026-03-02")
    assert [each["event"] for each in said if each["event"] in {"options", "key"}] == ["options", "key"]

    early, late = "2026-03-02T03:59", "2026-03-02T04:01"
    assert learner.quiz("due", "--now", early).code == 0
    due = learner.quiz("due", "--json", "--now", late)
    assert (due.code, json.loads(due.out)["due"]) == (10, [wrong["item"]])
    assert first_question(learner, "--now", late)["item"] == wrong["item"]
    stats = json.loads(learner.quiz("stats", "--json", "--now", late).out)
    assert (stats["answers"], stats["right"], stats["begun"]) == (2, 1, 2)


def test_an_answer_that_cannot_be_read_leaves_no_trace(learner):
    """What is sent back is free: nothing is kept, and the question stays."""
    now = ("--now", "2026-03-01T20:00")
    said = events(learner.quiz("--json", *now, answers="banana\n?\n"))
    assert [each["event"] for each in said].count("sent_back") == 1
    assert json.loads(learner.quiz("stats", "--json", *now).out)["answers"] == 0


def test_undo_reaches_back_into_an_earlier_session(learner):
    """An answer that was taken back is asked again, and no longer counts; skipping counts as nothing."""
    now = ("--now", "2026-03-01T20:00")
    asked = first_question(learner, *now)
    learner.quiz(*now, answers=key_of(asked) + "\nq\n")
    said = events(learner.quiz("--json", *now, answers="u\ns\nq\n"))
    assert next(each for each in said if each["event"] == "undone")["item"] == asked["item"]
    assert [each["item"] for each in said if each["event"] == "question"][1] == asked["item"]
    assert json.loads(learner.quiz("stats", "--json", *now).out)["answers"] == 0


def test_a_wrong_answer_comes_again_until_it_is_right(learner):
    """QC68 In the same session a missed question returns, with other numbers; the retry moves no date."""
    now = ("--json", "--now", "2026-03-01T20:00", "--topic", "splitting", "--new", "1")
    first = first_question(learner, *now)
    said = events(learner.quiz(*now, answers="999\n\n"))
    asked = [each for each in said if each["event"] == "question"]
    assert [(each["item"], each["mode"]) for each in asked] == [(first["item"], "scheduled"), (first["item"], "retry")]
    assert asked[0]["variant"] != asked[1]["variant"]


@pytest.mark.parametrize(("language", "words"), [("en", ["understood", "Next time"]), ("zh", ["理解为", "下次复习"])])
def test_a_session_on_the_page(learner, language, words):
    """Verdict, key, reason, a line to run and the next date, in the learner's language."""
    now = ("--now", "2026-03-01T20:00", "--topic", "splitting", "--new", "1")
    key = key_of(first_question(learner, *now))
    run = learner.quiz(*now, "--lang", language, answers=f"d_k = {key}\nq\n")
    assert run.code == 0
    assert [word for word in [*words, "python -c", key] if word not in run.out] == []
    assert max(map(len, run.out.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["gbk", "cp1252", "ascii"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_encoding_breaks_the_page(learner, encoding, language):
    """QC84 On a console without Unicode what it lacks is replaced, and nothing raises."""
    run = learner.quiz("--lang", language, answers="7\n1\n?\nq\n", environ={"PYTHONIOENCODING": encoding})
    assert (run.code, run.err) == (0, "")


def test_bytes_that_are_no_text_are_sent_back(learner):
    """Whatever comes in through a pipe, the session goes on and nothing raises."""
    run = learner.quiz("--now", "2026-03-01T20:00", answers=b"\xff\xfe\x00\n\x1b[2J\n8\nq\n")
    assert (run.code, run.err) == (0, "")
    assert "\x1b[2J" not in run.out


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("dance",), "dance"),
        (("--topic", "cooking"), "splitting"),
        (("--now", "tomorrow"), "tomorrow"),
        (("--zone", "Mars/Base"), "Mars"),
        (("--new", "-1"), "--new"),
        (("answer", "no.such", "1"), "no.such"),
        (("due", "more"), "more"),
    ],
)
def test_what_means_nothing_is_a_usage_error(learner, args, word):
    """A word, topic, time or zone that means nothing is named, with exit code 2."""
    run = learner.quiz(*args)
    assert run.code == 2
    assert word in run.err
    assert "Traceback" not in run.err


def test_a_data_folder_that_is_closed_is_told(tmp_path):
    """Where answers cannot be kept, a sentence says so before any question is asked."""
    (tmp_path / "file").write_text("")
    run = Learner(tmp_path / "file" / "data").quiz()
    assert run.code == 2
    assert "MANYHEADS_DATA" in run.err


def test_one_answer_is_checked_without_keeping_it(learner):
    """`grade quiz answer` gives the verdict and the mistake, and opens no log."""
    item = BANK.items["splitting.shape"]
    key = show_value("shape", item.variants[0].key)
    assert learner.quiz("answer", "splitting.shape", key).code == 0
    wrong = show_value("shape", item.variants[0].wrong[0])
    run = learner.quiz("answer", "splitting.shape@0", wrong, "--json")
    assert run.code == 1
    assert json.loads(run.out)["mistake"] == "heads-left-behind-the-positions"
    assert not learner.data.exists()


def test_items_lists_every_question(learner):
    """One line for each question, whether it was asked or not."""
    assert len(json.loads(learner.quiz("items", "--json").out)) == len(BANK.records)
    assert len(learner.quiz("items").out.splitlines()) == len(BANK.records) + 1


def test_a_learner_runs_no_code_of_the_bank(tmp_path):
    """A session imports neither numpy nor torch, nor what builds the bank."""
    code = (
        "import sys; from grader.cli.main import run; run(['quiz', '--now', '2026-03-01T20:00']); "
        "print([m for m in ('torch', 'numpy', 'grader.quiz.build', 'grader.quiz.drawing') if m in sys.modules])"
    )
    environ = {"PYTHONPATH": str(ROOT), "MANYHEADS_DATA": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, input="7\n1\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_fsrs_it_says_what_to_install(learner, tmp_path):
    """Where the extra is missing, one line says how to install it, with exit code 2."""
    (tmp_path / "fsrs.py").write_text("raise ModuleNotFoundError(\"No module named 'fsrs'\", name='fsrs')")
    run = learner.quiz(environ={"PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert run.code == 2
    assert re.fullmatch(r"fsrs is not installed\. To install it: pip install .*\[quiz\]'?", run.err.strip())
