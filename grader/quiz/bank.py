"""Reads the questions of a course, `quizzes/*.toml`, strictly: what is missing or unknown names file, field and fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import ContentError
from grader.model import Text
from grader.quiz.answers import KINDS, TYPED, Kind
from grader.strict_toml import Table, read_table

FORMAT = 1
FOLDER = "quizzes"


@dataclass(frozen=True)
class Param:
    """One number of a template: drawn from `least` to `most`, from `choices`, or computed."""

    least: int = 0
    most: int = 0
    choices: tuple[int, ...] = ()
    expr: str | None = None


@dataclass(frozen=True)
class Option:
    """A right or wrong answer.

    Attributes:
        mistake: slug of what a learner who gives it believes, "" for a right one.
        why: what is said to whoever gives it; None for a right one.
        run: code that sets `ans`, or an expression; None where the value is the output of the mistake's model.
        text: what is shown where options are picked, or a word or formula; None where the value is shown.
        holds: code that shows whether the text is true; None where `source` of the question vouches for it.
    """

    mistake: str = ""
    why: Text | None = None
    run: str | None = None
    text: Text | None = None
    holds: str | None = None


@dataclass(frozen=True)
class Question:
    """One question, or the template of many."""

    file: Path
    topic: str
    title: Text  # of the topic
    id: str
    version: int
    kind: Kind
    exercise: str
    family: str  # of one family only one is asked on a day
    prompt: Text
    hint: Text
    explain: Text
    line: str | None  # runs as it is and shows the answer
    source: str | None
    params: Mapping[str, Param]
    require: tuple[str, ...]
    tolerance: str
    right: tuple[Option, ...]
    wrong: tuple[Option, ...]
    also: tuple[str, ...]
    accepted: tuple[str, ...]  # typed answers that have to be right
    refused: tuple[str, ...]  # typed answers that must not be

    @property
    def typed(self) -> bool:
        """Whether it is answered by typing at first, not by picking."""
        return self.kind in TYPED

    def error(self, field: str, found: str, fix: str) -> ContentError:
        """The error for a field: file, question, field, what was found, what to do."""
        return ContentError(f"{self.file}: {self.id}: {field}: found {found}; {fix}.")


def read_bank(root: Path) -> tuple[Question, ...]:
    """All questions of a course, in the order of the files and in them.

    Raises:
        ContentError: there are none, two have one id, or one is not well written.
    """
    files = sorted((root / FOLDER).glob("*.toml"))
    questions = [question for file in files for question in _read_file(file)]
    if not questions:
        raise ContentError(f"{root / FOLDER}: found no question; write one (see AUTHORING.md).")
    seen: dict[str, Path] = {}
    for question in questions:
        if question.id in seen:
            raise question.error("id", f"an id that {seen[question.id]} has too", "choose another; ids are permanent")
        seen[question.id] = question.file
    return tuple(questions)


def _read_file(path: Path) -> list[Question]:
    table = read_table(path)
    table.number("format", FORMAT, FORMAT, FORMAT)
    topic = table.string("topic")
    title = table.text("title")
    questions = [_question(path, topic, title, each) for each in table.array("question")]
    table.close()
    return questions


def _question(path: Path, topic: str, title: Text, table: Table) -> Question:
    name = table.string("id")
    kind: Kind = table.one_of("type", KINDS)  # type: ignore[assignment]  # it is one of them
    picked = kind not in TYPED
    right = [_option(each, wrong=False) for each in table.array("right")] if picked else [_answer(table)]
    question = Question(
        file=path,
        topic=topic,
        title=title,
        id=name,
        version=int(table.number("version", 1, 1, 10**4)),
        kind=kind,
        exercise=table.string("exercise"),
        family=table.optional_string("family") or name,
        prompt=table.text("prompt"),
        hint=table.text("hint"),
        explain=table.text("explain"),
        line=table.optional_string("line"),
        source=table.optional_string("source"),
        params={param: _param(each) for param, each in table.tables("params", optional=True)},
        require=table.optional_strings("require"),
        tolerance=table.optional_string("tolerance") or "0",
        right=tuple(right),
        wrong=tuple(_option(each, wrong=True) for each in table.array("wrong")),
        also=table.optional_strings("also"),
        accepted=table.optional_strings("accepted"),
        refused=table.optional_strings("refused"),
    )
    table.close()
    return question


def _answer(table: Table) -> Option:
    inner = table.table("answer")
    if inner is None:
        raise table.error("answer", "nothing", "write [question.answer] with `run` or `text`")
    text = inner.optional_string("text")
    run, holds = inner.optional_string("run"), inner.optional_string("holds")
    if (text is None) == (run is None):
        raise inner.error("run", "both or none of `run` and `text`", "write one of them")
    inner.close()
    return Option(run=run, text=None if text is None else Text(text, text), holds=holds)


def _option(table: Table, *, wrong: bool) -> Option:
    option = Option(
        mistake=table.string("mistake") if wrong else "",
        why=table.text("why") if wrong else None,
        run=table.optional_string("run"),
        text=_text(table),
        holds=table.optional_string("holds"),
    )
    table.close()
    return option


def _text(table: Table) -> Text | None:
    """`text` in every language, or one word that is the same in all of them (`word`)."""
    word = table.optional_string("word")
    if word is not None:
        return Text(word, word)
    inner = table.table("text")
    return None if inner is None else inner.whole_text()


def _param(table: Table) -> Param:
    named = [field for field in ("int", "choice", "expr") if table.has(field)]
    if len(named) != 1:
        raise table.error("", str(named), 'write one of int = [least, most], choice = […], expr = "…"')
    if named == ["expr"]:
        param = Param(expr=table.string("expr"))
    else:
        numbers = tuple(int(each) for each in table.numbers(named[0]))
        param = Param(choices=numbers) if named == ["choice"] else Param(numbers[0], numbers[-1])
    table.close()
    return param
