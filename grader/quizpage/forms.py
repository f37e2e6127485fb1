"""Reads what a form brought: an answer that is kept, or a draft that is shown again with what is missing."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from grader.model import Message
from grader.quiz.arranging import OUTCOMES
from grader.quiz.asked import Outcome
from grader.quiz.folding import UnreadableError
from grader.quiz.recalling import found_points
from grader.quiz.session import Turn
from grader.quizpage.desk import Desk, Shown
from grader.quizpage.views import SURE, USUAL, Draft, pairs_text

MOST_TEXT = 8000  # characters; the checker says what is too long for an answer


class AnswerForm:
    """The form of one question."""

    def __init__(self, form: MultiDict[str, str], turn: Turn) -> None:
        self._turn = turn
        self._text = form.get("text", "").replace("\r\n", "\n")[:MOST_TEXT]  # as browsers send what has several lines
        self._picks = _numbers(form.getlist("pick"), len(turn.options))
        self._ticks = _numbers(form.getlist("tick"), len(turn.item.right))
        self._pairs = [_number(form.get(f"pair{i}", "")) for i in range(len(turn.item.right))]
        self._outcome = form.get("outcome", "") if form.get("outcome") in OUTCOMES else ""
        self._listed = "listed" in form  # the checklist was on the screen
        self._sure = int(form["sure"]) if form.get("sure", "") in SURE else USUAL
        self._hint = "hint" in form

    def draft(self, problem: Message | None = None, *, hint: bool = False) -> Draft:
        """All that was typed and picked, to be shown again."""
        return Draft(
            text=self._text,
            picks=self._picks,
            pairs=tuple(self._pairs),
            outcome=self._outcome,
            found=self._ticks if self._listed else None,
            sure=self._sure,
            hint=hint or self._hint,
            problem=problem,
        )

    def keep(self, desk: Desk, shown: Shown) -> str | Draft:
        """Keep the answer; its entry in the log, or the draft where it is none yet."""
        kind = self._turn.item.kind
        if kind == "recall":
            return self._recalled(desk, shown)
        if self._turn.item.typed:
            return self._typed(desk, shown)
        if kind == "predict" and not self._outcome:
            return self.draft(Message("quiz_page.choose_one"))
        if kind == "predict" and not self._picks:
            return self.draft(Message("quiz_page.choose_one") if self._listed else None)
        if not self._picks or (len(self._picks) > 1 and kind != "multi"):
            return self.draft(Message("quiz_page.choose_some" if kind == "multi" else "quiz_page.choose_one"))
        desk.session.picked(
            self._turn,
            self._picks,
            outcome=self._outcome,
            confidence=self._sure,
            hint=self._hint,
            milliseconds=desk.took(shown),
        )
        return desk.kept(shown)

    def _typed(self, desk: Desk, shown: Shown) -> str | Draft:
        text = pairs_text(self._pairs) if self._turn.item.kind == "match" else self._text
        if self._turn.item.kind == "match" and not all(self._pairs):
            return self.draft(Message("quiz_page.choose_all"))
        if self._turn.item.kind == "match" and len(set(self._pairs)) < len(self._pairs):
            return self.draft(Message("quiz_page.each_once"))
        marked = desk.session.mark(self._turn, text)
        if marked.outcome not in {Outcome.RIGHT, Outcome.WRONG}:
            return self.draft(marked.message or Message("quiz.empty"))
        desk.session.answered(
            self._turn, text, marked, confidence=self._sure, hint=self._hint, milliseconds=desk.took(shown)
        )
        return desk.kept(shown, marked.message)

    def _recalled(self, desk: Desk, shown: Shown) -> str | Draft:
        """First the text, then the checklist with what was found in it already ticked."""
        if not self._listed:
            try:
                self._ticks = found_points(self._text, self._turn.item.points)
            except UnreadableError as problem:
                return self.draft(problem.message)
            self._listed = True
            return self.draft()
        desk.session.recalled(
            self._turn, self._text, self._ticks, confidence=self._sure, hint=self._hint, milliseconds=desk.took(shown)
        )
        return desk.kept(shown)


def is_number(text: str) -> bool:
    """Whether a text is a whole number of at most three digits."""
    return len(text) <= 3 and text.isascii() and text.isdecimal()


def _number(text: str) -> int:
    return int(text) if is_number(text) else 0


def _numbers(texts: list[str], count: int) -> tuple[int, ...]:
    """The places that were ticked, each once, as far as there are any."""
    return tuple(sorted({int(text) for text in texts if is_number(text) and int(text) < count}))
