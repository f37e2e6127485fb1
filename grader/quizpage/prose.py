"""Marks up the sentences of a question: code becomes <code>, formulas MathML, gaps are read aloud as gaps.

"W^O has shape (3d, d); call x.view(B, L, -1)"  ->  <math>…</math> has shape (…; call <code>x.view(B, L, -1)</code>
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup, escape

from grader.model import Language, Message
from grader.report.visible import tell, visible

_NAME = r"[A-Za-z_]\w*"
_ROUND = r"\((?:[^()]|\([^()]*\))*\)"
_CALL = rf"(?<![\w^]){_NAME}(?:\.{_NAME})*{_ROUND}(?:\.{_NAME}(?:{_ROUND})?|\[[^\[\]]*\])*"
_DOTTED = rf"(?<![\w.])(?!e\.g|i\.e){_NAME}(?:\.{_NAME})+"
_VALUE = r"=(?:True|False|None|\d+)"
_SNAKE = rf"(?<![\w.])(?:[a-z]{{2,}}(?:_[a-z]+)+(?:{_VALUE})?|[a-z]{{2,}}{_VALUE})(?!\w)"
_OPERAND = rf"(?:{_CALL}|{_DOTTED}|(?<!\w){_NAME}(?![\w^])|{_ROUND})"
_CODE = rf"`[^`]+`|{_OPERAND}(?: @ {_OPERAND})+|{_CALL}|{_DOTTED}|{_SNAKE}"

_NUMBER, _LETTER = r"\d+(?:,\d{3})*(?:\.\d+)?", r"[A-Za-z](?:_[A-Za-z0-9]+)?"
_SYMBOL = rf"(?:√\([^()]*\)|√?(?:(?:{_NUMBER})?{_LETTER}|{_NUMBER})(?:\^(?:[A-Za-z]|-?\d+(?:\.\d+)?))?[²³]?)"
_SIGN = r" ?[·×÷/=+*−] ?| - "
_MATH = rf"(?<![\w.^√]){_SYMBOL}(?:(?:{_SIGN}){_SYMBOL})*(?![\w(^]|\.\w)"
_TUPLE = r"\([\w·√^²³*/ -]*(?:,[\w·√^²³*/ -]+)+\)"
_PIECE = re.compile(rf"(?P<code>{_CODE})|(?P<tuple>{_TUPLE})|(?P<math>{_MATH})", re.ASCII)
_STOPS = ".,:;!?。，：；！？、"
_WHOLE = 28  # characters of a shape that stays on one line
_PART = re.compile(
    r"√\((?P<under>[^()]*)\)|(?P<root>√)?(?P<base>\d+(?:,\d{3})*(?:\.\d+)?|[A-Za-z])(?:_(?P<sub>[A-Za-z0-9]+))?"
    r"(?:\^(?P<sup>[A-Za-z]|-?\d+(?:\.\d+)?))?(?P<small>[²³]?)|(?P<sign>[·×÷/=+*−-])|(?P<gap>\s+)",
    re.ASCII,
)
_NEEDS_MATH = re.compile(r"[_^√²³]")
_GAP = re.compile(r"_{3,}")


def prose(text: str, language: Language) -> Markup:
    """A sentence of the bank with its code and its formulas marked up; everything else is escaped."""
    parts: list[str] = []
    at = 0
    for piece in _PIECE.finditer(visible(text)):
        parts.append(str(escape(piece.string[at : piece.start()])))
        at = piece.end()
        if piece["code"]:
            parts.append(str(code(piece[0].strip("`"), language)))
        elif piece["tuple"]:
            inner = prose(piece[0][1:-1], language)
            whole = ' class="whole"' if len(piece[0]) <= _WHOLE else ""
            parts.append(f'<span dir="ltr"{whole}>({inner})</span>')
        else:
            shown = math(piece[0]) if _NEEDS_MATH.search(piece[0]) else escape(piece[0])
            stop = piece.string[at : at + 1]
            if shown != escape(piece[0]) and stop and stop in _STOPS and len(piece[0]) <= _WHOLE:
                at += 1  # no full stop alone on a line
                shown = Markup('<span class="whole">{}{}</span>').format(shown, stop)
            parts.append(str(shown))
    parts.append(str(escape(visible(text)[at:])))
    return _with_gaps("".join(parts), language)


def code(text: str, language: Language) -> Markup:
    """A piece of code; it reads from left to right in every language."""
    return Markup('<code dir="ltr" translate="no">{}</code>').format(_with_gaps(str(escape(visible(text))), language))


def _with_gaps(markup: str, language: Language) -> Markup:
    """What has to be filled in is a line to the eye, and a word to a screen reader, which would pass over a line."""
    if "___" not in markup:
        return Markup(markup)  # noqa: S704 - escaped by whoever calls
    gap = Markup('<span class="gap" role="img" aria-label="{}"></span>').format(
        tell(Message("quiz_page.gap"), language)
    )
    return Markup(_GAP.sub(str(gap), markup))  # noqa: S704 - as above


@cache
def math(text: str) -> Markup:
    """A formula as presentation MathML, which a browser draws and a screen reader speaks without any script.

    Args:
        text: what the checker echoes and the bank writes: 4·d_model², √(d_model / h), W_i^Q; other text is escaped.
    """
    inner = _row(text)
    if inner is None:
        return Markup('<span dir="ltr">{}</span>').format(visible(text))
    return Markup('<math dir="ltr">{}</math>').format(inner)


def _row(text: str) -> Markup | None:
    """The parts of a formula one after the other, None where a part is not known here."""
    parts: list[Markup] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            return None
        at = part.end()
        if part["gap"]:
            continue
        if part["sign"]:
            parts.append(Markup("<mo>{}</mo>").format({"*": "·", "-": "−"}.get(part["sign"], part["sign"])))
            continue
        if part["under"] is not None:
            under = _row(part["under"])
            if under is None:
                return None
            parts.append(Markup("<msqrt>{}</msqrt>").format(under))
        else:
            parts.append(_scripted(part))
    return Markup("").join(parts)


def _scripted(part: re.Match[str]) -> Markup:
    """A letter or number with what stands below and above it, perhaps below a root."""
    base, sub = _leaf(part["base"]), part["sub"]
    sup = part["sup"] or {"²": "2", "³": "3"}.get(part["small"], "")
    if sub and sup:
        made = Markup("<msubsup>{}{}{}</msubsup>").format(base, _leaf(sub), _leaf(sup))
    elif sub:
        made = Markup("<msub>{}{}</msub>").format(base, _leaf(sub))
    elif sup:
        made = Markup("<msup>{}{}</msup>").format(base, _leaf(sup))
    else:
        made = base
    return Markup("<msqrt>{}</msqrt>").format(made) if part["root"] else made


def _leaf(text: str) -> Markup:
    name = "mn" if text[-1].isdigit() else "mi"
    return Markup("<{0}>{1}</{0}>").format(Markup(name), text.replace("-", "−"))  # noqa: S704 - one of two names
