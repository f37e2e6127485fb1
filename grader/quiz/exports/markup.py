"""The few marks that texts of the bank have, as HTML: `code` between backticks and ends of lines; all else is text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from grader.quiz.exports.entry import About, Entry

_CODE = re.compile(r"`([^`]+)`")


def as_html(text: str) -> str:
    """A text as HTML in one line."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False)).replace("\n", "<br>")


def as_plain(text: str) -> str:
    """A text without its marks."""
    return _CODE.sub(r"\1", text)


def listed(texts: Sequence[str]) -> str:
    """Texts as a list, "" where there are none."""
    return "<ul>" + "".join(f"<li>{as_html(text)}</li>" for text in texts) + "</ul>" if texts else ""


def explained(entry: Entry, about: About, *, mistakes: bool = False) -> str:
    """What is shown after an answer: the key, why, the line that shows it, and usual mistakes.

    Args:
        mistakes: list them all, where the platform cannot tell them one by one.
    """
    key = _paragraph(as_html(about.say("key_is", right=entry.key)))
    parts = [listed(entry.points) or key]
    parts.append(_paragraph(as_html(entry.explain)))
    if entry.line:
        parts.append(f"<pre>{escape(entry.line, quote=False)}</pre>")
    if mistakes and entry.wrong:
        told = [wrong.said if entry.points else about.told(wrong) for wrong in entry.wrong]
        parts += [_paragraph(as_html(about.say("usual_mistakes"))), listed(told)]
    return "".join(parts)


def _paragraph(html: str) -> str:
    return f"<p>{html}</p>"


def asked(entry: Entry, about: About, blank: int = 0) -> str:
    """The question as HTML; where several blanks are asked for one by one, with the number of this one."""
    text = as_html(entry.prompt)
    if len(entry.blanks) > 1:
        text += "<br>" + as_html(about.say("which_blank", number=blank + 1, count=len(entry.blanks)))
    if entry.kind in {"order", "code"}:
        key = "give_places" if entry.pairs else f"which_{entry.kind}"
        text += "<br>" + as_html(about.say(key))
    return text
