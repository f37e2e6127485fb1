"""A report in every form in which somebody may see it, and what no form may contain."""

from __future__ import annotations

import io
import unicodedata
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from json import loads

from rich.console import Console

from grader.course import Course
from grader.model import LANGUAGES, GradeReport, Language
from grader.report.html import html_report
from grader.report.json import json_report
from grader.report.junit import junit_report
from grader.report.terminal import print_report

MOST_CHARACTERS = 2**20

_SPACES = "\n\t\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"


def forms(report: GradeReport, course: Course) -> dict[str, str]:
    """The report as JSON, JUnit, HTML page and terminal text, in both languages: name of the form -> its text."""
    found = {"JSON": json_report(report)}
    for language in LANGUAGES:
        found[f"JUnit {language}"] = junit_report([report], language)
        found[f"page {language}"] = html_report(report, course, language)
        found[f"terminal {language}"] = _printed(report, course, language)
    return found


def _printed(report: GradeReport, course: Course, language: Language) -> str:
    written = io.StringIO()
    console = Console(file=written, width=100, force_terminal=False, color_system=None)
    print_report(report, course, language, console, verbose=True)
    return written.getvalue()


def faults(shown: dict[str, str]) -> list[str]:
    """What a submission has smuggled into a form: markup that acts, characters that steer, a text that is broken."""
    found = []
    for form, text in shown.items():
        steering = sorted({unicodedata.name(c, f"U+{ord(c):04X}") for c in text if _steers(c)})
        if len(text) > MOST_CHARACTERS:
            found.append(f"{form} is {len(text)} characters long")
        if steering:
            found.append(f"{form} holds {', '.join(steering)}")
        if form.startswith("page"):
            found += [f"{form} holds {what}" for what in _acting(text)]
        try:
            if form == "JSON":
                loads(text)
            elif form.startswith("JUnit"):
                ET.fromstring(text)  # noqa: S314 - our own text
        except ValueError as error:
            found.append(f"{form} cannot be read: {error}")
        except ET.ParseError as error:
            found.append(f"{form} cannot be read: {error}")
    return found


def _steers(character: str) -> bool:
    return character not in _SPACES and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def _acting(page: str) -> list[str]:
    """What acts in a page that needs nothing of the kind: scripts, embedded things, event handlers, addresses."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "object", "embed", "base", "form"):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or (name in ("href", "src") and not (value or "").startswith("#")):
                self.found.append(f"<{tag} {name}={value}>")
