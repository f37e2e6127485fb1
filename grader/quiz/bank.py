"""Reads the questions of a course, `quizzes/*.toml`, strictly: what is missing or unknown names file, field and fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import ContentError
from grader.model import Text
from grader.quiz.arranging import OUTCOMES
from grader.quiz.asked import KINDS, OFFERED, PICKED, TYPED, Kind
from grader.strict_toml import Table, read_table

FORMAT = 1
FOLDER = "quizzes"
_ANSWERED: tuple[Kind, ...] = (*OFFERED, "order", "predict")  # have [question.answer]
_RUN: tuple[Kind, ...] = ("shape", "number", "vector", "error")  # a wrong option may have code
_TOLD: tuple[Kind, ...] = ("formula", *PICKED)  # a wrong option has a text


@dataclass(frozen=True)
class Param:
    """One number of a template: drawn from `least` to `most`, from `choices`, or computed."""

    least: int = 0
    most: int = 0
    choices: tuple[int, ...] = ()
    expr: str | None = None


@dataclass(frozen=True)
class Option:
    """A right or wrong answer, or a part of one: a step, a pair, a point.

    Attributes:
        mistake: slug of what a learner who gives it believes, "" for a right one.
        why: what is said to whoever gives it; None for a right one.
        run: code that sets `ans`, or an expression; None where the value is the output of the mistake's model.
        text: what is shown where options are picked, or a formula; None where the value is shown.
        holds: code that shows whether the text is true; None where `source` of the question vouches for it.
        words: of cloze, for each blank its spellings, "a|b".
        line: of code, a line of Python.
        place: of a wrong order or pair: "2 1 3", "a2".
        end: of match, the right end.
        outcome: of predict, the outcome that goes with a wrong reason.
        found: of recall, spellings by which the point is found.
        want: of predict, what `run` should have given. given: of order, code that runs before the steps.
    """

    mistake: str = ""
    why: Text | None = None
    run: str | None = None
    text: Text | None = None
    holds: str | None = None
    words: tuple[str, ...] = ()
    line: str | None = None
    place: str = ""
    end: Text | None = None
    outcome: str = ""
    found: tuple[str, ...] = ()
    want: str | None = None
    given: str | None = None


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
    axes: tuple[str, ...]  # of a cloze whose blank holds axes: the names of all axes of the array, ("B", "h", "L")
    answer: Option | None  # [question.answer]; None where the right options say everything
    right: tuple[Option, ...]
    wrong: tuple[Option, ...]
    cases: tuple[str, ...]  # of code: each gives the names that the line may use
    accepted: tuple[str, ...]  # typed answers that have to be right
    refused: tuple[str, ...]  # typed answers that must not be

    @property
    def typed(self) -> bool:
        """Whether `mark` reads what is typed."""
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
    table.called(name)
    kind: Kind = table.one_of("type", KINDS)  # type: ignore[assignment]  # it is one of them
    answer = _answer(table, kind) if kind in _ANSWERED else None
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
        axes=tuple((table.optional_string("axes") or "").split()) if kind == "cloze" else (),
        answer=answer,
        right=(answer,) if answer and kind in OFFERED else tuple(_right(each, kind) for each in table.array("right")),
        wrong=tuple(_wrong(each, kind) for each in table.array("wrong")),
        cases=table.strings("cases") if kind == "code" else (),
        accepted=table.optional_strings("accepted"),
        refused=table.optional_strings("refused"),
    )
    table.close()
    return question


def _answer(table: Table, kind: Kind) -> Option:
    inner = table.table("answer")
    if inner is None:
        raise table.error("answer", "nothing", f"write [question.answer], as every question of type {kind} has it")
    answer = _whole_answer(inner, kind)
    inner.close()
    return answer


def _whole_answer(inner: Table, kind: Kind) -> Option:
    if kind == "order":
        return Option(given=inner.optional_string("given"), holds=inner.optional_string("holds"))
    if kind == "predict":
        return Option(
            run=inner.string("run"),
            want=inner.string("want"),
            outcome=inner.one_of("outcome", OUTCOMES),
            mistake=inner.optional_string("mistake") or "",
        )
    if kind == "code":
        return Option(line=inner.string("line"), run=inner.string("run"))
    run, holds = inner.optional_string("run"), inner.optional_string("holds")
    if kind == "cloze":
        return Option(words=inner.strings("words"), run=run, holds=holds)
    text = inner.optional_string("text")
    if (text is None) == (run is None):
        raise inner.error("run", "both or none of `run` and `text`", "write one of them")
    return Option(run=run, text=None if text is None else Text(text, text), holds=holds)


def _right(table: Table, kind: Kind) -> Option:
    option = Option(
        run=table.optional_string("run") if kind in {"order", "error"} else None,
        text=_text(table, "text"),
        holds=table.optional_string("holds") if kind != "order" else None,
        end=_text(table, "end") if kind == "match" else None,
        found=table.strings("found") if kind == "recall" else (),
    )
    if option.text is None or (kind == "match" and option.end is None):
        raise table.error("text" if option.text is None else "end", "nothing", "write it in both languages, or `word`")
    table.close()
    return option


def _wrong(table: Table, kind: Kind) -> Option:
    option = Option(
        mistake=table.string("mistake"),
        why=table.text("why"),
        run=table.optional_string("run") if kind in _RUN else None,
        text=_text(table, "text") if kind in _TOLD else None,
        holds=table.optional_string("holds") if kind in PICKED else None,
        words=table.strings("words") if kind == "cloze" else (),
        line=table.string("line") if kind == "code" else None,
        place=table.string("order" if kind == "order" else "pair") if kind in {"order", "match"} else "",
        outcome=table.one_of("outcome", OUTCOMES) if kind == "predict" else "",
    )
    table.close()
    return option


def _text(table: Table, field: str) -> Text | None:
    """A text in every language, or what is the same in all of them: `word` for `text`, `end_word` for `end`."""
    word = table.optional_string("word" if field == "text" else f"{field}_word")
    if word is not None:
        return Text(word, word)
    inner = table.table(field)
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
