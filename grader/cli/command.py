"""A click command whose help and whose complaints are spoken in the chosen language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from grader.cli.language import OPTION
from grader.errors import UsageError
from grader.model import LANGUAGES, Language, Message
from grader.texts import say

# A command word wins over a folder of that name; `./doctor` means the folder. Each module has `command(language)`.
COMMANDS = {
    "watch": "grader.cli.watch",
    "list": "grader.cli.list",
    "hint": "grader.cli.hint",
    "solution": "grader.cli.solution",
    "predict": "grader.cli.predict",
    "show": "grader.cli.show",
    "start": "grader.cli.start",
    "completion": "grader.cli.completion",
    "audit": "grader.cli.audit",
    "new": "grader.cli.new",
    "batch": "grader.cli.batch",
    "release": "grader.cli.release",
    "gradescope": "grader.cli.gradescope",
    "quiz": "grader.cli.quiz",
    "doctor": "grader.cli.doctor",
}
COMPLETE = "_GRADE_COMPLETE"  # variable of click's convention: bash_complete, bash_source, zsh_complete, ...
DEFAULT = "grader.cli.grade"  # where the first word is no command word
SHARED = {OPTION: "option_lang", "--course": "option_course"}  # options that mean the same in every command

_GAP = 2  # columns between an option and its sentence


def split(argv: Sequence[str]) -> tuple[str, list[str]]:
    """The command word ("" where the first word is none) and the arguments without it."""
    first = 0
    while first < len(argv) and argv[first].partition("=")[0] == OPTION:
        first += 1 if "=" in argv[first] else 2
    if first < len(argv) and argv[first] in COMMANDS:
        return argv[first], [*argv[:first], *argv[first + 1 :]]
    return "", list(argv)


class Command(click.Command):
    """One command; its sentences are `cli.<name>_about` and `cli.<name>_option_<option>`.

    Args:
        name: word of the command, and what its sentences begin with.
        language: language of the help.
        options: option declarations, without `--lang` and `--help`, which every command has.
        callback: receives the values of options and arguments, returns the exit code.
        arguments: positional arguments; a command without any refuses every one.
        others: further rows for the help, word and sentence: the other commands.
    """

    def __init__(
        self,
        name: str,
        language: Language,
        options: Sequence[click.Option],
        callback: Callable[..., int],
        *,
        arguments: Sequence[click.Argument] = (),
        others: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._language = language
        self._others = others
        lang = click.Option([OPTION], metavar="en|zh", expose_value=False, shell_complete=lambda *_: list(LANGUAGES))
        params = [*arguments, *options, lang]
        super().__init__(
            name,
            params=params,
            callback=callback,
            options_metavar=self._say("options_metavar"),
            context_settings={"allow_extra_args": True},  # so that they are refused in our words
        )
        for option in self._options():
            option.help = self._say(self._key_of(option))

    def _options(self) -> list[click.Option]:
        return [param for param in self.params if isinstance(param, click.Option)]

    def _key_of(self, option: click.Option) -> str:
        return SHARED.get(option.opts[0], f"{self.name}_option_{option.name}")

    def _say(self, key: str, **fields: str) -> str:
        return say(Message(f"cli.{key}", fields), self._language)

    # --- parsing -----------------------------------------------------------------------------------------------

    def run(self, program: str, args: Sequence[str]) -> int:
        """Parse and execute; the exit code.

        Raises:
            UsageError: an option or argument that this command does not have, or cannot read.
        """
        try:
            with self.make_context(program, list(args)) as context:
                if context.args:
                    key = "too_many_arguments" if len(self.params) > len(self._options()) else "extra_argument"
                    raise UsageError(Message(f"cli.{key}", {"argument": context.args[0], "command": program}))
                return int(self.invoke(context))
        except click.exceptions.Exit as end:
            return end.exit_code
        except click.UsageError as error:
            raise UsageError(self._complaint(error, program)) from error

    def _complaint(self, error: click.UsageError, program: str) -> Message:
        """What click found wrong, as a sentence of ours."""
        if isinstance(error, click.NoSuchOption):
            fields = {"option": error.option_name, "command": program}
            if error.possibilities:
                return Message("cli.no_such_option_similar", {**fields, "similar": error.possibilities[0]})
            return Message("cli.no_such_option", fields)
        if isinstance(error, click.BadOptionUsage):
            flags = {name for option in self._options() if option.is_flag for name in option.opts}
            key = "option_takes_no_value" if error.option_name in {*flags, "--help"} else "option_needs_value"
            return Message(f"cli.{key}", {"option": error.option_name, "command": program})
        return Message("cli.bad_usage", {"text": error.format_message(), "command": program})

    # --- help --------------------------------------------------------------------------------------------------

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002 - click's signature
        """The option --help with its sentence in the chosen language."""

        def show(context: click.Context, _param: click.Parameter, value: bool) -> None:
            if value and not context.resilient_parsing:
                click.echo(context.get_help())
                context.exit()

        sentence = self._say("option_help")
        return click.Option(["--help"], is_flag=True, is_eager=True, expose_value=False, help=sentence, callback=show)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Usage, what it does, options and other commands."""
        pieces = [ctx.command_path, *self.collect_usage_pieces(ctx)]
        formatter.write(self._say("usage", usage=" ".join(pieces)) + "\n\n")
        formatter.write(self._say(f"{self.name}_about") + "\n\n")
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rows = [row for option in options if (row := option.get_help_record(ctx))]
        formatter.write(self._say("options") + "\n" + _rows(rows))
        if self._others:
            formatter.write("\n" + self._say("commands") + "\n" + _rows(self._others))


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    """Two columns, aligned for characters of double width too; the sentences are short enough as they are."""
    from rich.cells import cell_len  # noqa: PLC0415 - only the help needs it

    width = max(cell_len(name) for name, _ in rows) + _GAP
    lines = []
    for name, sentence in rows:
        first, *more = sentence.splitlines()
        lines.append(f"  {name}{' ' * (width - cell_len(name))}{first}")
        lines += [" " * (width + 2) + line for line in more]
    return "\n".join(lines) + "\n"
