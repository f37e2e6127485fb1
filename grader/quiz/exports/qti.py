"""QTI 1.2, the oldest exchange format that learning platforms still read: one assessment, one section for a topic.

zip --imsmanifest.xml--> names the file of questions
    --questions.xml--> assessment, sections, items
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from xml.etree import ElementTree as ET

from grader.quiz.exports.entry import About, Blank, Choice, Entry, Note
from grader.quiz.exports.markup import as_html, asked, explained
from grader.quiz.exports.notes import left_out, notes_of
from grader.quiz.exports.package import packed
from grader.quiz.exports.spellings import decimal

_NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_FILE = "questions.xml"
_HEAD = b"<?xml version='1.0' encoding='UTF-8'?>\n"
_FULL = "100"
_GENERAL = "general_fb"  # the names under which Canvas looks for the feedback that everybody sees


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The package; what has no place in it is among the notes."""
    root = ET.Element("questestinterop", xmlns=_NAMESPACE)
    assessment = ET.SubElement(root, "assessment", ident=_ident(about.name, about.language), title=about.name)
    sections: dict[str, ET.Element] = {}
    notes: list[Note] = []
    for entry in entries:
        if note := left_out(entry):
            notes.append(note)
            continue
        if entry.topic not in sections:
            attributes = {"ident": _ident(about.name, entry.topic), "title": entry.title}
            sections[entry.topic] = ET.SubElement(assessment, "section", attributes)
        for item in _items(entry, about):
            sections[entry.topic].append(item)
        notes += notes_of(entry)
    return packed({"imsmanifest.xml": _xml(_manifest(about)), _FILE: _xml(root)}), notes


def _xml(root: ET.Element) -> bytes:
    ET.indent(root, " ")
    text: bytes = ET.tostring(root, "utf-8")
    return _HEAD + text + b"\n"


def _manifest(about: About) -> ET.Element:
    """What lies in the package; platforms look for it first."""
    name = re.sub(r"[^\w.-]", "_", _ident(about.name, about.language, "package"))  # an XML id, unlike those of items
    root = ET.Element("manifest", xmlns=_PACKAGE, identifier=name if name[0].isalpha() else f"_{name}")
    metadata = ET.SubElement(root, "metadata")
    ET.SubElement(metadata, "schema").text = "IMS Content"
    ET.SubElement(metadata, "schemaversion").text = "1.1.3"
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    questions = ET.SubElement(resources, "resource", identifier="questions", type="imsqti_xmlv1p2", href=_FILE)
    ET.SubElement(questions, "file", href=_FILE)
    return root


def _ident(*names: str) -> str:
    return ".".join(name.replace(" ", "_") for name in names)


def _items(entry: Entry, about: About) -> Iterator[ET.Element]:
    for i, blank in enumerate(entry.blanks):
        name = entry.name if len(entry.blanks) == 1 else f"{entry.name}.{i + 1}"
        kind = "short_answer_question" if blank.value is None else "numerical_question"
        item = _Item(entry, about, name, kind, blank=i)
        yield item.typed(blank)
    if entry.choices:
        kind = "multiple_answers_question" if entry.several else "multiple_choice_question"
        item = _Item(entry, about, entry.name, kind)
        yield item.several(entry.choices) if entry.several else item.picked(entry.choices)
    elif entry.pairs:
        yield _Item(entry, about, entry.name, "matching_question").joined(entry.pairs)
    elif entry.points:
        yield _Item(entry, about, entry.name, "essay_question").free()


class _Item:
    """One item in the making: what is shown, how it is marked, what is said."""

    def __init__(self, entry: Entry, about: About, name: str, kind: str, blank: int = 0) -> None:
        self._item = ET.Element("item", ident=_ident(about.name, about.language, name), title=name)
        fields = ET.SubElement(ET.SubElement(self._item, "itemmetadata"), "qtimetadata")
        for label, value in {"question_type": kind, "points_possible": "1"}.items():
            field = ET.SubElement(fields, "qtimetadatafield")
            ET.SubElement(field, "fieldlabel").text = label
            ET.SubElement(field, "fieldentry").text = value
        self._shown = ET.SubElement(self._item, "presentation")
        _material(self._shown, asked(entry, about, blank))
        self._marked = ET.SubElement(self._item, "resprocessing")
        outcomes = ET.SubElement(self._marked, "outcomes")
        ET.SubElement(outcomes, "decvar", maxvalue=_FULL, minvalue="0", varname="SCORE", vartype="Decimal")
        self._said = 0
        rule = self._rule(go_on=True)
        ET.SubElement(rule[0], "other")
        self._then(rule, None, _GENERAL)
        self._feedback(_GENERAL, explained(entry, about, mistakes=bool(entry.pairs or entry.points)))

    # --- one form each -----------------------------------------------------------------------------------------

    def typed(self, blank: Blank) -> ET.Element:
        """A number or a word."""
        render = self._response("response_str", "response1", "render_fib", fibtype=_fibtype(blank))
        ET.SubElement(render, "response_label", ident="answer1")
        right = self._rule()
        self._equals(right[0], blank.spellings, blank.value, blank.tolerance)
        self._then(right, _FULL)
        for wrong in blank.wrong:
            rule = self._rule()
            self._equals(rule[0], wrong.spellings, wrong.value, blank.tolerance)
            self._then(rule, None, self._remark(wrong.said))
        return self._item

    def picked(self, choices: Sequence[Choice]) -> ET.Element:
        """One option of several."""
        self._options("response1", [choice.text for choice in choices])
        for i, choice in enumerate(choices):
            rule = self._rule()
            ET.SubElement(rule[0], "varequal", respident="response1").text = f"option{i + 1}"
            self._then(rule, _FULL if choice.right else None, self._remark(choice.said) if choice.said else "")
        return self._item

    def several(self, choices: Sequence[Choice]) -> ET.Element:
        """All options that fit, and no other."""
        self._options("response1", [choice.text for choice in choices], cardinality="Multiple")
        for i, choice in enumerate(choices):
            if choice.said:
                rule = self._rule(go_on=True)
                ET.SubElement(rule[0], "varequal", respident="response1").text = f"option{i + 1}"
                self._then(rule, None, self._remark(choice.said))
        rule = self._rule()
        together = ET.SubElement(rule[0], "and")
        for i, choice in enumerate(choices):
            parent = together if choice.right else ET.SubElement(together, "not")
            ET.SubElement(parent, "varequal", respident="response1").text = f"option{i + 1}"
        self._then(rule, _FULL)
        return self._item

    def joined(self, pairs: Sequence[tuple[str, str]]) -> ET.Element:
        """Each left end with its right one."""
        ends = sorted({right for _, right in pairs})
        share = decimal(Fraction(100, len(pairs)))
        for i, (left, right) in enumerate(pairs):
            ident = f"response{i + 1}"
            self._options(ident, ends, shuffled=False, before=left)
            rule = self._rule(go_on=True)
            ET.SubElement(rule[0], "varequal", respident=ident).text = f"option{ends.index(right) + 1}"
            self._then(rule, share, action="Add")
        return self._item

    def free(self) -> ET.Element:
        """Some lines that a person marks."""
        render = self._response("response_str", "response1", "render_fib", fibtype="String", rows="12")
        ET.SubElement(render, "response_label", ident="answer1")
        return self._item

    # --- parts -------------------------------------------------------------------------------------------------

    def _response(
        self, kind: str, ident: str, render: str, *, before: str = "", cardinality: str = "Single", **how: str
    ) -> ET.Element:
        response = ET.SubElement(self._shown, kind, ident=ident, rcardinality=cardinality)
        if before:
            _material(response, as_html(before))
        return ET.SubElement(response, render, how)

    def _options(
        self, ident: str, texts: Sequence[str], *, shuffled: bool = True, before: str = "", cardinality: str = "Single"
    ) -> None:
        how = {"shuffle": "Yes" if shuffled else "No"}
        render = self._response("response_lid", ident, "render_choice", before=before, cardinality=cardinality, **how)
        for i, text in enumerate(texts):
            _material(ET.SubElement(render, "response_label", ident=f"option{i + 1}"), as_html(text))

    def _rule(self, *, go_on: bool = False) -> ET.Element:
        """A rule, with room for its condition; `_then` says what follows from it."""
        rule = ET.SubElement(self._marked, "respcondition", {"continue": "Yes" if go_on else "No"})
        ET.SubElement(rule, "conditionvar")
        return rule

    def _then(self, rule: ET.Element, score: str | None, remark: str = "", action: str = "Set") -> None:
        if score is not None:
            ET.SubElement(rule, "setvar", action=action, varname="SCORE").text = score
        if remark:
            ET.SubElement(rule, "displayfeedback", feedbacktype="Response", linkrefid=remark)

    def _equals(
        self, condition: ET.Element, spellings: Sequence[str], value: Fraction | None, tolerance: Fraction
    ) -> None:
        """An exact number by equality, one with a tolerance by its range, a word by each of its spellings."""
        parent = ET.SubElement(condition, "or") if value is None and len(spellings) > 1 else condition
        if value is not None and tolerance:
            ET.SubElement(parent, "vargte", respident="response1").text = decimal(value - tolerance)
            ET.SubElement(parent, "varlte", respident="response1").text = decimal(value + tolerance)
            return
        for text in spellings if value is None else [decimal(value)]:
            ET.SubElement(parent, "varequal", {"respident": "response1", "case": "No"}).text = text

    def _remark(self, said: str) -> str:
        self._said += 1
        self._feedback(f"remark{self._said}", as_html(said))
        return f"remark{self._said}"

    def _feedback(self, ident: str, text: str) -> None:
        feedback = ET.SubElement(self._item, "itemfeedback", ident=ident)
        _material(ET.SubElement(feedback, "flow_mat"), text)


def _fibtype(blank: Blank) -> str:
    return (
        "String"
        if blank.value is None
        else "Integer"
        if blank.value.denominator == 1 and not blank.tolerance
        else "Decimal"
    )


def _material(parent: ET.Element, html: str) -> None:
    ET.SubElement(ET.SubElement(parent, "material"), "mattext", texttype="text/html").text = html
