"""What a shell offers when the Tab key is pressed: names of exercises, their folders, files. Imports nothing heavy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.course import Course, installed_course

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PLAIN = re.compile(r"[\w./+-]*", re.ASCII)  # what every shell takes without quotes


def exercise_names(context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of the exercises of the course, also by the beginning of their topic; folders once a path is typed."""
    if "/" in incomplete:
        return folders(context, _param, incomplete)
    names = _course(context).names
    topics = [name.partition("_")[2] for name in names] if incomplete else []
    return _items([each for each in (*names, *topics) if each.startswith(incomplete)])


def exercise_folders(context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Exercise folders in the folder that is typed or in `exercises/` there; files where there are none."""
    if PLAIN.fullmatch(incomplete):
        names = _course(context).names
        typed = incomplete[: incomplete.rfind("/") + 1]
        for start in (typed, f"{typed}exercises/"):
            paths = [start + name for name in names if Path(start, name).is_dir()]
            found = [path for path in paths if path.startswith(incomplete)]
            if found:
                return _items(found)
    return files(context, _param, incomplete)


def files(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Leaves it to the shell to name files."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell asks for it

    return [CompletionItem(incomplete, type="file")]


def folders(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Leaves it to the shell to name folders."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell asks for it

    return [CompletionItem(incomplete, type="dir")]


def _items(values: list[str]) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell asks for it

    return [CompletionItem(value) for value in values]


def _course(context: click.Context) -> Course:
    """The course of `--course` where that was typed before; a folder that is none has no exercises."""
    asked = context.params.get("course")
    return Course(Path(asked).resolve() if asked else installed_course())
