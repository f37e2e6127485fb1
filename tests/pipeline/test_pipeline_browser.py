"""The page of the steps in headless Chromium: accessible, walked with keys alone, and whole without a script."""

from pathlib import Path

import pytest
from course_parts import PARTS, WHOLE, exercise, mistaken, references, walked

from grader.model import LANGUAGES
from grader.pipeline.page import html_page
from tests.report.test_browser import OVERFLOW, axe, browser  # noqa: F401  # fixtures

pytestmark = pytest.mark.browser
VIEWS = [("light", 1280, "en"), ("light", 390, "zh"), ("dark", 1280, "zh"), ("dark", 390, "en")]
LAST = 8
SHOWN = "[...document.querySelectorAll('.step')].filter(step => !step.hidden).map(step => step.id)"
FOCUSED = "document.activeElement.dataset.do || document.activeElement.id || document.activeElement.tagName"
# Each number and the cell it stands in, as [text width, cell width].
NUMBERS = """() => [...document.querySelectorAll('svg.tensor g')].map(
    cell => [cell.querySelector('text').getBBox().width, cell.querySelector('rect').getBBox().width])"""


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """A page with steps that are right, wrong, carried on and not written, in both languages."""
    folder = tmp_path_factory.mktemp("steps")
    subjects = {**references(*PARTS[:3], WHOLE), PARTS[1]: mistaken(PARTS[1], "scores-not-scaled")}
    walk = walked(subjects)
    made = {}
    for language in LANGUAGES:
        made[language] = folder / f"{language}.html"
        made[language].write_text(html_page(walk, exercise(WHOLE), language), encoding="utf-8")
    return made


@pytest.fixture
def page(browser, files):  # noqa: F811
    """The English page, with everything it asks for and complains about."""
    opened = browser.new_page(viewport={"width": 1280, "height": 844})
    opened.seen = []
    opened.on("request", lambda request: opened.seen.append(request.url))
    opened.on("console", lambda message: opened.seen.append(message.text))
    opened.on("pageerror", lambda error: opened.seen.append(str(error)))
    opened.clock.install()
    opened.goto(files["en"].as_uri())
    yield opened
    opened.close()


@pytest.mark.parametrize(("scheme", "width", "language"), VIEWS)
def test_the_steps_are_accessible_and_whole(browser, axe, files, scheme, width, language):  # noqa: F811
    """Axe finds nothing in all steps together, the page never scrolls sideways, and numbers fit their cells."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce")
    page.goto(files[language].as_uri())
    for button in ("next", "all"):
        page.click(f'[data-do="{button}"]')
        assert page.evaluate(OVERFLOW) <= 0
    results = axe.run(page)
    assert results.violations_count == 0, results.generate_report()
    assert all(text <= cell for text, cell in page.evaluate(NUMBERS))
    page.close()


def test_keys_walk_through_all_steps(page):
    """Right and left go one step, Home and End to the edges, and beyond an edge nothing happens."""
    assert page.evaluate(SHOWN) == ["step-0"]
    seen = []
    for key in ["ArrowRight"] * (LAST + 1) + ["ArrowLeft", "Home", "ArrowLeft", "End"]:
        page.keyboard.press(key)
        seen += page.evaluate(SHOWN)
    assert seen == [f"step-{i}" for i in (*range(1, LAST + 1), LAST, LAST - 1, 0, 0, LAST)]
    assert page.inner_text("[role=status]") == "Step 8 of 8: Times W^O"
    assert page.seen == [page.url]


def test_everything_is_reached_with_the_tab_key(page):
    """Buttons are in the order of reading, keep the focus when they are pressed, and links lead to their step."""
    order = []
    while "all" not in order:
        page.keyboard.press("Tab")
        order.append(page.evaluate(FOCUSED))
    assert order[-4:] == ["back", "play", "next", "all"]
    page.focus('[data-do="next"]')
    page.keyboard.press("Enter")
    assert (page.evaluate(SHOWN), page.evaluate(FOCUSED)) == (["step-1"], "next")
    page.focus('.overview a[href="#step-5"]')
    page.keyboard.press("Enter")
    assert (page.evaluate(SHOWN), page.evaluate(FOCUSED)) == (["step-5"], "title-5")
    page.focus('[data-do="all"]')
    page.keyboard.press("Space")
    assert len(page.evaluate(SHOWN)) == LAST + 1


def test_playing_goes_on_by_itself_and_can_be_stopped(page):
    """Play shows a step after the other and ends at the last; the same button, or any key of the walk, stops it."""
    page.click('[data-do="play"]')
    assert page.inner_text('[data-do="play"]') == "Pause"
    page.clock.run_for(4_000)
    assert page.evaluate(SHOWN) == ["step-1"]
    page.click('[data-do="play"]')
    page.clock.run_for(60_000)
    assert page.evaluate(SHOWN) == ["step-1"]
    page.click('[data-do="play"]')
    page.clock.run_for(60_000)
    assert (page.evaluate(SHOWN), page.inner_text('[data-do="play"]')) == ([f"step-{LAST}"], "Play")


def test_who_wants_no_motion_sees_none(browser, files):  # noqa: F811
    """A step arrives with a small movement, but not where less motion is asked for."""
    for motion, animated in (("no-preference", True), ("reduce", False)):
        page = browser.new_page(reduced_motion=motion)
        page.goto(files["en"].as_uri())
        name = page.evaluate("getComputedStyle(document.querySelector('.step')).animationName")
        assert (name != "none") is animated
        page.close()


def test_without_a_script_it_is_one_long_page(browser, files):  # noqa: F811
    """Every step is shown, the buttons that would do nothing are not, and links lead to the steps."""
    page = browser.new_page(java_script_enabled=False)
    page.goto(files["zh"].as_uri())
    assert all(page.is_visible(f"#step-{number}") for number in range(LAST + 1))
    assert not page.is_visible(".player")
    assert not page.is_visible(".keyboard")
    page.click('.overview a[href="#step-3"]')
    assert page.url.endswith("#step-3")
    page.close()


def test_on_paper_all_steps_are_there(page):
    """What is printed holds every step, whichever is shown."""
    page.emulate_media(media="print")
    assert all(page.is_visible(f"#step-{number}") for number in range(LAST + 1))
    assert not page.is_visible(".player")
