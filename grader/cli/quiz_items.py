"""`grade quiz items [LOGS…]`: each question on a line; with the logs of a class, what its answers say of each."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from grader.cli.files import refuse_database
from grader.cli.quiz_items_view import Told
from grader.cli.quiz_open import read_bank
from grader.cli.screen import Screen
from grader.course import shown_path
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.items.analysis import Analysis, ItemFigures, analyse
from grader.quiz.items.joined import InCode, JoinedMistake, joined_mistakes
from grader.quiz.items.reading import read_logs
from grader.report.visible import line
from grader.state import write_named

if TYPE_CHECKING:
    from grader.cli.quiz import Options

DONE = 0
_WIDE = 80  # cells; there a question keeps its name on one line
MOST_OPTIONS = 3  # wrong answers of a question worth rewriting
MOST_MISTAKES = 12  # lines; all of them are on the page and in the JSON


def items(options: Options) -> int:
    """Print what answers say of each question, and write the page where one is asked for.

    Raises:
        UsageError: a log or gradebook cannot be read, or the page cannot be written.
        ContentError: the bank was never built.
    """
    if not options.rest:
        return _own(options)
    course, bank = read_bank(options)
    learners = read_logs(options.rest)
    code = _in_code(options.gradebook) if options.gradebook is not None else None
    found = analyse(bank, learners)
    joined = [each for each in joined_mistakes(bank, learners, code) if each.slug in course.mistakes]
    told = Told(course, bank, found, joined, code is not None, options.language)
    if options.html is not None:
        _write_page(told, Path(options.html))
    if options.json:
        print(json.dumps(_as_json(found, told.joined), ensure_ascii=False))
        return DONE
    _print(told)
    if options.html is not None:
        print("\n" + told.say("written", path=shown_path(Path(options.html))))
    return DONE


def _own(options: Options) -> int:
    """Without logs: one's own answers."""
    for name in ("gradebook", "html"):
        if getattr(options, name) is not None:
            raise UsageError(Message("quiz_items.needs_logs", {"option": f"--{name}"}))
    from grader.cli.quiz_tables import items as own_items  # noqa: PLC0415 - needs fsrs, which logs of others do not

    return own_items(options)


def _write_page(told: Told, path: Path) -> None:
    from grader.report.items_page import items_page  # noqa: PLC0415 - jinja2

    try:
        refuse_database(path, "--html")
        write_named(path, items_page(told.page()).encode("utf-8", "replace"))
    except OSError as error:
        fields = {"path": shown_path(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("quiz_items.cannot_write", fields)) from error


def _in_code(where: str) -> InCode:
    """What the gradebook of a folder, wherever the folder says that it is, or at a URL, knows of mistakes."""
    from grader.gradebook.book import Gradebook  # noqa: PLC0415 - SQLAlchemy
    from grader.gradebook.database import FILE  # noqa: PLC0415
    from grader.gradebook.whereabouts import led_to  # noqa: PLC0415

    folder = Path(where)
    url = where if "://" in where else led_to(folder)
    if url is None and not (folder / FILE).is_file():
        raise UsageError(Message("quiz_items.no_gradebook", {"path": shown_path(folder)}))
    book = Gradebook(folder, url)
    try:
        named, standings = book.tallies().named, book.standings()
    finally:
        book.close()
    shown: dict[str, set[str]] = defaultdict(set)
    exercises: dict[str, set[str]] = defaultdict(set)
    attempted: dict[str, set[str]] = defaultdict(set)
    for one in named:
        if one.certain:
            shown[one.mistake].add(one.student)
            exercises[one.mistake].add(one.exercise)
    for each in standings:
        if each.verdict not in {None, "not_attempted"}:
            attempted[each.exercise].add(each.student)
    return InCode(*({key: frozenset(names) for key, names in table.items()} for table in (shown, exercises, attempted)))


# --- JSON ------------------------------------------------------------------------------------------------------------


def _as_json(found: Analysis, joined: Sequence[JoinedMistake]) -> dict[str, Any]:
    return {
        "learners": found.learners,
        "answers": found.answers,
        "unknown": found.unknown,
        "rewrite": [each.item.id for each in found.rewritten()],
        "items": [_item_as_json(each) for each in found.items],
        "mistakes": [asdict(each) for each in joined],
    }


def _item_as_json(each: ItemFigures) -> dict[str, Any]:
    facility = each.facility
    return {
        "item": each.item.id,
        "version": each.item.version,
        "type": each.item.kind,
        "topic": each.item.topic,
        "answers": each.answers,
        "right": each.right,
        "older": each.older,
        "facility": facility._asdict() if facility else None,
        "correlation": each.correlation,
        "options": {option.mistake: option.count for option in each.options},
        "unexplained": each.unexplained,
        "typed": dict(each.typed),
        "seconds": each.seconds,
        "sure": each.sure,
        "sure_wrong": each.sure_wrong,
        "stuck": each.stuck,
        "by_variant": {
            variant: {"answers": answers, "right": right} for variant, (answers, right) in each.by_variant.items()
        },
        "variants": asdict(each.variants) if each.variants else None,
        "flags": list(each.flags),
    }


# --- the terminal ----------------------------------------------------------------------------------------------------


def _print(told: Told) -> None:
    console = Screen(highlight=False, emoji=False, markup=False)  # a log may hold whatever its learner put there
    for sentence in told.heading():
        console.print(sentence)
    if told.found.answers:
        console.print()
        console.print(_items_table(told, console.width))
    worst = told.found.rewritten()
    console.print("\n" + told.say("rewrite" if worst else "nothing_to_rewrite"), style="bold")
    for each in worst:
        console.print(f"  {each.item.id}")
        for sentence in told.why(each):
            console.print(_indented(sentence))
        for option in each.options[:MOST_OPTIONS]:
            if option.count:
                console.print(_indented(told.say("given", count=option.count, title=told.title(option.mistake))))
    if told.joined:
        console.print("\n" + told.say("mistakes" if told.with_code else "mistakes_quiz"), style="bold")
        console.print(_mistakes_table(told))


def _items_table(told: Told, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(told.say("column_item"), overflow="fold", no_wrap=width >= _WIDE)
    table.add_column(told.say("column_answers"), justify="right", no_wrap=True)
    table.add_column(told.say("column_facility"), no_wrap=True)
    table.add_column(told.say("column_correlation"), justify="right", no_wrap=True)
    table.add_column(told.say("column_flags"), overflow="fold")
    for each in told.found.items:
        if each.answers:
            flags = told.listed(told.flags(each))
            cells = (told.facility(each), told.correlation(each), flags)
            table.add_row(each.item.id, str(each.answers), *cells)
    return table


def _mistakes_table(told: Told) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(told.say("column_mistake"), overflow="fold")
    table.add_column(told.say("column_quiz"), no_wrap=True)
    if told.with_code:
        table.add_column(told.say("column_code"), no_wrap=True)
        table.add_column(told.say("column_both"), justify="right", no_wrap=True)
    for each in told.joined[:MOST_MISTAKES]:
        cells = [told.share(each.quiz)] + ([told.share(each.code), str(each.both)] if told.with_code else [])
        table.add_row(line(told.title(each.slug)), *cells)
    return table


def _indented(sentence: str) -> Table:
    """A sentence that wraps below itself."""
    grid = Table.grid(padding=(0, 1))
    grid.add_row("   ", sentence)
    return grid
