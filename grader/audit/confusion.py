"""What cannot be told apart or is not named, as an author has declared it.

    solutions/NN/confusion.toml
        [[hidden]]                       beside each of some mistakes, others do not show
        why = "The heads are never joined, so it does not matter how."
        beside = ["only-the-first-head", "only-the-last-head"]
        stages = ["merge"]               all mistakes of these stages
        mistakes = ["scores-rounded"]    and these

        [[alike]]                        ways of being wrong that answer every input the same; "a + b" is two at once
        why = "With weights that are not divided, only the number taken away from the scores matters."
        groups = [["softmax-over-heads + weights-not-divided", "maximum-over-heads + weights-not-divided"]]

        [[unnamed]]                      pairs that can be told apart, but that a diagnosis does not name
        why = "Where the number of heads is refused, one undoes the other, and neither is looked for there."
        pairs = ["scores-rounded + only-the-first-head"]

"right" stands for right code.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from grader.diagnosis.models import MistakeModels
from grader.strict_toml import Table, read_table

RIGHT = "right"


@dataclass
class Confusion:
    """What cannot be told apart, or is not named.

    Attributes:
        hidden: a mistake -> those that do not show beside it.
        alike: ways of being wrong, "a" or "a + b", that are one behaviour.
        unnamed: pairs, "a + b", that are not named.
    """

    hidden: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    alike: set[frozenset[str]] = field(default_factory=set)
    unnamed: set[str] = field(default_factory=set)


def declared_confusion(models: MistakeModels) -> Confusion:
    """What the list beside the models declares, nothing where there is none; raises ContentError."""
    declared = Confusion()
    path = models.path.with_name("confusion.toml")
    if not path.is_file():
        return declared
    table = read_table(path)
    for entry in table.array("hidden", optional=True):
        entry.string("why")
        listed, beside = entry.optional_strings("mistakes"), entry.strings("beside")
        _assert_known(models, entry, "mistakes", listed)
        _assert_known(models, entry, "beside", beside)
        mistakes = {*listed, *_of_stages(models, entry)}
        for slug in beside:
            declared.hidden[slug] |= mistakes
        entry.close()
    for entry in table.array("alike", optional=True):
        entry.string("why")
        for ways in entry.string_lists("groups"):
            _assert_known(models, entry, "groups", (slug for way in ways if way != RIGHT for slug in way.split(" + ")))
            declared.alike.add(frozenset(way_of(*way.split(" + ")) for way in ways))
        entry.close()
    for entry in table.array("unnamed", optional=True):
        entry.string("why")
        pairs = [pair.split(" + ") for pair in entry.strings("pairs")]
        _assert_known(models, entry, "pairs", (slug for pair in pairs for slug in pair))
        declared.unnamed |= {way_of(*pair) for pair in pairs}
        entry.close()
    table.close()
    return declared


def way_of(*slugs: str) -> str:
    """A way of being wrong as the list names it."""
    return " + ".join(sorted(slugs))


def _assert_known(models: MistakeModels, entry: Table, field: str, slugs: Iterable[str]) -> None:
    for slug in slugs:
        if slug not in models.mistakes:
            near = difflib.get_close_matches(slug, models.mistakes, n=3, cutoff=0.4) or sorted(models.mistakes)
            fix = f"write one of this exercise's mistakes, such as {', '.join(near)}"
            raise entry.error(field, f"{slug!r}, which is none of the MISTAKES of {models.path.name}", fix)


def _of_stages(models: MistakeModels, entry: Table) -> Iterator[str]:
    """Every mistake of the stages that an entry names."""
    for stage in entry.optional_strings("stages"):
        if stage not in models.stages:
            raise entry.error("stages", repr(stage), f"use some of {', '.join(models.stages)}")
        yield from (slug for slug, (of, _option) in models.mistakes.items() if of == stage)
