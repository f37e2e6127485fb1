"""The exports that `grade batch --export` is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.files import warn
from grader.cli.screen import Screen
from grader.course import Course, shown_path
from grader.gradebook.files import ANONYMOUS, export_anonymously
from grader.gradebook.platforms.write import PLACES, Export, Exporter, read_export
from grader.gradebook.policy import read_policy
from grader.model import Language, Message
from grader.report.feedback import Feedback
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.gradebook.book import Gradebook


def asked_exports(typed: Sequence[str]) -> list[Export]:
    """What was typed, each once; raises UsageError for what means nothing."""
    return list(dict.fromkeys(map(read_export, typed)))


def write_exports(
    exports: Sequence[Export],
    book: Gradebook,
    course: Course,
    folder: Path,
    *,
    language: Language,
    pages_language: Language,
    feedback: Feedback,
    wanted: Sequence[str],
    anonymous: bool,
    graded: bool,
) -> None:
    """Write them and say so. Raises UsageError.

    Args:
        language: of what is said; what is written has that of the pages.
        wanted: names of the exercises that were asked for; none of them means all that have a result.
        anonymous: write the files under pseudonyms too; where they are there already, they follow in any case.
        graded: this run graded submissions.
    """
    console = Screen(highlight=False, emoji=False)
    if anonymous or (folder / ANONYMOUS).is_dir():
        pages = anonymous or graded
        place = shown_path(export_anonymously(book, course, folder, pages_language, feedback, pages=pages))
        console.print(tell(Message("exports.anonymous", {"path": place}), language), markup=False, soft_wrap=True)
    exporter = Exporter(book, course, folder, pages_language, feedback, tuple(wanted))
    for export in exports:
        notes = exporter.write(export)
        place = shown_path(folder / PLACES[export.platform])
        for note in [*notes, Message("exports.written", {"platform": export.platform, "path": place})]:
            console.print(tell(note, language), markup=False, soft_wrap=True)


def asked_policy(path: str | None, course: Course) -> str | None:
    """The text of the policy that holds from now on, None where none is given. Raises UsageError."""
    return None if path is None else read_policy(Path(path), course)[1]


def warn_of_strangers(asked: str | None, book: Gradebook, language: Language) -> None:
    """Where a policy is given: an extension for an id that nobody has is a slip that would go unseen."""
    if asked is None:
        return
    known = {one.student for one in book.standings()} | set(book.names())
    strangers = [student for student in book.policy().extensions if student not in known]
    if strangers:
        warn(language)(Message("policy.strangers", {"students": ", ".join(strangers)}))
