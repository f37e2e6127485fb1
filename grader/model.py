"""The nouns of the grader: frozen, plain, and free of behaviour that touches files or processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
SCHEMA = 1


@dataclass(frozen=True)
class Text:
    """One sentence (or paragraph) in every language of the course."""

    en: str
    zh: str

    def in_language(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True)
class Message:
    """A sentence that is rendered late: `key` is "area.name" of a file in grader/texts, `fields` fill its braces.

    Fields hold plain text and numbers only; text of a student stays raw here and is made safe where it is shown.
    """

    key: str
    fields: Mapping[str, str | int | float] = field(default_factory=dict)


# --- what is asked -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Above these it is stopped, and told which limit it met."""

    wall_s: float = 2.0  # for each check, and for loading the file; three times that for a whole submission
    cpu_s: int = 10  # whole seconds for one worker, the net beneath wall_s
    memory_mib: int = 512  # above what the interpreter and its packages need
    output_kib: int = 1024  # printed by one worker


@dataclass(frozen=True)
class MapFigure:
    """A picture of attention weights for the report: for each head one table, queries down and keys across."""

    title: Text
    caption: Text  # what to look at
    ask: str  # function of the exercise's figures.py: subject -> weights, (h, L, S) or (L, S)
    queries: tuple[Text, ...]  # tokens, one for each row
    keys: tuple[Text, ...]


@dataclass(frozen=True)
class FigureLine:
    """One line of a chart."""

    ask: str  # function of the exercise's figures.py: subject, x -> one number
    label: Text


@dataclass(frozen=True)
class LineFigure:
    """A chart for the report: some numbers of the submission against one that is varied."""

    title: Text
    caption: Text
    x_name: Text
    y_name: Text
    x: tuple[float, ...]  # ascending
    logarithmic: bool  # both axes
    lines: tuple[FigureLine, ...]


Figure = MapFigure | LineFigure


@dataclass(frozen=True)
class Exercise:
    """One task of a course, with everything needed to grade it."""

    name: str  # "04_concat"
    title: Text
    module: str  # "concat": stem of the starter, the reference and the student's file
    defines: tuple[str, ...]  # functions and classes the student's file must define
    packages: tuple[str, ...]  # distributions a submission may import beside the standard library
    limits: Limits
    rules: Mapping[str, Text]  # check name -> its one-sentence rule, in the order of the suite
    hints: tuple[Text, ...]
    source: Text  # where the material comes from
    folder: Path  # exercises/04_concat
    solution: Path  # solutions/04_concat
    figures: tuple[Figure, ...] = ()

    @property
    def filename(self) -> str:
        return f"{self.module}.py"

    @property
    def starter(self) -> Path:
        return self.folder / self.filename

    @property
    def reference(self) -> Path:
        return self.solution / self.filename

    @property
    def suite(self) -> Path:
        return self.solution / f"test_{self.module}_hidden.py"


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one exercise; the file was read exactly once."""

    who: str
    exercise: str
    filename: str  # as the student named it, for display only
    source: bytes
    sha256: str


# --- what is answered --------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """How one check ended. Only `passed` gives points, and only evidence made on our side gives `passed`."""

    PASSED = "passed"
    FAILED = "failed"  # answered, and the answer breaks the rule
    ERROR = "error"  # raised, or the worker was lost
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"


class Verdict(StrEnum):
    """What a submission as a whole turned out to be."""

    ACCEPTED = "accepted"
    PARTLY = "partly"
    WRONG = "wrong"
    INVALID = "invalid"  # could not be loaded: syntax, import, missing function, unreadable bytes
    NOT_ATTEMPTED = "not_attempted"
    CRASHED = "crashed"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    GRADER_ERROR = "grader_error"


@dataclass(frozen=True)
class CaseFailure:
    """One case (one set of parameters) of a check that did not hold."""

    case: str  # id of the parameters, "" where the check has one case
    message: Message  # what was expected and what was found
    line: int | None = None  # line of the student's file, where one is to blame
    code: str = ""  # that line's text
    explanation: Message | None = None  # a known exception explained with the shapes involved
    traceback: str = ""  # the student's own frames, for --verbose
    column: int | None = None  # of that line, counted from 1, where one character is to blame


@dataclass(frozen=True)
class CheckResult:
    """One test function of the hidden suite; its parameters are cases of one check, points are all or nothing."""

    name: str
    rule: Text
    outcome: Outcome
    points: float
    max_points: float
    cases: int  # how many cases ran
    failures: tuple[CaseFailure, ...] = ()


@dataclass(frozen=True)
class LessonRow:
    """A row E1..E5 of the lesson's error table."""

    id: str
    title: Text


@dataclass(frozen=True)
class Mistake:
    """A card of exercises/mistakes.toml: one mistake that people really make, and how to talk about it."""

    slug: str
    row: str | None  # "E1".."E5" of the lesson's error table
    title: Text
    belief: Text  # why people write it
    seen: Text  # rung 1: what is seen
    question: Text  # rung 2: a question about the concept
    place: Text  # rung 3: where to look, never the code


@dataclass(frozen=True)
class Shown:
    """A value prepared for display: an array with named axes, or anything else as a short text."""

    kind: Literal["array", "text", "error"]
    axes: tuple[str, ...] = ()  # names of the axes, as far as known
    shape: tuple[int, ...] = ()
    dtype: str = ""
    values: tuple[float | int | bool | str, ...] = ()  # in C order; complex and other values as text
    text: str = ""  # for kind "text" and "error"


@dataclass(frozen=True)
class Counterexample:
    """The smallest input found on which the submission and the reference differ."""

    call: str  # "concat_heads(heads)"
    inputs: tuple[tuple[str, Shown], ...]  # argument name -> value
    expected: Shown
    actual: Shown
    first_wrong: tuple[int, ...] | None  # index into both arrays, where their shapes agree


@dataclass(frozen=True)
class Finding:
    """A mistake that was detected, with the evidence for it."""

    mistake: Mistake
    probes_matched: int
    probes_total: int
    counterexample: Counterexample | None
    certain: bool = True  # False: it is this one or another of the findings that are not certain


class DiagnosisKind(StrEnum):
    """What the engine of mistakes can say. Closed: anything else is `unknown`."""

    RIGHT = "right"  # every check passed: no mistake is ever named
    NAMED = "named"  # behaves exactly as one known mistake, or as several of them made together
    FAMILY = "family"  # behaves as known mistakes that cannot be told apart
    LOCATED = "located"  # as no known mistake; the first property that is wrong is known
    UNKNOWN = "unknown"  # wrong, and none of the known mistakes explains it
    NOT_REPEATABLE = "not_repeatable"  # the same input gave different answers
    NOT_RUN = "not_run"  # nothing to diagnose: not attempted, not loaded, stopped by a limit


@dataclass(frozen=True)
class Diagnosis:
    kind: DiagnosisKind
    findings: tuple[Finding, ...] = ()
    possible: tuple[str, ...] = ()  # slugs that can occur in this exercise
    counterexample: Counterexample | None = None  # for `located` and `unknown`: the smallest input that fails
    located: Message | None = None  # for `located`: what is wrong, as far as it was observed


@dataclass(frozen=True)
class Isolation:
    """How far a submission was locked away."""

    level: Literal["strong", "sealed", "weak"]
    layers: tuple[str, ...]  # "seccomp", "Landlock ABI 7", "namespaces", "own uid 64321", "rlimits"
    missing: tuple[tuple[str, str], ...] = ()  # layer -> why it is missing


@dataclass(frozen=True)
class Printed:
    """What a submission wrote to stdout and stderr, head and tail, control characters still in it."""

    text: str = ""
    total_bytes: int = 0
    cut: bool = False


@dataclass(frozen=True)
class Drawn:
    """The numbers of one figure: a tuple for each map, in C order, or for each line, in the order of x."""

    figure: Figure
    expected: tuple[tuple[float, ...], ...]
    actual: tuple[tuple[float | None, ...], ...]  # None where no number came; () for a map without an answer
    troubles: tuple[tuple[int, Message], ...] = ()  # of which map or line; why there is nothing to draw


@dataclass(frozen=True)
class Provenance:
    grader: str
    python: str
    numpy: str
    torch: str | None
    pytest: str
    suite_sha256: str
    submission_sha256: str
    seed: int
    isolation: Isolation


@dataclass(frozen=True)
class GradeReport:
    """Everything known about one graded submission; plain data, JSON with `schema`."""

    exercise: str
    title: Text
    who: str
    filename: str
    verdict: Verdict
    points: float
    max_points: float
    checks: tuple[CheckResult, ...]
    diagnosis: Diagnosis
    printed: Printed
    provenance: Provenance
    reason: CaseFailure | None = None  # why nothing could be checked, where that is so
    reached: tuple[str, ...] = ()  # "network", "program", "file": what it tried to use, as far as Python tells
    figures: tuple[Drawn, ...] = ()  # for the page alone
    schema: int = SCHEMA
