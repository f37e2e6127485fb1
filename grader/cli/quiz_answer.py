"""`grade quiz answer`: what the checker thinks of one answer, for editors and tests; nothing is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from grader.cli.quiz_open import read_bank
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.answers import mark
from grader.quiz.asked import Outcome
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options
    from grader.quiz.lock import Item, Variant

RIGHT, OTHER = 0, 1


def answer(options: Options) -> int:
    """Say what the checker thinks of one answer; 0 right, 1 wrong or sent back.

    Raises:
        UsageError: no such question or variant, or one that is not typed.
    """
    _, bank = read_bank(options)
    if len(options.rest) != 2:
        raise UsageError(Message("quiz.answer_needs"))
    name, _, number = options.rest[0].partition("@")
    if name not in bank.items:
        raise UsageError(Message("quiz.no_item", {"item": name}))
    item = bank.items[name]
    if not item.typed:
        raise UsageError(Message("quiz.not_typed", {"item": name}))
    variant = _variant(item, number)
    marked = mark(item.asked(variant), options.rest[1])
    mistake = item.wrong[marked.option].mistake if marked.option is not None else None
    message = tell(marked.message, options.language) if marked.message else None
    if options.json:
        found = {"item": name, "variant": variant.id, "outcome": marked.outcome.value, "understood": marked.understood}
        print(json.dumps({**found, "mistake": mistake, "message": message}, ensure_ascii=False))
    else:
        print(*filter(None, (tell(Message(f"quiz.said_{marked.outcome.value}"), options.language), marked.understood)))
        for line in filter(None, (mistake, message)):
            print(line)
    return RIGHT if marked.outcome is Outcome.RIGHT else OTHER


def _variant(item: Item, number: str) -> Variant:
    """The variant of that number or id, the first one where none is named."""
    for i, variant in enumerate(item.variants):
        if number in {"", str(i), variant.id}:
            return variant
    raise UsageError(Message("quiz.no_variant", {"item": item.id, "variant": number, "most": len(item.variants) - 1}))
