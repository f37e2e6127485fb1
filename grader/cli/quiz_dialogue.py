"""The conversation of a session: asks, reads, lets the session keep the answer, and only then says what it was worth.

question --typed--> cannot be read? again, free --> how sure? --kept--> verdict --wrong--> options --> key, reason
"""

from __future__ import annotations

import sys
import time
from enum import Enum, auto

import click

from grader.cli.quiz_pages import Page
from grader.quiz.answers import Outcome, read_picks
from grader.quiz.folding import UnreadableError
from grader.quiz.session import Session, Turn

_USUAL = 2  # confidence where nothing is said
_MOST_MS = 10 * 60 * 1000  # somebody who went for tea is no slow learner


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
        self._hint = False
        self._right = self._wrong = 0

    def run(self) -> None:
        """Ask until nothing is left, or the learner leaves; everything that was answered is kept."""
        self._page.opening(self._session)
        while turn := self._session.next():
            if self._ask(turn) is Word.QUIT:
                break
        self._page.closing(self._right, self._wrong, self._session)

    def _ask(self, turn: Turn) -> Word | None:
        self._hint = False
        self._page.question(turn, self._session.left)
        began = time.monotonic()
        return self._typed(turn, began) if turn.item.typed else self._picked(turn, began)

    def _words(self, text: str | None, turn: Turn) -> Word | None:
        """The word that was typed in place of an answer, done where it can be done here; None for an answer."""
        if text is None:
            return Word.QUIT
        word = next((word for word, spellings in _WORDS.items() if text.strip().casefold() in spellings), None)
        if word is Word.HINT:
            self._hint = True
            self._page.hint(turn)
        elif word is Word.SKIP:
            self._session.skip()
        elif word is Word.UNDO:
            back = self._session.undo()
            self._page.undone(back)
            if back is None:
                return Word.HINT  # nothing to take back: the same question stays
        return word

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
        ending = self._options(turn) if turn.mode == "scheduled" else None
        self._page.key(turn, result)
        return ending

    def _options(self, turn: Turn) -> Word | None:
        """After a miss: pick from the options, for practice."""
        self._page.options(turn)
        while True:
            text = self._page.read()
            word = self._words(text, turn) if text is None or text.strip().casefold() in _WORDS[Word.QUIT] else None
            if word is Word.QUIT:
                return word
            if text is None or text.strip().casefold() in {"", *_WORDS[Word.SKIP]}:
                return None
            try:
                picks = read_picks(text, len(turn.options), several=False)
            except UnreadableError as problem:
                self._page.say(problem.message)
                continue
            result = self._session.picked(turn, picks)
            self._page.after_pick(turn, result)
            return None

    # --- picked ---

    def _picked(self, turn: Turn, began: float) -> Word | None:
        self._page.options(turn)
        while True:
            text = self._next(turn)
            if isinstance(text, Word):
                return text
            try:
                picks = read_picks(text, len(turn.options), several=turn.item.kind == "multi")
                break
            except UnreadableError as problem:
                self._page.say(problem.message)
        took = self._took(began)
        sure = self._how_sure()
        result = self._session.picked(turn, picks, confidence=sure, hint=self._hint, milliseconds=took)
        self._count(right=result.right)
        if result.right:
            self._page.right(turn, result)
        else:
            self._page.wrong(turn, result, None)
            self._page.key(turn, result)
        return None

    # --- little things ---

    def _count(self, *, right: bool) -> None:
        self._right += right
        self._wrong += not right

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
