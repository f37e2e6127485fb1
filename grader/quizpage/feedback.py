"""What the pages after an answer show: its worth and its reason, or help for what was missed again and again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup, escape

from grader.course import Course
from grader.model import Language, Message
from grader.quiz.arranging import OUTCOMES
from grader.quiz.folding import same_spelling
from grader.quiz.lock import filled_line, reason_fits
from grader.quiz.returns import partly_right, returns_told
from grader.quiz.schedule import HELP_DAYS
from grader.quizpage.desk import Entry
from grader.quizpage.prose import prose
from grader.quizpage.wording import TurnView, filled_prose, options_of, outcome_of, pair
from grader.report.visible import tell, visible

ECHOED = {"shape", "number", "formula", "vector", "code"}  # others are understood as they stand
MOST_SHOWN = 4000  # characters of what was typed


@dataclass(frozen=True)
class HelpView(TurnView):
    """A question that was missed too often, with its answer."""

    day: date

    @property
    def next(self) -> Message:
        """Where to read more, and when the question comes again."""
        again = self.day + timedelta(days=HELP_DAYS)
        return Message("schedule.help_next", {"exercise": self.turn.item.exercise, "date": again.isoformat()})


@dataclass(frozen=True)
class AnswerView(TurnView):
    """One answer, with what it was worth."""

    entry: Entry
    course: Course
    left: int
    shows_key: bool  # without it there are options to pick from first

    @property
    def right(self) -> bool:
        """Whether it was right."""
        return self.entry.event.outcome == "right"

    @property
    def given(self) -> list[Markup]:
        """The answer as it was typed, or the options that were picked."""
        return _given(self.entry, self.language)

    @property
    def understood(self) -> Markup | None:
        """What the checker read, where that was not just what was typed."""
        event = self.entry.event
        if self.kind not in ECHOED or same_spelling(event.understood, event.raw):
            return None
        return prose(tell(Message("quiz.understood", {"text": event.understood}), self.language), self.language)

    @property
    def reasons(self) -> list[Markup]:
        """What the answer shows."""
        entry = self.entry
        if not self.right and reason_fits(self.turn.item, self.turn.variant, entry.event.raw):
            return [Markup(escape(tell(Message("quiz.reason_fits"), self.language)))]  # noqa: S704 - escaped
        if entry.option is not None:
            return [self._why(entry.option), *self._mistake(entry.option)]
        if entry.message is not None:
            return [prose(tell(entry.message, self.language), self.language)]
        if self.kind == "multi" and not self.right:
            return [Markup(escape(tell(Message("quiz.some_missing"), self.language)))]  # noqa: S704 - escaped
        return []

    def _why(self, option: int) -> Markup:
        return filled_prose(self.turn, self.turn.item.wrong[option].why, self.language)

    def _mistake(self, option: int) -> list[Markup]:
        slug, exercise = self.turn.item.wrong[option].mistake, self.turn.item.exercise
        if slug not in self.course.mistakes:
            return []
        title = self.course.mistakes[slug].title.in_language(self.language)
        return [
            prose(tell(Message("quiz.mistake", {"title": title, "exercise": exercise}), self.language), self.language)
        ]

    @property
    def practice(self) -> str:
        """What a pick from the options was worth: "", right or wrong."""
        return self.entry.practice.outcome if self.entry.practice else ""

    @property
    def practice_reason(self) -> Markup | None:
        """What a wrong pick shows."""
        wrong = self.turn.item.wrong
        slug = self.entry.practice.mistake if self.entry.practice else ""
        option = next((i for i, each in enumerate(wrong) if each.mistake == slug), None)
        return None if option is None or option == self.entry.option else self._why(option)

    @property
    def line(self) -> str:
        """A line that runs as it is and shows the answer, "" where there is none."""
        line = self.turn.item.line
        return filled_line(line, self.turn.variant) if line else ""

    @property
    def due(self) -> Markup | None:
        """When the question comes again."""
        if self.entry.due is None:
            return None
        day = self.entry.due.isoformat()
        sentence = escape(tell(Message("quiz.next_date", {"date": day}), self.language))
        return sentence.replace(day, Markup("<time>{}</time>").format(day))

    @property
    def comes_again(self) -> str:
        """When a missed question comes back, "" where it was right."""
        return "" if self.right else tell(returns_told(self.entry.returns), self.language)

    @property
    def verdict(self) -> str:
        """What it was worth, in a word or two."""
        if self.right:
            return tell(Message("quiz_page.right"), self.language)
        partly = partly_right(self.turn, self.entry.event)
        return tell(Message("quiz.partly" if partly else "quiz_page.wrong"), self.language)


def _given(entry: Entry, language: Language) -> list[Markup]:
    turn, event = entry.turn, entry.event
    if turn.item.kind in {"order", "match"}:
        places = [int(each) - 1 for each in re.findall(r"(?<!\d)\d{1,3}(?!\d)", event.understood)]
        shown = options_of(turn, language)
        texts = [shown[place] for place in places if 0 <= place < len(shown)]
        if turn.item.kind == "order":
            return texts
        lefts = [prose(text, language) for text in turn.lefts(language)]
        return [pair(left, text) for left, text in zip(lefts, texts, strict=False)]
    if turn.item.typed or turn.item.kind == "recall":
        return [Markup('<bdi dir="auto">{}</bdi>').format(visible(event.raw[:MOST_SHOWN]))]
    names = dict(zip(turn.texts("en"), options_of(turn, language), strict=True))
    picked = event.raw.split(" | ")
    outcome = [outcome_of(picked.pop(0), language)] if turn.item.kind == "predict" and picked[0] in OUTCOMES else []
    return outcome + [names[text] for text in picked if text in names]
