"""`grade audit [EXERCISE...]`: tries every proof on the exercises of a course and prints a line for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_names, files, folders
from grader.cli.command import Command
from grader.cli.files import write_asked
from grader.cli.targets import chosen_course, exercise_name
from grader.errors import UsageError
from grader.model import LANGUAGES, Language, Message
from grader.report.visible import tell
from grader.texts import say

if TYPE_CHECKING:
    from rich.console import Console

    from grader.audit.proof import ExerciseAudit, Figure, Proof
    from grader.sandbox.client import Sandbox

STDOUT = "-"
SCHEMA = 1
LABEL_WIDTH = 14  # columns
HOLDS, FINDINGS = 0, 1


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--full"], is_flag=True),
        click.Option(["--mine"], is_flag=True),
        click.Option(["--json"], metavar="FILE|-", is_flag=False, flag_value=STDOUT, shell_complete=files),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    exercises = click.Argument(["exercises"], nargs=-1, metavar="[EXERCISE]...", shell_complete=exercise_names)

    def callback(exercises: tuple[str, ...], full: bool, mine: bool, json: str | None, course: str | None) -> int:
        if mine:
            return _mine(language, exercises, course)
        return audit(language, exercises, full=full, where=json, course=course)

    return Command("audit", language, options, callback, arguments=[exercises])


def audit(language: Language, exercises: Sequence[str], *, full: bool, where: str | None, course: str | None) -> int:
    """Audit some exercises, all of them where none is named; 1 where anything was found.

    Raises:
        UsageError: there is no such exercise, or the JSON cannot be written.
        GraderError: the sandbox or pytest failed.
    """
    chosen = chosen_course(course)
    names = [exercise_name(chosen, typed) for typed in exercises] or list(chosen.names)

    from grader.audit.proof import figures  # noqa: PLC0415
    from grader.audit.run import audit_exercise  # noqa: PLC0415 - numpy and pytest, after what can be said without them
    from grader.cli.screen import Screen  # noqa: PLC0415

    page = _Page(Screen(highlight=False, emoji=False, quiet=where == STDOUT), language)
    audits = []
    with _sandboxes() as sandbox:
        for name in dict.fromkeys(names):
            page.put(name, "bold")
            audits.append(audit_exercise(chosen, name, sandbox, full=full, on_proof=page.put_proof))
    added_up = figures(audits)
    page.put_end(audits, added_up, full=full)
    if where is not None:
        _write_json(audits, added_up, where, full=full)
    return HOLDS if _hold(audits, added_up) else FINDINGS


def _mine(language: Language, files: Sequence[str], course: str | None) -> int:
    """Group what `grade --collect` has kept; raises UsageError."""
    from grader.cli.mine import print_mined  # noqa: PLC0415
    from grader.cli.screen import Screen  # noqa: PLC0415

    if not files:
        raise UsageError(Message("audit.mine_no_files"))
    print_mined(chosen_course(course), files, language, Screen(highlight=False, emoji=False))
    return HOLDS


@contextmanager
def _sandboxes() -> Iterator[Callable[[tuple[str, ...]], Sandbox]]:
    """One sandbox for each set of packages, started when it is first asked for."""
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    started: dict[tuple[str, ...], Sandbox] = {}
    with ExitStack() as stack:

        def sandbox(packages: tuple[str, ...]) -> Sandbox:
            if packages not in started:
                started[packages] = stack.enter_context(Sandbox(packages))
            return started[packages]

        yield sandbox


# --- for people --------------------------------------------------------------------------------------------------


class _Page:
    """The table, printed line by line as the proofs are tried."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console = console
        self._language = language

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"audit.{key}", fields), self._language)

    def put(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, soft_wrap=True)

    def put_proof(self, proof: Proof) -> None:
        """The line of one proof, and below it what it found."""
        from rich.cells import cell_len  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        label = self._say(f"proof_{proof.name}")
        label += " " * max(1, LABEL_WIDTH - cell_len(label))
        mark = Text("✓", "green") if proof.holds else Text("✗", "bold red")
        seconds = Text(f"  {proof.seconds:.1f} s", "dim")
        line = Text.assemble("  ", mark, " ", label, tell(proof.summary, self._language), seconds)
        self._console.print(line, soft_wrap=True)
        for finding in proof.findings:
            self.put(f"      {tell(finding, self._language)}")

    def put_end(self, audits: Sequence[ExerciseAudit], figures: Sequence[Figure], *, full: bool) -> None:
        """How it went, and the figures."""
        findings = sum(len(proof.findings) for audit in audits for proof in audit.proofs)
        self.put("")
        if findings:
            wrong = sum(not audit.holds for audit in audits)
            self.put(self._say("some_findings", findings=findings, exercises=wrong), "bold red")
        elif _hold(audits, figures):
            self.put(self._say("all_holds", exercises=len(audits)), "bold green")
        for figure in figures:
            fields: dict[str, str | int] = {"reached": figure.reached, "total": figure.total}
            self.put(f"  {self._say(f'figure_{figure.name}', percent=_percent(figure), **fields)}")
            if not figure.holds and figure.least < 1:
                self.put(f"    {self._say('figure_short', least=f'{100 * figure.least:g}')}", "bold red")
        if not full:
            self.put(f"  {self._say('figures_full')}", "dim")


def _hold(audits: Sequence[ExerciseAudit], figures: Sequence[Figure]) -> bool:
    return all(audit.holds for audit in audits) and all(figure.holds for figure in figures)


def _percent(figure: Figure) -> str:
    return f"{100 * figure.reached / figure.total:.1f}" if figure.total else "-"


# --- for programs ------------------------------------------------------------------------------------------------


def _write_json(audits: Sequence[ExerciseAudit], figures: Sequence[Figure], where: str, *, full: bool) -> None:
    tree = {
        "schema": SCHEMA,
        "full": full,
        "holds": _hold(audits, figures),
        "exercises": [_plain(each) for each in audits],
        "figures": {each.name: {"reached": each.reached, "total": each.total} for each in figures},
    }
    text = json.dumps(tree, indent=2) + "\n"  # ASCII: nothing of a mutant can steer a terminal
    if where == STDOUT:
        print(text, end="")
    else:
        write_asked(Path(where), text, "--json")


def _plain(audit: ExerciseAudit) -> dict[str, object]:
    proofs = [
        {
            "proof": proof.name,
            "holds": proof.holds,
            "counts": proof.counts,
            "looked": {language: say(proof.summary, language) for language in LANGUAGES},
            "findings": [_told(finding) for finding in proof.findings],
            "seconds": round(proof.seconds, 3),
        }
        for proof in audit.proofs
    ]
    return {"exercise": audit.exercise, "holds": audit.holds, "proofs": proofs}


def _told(finding: Message) -> dict[str, object]:
    """A finding with its fields, nothing of them cut, and in every language."""
    told: dict[str, object] = {"finding": finding.key, "fields": dict(finding.fields)}
    return told | {language: say(finding, language) for language in LANGUAGES}
