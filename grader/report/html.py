"""Writes a report as one HTML page that needs nothing else: no script, no picture, no font, no network.

    GradeReport -> View, plain strings and drawings -> templates/report.html (autoescaped) -> str

The style is allowed by its hash alone, so even markup that slipped through would bring no style, script or request.
Text of a student meets three walls: the view cuts it, `finalize` makes control characters visible, autoescape escapes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from grader.model import GradeReport, Language, Message
from grader.report.feedback import Feedback, raised, reduced
from grader.report.view import View
from grader.report.visible import tell, visible

if TYPE_CHECKING:
    from grader.course import Course

_TEMPLATES = Path(__file__).parent / "templates"


def html_report(
    report: GradeReport,
    course: Course,
    language: Language,
    feedback: Feedback = "full",
    *,
    assigned: Collection[str] | None = None,
) -> str:
    """The page for one report, in one language, as far as its student is shown it.

    Args:
        assigned: the exercises that were set, so that no other one is said to come next; left out, all of the course.
    """
    view = View(reduced(report, feedback), course, language, feedback, raised=raised(report), assigned=assigned)
    return template("report.html").render(view=view, style=style("report.css")) + "\n"


_HEAD_ENDS = "</header>"  # once in a page: text of a student is escaped
_TITLE = re.compile(r"(?<=<title>)([^<]*?): [^<]*(?= · Manyheads</title>)")
_SCORE = re.compile(
    r'(<p class="score"><span class="points">)[^<]*(</span>[^<]*?)(?: ?<span class="graded">[^<]*</span>)?(?=</p>)'
)
_OVERRIDE = re.compile(rf'  <p class="override"><strong>[^<]*</strong></p>\n(?={_HEAD_ENDS})')


class Counted(NamedTuple):
    """The points that count, the grader's own, and the most there are, as they are shown."""

    points: str
    graded: str
    most: str


def with_points(page: str, counted: Counted) -> str:
    """A finished page with the points that count in its title and as its large figure, the graded ones beside."""
    language: Language = "zh" if '<html lang="zh-CN">' in page[:200] else "en"
    told = tell(Message("report.points", {"points": counted.points, "most": counted.most}), language)
    graded = tell(Message("report.points_graded", {"points": counted.graded}), language)
    space = "" if language == "zh" else " "  # a full-width bracket brings its own
    beside = f'{space}<span class="graded">{graded}</span>' if counted.points != counted.graded else ""
    page = _TITLE.sub(lambda found: f"{found[1]}: {told}", page, count=1)
    return _SCORE.sub(lambda found: f"{found[1]}{counted.points}{found[2]}{beside}", page, count=1)


def with_override(page: str, sentence: str) -> str:
    """A finished page with one sentence about points that a person gave below the score; "" takes it out again."""
    bare = _OVERRIDE.sub("", page, count=1)
    if not sentence:
        return bare
    shown = Markup('  <p class="override"><strong>{}</strong></p>\n').format(visible(sentence))
    return bare.replace(_HEAD_ENDS, str(shown) + _HEAD_ENDS, 1)


def shows(head: str, language: Language, feedback: Feedback) -> bool:
    """Whether the head of a finished page is that of one in this language, with this much shown."""
    lang = "zh-CN" if language == "zh" else "en"
    return f'<html lang="{lang}">' in head and f'<meta name="feedback" content="{feedback}">' in head


def prepare() -> None:
    """Reads and compiles the templates ahead of time, so that it can happen while a worker starts."""
    template("shared.html")
    template("report.html")
    style("report.css")


@cache
def template(name: str) -> Template:
    """One of our templates, compiled."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        bytecode_cache=_compiled(),
        autoescape=True,
        auto_reload=False,  # they change with the program only
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: object) -> object:
    return value if isinstance(value, Markup) else visible(str(value))


def _compiled() -> FileSystemBytecodeCache | None:
    """Where the compiled template is kept, as Python keeps its own; it saves half the time that a page takes.

    None where Python keeps none or could not write it: what others may write is never run.
    """
    folder = _TEMPLATES / "__pycache__"
    if sys.dont_write_bytecode or not os.access(_TEMPLATES, os.W_OK):
        return None
    folder.mkdir(exist_ok=True)
    return FileSystemBytecodeCache(str(folder), "%s.jinja")


class Style(NamedTuple):
    """The page's only style sheet, and the hash that its security policy allows."""

    text: Markup
    sha256: str


@cache
def style(*names: str) -> Style:
    """Our style sheets of these names, one after the other."""
    text = "".join((_TEMPLATES / name).read_text(encoding="utf-8") for name in names)
    digest = hashlib.sha256(text.encode()).digest()
    return Style(Markup(text), base64.b64encode(digest).decode())  # noqa: S704  # our own file, no text of a student
