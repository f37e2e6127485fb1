"""The page of the steps: hostile text stays text, its size is bounded, and what must be there is there."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from course_parts import BY_HAND, PARTS, WHOLE, exercise, mistaken, references, walked, written

from grader.model import LANGUAGES, Language, Message, Text
from grader.pipeline.inputs import MOST_HEADS, MOST_LETTERS, MOST_TOKENS, MOST_VALUE, MOST_WIDTH, Sentence
from grader.pipeline.page import html_page
from grader.pipeline.steps import Walk
from tests.report.poison import ATTACKS

MOST_KIB = 1600  # of the largest page
TASK = exercise(WHOLE)


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def shape_of(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """Tags and the names of their attributes: what markup that slipped through would change."""
    return [(tag, tuple(attributes)) for tag, attributes in Tags(page).tags]


def poisoned(walk: Walk, text: str) -> Walk:
    """The same walk with a text in every field that a student can reach."""
    message = Message("sandbox.raised", {"type": text, "text": text})
    steps = tuple(replace(step, trouble=message, state="failed") for step in walk.steps)
    tokens = tuple(Text(text, text) for _token in walk.sentence.tokens)
    whole = replace(walk.whole, trouble=message, state="failed", parts={})
    return replace(walk, sentence=replace(walk.sentence, tokens=tokens), steps=steps, whole=whole)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_markup_of_a_student_stays_text(attack: str) -> None:
    """A text in an exception or a token makes no tag, no attribute and no second script."""
    walk = walked(references())
    calm, hostile = (html_page(poisoned(walk, text), TASK, "en") for text in ("calm", attack))
    assert shape_of(hostile) == shape_of(calm)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", hostile)


def test_names_of_a_students_own_are_text() -> None:
    """What a function returns or raises reaches the page as text, whatever it is called."""
    evil = type("<script>alert(1)</script>", (), {})

    def concat_heads(_heads: object) -> object:
        return evil()

    def project_heads(_heads: object, _w_o: object) -> None:
        raise type("<img src=x onerror=alert(1)>", (Exception,), {})("</script><script>alert(2)</script>")

    walk = walked({"04_concat": written(concat_heads=concat_heads), PARTS[4]: written(project_heads=project_heads)})
    page = html_page(walk, TASK, "en")
    assert page.count("<script>") == 1
    assert "<img" not in page
    assert "&lt;script&gt;alert(2)" in page


def test_nothing_is_allowed_but_our_own_style_and_script() -> None:
    """The policy allows one style and one script by their hashes, and no tag asks for anything from elsewhere."""
    page = html_page(walked(references()), TASK, "en")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; "
        r"base-uri 'none'; form-action 'none'",
        policy[1],
    )
    tags = Tags(page).tags
    assert sum(tag == "script" for tag, _attributes in tags) == sum(tag == "style" for tag, _attributes in tags) == 1
    for _tag, attributes in tags:
        assert not {"src", "style", "action", "data"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")


def test_the_largest_input_has_a_page_of_bounded_size() -> None:
    """The most tokens, numbers and heads, with the longest numbers, and everything wrong: still a page to open."""
    size = (MOST_TOKENS, MOST_WIDTH)
    rng = np.random.default_rng(3)
    names = ("w_q", "w_k", "w_v", "w_o")
    matrices = {name: rng.uniform(-MOST_VALUE, MOST_VALUE, (MOST_WIDTH, MOST_WIDTH)) for name in names}
    heads = max(each for each in range(1, MOST_HEADS + 1) if MOST_WIDTH % each == 0)
    token = Text("好" * MOST_LETTERS, "好" * MOST_LETTERS)
    sentence = Sentence((token,) * MOST_TOKENS, rng.uniform(-1, 1, size), matrices, heads)
    walk = walked({**references(), PARTS[1]: mistaken(PARTS[1], "scores-not-scaled")}, sentence)
    assert len(html_page(walk, TASK, "zh").encode()) <= MOST_KIB * 1024


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_whose_the_numbers_are(language: Language) -> None:
    """Each step says in words what is the student's, what is the reference's and where a difference begins."""
    subjects = {**references(*PARTS[:3]), PARTS[1]: mistaken(PARTS[1], "scores-not-scaled")}
    page = Tags(html_page(walked(subjects), TASK, language)).text
    for sentence in {
        "en": (
            "Your 01_split_heads gives the same.",
            "Your 02_scaled_scores gives something else; the first wrong cell is ringed.",
            "04_concat is not written yet, so this step is the reference's.",
            "there your 02_scaled_scores is the first that differs",
        ),
        "zh": ("你的 01_split_heads 结果相同。", "04_concat 还没有写", "你的 02_scaled_scores 从这里开始不同"),
    }[language]:
        assert sentence in page


def test_one_cell_is_ringed_where_a_step_is_wrong() -> None:
    """In the step that is wrong one cell is ringed; in those that carry it on the cells have corners only."""
    page = html_page(walked({**references(), PARTS[1]: mistaken(PARTS[1], "scores-not-scaled")}), TASK, "en")
    sections = page.split('<section class="step"')[1:]
    assert [section.count('class="frame"') for section in sections] == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert all('class="corner"' in section for section in sections[3:])


def test_only_what_a_function_gave_is_called_yours() -> None:
    """What is calculated from a student's values says so, also in a step that asks for another array."""
    other = written(causal_allowed=np.tri, masked_softmax=lambda *_: None)
    wrong = mistaken(PARTS[1], "scores-not-scaled")
    page = html_page(walked({**references(), PARTS[1]: wrong, PARTS[2]: other}), TASK, "en")
    mask, softmax = page.split('<section class="step"')[5:7]
    assert re.findall(r">(allowed|masked) · (?:Head 0 · )?(yours|from your values)<", mask) == [
        ("allowed", "yours"),
        ("masked", "from your values"),
    ]
    assert 'class="frame"' not in mask
    assert "weights · Head 0 · from your values<" in softmax


def test_every_panel_of_a_head_has_its_band() -> None:
    """Whatever belongs to a head carries its band, whose pattern the page defines; h bands mark the full columns."""
    page = html_page(walked({}), TASK, "en")
    full, split = page.split('<section class="step"')[1:3]
    assert (full.count('class="band h0"'), full.count('class="band h1"')) == (3, 3)
    assert (split.count('class="band h0"'), split.count('class="band h1"')) == (3, 3)
    for head in range(MOST_HEADS):
        assert f'<pattern id="head-{head}"' in page
        assert f'url("#head-{head}")' in page


def test_an_id_occurs_once() -> None:
    """No two elements of a page share an id, which their names for screen readers are found by."""
    subjects = {**references(), "04_concat": written(concat_heads=lambda heads: heads)}
    ids = [
        attributes["id"]
        for _tag, attributes in Tags(html_page(walked(subjects), TASK, "en")).tags
        if "id" in attributes
    ]
    assert len(ids) == len(set(ids))


def test_the_hand_calculation_is_named_only_where_it_is_one() -> None:
    """Other numbers do not pretend to be those of the tasks."""
    other = replace(BY_HAND, by_hand=False)
    assert "hand calculation" in html_page(walked({}), TASK, "en")
    assert "hand calculation" not in html_page(walked({}, other), TASK, "en")
