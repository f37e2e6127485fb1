"""Sentences of the bank become markup: formulas MathML, code code, everything else the text that it is."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import installed_course
from grader.quiz.answers import show_value
from grader.quiz.lock import filled, read_lock
from grader.quizpage.prose import math, prose
from grader.quizpage.wording import keys_of, options_of

MARKED = re.compile('<math.*?</math>|<code.*?</code>|<span class="gap".*?</span>')


def plain(markup: str) -> str:
    """The characters of a piece of markup."""
    return "".join(ET.fromstring(f"<p>{markup}</p>").itertext())  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("d_k", "<msub><mi>d</mi><mi>k</mi></msub>"),
        ("W^O", "<msup><mi>W</mi><mi>O</mi></msup>"),
        ("W_i^Q", "<msubsup><mi>W</mi><mi>i</mi><mi>Q</mi></msubsup>"),
        ("√d_k", "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>"),
        ("4d²", "<mn>4</mn><msup><mi>d</mi><mn>2</mn></msup>"),
        ("2^-3", "<msup><mn>2</mn><mn>−3</mn></msup>"),
        ("e^0.71", "<msup><mi>e</mi><mn>0.71</mn></msup>"),
        ("√(d_k / h)", "<msqrt><msub><mi>d</mi><mi>k</mi></msub><mo>/</mo><mi>h</mi></msqrt>"),
        ("3·d_k = 1,536", "<mn>3</mn><mo>·</mo><msub><mi>d</mi><mi>k</mi></msub><mo>=</mo><mn>1,536</mn>"),
    ],
)
def test_a_formula_becomes_mathml(text, formula):
    """Scripts, roots and products are marked up, in a sentence of either language."""
    assert str(math(text)) == f'<math dir="ltr">{formula}</math>'
    assert str(prose(f"Say {text} now.", "en")) == f'Say <math dir="ltr">{formula}</math> now.'
    whole = f'Say <span class="whole"><math dir="ltr">{formula}</math>.</span>'  # no full stop alone on a line
    assert str(prose(f"Say {text}.", "en")) == whole
    assert str(prose(f"是{text}，对。", "zh")) == f'是<span class="whole"><math dir="ltr">{formula}</math>，</span>对。'


def test_two_symbols_in_a_line_are_two_formulas():
    """QC74 Underscores never pair up to emphasis."""
    made = str(prose("d_k and d_v differ", "en"))
    assert made.count("<math") == 2
    assert "<em>" not in made


@pytest.mark.parametrize(
    "text",
    ["x.view(B, L, h, d_k).transpose(1, 2)", "q @ k.transpose(-2, -1)", "mha(x, x, x)[1]", "k.T", "batch_first=True"],
)
def test_code_stays_as_it_is_written(text):
    """A call, an attribute, a keyword is code, from left to right, whatever stands around it."""
    made = str(prose(f"用 {text} 会怎样？", "zh"))
    assert f'<code dir="ltr" translate="no">{text}</code>' in made


@pytest.mark.parametrize(
    "text", ["3 heads, 4 tables", "A layer (of a model) has 1/2", "e.g. this. And that", "q·k = 2"]
)
def test_plain_text_stays_plain(text):
    """Words, numbers and brackets alone are neither code nor formula."""
    assert str(prose(text, "en")) == text


def test_a_shape_stays_on_one_line():
    """A shape is held together and reads from left to right, formulas in it too."""
    made = str(prose("x is (h, L, d_k).", "en"))
    assert re.fullmatch(r'x is <span dir="ltr" class="whole">\(h, L, <math dir="ltr">.*</math>\)</span>\.', made)


def test_a_blank_has_a_name():
    """A gap is drawn, and read aloud as a word."""
    assert 'role="img" aria-label="blank"' in str(prose("mha(x, ______=False)", "en"))
    assert 'aria-label="空格"' in str(prose("填上 ____。", "zh"))


@given(st.text(alphabet="ab_^√²()·/ <>&\"'`@.=1,头", max_size=40))
def test_no_text_breaks_the_markup(text):
    """Whatever a text holds, its markup is well-formed and made of our own elements alone."""
    made = str(prose(text, "en"))
    tree = ET.fromstring(f"<p>{made}</p>")  # noqa: S314 - our own
    known = {"p", "math", "code", "span", "mi", "mn", "mo", "msub", "msup", "msubsup", "msqrt"}
    assert {element.tag for element in tree.iter()} <= known


def test_every_formula_of_the_bank_is_drawn():
    """QC75 No sentence of the bank shows a bare underscore, caret, root, square or backquote, in either language."""
    left = set()
    for item in read_lock(installed_course()).items.values():
        variant = item.variants[0]
        texts = [item.prompt, item.hint, item.explain, *item.right, *item.ends]
        texts += [text for wrong in item.wrong for text in (wrong.why, wrong.text) if text]
        for text in texts:
            for language in ("en", "zh"):
                made = str(prose(filled(text, variant, language), language))
                left |= {(item.id, made)} if re.search("[_^√²³`]", MARKED.sub("", made)) else set()
    assert left == set()


def test_every_option_and_key_of_the_bank_can_be_shown():
    """Each question of the bank has its options and its key as markup, no two options alike."""
    from page_reader import turn_of  # noqa: PLC0415

    for item in read_lock(installed_course()).items.values():
        turn = turn_of(item)
        for language in ("en", "zh"):
            options = [str(option) for option in options_of(turn, language)]
            assert len(set(options)) == len(options), item.id
            assert all(plain(str(key)).strip() for key in keys_of(turn, language)), item.id
        if item.offered:
            assert show_value(item.kind, turn.variant.answer)
