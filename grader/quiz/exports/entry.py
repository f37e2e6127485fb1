"""What an export writes: one question with its numbers, in one language, every wrong answer with its mistake."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grader.model import Language, Message
from grader.quiz.asked import Kind
from grader.texts import say


@dataclass(frozen=True)
class Wrong:
    """A wrong answer.

    Attributes:
        text: as it is shown.
        mistake: slug of what somebody believes who gives it.
        said: the mistake's title, then what is said about this answer.
        spellings: how it may be typed.
        value: the number that it is, None where it is none.
    """

    text: str
    mistake: str
    said: str
    spellings: tuple[str, ...] = ()
    value: Fraction | None = None


@dataclass(frozen=True)
class Blank:
    """One thing that is typed.

    Attributes:
        shown: the right answer, as it is shown.
        spellings: how it may be typed, `shown` first.
        value: the number that it is, None where it is none.
        tolerance: of that number, edges included.
    """

    shown: str
    spellings: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    value: Fraction | None = None
    tolerance: Fraction = Fraction(0)


@dataclass(frozen=True)
class Choice:
    """One option.

    Attributes:
        said: what is said to whoever picks it; "" for a right one.
    """

    text: str
    right: bool
    said: str = ""


@dataclass(frozen=True)
class Entry:
    """One question; one of blanks, choices, pairs and points is how a platform that marks answers asks it.

    Attributes:
        item: its permanent id.
        place: number among the exported variants of its item, from 0.
        hint: one for who asks.
        explain: why the key is right.
        line: runs as it is and shows the answer, "" where there is none.
        key: the whole right answer as it is shown.
        blanks: what is typed, in order.
        choices: options, in an order that stays.
        several: whether several options are right, or could be.
        pairs: a left end and the right one that belongs to it; steps and their places, where steps are put in order.
        mixed: the steps or left ends in the order in which they are shown.
        points: what a free answer should contain.
        wrong: usual wrong answers, in words.
    """

    item: str
    place: int
    kind: Kind
    topic: str
    title: str
    exercise: str
    prompt: str
    hint: str
    explain: str
    line: str
    key: str
    wrong: tuple[Wrong, ...]
    blanks: tuple[Blank, ...] = ()
    choices: tuple[Choice, ...] = ()
    several: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
    mixed: tuple[str, ...] = ()
    points: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Id of this question in every export; it stays the same when texts or numbers change."""
        return f"{self.item}.{self.place + 1}"


@dataclass(frozen=True)
class About:
    """What an export is told beside its entries.

    Attributes:
        name: of the deck, category or sheet; questions of two courses are kept apart by it.
        edition: number of the bank's revision, see Bank.
    """

    name: str
    language: Language
    edition: int
    revision: str

    def say(self, key: str, **fields: str | int) -> str:
        """A sentence of the exports."""
        return say(Message(f"quiz_exports.{key}", fields), self.language)

    def told(self, wrong: Wrong) -> str:
        """A wrong answer with what is said about it."""
        return self.say("joined", one=wrong.text, other=wrong.said)


@dataclass(frozen=True)
class Note:
    """What became of a question otherwise than it is asked here.

    Attributes:
        item: its id.
        key: of the sentence that says what, and for which reason.
        left_out: it is not in the file at all.
    """

    item: str
    key: str
    left_out: bool = False
