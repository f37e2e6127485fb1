"""The page is looked at in headless Chromium: accessible, nothing cut off, nothing asked of the network."""

import os
from itertools import product
from pathlib import Path

import pytest

from grader.model import LANGUAGES
from grader.report.html import html_report
from tests.report.poison import ATTACKS, poisoned
from tests.report.samples import all_reports, concat_merged, course

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",  # root has no other way; the page is our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWS = list(product(("light", "dark"), LANGUAGES, (1280, 390)))
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What is folded away is looked at too.
OPEN = "document.querySelectorAll('details').forEach(each => each.open = true)"
CUT = """() => [...document.querySelectorAll('pre:not(:has(.before))')]
    .filter(box => box.scrollWidth > box.clientWidth).map(box => box.textContent)"""
# Each number and the cell it stands in, as [text width, cell width].
NUMBERS = """() => [...document.querySelectorAll('svg.heat g, svg.map g')].map(
    cell => [cell.querySelector('text').getBBox().width, cell.querySelector('rect').getBBox().width])"""

pytestmark = pytest.mark.browser
every_view = pytest.mark.parametrize(("scheme", "language", "width"), VIEWS)


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  # so that a missing package is told in words
    except ImportError:
        pytest.fail("The browser tests need Playwright: pip install -e '.[dev]'", pytrace=False)
    if not os.access(CHROMIUM, os.X_OK):
        command = "apt-get update && apt-get install -y chromium fonts-noto-cjk"
        pytest.fail(f"The browser tests need {CHROMIUM}: {command}", pytrace=False)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def axe():
    try:
        from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415
    except ImportError:
        pytest.fail("The accessibility test needs axe: pip install -e '.[dev]'", pytrace=False)
    return Axe()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Every sample report as a file, by name and language."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for (name, report), language in product(all_reports().items(), LANGUAGES):
        made[name, language] = folder / f"{name}-{language}.html"
        made[name, language].write_text(html_report(report, course(), language), encoding="utf-8")
    return made


@pytest.fixture
def pages(browser, files, scheme, language, width):
    """Opens each report in turn, as one reader would see it, and notes what it asks for and complains about."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.asked, page.complaints = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))

    def opened():
        for (name, of_language), file in files.items():
            if of_language == language:
                page.asked.clear()
                page.complaints.clear()
                page.goto(file.as_uri())
                yield name, page

    yield opened()
    page.close()


@every_view
def test_axe_finds_nothing(pages, axe):
    """No report breaks a rule of axe, in either language, light or dark, wide or narrow."""
    found = {}
    for name, page in pages:
        page.evaluate(OPEN)
        results = axe.run(page)
        if results.violations_count:
            found[name] = results.generate_report()
    assert found == {}


@every_view
def test_nothing_runs_over_the_edge(pages):
    """The page never scrolls sideways, and code wraps; only a wide array scrolls, or code with a sign below it."""
    seen = {name: (page.evaluate(OVERFLOW), page.evaluate(CUT)) for name, page in pages}
    assert {name: found for name, found in seen.items() if found[0] > 0 or found[1]} == {}


@every_view
def test_nothing_is_asked_for_and_nothing_complained_about(pages):
    """A report asks for its own file alone, and its style is not refused by its own security policy."""
    for _, page in pages:
        assert page.asked == [page.url]
        assert page.complaints == []
        assert page.evaluate("getComputedStyle(document.body).maxWidth") != "none"  # as it is without a style


@every_view
def test_every_number_fits_its_cell(pages):
    """No number of a heat map is wider than its cell."""
    for name, page in pages:
        assert [(name, text, cell) for text, cell in page.evaluate(NUMBERS) if text > cell] == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_text_changes_nothing(browser, tmp_path, attack):
    """Whatever a text holds, no script runs, no style is refused, nothing is asked for or runs over the edge."""
    file = tmp_path / "report.html"
    file.write_text(html_report(poisoned(concat_merged(), ATTACKS[attack]), course(), "zh"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    seen = []
    for event in ("request", "console", "dialog", "pageerror"):
        page.on(event, lambda what, event=event: seen.append((event, str(getattr(what, "url", what)))))
    page.goto(file.as_uri())
    assert seen == [("request", file.as_uri())]
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).display") == "block"
    page.close()
