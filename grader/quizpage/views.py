"""What every page shows, and what a question shows: plain strings and finished markup, in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

from markupsafe import Markup

from grader.model import Language, Message
from grader.quiz.arranging import OUTCOMES
from grader.quiz.blanks import count_blanks
from grader.quiz.lock import filled
from grader.quizpage.desk import Shown
from grader.quizpage.prose import prose
from grader.quizpage.wording import TurnView, filled_prose
from grader.report.visible import tell

SURE = ("1", "2", "3")
USUAL = 2  # confidence where nothing is said


@dataclass(frozen=True)
class Page:
    """What every page has.

    Attributes:
        form_token: goes into each form.
        undo: the answer that can be taken back, "" where there is none.
        note: what has just happened.
        notices: what is to be known before the first question.
    """

    language: Language
    form_token: str = ""
    undo: str = ""
    note: Message | None = None
    notices: tuple[Message, ...] = ()

    @property
    def lang(self) -> str:
        """The language as HTML names it."""
        return "zh-CN" if self.language == "zh" else "en"

    def say(self, key: str, **fields: str | int) -> str:
        """A sentence of the page, or of the quiz ("quiz.right")."""
        return tell(Message(key if "." in key else f"quiz_page.{key}", fields), self.language)

    def prose(self, key: str) -> Markup:
        """The same with what it quotes of code marked up."""
        return self.tell(Message(f"quiz_page.{key}"))

    def tell(self, message: Message) -> Markup:
        """A sentence that was chosen elsewhere; what it quotes of code and formulas is marked up."""
        return prose(tell(message, self.language), self.language)


@dataclass(frozen=True)
class Draft:
    """What a form brought that was not an answer yet: it is shown again, with nothing lost."""

    text: str = ""
    picks: tuple[int, ...] = ()
    pairs: tuple[int, ...] = ()  # of match: for each left end the number of a right end, 0 where none was chosen
    outcome: str = ""  # of predict: what was said in the first step
    found: tuple[int, ...] | None = None  # of recall: points found in the text, once it was written
    sure: int = USUAL
    hint: bool = False
    problem: Message | None = None


@dataclass(frozen=True)
class QuestionView(TurnView):
    """One question."""

    shown: Shown
    left: int
    draft: Draft = field(default_factory=Draft)

    @property
    def hint(self) -> Markup | None:
        """The hint, where it was asked for."""
        return filled_prose(self.turn, self.turn.item.hint, self.language) if self.draft.hint else None

    @property
    def hint_costs(self) -> bool:
        """Whether a hint brings the question back sooner: it does where the answer is the one that counts."""
        return self.turn.mode == "scheduled"

    @property
    def several_blanks(self) -> bool:
        """Whether one field takes several blanks."""
        return self.kind == "cloze" and count_blanks(self.turn.item.prompt.in_language(self.language)) > 1

    @property
    def lefts(self) -> list[tuple[str, Markup]]:
        """Of match: letter and text of each left end."""
        texts = self.turn.lefts(self.language)
        return [(letter, prose(text, self.language)) for letter, text in zip(ascii_lowercase, texts, strict=False)]

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Of predict: what may become of the code."""
        return OUTCOMES

    @property
    def points(self) -> list[Markup]:
        """Of recall: the checklist, once the text was written."""
        if self.draft.found is None:
            return []
        return [filled_prose(self.turn, each, self.language) for each in self.turn.item.right]

    @property
    def plain_points(self) -> list[str]:
        """The same without any markup."""
        return [filled(each, self.turn.variant, self.language) for each in self.turn.item.right]

    @property
    def example(self) -> str:
        """What an answer looks like that can be read, "" where nothing is typed."""
        if not self.turn.item.typed or self.kind in {"match", "order"}:  # their sentences are examples themselves
            return ""
        return tell(Message(f"quiz.example_{self.kind}"), self.language)

    @property
    def retry(self) -> bool:
        """Whether it is asked once more because it was missed today."""
        return self.turn.mode == "retry"


def pairs_text(chosen: Sequence[int]) -> str:
    """What somebody would type for the pairs that were chosen: a2 b1 c3."""
    return " ".join(f"{letter}{place}" for letter, place in zip(ascii_lowercase, chosen, strict=False))


def fields_of(shown: Shown) -> Mapping[str, str]:
    """The hidden fields of a form, by name."""
    return {
        "item": shown.item,
        "variant": shown.variant,
        "count": str(shown.count),
        "day": shown.day.isoformat(),
        "at": str(shown.at),
    }
