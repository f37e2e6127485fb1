"""A session as one JSON object a line, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grader.cli.quiz_pages import keys_of, outcome_text, read_line
from grader.course import Course
from grader.model import Language, Message
from grader.quiz.arranging import OUTCOMES
from grader.quiz.asked import Marked
from grader.quiz.lock import filled
from grader.quiz.session import Result, Session, Turn
from grader.report.visible import tell


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

    def hint(self, turn: Turn, note: Message | None) -> None:  # noqa: ARG002 - the same for every question
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
        lefts = {"lefts": turn.lefts(self._language)} if turn.item.kind == "match" else {}
        self._emit("options", item=turn.item.id, options=turn.texts(self._language), **lefts)

    def outcomes(self, turn: Turn) -> None:
        """What may become of code, in the order of their numbers."""
        texts = [outcome_text(each, self._language) for each in OUTCOMES]
        self._emit("outcomes", item=turn.item.id, options=texts)

    def checklist(self, turn: Turn, found: Sequence[int]) -> None:
        """The points, and the numbers of those that were found."""
        points = [filled(text, turn.variant, self._language) for text in turn.item.right]
        self._emit("checklist", item=turn.item.id, points=points, found=[each + 1 for each in found])

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
