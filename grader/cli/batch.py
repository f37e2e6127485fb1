"""`grade batch SUBMISSIONS --out DIR`: grades a class into a gradebook, and goes on where it was stopped.

options --> what is asked, and the input --> the gradebook is opened, or made --> batch_grade.py --> files and exports
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from grader.cli.batch_seed import early_seed
from grader.cli.candidates import exercise_folders, files, folders
from grader.cli.command import Command
from grader.cli.targets import chosen_course, exercise_name
from grader.course import Course, shown_path
from grader.errors import UsageError
from grader.installing import not_installed
from grader.model import LANGUAGES, Language, Message
from grader.state import locked

if TYPE_CHECKING:
    from grader.gradebook.book import Gradebook
    from grader.gradebook.inputs.downloads import Layout
    from grader.report.feedback import Feedback

LOCK = ".gradebook.lock"
DONE = 0
KEEP = ("latest", "best")
MISSING = ("blank", "zero")


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text.

    Attributes:
        spoken: `--lang` was given; else the language is that of the environment.
    """

    language: Language
    spoken: bool
    submissions: str | None
    exercise: tuple[str, ...]
    all: bool
    layout: str | None
    keep: str | None
    missing: str | None
    out: str | None
    roster: str | None
    feedback: str | None
    export: tuple[str, ...]
    gradebook: str | None
    cluster: str | None
    policy: str | None
    anonymous: bool
    regrade: bool
    allow_weak_isolation: bool
    override: tuple[str, str, str] | None
    by: str | None
    why: str | None
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--out"], metavar="DIR", shell_complete=folders),
        click.Option(["--exercise"], metavar="EXERCISE", multiple=True, shell_complete=exercise_folders),
        click.Option(["--all"], is_flag=True),
        click.Option(["--from", "layout"], metavar="LAYOUT", shell_complete=lambda *_: list(_layouts())),
        click.Option(["--roster"], metavar="FILE.csv", shell_complete=files),
        click.Option(["--missing"], metavar="zero|blank", shell_complete=lambda *_: list(MISSING)),
        click.Option(["--keep"], metavar="latest|best", shell_complete=lambda *_: list(KEEP)),
        click.Option(["--feedback"], metavar="full|summary|names", shell_complete=_feedbacks),
        click.Option(["--export"], metavar="PLATFORM[=FILE]", multiple=True),
        click.Option(["--gradebook"], metavar="URL"),
        click.Option(["--cluster"], metavar="ADDRESS"),
        click.Option(["--policy"], metavar="FILE.toml", shell_complete=files),
        click.Option(["--anonymous"], is_flag=True),
        click.Option(["--regrade"], is_flag=True),
        click.Option(["--override"], metavar="ID EXERCISE POINTS", nargs=3),
        click.Option(["--by"], metavar="NAME"),
        click.Option(["--why"], metavar="TEXT"),
        click.Option(["--allow-weak-isolation"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    submissions = click.Argument(["submissions"], required=False, metavar="[SUBMISSIONS]", shell_complete=files)

    def callback(**given: object) -> int:
        spoken = click.get_current_context().get_parameter_source("lang") is ParameterSource.COMMANDLINE
        return batch(Options(language=language, spoken=spoken, **given))  # type: ignore[arg-type]

    return Command("batch", language, options, callback, arguments=[submissions])


def batch(options: Options) -> int:
    """Grade a class, keep an override, or export; 0 where every submission has a result, 1 where one could not be read.

    Raises:
        UsageError: what was asked means nothing, or an input or output cannot be read or written.
        ContentError, GraderError: some submission has no result because of the course or of us.
    """
    if options.out is None:
        raise UsageError(Message("batch.no_out"))
    course, folder = chosen_course(options.course), Path(options.out)
    _refuse_senseless(options)
    names = list(dict.fromkeys(exercise_name(course, typed) for typed in options.exercise)) or list(course.names)
    with early_seed(course, names, None if options.cluster else options.submissions) as seed, ExitStack() as stack:
        _require_sqlalchemy()
        from grader.cli import batch_exports, batch_grade  # noqa: PLC0415
        from grader.gradebook.whereabouts import refuse_another  # noqa: PLC0415

        # nothing is made before all that is asked for was found readable
        _refuse_unknown("feedback", options.feedback, _feedbacks())
        _refuse_unknown("layout", options.layout, _layouts())
        refuse_another(folder, options.gradebook)
        exports = batch_exports.asked_exports(options.export)
        policy = batch_exports.asked_policy(options.policy, course)
        reading = None if options.submissions is None else batch_grade.read_input(options, course, names, folder)
        given = None if reading is None else stack.enter_context(reading)
        book = stack.enter_context(_opened(folder, options.gradebook, make=given is not None))
        language = _pages_language(options, book, grades=given is not None)
        feedback = _feedback(options.feedback, book)
        for name, value in {"policy": policy, "missing": options.missing, "keep": options.keep}.items():
            if value is not None:
                book.settle(name, value)
        if given is not None:
            code = batch_grade.grade_input(
                *(given, options, course, names, book), folder=folder, language=language, feedback=feedback, seed=seed
            )
        else:
            code = _without_grading(options, course, book, folder, language)
        batch_exports.warn_of_strangers(options.policy, book, options.language)
        batch_exports.write_exports(
            *(exports, book, course, folder),
            language=options.language,
            pages_language=language,
            feedback=feedback,
            wanted=names if options.exercise else (),
            anonymous=options.anonymous,
            graded=given is not None,
        )
        return code


def _refuse_senseless(options: Options) -> None:
    """Raises UsageError for options that do not go together, or whose value means nothing."""
    if options.submissions is not None and options.override is not None:
        raise UsageError(Message("batch.override_alone"))
    alone = (options.override, options.policy, options.missing, options.export or None, options.anonymous or None)
    if options.submissions is None and set(alone) == {None}:
        raise UsageError(Message("batch.no_submissions"))
    if options.exercise and options.all:
        raise UsageError(Message("batch.exercise_or_all"))
    _refuse_unknown("keep", options.keep, KEEP)
    _refuse_unknown("missing", options.missing, MISSING)


def _refuse_unknown(option: str, typed: str | None, known: Sequence[str]) -> None:
    if typed is not None and typed not in known:
        raise UsageError(Message(f"batch.no_such_{option}", {"value": typed, "known": ", ".join(known)}))


def _without_grading(options: Options, course: Course, book: Gradebook, folder: Path, language: Language) -> int:
    """Keep an override where one is given, and write every file again; the exit code."""
    from grader.gradebook.files import export  # noqa: PLC0415

    if options.override is not None:
        from grader.cli.batch_override import keep_override  # noqa: PLC0415 - rich

        by, why = options.by or "", options.why or ""
        keep_override(course, book, options.override, by=by, why=why, language=options.language)
    export(book, course, folder, language)
    if options.override is None and (options.policy is not None or options.missing is not None):
        from grader.cli.batch_screen import Page  # noqa: PLC0415 - rich
        from grader.gradebook.exports import REPORTS  # noqa: PLC0415
        from grader.gradebook.pages import is_page, page_of  # noqa: PLC0415

        page = Page(options.language)
        told = (language, _feedback(options.feedback, book))
        results = (one for one in book.standings() if one.verdict is not None)
        stay = any(not is_page(page_of(folder / REPORTS, one.student, one.exercise), *told) for one in results)
        page.say_settled(pages_stay=stay)
        page.say_where(folder, url=options.gradebook is not None)
    return DONE


# --- the gradebook -----------------------------------------------------------------------------------------------


def _require_sqlalchemy() -> None:
    try:
        import grader.gradebook.database  # noqa: F401, PLC0415 - an extra
    except ModuleNotFoundError as error:
        if error.name != "sqlalchemy":
            raise
        raise not_installed("SQLAlchemy", "batch") from error


@contextmanager
def _opened(folder: Path, url: str | None, *, make: bool) -> Iterator[Gradebook]:
    """The gradebook of the folder, which no other run has at the same time."""
    from grader.gradebook.book import Gradebook  # noqa: PLC0415
    from grader.gradebook.database import FILE  # noqa: PLC0415
    from grader.gradebook.whereabouts import refuse_another, remember  # noqa: PLC0415

    shown = shown_path(folder)
    if not make and url is None and not (folder / FILE).is_file():
        raise UsageError(Message("batch.no_gradebook_yet", {"path": shown}))
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder / LOCK))
            refuse_another(folder, url)  # once more: another run may have begun it since
            book = Gradebook(folder, url)
            stack.callback(book.close)
            if url is not None:
                remember(folder, url)
        except BlockingIOError as error:
            raise UsageError(Message("batch.busy", {"path": shown})) from error
        except OSError as error:
            fields = {"path": shown, "reason": error.strerror or str(error)}
            raise UsageError(Message("batch.out_closed", fields)) from error
        yield book


def _pages_language(options: Options, book: Gradebook, *, grades: bool) -> Language:
    """The language of all that is written: `--lang`, else that of what was written before, else of the environment.

    Args:
        grades: this run grades; what it writes then holds for those after it, as what `--lang` names does.
    """
    kept = next((known for known in LANGUAGES if known == book.setting("language")), options.language)
    language = options.language if options.spoken else kept
    if options.spoken or grades:
        book.settle("language", language)
    return language


def _feedback(typed: str | None, book: Gradebook) -> Feedback:
    """What is asked for now, else what was asked for last: pages never show more because an option was forgotten."""
    from grader.report.feedback import FEEDBACKS  # noqa: PLC0415

    asked = typed or book.setting("feedback")
    feedback: Feedback = next((known for known in FEEDBACKS if known == asked), "full")
    book.settle("feedback", feedback)
    return feedback


def _feedbacks(*_: object) -> list[str]:
    from grader.report.feedback import FEEDBACKS  # noqa: PLC0415

    return list(FEEDBACKS)


def _layouts() -> tuple[Layout, ...]:
    from grader.gradebook.inputs.downloads import LAYOUTS  # noqa: PLC0415

    return LAYOUTS
