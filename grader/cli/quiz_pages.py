"""How a session looks on a terminal or in a pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from grader.cli.screen import Screen
from grader.course import Course
from grader.model import Language, Message
from grader.quiz.answers import typed_value
from grader.quiz.arranging import OUTCOMES
from grader.quiz.asked import Marked
from grader.quiz.blanks import count_blanks
from grader.quiz.folding import same_spelling
from grader.quiz.lock import filled, filled_line
from grader.quiz.returns import returns_told
from grader.quiz.session import Result, Session, Turn
from grader.report.visible import line, tell
from grader.report.wrap import wrap

if TYPE_CHECKING:
    from grader.model import Text as Both

WIDTH = 100  # cells; longer lines are hard to read
INDENT = 2


class Page(Protocol):
    """What a dialogue shows, and where it reads."""

    def opening(self, session: Session) -> None: ...
    def question(self, turn: Turn, left: int) -> None: ...
    def read(self) -> str | None: ...
    def hint(self, turn: Turn, note: Message | None) -> None: ...
    def say(self, message: Message) -> None: ...
    def sent_back(self, turn: Turn, marked: Marked) -> None: ...
    def understood(self, marked: Marked, text: str) -> None: ...
    def how_sure(self) -> None: ...
    def right(self, turn: Turn, result: Result) -> None: ...
    def wrong(self, turn: Turn, result: Result, marked: Marked | None) -> None: ...
    def options(self, turn: Turn) -> None: ...
    def outcomes(self, turn: Turn) -> None: ...
    def checklist(self, turn: Turn, found: Sequence[int]) -> None: ...
    def after_pick(self, turn: Turn, result: Result) -> None: ...
    def key(self, turn: Turn, result: Result) -> None: ...
    def undone(self, item: str | None) -> None: ...
    def closing(self, right: int, wrong: int, session: Session) -> None: ...


def keys_of(turn: Turn, language: Language) -> list[str]:
    """The right answer in the one spelling that is shown; of order and match as the numbers on the screen."""
    item, shown = turn.item, turn.asked()
    if item.typed:
        return [typed_value(shown, turn.variant.answer)]
    right = [filled(text, turn.variant, language) for text in item.right]
    return [outcome_text(str(turn.variant.key), language), *right] if item.kind == "predict" else right


def outcome_text(outcome: str, language: Language) -> str:
    """How code ends, in words."""
    return tell(Message(f"quiz.outcome_{outcome}"), language)


def read_line(prompt: str) -> str | None:
    """A line that was typed or piped in, None at the end of the input."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - arrow keys, and Chinese characters deleted as one
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    text = sys.stdin.readline()
    return text.rstrip("\n") if text else None


class ScreenPage:
    """Lines for people, wrapped by us: rich would break Chinese in the wrong places."""

    def __init__(self, course: Course, language: Language) -> None:
        self._course = course
        self._language = language
        self._console = Screen(highlight=False, emoji=False)
        self._width = max(20, min(self._console.width, WIDTH))

    # --- lines ---

    def _put(self, text: str, indent: int = 0, style: str = "") -> None:
        for each in wrap(text, self._width - indent):
            self._raw(" " * indent + each, style)

    def _raw(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style), no_wrap=True, overflow="ignore", crop=False)

    def say(self, message: Message) -> None:
        """One sentence."""
        self._put(tell(message, self._language), INDENT)

    def _tell(self, key: str, /, style: str = "", indent: int = INDENT, **fields: str | int) -> None:
        self._put(tell(Message(f"quiz.{key}", fields), self._language), indent, style)

    def _text(self, turn: Turn, text: Both) -> str:
        return filled(text, turn.variant, self._language)

    # --- asking ---

    def opening(self, session: Session) -> None:
        """What is ahead."""
        if session.left:
            self._tell("opening", indent=0, count=session.left, due=session.due)
            self._tell("keys", "dim", indent=0)

    def question(self, turn: Turn, left: int) -> None:
        """The prompt under a heading."""
        self._raw("")
        kind = f" {tell(Message('quiz.again_retry'), self._language)}" if turn.mode == "retry" else ""
        self._tell(
            "heading", "bold", indent=0, left=left, topic=turn.item.title.in_language(self._language), again=kind
        )
        self._put(self._text(turn, turn.item.prompt), INDENT)
        if turn.item.kind == "cloze" and count_blanks(turn.item.prompt.in_language(self._language)) > 1:
            self._tell("several_blanks", "dim")

    def read(self) -> str | None:
        """The next line; a piped one is shown, so that the page can be read afterwards."""
        text = read_line("> ")
        if text is not None and not sys.stdin.isatty():
            self._raw(f"> {line(text)}")
        return text

    def hint(self, turn: Turn, note: Message | None) -> None:
        """The hint of the question, and what there is to know of it."""
        self._put(self._text(turn, turn.item.hint), INDENT, "italic")
        if note is not None:
            self._put(tell(note, self._language), INDENT, "dim")

    def sent_back(self, turn: Turn, marked: Marked) -> None:
        """Why an answer could not be taken, and what one looks like."""
        if marked.message is not None:
            self.say(marked.message)
        if turn.item.kind not in {"order", "match"}:  # the sentence is an example itself
            self._tell(f"example_{turn.item.kind}", "dim")

    def understood(self, marked: Marked, text: str) -> None:
        """What was read, where it was not typed just like that."""
        if not same_spelling(marked.understood, text):
            self._tell("understood", "dim", text=marked.understood)

    def how_sure(self) -> None:
        """The question for the confidence, without a line end."""
        text = " " * INDENT + tell(Message("quiz.how_sure"), self._language) + " "
        self._console.print(Text(text), end="", crop=False, no_wrap=True, overflow="ignore")

    # --- feedback ---

    def right(self, turn: Turn, result: Result) -> None:
        """Verdict, key, reason, next date."""
        points = Message("quiz.all_points", {"count": len(turn.item.right)})
        keys = [tell(points, self._language)] if turn.item.kind == "recall" else keys_of(turn, self._language)
        self._tell("right", "bold green", key=" · ".join(keys))
        self._reason(turn)
        self._next(result)

    def wrong(self, turn: Turn, result: Result, marked: Marked | None) -> None:
        """Verdict, and what the answer shows."""
        self._tell("partly" if result.partly else "wrong", "bold red")
        if marked is not None and marked.message is not None and marked.option is None:
            self.say(marked.message)
        elif result.option is not None:
            self._why(turn, result.option)
        elif turn.item.kind == "multi":
            self._tell("some_missing")

    def _why(self, turn: Turn, option: int) -> None:
        wrong = turn.item.wrong[option]
        self._put(self._text(turn, wrong.why), INDENT)
        if wrong.mistake in self._course.mistakes:
            title = self._course.mistakes[wrong.mistake].title.in_language(self._language)
            self._tell("mistake", "dim", title=title, exercise=turn.item.exercise)

    def options(self, turn: Turn) -> None:
        """The options, numbered; those of a question that is typed have letters, for a number may be an answer."""
        kinds = {"order": "pick_order", "match": "pick_pairs", "predict": "pick_reason", "multi": "pick_all"}
        self._tell("pick_again" if turn.item.offered else kinds.get(turn.item.kind, "pick"), "dim")
        if turn.item.kind == "match":
            self._listed(zip(ascii_lowercase, turn.lefts(self._language), strict=False))
            self._raw("")
        if turn.item.offered:
            self._listed(zip(ascii_lowercase, turn.texts(self._language), strict=False))
            return
        self._listed((str(i), text) for i, text in enumerate(turn.texts(self._language), start=1))

    def _listed(self, lines: Iterable[tuple[str, str]]) -> None:
        for mark, text in lines:
            first, *more = wrap(text, self._width - INDENT - 3)
            self._raw(f"{' ' * INDENT}{mark}  {first}")
            for each in more:
                self._raw(" " * (INDENT + 3) + each)

    def outcomes(self, turn: Turn) -> None:  # noqa: ARG002 - the same for every question
        """What may become of code, numbered."""
        self._tell("pick_outcome", "dim")
        self._listed((str(i), outcome_text(each, self._language)) for i, each in enumerate(OUTCOMES, start=1))

    def checklist(self, turn: Turn, found: Sequence[int]) -> None:
        """The points, with a + at those that were found."""
        self._tell("checklist")
        for i, text in enumerate(turn.item.right):
            mark = f"{i + 1}{'+' if i in found else ' '}"
            self._listed([(mark[:1], f"{mark[1:]} {self._text(turn, text)}")])
        self._tell("tick", "dim")

    def after_pick(self, turn: Turn, result: Result) -> None:
        """What the pick was worth."""
        if result.right:
            self._tell("picked_right", "green")
        elif result.option is not None:
            self._tell("picked_wrong", "red")
            self._why(turn, result.option)

    def key(self, turn: Turn, result: Result) -> None:
        """The right answer, why it is right, and when the question comes again."""
        if turn.item.kind != "recall":  # the points are on the screen already
            self._tell("key", "bold", key=" · ".join(keys_of(turn, self._language)))
        if turn.item.kind == "order":
            steps = [self._text(turn, each) for each in turn.item.right]
            self._listed((str(turn.options.index(i) + 1), text) for i, text in enumerate(steps))
        self._reason(turn)
        self._put(tell(returns_told(result.returns), self._language), INDENT, "dim")
        self._next(result)

    def _reason(self, turn: Turn) -> None:
        self._put(self._text(turn, turn.item.explain), INDENT)
        if turn.item.line:
            self._tell("try_it", "dim")
            self._raw(" " * (INDENT + 2) + filled_line(turn.item.line, turn.variant))

    def _next(self, result: Result) -> None:
        if result.due is not None:
            self._tell("next_date", "dim", date=result.due.isoformat())

    def undone(self, item: str | None) -> None:
        """That the last answer was taken back, or that there is none."""
        self._tell("undone" if item else "nothing_to_undo")

    def closing(self, right: int, wrong: int, session: Session) -> None:
        """What was done, and what is left."""
        left = session.left + session.skipped
        if right + wrong == 0 and not left:
            self._tell("nothing_due", indent=0)
        else:
            self._raw("")
            self._tell("closing", indent=0, right=right, wrong=wrong)
            if left:
                self._tell("left_over", indent=0, left=left)
