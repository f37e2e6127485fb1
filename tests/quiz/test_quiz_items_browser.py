"""The page about questions in headless Chromium: accessible, nothing cut off, nothing asked of the network."""

from pathlib import Path

import pytest
from made_bank import made_bank
from made_learners import learners, usual
from quiz_course import ROOT

from grader.cli.quiz_items_view import Told
from grader.course import load_course
from grader.model import LANGUAGES
from grader.quiz.items.analysis import analyse
from grader.quiz.items.joined import InCode, joined_mistakes
from grader.report.items_page import items_page
from tests.report.test_browser import OPEN, OVERFLOW, axe, browser  # noqa: F401  # fixtures

pytestmark = pytest.mark.browser
VIEWS = [("light", 1280, "en"), ("light", 390, "zh"), ("dark", 1280, "zh"), ("dark", 390, "en")]


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[tuple[str, str], Path]:
    """A class with a gradebook, and nobody at all, in both languages."""
    folder, course, bank = tmp_path_factory.mktemp("pages"), load_course(ROOT), made_bank()
    code = InCode(
        {"scores-not-scaled": frozenset({"learner-1"})},
        {"scores-not-scaled": frozenset({"02_scaled_scores"})},
        {"02_scaled_scores": frozenset({"learner-1", "learner-2"})},
    )
    made = {}
    turned = {"made.shape", "made.choice"}
    full = list(learners(bank, 60, lambda item, a: 1 - usual(item, a) if item.id in turned else usual(item, a)))
    for kind, who, known in (("class", full, code), ("nobody", [], None)):
        for language in LANGUAGES:
            joined = joined_mistakes(bank, who, known)
            told = Told(course, bank, analyse(bank, who), joined, known is not None, language)
            made[kind, language] = folder / f"{kind}-{language}.html"
            made[kind, language].write_text(items_page(told.page()), encoding="utf-8")
    return made


@pytest.mark.parametrize(("scheme", "width", "language"), VIEWS)
def test_the_page_is_accessible_and_whole(browser, axe, pages, scheme, width, language):  # noqa: F811
    """Axe finds nothing, the page never scrolls sideways, asks for itself alone, and complains of nothing."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    seen = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("console", lambda message: seen.append(message.text))
    for file in (file for (_, of_language), file in pages.items() if of_language == language):
        seen.clear()
        page.goto(file.as_uri())
        assert seen == [file.as_uri()]
        page.evaluate(OPEN)
        assert page.evaluate(OVERFLOW) <= 0, file
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()
    page.close()
