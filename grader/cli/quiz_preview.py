"""`grade quiz preview ID` shows all of a question; `grade quiz new TYPE` prints one to write another from."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from rich.text import Text

from grader.cli.quiz_open import read_bank
from grader.cli.quiz_pages import INDENT, WIDTH, keys_of
from grader.cli.screen import Screen
from grader.cli.targets import chosen_course
from grader.course import Course, shown_path
from grader.errors import UsageError
from grader.model import Language, Message
from grader.quiz.answers import show_value
from grader.quiz.asked import KINDS
from grader.quiz.bank import FOLDER
from grader.quiz.lock import Item, Variant, filled, filled_line
from grader.quiz.session import Turn
from grader.report.visible import tell
from grader.report.wrap import wrap

if TYPE_CHECKING:
    from grader.cli.quiz import Options

_QUESTION = re.compile(r"^\[\[question\]\]$", re.MULTILINE)
_ID = re.compile(r'^id = ".*"$', re.MULTILINE)


def preview(options: Options) -> int:
    """Show one variant of a question: prompt, hint, key, every wrong answer with its reason, explanation.

    Raises:
        UsageError: no question is named, or there is no such question or variant.
        ContentError: the bank was never built.
    """
    course, bank = read_bank(options)
    if not options.rest:
        raise UsageError(Message("schedule.item_needed", {"action": "preview"}))
    name, _, number = options.rest[0].partition("@")
    if name not in bank.items:
        raise UsageError(Message("quiz.no_item", {"item": name}))
    item = bank.items[name]
    places = {key: i for i, each in enumerate(item.variants) for key in (str(i), each.id)}
    place = places.get(number or "0")
    if place is None:
        fields: dict[str, str | int | float] = {"item": name, "variant": number, "most": len(item.variants) - 1}
        raise UsageError(Message("quiz.no_variant", fields))
    if options.json:
        record = next(record for record in bank.records if record["id"] == name)
        print(json.dumps({**record, "variants": [record["variants"][place]]}, ensure_ascii=False))
    else:
        Sheet(course, options.language).print(item, place)
    return 0


class Sheet:
    """A question on a console, wrapped by us."""

    def __init__(self, course: Course, language: Language) -> None:
        self._course = course
        self._language = language
        self._console = Screen(highlight=False, emoji=False)
        self._width = max(20, min(self._console.width, WIDTH))

    def _put(self, text: str, style: str = "", indent: int = INDENT) -> None:
        for each in wrap(text, self._width - indent):
            self._console.print(Text(" " * indent + each, style=style), no_wrap=True, overflow="ignore", crop=False)

    def _say(self, key: str, style: str = "", indent: int = INDENT, **fields: str | int) -> None:
        self._put(tell(Message(f"schedule.preview_{key}", fields), self._language), style, indent)

    def print(self, item: Item, place: int) -> None:
        """Everything that a learner may ever see of this variant."""
        variant = item.variants[place]
        shown = tuple(range(len(item.right))) if item.kind in {"order", "match"} else ()
        turn = Turn(item, variant, "scheduled", shown)
        of: dict[str, str | int] = {"item": item.id, "kind": item.kind, "place": place, "most": len(item.variants) - 1}
        self._say("head", "bold", 0, **of, exercise=item.exercise)
        self._put(filled(item.prompt, variant, self._language))
        self._say("hint", "dim", text=filled(item.hint, variant, self._language))
        if shown:
            for text in [*turn.lefts(self._language), *turn.texts(self._language)]:
                self._put(text, indent=2 * INDENT)
        self._say("key", "green", text=" · ".join(keys_of(turn, self._language)))
        for i, wrong in enumerate(item.wrong):
            text = self._wrong_text(item, variant, i)
            title = self._course.mistakes.get(wrong.mistake)
            named = title.title.in_language(self._language) if title else wrong.mistake
            self._say("wrong", "red", text=text, mistake=named)
            self._put(filled(wrong.why, variant, self._language), indent=2 * INDENT)
        self._put(filled(item.explain, variant, self._language))
        if item.line:
            print(" " * INDENT + filled_line(item.line, variant))

    def _wrong_text(self, item: Item, variant: Variant, place: int) -> str:
        text = item.wrong[place].text
        if text is not None:
            return filled(text, variant, self._language)
        if item.kind == "recall":  # a point that was not thought of
            return "− " + filled(item.right[place], variant, self._language)
        value = variant.wrong[place]
        if item.kind == "match" and isinstance(value, tuple):
            left, end = map(int, value)
            return ": ".join(filled(each, variant, self._language) for each in (item.right[left], item.ends[end]))
        return show_value(item.kind, value, item.tolerance)


def new(options: Options) -> int:
    """Print a question of a type as the bank has it, with an id to be changed: one to write another from.

    Raises:
        UsageError: no such type, or the bank has none of it.
    """
    kind = options.rest[0] if options.rest else ""
    if kind not in KINDS:
        raise UsageError(Message("schedule.no_kind", {"kind": kind, "kinds": ", ".join(KINDS)}))
    course = chosen_course(options.course)
    for path in sorted((course.root / FOLDER).glob("*.toml")):
        _, *questions = _QUESTION.split(path.read_text(encoding="utf-8"))
        for question in questions:
            if re.search(rf'^type = "{kind}"$', question, re.MULTILINE):
                print(tell(Message("schedule.new_from", {"path": shown_path(path)}), options.language))
                print("\n[[question]]" + _ID.sub(f'id = "topic.new-{kind}"', question, count=1).rstrip())
                return 0
    raise UsageError(Message("schedule.no_example", {"kind": kind, "path": shown_path(course.root / FOLDER)}))
