"""What public bug reports of other quiz tools describe, tried on this one (QC is the number of a report)."""

from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quiz_course import QUESTION, ROOT, course_with

from grader.cli.quiz_pages import keys_of
from grader.errors import ContentError
from grader.model import LANGUAGES
from grader.quiz.answers import mark, typed_value
from grader.quiz.asked import Asked, Outcome
from grader.quiz.bank import read_bank
from grader.quiz.build import build
from grader.quiz.lock import PATH, filled, read_lock
from grader.quiz.log import Log
from grader.quiz.session import Session, Turn

BANK = read_lock(ROOT)
TYPED = [item for item in BANK.items.values() if item.typed]
OFFERED = [item for item in BANK.items.values() if item.offered]
SHAPE = Asked("shape", (2, 8, 5, 5))
COUNT = Asked("number", Fraction(2359296))
BILL = Asked("formula", "4*d_model^2")
ROOT_OF = Asked("formula", "sqrt(d_k)")
RIGHT, WRONG = Outcome.RIGHT, Outcome.WRONG


def number(key, tolerance="0"):
    """A question for a number."""
    return Asked("number", Fraction(key), tolerance=Fraction(tolerance))


def asked_of(item, count=0):
    """What the n-th variant of an item is compared with, as a session shows it."""
    return Turn(item, item.variants[count % len(item.variants)], "scheduled", _places(item)).asked()


def _places(item):
    return tuple(range(len(item.right))) if item.kind in {"order", "match"} else ()


def key_typed(item, count=0):
    """The key of the n-th variant as it is typed."""
    asked = asked_of(item, count)
    variant = item.variants[count % len(item.variants)]
    return typed_value(asked, variant.orders[0] if item.kind == "order" else variant.answer)


# --- numbers and shapes as people type them ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["-1e9", "−1e9", "–1e9", "—1e9"])
def test_dashes_are_minus_signs(text):
    """QC34 A tablet turns a hyphen into a dash; the number is taken all the same."""
    assert mark(number(-(10**9)), text).outcome is RIGHT


@pytest.mark.parametrize(
    "text",
    [
        "2,359,296",
        "2 359 296",
        "2\N{THIN SPACE}359\N{THIN SPACE}296",
        "2_359_296",
        "235,9296",
        "2359296",
        "2，359，296",
    ],
)
def test_digits_are_grouped_as_people_do(text):
    """QC36 A number is taken with commas, blanks of any width, underscores, and groups of four."""
    assert mark(COUNT, text).outcome is RIGHT


def test_uneven_groups_are_sent_back():
    """QC36 Digits that are grouped unevenly are asked for again, not marked."""
    assert mark(COUNT, "2,35,9296").outcome in {Outcome.RETYPE, Outcome.UNCLEAR}


def test_a_rounded_number_is_right_only_where_rounding_is():
    """QC37 236万 for an exact count is sent back as rounded; where the question allows rounding it is right."""
    sent_back = mark(COUNT, "236万")
    assert (sent_back.outcome, sent_back.message.key) == (Outcome.UNCLEAR, "quiz.rounded")
    assert mark(number(2359296, "20000"), "236万").outcome is RIGHT


def test_a_comma_that_may_be_decimal_is_asked_about():
    """QC38 0,25 is queried and never guessed; in a shape a comma always separates."""
    assert mark(number("0.25"), "0,25").outcome is Outcome.UNCLEAR
    assert mark(Asked("shape", (3, 25)), "3,25").outcome is RIGHT


FOUR_D_SQUARED = """
4*d_model^2 | 4*d_model**2 | 4·d_model² | 4d_model² | 4d² | 4 d² | 4*d² | 4×d² | 4*d*d | 4dd | d²*4 | (2d)² | (2*d)^2
2d*2d | 3d²+d² | d²+3d² | 4*d_model*d_model | 4\\cdot d^2 | 4d_{model}^2 | $4d^2$ | 4⋅d_model² | 8d²/2 | 4*(d^2) | 4∗d²
"""
NEAR_MISSES = "3d² 4d 4d³ d² 4*d_k^2 4hd² 4d²+4d 2d² d^4 4+d² 4d²-1 (4d)² 4d_v²"


@pytest.mark.parametrize("text", [each.strip() for each in FOUR_D_SQUARED.strip().replace("\n", "|").split("|")])
def test_a_product_may_be_written_in_many_ways(text):
    """QC39 A multiplication sign may be left out, a power written in any way."""
    assert mark(BILL, text).outcome is RIGHT


@pytest.mark.parametrize("text", NEAR_MISSES.split())
def test_a_near_miss_is_no_right_formula(text):
    """QC39 Formulas that only look alike are not right."""
    assert mark(BILL, text).outcome is not RIGHT


@pytest.mark.parametrize("text", ["sqrt(d_k)", "d_k^0.5", "√d_k", "√(d/h)", "(d_model/h)^(1/2)"])
def test_formulas_are_compared_by_value(text):
    """QC40 Formulas that are equal wherever d = h·d_k are equal."""
    assert mark(ROOT_OF, text).outcome is RIGHT


def test_brackets_that_do_not_match_are_sent_back():
    """QC42 Any pair of brackets or none is taken for a shape, a mixed pair is asked for again."""
    assert mark(SHAPE, "(2,8,5,5]").outcome is Outcome.RETYPE
    assert {mark(SHAPE, text).outcome for text in ("[2,8,5,5]", "{2,8,5,5}", "2,8,5,5")} == {RIGHT}


def test_a_form_that_is_not_understood_costs_nothing():
    """QC43 Several spellings of a shape are right, and what is none is sent back with a reason."""
    assert {mark(SHAPE, text).outcome for text in ("2x8x5x5", "torch.Size([2, 8, 5, 5])")} == {RIGHT}
    nonsense = mark(SHAPE, "abc")
    assert (nonsense.outcome, nonsense.message is None) == (Outcome.RETYPE, False)


# --- tolerance -----------------------------------------------------------------------------------------------------


def test_the_edge_of_a_tolerance_is_inside():
    """QC44 Exactly on the edge is right, beyond it wrong: tolerances are decimal."""
    key = number("0.45", "0.01")
    assert [mark(key, text).outcome for text in ("0.44", "0.46", "0.4399")] == [RIGHT, RIGHT, WRONG]


def test_what_the_lesson_prints_is_right():
    """QC45 In the worked example, 1.25 from rounded weights and 1.26 are both right, and 1.36 is not."""
    cat = asked_of(BANK.items["layer.cat-head-1"])
    assert [mark(cat, f"{first}, 0.25").outcome for first in ("1.25", "1.26", "1.36")] == [RIGHT, RIGHT, WRONG]


def test_counts_are_exact():
    """QC47 A count next to the right one is wrong."""
    assert [mark(COUNT, text).outcome for text in ("2359296", "2359295", "2359297")] == [RIGHT, WRONG, WRONG]


@given(st.decimals(-1000, 1000, places=4), st.integers(1, 999))
def test_a_tolerance_is_the_same_on_both_sides(key, thousandths):
    """QC48 Key plus or minus the tolerance is right, a hundredth of it beyond is wrong, for every key."""
    off = Fraction(thousandths, 1000)
    asked = number(str(key), str(off))
    for sign in (1, -1):
        inside, outside = Fraction(key) + sign * off, Fraction(key) + sign * off * Fraction(101, 100)
        assert mark(asked, f"{float(inside):.9f}").outcome is RIGHT
        assert mark(asked, f"{float(outside):.9f}").outcome is WRONG


# --- keys and options of the whole bank ----------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", " ", "\N{ZERO WIDTH SPACE}", "。", "\N{IDEOGRAPHIC SPACE}", "\N{NO-BREAK SPACE}"])
def test_every_key_is_right_whatever_trails_behind_it(more):
    """QC49 QC50 Typed into its own question, every key of the bank is right, also with a blank or a full stop."""
    typed = [(item, key_typed(item)) for item in TYPED if item.kind != "code"]
    wrong = [item.id for item, key in typed if mark(asked_of(item), key + more).outcome is not RIGHT]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_solution_is_shown(language):
    """QC51 The solution of a typed question has exactly one form, however many are accepted."""
    shown = {item.id: keys_of(Turn(item, item.variants[0], "scheduled", _places(item)), language) for item in TYPED}
    assert [item for item, keys in shown.items() if len(keys) != 1] == []


def test_no_wrong_option_is_right_anywhere():
    """QC53 In no variant does the checker take a wrong option as right, or two options as one."""
    plain = [item for item in OFFERED if item.kind in {"shape", "number", "vector"}]
    bad = []
    for item in plain:
        for i, variant in enumerate(item.variants):
            outcomes = [mark(asked_of(item, i), typed_value(asked_of(item, i), value)) for value in variant.wrong]
            if any(each.outcome is RIGHT for each in outcomes) or len(set(map(repr, variant.wrong))) < len(outcomes):
                bad.append((item.id, variant.id))
    assert bad == []


def test_what_is_typed_is_named_like_what_is_picked():
    """QC67 A wrong answer that is typed shows the same mistake as the option that it equals."""
    missed = []
    for item in OFFERED:
        if item.kind in {"shape", "number", "vector", "formula"}:
            asked = asked_of(item)
            for i, value in enumerate(item.variants[0].wrong):
                marked = mark(asked, typed_value(asked, value))
                if marked.option is None or item.wrong[marked.option].mistake != item.wrong[i].mistake:
                    missed.append((item.id, item.wrong[i].mistake))
    assert missed == []


def test_texts_of_a_variant_belong_together():
    """QC59 Prompt, options and explanation of a variant are filled from one record, with no hole left."""
    item = BANK.items["splitting.width-of-a-head"]
    for variant in item.variants[:5]:
        d, h, k = (variant.texts[name] for name in "dhk")
        assert (int(d), f"{variant.answer}") == (int(h) * int(k), k)
        assert all(each in filled(item.explain, variant, "en") for each in (d, h, k))
    for each in BANK.items.values():
        for text in (each.prompt, each.hint, each.explain, *(wrong.why for wrong in each.wrong)):
            assert all("{{" not in filled(text, each.variants[0], language) for language in LANGUAGES)


# --- variants when the bank is edited ------------------------------------------------------------------------------

SECOND = QUESTION[QUESTION.index("[[question]]") :].replace("tiny.width", "tiny.other")


def drawn(folder, bank):
    """Ids of the variants of each item."""
    folder.mkdir()
    course = course_with(folder, bank)
    (folder / PATH).write_text(build(course).text, encoding="utf-8")
    return {item.id: [variant.id for variant in item.variants] for item in read_lock(folder).items.values()}


def test_edits_around_a_question_change_no_number(tmp_path):
    """QC57 QC58 Neither another order of the questions nor more explanation changes the numbers that are drawn."""
    head, first = QUESTION[: QUESTION.index("[[question]]")], QUESTION[QUESTION.index("[[question]]") :]
    one = drawn(tmp_path / "one", head + first + SECOND)
    assert drawn(tmp_path / "two", head + SECOND + first) == one
    assert drawn(tmp_path / "three", head + first.replace('explain.en = "', 'explain.en = "More. ') + SECOND) == one


def test_a_broken_field_names_file_question_and_field(tmp_path):
    """QC77 The message on a field that is wrong names the file, the question and the field."""
    course = course_with(tmp_path, QUESTION.replace('hint.zh = "平分。"', ""))
    with pytest.raises(ContentError) as caught:
        read_bank(course.root)
    assert [word for word in ("tiny.toml", "tiny.width", "hint") if word not in str(caught.value)] == []


# --- the order of options ------------------------------------------------------------------------------------------


def session(day=1):
    """A session over an empty log."""
    moment = datetime(2026, 3, day, 20, tzinfo=UTC)
    return Session(BANK, Log(Path(":memory:")), lambda: moment, UTC, limit=3)


def test_an_option_is_judged_by_what_it_is_not_by_where_it_stands():
    """QC60 Over many orders, the verdict on a pick depends on the option alone."""
    item = next(item for item in BANK.items.values() if item.kind == "choice" and len(item.wrong) >= 2)
    order, begun, verdicts, draw = list(range(len(item.right) + len(item.wrong))), session(), Counter(), Random(7)  # noqa: S311 - no secret
    for _ in range(60):
        draw.shuffle(order)
        place = draw.randrange(len(order))
        result = begun.picked(Turn(item, item.variants[0], "retry", tuple(order)), [place])
        verdicts[order[place] < len(item.right), result.right] += 1
    assert set(verdicts) == {(True, True), (False, False)}


def test_two_questions_may_be_answered_in_the_other_order():
    """QC61 Of two questions that were shown, the second is answered first, each with the order it was shown in."""
    begun = session()
    first = begun.next()
    begun.skip()
    second = begun.next()
    for turn in (second, first):
        key = typed_value(turn.asked(), turn.variant.answer)
        marked = begun.mark(turn, key)
        assert begun.answered(turn, key, marked, confidence=2, hint=False, milliseconds=9).right
