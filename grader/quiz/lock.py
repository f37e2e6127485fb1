"""The checked, frozen questions of a course, `quizzes/bank.lock.json`: all that a learner's machine reads of the bank.

No code of the bank is in it. A text holds {{…}} where a variant has its own numbers; a variant brings them rendered.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.errors import ContentError
from grader.model import Language, Text
from grader.quiz.asked import OFFERED, TYPED, Asked, Kind, Value

FORMAT = 1
PATH = Path("quizzes") / "bank.lock.json"
HOLE = re.compile(r"\{\{(.+?)\}\}")


@dataclass(frozen=True)
class WrongOption:
    """A wrong answer of an item.

    Attributes:
        mistake: slug of what a learner who gives it believes.
        why: what is said about it.
        text: what is shown where options are picked; None where the value of the variant is shown.
        outcome: of predict, the outcome that goes with this reason.
    """

    mistake: str
    why: Text
    text: Text | None
    outcome: str = ""


@dataclass(frozen=True)
class Variant:
    """One draw of an item, every number computed when the bank was built.

    Attributes:
        texts: what stands in place of each {{…}}.
        key: see Item; None for choice, multi, error, match and recall.
        wrong: values of the wrong options, spelt as the key is; () where they have texts.
        sizes: of a shape, names that may stand for a number.
        orders: of order, every order that is right, the author's own first.
        cases: of code, inputs and what each line has to leave for them, see grader.quiz.lines.
    """

    id: str
    texts: Mapping[str, str]
    key: Value | None
    wrong: tuple[Value, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)
    orders: tuple[tuple[int, ...], ...] = ()
    cases: tuple[Mapping[str, Any], ...] = ()

    @property
    def answer(self) -> Value:
        """The key; "" where there is none."""
        return "" if self.key is None else self.key


@dataclass(frozen=True)
class Item:
    """A question as it is scheduled; each time it is asked, with another variant.

    What its parts hold, by kind:

        kind                     right                    variant.key                   variant.wrong
        shape, number, formula   -                        the value                     values
        vector                   -                        numbers                       values
        cloze                    -                        for each ____ its spellings,  the same
                                                          "a|b", the first is shown
        code                     -                        a line of Python              lines
        order                    steps in the right order 0, 1, 2, … (see orders)       orders
        match                    left ends, see `ends`    -                             (left, right) of one pair
        choice, multi            right options            -                             -
        error                    the cause                -                             -
        predict                  the reason               "raises", "wrong" or "right"  -
        recall                   points of the checklist  -                             - (wrong[i]: point i is missing)

    Attributes:
        ends: of match, the right ends; number i belongs to right[i].
        points: of recall, for each point the spellings by which it is found in a text.
    """

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
    variants: tuple[Variant, ...]
    ends: tuple[Text, ...] = ()
    points: tuple[tuple[str, ...], ...] = ()

    @property
    def typed(self) -> bool:
        """Whether `mark` reads what is typed; the others are picked from options, or ticked off (recall)."""
        return self.kind in TYPED

    @property
    def offered(self) -> bool:
        """Whether options can be picked from after a miss."""
        return self.kind in OFFERED

    def variant(self, turn: int) -> Variant:
        """The variant of the n-th time it is asked; all of them come round before one is repeated."""
        start = int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:4])
        return self.variants[(start + turn) % len(self.variants)]

    def asked(self, variant: Variant, shown: Sequence[int] = ()) -> Asked:
        """What a typed answer is compared with; `shown` is the order in which steps or ends are on the screen."""
        return Asked(
            self.kind,
            variant.answer,
            variant.wrong,
            self.tolerance,
            variant.sizes,
            tuple(shown) or tuple(range(len(self.right))),
            variant.orders,
            variant.cases,
            f"{self.prompt.en} {self.prompt.zh}".casefold(),
        )


def reason_fits(item: Item, variant: Variant, raw: str) -> bool:
    """Whether an answer to a predict gave the right reason, whatever it said happens."""
    return item.kind == "predict" and raw.split(" | ")[1:] == [filled(item.right[0], variant, "en")]


def filled(text: Text, variant: Variant, language: Language) -> str:
    """The text with the numbers of the variant."""
    return HOLE.sub(lambda hole: variant.texts[hole[1]], text.in_language(language))


def filled_line(line: str, variant: Variant) -> str:
    """A runnable line with the numbers of the variant."""
    return HOLE.sub(lambda hole: variant.texts[hole[1]], line)


@dataclass(frozen=True)
class Bank:
    """All items of a course, in the order of its lessons.

    Attributes:
        revision: hash of all that is in it.
        edition: counts the revisions; exports tell by it which of two is the newer one.
    """

    revision: str
    records: tuple[Mapping[str, Any], ...]
    edition: int = 0

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
        return Bank(content["revision"], tuple(content["items"]), content.get("edition", 0))
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
            WrongOption(
                each["mistake"],
                Text(**each["why"]),
                Text(**each["text"]) if each["text"] else None,
                each.get("outcome", ""),
            )
            for each in record["wrong"]
        ),
        variants=tuple(_variant(kind, each) for each in record["variants"]),
        ends=tuple(Text(**each) for each in record.get("ends", ())),
        points=tuple(map(tuple, record.get("points", ()))),
    )


def _variant(kind: Kind, record: Mapping[str, Any]) -> Variant:
    key = None if record["key"] is None else thawed(kind, record["key"])
    wrong = tuple(thawed(kind, each) for each in record["wrong"])
    return Variant(
        record["id"],
        record["texts"],
        key,
        wrong,
        record["sizes"],
        tuple(map(tuple, record.get("orders", ()))),
        tuple(record.get("cases", ())),
    )


def frozen(value: Value) -> list[int] | list[str] | str:
    """A value as JSON holds it: fractions as text, so that none is rounded."""
    if isinstance(value, tuple):
        return [each if isinstance(each, int) else str(each) for each in value]  # type: ignore[return-value]
    return str(value)


def thawed(kind: Kind, value: Any) -> Value:
    """The value that `frozen` wrote."""
    if kind in {"shape", "order", "match"}:
        return value if isinstance(value, str) else tuple(value)
    if kind == "vector":
        return tuple(map(Fraction, value))
    if kind == "cloze":
        return tuple(map(str, value))
    return Fraction(value) if kind == "number" else str(value)
