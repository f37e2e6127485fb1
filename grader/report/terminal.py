"""Prints a report: score, checks, detected mistakes, one next step; plain text where the output is no terminal.

Words carry the meaning and colour only helps: each sign has its word beside it. Text of a student is made visible
before it is printed and never read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from grader.model import (
    CaseFailure,
    CheckResult,
    Counterexample,
    DiagnosisKind,
    Finding,
    GradeReport,
    Language,
    Message,
    Mistake,
    Outcome,
    Shown,
    Verdict,
)
from grader.model import Text as Both
from grader.report.cases import case_words
from grader.report.columns import array_lines, array_width, side_by_side, text_lines
from grader.report.grids import Comparison, Grid, Window, compare, shape_text
from grader.report.places import place_of
from grader.report.sentences import (
    SYMBOLS,
    also_failed,
    cause,
    diagnosis_message,
    if_stuck,
    is_one_of,
    next_step,
    not_attempted,
    number,
    same_reason,
    several_told,
    shown_checks,
    verdict_symbol,
    warnings_printed,
)
from grader.report.visible import Block, block, code_line, line, pointer, tell
from grader.report.wrap import cut, wrap

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course

WIDTH = 100  # cells; longer lines are hard to read
ROWS, COLUMNS, PANELS = 6, 8, 3  # of an array, at most
PRINTED_LINES, TRACEBACK_LINES = 10, 60
INDENT, DEEP = 2, 6

COLOURS = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "bold red",
    Outcome.ERROR: "bold yellow",
    Outcome.TIMEOUT: "bold yellow",
    Outcome.NOT_RUN: "dim",
}


def print_report(
    report: GradeReport,
    course: Course,
    language: Language,
    console: Console,
    *,
    verbose: bool = False,
    report_path: Path | None = None,
    exercises: Path | None = None,
    overcome: Sequence[Mistake] = (),
    isolation: Message | None = None,
) -> None:
    """Prints one report to `console`.

    Args:
        verbose: adds the student's own traceback under each check that raised.
        isolation: how far the code was locked away, where that has not been said yet.
        report_path: where the HTML report lies; None where none was written.
        exercises: where the exercise folders lie, so that a path to a README can be opened from here.
        overcome: mistakes that an earlier answer showed, and this one no longer.
    """
    page = Page(console, language)
    page.opening(report, overcome)
    if report.verdict is not Verdict.NOT_ATTEMPTED:
        page.reason(report, verbose=verbose)
        page.checks(report, verbose=verbose)
        page.mistakes(report)
        page.printed(report)
        page.space()
    if isolation is not None:
        page.say(isolation, style="bold yellow" if report.provenance.isolation.level == "weak" else "dim")
    page.next(next_step(report, course, exercises), if_stuck(report, course))
    if report_path is not None:
        page.path(report_path)


class Page:
    """Lines on a console, each wrapped by us: rich would break Chinese in the wrong places."""

    def __init__(self, console: Console, language: Language) -> None:
        self.console = console
        self.language = language
        self.width = max(20, min(console.width, WIDTH))
        self.colon = "：" if language == "zh" else ": "

    # --- lines ---

    def put(self, *parts: tuple[str, str] | Text) -> None:
        """One line of (text, style) parts."""
        text = Text.assemble(*parts)
        text.rstrip()
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def space(self) -> None:
        self.put(("", ""))

    def paragraph(self, text: str, indent: int = 0, style: str = "") -> None:
        for each in wrap(text, self.width - indent):
            self.put((" " * indent + each, style))

    def say(self, message: Message, indent: int = 0, style: str = "") -> None:
        self.paragraph(tell(message, self.language), indent, style)

    def word(self, key: str) -> str:
        return tell(Message(key), self.language)

    def text(self, both: Both) -> str:
        return line(both.in_language(self.language), 2000)

    def title(self, key: str) -> None:
        self.space()
        self.put((self.word(key), "bold"))

    def block(self, lines: Block, indent: int) -> None:
        for each in lines.lines:
            self.put((" " * indent + cut(each, self.width - indent), "dim"))
        if lines.left_out:
            self.say(Message("report.printed_more", {"count": lines.left_out}), indent, "dim")

    # --- parts of the report ---

    def opening(self, report: GradeReport, overcome: Sequence[Mistake]) -> None:
        """The head, what was overcome, and why there is nothing more where that is so."""
        self.head(report)
        self.overcome(overcome)
        if report.verdict is Verdict.NOT_ATTEMPTED:
            self.say(not_attempted(report))
        elif report.verdict is Verdict.GRADER_ERROR:
            self.say(Message("report.grader_error"))

    def head(self, report: GradeReport) -> None:
        name = cut(line(report.exercise), self.width // 2)
        title = cut(line(report.title.in_language(self.language)), self.width - cell_len(name) - 2)
        self.put((name, "bold"), ("  " + title, ""))
        if report.verdict is Verdict.NOT_ATTEMPTED:
            return
        fields = {"points": number(report.points), "most": number(report.max_points)}
        points = tell(Message("report.points", fields), self.language)
        verdict = f"{verdict_symbol(report.verdict)} {self.word(f'report.verdict_{report.verdict.value}')}"
        style = "green" if report.verdict is Verdict.ACCEPTED else ""
        if cell_len(points) + 2 + cell_len(verdict) <= self.width:
            self.put((points, "bold"), ("  " + verdict, style))
        else:
            self.put((points, "bold"))
            self.put((verdict, style))

    def overcome(self, mistakes: Sequence[Mistake]) -> None:
        """Mistakes that an earlier answer showed, and this one no longer."""
        for mistake in mistakes:
            self.say(Message("report.overcome", {"title": self.text(mistake.title)}), style="green")

    def reason(self, report: GradeReport, *, verbose: bool) -> None:
        """Why nothing could be checked or compared: one sentence and the line, no list of checks that did not run."""
        first = cause(report)
        reason = first.failures[0] if first else report.reason
        if reason is None:
            return
        self.space()
        self.paragraph((self.case(first) if first else "") + tell(reason.message, self.language))
        self.code(reason, report.filename, 0)
        self.more(reason, 0, verbose=verbose)
        if first:
            return
        waiting = sum(check.outcome is Outcome.NOT_RUN for check in report.checks)
        if waiting:
            self.space()
            self.say(Message("report.checks_waiting", {"count": waiting}), style="dim")

    def checks(self, report: GradeReport, *, verbose: bool) -> None:
        checks = shown_checks(report)
        if not checks:
            return
        self.title("report.checks")
        again, also, first = same_reason(checks), also_failed(checks), cause(report)
        latest = first  # the reason that was told last
        if several_told(report):
            self.say(Message("report.own_inputs"), INDENT, "dim")
        for check in checks:
            self.check_line(check)
            earlier = again.get(check.name)
            if earlier is None and check.failures and check is not first:
                self.failure(check, report.filename, verbose=verbose)
                if also[check.name]:
                    self.say(Message("report.also_failed", {"count": also[check.name]}), DEEP, "dim")
                latest = check
            elif earlier is not None and earlier not in (latest, first):
                self.paragraph(tell(Message("report.same_as", {"rule": self.text(earlier.rule)}), self.language), DEEP)
        if first:
            self.say(Message("report.reason_at_top", {"count": 1 + also[first.name]}), INDENT, "dim")

    def check_line(self, check: CheckResult) -> None:
        """Sign and word, the rule, and the points at the right edge."""
        words = [self.word(f"report.outcome_{outcome.value}") for outcome in Outcome]
        left = INDENT + 2 + max(map(cell_len, words)) + 2
        points = f"{number(check.points)}/{number(check.max_points)}"
        lines = wrap(self.text(check.rule), self.width - left - len(points) - 2)
        word = f"{SYMBOLS[check.outcome]} {words[list(Outcome).index(check.outcome)]}"
        gap = " " * (left - INDENT - cell_len(word))
        room = self.width - left - cell_len(lines[0]) - len(points)
        self.put((" " * INDENT, ""), (word, COLOURS[check.outcome]), (gap + lines[0] + " " * room, ""), (points, "dim"))
        for each in lines[1:]:
            self.put((" " * left + each, ""))

    def failure(self, check: CheckResult, filename: str, *, verbose: bool) -> None:
        """The first case that does not hold, in full; further ones are only counted."""
        failure = check.failures[0]
        others = Message("report.more_cases", {"count": len(check.failures) - 1})
        more = self.colon[1:] + tell(others, self.language) if len(check.failures) > 1 else ""
        alone = failure.line is None and failure.explanation is None  # else what explains the case comes first
        self.paragraph(self.case(check) + tell(failure.message, self.language) + more * alone, DEEP)
        self.code(failure, filename, DEEP)
        self.more(failure, DEEP, verbose=verbose)
        if more and not alone:
            self.say(others, DEEP, "dim")

    def case(self, check: CheckResult) -> str:
        """The case that failed first, as the beginning of a sentence; "" where the check has one case only."""
        case = case_words(check.failures[0].case, self.language) if check.cases > 1 else ""
        told = tell(Message("report.case", {"case": case}), self.language)
        return told + self.colon[1:] if case else ""

    def code(self, failure: CaseFailure, filename: str, indent: int) -> None:
        """The student's own line, with a pointer before it."""
        if failure.line is None:
            return
        where = place_of("report.where", filename, failure.line, file=line(filename, 60))
        self.say(where, indent, "dim")
        if failure.code:
            start = f"{' ' * indent}> {failure.line} | "
            code = code_line(failure.code) if failure.column else code_line(failure.code).strip()
            self.put((start, "dim"), (cut(code, self.width - len(start)), "bold"))
            before = pointer(failure.code, failure.column) if failure.column else ""
            if failure.column and len(start) + cell_len(before) < self.width:
                self.put((" " * len(start) + " " * cell_len(before) + "^", "bold"))

    def more(self, failure: CaseFailure, indent: int, *, verbose: bool) -> None:
        if failure.explanation is not None:
            self.say(failure.explanation, indent)
        if verbose and failure.traceback:
            self.put((" " * indent + self.word("report.your_traceback"), "dim"))
            self.block(block(failure.traceback, TRACEBACK_LINES), indent + 2)

    def mistakes(self, report: GradeReport) -> None:
        """What was detected, or in one sentence why nothing is named."""
        diagnosis = report.diagnosis
        if diagnosis.kind in {DiagnosisKind.RIGHT, DiagnosisKind.NOT_RUN}:
            return
        if cause(report) and diagnosis.located is None:
            return  # it stands at the top, and there is nothing to add
        found = diagnosis.kind in {DiagnosisKind.NAMED, DiagnosisKind.FAMILY}
        self.title("report.mistakes_detected" if found else "report.mistakes")
        one = diagnosis.kind is DiagnosisKind.NAMED and len(diagnosis.findings) == 1
        self.say(Message("report.as_if") if one else diagnosis_message(report), INDENT)
        if diagnosis.located is not None:
            self.say(diagnosis.located, INDENT, "bold")
        unsure = [finding for finding in diagnosis.findings if is_one_of(diagnosis, finding)]
        for place, finding in enumerate(diagnosis.findings):
            if place and unsure and finding is unsure[0]:
                self.space()
                self.say(Message("report.one_of"), INDENT)
            self.finding(finding, full=place == 0, unsure=finding in unsure)
        if unsure:
            self.space()
            self.say(Message("report.decide"), INDENT)
        if diagnosis.counterexample is not None and not diagnosis.findings:
            self.example(diagnosis.counterexample, "report.smallest_unknown")

    def finding(self, finding: Finding, *, full: bool, unsure: bool) -> None:
        """A detected mistake; the first one in full, of those that it may be each its title and its question."""
        mistake = finding.mistake
        if not full:
            self.space()
        if not full and not unsure:
            self.say(Message("report.further_finding", {"title": self.text(mistake.title)}), INDENT)
            return
        self.paragraph(f"{'?' if unsure else '✗'} {self.text(mistake.title)}", INDENT, "bold red")
        self.paragraph(self.text(mistake.seen), INDENT + 2)
        if full and finding.counterexample is not None:
            self.example(finding.counterexample, "report.smallest")
        if full:
            self.space()
            self.put((" " * (INDENT + 2) + self.word("report.question"), "bold"))
        self.paragraph(self.text(mistake.question), INDENT + 2)

    def example(self, example: Counterexample, title: str) -> None:
        """The smallest input with expected and actual values side by side."""
        indent = INDENT + 2
        comparison = self.comparison(example, self.width - indent)
        self.space()
        self.paragraph(self.word(title) + self.colon + line(example.call), indent)
        arrays = [self.value(line(name, 40), shown, grid) for name, shown, grid in comparison.inputs]
        results = [
            self.value(self.word("report.expected"), example.expected, comparison.expected),
            self.value(self.word("report.yours"), example.actual, comparison.actual),
        ]
        for blocks in (arrays, results):
            self.space()
            for each in side_by_side(blocks, self.width - indent, gap=4):
                self.put((" " * indent, ""), each)
        self.below(comparison, indent)

    def comparison(self, example: Counterexample, width: int) -> Comparison:
        """The arrays with as many columns as the terminal has room for."""
        for columns in range(COLUMNS, 1, -1):
            compared = compare(example, Window(ROWS, columns, PANELS))
            grids = [*(grid for _, _, grid in compared.inputs), compared.expected, compared.actual]
            if all(grid is None or array_width(grid) <= width for grid in grids):
                return compared
        return compare(example, Window(ROWS, 1, PANELS))

    def below(self, comparison: Comparison, indent: int) -> None:
        grids = [*(grid for _, _, grid in comparison.inputs), comparison.expected, comparison.actual]
        if any(grid is not None and grid.cut for grid in grids):
            self.say(Message("report.cut"), indent, "dim")
        if comparison.first_wrong:
            fields = {
                "place": comparison.first_wrong,
                "expected": comparison.expected_there,
                "actual": comparison.actual_there,
            }
            self.say(Message("report.first_wrong", fields), indent)
            self.say(Message("report.legend_terminal"), indent, "dim")

    def value(self, name: str, shown: Shown, grid: Grid | None) -> list[Text]:
        """A value as lines: an array as panels of numbers, anything else as its text."""
        width = self.width - 2 * INDENT
        if grid is not None:
            return array_lines(name, grid, width)
        empty = tell(Message("report.empty", {"shape": shape_text(shown)}), self.language)
        return text_lines(name, empty if shown.kind == "array" else line(shown.text), width)

    def printed(self, report: GradeReport) -> None:
        lines = block(report.printed.text, PRINTED_LINES)
        if not lines.lines:
            return
        self.title("report.printed")
        self.block(lines, INDENT)
        if report.printed.cut:
            self.say(Message("report.printed_cut", {"bytes": report.printed.total_bytes}), INDENT, "dim")
        for warning in warnings_printed(report):
            self.say(warning, INDENT)

    def next(self, step: Message, hint: Message | None) -> None:
        """One thing to do, and below it the way to a hint; the backquotes round what is typed are for the page."""
        name = self.word("report.next") + self.colon
        gap = " " * cell_len(name)
        for place, message in enumerate([step, hint] if hint else [step]):
            for start, each in enumerate(wrap(tell(message, self.language).replace("`", ""), self.width - len(gap))):
                self.put((gap if place or start else name, "bold"), (each, ""))

    def path(self, path: Path) -> None:
        """Where the page lies, on one line however long it is, so that it can be copied."""
        self.put((self.word("report.report_at") + self.colon, "bold"), (line(str(path), 4000), ""))
