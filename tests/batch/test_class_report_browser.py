"""The report on a class in headless Chromium: accessible, nothing cut off, and quick for five thousand students."""

import random
import time
from pathlib import Path

import pytest
from made_results import filled, made_report, refused_a_socket

from grader.course import Course
from grader.gradebook.files import export
from grader.gradebook.inputs.collect import Row
from grader.model import LANGUAGES, Verdict
from grader.report.class_page import ClassPage, Linked, StudentLine, class_page
from tests.report.test_browser import OPEN, OVERFLOW, axe, browser  # noqa: F401  # fixtures

pytestmark = pytest.mark.browser
VIEWS = [("light", 1280, "en"), ("light", 390, "zh"), ("dark", 1280, "zh"), ("dark", 390, "en")]


SCROLL = "const box = document.querySelector('#everybody ~ .scroll');"
# Where the table begins, how far it could be scrolled to the right, how much of it was out of sight.
TABLE = f"""() => {{ {SCROLL} box.scrollLeft = 200;
    return [box.getBoundingClientRect().left, box.scrollLeft, box.scrollWidth - box.clientWidth]; }}"""
ROWS = f"""() => {{ {SCROLL} return [...box.querySelectorAll('tbody .id')].map(each => ({{
    text: each.textContent, left: each.getBoundingClientRect().left,
    lines: Math.round(each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight))}})) }}"""


@pytest.fixture(scope="module")
def wide(course: Course, tmp_path_factory) -> dict[str, Path]:
    """A class of all exercises, with names, unreadable files and an id that is too long for a line."""
    folder, rng = tmp_path_factory.mktemp("wide"), random.Random(2)  # noqa: S311 - made results
    students = {"h_exit_import": "Maria Hohenlohe", "20260131_wang_fang_of_the_second_year": "王芳", "bob": "Bob"}
    reports = [one_result(course, who, name, rng) for who in students for name in course.names]
    book = filled(folder, reports, [Row("zed", name, "unreadable") for name in course.names])
    book.know(students)
    made = {}
    for language in LANGUAGES:
        export(book, course, folder, language)
        made[language] = (folder / "index.html").rename(folder / f"{language}.html")
    book.close()
    return made


@pytest.fixture(scope="module")
def pages(course: Course, tmp_path_factory) -> dict[tuple[str, str], Path]:
    """A class of one exercise and one of a whole course, in both languages."""
    made = {}
    for kind, exercises in (("one", ["04_concat"]), ("course", list(course.names)[:3])):
        folder = tmp_path_factory.mktemp(kind)
        rng = random.Random(1)  # noqa: S311 - made results
        reports = [one_result(course, f"student-{i}", name, rng) for i in range(6) for name in exercises]
        book = filled(folder, reports, [Row("zed", name, "missing") for name in exercises])
        book.know({"student-1": "Maria-Magdalena von Hohenlohe-Langenburg", "student-2": "王芳"})
        for language in LANGUAGES:
            export(book, course, folder, language)
            made[kind, language] = (folder / "index.html").rename(folder / f"{language}.html")
        book.close()
    return made


def one_result(course: Course, who: str, exercise: str, rng: random.Random):
    """Something of everything that a report can tell."""
    checks = [rng.random() < 0.7 for _ in course.exercises[exercise].rules]
    slugs = list(course.mistakes)[:20]
    if rng.random() < 0.1:
        return made_report(course, who, [False] * len(checks), exercise=exercise, verdict=Verdict.CRASHED)
    if rng.random() < 0.2 or all(checks):
        return made_report(course, who, checks, exercise=exercise, failure=refused_a_socket())
    named = {rng.choice(slugs): True, rng.choice(slugs): rng.random() < 0.8}
    return made_report(course, who, checks, exercise=exercise, mistakes=named)


@pytest.mark.parametrize(("scheme", "width", "language"), VIEWS)
def test_a_class_report_is_accessible_and_whole(browser, axe, pages, scheme, width, language):  # noqa: F811
    """Situations C165, C166: axe finds nothing, no page scrolls sideways, asks for more than itself, or complains."""
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


@pytest.mark.parametrize(("scheme", "width", "language"), VIEWS)
def test_sixteen_exercises_fit_and_ids_stay_in_sight(browser, wide, scheme, width, language):  # noqa: F811
    """On a wide screen nothing scrolls; on a narrow one ids stay, whole words of them; the page is never wider."""
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.goto(wide[language].as_uri())
    there, seen, hidden = page.evaluate(TABLE)
    assert page.evaluate(OVERFLOW) <= 0
    assert (hidden <= 0) == (width == 1280)
    rows = {row["text"]: row for row in page.evaluate(ROWS)}
    assert {row["left"] for row in rows.values()} == {there}  # where the table begins, though it was scrolled
    assert seen == min(200, max(0, hidden))
    assert rows["h_exit_import"]["lines"] == 1
    assert rows["20260131_wang_fang_of_the_second_year"]["lines"] > 1
    page.close()


def test_a_printed_report_shows_what_is_folded(browser, pages):  # noqa: F811
    """On paper nothing is folded away and no link leads inside the page; there are margins, and every row is there."""
    page = browser.new_page()
    page.goto(pages["course", "en"].as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    folded = (
        "[...document.querySelectorAll('details > :not(summary)')].filter(e => e.getBoundingClientRect().height < 1)"
    )
    assert page.evaluate(f"{folded}.length") == 0
    assert page.pdf(prefer_css_page_size=True)[:5] == b"%PDF-"
    page.close()


def test_a_page_of_five_thousand_students_opens_at_once(browser, tmp_path):  # noqa: F811
    """80,000 results are one page of a few megabytes, made in seconds and laid out in less."""
    cells = tuple(Linked("10", f"reports/student-0000/{i:02}_exercise.html") for i in range(16))
    lines = tuple(StudentLine(f"student-{i:04}", "", "160", cells) for i in range(5000))
    parts = dict.fromkeys(("exercises", "lesson", "mistakes", "pairs", "discussed", "looks"), ())
    columns = tuple(f"{i:02}" for i in range(16))
    begun = time.process_time()
    text = class_page(
        ClassPage(
            *("en", "now", "160", 5000, 80000, tuple(i / 5000 for i in range(5000)), "50%"),
            **parts,
            columns=columns,
            lines=lines,
        )
    )
    assert time.process_time() - begun < 20
    assert len(text) < 8e6
    file = tmp_path / "index.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_page()
    begun = time.monotonic()
    page.goto(file.as_uri())
    assert page.evaluate("document.querySelectorAll('.everybody tbody tr').length") == 5000
    assert page.evaluate(OVERFLOW) <= 0
    assert time.monotonic() - begun < 20
    page.close()
