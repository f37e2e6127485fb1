"""`grade [PATHS]`: grades what the paths name, prints, writes reports, and says by its exit code how it went.

paths -> targets (exercise, file) -> submissions -> Sandbox + grade_all -> report by report: HTML, terminal
                                                                        -> at the end: table, JSON, JUnit
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_folders, files, folders
from grader.cli.command import COMMANDS, Command
from grader.cli.files import WrittenFiles, append_asked, warn, write_asked
from grader.cli.samples import release_around, run_release
from grader.cli.targets import EXTRAS, Target, chosen_course, find_targets
from grader.course import Course, read_submission
from grader.errors import ContentError, GraderError, SubmissionError, UsageError
from grader.installing import package_command
from grader.model import GradeReport, Language, Message, Submission, Verdict
from grader.report.visible import tell

if TYPE_CHECKING:
    from rich.console import Console

    from grader.diagnosis.signature import Signature

STDOUT = "-"
MOST_SEED = 2**32 - 1
DONE, NOT_ALL, USAGE = 0, 1, 2


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text."""

    language: Language
    paths: tuple[str, ...]
    file: str | None
    json: str | None
    junit: str | None
    collect: str | None
    report: str | None
    no_report: bool
    verbose: bool
    seed: str | None
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""

    def show_version(context: click.Context, _param: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            from grader.cli.doctor import installed_version  # noqa: PLC0415 - only needed here

            version = installed_version("manyheads") or tell(Message("cli.not_installed"), language)
            click.echo(f"manyheads {version}")
            context.exit()

    options = [
        click.Option(["--file"], metavar="F", shell_complete=files),
        click.Option(["--json"], metavar="FILE|-", shell_complete=files),
        click.Option(["--junit"], metavar="FILE|-", shell_complete=files),
        click.Option(["--collect"], metavar="FILE", shell_complete=files),
        click.Option(["--report"], metavar="FILE|DIR", shell_complete=files),
        click.Option(["--no-report"], is_flag=True),
        click.Option(["--verbose"], is_flag=True),
        click.Option(["--seed"], metavar="N"),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show_version),
    ]
    paths = click.Argument(["paths"], nargs=-1, metavar="[PATHS]...", shell_complete=exercise_folders)
    others = [(word, tell(Message(f"cli.{word}_in_short"), language)) for word in COMMANDS]

    def callback(**given: object) -> int:
        return grade(Options(language=language, **given))  # type: ignore[arg-type]

    return Command("grade", language, options, callback, arguments=[paths], others=others)


def grade(options: Options) -> int:
    """Grade everything that is asked for; the exit code.

    Raises:
        UsageError: a path or option that means nothing, or a file that cannot be written.
        ContentError, GraderError: nothing that the student can change.
    """
    seed = _seed(options.seed)
    if options.report is not None and options.no_report:
        raise UsageError(Message("cli.report_or_none"))
    if options.json == options.junit == STDOUT:
        raise UsageError(Message("cli.one_stdout"))
    if options.course is None and (released := release_around(options.paths)) is not None:
        return _samples(options, released)
    course = chosen_course(options.course)
    targets = find_targets(course, options.paths, options.file)
    run = _Run(options, course, targets)
    for packages, group in itertools.groupby(targets, lambda target: target.exercise.packages):
        run.grade(packages, list(group), seed)
    return run.finish()


def _samples(options: Options, released: Path) -> int:
    """What `grade` does in a release, where there are sample checks and no course."""
    given = {"--file": options.file, "--json": options.json, "--junit": options.junit, "--report": options.report}
    for option, value in {**given, "--collect": options.collect, "--seed": options.seed}.items():
        if value is not None:
            raise UsageError(Message("samples.no_option", {"option": option}))
    return run_release(released, options.paths, options.language)


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_SEED):
        raise UsageError(Message("cli.bad_seed", {"value": text, "most": MOST_SEED}))
    return int(text)


# --- one run -----------------------------------------------------------------------------------------------------


class _Run:
    """What has been graded so far, and where to tell of it."""

    def __init__(self, options: Options, course: Course, targets: Sequence[Target]) -> None:
        self._options = options
        self._course = course
        self._several = len(targets) > 1
        self._warn = warn(options.language)
        self._files = WrittenFiles(
            course,
            options.language,
            self._warn,
            asked=options.report,
            pages=not options.no_report,
            several=self._several,
        )
        self._targets = {target.shown: target for target in targets}
        self._console: Console | None = None
        self._reports: list[GradeReport] = []
        self._fault: ContentError | GraderError | None = None
        self._code = DONE
        self._uncollected: UsageError | None = None

    def grade(self, packages: tuple[str, ...], targets: Sequence[Target], seed: int | None) -> None:
        """Grade some targets that share a sandbox."""
        submissions = [each for target in targets if (each := self._read(target)) is not None]
        if not submissions:
            return
        from grader.sandbox.launch import first_missing, launch  # noqa: PLC0415

        missing = first_missing(packages)
        if missing is not None:
            self._refuse_without(missing, targets)
            return
        launched = launch(packages)  # it warms up while we import the rest
        from grader.sandbox.client import Sandbox  # noqa: PLC0415

        with Sandbox(packages, launched=launched) as sandbox:
            _import_beside_it(packages, page=not self._options.no_report)
            from grader.cli.screen import DelayedBar  # noqa: PLC0415
            from grader.judge.grading import grade_all  # noqa: PLC0415

            by_name = {target.exercise.name: target.exercise for target in targets}
            title = tell(Message("cli.grading"), self._options.language)
            with DelayedBar(len(submissions), title, self._screen()) as bar:

                def take(report: GradeReport) -> None:
                    self._take(report)
                    bar.advance()

                for name, group in itertools.groupby(submissions, lambda submission: submission.exercise):
                    try:
                        grade_all(
                            self._course,
                            by_name[name],
                            group,
                            take,
                            sandbox=sandbox,
                            seed=seed,
                            figures=not self._options.no_report,
                            collect=self._collect,
                        )
                    except (ContentError, GraderError) as fault:  # the other exercises are graded all the same
                        self._fault = self._fault or fault

    def _read(self, target: Target) -> Submission | None:
        try:
            return read_submission(target.file, target.exercise, target.shown)
        except SubmissionError as error:
            if not self._several:
                raise UsageError(error.message) from error
            self._warn(error.message)
            self._code = USAGE
            return None

    def _refuse_without(self, package: str, targets: Sequence[Target]) -> None:
        """Say what to install; the exercises that do without it are graded all the same."""
        fields = {
            "exercises": ", ".join(dict.fromkeys(target.exercise.name for target in targets)),
            "package": package,
            "command": package_command(package, EXTRAS),
        }
        message = Message("cli.package_missing", fields)
        if not self._several:
            raise UsageError(message)
        self._warn(message)
        self._code = USAGE

    @property
    def _for_machines(self) -> bool:
        """Whether stdout is for a program to read."""
        return STDOUT in (self._options.json, self._options.junit)

    def _screen(self) -> Console:
        """Where people read: stdout, or nowhere when JSON or XML goes there."""
        if self._console is None:
            from grader.cli.screen import Screen  # noqa: PLC0415 - not before the sandbox has been started

            self._console = Screen(highlight=False, emoji=False, quiet=self._for_machines)
        return self._console

    def _take(self, report: GradeReport) -> None:
        self._reports.append(report)
        home = self._targets[report.who].home
        path = self._files.write(report, home)
        if self._for_machines or (self._several and not self._worth_reading(report)):
            return
        from grader.report.terminal import print_report  # noqa: PLC0415

        print_report(
            report,
            self._course,
            self._options.language,
            self._screen(),
            verbose=self._options.verbose,
            report_path=path,
            exercises=home.parent.parent,
            isolation=None if self._several else _isolation(report),
            overcome=[self._course.mistakes[slug] for slug in self._files.overcome if slug in self._course.mistakes],
        )

    def _collect(self, unexplained: Signature) -> None:
        """Keep how a wrong submission behaves, at once: a run over many may be ended."""
        if self._options.collect is None:
            return
        try:
            append_asked(Path(self._options.collect), unexplained.line, "--collect")
        except UsageError as error:
            self._uncollected = error

    def _worth_reading(self, report: GradeReport) -> bool:
        """Of several reports, those with something to do are printed; the table has a line for each."""
        return self._options.verbose or report.verdict not in (Verdict.ACCEPTED, Verdict.NOT_ATTEMPTED)

    # --- the end -----------------------------------------------------------------------------------------------

    def finish(self) -> int:
        """Print the table, write what machines read; the exit code. Raises the first fault that was met, at last."""
        if self._several:
            self._screen().print()
            self._print_isolation()
            from grader.cli.overview import print_overview  # noqa: PLC0415

            print_overview(self._reports, self._files.pages, self._options.language, self._screen())
        if self._options.json is not None:
            self._write_json(self._options.json)
        if self._options.junit is not None:
            from grader.report.junit import junit_report  # noqa: PLC0415

            text = junit_report(self._reports, self._options.language)
            if self._options.junit == STDOUT:
                sys.stdout.write(text)
            else:
                write_asked(Path(self._options.junit), text, "--junit")
        if self._fault is not None:
            raise self._fault
        if self._uncollected is not None:
            raise self._uncollected
        return max([self._code, *map(_code_of, self._reports)])

    def _print_isolation(self) -> None:
        """Once in a run: how far the submissions were locked away."""
        if not self._reports:
            return
        message = _isolation(self._reports[-1])
        style = "bold yellow" if message.key == "cli.isolation_weak" else "dim"
        self._screen().print(tell(message, self._options.language), style=style, markup=False)

    def _write_json(self, where: str) -> None:
        from grader.report.json import json_report  # noqa: PLC0415

        written = [json_report(report).rstrip("\n") for report in self._reports]
        text = "[\n" + ",\n".join(written) + "\n]\n" if self._several else "".join(f"{one}\n" for one in written)
        if where == STDOUT:
            sys.stdout.write(text)
        else:
            write_asked(Path(where), text, "--json")


def _isolation(report: GradeReport) -> Message:
    """How far a submission was locked away, on one line where all is well."""
    isolation = report.provenance.isolation
    if isolation.level == "weak":
        return Message("cli.isolation_weak", {"layers": ", ".join(isolation.layers)})
    return Message(f"cli.isolation_{isolation.level}")


def _import_beside_it(packages: tuple[str, ...], *, page: bool) -> None:
    """Import what grading needs, while the sandbox does the same in its own process."""
    gc.disable()  # what is imported stays; looking through it for garbage takes an eighth of the time of torch
    for name in (*packages, "grader.judge.grading", "grader.judge.plugin", "grader.cli.screen"):
        import_module(name)
    if page:
        from grader.report.html import prepare  # noqa: PLC0415

        prepare()
    gc.freeze()
    gc.enable()


def _code_of(report: GradeReport) -> int:
    return DONE if report.verdict is Verdict.ACCEPTED else NOT_ALL
