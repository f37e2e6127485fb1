"""Runs the sample checks that lie beside an answer, in a sandbox, checks and all: neither of them is trusted.

Both files may come from anybody, so they share a worker, and what it says about itself is worth what a student's own
run is worth: it helps to learn, and gives no points.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.errors import SubmissionError
from grader.judge.sample_texts import Seen, seen
from grader.model import Limits, Message
from grader.sandbox.client import Raised, Sandbox

LIMITS = Limits(wall_s=10.0)
MOST = 200  # sample checks of one exercise
NAME, RULE = 200, 300  # characters of a name, and of what a check says about itself
_OURS = ("run_sample", "raises")  # of inside.py, in which a check itself fails
_INSIDE = Path(__file__).with_name("inside.py")


@dataclass(frozen=True)
class SampleResult:
    """How one sample check ended.

    Attributes:
        name: of the check, "" where none could be run.
        trouble: what is wrong, None where nothing is.
        not_written: it is the starter's own `raise NotImplementedError`.
        rule: what the check says about itself.
    """

    name: str
    trouble: Seen | None
    not_written: bool = False
    rule: str = ""


def run_samples(sandbox: Sandbox, module: str, answer: str, checks: str) -> list[SampleResult]:
    """Run every sample check of one exercise, in order.

    Args:
        module: what the checks import the answer as.
        answer, checks: the text of both files.
    """
    inside = _INSIDE.read_text(encoding="utf-8")
    source = f"{inside}\n\nprepare({module!r}, {answer!r}, {checks!r})\n"
    subject = sandbox.open(source.encode("utf-8", "surrogatepass"), f"{module}.py", LIMITS)
    results: list[SampleResult] = []
    try:
        subject.load()
        told = [(str(name)[:NAME], str(rule)[:RULE]) for name, rule in list(subject.call("sample_names"))[:MOST]]
        for place, (name, rule) in enumerate(told):
            subject.begin_check()
            try:
                subject.call("run_sample", place)
            except Raised as error:
                results.append(_failed(name, rule, error))
            else:
                results.append(SampleResult(name, None, rule=rule))
    except SubmissionError as error:  # it could not be loaded, or its worker is gone
        results.append(SampleResult("", Seen(error.message)))
    except (TypeError, ValueError):  # no list of names: the answer speaks in place of the checks
        results.append(SampleResult("", Seen(Message("samples.none"))))
    finally:
        subject.close()
    return results


def _failed(name: str, rule: str, error: Raised) -> SampleResult:
    """A check that raised: in the answer, with its line there, or in the check itself, whose text says enough."""
    report = error.report
    if report.type_name == "NotImplementedError" and not report.text:
        return SampleResult(name, Seen(error.message), not_written=True, rule=rule)
    if report.line is None or report.function in _OURS:
        return SampleResult(name, seen(report.text or report.type_name), rule=rule)
    where: dict[str, str | int] = {"line": report.line, "type": report.type_name}
    return SampleResult(name, Seen(Message("samples.raised", {**where, "text": report.text})), rule=rule)
