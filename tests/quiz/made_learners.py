"""Learners made by chance, whose answers follow a rule that is known: for what is counted over a class."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from grader.quiz.events import Event
from grader.quiz.items.reading import Learner
from grader.quiz.lock import Bank, Item

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PLAIN = Event(
    *("", "scheduled", "", 1, "", "r", "2026-03-01T10:00:00.000+00:00", "UTC", "2026-03-01", "raw", "", "right"),
    *("", 2, 0, 20_000, ""),
)


def ulid(number: int) -> str:
    """An id whose order is that of the numbers."""
    return "0" + "".join(_LETTERS[(number >> shift) & 31] for shift in range(120, -1, -5))


def answer(number: int, item: Item, *, right: bool, **given: object) -> Event:
    """One scheduled answer, a wrong one with the first option's mistake."""
    mistake = "" if right or not item.wrong else item.wrong[0].mistake
    plain = replace(PLAIN, id=ulid(number), item=item.id, version=item.version, variant=item.variants[0].id)
    return replace(plain, **{"outcome": "right" if right else "wrong", "mistake": mistake, **given})


def learners(bank: Bank, count: int, chance: Callable[[Item, float], float], seed: int = 0) -> Iterator[Learner]:
    """So many learners who answer every question once.

    Args:
        chance: of a right answer to an item, for an ability drawn from the standard normal distribution.
    """
    source = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        ability = source.gauss(0, 1)
        events = []
        for place, item in enumerate(bank.items.values()):
            event = answer(number * 1000 + place + 1, item, right=source.random() < chance(item, ability))
            if event.mistake:
                event = replace(event, mistake=source.choice(item.wrong).mistake)
            events.append(replace(event, variant=source.choice(item.variants[:2]).id))
        yield Learner(f"learner-{number}", tuple(events))


def usual(_item: Item, ability: float) -> float:
    """The chance of a right answer to a question of middle difficulty."""
    return 1 / (1 + math.exp(-1.5 * ability))
