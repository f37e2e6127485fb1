"""The formats of `grade quiz export`, each written by a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from grader.quiz.exports.entry import About, Entry, Note

Writer = Callable[[Sequence[Entry], About], tuple[bytes, list[Note]]]


class Format(NamedTuple):
    """One format.

    Attributes:
        ending: of its files.
        variants: draws of a question that are usual; a learning platform draws one of several itself.
    """

    ending: str
    variants: int


FORMATS: Mapping[str, Format] = {
    "anki": Format(".apkg", 1),
    "moodle": Format(".xml", 5),
    "gift": Format(".gift", 5),
    "qti": Format(".zip", 5),
    "csv": Format(".csv", 5),
    "sheet": Format(".html", 1),
}


def write(name: str, entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The file in this format, and what became of a question otherwise."""
    writer: Writer = import_module(f"grader.quiz.exports.{name}").written
    return writer(entries, about)
