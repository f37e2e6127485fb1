"""A sheet to print: the questions with room to write, and the key on pages of its own; one HTML file, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from grader.quiz.exports.entry import About, Entry, Note
from grader.quiz.exports.markup import as_html

_STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.5 system-ui, "Noto Sans CJK SC", sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #111; background: #fff; }
h1 { font-size: 1.5em; margin: 0; } h2 { font-size: 1.15em; margin: 1.6em 0 0.4em; break-after: avoid; }
ol.questions { padding-left: 2.2em; } ol.questions > li { margin: 0 0 1.1em; break-inside: avoid; }
ul.options, ul.ends { list-style: none; padding: 0; margin: 0.3em 0; }
ul.options li { padding-left: 1.6em; text-indent: -1.6em; } ul.options li::before { content: "☐"; display: inline-block;
  width: 1.6em; text-indent: 0; }
ul.ends li::before { content: "___ "; }
ul.letters { list-style: none; padding: 0; } .columns { display: flex; flex-wrap: wrap; gap: 0 3em; }
.line { border-bottom: 1px solid #555; height: 1.7em; margin-right: 30%; } .wide .line { margin-right: 0; }
.who { display: flex; flex-wrap: wrap; gap: 0.4em 2em; margin: 0.8em 0; } .who span { flex: 1 1 14em;
  border-bottom: 1px solid #555; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
.key { break-before: page; border-top: 2px solid #111; margin-top: 3em; padding-top: 1em; }
.key dl { margin: 0.2em 0 0; } .key dt { float: left; clear: left; } .key dd { margin: 0 0 0.2em 1.2em; }
.muted { color: #555; font-size: 0.9em; } p { margin: 0.2em 0; } ul.mistakes { margin: 0.1em 0; padding-left: 1.2em; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The page; every type of question has a place on it."""
    language = "zh-CN" if about.language == "zh" else "en"
    body = [*_questions(entries, about), *_key(entries, about)]
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{language}">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{escape(about.name)}</title><style>{_STYLE}</style></head>",
        "<body>",
        *body,
        "</body></html>",
    ]
    return ("\n".join(lines) + "\n").encode(), []


def _topics(entries: Sequence[Entry]) -> Iterator[tuple[str, list[tuple[int, Entry]]]]:
    """Questions with their numbers, by topic as they follow each other."""
    for title, group in groupby(enumerate(entries, 1), key=lambda numbered: numbered[1].title):
        yield title, list(group)


def _questions(entries: Sequence[Entry], about: About) -> Iterator[str]:
    yield f"<header><h1>{escape(about.name)}</h1>"
    yield f'<p class="who"><span>{about.say("sheet_name")}</span><span>{about.say("sheet_date")}</span></p></header>'
    yield "<main>"
    for title, group in _topics(entries):
        yield f'<section><h2>{escape(title)}</h2><ol class="questions" start="{group[0][0]}">'
        for _, entry in group:
            yield f"<li><p>{as_html(entry.prompt)}</p>{_room(entry, about)}</li>"
        yield "</ol></section>"
    yield "</main>"


def _room(entry: Entry, about: About) -> str:
    """Where the answer goes."""
    if entry.kind == "code":
        return '<div class="wide"><div class="line"></div></div>'
    if entry.kind == "order":
        return f'<p class="muted">{about.say("give_places")}</p>{_list("ends", entry.mixed)}'
    if entry.choices:
        several = f'<p class="muted">{about.say("sheet_several")}</p>' if entry.several else ""
        return several + _list("options", [choice.text for choice in entry.choices])
    if entry.kind == "match":
        ends = [f"{chr(ord('a') + i)}) {right}" for i, right in enumerate(_ends(entry))]
        return f'<div class="columns">{_list("ends", entry.mixed)}{_list("letters", ends)}</div>'
    line = '<div class="line"></div>'
    return f'<div class="wide">{line * 6}</div>' if entry.points else line


def _ends(entry: Entry) -> list[str]:
    return sorted({right for _, right in entry.pairs})


def _list(name: str, texts: Sequence[str]) -> str:
    return f'<ul class="{name}">' + "".join(f"<li>{as_html(text)}</li>" for text in texts) + "</ul>"


def _key(entries: Sequence[Entry], about: About) -> Iterator[str]:
    yield f'<section class="key"><h1>{about.say("sheet_key")}</h1>'
    for title, group in _topics(entries):
        yield f'<h2>{escape(title)}</h2><ol class="questions" start="{group[0][0]}">'
        for _, entry in group:
            told = [each.said if entry.points else about.told(each) for each in entry.wrong]
            key = as_html(entry.key)
            yield f"<li><p><strong>{key}</strong></p><p>{as_html(entry.explain)}</p>{_list('mistakes', told)}</li>"
        yield "</ol>"
    yield f'<p class="muted">{about.say("sheet_edition", edition=about.edition, revision=about.revision)}</p></section>'
