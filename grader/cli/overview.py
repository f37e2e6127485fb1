"""The table at the end of a run over several submissions: one line for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.course import shown_path
from grader.model import GradeReport, Language, Message
from grader.report.sentences import is_one_of, number
from grader.report.visible import line, tell


def print_overview(
    reports: Sequence[GradeReport], written: Sequence[Path], language: Language, console: Console
) -> None:
    """Print exercise, points, verdict and detected mistakes of each report, the sum of the points, and where pages lie.

    Args:
        written: the HTML reports.
    """

    def said(key: str, **fields: str) -> str:
        return tell(Message(f"cli.{key}", fields), language)

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    longest = max((cell_len(line(report.exercise)) for report in reports), default=0)
    table.add_column(said("overview_exercise"), overflow="fold", min_width=longest)
    table.add_column(said("overview_points"), justify="right", no_wrap=True)
    table.add_column(said("overview_verdict"))
    table.add_column(said("overview_mistakes"))
    for report in reports:
        points = said("overview_of", points=number(report.points), most=number(report.max_points))
        verdict = tell(Message(f"report.verdict_{report.verdict}"), language)
        found = [
            said("overview_one_of", title=title) if is_one_of(report.diagnosis, finding) else title
            for finding in report.diagnosis.findings
            for title in [finding.mistake.title.in_language(language)]
        ]
        alone = sum(other.exercise == report.exercise for other in reports) == 1
        # Text: what a student named a file is no markup
        name = Text(line(report.exercise) if alone else f"{line(report.exercise)}\n{line(report.who)}")
        table.add_row(name, points, verdict, Text("\n".join(found)))
    got = sum(report.points for report in reports)
    most = sum(report.max_points for report in reports)
    console.print(table)
    console.print(said("overview_total", points=number(got), most=number(most)), markup=False)
    folders = dict.fromkeys(shown_path(path.parent) for path in written)
    if folders:
        console.print(said("overview_reports", folders=", ".join(folders)), markup=False, soft_wrap=True)
