"""The checked, frozen questions of a course, `quizzes/bank.lock.json`: all that a learner's machine reads of the bank.

No code of the bank is in it. A text holds {{…}} where a variant has its own numbers; a variant brings them rendered.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.errors import ContentError
from grader.model import Language, Text
from grader.quiz.answers import TYPED, Asked, Kind, Value

FORMAT = 1
PATH = Path("quizzes") / "bank.lock.json"
HOLE = re.compile(r"\{\{(.+?)\}\}")


@dataclass(frozen=True)
class WrongOption:
    """A wrong answer of an item: the slug of its mistake, what is said about it, its text where options are picked."""

    mistake: str
    why: Text
    text: Text | None


@dataclass(frozen=True)
class Variant:
    """One draw of an item, every number computed when the bank was built."""

    id: str
    texts: Mapping[str, str]
    key: Value | None  # None where options are picked
    wrong: tuple[Value, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def answer(self) -> Value:
        """The key; "" where options are picked."""
        return "" if self.key is None else self.key


@dataclass(frozen=True)
class Item:
    """A question as it is scheduled; each time it is asked, with another variant."""

    id: str
    version: int
    kind: Kind
    topic: str
    title: Text  # of the topic
    exercise: str
    family: str
    prompt: Text
    hint: Text
    explain: Text
    line: str | None
    tolerance: Fraction
    right: tuple[Text, ...]
    wrong: tuple[WrongOption, ...]
    also: tuple[str, ...]
    variants: tuple[Variant, ...]

    @property
    def typed(self) -> bool:
        """Whether it is answered by typing at first, not by picking."""
        return self.kind in TYPED

    def variant(self, turn: int) -> Variant:
        """The variant of the n-th time it is asked; all of them come round before one is repeated."""
        start = int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:4])
        return self.variants[(start + turn) % len(self.variants)]

    def asked(self, variant: Variant) -> Asked:
        """What a typed answer is compared with."""
        return Asked(self.kind, variant.answer, variant.wrong, self.tolerance, variant.sizes, self.also)


def filled(text: Text, variant: Variant, language: Language) -> str:
    """The text with the numbers of the variant."""
    return HOLE.sub(lambda hole: variant.texts[hole[1]], text.in_language(language))


def filled_line(line: str, variant: Variant) -> str:
    """A runnable line with the numbers of the variant."""
    return HOLE.sub(lambda hole: variant.texts[hole[1]], line)


@dataclass(frozen=True)
class Bank:
    """All items of a course, in the order of its lessons."""

    revision: str
    records: tuple[Mapping[str, Any], ...]

    @cached_property
    def items(self) -> dict[str, Item]:
        """Every item by id."""
        return {record["id"]: _item(record) for record in self.records}


def read_lock(root: Path) -> Bank:
    """The frozen bank of a course.

    Raises:
        ContentError: there is none, or it is not what `grade quiz build` writes.
    """
    path = root / PATH
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise ContentError(f"{path}: found format {content['format']}, not {FORMAT}; run `grade quiz build`.")
        return Bank(content["revision"], tuple(content["items"]))
    except FileNotFoundError:
        raise ContentError(f"{path}: found no such file; run `grade quiz build`.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ContentError(f"{path}: found no frozen bank ({error!r}); run `grade quiz build`.") from error


def _item(record: Mapping[str, Any]) -> Item:
    kind: Kind = record["type"]
    return Item(
        id=record["id"],
        version=record["version"],
        kind=kind,
        topic=record["topic"],
        title=Text(**record["title"]),
        exercise=record["exercise"],
        family=record["family"],
        prompt=Text(**record["prompt"]),
        hint=Text(**record["hint"]),
        explain=Text(**record["explain"]),
        line=record["line"],
        tolerance=Fraction(record["tolerance"]),
        right=tuple(Text(**each) for each in record["right"]),
        wrong=tuple(
            WrongOption(each["mistake"], Text(**each["why"]), Text(**each["text"]) if each["text"] else None)
            for each in record["wrong"]
        ),
        also=tuple(record["also"]),
        variants=tuple(_variant(kind, each) for each in record["variants"]),
    )


def _variant(kind: Kind, record: Mapping[str, Any]) -> Variant:
    key = None if record["key"] is None else thawed(kind, record["key"])
    wrong = tuple(thawed(kind, each) for each in record["wrong"])
    return Variant(record["id"], record["texts"], key, wrong, record["sizes"])


def frozen(value: Value) -> list[int] | list[str] | str:
    """A value as JSON holds it: fractions as text, so that none is rounded."""
    if isinstance(value, tuple):
        return [each if isinstance(each, int) else str(each) for each in value]  # type: ignore[return-value]
    return str(value)


def thawed(kind: Kind, value: Any) -> Value:
    """The value that `frozen` wrote."""
    if kind == "shape":
        return value if isinstance(value, str) else tuple(value)
    if kind == "vector":
        return tuple(map(Fraction, value))
    return Fraction(value) if kind == "number" else str(value)
