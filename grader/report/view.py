"""Gathers what the page shows, in one language: plain strings, cut to a sensible length, and finished drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import cached_property

from grader.course import Course
from grader.model import (
    CaseFailure,
    CheckResult,
    Counterexample,
    DiagnosisKind,
    Finding,
    GradeReport,
    Language,
    Message,
    Outcome,
    Shown,
    Text,
    Verdict,
)
from grader.report.cases import case_words
from grader.report.feedback import Feedback
from grader.report.figures import FigureView, figure_views
from grader.report.grids import Grid, Window, compare, shape_text
from grader.report.heatmap import Scale, draw, scale
from grader.report.parts import CheckView, ExampleView, FailureView, FindingView, ValueView
from grader.report.places import place_of
from grader.report.sentences import (
    SYMBOLS,
    MistakeTable,
    also_failed,
    cause,
    diagnosis_message,
    if_stuck,
    is_one_of,
    mistake_table,
    next_step,
    not_attempted,
    number,
    reasons,
    same_reason,
    several_told,
    shown_checks,
    verdict_symbol,
    warnings_printed,
)
from grader.report.visible import Block, block, code_line, line, pointer, tell

WINDOW = Window(rows=10, columns=10, panels=4)
_ABOVE = frozenset(f"report.next_{name}" for name in ("question", "questions", "smallest", "check"))
CASES = 3  # failing cases of one check told in full
PRINTED_LINES = 200
TRACEBACK_LINES = 60
BAR, GAP = 1000, 6  # length of the score bar, and the gap between its pieces
PARAGRAPH = 4000  # characters of a text of the course


def handed_in(report: GradeReport) -> str:
    """The file, and by whom; where that is a path of the file itself, the path alone."""
    who, file = line(report.who, 200), line(report.filename, 80)
    return who if who.endswith(file) else f"{file} · {who}" if who else file


class View:
    """One report in one language; the template asks for its parts by name."""

    def __init__(
        self,
        report: GradeReport,
        course: Course,
        language: Language,
        feedback: Feedback = "full",
        *,
        raised: bool = False,
        assigned: Collection[str] | None = None,
    ) -> None:
        self.report = report
        self._raised = raised
        self._assigned = assigned
        self.feedback: Feedback = feedback
        self.course = course
        self.language: Language = language

    def say(self, key: str, **fields: str | float) -> str:
        return tell(Message(f"report.{key}", fields), self.language)

    def text(self, both: Text) -> str:
        return line(both.in_language(self.language), PARAGRAPH)

    # --- the head ---

    @property
    def lang(self) -> str:
        return "zh-CN" if self.language == "zh" else "en"

    @property
    def exercise(self) -> str:
        return line(self.report.exercise, 80)

    @property
    def title(self) -> str:
        return line(self.report.title.in_language(self.language), 120)

    @property
    def handed_in(self) -> str:
        return handed_in(self.report)

    @property
    def headline(self) -> str:
        """What was detected, in one line below the score."""
        findings = self.findings
        return self.say("headline", title=findings[0].title) if len(findings) == 1 else ""

    @property
    def left_out(self) -> str:
        """What a page says of itself that does not show everything."""
        return "" if self.feedback == "full" else tell(Message(f"feedback.{self.feedback}"), self.language)

    @property
    def only_raised(self) -> str:
        """That the code raised, where no check is on the page that could say so, else ""."""
        names = self.feedback == "names" and self._raised
        return tell(Message("feedback.names_raised"), self.language) if names else ""

    @property
    def points(self) -> str:
        return number(self.report.points)

    @property
    def most(self) -> str:
        return number(self.report.max_points)

    @property
    def verdict(self) -> str:
        return self.say(f"verdict_{self.report.verdict.value}")

    @property
    def symbol(self) -> str:
        return verdict_symbol(self.report.verdict)

    @property
    def attempted(self) -> bool:
        return self.report.verdict is not Verdict.NOT_ATTEMPTED

    @property
    def calm(self) -> str:
        """The sentence of a submission that is nobody's failure."""
        if self.report.verdict is Verdict.NOT_ATTEMPTED:
            return tell(not_attempted(self.report), self.language)
        return self.say("grader_error") if self.report.verdict is Verdict.GRADER_ERROR else ""

    @property
    def next(self) -> str:
        """What to do now; "" where nothing else was set by whoever runs the course."""
        step = next_step(self.report, self.course, among=self._assigned)
        if self._assigned is not None and step.key == "report.next_done":
            return ""
        if self.feedback == "names" and step.key in _ABOVE:  # what it speaks of is not on this page
            step = Message("report.next_file", {"file": self.report.filename})
        return tell(step, self.language)

    @property
    def if_stuck(self) -> str:
        """The way to a hint, "" where none is offered."""
        hint = if_stuck(self.report, self.course, root="DIR")
        return tell(hint, self.language) if hint else ""

    # --- checks ---

    @cached_property
    def reason(self) -> FailureView | None:
        if not self.attempted:
            return None
        first = self.cause
        if first is not None:
            return self._failure(first.failures[0], first.cases)
        return self._failure(self.report.reason, cases=1) if self.report.reason else None

    @cached_property
    def cause(self) -> CheckResult | None:
        return cause(self.report)

    @property
    def waiting(self) -> int:
        return sum(check.outcome is Outcome.NOT_RUN for check in self.report.checks) if self.report.reason else 0

    @property
    def own_inputs(self) -> str:
        """That each check has inputs of its own, where several speak of theirs; else ""."""
        return self.say("own_inputs") if several_told(self.report) else ""

    @property
    def at_top(self) -> int:
        """Checks that fail for the reason at the top."""
        return 1 + also_failed(self.report.checks)[self.cause.name] if self.cause else 0

    @cached_property
    def _also_failed(self) -> Counter[str]:
        return also_failed(shown_checks(self.report))

    @cached_property
    def checks(self) -> tuple[CheckView, ...]:
        checks = shown_checks(self.report)
        again, latest = same_reason(checks), self.cause
        whole = sum(check.max_points for check in checks) or 1.0
        views, start = [], 0.0
        for check in checks:
            earlier = again.get(check.name)
            views.append(self._check(check, earlier, latest, start / whole, check.max_points / whole))
            latest = check if check.failures and earlier is None else latest
            start += check.max_points
        return tuple(views)

    def _check(
        self, check: CheckResult, earlier: CheckResult | None, latest: CheckResult | None, start: float, length: float
    ) -> CheckView:
        """One check; `earlier` is the one that failed for the same reason, `latest` the one whose reason was told."""
        known = earlier is not None or check is self.cause
        told = () if known else reasons(check)[:CASES]
        points, most = number(check.points), number(check.max_points)
        return CheckView(
            outcome=check.outcome.value,
            symbol=SYMBOLS[check.outcome],
            word=self.say(f"outcome_{check.outcome.value}"),
            rule=self.text(check.rule),
            points=f"{points}/{most}",
            spoken_points=self.say("points_of_check", points=points, most=most),
            failures=tuple(self._failure(failure, check.cases) for failure in told),
            more=0 if known else len(check.failures) - len(told),
            same_as=self.text(earlier.rule) if earlier and earlier not in (latest, self.cause) else "",
            also=0 if known else self._also_failed[check.name],
            start=round((BAR + GAP) * start),
            length=max(1, round((BAR + GAP) * length) - GAP),
        )

    def _failure(self, failure: CaseFailure, cases: int) -> FailureView:
        at = failure.line is not None
        where = place_of("report.where", self.report.filename, failure.line or 0, file=line(self.report.filename, 80))
        return FailureView(
            case=case_words(failure.case, self.language) if cases > 1 else "",
            sentence=tell(failure.message, self.language),
            where=tell(where, self.language) if at else "",
            line=failure.line,
            code=(code_line(failure.code) if failure.column else code_line(failure.code).strip()) if at else "",
            before=pointer(failure.code, failure.column) if failure.column else "",
            explanation=tell(failure.explanation, self.language) if failure.explanation else "",
            traceback=block(failure.traceback, TRACEBACK_LINES).lines,
        )

    # --- common mistakes ---

    @cached_property
    def table(self) -> MistakeTable | None:
        """None where nothing was looked for, so that no table of empty answers is shown."""
        if self.report.diagnosis.kind is DiagnosisKind.NOT_RUN or self.cause is not None:
            return None
        return mistake_table(self.report, self.course)

    def result(self, message: Message) -> str:
        return tell(message, self.language)

    @property
    def diagnosis(self) -> str:
        return tell(diagnosis_message(self.report), self.language)

    @property
    def mistakes_first(self) -> bool:
        """Whether the mistakes stand before the checks: something was detected or located, and nothing is plainer."""
        return self.cause is None and self.report.diagnosis.kind is not DiagnosisKind.NOT_RUN

    @property
    def located(self) -> str:
        """What is wrong where no mistake is named, "" where that is not known either."""
        located = self.report.diagnosis.located
        return tell(located, self.language) if located else ""

    @cached_property
    def findings(self) -> tuple[FindingView, ...]:
        """Mistakes that look alike have the same results, so that their one example is shown once."""
        diagnosis = self.report.diagnosis
        alike = diagnosis.kind is DiagnosisKind.FAMILY
        return tuple(self._finding(each, once=alike and i > 0) for i, each in enumerate(diagnosis.findings))

    def _finding(self, finding: Finding, *, once: bool) -> FindingView:
        mistake, total = finding.mistake, finding.probes_total
        return FindingView(
            row=line(mistake.row or "", 8),
            title=self.text(mistake.title),
            one_of=is_one_of(self.report.diagnosis, finding),
            seen=self.text(mistake.seen),
            evidence=self.say("evidence", matched=finding.probes_matched, total=total) if total else "",
            example=self._example(finding.counterexample) if finding.counterexample and not once else None,
            belief=self.text(mistake.belief),
            question=self.text(mistake.question),
            place=self.text(mistake.place),
        )

    @cached_property
    def example(self) -> ExampleView | None:
        """The smallest failing input where no mistake is named."""
        diagnosis = self.report.diagnosis
        if diagnosis.counterexample is None or diagnosis.findings:
            return None
        return self._example(diagnosis.counterexample)

    def _example(self, example: Counterexample) -> ExampleView:
        """Expected and actual share one scale; an input shares it too where its numbers lie inside."""
        compared = compare(example, WINDOW)
        colours = scale([compared.expected, compared.actual])
        there = {"expected": compared.expected_there, "actual": compared.actual_there}
        grids = [*(grid for _, _, grid in compared.inputs), compared.expected, compared.actual]
        return ExampleView(
            call=line(example.call),
            inputs=tuple(
                self._value(line(name, 80), shown, grid, scale([grid], within=colours))
                for name, shown, grid in compared.inputs
            ),
            results=(
                self._value(self.say("expected"), example.expected, compared.expected, colours),
                self._value(self.say("yours"), example.actual, compared.actual, colours),
            ),
            first_wrong=self.say("first_wrong", place=compared.first_wrong, **there) if compared.first_wrong else "",
            cut=any(grid is not None and grid.cut for grid in grids),
        )

    def _value(self, name: str, shown: Shown, grid: Grid | None, colours: Scale) -> ValueView:
        if grid is not None:
            return ValueView(name, f"{grid.shape}, {grid.dtype}", draw(name, grid, colours, self.language), "")
        empty = shown.kind == "array"
        return ValueView(name, "", (), self.say("empty", shape=shape_text(shown)) if empty else line(shown.text))

    # --- figures ---

    @cached_property
    def figures(self) -> tuple[FigureView, ...]:
        return figure_views(self.report.figures, self.language)

    def say_figure(self, key: str) -> str:
        return tell(Message(f"figure.{key}"), self.language)

    # --- the rest ---

    @cached_property
    def printed(self) -> Block:
        return block(self.report.printed.text, PRINTED_LINES)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(tell(warning, self.language) for warning in warnings_printed(self.report))

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Label and value of each fact about how this report was made.

        Which layers locked the code away, and why one did not, is about the machine and not for who reads the page:
        the JSON has it, and `grade doctor` tells it.
        """
        made = self.report.provenance
        versions = [("Manyheads", made.grader), ("Python", made.python), ("NumPy", made.numpy)]
        versions += [("PyTorch", made.torch)] if made.torch else []
        versions += [("pytest", made.pytest)]
        return (
            (self.say("isolation"), self.say(f"isolation_{made.isolation.level}")),
            (self.say("versions"), ", ".join(f"{name} {line(version, 40)}" for name, version in versions)),
            (self.say("suite"), f"sha256 {line(made.suite_sha256, 64)}"),
            (self.say("submission"), f"sha256 {line(made.submission_sha256, 64)}"),
            (self.say("seed"), str(made.seed)),
        )
