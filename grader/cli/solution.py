"""`grade solution [EXERCISE]`: the reference and other right answers, once one's own has all points.

file --graded now--> all points? --no--> a calm sentence
                                 --yes-> the reference, what differs from yours; variants, what differs from it
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_names, folders
from grader.cli.command import Command
from grader.cli.files import read_progress, warn
from grader.cli.samples import release_around
from grader.cli.targets import Target, chosen_course, find_targets, find_working_copy, missing_package
from grader.course import Course, read_submission, typed
from grader.errors import SubmissionError, UsageError
from grader.model import GradeReport, Language, Message, Verdict
from grader.report.visible import code_line

if TYPE_CHECKING:
    from grader.report.terminal import Page

INDENT = 2
DONE, NOT_YET = 0, 1
_STYLES = {"+": "green", "-": "red"}


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [click.Option(["--course"], metavar="DIR", shell_complete=folders)]
    exercise = click.Argument(["exercise"], required=False, metavar="[EXERCISE]", shell_complete=exercise_names)
    return Command("solution", language, options, partial(solution, language), arguments=[exercise])


def solution(language: Language, exercise: str | None, course: str | None) -> int:
    """Grade the file that lies there now, and show the solution where it has all points.

    Raises:
        UsageError: no exercise, or several are meant; the file cannot be read; a package is missing.
        ContentError, GraderError: nothing that the student can change.
    """
    if course is None and release_around([exercise] if exercise else []) is not None:
        raise UsageError(Message("solution.in_release"))
    chosen = chosen_course(course)
    target = _target(chosen, exercise, language)
    report = _graded(chosen, target)
    from grader.cli.screen import Screen  # noqa: PLC0415 - rich, once everything is known
    from grader.report.terminal import Page  # noqa: PLC0415

    page = Page(Screen(highlight=False, emoji=False), language)
    page.head(report)
    if report.verdict is not Verdict.ACCEPTED:
        _refuse(page, report, typed(f"grade hint {report.exercise}", chosen))
        return NOT_YET
    _show(page, target)
    return DONE


def _target(course: Course, asked: str | None, language: Language) -> Target:
    """The one exercise that is meant: as typed, else that of the working directory, else the last one."""
    if asked is None:
        copy = find_working_copy(course)
        name = copy.current or read_progress(copy.state, warn(language)).last
        if name not in course.names:
            raise UsageError(Message("solution.which", {"example": course.names[0]}))
        asked = str(copy.exercises / name)
    targets = find_targets(course, [asked], None)
    if len(targets) > 1:
        fields = {"path": asked, "example": targets[0].exercise.name}
        raise UsageError(Message("solution.one", fields))
    return targets[0]


def _graded(course: Course, target: Target) -> GradeReport:
    try:
        submission = read_submission(target.file, target.exercise, target.shown)
    except SubmissionError as error:
        raise UsageError(error.message) from error
    missing = missing_package(target.exercise)
    if missing is not None:
        raise UsageError(missing)
    from grader.judge.grading import grade_one  # noqa: PLC0415 - pytest
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    with Sandbox(target.exercise.packages) as sandbox:
        return grade_one(course, target.exercise, submission, sandbox=sandbox)


def _refuse(page: Page, report: GradeReport, command: str) -> None:
    page.space()
    if report.verdict is Verdict.NOT_ATTEMPTED:
        page.say(Message("solution.not_attempted", {"file": report.filename}))
    else:
        fields = {"points": f"{report.points:g}", "most": f"{report.max_points:g}"}
        page.say(Message("solution.not_yet", fields))
    page.say(Message("solution.try_hint", {"command": command}))


# --- what is shown -----------------------------------------------------------------------------------------------


def _show(page: Page, target: Target) -> None:
    """The reference in full, yours beside it, and of each variant what differs."""
    exercise = target.exercise
    reference = exercise.reference.read_text(encoding="utf-8")
    page.title("solution.reference")
    for each in reference.rstrip().splitlines():
        _put(page, f"  {each}")
    page.title("solution.yours")
    changed = list(_differences(reference, target.file.read_text(encoding="utf-8", errors="replace")))
    if changed:
        page.say(Message("solution.legend"), INDENT, "dim")
        _put_all(page, changed)
    else:
        page.say(Message("solution.same"), INDENT)
    variants = sorted((exercise.solution / "accepted").glob("*.py"))
    if not variants:
        return
    page.space()
    page.say(Message("solution.variants", {"count": len(variants)}), style="bold")
    page.say(Message("solution.legend_variants"), INDENT, "dim")
    for number, path in enumerate(variants, 1):
        page.space()
        page.put((f"  {number}. {path.stem}", "bold"))
        changed = list(_differences(reference, path.read_text(encoding="utf-8")))
        _put_all(page, [each for each in changed if each[0] != "-"])  # the reference stands above


def _put_all(page: Page, lines: list[str]) -> None:
    for each in lines:
        _put(page, f"  {each}", _STYLES.get(each[0], "dim"))


def _put(page: Page, text: str, style: str = "") -> None:
    page.put((code_line(text), style))


def _differences(reference: str, other: str) -> Iterator[str]:
    """Lines of both, each after its sign; none where the code is the same."""
    lines = difflib.unified_diff(_bare(reference).splitlines(), _bare(other).splitlines(), n=1, lineterm="")
    for number, each in enumerate(list(lines)[2:]):  # after the names of the files
        if not each.startswith("@@"):
            yield each
        elif number:
            yield "…"


def _bare(source: str) -> str:
    """The code without comments, docstrings and types, as Python itself would write it; as it is, if it is not code."""
    try:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
            if isinstance(node, ast.FunctionDef):
                node.returns = None
            if isinstance(node, ast.arg):
                node.annotation = None
        return ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
