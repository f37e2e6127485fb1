"""Which sentence tells a student what happened to their submission before an answer could be looked at."""

from __future__ import annotations

import re
import sys
from typing import Literal

from grader.model import Limits, Message, Verdict
from grader.sandbox import wire, worker
from grader.sandbox.exchange import Lost

Reason = Literal["time_limit", "memory_limit", "output_limit", "ended", "killed", "nonsense", "not_run"]

VERDICTS: dict[Reason, Verdict] = {
    "time_limit": Verdict.TIME_LIMIT,
    "not_run": Verdict.TIME_LIMIT,
    "memory_limit": Verdict.MEMORY_LIMIT,
    "output_limit": Verdict.OUTPUT_LIMIT,
    "ended": Verdict.CRASHED,
    "killed": Verdict.CRASHED,
    "nonsense": Verdict.CRASHED,
}
_EXITS = ("SystemExit", "KeyboardInterrupt")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def is_not_written(report: wire.ExceptionReport) -> bool:
    """Whether this is the starter's own `raise NotImplementedError`, not one from inside a library."""
    return "NotImplementedError" in report.types and re.search(r"\braise\b", report.code) is not None


def is_out_of_memory(report: wire.ExceptionReport) -> bool:
    """Whether memory ran out; torch says so in a RuntimeError."""
    return "MemoryError" in report.types or "DefaultCPUAllocator: can't allocate memory" in report.text


def raised(report: wire.ExceptionReport) -> Message:
    """For an exception in a call."""
    if is_not_written(report):
        return Message("sandbox.not_written")
    if report.type_name in _EXITS:
        return Message("sandbox.exited", {"type": report.type_name})
    not_here = _not_here(report)
    if not_here:
        return not_here
    if not report.text:
        return Message("sandbox.raised_bare", {"type": report.type_name})
    return Message("sandbox.raised", {"type": report.type_name, "text": report.text})


def _not_here(report: wire.ExceptionReport) -> Message | None:
    if report.type_name == worker.InputNotAvailable.__name__:
        return Message("sandbox.input")
    if report.type_name == worker.BreakpointNotAvailable.__name__:
        return Message("sandbox.breakpoint")
    return None


def loading(report: wire.ExceptionReport, source: bytes, packages: tuple[str, ...]) -> tuple[Verdict, Message]:
    """For an exception while the file is loaded: what the submission is, and the sentence."""
    allowed = ", ".join(packages)
    top = report.name.partition(".")[0]
    fields: dict[str, str | int] = {"type": report.type_name, "text": report.text, "name": top, "allowed": allowed}
    if "ModuleNotFoundError" in report.types and top not in sys.stdlib_module_names | {*packages, ""}:
        key, verdict = "import_refused", Verdict.INVALID
    elif "ImportError" in report.types:
        key, verdict = "import_failed", Verdict.INVALID
    elif source.startswith(_UTF_16) or b"\0" in source or "codec can't decode" in report.text:
        key, verdict = "nul" if _holds_nul(source) else "encoding", Verdict.INVALID
        fields["line"] = source.partition(b"\0")[0].count(b"\n") + 1  # what `nul` alone names
    elif "SyntaxError" in report.types:
        key, verdict = "syntax", Verdict.INVALID
    elif report.type_name in _EXITS:
        key, verdict = "exited_loading", Verdict.CRASHED
    else:
        return Verdict.CRASHED, _not_here(report) or Message("sandbox.crashed_loading", fields)
    return verdict, Message(f"sandbox.{key}", fields)


def _holds_nul(source: bytes) -> bool:
    """Whether it is UTF-8 but for some NUL bytes; where many stand, and each alone, it is UTF-16."""
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    return b"\0\0" in source or 0 < 4 * source.count(b"\0") < len(source)


def memory_limit(limits: Limits) -> Message:
    return Message("sandbox.memory_limit", {"mib": limits.memory_mib})


def lost(worker_lost: Lost, limits: Limits) -> Message:
    """For a worker that is gone."""
    if worker_lost.reason == "time_limit":
        kind = "busy" if worker_lost.busy else "waiting"
        return Message(f"sandbox.time_limit_{kind}", {"seconds": f"{limits.wall_s:g}"})
    if worker_lost.reason == "output_limit":
        return Message("sandbox.output_limit", {"kib": limits.output_kib})
    if worker_lost.reason == "ended":
        return Message("sandbox.ended", {"code": worker_lost.code})
    return Message("sandbox.killed", {"signal": worker_lost.signal})
