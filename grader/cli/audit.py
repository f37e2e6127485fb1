"""`grade audit [EXERCISE...]`: tries every proof on the exercises of a course and prints a line for each."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
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
    from grader.course import Course

STDOUT = "-"
SCHEMA = 1
LABEL_WIDTH = 14  # columns
HOLDS, FINDINGS = 0, 1


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--full"], is_flag=True),
        click.Option(["--every"], is_flag=True),
        click.Option(["--jobs"], metavar="N", type=click.IntRange(min=1)),
        click.Option(["--choose"], is_flag=True),
        click.Option(["--mine"], is_flag=True),
        click.Option(["--json"], metavar="FILE|-", is_flag=False, flag_value=STDOUT, shell_complete=files),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    exercises = click.Argument(["exercises"], nargs=-1, metavar="[EXERCISE]...", shell_complete=exercise_names)

    def callback(
        exercises: tuple[str, ...],
        *,
        full: bool,
        every: bool,
        jobs: int | None,
        choose: bool,
        mine: bool,
        json: str | None,
        course: str | None,
    ) -> int:
        if mine:
            return _mine(language, exercises, course)
        if choose:
            return _choose(language, exercises, course)
        depth = _Depth(full=full or every, every=every)
        return audit(language, exercises, depth, jobs=jobs, where=json, course=course)

    return Command("audit", language, options, callback, arguments=[exercises])


@dataclass(frozen=True)
class _Depth:
    """How much is looked at, see `audit_exercise`."""

    full: bool
    every: bool


def audit(
    language: Language,
    exercises: Sequence[str],
    depth: _Depth,
    *,
    jobs: int | None,
    where: str | None,
    course: str | None,
) -> int:
    """Audit some exercises, all of them where none is named; 1 where anything was found.

    Args:
        jobs: how many are audited at a time, as many as there are cores where it is None.

    Raises:
        UsageError: there is no such exercise, or the JSON cannot be written.
        GraderError: the sandbox or pytest failed.
    """
    chosen = chosen_course(course)
    names = _names(chosen, exercises)

    from grader.audit.proof import figures  # noqa: PLC0415
    from grader.cli.screen import Screen  # noqa: PLC0415

    page = _Page(Screen(highlight=False, emoji=False, quiet=where == STDOUT), language)
    count = min(jobs or len(os.sched_getaffinity(0)), len(names))
    audits = list(_audited(chosen, names, count, page, depth))
    added_up = figures(audits)
    page.put_end(audits, added_up, depth)
    if where is not None:
        _write_json(audits, added_up, where, depth)
    return HOLDS if _hold(audits, added_up) else FINDINGS


def _choose(language: Language, exercises: Sequence[str], course: str | None) -> int:
    """Choose the probes of some exercises, of all where none is named; raises as `choose_probes`."""
    from grader.cli.choose import choose_probes  # noqa: PLC0415
    from grader.cli.screen import Screen  # noqa: PLC0415

    chosen = chosen_course(course)
    choose_probes(chosen, _names(chosen, exercises), language, Screen(highlight=False, emoji=False))
    return HOLDS


def _names(course: Course, exercises: Sequence[str]) -> list[str]:
    """The exercises that were named, each once; all of them where none was."""
    return list(dict.fromkeys(exercise_name(course, each) for each in exercises)) or list(course.names)


def _mine(language: Language, files: Sequence[str], course: str | None) -> int:
    """Group what `grade --collect` has kept; raises UsageError."""
    from grader.cli.mine import print_mined  # noqa: PLC0415
    from grader.cli.screen import Screen  # noqa: PLC0415

    if not files:
        raise UsageError(Message("audit.mine_no_files"))
    print_mined(chosen_course(course), files, language, Screen(highlight=False, emoji=False))
    return HOLDS


def _audited(course: Course, names: Collection[str], count: int, page: _Page, depth: _Depth) -> Iterator[ExerciseAudit]:
    """The audit of each exercise, printed as it is made; one exercise at a time is audited in this process."""
    # numpy and pytest, after what can be said without them
    from grader.audit.process import Asked, sandboxes  # noqa: PLC0415
    from grader.audit.processes import Processes  # noqa: PLC0415
    from grader.audit.run import audit_exercise  # noqa: PLC0415

    if count > 1:
        with Processes(count) as processes:
            asked = [Asked(course.root, name, depth.full, depth.every) for name in names]
            yield from processes.audit(asked, page.put_name, page.put_proof)
        return
    with sandboxes() as sandbox:
        for name in names:
            page.put_name(name)
            yield audit_exercise(course, name, sandbox, full=depth.full, every=depth.every, on_proof=page.put_proof)


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

    def put_name(self, exercise: str) -> None:
        self.put(exercise, "bold")

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

    def put_end(self, audits: Sequence[ExerciseAudit], figures: Sequence[Figure], depth: _Depth) -> None:
        """How it went, and the figures."""
        findings = sum(proof.count for audit in audits for proof in audit.proofs)
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
        if not depth.full:
            self.put(f"  {self._say('figures_full')}", "dim")
        elif not depth.every:
            from grader.audit.bench import FULL_MUTANTS, FULL_PAIRS  # noqa: PLC0415

            self.put(f"  {self._say('figures_every', pairs=FULL_PAIRS, mutants=FULL_MUTANTS)}", "dim")


def _hold(audits: Sequence[ExerciseAudit], figures: Sequence[Figure]) -> bool:
    return all(audit.holds for audit in audits) and all(figure.holds for figure in figures)


def _percent(figure: Figure) -> str:
    return f"{100 * figure.reached / figure.total:.1f}" if figure.total else "-"


# --- for programs ------------------------------------------------------------------------------------------------


def _write_json(audits: Sequence[ExerciseAudit], figures: Sequence[Figure], where: str, depth: _Depth) -> None:
    tree = {
        "schema": SCHEMA,
        "full": depth.full,
        "every": depth.every,
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
