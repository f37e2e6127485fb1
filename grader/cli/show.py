"""`grade show [EXERCISE]`: one page with the steps of multi-head attention and the student's own values.

exercise -> pipeline.py of its solution --> walk: the student's files, each in its sandbox --> page.py --> HTML
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_names, files, folders
from grader.cli.command import Command
from grader.cli.files import write_asked
from grader.cli.targets import Target, chosen_course, find_targets, find_working_copy, missing_package
from grader.course import Course, load_exercise, read_submission, typed
from grader.errors import SubmissionError, UsageError
from grader.model import Exercise, Language, Message, Submission
from grader.report.visible import tell
from grader.state import prepare_state_folder, state_folder, write_whole

if TYPE_CHECKING:
    from grader.pipeline.inputs import Sentence
    from grader.pipeline.steps import Walk
    from grader.pipeline.walk import Pipeline
    from grader.sandbox.client import Subject

PIPELINE = "pipeline.py"  # of a solution
WIDTH = 100  # cells; longer lines are hard to read


@dataclass(frozen=True)
class Options:
    """What was asked on the command line."""

    exercise: str | None
    input: str | None
    no_mask: bool
    page: str | None
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--input"], metavar="FILE", shell_complete=files),
        click.Option(["--no-mask"], is_flag=True),
        click.Option(["--page"], metavar="FILE", shell_complete=files),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    exercise = click.Argument(["exercise"], required=False, metavar="[EXERCISE]", shell_complete=exercise_names)

    def callback(**given: object) -> int:
        return show(language, Options(**given))  # type: ignore[arg-type]

    return Command("show", language, options, callback, arguments=[exercise])


def show(language: Language, options: Options) -> int:
    """Write the page and say where it lies; the exit code.

    Raises:
        UsageError: no such exercise, one without steps to show, an input that does not fit, a package that is missing.
        ContentError: `pipeline.py` of the exercise is not well written.
    """
    if options.input is not None and options.no_mask:
        raise UsageError(Message("show.mask_and_input"))
    course = chosen_course(options.course)
    target = _target(course, options.exercise)
    _require_steps(course, target.exercise)
    missing = missing_package(target.exercise)
    if missing is not None:
        raise UsageError(missing)
    from grader.pipeline.inputs import cat_eats_fish, read_input  # noqa: PLC0415 - numpy
    from grader.pipeline.page import html_page, verdict  # noqa: PLC0415
    from grader.pipeline.walk import load_pipeline  # noqa: PLC0415 - after what needs no numpy

    sentence = cat_eats_fish(causal=not options.no_mask) if options.input is None else read_input(Path(options.input))
    pipeline = load_pipeline(target.exercise)
    assert pipeline is not None  # noqa: S101 - it was looked for above
    walked = _walked(course, target, pipeline, sentence)
    path = _written(target, html_page(walked, target.exercise, language), options.page)
    from grader.cli.screen import Screen  # noqa: PLC0415 - rich, once everything is known
    from grader.report.wrap import wrap  # noqa: PLC0415

    print("\n".join(wrap(tell(verdict(walked, language), language), min(Screen().width, WIDTH))))
    print(tell(Message("show.page_at", {"path": str(path)}), language))
    return 0


# --- which exercise ----------------------------------------------------------------------------------------------


def _target(course: Course, text: str | None) -> Target:
    """The file of the one exercise that is meant; where none is named, the first one with steps to show."""
    if text is None:
        copy = find_working_copy(course)
        name = copy.current or next(_with_steps(course), course.names[0])
        text = str(copy.exercises / name)
    found = find_targets(course, [text], None)
    if len(found) > 1:
        raise UsageError(
            Message("show.one_only", {"path": text, "example": next(_with_steps(course), course.names[0])})
        )
    return found[0]


def _with_steps(course: Course) -> Iterator[str]:
    return (name for name in course.names if (course.root / "solutions" / name / PIPELINE).is_file())


def _require_steps(course: Course, exercise: Exercise) -> None:
    """Refuse an exercise without a pipeline, and say which one to ask for."""
    names = list(_with_steps(course))
    if exercise.name in names:
        return
    from grader.pipeline.walk import load_pipeline  # noqa: PLC0415

    for name in names:
        whole = load_exercise(course, name)
        pipeline = None if missing_package(whole) else load_pipeline(whole)
        if pipeline is not None and exercise.name in pipeline.holders.values():
            command = typed(f"grade show {name}", course)
            raise UsageError(Message("show.part_of", {"exercise": exercise.name, "whole": name, "command": command}))
    raise UsageError(Message("show.no_steps", {"exercise": exercise.name, "exercises": ", ".join(names) or "-"}))


# --- walking -----------------------------------------------------------------------------------------------------


def _walked(course: Course, target: Target, pipeline: Pipeline, sentence: Sentence) -> Walk:
    """The walk with the student's own files, each in a worker of its own, as it is graded."""
    from grader.pipeline.answers import Unread  # noqa: PLC0415
    from grader.pipeline.walk import walk  # noqa: PLC0415
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    names = dict.fromkeys([*pipeline.holders.values(), target.exercise.name])
    exercises = {name: load_exercise(course, name) for name in names}
    with ExitStack() as stack:
        sandboxes: dict[tuple[str, ...], Sandbox] = {}
        subjects: dict[str, Subject] = {}
        for exercise in exercises.values():
            try:
                handed_in = _submission(exercise, target)
            except SubmissionError as error:
                subjects[exercise.name] = Unread(error)
                continue
            if handed_in is None:
                continue
            if exercise.packages not in sandboxes:
                sandboxes[exercise.packages] = stack.enter_context(Sandbox(exercise.packages))
            subject = sandboxes[exercise.packages].open(handed_in.source, handed_in.filename, exercise.limits)
            stack.callback(subject.close)
            subjects[exercise.name] = subject
        return walk(pipeline, sentence, subjects, target.exercise.name)


def _submission(exercise: Exercise, target: Target) -> Submission | None:
    """The student's file of an exercise beside the one that is shown, None where there is none.

    Raises:
        SubmissionError: there is one, and it cannot be read.
    """
    home = target.home.parent.parent / exercise.name / exercise.filename
    file = target.file if exercise.name == target.exercise.name else home
    return read_submission(file, exercise, str(file)) if os.path.lexists(file) else None


# --- writing -----------------------------------------------------------------------------------------------------


def _written(target: Target, page: str, asked: str | None) -> Path:
    """Where the page lies; raises UsageError where it cannot be written."""
    if asked is not None:
        write_asked(Path(asked), page, "--page")
        return Path(asked)
    path = state_folder(target.home, target.exercise.name) / "reports" / f"{target.exercise.name}-steps.html"
    try:
        prepare_state_folder(path.parent)
        write_whole(path, page)
    except OSError as error:
        fields = {"option": "--page", "path": str(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.cannot_write", fields)) from error
    return path
