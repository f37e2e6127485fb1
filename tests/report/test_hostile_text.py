"""Text of a student reaches no output as markup or as a control character, whatever field it comes in."""

import io
import itertools
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.model import LANGUAGES
from grader.report.html import html_report
from grader.report.json import json_report
from grader.report.junit import junit_report
from grader.report.terminal import print_report
from tests.report.poison import ATTACKS, poisoned
from tests.report.samples import all_reports, course

REPORTS = all_reports()
TAGS = """
html head meta title style body header main footer section article h1 h2 h3 h4 p a span b strong code pre
ol ul li dl dt dd div figure figcaption details summary table caption thead tbody tr th td svg g rect path text desc
"""
ATTRIBUTES = """
lang href charset http-equiv content name class id role scope colspan tabindex aria-labelledby aria-describedby
aria-hidden aria-label viewbox preserveaspectratio width height x y d rx
"""

every_attack = pytest.mark.parametrize("attack", ATTACKS)


def everywhere(attack):
    """Every sample report with the attack in all its strings, in each language."""
    reports = [poisoned(report, ATTACKS[attack]) for report in REPORTS.values()]
    return itertools.product(LANGUAGES, reports)


def harmless(text):
    """Every character can be seen, or is a space, or ends a line."""
    return text.translate(dict.fromkeys(map(ord, "\n\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"), " ")).isprintable()


class Strict(HTMLParser):
    """Reads a page and accepts only the elements and attributes of our template."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.said = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS.split()
        assert {name for name, _ in attrs} <= set(ATTRIBUTES.split())
        assert dict(attrs).get("href", "#finding-1") == "#finding-1"

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.said.append(data)

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data[:50]}")

    def unknown_decl(self, data):
        pytest.fail(f"a declaration: {data[:50]}")


def test_the_poison_reaches_every_string():
    """The walk over the nouns leaves no free text behind, and keeps what comes from a closed list."""
    left = json.loads(json_report(poisoned(REPORTS["raises"], "POISON")))

    def strings(value):
        if isinstance(value, dict):
            return [found for key, item in value.items() if key != "key" for found in strings(item)]
        if isinstance(value, list):
            return [found for item in value for found in strings(item)]
        return [value] if isinstance(value, str) else []

    closed = {"wrong", "error", "unknown", "array", "strong"}
    assert {text for text in strings(left) if text != "POISON"} <= closed


@every_attack
def test_the_page_stays_ours(attack):
    """Only our own elements and attributes are in the page, and nothing in it is invisible or endless."""
    for language, report in everywhere(attack):
        page = html_report(report, course(), language)
        Strict(page)
        assert harmless(page)
        page.encode()
        assert len(page) < 400_000


@every_attack
def test_the_terminal_stays_ours(attack):
    """No control character but our own colours is printed, no markup is read, no line is too wide."""
    for language, report in everywhere(attack):
        console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
        print_report(report, course(), language, console, verbose=True)
        text = re.sub(r"\x1b\[[\d;]*m", "", console.file.getvalue())
        assert harmless(text)
        text.encode()
        assert max(map(cell_len, text.splitlines())) <= 80
        assert len(text) < 100_000


@every_attack
def test_junit_stays_well_formed(attack):
    """The document can be read back whatever the texts were, and holds no character that XML forbids."""
    for language, report in everywhere(attack):
        text = junit_report([report], language)
        assert harmless(text)
        ET.fromstring(text.encode())  # noqa: S314  # our own
        assert len(text) < 400_000


@every_attack
def test_json_stays_json(attack):
    """The text can be read back and shown in a terminal."""
    for report in REPORTS.values():
        text = json_report(poisoned(report, ATTACKS[attack]))
        assert harmless(text)
        assert json.loads(text)["schema"] == 1


@pytest.mark.parametrize("attack", ["script", "template", "markup", "format", "entity"])
def test_the_text_itself_is_still_told(attack):
    """Making it safe does not lose it: the reader sees what the student wrote, character by character."""
    report = poisoned(REPORTS["raises"], ATTACKS[attack])
    assert ATTACKS[attack] in "".join(Strict(html_report(report, course(), "en")).said)
    console = Console(file=io.StringIO(), width=200)
    print_report(report, course(), "en", console)
    assert ATTACKS[attack] in console.file.getvalue()
