"""Reports made by hand, one for each way a grading can end, with the numbers a real one would have."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from grader.course import Course, load_course
from grader.model import (
    CaseFailure,
    CheckResult,
    Counterexample,
    Diagnosis,
    DiagnosisKind,
    Drawn,
    FigureLine,
    Finding,
    GradeReport,
    Isolation,
    LineFigure,
    MapFigure,
    Message,
    Outcome,
    Printed,
    Provenance,
    Shown,
    Text,
    Verdict,
)

CONCAT_MISTAKES = ("merge-without-transpose", "heads-interleaved", "heads-reversed", "heads-averaged")
SOFTMAX_MISTAKES = ("softmax-over-queries", "mask-after-softmax", "blocks-the-diagonal")
NOTHING = Diagnosis(DiagnosisKind.NOT_RUN, possible=CONCAT_MISTAKES)

STRONG = Isolation("strong", ("seccomp", "Landlock ABI 7", "namespaces", "own uid 64321", "rlimits"))
WEAK = Isolation("weak", ("rlimits",), (("seccomp", "not available on macOS"), ("Landlock", "not available on macOS")))

RULES = {
    "test_shape": Text("The result has shape (L, h·d_v).", "结果的形状是 (L, h·d_v)。"),
    "test_head_i_fills_its_own_columns": Text(
        "Head i fills columns i·d_v to (i+1)·d_v of the output.",
        "第 i 个头占据输出的第 i·d_v 到 (i+1)·d_v 列。",
    ),
    "test_row_holds_one_position": Text(
        "Row t of the output holds position t of every head, and nothing of any other position.",
        "输出的第 t 行包含每个头的第 t 个位置，不含其他位置的内容。",
    ),
    "test_one_head": Text("With one head the output equals that head.", "只有一个头时，输出就等于这个头。"),
    "test_argument_unchanged": Text("The argument is left as it was.", "传入的参数保持不变。"),
}
POINTS = {"test_head_i_fills_its_own_columns": 2.0, "test_row_holds_one_position": 1.0}


@cache
def course() -> Course:
    """The small course beside this file."""
    return load_course(Path(__file__).parent / "course")


def array(values: object, axes: str) -> Shown:
    """An array with its axes named in one string."""
    made = np.asarray(values)
    return Shown("array", tuple(axes.split()), made.shape, str(made.dtype), tuple(made.ravel().tolist()))


def passed(name: str, cases: int = 3) -> CheckResult:
    return CheckResult(name, RULES[name], Outcome.PASSED, POINTS.get(name, 0.5), POINTS.get(name, 0.5), cases)


def not_passed(name: str, outcome: Outcome, *failures: CaseFailure, cases: int = 3) -> CheckResult:
    return CheckResult(name, RULES[name], outcome, 0.0, POINTS.get(name, 0.5), cases, failures)


def wrong_values(case: str, wrong: int, size: int, place: str, want: str, got: str) -> CaseFailure:
    """A failure as a check of values gives it; told here with the sentence that reports have for it."""
    fields = {"place": f"{place} ({wrong}/{size})", "expected": want, "actual": got}
    return CaseFailure(case, Message("report.first_wrong", fields))


def report(verdict: Verdict, checks: tuple[CheckResult, ...], diagnosis: Diagnosis, **changes: object) -> GradeReport:
    """A report on 04_concat."""
    made = GradeReport(
        exercise="04_concat",
        title=Text("Heads back into d_model", "把各头拼回 d_model"),
        who="mia",
        filename="concat.py",
        verdict=verdict,
        points=sum(check.points for check in checks),
        max_points=sum(check.max_points for check in checks),
        checks=checks,
        diagnosis=diagnosis,
        printed=Printed(),
        provenance=Provenance(
            grader="0.1.0",
            python="3.11.2",
            numpy="2.4.6",
            torch=None,
            pytest="9.2.0",
            suite_sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            submission_sha256="60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
            seed=0,
            isolation=STRONG,
        ),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def concat_example() -> Counterexample:
    heads = np.arange(1, 9).reshape(2, 2, 2)
    return Counterexample(
        call="concat_heads(heads)",
        inputs=(("heads", array(heads, "h L d_v")),),
        expected=array(heads.transpose(1, 0, 2).reshape(2, 4), "L d_model"),
        actual=array(heads.reshape(2, 4), "L d_model"),
        first_wrong=(0, 2),
    )


def softmax(scores: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax_example() -> Counterexample:
    scores = np.array([[[0.0, 1.0, 0.0], [2.0, 0.0, 1.0]]])
    return Counterexample(
        call="masked_softmax(scores, allowed=None)",
        inputs=(("scores", array(scores, "h L S")), ("allowed", Shown("text", text="None"))),
        expected=array(softmax(scores, -1), "h L S"),
        actual=array(softmax(scores, -2), "h L S"),
        first_wrong=(0, 0, 0),
    )


def finding(slug: str, example: Counterexample | None, total: int = 14) -> Finding:
    return Finding(course().mistakes[slug], total, total, example)


def concat_merged() -> GradeReport:
    """04_concat, merged without a transpose: the mistake is named."""
    first = wrong_values("h=3, L=5, d_v=6", 75, 90, "[0,6] (L, d_model)", "-0.1321", "0.6404")
    second = wrong_values("h=2, L=7, d_v=3", 39, 42, "[0,3] (L, d_model)", "0.3041", "-0.5357")
    checks = (
        passed("test_shape"),
        not_passed("test_head_i_fills_its_own_columns", Outcome.FAILED, first, second),
        not_passed("test_row_holds_one_position", Outcome.FAILED, replace(first, case=""), cases=1),
        passed("test_one_head", 1),
        passed("test_argument_unchanged"),
    )
    diagnosis = Diagnosis(
        DiagnosisKind.NAMED, (finding("merge-without-transpose", concat_example()),), possible=CONCAT_MISTAKES
    )
    return report(Verdict.PARTLY, checks, diagnosis, printed=Printed("heads (2, 7, 3)\n(7, 6)\n", 23))


def softmax_over_queries() -> GradeReport:
    """03_masked_softmax over the queries: named, with floats and a mask that was not given."""
    first = wrong_values("1-5-7", 35, 35, "[0,0,0] (h, L, S)", "0.0471", "0.1873")
    checks = (
        passed("test_shape"),
        not_passed("test_row_holds_one_position", Outcome.FAILED, first, cases=1),
        passed("test_argument_unchanged"),
    )
    diagnosis = Diagnosis(
        DiagnosisKind.NAMED, (finding("softmax-over-queries", softmax_example(), 18),), possible=SOFTMAX_MISTAKES
    )
    return report(
        Verdict.PARTLY,
        checks,
        diagnosis,
        exercise="03_masked_softmax",
        title=Text("Masked softmax", "带掩码的 softmax"),
        filename="masked_softmax.py",
    )


def diagonal_blocked() -> GradeReport:
    """03_masked_softmax with a causal mask that leaves out the diagonal: truth values, and a row without any."""
    want = np.tri(4, dtype=bool)
    example = Counterexample(
        call="causal_allowed(length)",
        inputs=(("length", Shown("text", text="4")),),
        expected=array(want, "L S"),
        actual=array(np.tri(4, k=-1, dtype=bool), "L S"),
        first_wrong=(0, 0),
    )
    diagnosis = Diagnosis(
        DiagnosisKind.NAMED, (finding("blocks-the-diagonal", example, 18),), possible=SOFTMAX_MISTAKES
    )
    return replace(softmax_over_queries(), diagnosis=diagnosis)


def accepted() -> GradeReport:
    checks = tuple(passed(name) for name in RULES)
    return report(Verdict.ACCEPTED, checks, Diagnosis(DiagnosisKind.RIGHT, possible=CONCAT_MISTAKES))


def not_attempted() -> GradeReport:
    checks = tuple(not_passed(name, Outcome.NOT_RUN) for name in RULES)
    return report(Verdict.NOT_ATTEMPTED, checks, NOTHING)


def syntax_error() -> GradeReport:
    message = Message("sandbox.syntax", {"text": "'(' was never closed"})
    reason = CaseFailure("", message, 12, "    return np.concatenate(heads")
    checks = tuple(not_passed(name, Outcome.NOT_RUN) for name in RULES)
    return report(Verdict.INVALID, checks, NOTHING, reason=reason)


def raises_everywhere() -> GradeReport:
    """Every check meets the same exception, in the same line."""
    message = Message(
        "sandbox.raised", {"type": "ValueError", "text": "cannot reshape array of size 90 into shape (5,3)"}
    )
    explanation = Message("report.empty", {"shape": "(0, 5)"})
    traceback = (
        'Traceback (most recent call last):\n  File "concat.py", line 9, in concat_heads\n'
        "    return heads.reshape(length, h)\nValueError: cannot reshape array of size 90 into shape (5,3)\n"
    )
    failure = CaseFailure("h=3, L=5, d_v=6", message, 9, "    return heads.reshape(length, h)", explanation, traceback)
    checks = tuple(not_passed(name, Outcome.ERROR, failure) for name in RULES)
    example = Counterexample(
        "concat_heads(heads)",
        (("heads", array([[[1, 2]], [[3, 4]]], "h L d_v")),),
        array([[1, 2, 3, 4]], "L d_model"),
        Shown("error", text="ValueError: cannot reshape array of size 4 into shape (1,2)"),
        None,
    )
    return report(
        Verdict.WRONG,
        checks,
        Diagnosis(DiagnosisKind.UNKNOWN, possible=CONCAT_MISTAKES, counterexample=example),
        points=0.0,
    )


def returned_nothing() -> GradeReport:
    """A forgotten return: every check meets None."""
    failure = CaseFailure("h=3, L=5, d_v=6", Message("checks.returned_nothing"))
    checks = tuple(not_passed(name, Outcome.FAILED, failure) for name in RULES)
    return replace(raises_everywhere(), checks=checks)


def unknown() -> GradeReport:
    """Wrong, and like none of the known mistakes; a large array with NaN in it."""
    heads = np.random.default_rng(1).normal(size=(3, 20, 6))
    want = heads.transpose(1, 0, 2).reshape(20, 18)
    got = want.copy()
    got[15, 13] = np.nan
    got[15:, 14] = np.inf
    got[16, 15] += 1e-7
    example = Counterexample(
        "concat_heads(heads)",
        (("heads", array(heads, "h L d_v")),),
        array(want, "L d_model"),
        array(got, "L d_model"),
        (15, 13),
    )
    diagnosis = Diagnosis(DiagnosisKind.UNKNOWN, possible=CONCAT_MISTAKES, counterexample=example)
    return replace(concat_merged(), diagnosis=diagnosis)


def located() -> GradeReport:
    """Wrong, like none of the known mistakes, and the first wrong property is known."""
    fields = {"where": "concat_heads(heads)", "got": "(d_model, L)", "expected": "(L, d_model)"}
    message = Message("located.permuted", fields)
    diagnosis = Diagnosis(
        DiagnosisKind.LOCATED, possible=CONCAT_MISTAKES, counterexample=concat_example(), located=message
    )
    return replace(concat_merged(), diagnosis=diagnosis)


def family() -> GradeReport:
    """One of two mistakes, and nothing tells which."""
    slugs = ("heads-reversed", "heads-interleaved")
    findings = tuple(replace(finding(slug, concat_example()), certain=False) for slug in slugs)
    diagnosis = Diagnosis(DiagnosisKind.FAMILY, findings, possible=CONCAT_MISTAKES)
    return replace(concat_merged(), diagnosis=diagnosis)


def family_certain() -> GradeReport:
    """One mistake for certain, and beside it one of two."""
    certain = finding("merge-without-transpose", concat_example())
    findings = (certain, *family().diagnosis.findings)
    return replace(concat_merged(), diagnosis=Diagnosis(DiagnosisKind.FAMILY, findings, possible=CONCAT_MISTAKES))


def several() -> GradeReport:
    findings = (finding("merge-without-transpose", concat_example()), finding("heads-reversed", None))
    return replace(concat_merged(), diagnosis=Diagnosis(DiagnosisKind.NAMED, findings, possible=CONCAT_MISTAKES))


def not_repeatable() -> GradeReport:
    return replace(concat_merged(), diagnosis=Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=CONCAT_MISTAKES))


def too_slow() -> GradeReport:
    slow = CaseFailure("h=3, L=5, d_v=6", Message("sandbox.time_limit_busy", {"seconds": 2}), 11, "    while True:")
    rest = CaseFailure("", Message("sandbox.not_run", {"seconds": 6}))
    names = list(RULES)
    checks = (
        *(not_passed(name, Outcome.TIMEOUT, slow) for name in names[:3]),
        *(not_passed(name, Outcome.NOT_RUN, rest) for name in names[3:]),
    )
    return report(Verdict.TIME_LIMIT, checks, NOTHING)


def stopped(verdict: Verdict, key: str, **fields: int | str) -> GradeReport:
    checks = tuple(not_passed(name, Outcome.NOT_RUN) for name in RULES)
    return report(verdict, checks, NOTHING, reason=CaseFailure("", Message(key, fields)))


def grader_error() -> GradeReport:
    return report(Verdict.GRADER_ERROR, tuple(not_passed(name, Outcome.NOT_RUN) for name in RULES), NOTHING)


TOKENS = (Text("cat", "猫"), Text("eats", "吃"), Text("fish", "鱼"))
MAPS = MapFigure(
    Text("“Cat eats fish” without a mask", "“猫吃鱼”，无掩码"),
    Text("Every word sees the whole sentence.", "每个词都能看到整句话。"),
    "weights",
    TOKENS,
    TOKENS,
)
WEIGHTS = (
    (0.2483, 0.2483, 0.5035, 0.1084, 0.4458, 0.4458, 1 / 3, 1 / 3, 1 / 3),
    (1 / 3, 1 / 3, 1 / 3, 0.1636, 0.6728, 0.1636, 0.4011, 0.4011, 0.1978),
)
SPREAD = LineFigure(
    Text("The spread of q·k", "q·k 的离散程度"),
    Text("Without the scale the spread grows as √d_k.", "不缩放时，离散程度随 √d_k 增长。"),
    Text("d_k", "d_k"),
    Text("standard deviation", "标准差"),
    (4, 16, 64, 256, 1024),
    logarithmic=True,
    lines=(
        FigureLine("raw", Text("without the scale", "不缩放")),
        FigureLine("scaled", Text("with 1/√d_k", "乘以 1/√d_k")),
    ),
)
SPREADS = ((2.09, 4.06, 7.92, 15.7, 32.45), (1.04, 1.02, 0.99, 0.98, 1.01))


def figures_of(maps: tuple, lines: tuple, troubles: tuple = ()) -> GradeReport:
    """A report with one figure of each kind, the submission's numbers as given."""
    map_troubles = () if maps else ((0, Message("figure.wrong_shape", {"got": "(3, 3)", "expected": "(2, 3, 3)"})),)
    figures = (Drawn(MAPS, WEIGHTS, maps, map_troubles), Drawn(SPREAD, SPREADS, lines, troubles))
    return replace(accepted(), figures=figures)


def wrong_figures() -> GradeReport:
    """Values that are NaN, infinite, negative, huge or missing, and a line that raises."""
    nan, inf = float("nan"), float("inf")
    maps = ((nan, inf, -inf, 1e300, -1e-300, 0.4458, 1 / 3, -2.5, 123456.789), WEIGHTS[1])
    raised = Message("sandbox.raised", {"type": "ZeroDivisionError", "text": "division by zero"})
    return figures_of(maps, ((2.1, nan, inf, 1e300, 32.4), (None, 0.0, -1.0, 40.0, 1e-300)), ((1, raised),))


def all_reports() -> dict[str, GradeReport]:
    """Every verdict and every kind of diagnosis at least once."""
    return {
        "named": concat_merged(),
        "softmax": softmax_over_queries(),
        "mask": diagonal_blocked(),
        "accepted": accepted(),
        "figures": figures_of(WEIGHTS, SPREADS),
        "figures_wrong": wrong_figures(),
        "figures_none": figures_of((), ((None,) * 5,) * 2, ((0, Message("figure.not_asked")),)),
        "not_attempted": not_attempted(),
        "syntax": syntax_error(),
        "raises": raises_everywhere(),
        "returned_nothing": returned_nothing(),
        "unknown": unknown(),
        "located": located(),
        "family": family(),
        "family_certain": family_certain(),
        "several": several(),
        "not_repeatable": not_repeatable(),
        "too_slow": too_slow(),
        "crashed": stopped(Verdict.CRASHED, "sandbox.exited_loading", type="SystemExit"),
        "memory": stopped(Verdict.MEMORY_LIMIT, "sandbox.memory_limit", mib=512),
        "output": stopped(Verdict.OUTPUT_LIMIT, "sandbox.output_limit", kib=1024),
        "grader_error": grader_error(),
        "weak": replace(accepted(), provenance=replace(accepted().provenance, isolation=WEAK)),
    }
