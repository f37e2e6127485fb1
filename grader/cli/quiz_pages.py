"""How a session looks: as text on a terminal or in a pipe, or as one JSON object a line."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from grader.cli.screen import Screen
from grader.course import Course
from grader.model import Language, Message
from grader.quiz.answers import Marked, show_value
from grader.quiz.lock import filled, filled_line
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
    def hint(self, turn: Turn) -> None: ...
    def say(self, message: Message) -> None: ...
    def sent_back(self, turn: Turn, marked: Marked) -> None: ...
    def understood(self, marked: Marked, text: str) -> None: ...
    def how_sure(self) -> None: ...
    def right(self, turn: Turn, result: Result) -> None: ...
    def wrong(self, turn: Turn, result: Result, marked: Marked | None) -> None: ...
    def options(self, turn: Turn) -> None: ...
    def after_pick(self, turn: Turn, result: Result) -> None: ...
    def key(self, turn: Turn, result: Result) -> None: ...
    def undone(self, item: str | None) -> None: ...
    def closing(self, right: int, wrong: int, session: Session) -> None: ...


def keys_of(turn: Turn, language: Language) -> list[str]:
    """The right answer in the one spelling that is shown."""
    if turn.item.typed:
        return [show_value(turn.item.kind, turn.variant.answer)]
    return [filled(text, turn.variant, language) for text in turn.item.right]


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

    def read(self) -> str | None:
        """The next line; a piped one is shown, so that the page can be read afterwards."""
        text = read_line("> ")
        if text is not None and not sys.stdin.isatty():
            self._raw(f"> {line(text)}")
        return text

    def hint(self, turn: Turn) -> None:
        """The hint of the question."""
        self._put(self._text(turn, turn.item.hint), INDENT, "italic")

    def sent_back(self, turn: Turn, marked: Marked) -> None:
        """Why an answer could not be taken, and what one looks like."""
        if marked.message is not None:
            self.say(marked.message)
        self._tell(f"example_{turn.item.kind}", "dim")

    def understood(self, marked: Marked, text: str) -> None:
        """What was read, where it was not typed just like that."""
        if marked.understood and marked.understood != text.strip():
            self._tell("understood", "dim", text=marked.understood)

    def how_sure(self) -> None:
        """The question for the confidence, without a line end."""
        text = " " * INDENT + tell(Message("quiz.how_sure"), self._language) + " "
        self._console.print(Text(text), end="", crop=False, no_wrap=True, overflow="ignore")

    # --- feedback ---

    def right(self, turn: Turn, result: Result) -> None:
        """Verdict, key, reason, next date."""
        self._tell("right", "bold green", key=" · ".join(keys_of(turn, self._language)))
        self._reason(turn)
        self._next(result)

    def wrong(self, turn: Turn, result: Result, marked: Marked | None) -> None:
        """Verdict, and what the answer shows."""
        self._tell("wrong", "bold red")
        if result.option is not None:
            self._why(turn, result.option)
        elif marked is not None and marked.message is not None:
            self.say(marked.message)
        elif turn.item.kind == "multi":
            self._tell("some_missing")

    def _why(self, turn: Turn, option: int) -> None:
        wrong = turn.item.wrong[option]
        self._put(self._text(turn, wrong.why), INDENT)
        if wrong.mistake in self._course.mistakes:
            title = self._course.mistakes[wrong.mistake].title.in_language(self._language)
            self._tell("mistake", "dim", title=title, exercise=turn.item.exercise)

    def options(self, turn: Turn) -> None:
        """The options, numbered."""
        several = turn.item.kind == "multi"
        self._tell("pick_again" if turn.item.typed else "pick_all" if several else "pick", "dim")
        for i, text in enumerate(turn.texts(self._language), start=1):
            first, *more = wrap(text, self._width - INDENT - 3)
            self._raw(f"{' ' * INDENT}{i}  {first}")
            for each in more:
                self._raw(" " * (INDENT + 3) + each)

    def after_pick(self, turn: Turn, result: Result) -> None:
        """What the pick was worth."""
        if result.right:
            self._tell("picked_right", "green")
        elif result.option is not None:
            self._tell("picked_wrong", "red")
            self._why(turn, result.option)

    def key(self, turn: Turn, result: Result) -> None:
        """The right answer, why it is right, and when the question comes again."""
        self._tell("key", "bold", key=" · ".join(keys_of(turn, self._language)))
        self._reason(turn)
        self._tell("once_more", "dim")
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
        self._raw("")
        if right + wrong == 0 and not session.left:
            self._tell("nothing_due", indent=0)
        else:
            self._tell("closing", indent=0, right=right, wrong=wrong)
            if session.left:
                self._tell("left_over", indent=0, left=session.left)


class JsonPage:
    """One JSON object a line, for programs; answers are read as lines from the standard input."""

    def __init__(self, course: Course, language: Language) -> None:
        self._course = course
        self._language = language

    def _emit(self, event: str, **fields: object) -> None:
        print(json.dumps({"event": event, **fields}, ensure_ascii=False), flush=True)

    def opening(self, session: Session) -> None:
        """What is ahead."""
        self._emit("opening", left=session.left, due=session.due, day=session.day.isoformat())

    def question(self, turn: Turn, left: int) -> None:
        """The prompt."""
        self._emit(
            "question",
            item=turn.item.id,
            variant=turn.variant.id,
            type=turn.item.kind,
            topic=turn.item.topic,
            mode=turn.mode,
            left=left,
            prompt=filled(turn.item.prompt, turn.variant, self._language),
        )

    def read(self) -> str | None:
        """The next line."""
        return read_line("")

    def hint(self, turn: Turn) -> None:
        """The hint."""
        self._emit("hint", text=filled(turn.item.hint, turn.variant, self._language))

    def say(self, message: Message) -> None:
        """A sentence."""
        self._emit("message", text=tell(message, self._language))

    def sent_back(self, turn: Turn, marked: Marked) -> None:
        """Why an answer could not be taken."""
        text = tell(marked.message, self._language) if marked.message else ""
        self._emit("sent_back", item=turn.item.id, outcome=marked.outcome.value, text=text)

    def understood(self, marked: Marked, text: str) -> None:
        """What was read."""
        self._emit("understood", typed=text, text=marked.understood)

    def how_sure(self) -> None:
        """Nothing: a program is not asked."""

    def right(self, turn: Turn, result: Result) -> None:
        """The verdict."""
        self._verdict(turn, result)

    def wrong(self, turn: Turn, result: Result, marked: Marked | None) -> None:
        """The verdict."""
        text = tell(marked.message, self._language) if marked and marked.message else None
        self._verdict(turn, result, message=text)

    def _verdict(self, turn: Turn, result: Result, **more: object) -> None:
        mistake = turn.item.wrong[result.option].mistake if result.option is not None else None
        due = result.due.isoformat() if result.due else None
        self._emit("verdict", item=turn.item.id, right=result.right, mistake=mistake, due=due, **more)

    def options(self, turn: Turn) -> None:
        """The options, in the order of their numbers."""
        self._emit("options", item=turn.item.id, options=turn.texts(self._language))

    def after_pick(self, turn: Turn, result: Result) -> None:
        """What the pick was worth."""
        self._emit("picked", item=turn.item.id, right=result.right)

    def key(self, turn: Turn, result: Result) -> None:  # noqa: ARG002 - the date was in the verdict
        """The right answer and the reason."""
        reason = filled(turn.item.explain, turn.variant, self._language)
        self._emit("key", item=turn.item.id, key=keys_of(turn, self._language), reason=reason)

    def undone(self, item: str | None) -> None:
        """What was taken back."""
        self._emit("undone", item=item)

    def closing(self, right: int, wrong: int, session: Session) -> None:
        """What was done."""
        self._emit("closing", right=right, wrong=wrong, left=session.left)
