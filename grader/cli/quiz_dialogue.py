"""The conversation of a session: asks, reads, lets the session keep the answer, and only then says what it was worth.

question --typed--> cannot be read? again, free --> how sure? --kept--> verdict --wrong--> options --> key, reason
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import TypeVar

import click

from grader.cli.quiz_pages import Page
from grader.model import Message
from grader.quiz.arranging import read_outcome, read_picks
from grader.quiz.asked import Marked, Outcome
from grader.quiz.folding import UnreadableError
from grader.quiz.lock import reason_fits
from grader.quiz.offered import read_offered
from grader.quiz.recalling import found_points, read_ticks
from grader.quiz.session import Result, Session, Turn

_USUAL = 2  # confidence where nothing is said
_MOST_MS = 10 * 60 * 1000  # somebody who went for tea is no slow learner


_REASON_FITS = Marked(Outcome.WRONG, message=Message("quiz.reason_fits"))

_Read = TypeVar("_Read")


class Word(Enum):
    """What can be said in place of an answer."""

    HINT = auto()
    SKIP = auto()
    UNDO = auto()
    QUIT = auto()


_WORDS = {
    Word.HINT: {"?", "？", "hint", "提示"},
    Word.SKIP: {"s", "skip", "跳过"},
    Word.UNDO: {"u", "undo", "撤销"},
    Word.QUIT: {"q", "quit", "exit", "退出"},
}


class Dialogue:
    """One session on a page.

    Args:
        confidence: whether to ask how sure the learner is; not where answers are piped in.
    """

    def __init__(self, session: Session, page: Page, *, confidence: bool) -> None:
        self._session = session
        self._page = page
        self._confidence = confidence
        self._hint = self._kept = False  # of the question on the screen
        self._worth: list[bool] = []  # of each answer, the last one behind

    def run(self) -> None:
        """Ask until nothing is left, or the learner leaves; everything that was answered is kept."""
        self._page.opening(self._session)
        while turn := self._session.next():
            if self._ask(turn) is Word.QUIT:
                break
        right = sum(self._worth)
        self._page.closing(right, len(self._worth) - right, self._session)

    def _ask(self, turn: Turn) -> Word | None:
        self._hint = self._kept = False
        self._page.question(turn, self._session.left)
        began = time.monotonic()
        if turn.item.kind == "recall":
            return self._recalled(turn, began)
        return self._typed(turn, began) if turn.item.typed else self._picked(turn, began)

    def _words(self, text: str | None, turn: Turn) -> Word | None:
        """The word that was typed in place of an answer, done where it can be done here; None for an answer."""
        if text is None:
            return Word.QUIT
        word = next((word for word, spellings in _WORDS.items() if text.strip().casefold() in spellings), None)
        if word is Word.HINT:
            self._page.hint(turn, self._hint_note(turn))
            self._hint = True
        elif word is Word.SKIP:
            self._session.skip()
        elif word is Word.UNDO:
            back = self._session.undo()
            self._page.undone(back)
            if back is None:
                return Word.HINT  # nothing to take back: the same question stays
            self._worth = self._worth[:-1]
        return word

    def _hint_note(self, turn: Turn) -> Message | None:
        """What a hint costs, said the first time; that there is no other one, from then on."""
        if self._hint:
            return Message("quiz.hint_all")
        return Message("quiz.hint_costs") if turn.mode == "scheduled" and not self._kept else None

    def _next(self, turn: Turn) -> str | Word:
        """What is typed next, after the hints that are asked for; the end of the input is the word to quit."""
        while True:
            text = self._page.read()
            word = self._words(text, turn)
            if word is Word.HINT:
                continue
            if word is not None:
                return word
            return Word.QUIT if text is None else text

    # --- typed ---

    def _typed(self, turn: Turn, began: float) -> Word | None:
        if not turn.item.offered:
            self._page.options(turn)  # steps or ends to be put in order
        while True:
            text = self._next(turn)
            if isinstance(text, Word):
                return text
            marked = self._session.mark(turn, text)
            if marked.outcome in {Outcome.RIGHT, Outcome.WRONG}:
                break
            self._page.sent_back(turn, marked)
        self._page.understood(marked, text)
        took = self._took(began)
        sure = self._how_sure()
        result = self._session.answered(turn, text, marked, confidence=sure, hint=self._hint, milliseconds=took)
        self._count(right=result.right)
        if result.right:
            self._page.right(turn, result)
            return None
        self._page.wrong(turn, result, marked)
        ending = self._options(turn) if turn.mode == "scheduled" and turn.item.offered else None
        if ending is not Word.UNDO:  # the same question comes again
            self._page.key(turn, result)
        return ending

    def _options(self, turn: Turn) -> Word | None:
        """After a miss: pick from the options, for practice."""
        self._kept = True
        self._page.options(turn)
        while True:
            text = self._page.read()
            if text is not None and text.strip().casefold() in {"", *_WORDS[Word.SKIP]}:
                return None
            word = self._words(text, turn)
            if word is Word.HINT:
                continue
            if text is None or word is not None:
                return word
            try:
                picks = (read_offered(turn, text),)
            except UnreadableError as problem:
                self._page.say(problem.message)
                continue
            result = self._session.picked(turn, picks)
            self._page.after_pick(turn, result)
            return None

    # --- picked ---

    def _picked(self, turn: Turn, began: float) -> Word | None:
        outcome = ""
        if turn.item.kind == "predict":
            self._page.outcomes(turn)
            said = self._read(turn, read_outcome)
            if isinstance(said, Word):
                return said
            outcome = said
        self._page.options(turn)
        several = turn.item.kind == "multi"
        picks = self._read(turn, lambda text: read_picks(text, len(turn.options), several=several))
        if isinstance(picks, Word):
            return picks
        took = self._took(began)
        sure = self._how_sure()
        result = self._session.picked(turn, picks, outcome=outcome, confidence=sure, hint=self._hint, milliseconds=took)
        self._told(turn, result)
        return None

    def _read(self, turn: Turn, read: Callable[[str], _Read]) -> _Read | Word:
        """What the function reads from what is typed; where it cannot, the learner is told and asked again."""
        while True:
            text = self._next(turn)
            if isinstance(text, Word):
                return text
            try:
                return read(text)
            except UnreadableError as problem:
                self._page.say(problem.message)

    def _told(self, turn: Turn, result: Result) -> None:
        self._count(right=result.right)
        if result.right:
            self._page.right(turn, result)
        else:
            kept = self._session.kept
            fits = kept is not None and reason_fits(turn.item, turn.variant, kept.raw)
            self._page.wrong(turn, result, _REASON_FITS if fits else None)
            self._page.key(turn, result)

    # --- recalled ---

    def _recalled(self, turn: Turn, began: float) -> Word | None:
        """A text written freely, then the points of the checklist that were in it."""
        points = turn.item.points
        written: list[str] = []

        def looked_for(text: str) -> tuple[int, ...]:
            found = found_points(text, points)
            written.append(text)
            return found

        found = self._read(turn, looked_for)
        if isinstance(found, Word):
            return found
        took = self._took(began)
        self._page.checklist(turn, found)
        ticked = self._read(turn, lambda text: read_ticks(text, len(points), found))
        if isinstance(ticked, Word):
            return ticked
        sure = self._how_sure()
        result = self._session.recalled(turn, written[-1], ticked, confidence=sure, hint=self._hint, milliseconds=took)
        self._told(turn, result)
        return None

    # --- little things ---

    def _count(self, *, right: bool) -> None:
        self._worth.append(right)

    @staticmethod
    def _took(began: float) -> int:
        return min(_MOST_MS, int((time.monotonic() - began) * 1000))

    def _how_sure(self) -> int:
        if not self._confidence:
            return _USUAL
        self._page.how_sure()
        sys.stdout.flush()
        try:
            key = click.getchar()
        except EOFError:
            key = ""
        sure = int(key) if key in {"1", "2", "3"} else _USUAL
        print(sure)
        return sure
