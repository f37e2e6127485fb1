"""GIFT, Moodle's text format: one question after another, each sign that means something escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.quiz.exports.entry import About, Blank, Entry, Note
from grader.quiz.exports.markup import as_html, asked, explained
from grader.quiz.exports.notes import left_out, notes_of
from grader.quiz.exports.spellings import decimal, percent

_MEANING = re.compile(r"([\\~=#{}:])")


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The file; what has no place in it is among the notes."""
    lines: list[str] = []
    notes: list[Note] = []
    category = ""
    for entry in entries:
        if note := left_out(entry):
            notes.append(note)
            continue
        place = f"{about.name.replace('/', '//')}/{entry.title.replace('/', '//')}"
        if place != category:
            lines += [f"$CATEGORY: {place}", ""]
            category = place
        lines += [line for question in _questions(entry, about) for line in (*question, "")]
        notes += notes_of(entry)
    return "\n".join(lines).encode(), notes


def escaped(text: str) -> str:
    """A text in which nothing means anything to GIFT."""
    return _MEANING.sub(r"\\\1", text).replace("\n", "\\n")


def _questions(entry: Entry, about: About) -> Iterator[tuple[str, ...]]:
    feedback = f"####{escaped(explained(entry, about, mistakes=bool(entry.pairs or entry.points)))}"
    if not entry.blanks:
        yield _question(entry.name, asked(entry, about), "{", [*_answers(entry), feedback])
    for i, blank in enumerate(entry.blanks):
        name = entry.name if len(entry.blanks) == 1 else f"{entry.name}.{i + 1}"
        answers = _words(blank) if blank.value is None else _numbers(blank)
        yield _question(name, asked(entry, about, i), "{" if blank.value is None else "{#", [*answers, feedback])


def _question(name: str, text: str, opening: str, answers: Sequence[str]) -> tuple[str, ...]:
    return (
        f"// [id:{name}]",
        f"::{escaped(name)}::[html]{escaped(text)}{opening}",
        *(f"  {each}" for each in answers),
        "}",
    )


def _numbers(blank: Blank) -> Iterator[str]:
    near = decimal(blank.tolerance)
    yield f"={blank.shown}:{near}"
    yield from (f"=%0%{wrong.text}:{near}#{_html(wrong.said)}" for wrong in blank.wrong if wrong.value is not None)


def _words(blank: Blank) -> Iterator[str]:
    yield from (f"={_typed(text)}" for text in blank.spellings)
    yield from (f"=%0%{_typed(text)}#{_html(wrong.said)}" for wrong in blank.wrong for text in wrong.spellings)


def _answers(entry: Entry) -> Iterator[str]:
    share = percent(sum(choice.right for choice in entry.choices))
    for choice in entry.choices:
        sign = f"~%{'' if choice.right else '-'}{share}%" if entry.several else "=" if choice.right else "~"
        yield f"{sign}{_html(choice.text)}" + (f"#{_html(choice.said)}" if choice.said else "")
    yield from (f"={_pair(_html(left))} -> {_pair(escaped(right))}" for left, right in entry.pairs)


def _typed(text: str) -> str:
    """An answer that is compared as text; for Moodle a bare * would stand for anything."""
    return escaped(text.replace("*", "\\*"))


def _html(text: str) -> str:
    return escaped(as_html(text))


def _pair(text: str) -> str:
    """An end of a pair; the two are told apart by the first arrow."""
    return text.replace("-&gt;", "→").replace("->", "→")
