"""The newer types of questions: what their build proves, how their answers are read, and a session with all of them."""

import json
import re
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import A_DAY, ALL, KINDS
from quiz_course import ROOT, Learner, course_with

from grader.course import load_course
from grader.errors import ContentError
from grader.quiz.answers import mark, typed_value
from grader.quiz.arranging import OUTCOMES, read_order, read_outcome, read_pairs, shown_pairs
from grader.quiz.asked import Asked, Outcome
from grader.quiz.bank import read_bank
from grader.quiz.build import build, models_of
from grader.quiz.cases import cases_of
from grader.quiz.drawing import draws, value_of
from grader.quiz.folding import UnreadableError
from grader.quiz.lines import freeze, one_sandbox, read_line, same_value, thaw
from grader.quiz.lock import PATH, read_lock
from grader.quiz.log import Log
from grader.quiz.recalling import found_points, read_ticks
from grader.quiz.session import Session, arranged


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with one question of each newer type, its bank frozen."""
    course = course_with(tmp_path_factory.mktemp("kinds"), ALL)
    (course.root / PATH).write_text(build(course).text, encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def items(course):
    """The questions by type."""
    return {item.kind: item for item in read_lock(course.root).items.values()}


# --- what the build proves -----------------------------------------------------------------------------------------

REFUSED = [
    ("cloze", '"-1|h * d_v"', '"-1", "third"', "prompt"),  # more words than blanks
    ("cloze", 'words = ["2, 0, 1", "-1"]', 'words = ["2, 0, 1"]', "wrong.words"),
    ("cloze", '"1, 0, 2|(1,0,2)"', '"1, 0, 2|0, 1, 2"', "answer.holds"),  # a spelling that is wrong
    ("cloze", 'words = ["2, 1, 0", "-1"]', 'words = ["1, 0, 2", "-1"]', "wrong"),  # an option that is right
    ("cloze", 'holds = "np.zeros((2, 3, 5))', "run = \"('2, 1, 0', '-1')\"\nholds = \"np.zeros((2, 3, 5))", "answer"),
    ("order", 'order = "2 1 3"', 'order = "1 2 3"', "wrong.order"),  # the right one
    ("order", 'order = "2 1 3"', 'order = "2 1"', "wrong.order"),
    ("order", 'run = "y = y @ w"', 'run = "y = y * 2"', "answer.holds"),  # the claim is false
    ("order", 'run = "y = y @ w"', "", "holds"),  # a step that nothing runs
    ("match", 'pair = "b1"', 'pair = "b2"', "wrong.pair"),  # a right pair
    ("match", 'pair = "b1"', 'pair = "z9"', "wrong.pair"),
    ("match", 'end_word = "(L, d_v)"', 'end_word = "(h, L, d_v)"', "text"),  # two ends that read the same
    ("match", "[0].shape == (3, 4)", "[0].shape == (3, 5)", "holds"),
    ("code", 'line = "heads.sum(0)"', 'line = "heads.mean(0)"', "wrong.line"),  # not what the model of the mistake does
    ("code", 'line = "np.concatenate(heads, axis=-1)"', 'line = "heads.sum(0)"', "answer.line"),
    ("code", 'line = "heads.sum(0)"', 'line = "heads.sum("', "line"),
    ("code", "heads = np.arange(24.0)", "heads = np.arang(24.0)", "cases"),
    ("code", 'refused = ["heads"]', 'refused = ["np.hstack(heads)"]', "refused"),
    ("error", "np.zeros(5).reshape(2, 3)", "np.zeros(6).reshape(2, 3)", "right.run"),  # raises nothing
    ("error", "np.zeros(7).reshape(2, 3)", "np.zeros(5).reshape(2, 3)", "wrong.run"),  # the same message
    ("predict", 'outcome = "wrong"', 'outcome = "right"', "answer.outcome"),  # not what happens
    ("predict", 'mistake = "merge-without-transpose"', 'mistake = "softmax-twice"', "answer.mistake"),  # no such model
    ("predict", 'outcome = "raises"', 'outcome = "maybe"', "outcome"),
    ("predict", 'holds = "False"', 'holds = "Fals"', "holds: found NameError: name 'Fals' is not defined"),
    ("match", "np.zeros((2, 3, 4))[0].shape", "np.zeros(24).reshape(5, 5)[0].shape", "holds: found ValueError"),
    ("recall", 'found = ["reshape + (L, d_model)"]', 'found = ["squeeze"]', "explain"),  # the answer lacks the point
    ("recall", 'refused = ["reshape"]', 'refused = ["transpose, reshape (L, d)"]', "refused"),
]


@pytest.mark.parametrize(("kind", "old", "new", "field"), REFUSED)
def test_a_false_claim_is_refused(tmp_path, kind, old, new, field):
    """Whatever an author claims of a question is run; what does not come out names file, question and field."""
    assert old in KINDS[kind]
    with pytest.raises(ContentError) as caught:
        build(course_with(tmp_path, KINDS[kind].replace(old, new)))
    assert "tiny.toml" in str(caught.value)
    assert re.search(rf"\b{re.escape(field)}\b", str(caught.value)), caught.value


def test_what_numpy_refuses_is_a_false_claim(tmp_path):
    """A claim of a wrong option is shown to be false by the refusal of numpy, too."""
    refused = KINDS["predict"].replace('holds = "False"', 'holds = "np.zeros(5).reshape(2, 3) is not None"')
    assert build(course_with(tmp_path, refused)).items == 1


def test_a_wrong_number_is_what_the_model_gives(tmp_path):
    """Where the key is what code gives, an option that is not what the model of its mistake gives is refused."""
    bank = KINDS["code"].split("accepted")[0].replace('"code"', '"shape"')
    answer = '[question.answer]\nrun = "code.concat_heads(np.zeros((2, 3, 5))).shape"\n'
    wrong = '[[question.wrong]]\nmistake = "{}"\nrun = "{}"\nwhy.en = "No."\nwhy.zh = "不。"\n'
    right = wrong.format("heads-summed", "(3, 5)") + wrong.format("heads-not-merged", "(2, 3, 5)")
    assert build(course_with(tmp_path, bank + answer + right)).items == 1
    false = wrong.format("heads-summed", "(2, 3)") + wrong.format("heads-not-merged", "(2, 3, 5)")
    (tmp_path / "false").mkdir()
    with pytest.raises(ContentError, match="its model gives"):
        build(course_with(tmp_path / "false", bank + answer + false))


def test_every_order_that_comes_out_is_right():
    """Steps that may change places are found by running all orders, not by the author."""
    bank = read_lock(ROOT)
    orders = {item.id: item.variants[0].orders for item in bank.items.values() if item.kind == "order"}
    assert orders["softmax.order-of-the-steps"] == ((0, 1, 2, 3), (1, 0, 2, 3))
    assert orders["layer.order-of-the-layer"] == ((0, 1, 2, 3, 4, 5),)


def test_there_are_enough_of_each_type():
    """At least four questions of every newer type."""
    kinds = [item.kind for item in read_lock(ROOT).items.values()]
    assert {kind: kinds.count(kind) for kind in KINDS if kinds.count(kind) < 4} == {}


def standing_for_code():
    """Questions of this course whose key is what the code of an exercise gives."""
    for question in read_bank(ROOT):
        if question.kind in {"shape", "number", "vector", "code"} and "code." in (question.right[0].run or ""):
            yield question


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")  # models of mistakes divide by 0
def test_quiz_and_code_diagnosis_agree():
    """A wrong option that stands for code is frozen as what the model of its mistake gives, in every variant."""
    bank, model_of = read_lock(ROOT), models_of(load_course(ROOT))
    compared = 0
    for question in standing_for_code():
        variants = bank.items[question.id].variants
        for draw, variant in zip(draws(question), variants, strict=True):
            if question.kind == "code":
                assert cases_of(question, draw, model_of) == variant.cases, question.id
            else:
                found = [value_of(question, option, draw, model_of) for option in question.wrong]
                assert found == list(variant.wrong), question.id
            compared += len(question.wrong)
    assert compared > 1000


# --- how answers are read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["3 1 2", "3,1,2", "312", "3, 1, 2.", "3→1→2", "3 -> 1 -> 2", "３　１　２", "3、1、2", "③①②", "3>1>2", "cab"],
)
def test_an_order_in_any_spelling(text):
    """Numbers with or without something between them."""
    assert read_order(text, 3) == (2, 0, 1)


@pytest.mark.parametrize("text", ["", "1 2", "1 1 2", "1 2 4", "0 1 2", "one two three", "3 1 2 4", "1 2 x"])
def test_half_an_order_is_sent_back(text):
    """What does not name each step once is no answer."""
    with pytest.raises(UnreadableError):
        read_order(text, 3)


@pytest.mark.parametrize(
    "text",
    *[
        [
            "a2 b1 c3",
            "a2b1c3",
            "A-2, B-1, C-3",
            "a=2; b=1; c=3",
            "c3 a2 b1",
            "2a 1b 3c",
            "2 1 3",
            "a:2 b:1 c:3",
            "a→2，b→1，c→3",
        ]
    ],
)
def test_pairs_in_any_spelling(text):
    """A letter with its number, or the numbers alone in the order of the letters."""
    assert read_pairs(text, 3) == (1, 0, 2)


@pytest.mark.parametrize("text", ["", "a2 b1", "a1 b1 c2", "a2 b1 c9", "a2 a1 c3", "x1 b2 c3", "2 1", "ab"])
def test_half_a_match_is_sent_back(text):
    """What does not pair each end once is no answer."""
    with pytest.raises(UnreadableError):
        read_pairs(text, 3)


@given(places=st.integers(2, 8).flatmap(lambda n: st.permutations(range(n))))
@settings(deadline=None)
def test_what_is_echoed_is_read_again(places):
    """An echoed order or pairing is read as what it was."""
    assert read_order(" ".join(str(each + 1) for each in places), len(places)) == tuple(places)
    assert read_pairs(shown_pairs(tuple(places)), len(places)) == tuple(places)


@given(text=st.text(max_size=40) | st.text("0123456789abc ,;->→=.、", max_size=20))
@settings(deadline=None)
def test_no_text_breaks_what_reads_it(text):
    """Whatever is typed is read or sent back."""
    points = (("transpose", "(L, d_model)"), ("reshape + view",))
    for read in (
        lambda: read_order(text, 4),
        lambda: read_pairs(text, 4),
        lambda: read_outcome(text),
        lambda: read_ticks(text, 4, (0,)),
        lambda: found_points(text, points),
        lambda: read_line(text, ("heads",)),
    ):
        with suppress(UnreadableError):
            read()


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        *[("1", "raises"), ("raises", "raises"), ("it fails", "raises"), ("报错", "raises"), ("error", "raises")],
        *[("2", "wrong"), ("silently wrong", "wrong"), ("结果不对", "wrong"), ("不报错但结果不对", "wrong")],
        *[("3", "right"), ("it works", "right"), ("对", "right"), ("正确", "right"), ("right.", "right")],
    ],
)
def test_an_outcome_in_words(text, outcome):
    """How code ends, by number or in words."""
    assert read_outcome(text) == outcome


@pytest.mark.parametrize(
    ("text", "ticks"),
    [("", (0, 2)), ("1 3", (0, 2)), ("1,2,3", (0, 1, 2)), ("0", ()), ("12", (0, 1)), ("1、2", (0, 1))],
)
def test_points_are_ticked_off(text, ticks):
    """Numbers, 0 for none, nothing for those that were found."""
    assert read_ticks(text, 3, (0, 2)) == ticks


@pytest.mark.parametrize(
    "shape", ["(B, h, L, d_k)", "[b,h,l,dk]", "B×h×L×d_k", "B x h x L x d/h", "batch * heads * seq_len * head_dim"]
)
def test_a_shape_is_found_in_any_spelling(shape):
    """A point that is a shape is found whatever stands between its sizes."""
    assert found_points(f"split to {shape}, then scores", [["(B, h, L, d_k)"], ["(B, h, L, L)"]]) == (0,)


# --- cloze and code ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outcome", "option"),
    [
        *[("1, 0, 2; -1", Outcome.RIGHT, None), ("(1,0,2) ; h*d_v", Outcome.RIGHT, None)],
        *[
            ("１，０，２；-1。", Outcome.RIGHT, None),
            ("2,1,0; -1", Outcome.WRONG, 0),
            ("2,0,1;h·d_v", Outcome.WRONG, 1),
        ],
        *[("0,1,2; -1", Outcome.WRONG, None), ("1,0,2", Outcome.RETYPE, None), ("; -1", Outcome.RETYPE, None)],
    ],
)
def test_blanks(items, text, outcome, option):
    """Each blank is compared by itself; too few of them are sent back."""
    marked = mark(items["cloze"].asked(items["cloze"].variants[0]), text)
    assert (marked.outcome, marked.option) == (outcome, option)


blank = st.text("abcdefgh", min_size=1, max_size=8)


@given(
    words=st.lists(blank, min_size=1, max_size=4),
    other=blank,
    separator=st.sampled_from([";", " ; ", "；", " | ", ", ", "，", "、"]),
)
@settings(deadline=None)
def test_any_words_in_any_blanks(words, other, separator):
    """Every blank is right between any separators, and one wrong word makes the whole wrong or sent back."""
    asked = Asked("cloze", tuple(words))
    assert mark(asked, separator.join(words)).outcome is Outcome.RIGHT
    if other not in words:
        assert mark(asked, separator.join([*words[:-1], other])).outcome is not Outcome.RIGHT


numbers = st.floats(-1e9, 1e9) | st.sampled_from([float("inf"), float("-inf"), float("nan")])


@given(
    values=st.lists(numbers, min_size=1, max_size=12),
    whole=st.lists(st.integers(-(10**6), 10**6), min_size=1),
    off=st.floats(1e-3, 10),
)
@settings(deadline=None)
def test_a_value_survives_freezing(values, whole, off):
    """An array is the same after it was written as JSON, and another one is not."""
    for array in (np.array(values), np.array(whole), np.array(values) > 0, np.array(values)[:, None]):
        frozen = json.loads(json.dumps(freeze(array)))
        assert same_value(freeze(thaw(frozen)), frozen)
        assert thaw(frozen).dtype == array.dtype
    moved = [each + off for each in whole]
    assert not same_value(freeze(np.array(moved)), freeze(np.array(whole)))


LINES = [
    ("np.concatenate(heads, axis=-1)", Outcome.RIGHT, None),
    (">>> np.hstack(heads)", Outcome.RIGHT, None),
    ("out = np.hstack(list(heads))", Outcome.RIGHT, None),
    ("return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1);", Outcome.RIGHT, None),
    ("ｎｐ．ｈｓｔａｃｋ（heads）", Outcome.RIGHT, None),
    ("`np.hstack(heads)`", Outcome.RIGHT, None),
    ("print(np.hstack(heads))", Outcome.RIGHT, None),
    ("numpy.hstack(heads)", Outcome.RIGHT, None),
    ("heads = np.hstack(heads)", Outcome.RIGHT, None),
    ("heads.reshape(len(heads[0]), -1)", Outcome.WRONG, 0),
    ("np.add.reduce(heads)", Outcome.WRONG, 1),
    ("np.concatenate([*heads], axis=2)", Outcome.WRONG, 2),
    ("heads", Outcome.WRONG, None),
    ("heads[0]", Outcome.WRONG, None),
    ("np.hstack(heads) * 2", Outcome.WRONG, None),
    ("np.hstack(heads).tolist()", Outcome.WRONG, None),
    ("lambda: 1", Outcome.WRONG, None),
    ("1 / 0", Outcome.WRONG, None),
    ("print(heads, heads)", Outcome.WRONG, None),
    ("'a' * 10**12", Outcome.WRONG, None),
    ("open('/etc/passwd').read()", Outcome.WRONG, None),
    ("__import__('os').listdir('/')", Outcome.WRONG, None),
    ("np.hstak(heads)", Outcome.RETYPE, None),
    ("np.hstack(head)", Outcome.RETYPE, None),
    ("torch.cat(list(heads), -1)", Outcome.RETYPE, None),
    ("np.hstack(heads", Outcome.RETYPE, None),
    ("np.hstack heads", Outcome.RETYPE, None),
    ("import os", Outcome.RETYPE, None),
    ("a = 1; b = 2", Outcome.RETYPE, None),
    ("", Outcome.RETYPE, None),
    ("(" * 250, Outcome.RETYPE, None),
]


def test_lines_are_run_and_compared(items):
    """A line is right by what it gives, wrong and named by what it gives, and sent back where Python cannot read it."""
    asked = items["code"].asked(items["code"].variants[0])
    with one_sandbox():
        marked = [(line, mark(asked, line)) for line, _, _ in LINES]
    assert [(line, each.outcome, each.option) for line, each in marked] == LINES


def test_every_key_and_option_of_the_tiny_bank(items):
    """Keys are right and options wrong in the spelling in which they are shown, whatever the type."""
    for item in items.values():
        for shown in ((0, 1, 2), (2, 0, 1)) if item.typed else ():
            asked = item.asked(item.variants[0], shown)
            assert mark(asked, typed_value(asked, asked.key)).outcome is Outcome.RIGHT, item.kind


# --- sessions ------------------------------------------------------------------------------------------------------


@pytest.fixture
def session(course, tmp_path):
    """A session with one question of each type."""
    log = Log(tmp_path / "answers.db")
    clock = lambda: datetime(2026, 3, 1, 20, tzinfo=UTC)  # noqa: E731
    yield Session(read_lock(course.root), log, clock, ZoneInfo("UTC"), limit=99, new=99)
    log.close()


def test_steps_never_stand_in_a_right_order(items):
    """What is to be put in order is not in order yet."""
    item, day = items["order"], datetime(2026, 3, 1, tzinfo=UTC).date()
    assert all(arranged(item, item.variants[0], n, day) not in item.variants[0].orders for n in range(50))


def turn_of(session, kind):
    """The question of this type, the others skipped."""
    while turn := session.next():
        if turn.item.kind == kind:
            return turn
        session.skip()
    raise AssertionError(kind)


@pytest.mark.parametrize(
    ("outcome", "pick", "right", "mistake"),
    [
        ("wrong", 0, True, None),
        ("wrong", 1, False, "heads-taken-for-positions"),
        ("raises", 0, False, "heads-taken-for-positions"),
        ("right", 2, False, "axes-moved-but-not-merged"),
    ],
)
def test_a_prediction_needs_both_steps(session, outcome, pick, right, mistake):
    """Outcome and reason both have to be right; either of them names the mistake."""
    turn = turn_of(session, "predict")
    result = session.picked(turn, [turn.options.index(pick)], outcome=outcome, confidence=2)
    named = turn.item.wrong[result.option].mistake if result.option is not None else None
    assert (result.right, named) == (right, mistake)


@pytest.mark.parametrize(("ticked", "right", "mistake"), [((0, 1), True, 0), ((0,), False, 1), ((), False, 0)])
def test_a_recall_is_right_with_all_points(session, ticked, right, mistake):
    """The first point that is missing names the mistake."""
    turn = turn_of(session, "recall")
    result = session.recalled(turn, "text", ticked, confidence=2, hint=False, milliseconds=1)
    assert result.right is right
    assert right or result.option == mistake


def script(course, learner, language):
    """Right answers to every question of the tiny bank, in the order in which they are asked, and what was asked."""
    begun = ("--course", str(course.root), "--now", "2026-03-01T20:00", "--minutes", "60", "--lang", language)
    said = [json.loads(line) for line in learner.quiz(*begun, "--json", answers="s\n" * 30).out.splitlines()]
    bank = read_lock(course.root)
    answers = []
    for event in said:
        if event["event"] != "question":
            continue
        item = bank.items[event["item"]]
        shown = arranged(item, item.variants[0], 0, datetime(2026, 3, 1, tzinfo=UTC).date())
        if item.typed:
            asked = item.asked(item.variants[0], shown if item.kind in {"order", "match"} else ())
            answers.append(typed_value(asked, asked.key))
        elif item.kind == "recall":
            answers += ["transpose, reshape to (L, d_model)", ""]
        else:
            outcome = [str(OUTCOMES.index(item.variants[0].key) + 1)] if item.kind == "predict" else []
            answers += [*outcome, str(shown.index(0) + 1)]
    return begun, answers


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_session_with_every_type(course, tmp_path, language):
    """Every type is asked, answered and explained on the page; the lines fit the terminal."""
    learner = Learner(tmp_path / "data")
    begun, answers = script(course, learner, language)
    run = learner.quiz(*begun, answers="\n".join(answers) + "\n")
    assert (run.code, run.err) == (0, "")
    wanted = {"en": f"Right: {A_DAY}   wrong: 0", "zh": f"答对 {A_DAY} 次，答错 0 次"}[language]
    assert wanted in run.out, run.out


def test_every_type_as_json(course, tmp_path):
    """A program is told the options, ends, outcomes and points, and every answer has its verdict."""
    learner = Learner(tmp_path / "data")
    begun, answers = script(course, learner, "en")
    said = [
        json.loads(line) for line in learner.quiz(*begun, "--json", answers="\n".join([*answers, ""])).out.splitlines()
    ]
    assert {"options", "outcomes", "checklist"} <= {event["event"] for event in said}
    assert [event["right"] for event in said if event["event"] == "verdict"] == [True] * A_DAY
    assert all(event["lefts"] for event in said if event["event"] == "options" and event["item"] == "tiny.match")


def test_the_catalogue_knows_every_mistake_of_the_tiny_bank():
    """The tests themselves speak of mistakes that exist."""
    catalogue = tomllib.loads((ROOT / "exercises" / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]
    assert set(re.findall(r'mistake = "([\w-]+)"', ALL)) <= set(catalogue)
