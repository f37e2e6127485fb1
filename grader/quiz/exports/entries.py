"""Makes the entries of an export of the frozen bank.

Bank --chosen variants, one language--> Entry --each format's own syntax--> bytes
                                          |--what the format cannot hold--> Note, said by the command
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from grader.errors import ContentError
from grader.model import Language, Message, Mistake, Text
from grader.quiz.answers import rounded_to, show_value
from grader.quiz.asked import Asked, Kind, Value
from grader.quiz.exports.entry import Blank, Choice, Entry, Wrong
from grader.quiz.exports.spellings import decimal, spellings
from grader.quiz.lock import PATH, Bank, Item, Variant, filled, filled_line
from grader.texts import say

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
MOST_RIGHT, MOST_WRONG = 24, 8  # spellings that a platform which only compares texts is given


def entries_of(
    bank: Bank, mistakes: Mapping[str, Mistake], language: Language, variants: int, topic: str | None = None
) -> Iterator[Entry]:
    """Each question of the bank with the numbers of its first variants.

    Args:
        variants: how many of each question with numbers of its own.
        topic: questions of this topic alone.

    Raises:
        ContentError: a wrong option names a mistake that the course does not have.
    """
    for item in bank.items.values():
        if topic in {None, item.topic}:
            for place, variant in enumerate(item.variants[:variants]):
                yield _printable(_Speaker(item, variant, mistakes, language).entry(place))


def _printable(part: Any) -> Any:
    """The same with a mark for each sign that steers: XML cannot hold one, and elsewhere it means something."""
    if isinstance(part, str):
        return _STEERING.sub("\N{REPLACEMENT CHARACTER}", part)
    if isinstance(part, tuple):
        return tuple(map(_printable, part))
    if isinstance(part, Entry | Blank | Choice | Wrong):
        return replace(part, **{each.name: _printable(getattr(part, each.name)) for each in fields(part)})
    return part


class _Speaker:
    """One variant of one item, in one language."""

    def __init__(self, item: Item, variant: Variant, mistakes: Mapping[str, Mistake], language: Language) -> None:
        self._item = item
        self._variant = variant
        self._mistakes = mistakes
        self._language: Language = language
        self._between = "；" if language == "zh" else "; "

    def entry(self, place: int) -> Entry:
        item = self._item
        bare = Entry(
            item=item.id,
            place=place,
            kind=item.kind,
            topic=item.topic,
            title=item.title.in_language(self._language),
            exercise=item.exercise,
            prompt=self._text(item.prompt),
            hint=self._text(item.hint),
            explain=self._text(item.explain),
            line=filled_line(item.line, self._variant) if item.line else "",
            key="",
            wrong=(),
        )
        form = {"order": self._order, "match": self._match, "recall": self._recall, "code": self._code}
        if item.kind in form:
            return form[item.kind](bare)
        return self._typed(bare) if item.typed else self._picked(bare)

    def _text(self, text: Text) -> str:
        return filled(text, self._variant, self._language)

    def _said(self, place: int) -> str:
        """What is said about a wrong option: its mistake's title, then the sentence about it."""
        option = self._item.wrong[place]
        if option.mistake not in self._mistakes:
            fix = "it is not in exercises/mistakes.toml; run `grade quiz build`"
            raise ContentError(f"{PATH}: {self._item.id}: wrong.mistake: found {option.mistake!r}; {fix}.")
        title = self._mistakes[option.mistake].title.in_language(self._language).rstrip(".。")
        return say(Message("quiz_exports.said", {"title": title, "why": self._text(option.why)}), self._language)

    def _wrong(self, texts: Sequence[str]) -> tuple[Wrong, ...]:
        return tuple(Wrong(text, self._item.wrong[i].mistake, self._said(i)) for i, text in enumerate(texts))

    # --- typed -------------------------------------------------------------------------------------------------

    def _typed(self, bare: Entry) -> Entry:
        kind, variant = self._item.kind, self._variant
        if kind == "vector" or (kind == "cloze" and isinstance(variant.answer, tuple)):
            wrong = self._wrong([self._shown(each) for each in variant.wrong])
            blanks = tuple(self._part(i) for i in range(len(_parts(variant.answer))))
            return replace(bare, key=self._shown(variant.answer), wrong=wrong, blanks=blanks)
        blank = self._blank(kind, variant.answer, variant.wrong, range(len(variant.wrong)))
        key = variant.answer
        shown = _first(kind, rounded_to(key, self._item.tolerance)) if isinstance(key, Fraction) else blank.shown
        return replace(bare, key=shown, wrong=blank.wrong, blanks=(blank,))

    def _shown(self, value: Value) -> str:
        if self._item.kind == "cloze":
            return ", ".join(str(each).split("|")[0] for each in _parts(value))
        return show_value(self._item.kind, value, self._item.tolerance).split("|")[0]

    def _part(self, place: int) -> Blank:
        """One number of several, or one gap: the wrong answers to it, as far as they differ from the right one."""
        right = _parts(self._variant.answer)[place]
        near = self._item.tolerance if self._item.kind == "vector" else Fraction(0)
        wrong: dict[Value, int] = {}
        for i, each in enumerate(self._variant.wrong):
            parts = _parts(each)
            if place < len(parts) and not _same(parts[place], right, 2 * near):
                wrong.setdefault(parts[place], i)
        kind: Kind = "number" if self._item.kind == "vector" else "cloze"
        return self._blank(kind, right, tuple(wrong), tuple(wrong.values()))

    def _blank(self, kind: Kind, right: Value, wrong: Sequence[Value], which: Sequence[int]) -> Blank:
        """A blank for one value; `which` are the numbers of the wrong options."""
        tolerance = self._item.tolerance if isinstance(right, Fraction) else Fraction(0)
        said = tuple(
            Wrong(
                text=_first(kind, each),
                mistake=self._item.wrong[i].mistake,
                said=self._said(i),
                spellings=spellings(self._asked(kind, each, tolerance), MOST_WRONG),
                value=each if isinstance(each, Fraction) else None,
            )
            for each, i in zip(wrong, which, strict=True)
        )
        typed = spellings(self._asked(kind, right, tolerance), MOST_RIGHT)
        value = right if isinstance(right, Fraction) else None
        return Blank(_first(kind, right), typed, said, value, tolerance)

    def _asked(self, kind: Kind, key: Value, tolerance: Fraction) -> Asked:
        if kind == "cloze" and isinstance(key, str):
            key = (key,)
        return Asked(kind, key, (), tolerance, self._variant.sizes)

    # --- picked ------------------------------------------------------------------------------------------------

    def _picked(self, bare: Entry) -> Entry:
        item = self._item
        rights = [self._text(each) for each in item.right]
        wrongs = [self._text(each.text) if each.text else "" for each in item.wrong]
        if item.kind == "predict":
            rights = [self._told(str(self._variant.answer), each) for each in rights]
            wrongs = [self._told(each.outcome, text) for each, text in zip(item.wrong, wrongs, strict=True)]
        return self._offered(bare, rights, wrongs, several=item.kind == "multi")

    def _told(self, outcome: str, reason: str) -> str:
        """An outcome with its reason, as one option."""
        named = say(Message(f"quiz_exports.outcome_{outcome or 'wrong'}"), self._language)
        return say(Message("quiz_exports.joined", {"one": named, "other": reason}), self._language)

    def _code(self, bare: Entry) -> Entry:
        """No platform runs a line: it is picked from the right one and the wrong ones."""
        right, wrong = str(self._variant.answer), [str(each) for each in self._variant.wrong]
        return self._offered(bare, [f"`{right}`"], [f"`{each}`" for each in wrong], several=False)

    def _offered(self, bare: Entry, rights: Sequence[str], wrongs: Sequence[str], *, several: bool) -> Entry:
        choices = [Choice(text, right=True) for text in rights]
        choices += [Choice(text, right=False, said=self._said(i)) for i, text in enumerate(wrongs)]
        order = _mixed(len(choices), bare.name)
        key = self._between.join(rights)
        shown = tuple(choices[i] for i in order)
        return replace(bare, key=key, wrong=self._wrong(wrongs), choices=shown, several=several)

    # --- put in order, joined, recalled ------------------------------------------------------------------------

    def _order(self, bare: Entry) -> Entry:
        steps = [self._text(each) for each in self._item.right]
        orders = [" → ".join(steps[i] for i in _places(each)) for each in self._variant.wrong]
        mixed = tuple(steps[i] for i in _mixed(len(steps), bare.name))
        key = " → ".join(steps)
        if len(self._variant.orders) > 1:  # no platform takes several: one of them is picked from wrong ones
            told = say(Message("quiz_exports.one_order", {"order": key}), self._language)
            return replace(self._offered(bare, [key], orders, several=False), key=told, mixed=mixed)
        pairs = tuple((step, str(i + 1)) for i, step in enumerate(steps))
        return replace(bare, key=key, wrong=self._wrong(orders), pairs=pairs, mixed=mixed)

    def _match(self, bare: Entry) -> Entry:
        left = [self._text(each) for each in self._item.right]
        ends = [self._text(each) for each in self._item.ends]
        pairs = tuple(zip(left, ends, strict=True))
        joined = [f"{left[a]} – {ends[b]}" for a, b in map(_places, self._variant.wrong)]
        mixed = tuple(left[i] for i in _mixed(len(left), bare.name))
        key = self._between.join(f"{one} – {other}" for one, other in pairs)
        return replace(bare, key=key, wrong=self._wrong(joined), pairs=pairs, mixed=mixed)

    def _recall(self, bare: Entry) -> Entry:
        points = tuple(self._text(each) for each in self._item.right)
        missing = [self._about_missing(point) for point in points[: len(self._item.wrong)]]
        return replace(bare, key="\n".join(points), points=points, wrong=self._wrong(missing))

    def _about_missing(self, point: str) -> str:
        return say(Message("quiz_exports.missing", {"point": point}), self._language)


def _parts(value: Value) -> list[Value]:
    """The numbers of a vector, or what stands in each gap."""
    parts: list[Value] = list(value) if isinstance(value, tuple) else [value]  # type: ignore[arg-type]  # shapes stay whole
    return parts


def _places(value: Value) -> list[int]:
    """Numbers of steps or ends."""
    return [int(str(each)) for each in _parts(value)]


def _same(one: Value, other: Value, near: Fraction) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return abs(one - other) <= near
    return one == other


def _first(kind: Kind, value: Value) -> str:
    """A value as it is shown: numbers without groups, which some platforms would not read."""
    if isinstance(value, Fraction):
        return decimal(value)
    return str(value).split("|")[0] if kind == "cloze" else show_value(kind, value)


def _mixed(count: int, name: str) -> list[int]:
    """An order of options or steps that is the same in each export of this question, and not the author's."""
    order = list(range(count))
    source = random.Random(hashlib.sha256(f"export\n{name}".encode()).digest())  # noqa: S311 - no secret
    source.shuffle(order)
    if count > 1 and order == sorted(order):
        order.append(order.pop(0))
    return order
