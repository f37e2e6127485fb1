"""Moodle XML: each question with its permanent id number, each usual wrong answer with its feedback."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from grader.quiz.exports.entry import About, Blank, Entry, Note
from grader.quiz.exports.markup import as_html, asked, explained, listed
from grader.quiz.exports.notes import left_out, notes_of
from grader.quiz.exports.spellings import decimal, percent

_MOST_IDNUMBER = 100
_HEAD = b"<?xml version='1.0' encoding='UTF-8'?>\n"


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The file; what has no place in it is among the notes."""
    quiz = ET.Element("quiz")
    notes: list[Note] = []
    category = ""
    for entry in entries:
        if note := left_out(entry):
            notes.append(note)
            continue
        place = "/".join(part.replace("/", "//") for part in (about.name, entry.title, entry.item))
        if place != category:
            _category(quiz, place)
            category = place
        for question in _questions(entry, about):
            quiz.append(question)
        notes += notes_of(entry)
    ET.indent(quiz, " ")
    return _HEAD + ET.tostring(quiz, "utf-8") + b"\n", notes


def _category(quiz: ET.Element, place: str) -> None:
    """What follows lies in this category: the numbers of one question together, so that a quiz can draw from them."""
    category = ET.SubElement(ET.SubElement(quiz, "question", type="category"), "category")
    ET.SubElement(category, "text").text = f"$course$/top/{place}"


def _questions(entry: Entry, about: About) -> Iterator[ET.Element]:
    for i, blank in enumerate(entry.blanks):
        name = entry.name if len(entry.blanks) == 1 else f"{entry.name}.{i + 1}"
        question = _question(entry, about, "shortanswer" if blank.value is None else "numerical", name, i)
        if blank.value is None:
            _words(question, blank)
        else:
            _numbers(question, blank)
        yield question
    if entry.choices:
        yield _choices(entry, about)
    elif entry.pairs:
        yield _pairs(entry, about)
    elif entry.points:
        yield _essay(entry, about)


def _question(entry: Entry, about: About, kind: str, name: str, blank: int = 0) -> ET.Element:
    question = ET.Element("question", type=kind)
    ET.SubElement(ET.SubElement(question, "name"), "text").text = name
    _html(question, "questiontext", asked(entry, about, blank))
    _html(question, "generalfeedback", explained(entry, about, mistakes=bool(entry.pairs)))
    fields = {"defaultgrade": "1", "penalty": "0.3333333", "hidden": "0", "idnumber": _idnumber(about, name)}
    for field, value in fields.items():
        ET.SubElement(question, field).text = value
    _html(question, "hint", as_html(entry.hint))
    tags = ET.SubElement(question, "tags")
    for tag in (entry.topic, entry.exercise, *dict.fromkeys(wrong.mistake for wrong in entry.wrong)):
        ET.SubElement(ET.SubElement(tags, "tag"), "text").text = tag
    return question


def _idnumber(about: About, name: str) -> str:
    """What Moodle knows the question by; it keeps a hundred characters, so a longer one gives way to its hash."""
    whole = f"{about.name} {name}"
    return whole if len(whole) <= _MOST_IDNUMBER else hashlib.sha256(whole.encode()).hexdigest()


def _html(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name, format="html")
    ET.SubElement(element, "text").text = text
    return element


def _answer(question: ET.Element, fraction: str, text: str, feedback: str, form: str) -> ET.Element:
    answer = ET.SubElement(question, "answer", fraction=fraction, format=form)
    ET.SubElement(answer, "text").text = text
    _html(answer, "feedback", as_html(feedback))
    return answer


def _words(question: ET.Element, blank: Blank) -> None:
    ET.SubElement(question, "usecase").text = "0"
    for text in blank.spellings:
        _answer(question, "100", _typed(text), "", "moodle_auto_format")
    for wrong in blank.wrong:
        for text in wrong.spellings:
            _answer(question, "0", _typed(text), wrong.said, "moodle_auto_format")


def _typed(text: str) -> str:
    """An answer that is compared as text; a bare * would stand for anything."""
    return text.replace("*", "\\*")


def _numbers(question: ET.Element, blank: Blank) -> None:
    near = decimal(blank.tolerance)
    right = _answer(question, "100", blank.shown, "", "moodle_auto_format")
    ET.SubElement(right, "tolerance").text = near
    for wrong in blank.wrong:
        if wrong.value is not None:
            ET.SubElement(_answer(question, "0", wrong.text, wrong.said, "moodle_auto_format"), "tolerance").text = near


def _choices(entry: Entry, about: About) -> ET.Element:
    question = _question(entry, about, "multichoice", entry.name)
    ET.SubElement(question, "single").text = "false" if entry.several else "true"
    ET.SubElement(question, "shuffleanswers").text = "true"
    ET.SubElement(question, "answernumbering").text = "abc"
    share = percent(sum(choice.right for choice in entry.choices))
    for choice in entry.choices:
        fraction = share if choice.right else f"-{share}" if entry.several else "0"
        _answer(question, fraction, as_html(choice.text), choice.said, "html")
    return question


def _pairs(entry: Entry, about: About) -> ET.Element:
    question = _question(entry, about, "matching", entry.name)
    ET.SubElement(question, "shuffleanswers").text = "true"
    for left, right in entry.pairs:
        pair = _html(question, "subquestion", as_html(left))
        ET.SubElement(ET.SubElement(pair, "answer"), "text").text = right
    return question


def _essay(entry: Entry, about: About) -> ET.Element:
    question = _question(entry, about, "essay", entry.name)
    for field, value in {"responseformat": "editor", "responserequired": "1", "responsefieldlines": "12"}.items():
        ET.SubElement(question, field).text = value
    ET.SubElement(question, "attachments").text = "0"
    _html(question, "graderinfo", listed(entry.points) + listed([wrong.said for wrong in entry.wrong]))
    return question
