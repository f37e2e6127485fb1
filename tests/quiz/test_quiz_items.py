"""`grade quiz items LOGS…`: figures on known numbers, flags only where enough answers bear them, logs of a class."""

import json
import math
import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import astuple, fields, replace

import pytest
from made_bank import made_bank
from made_learners import answer, learners, usual
from quiz_course import ROOT, Learner

from grader.errors import UsageError
from grader.quiz.events import Event
from grader.quiz.items.analysis import LEAST_CORRELATION, LEAST_FLAG, analyse
from grader.quiz.items.figures import correlation, wilson
from grader.quiz.items.joined import InCode, Share, joined_mistakes
from grader.quiz.items.reading import Learner as OneLearner
from grader.quiz.items.reading import read_logs
from grader.quiz.lock import read_lock
from grader.quiz.log import Log
from grader.quiz.transfer import MOST_LINE, written

BANK = made_bank()
ITEMS = list(BANK.items.values())
SHAPE, NUMBER = BANK.items["made.shape"], BANK.items["made.number"]


def found(analysis, name):
    """Figures of one question."""
    return next(each for each in analysis.items if each.item.id == name)


# --- arithmetic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0, 0.27753), (5, 10, 0.23659, 0.76341), (10, 10, 0.72247, 1), (81, 263, 0.25526, 0.36622)],
)
def test_wilson_interval(count, of, low, high):
    """Published values of the interval; at none and at all of them it stays within 0 and 1."""
    interval = wilson(count, of)
    assert interval == pytest.approx((count / of, low, high), abs=1e-4)
    assert wilson(0, 0) is None


def test_correlation():
    """That of a straight line is 1, of a falling one -1; where one side never varies there is none."""
    assert correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    assert correlation([(0, 1), (1, 0), (0, 1), (1, 0)]) == pytest.approx(-1)
    assert correlation([(0, 0.2), (0, 0.3), (1, 0.4), (1, 0.9)]) == pytest.approx(0.4 / math.sqrt(0.29))
    assert correlation([(1, 1), (1, 2)]) is None
    assert correlation([(1, 1)]) is None


# --- what counts -----------------------------------------------------------------------------------------------------


def test_only_the_first_scheduled_answer_counts():
    """QC72 Later answers, retries, practice and answers that were taken back change nothing."""
    events = [
        answer(1, SHAPE, right=False),
        answer(2, SHAPE, right=True),
        replace(answer(3, NUMBER, right=True), mode="ahead"),
        replace(answer(4, NUMBER, right=False), mode="retry"),
        answer(5, ITEMS[5], right=False),
        replace(answer(6, ITEMS[5], right=False), mode="undo", undoes=answer(5, ITEMS[5], right=False).id),
        replace(answer(7, ITEMS[5], right=True), outcome="skipped"),
    ]
    analysis = analyse(BANK, [OneLearner("a", tuple(events))])
    assert (found(analysis, "made.shape").answers, found(analysis, "made.shape").right) == (1, 0)
    assert found(analysis, "made.number").answers == 0
    assert analysis.answers == 1


def test_another_version_and_another_bank_are_counted_apart():
    """Answers to an earlier version, and to questions that are not in this bank, are told but count nowhere."""
    events = (answer(1, SHAPE, right=True, version=7), replace(answer(2, NUMBER, right=True), item="gone"))
    analysis = analyse(BANK, [OneLearner("a", events)])
    assert (found(analysis, "made.shape").older, found(analysis, "made.shape").answers) == (1, 0)
    assert (analysis.answers, analysis.unknown) == (0, 1)


def test_wrong_answers_are_counted_by_their_mistake():
    """Each option has its count, the one that nobody gave too; the others are listed as they were understood."""
    wrong = [
        OneLearner(f"l{i}", (answer(i + 1, SHAPE, right=False, mistake=mistake, understood=text),))
        for i, (mistake, text) in enumerate(
            [
                ("every-head-gets-all-columns", ""),
                ("every-head-gets-all-columns", ""),
                ("", "(9, 9)"),
                ("", "(9, 9)"),
                ("", "7"),
            ]
        )
    ]
    figures = found(analyse(BANK, wrong), "made.shape")
    counts = {each.mistake: each.count for each in figures.options}
    assert counts == {"every-head-gets-all-columns": 2, "head-count-and-width-exchanged": 0}
    assert (figures.unexplained, figures.typed) == (3, (("(9, 9)", 2), ("7", 1)))


# --- flags -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [9, 29, 100])
def test_flags_need_enough_answers(count):
    """A question that those who know more get wrong is flagged from thirty answers on, never on fewer."""

    def turned(item, ability):
        return 1 - usual(item, ability) if item.id == "made.shape" else usual(item, ability)

    analysis = analyse(BANK, list(learners(BANK, count, turned)))
    figures = found(analysis, "made.shape")
    assert (figures.correlation is not None) is (count >= LEAST_CORRELATION)
    assert ("against" in figures.flags) is (count >= LEAST_FLAG)
    if count < LEAST_FLAG:
        assert not {"against", "variants", "idle", "easy"} & {flag for each in analysis.items for flag in each.flags}
    else:
        assert analysis.rewritten()[0].item.id == "made.shape"
        assert all(each.correlation > 0 for each in analysis.items if each.item.id != "made.shape")


def test_sound_questions_are_left_alone():
    """Among two hundred learners who answer as their ability has it, no question is said to be turned or uneven."""
    analysis = analyse(BANK, list(learners(BANK, 200, usual, seed=3)))
    assert not {"against", "variants", "hard", "easy"} & {flag for each in analysis.items for flag in each.flags}


def test_hard_and_easy_questions_are_told():
    """Where the whole interval is low, or high, the question is named."""
    chances = {"made.shape": 0.05, "made.choice": 0.99}
    made = list(learners(BANK, 100, lambda item, ability: chances.get(item.id, usual(item, ability))))
    analysis = analyse(BANK, made)
    assert "hard" in found(analysis, "made.shape").flags
    assert "easy" in found(analysis, "made.choice").flags


def test_uneven_variants_are_told():
    """QC73 A question whose variants are not equally hard is not one question."""
    source = random.Random(5)  # noqa: S311 - no secret
    one, other = (variant.id for variant in NUMBER.variants)
    made = [
        OneLearner(
            f"l{i}",
            (answer(i + 1, NUMBER, right=source.random() < (0.9 if i % 2 else 0.3), variant=(other, one)[i % 2]),),
        )
        for i in range(80)
    ]
    figures = found(analyse(BANK, made), "made.number")
    assert "variants" in figures.flags
    assert figures.variants.low < 0.5 < figures.variants.high
    assert {variant: answers for variant, (answers, _) in figures.by_variant.items()} == {one: 40, other: 40}


def test_sure_and_wrong_stuck_and_unexplained_are_told():
    """Confident errors, learners who miss a question again and again, wrong answers without a name."""
    made = [OneLearner(f"l{i}", (answer(i + 1, SHAPE, right=False, mistake="", confidence=3),)) for i in range(12)]
    days = [answer(100 + i, NUMBER, right=False, day=f"2026-03-0{i}") for i in range(1, 5)]
    analysis = analyse(BANK, [*made, OneLearner("stuck", tuple(days))])
    assert {"sure", "unexplained", "hard"} <= set(found(analysis, "made.shape").flags)
    assert found(analysis, "made.number").flags == ("stuck",)
    assert (found(analysis, "made.shape").sure, found(analysis, "made.shape").sure_wrong) == (12, 12)


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_mistakes_in_questions_and_in_code_stand_side_by_side():
    """Counts are of learners who could show it; who shows it in both is counted by name."""
    slug, other = SHAPE.wrong[0].mistake, "merge-without-transpose"
    made = [OneLearner(name, (answer(i + 1, SHAPE, right=name == "c"),)) for i, name in enumerate("abc")]
    code = InCode(
        {slug: frozenset("ad"), other: frozenset("d")},
        {slug: frozenset(["01_split_heads"]), other: frozenset(["04_concat"])},
        {"01_split_heads": frozenset("abcd"), "04_concat": frozenset("d")},
    )
    joined = {each.slug: each for each in joined_mistakes(BANK, made, code)}
    assert (joined[slug].quiz, joined[slug].code, joined[slug].both) == (Share(2, 3), Share(2, 4), 1)
    assert (joined[other].quiz, joined[other].code, joined[other].both) == (Share(0, 0), Share(1, 1), 0)
    assert joined_mistakes(BANK, made, None)[0].code is None


# --- logs ------------------------------------------------------------------------------------------------------------


def logged(path, events):
    """A log on disk with these entries."""
    log = Log(path)
    for event in events:
        log.append(event)
    log.close()


def test_logs_of_every_form_are_read(tmp_path):
    """Exports, databases and folders of them; two files of one learner are one, and nothing is written beside them."""
    one, two, three = ([answer(100 * i + 1, SHAPE, right=True)] for i in (1, 2, 3))
    (tmp_path / "class" / "bob").mkdir(parents=True)
    (tmp_path / "class" / "ada.jsonl").write_text(written(one))
    (tmp_path / "class" / "ada-again.jsonl").write_text(written([*one, answer(150, NUMBER, right=False)]))
    logged(tmp_path / "class" / "bob" / "answers.db", two)
    (tmp_path / "eve.jsonl").write_text(written(three))
    before = sorted(tmp_path.rglob("*"))
    (tmp_path / "class" / "bob" / "answers.db").chmod(0o400)
    read = {each.name: len(each.events) for each in read_logs([str(tmp_path / "class"), str(tmp_path / "eve.jsonl")])}
    assert read == {"ada-again": 2, "bob": 1, "eve": 1}
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "kind", ["missing", "empty", "damaged", "newer", "noise", "long", "foreign", "endless", "odd types"]
)
def test_what_is_no_log_is_refused_by_name(tmp_path, kind):
    """The message says which file, whatever is wrong with it."""
    path = tmp_path / "odd.db"
    if kind == "empty":
        path = tmp_path / "folder"
        path.mkdir()
    elif kind == "damaged":
        path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    elif kind == "newer":
        path = tmp_path / "odd.jsonl"
        path.write_text(json.dumps({"manyheads": "quiz log", "format": 99}) + "\n")
    elif kind == "long":
        path = tmp_path / "odd.jsonl"
        path.write_text('{"manyheads": "quiz log", "format": 1}\n' + "[" * (2 * MOST_LINE))
    elif kind in {"foreign", "endless", "odd types"}:
        columns = ", ".join(field.name for field in fields(Event))
        with closing(sqlite3.connect(path)) as base:
            if kind == "odd types":
                base.execute(f"CREATE TABLE event ({columns})")
                marks = ", ".join("?" * len(fields(Event)))
                odd = replace(answer(1, NUMBER, right=True), ms=None, understood=b"\xff")
                base.execute(f"INSERT INTO event VALUES ({marks})", astuple(odd))  # noqa: S608 - our own
            elif kind == "endless":
                values = ", ".join(f"1 AS {field.name}" for field in fields(Event))
                endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                base.execute(f"CREATE VIEW event AS {endless} SELECT {values} FROM n")  # noqa: S608 - our own
            else:
                base.execute("CREATE TABLE notes (text)")
            base.commit()
    elif kind == "noise":
        path = tmp_path / "odd.jsonl"
        path.write_bytes(b"\xff\xfe\x00 nothing")
    with pytest.raises(UsageError) as told:
        read_logs([str(path)])
    assert told.value.message.fields["path"] == str(path)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The logs of forty learners over the course's own bank."""
    place = tmp_path_factory.mktemp("logs")
    for learner in learners(read_lock(ROOT), 40, usual, seed=2):
        (place / f"{learner.name}.jsonl").write_text(written(learner.events))
    return place


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_command_tells_a_class(folder, tmp_path, language):
    """The terminal names each question once, and the page is written where it was asked for."""
    learner = Learner(tmp_path / "data")
    page = tmp_path / "items.html"
    told = learner.quiz("items", str(folder), "--lang", language, "--html", str(page), environ={"COLUMNS": "80"})
    assert (told.code, told.err) == (0, "")
    bank = read_lock(ROOT)
    lines = [line for line in told.out.splitlines() if line.startswith(tuple(bank.items))]
    assert len(lines) == len(bank.items)
    assert all("%" in line for line in lines)
    assert str(page) in told.out.replace("\n", "")
    html = page.read_text(encoding="utf-8")
    assert f'<html lang="{"zh-CN" if language == "zh" else "en"}">' in html
    assert html.count('<th scope="row">splitting.shape</th>') == 1
    assert not (tmp_path / "data").exists()  # logs of others are read; one's own is not even made


def test_the_json_of_a_class(folder, tmp_path):
    """Facility with interval, correlation, options, mistakes; of every question of the bank."""
    done = Learner(tmp_path / "data").quiz("items", str(folder), "--json")
    tree = json.loads(done.out)
    assert (tree["learners"], tree["unknown"]) == (40, 0)
    items = {each["item"]: each for each in tree["items"]}
    assert set(items) == set(read_lock(ROOT).items)
    one = items["splitting.shape"]
    assert one["answers"] == 40
    assert one["facility"]["low"] < one["facility"]["share"] < one["facility"]["high"]
    assert math.isclose(sum(one["options"].values()) + one["unexplained"] + one["right"], 40)
    assert tree["mistakes"][0]["quiz"]["count"] > 0


@pytest.mark.slow
def test_mistakes_of_a_gradebook_are_joined(folder, tmp_path):
    """With a folder of `grade batch`, each mistake has its count in code; a folder without one is told."""
    made = pytest.importorskip("tests.batch.made_results", reason="the extra `batch` is not installed")
    from grader.course import load_course  # noqa: PLC0415

    course = load_course(ROOT)
    slug = "every-head-gets-all-columns"
    reports = [
        made.made_report(course, f"learner-{i}", [False], exercise="01_split_heads", mistakes={slug: True})
        for i in range(3)
    ]
    made.filled(tmp_path / "out", reports).close()
    learner = Learner(tmp_path / "data")
    tree = json.loads(learner.quiz("items", str(folder), "--json", "--gradebook", str(tmp_path / "out")).out)
    joined = next(each for each in tree["mistakes"] if each["slug"] == slug)
    assert joined["code"] == {"count": 3, "of": 3}
    assert joined["exercises"] == ["01_split_heads"]
    told = learner.quiz("items", str(folder), "--gradebook", str(tmp_path / "out"), "--lang", "en").out
    assert "3 of 3" in told
    shutil.rmtree(tmp_path / "out")
    failed = learner.quiz("items", str(folder), "--gradebook", str(tmp_path / "out"), "--lang", "en")
    assert (failed.code, "grade batch" in failed.err) == (2, True)


def test_a_log_can_hold_anything(tmp_path):
    """What a learner wrote into a log is shown as text: it steers no terminal and is no markup."""
    odd = "[/bold]\x1b[31m<script>"
    events = [answer(1, SHAPE, right=False, mistake=odd, understood=odd)]
    events = [replace(event, item="splitting.shape") for event in events]
    (tmp_path / "odd.jsonl").write_text(written(events), encoding="utf-8")
    page = tmp_path / "items.html"
    told = Learner(tmp_path / "data").quiz("items", str(tmp_path), "--html", str(page), "--lang", "en")
    assert (told.code, told.err) == (0, "")
    assert "[/bold]" in page.read_text(encoding="utf-8")
    assert "[/bold]" not in told.out  # that is no mistake of this course
    assert "\x1b" not in told.out + page.read_text(encoding="utf-8")
    assert "<script" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "code"), [("en", "code"), ("zh", "代码")])
def test_without_a_gradebook_nothing_is_said_of_code(folder, tmp_path, language, code):
    """Code is spoken of where code was looked at; a class without one answer has no empty table."""
    learner, page = Learner(tmp_path / "data"), tmp_path / "items.html"
    (tmp_path / "none.jsonl").write_text(written([]), encoding="utf-8")
    told = learner.quiz("items", str(folder), "--html", str(page), "--lang", language).out
    html = page.read_text(encoding="utf-8")
    assert (
        told.rpartition("\n\n")[0]
        .rpartition("\n\n")[2]
        .splitlines()[0]
        .endswith({"en": "questions", "zh": "错误"}[language])
    )
    assert code not in html.partition('id="mistakes">')[2].partition("<tbody>")[0]
    assert "─" not in learner.quiz("items", str(tmp_path / "none.jsonl"), "--lang", language).out


def test_options_for_a_class_need_its_logs(tmp_path):
    """Without logs the command lists one's own answers, and says that a page or a gradebook needs logs."""
    learner = Learner(tmp_path / "data")
    assert learner.quiz("items", "--json").code == 0
    failed = learner.quiz("items", "--html", "x.html", "--lang", "en")
    assert (failed.code, "--html" in failed.err) == (2, True)
    failed = learner.quiz("items", str(tmp_path / "nothing"), "--lang", "en")
    assert (failed.code, "nothing" in failed.err) == (2, True)
