"""`grade new 17_topic`: writes the skeleton of a new exercise into a course.

exercises/17_topic/   solutions/17_topic/   and cards at the end of exercises/mistakes.toml
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from grader.cli.candidates import folders
from grader.cli.command import Command
from grader.course import Course, installed_course, load_course, shown_path, typed
from grader.errors import UsageError
from grader.model import Language, Message
from grader.report.visible import tell
from grader.state import write_whole


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [click.Option(["--course"], metavar="DIR", shell_complete=folders)]
    name = click.Argument(["name"], required=False, metavar="NN_TOPIC")
    return Command("new", language, options, partial(new, language), arguments=[name])


def new(language: Language, name: str | None, course: str | None) -> int:
    """Write every file of the skeleton; nothing where any folder of that name is there.

    Raises:
        UsageError: no name was given or it is no name of an exercise, it is taken, or the course cannot be written to.
    """
    from grader.audit.skeleton import NAME, cards, skeleton  # noqa: PLC0415 - not for the help

    chosen = load_course(Path(course) if course else installed_course())  # which may still be empty
    if name is None:
        raise UsageError(Message("cli.new_which", {"command": typed("grade new 17_topic", chosen)}))
    if not NAME.fullmatch(name):
        raise UsageError(Message("cli.new_name", {"name": name}))
    places = [chosen.root / part / name for part in ("exercises", "solutions")]
    for place in places:
        if place.exists():
            raise UsageError(Message("cli.new_taken", {"path": shown_path(place)}))
    try:
        _write(chosen, {chosen.root / path: text for path, text in skeleton(name).items()}, cards(name))
    except OSError as error:
        fields = {"path": shown_path(chosen.root), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.new_cannot_write", fields)) from error
    for place in (*places, chosen.root / "exercises" / "mistakes.toml"):
        print(tell(Message("cli.new_written", {"path": shown_path(place)}), language))
    print(tell(Message("cli.new_next", {"command": typed(f"grade audit {name}", chosen)}), language))
    return 0


def _write(course: Course, files: dict[Path, str], cards: str) -> None:
    """The files, exercise.toml last: with it the exercise is there."""
    catalogue = course.root / "exercises" / "mistakes.toml"
    known = catalogue.read_text(encoding="utf-8") if catalogue.is_file() else ""
    write_whole(catalogue, known + cards)
    for path in sorted(files, key=lambda path: path.name == "exercise.toml"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[path])
