"""`grade completion SHELL` prints the script that a shell loads; the script asks `complete` for every Tab key.

Tab --> the script --_GRADE_COMPLETE=bash_complete grade--> `complete` --> command words, exercises, options, files
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from grader.cli.command import COMMANDS, COMPLETE, DEFAULT, Command, split
from grader.errors import UsageError
from grader.model import Language, Message
from grader.texts import say

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

PROGRAM = "grade"
SHELLS = ("bash", "zsh", "fish")


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    shell = click.Argument(["shell"], required=False, metavar="|".join(SHELLS), shell_complete=lambda *_: list(SHELLS))
    return Command("completion", language, [], completion, arguments=[shell])


def completion(shell: str | None) -> int:
    """Print the script for a shell; raises UsageError where it is none of SHELLS."""
    if shell not in SHELLS:
        key = "cli.completion_which" if shell is None else "cli.completion_unknown"
        raise UsageError(Message(key, {"shell": shell or "", "shells": ", ".join(SHELLS)}))
    print(_script(shell), end="")
    return 0


def _script(shell: str) -> str:
    from click.shell_completion import ShellComplete  # noqa: PLC0415 - only a shell asks for it

    return ShellComplete.source(_asking(shell))  # without what bash's own `source` does: start one for its version


def _asking(shell: str) -> ShellComplete:
    """Click's side of the conversation with a shell."""
    from click.shell_completion import BashComplete, FishComplete, ZshComplete  # noqa: PLC0415 - only a shell asks

    known = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
    return known[shell](click.Command(PROGRAM), {}, PROGRAM, COMPLETE)


def complete(instruction: str, language: Language) -> int:
    """Answer a shell, as the variable COMPLETE asks; the exit code. A shell wants candidates and no complaints."""
    shell, _, what = instruction.partition("_")
    if shell not in SHELLS or what not in ("source", "complete"):
        return 1
    if what == "source":
        return completion(shell)
    try:
        candidates = _candidates(shell, language)
    except Exception:  # noqa: BLE001 - a traceback amid the line that is being typed helps nobody
        return 1
    print(candidates)
    return 0


def _candidates(shell: str, language: Language) -> str:
    """What may stand where the cursor is, in the format that the script of the shell reads."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell asks for it

    asking = _asking(shell)
    typed, incomplete = asking.get_completion_args()
    word, rest = split(typed)
    asking.cli = import_module(COMMANDS[word] if word else DEFAULT).command(language)
    items = [
        CompletionItem(each, help=say(Message(f"cli.{each}_in_short"), language))
        for each in COMMANDS
        if not word and each.startswith(incomplete) and split([*typed, each])[0] == each
    ]
    items += asking.get_completions(rest, incomplete)
    # where a shell is asked to name files, it forgets what stands before
    items = [item for item in items if item.type == "plain"] or items
    for item in items:
        item.help = " ".join(item.help.split()) if item.help else None  # a line in fish and zsh
    return "\n".join(map(asking.format_completion, items))
