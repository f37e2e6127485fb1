"""The only road from our side to untrusted code: subjects that are asked, and may answer, raise, stall or lie.

    Sandbox --starts--> zygote --forks--> worker
       |                                    ^
     opens                                  | requests, their replies, one deadline over all of it
       v                                    |
    RemoteSubject ------ Worker ------------+        LocalSubject (subject.py) ---- answering.answer, in this process

A worker that dies, stalls, floods or talks nonsense is killed and the call raises `Stopped`; the next call finds a
fresh worker with the file loaded again. Expected values never travel.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Self

from grader.errors import SubmissionError
from grader.model import CaseFailure, Isolation, Limits, Message, Printed, Verdict
from grader.remembered import Conclusion, Remembered
from grader.sandbox import replies, sentences, wire
from grader.sandbox.ahead import SentAhead
from grader.sandbox.exchange import Lost, Output, Worker
from grader.sandbox.failures import LoadFailed, MissingName, Raised, Stopped, Unsendable, nonsense
from grader.sandbox.launch import ALL_LAYERS, Launched, launch
from grader.sandbox.process import Zygote
from grader.sandbox.subject import LocalSubject, RemoteObject, Subject, request
from grader.sandbox.unreadable import load_failure
from grader.sandbox.values import MAX_CODE, source_lines

__all__ = [
    "LoadFailed",
    "LocalSubject",
    "MissingName",
    "Raised",
    "RemoteObject",
    "RemoteSubject",
    "Sandbox",
    "Stopped",
    "Subject",
    "Unsendable",
    "request",
]

_TRACE_LINE = re.compile(r'^  File "(?P<file>[^"\n]{1,300})", line (?P<line>\d{1,9}) in ', re.MULTILINE)


class RemoteSubject(Subject):
    """A submission behind the sandbox, with a budget for each check and one for all of them.

    Time counts while the submission is loaded or called, never while we start, compare or write.

    Attributes:
        first_exchange: the first request that any process of it replied to, and the reply, unread; None before.
        asked: the requests of this check.
        reached: what it tried to use outside of the sandbox, see values.REACHES.
    """

    def __init__(self, zygote: Zygote, source: bytes, filename: str, limits: Limits, packages: tuple[str, ...]) -> None:
        super().__init__()
        self.empty = False
        self.asked: list[bytes] = []
        self.reached: dict[str, None] = {}  # as an ordered set
        self.first_exchange: tuple[bytes, bytes] | None = None
        self._zygote = zygote
        self._source = source
        self._filename = filename
        self._limits = limits
        self._packages = packages
        self._worker: Worker | None = None
        self._check_s = limits.wall_s
        self._submission_s = 3 * limits.wall_s
        self._ahead = SentAhead()
        self._output = Output()

    @property
    def printed(self) -> Printed:
        """What all its workers wrote to stdout and stderr."""
        return self._output.printed

    def begin_check(self) -> None:
        """The next calls belong to another check, which has a `wall_s` of its own."""
        self._check_s = self._limits.wall_s
        self._ahead.clear()
        self.asked.clear()
        self.number_objects_from(0)  # no case uses an object of another one

    def load(self) -> None:
        """Load the file, so that `defined` and `empty` are known; raises LoadFailed."""
        if self._worker is None:
            self._worker = self._loaded_worker()

    def another(self) -> RemoteSubject:
        """The same submission in a new process, with time of its own; what it prints there is not kept."""
        return RemoteSubject(self._zygote, self._source, self._filename, self._limits, self._packages)

    def close(self) -> None:
        """Kill the worker and everything it started."""
        if self._worker is not None:
            self._drop(self._worker)

    def _loaded_worker(self) -> Worker:
        fresh = self._zygote.spawn(self._limits, self._output)
        self._worker = fresh
        payload = wire.encode({"do": "load", "source": self._source, "filename": self._filename})
        found: list[bytes] = []
        try:
            self._converse(fresh, [payload], found, min(self._limits.wall_s, self._submission_s))
            reply = self._read(found[0], "load")
        except Stopped as stopped:
            line = stopped.report.line if stopped.report else None
            code = stopped.report.code if stopped.report else ""
            raise LoadFailed(
                sentences.VERDICTS[stopped.reason], CaseFailure("", stopped.message, line, code)
            ) from stopped
        if "raised" in reply or "unsendable" in reply:
            self._drop(fresh)
            raise self._load_failure(reply.get("raised"))
        self.defined, self.empty = reply["loaded"], reply["empty"]
        return fresh

    def _load_failure(self, report: wire.ExceptionReport | None) -> LoadFailed:
        if report is None:
            return LoadFailed(Verdict.CRASHED, CaseFailure("", Message("sandbox.nonsense")))
        if sentences.is_out_of_memory(report):
            verdict, message = Verdict.MEMORY_LIMIT, sentences.memory_limit(self._limits)
        else:
            verdict, message = sentences.loading(report, self._source, self._packages)
        return LoadFailed(verdict, load_failure(report, message, self._source))

    def ask_ahead(self, payloads: Sequence[bytes], *, only_after_values: bool = False) -> None:
        """Send requests that will be asked soon, all at once; when one of them is asked, its reply is there.

        Our side and the worker take turns for each request, which costs more than most answers. What is not asked
        before the next check, or the next call of this, is forgotten. Nothing is sent where no worker or no time is
        left, and what was skipped or not answered is asked again by itself: each request finds out what is the matter.

        Args:
            payloads: as `request` makes them.
            only_after_values: what comes after an exception or a missing name is not even begun.
        """
        self._ahead.clear()
        if self._worker is None or min(self._check_s, self._submission_s) <= 0 or not payloads:
            return
        found: list[bytes] = []
        stopped: Stopped | None = None
        kind = wire.AFTER_VALUES if only_after_values else wire.AFTER_LITTLE
        try:
            self._ask_worker(payloads, found, kind)
        except Stopped as error:
            stopped = error
        count = replies.skipped_from(found, kind)
        for payload, reply in zip(payloads, found[:count], strict=False):
            self._ahead.put(payload, reply)
            if b"reached" in reply:  # to be told of, though it may never be asked
                with contextlib.suppress(wire.WireError):
                    self._note_reached(replies.require_reply(wire.decode(reply), "ask"))
        if stopped is not None and count < len(payloads):
            self._ahead.put(payloads[count], stopped)

    @property
    def has_sent_ahead(self) -> bool:
        """Whether there are replies to what has not been asked yet."""
        return bool(self._ahead)

    def concluded(
        self,
        requests: Sequence[bytes],
        known: Remembered[tuple[Conclusion, int]],
        conclude: Callable[[], Conclusion],
        *,
        keeps: Callable[[Conclusion], bool] = lambda _conclusion: True,
    ) -> Conclusion:
        """What `conclude` makes of these requests; not asked for where the same replies, sent ahead, led to it before.

        Args:
            requests: what it is going to ask, where nothing comes in between.
            known: what such replies led to, and how many numbers of objects it took; kept is what came of these
                requests and no others, so that nothing but the replies decides it.
            keeps: whether a conclusion is one that the replies decide.
        """
        evidence = self._ahead.evidence(requests)
        if evidence is None:
            return conclude()
        if evidence in known:
            for payload in requests:
                self._ahead.take(payload)
            self.asked += requests
            self.answers += len(requests)
            conclusion, numbered = known[evidence]
            self._next_object += numbered
            return conclusion
        before, first = len(self.asked), self._next_object
        conclusion = conclude()
        asked = self.asked[before:]
        if asked == [*requests[: len(asked)]] and keeps(conclusion):
            known[evidence] = conclusion, self._next_object - first
        return conclusion

    def _exchange(self, payload: bytes) -> dict[str, Any]:
        self.asked.append(payload)
        became = self._ahead.take(payload)
        if isinstance(became, Stopped):
            raise became
        if became is not None:
            return self._read(became, "ask")
        found: list[bytes] = []
        self._ask_worker([payload], found)
        return self._read(found[0], "ask")

    def _ask_worker(self, payloads: Sequence[bytes], found: list[bytes], kind: int = wire.ALWAYS) -> None:
        if self._submission_s <= 0:
            raise Stopped("not_run", Message("sandbox.not_run", {"seconds": f"{3 * self._limits.wall_s:g}"}))
        if self._worker is None:
            self._worker = self._loaded_worker()
        if self._check_s <= 0:
            raise Stopped("time_limit", Message("sandbox.time_limit_busy", {"seconds": f"{self._limits.wall_s:g}"}))
        try:
            self._converse(self._worker, payloads, found, min(self._check_s, self._submission_s), kind)
        finally:
            if found and self.first_exchange is None:
                self.first_exchange = payloads[0], found[0]

    def _converse(
        self, worker: Worker, payloads: Sequence[bytes], found: list[bytes], seconds: float, kind: int = wire.ALWAYS
    ) -> None:
        """Put the replies to some requests into `found`; so also where it raises."""
        try:
            worker.exchange(payloads, kind, found, seconds)
        except Lost as lost:
            self._drop(worker)
            raise self._stopped(lost) from lost
        except wire.WireError as error:
            self._drop(worker)
            raise nonsense() from error
        finally:
            self._check_s -= worker.waited_s
            self._submission_s -= worker.waited_s

    def _read(self, reply: bytes, do: Literal["load", "ask"]) -> dict[str, Any]:
        try:
            said: dict[str, Any] = wire.decode(reply)
            self._note_reached(replies.require_reply(said, do))
        except wire.WireError as error:
            self._ahead.clear()  # nor is the rest of what it said worth anything
            self.close()
            raise nonsense() from error
        return said

    def _note_reached(self, what: Iterable[str]) -> None:
        self.reached |= dict.fromkeys(what)

    def _raised(self, report: wire.ExceptionReport) -> SubmissionError:
        if sentences.is_out_of_memory(report):
            self.close()  # what is left of its memory is of no use to the next check
            return Stopped("memory_limit", sentences.memory_limit(self._limits), report)
        return Raised(report)

    def _drop(self, lost: Worker) -> None:
        lost.close()
        self._worker = None

    def _stopped(self, lost: Lost) -> Stopped:
        return Stopped(lost.reason, sentences.lost(lost, self._limits), self._place(lost.trace))

    def _place(self, trace: str) -> wire.ExceptionReport | None:
        """The last line of the student's file that a worker's own trace names."""
        for found in _TRACE_LINE.finditer(trace):
            if found["file"] == self._filename:
                line = int(found["line"])
                lines = source_lines(self._source.decode("utf-8", "replace"))
                code = lines[line - 1].strip()[:MAX_CODE] if 0 < line <= len(lines) else ""
                return wire.ExceptionReport(("Stopped",), "", line=line, code=code)
        return None


# --- the sandbox -------------------------------------------------------------------------------------------------


class Sandbox:
    """Where submissions run: one warm zygote for a set of packages. Starts at once; use as a context manager.

    Args:
        packages: distributions that a submission may import beside the standard library.
        layers: the layers of the lockdown to use where this machine has them.
        many: for hundreds of submissions; it starts more slowly and opens each of them faster.
        launched: a zygote of these packages and layers that was started even before this module was imported.
    """

    def __init__(
        self,
        packages: tuple[str, ...] = ("numpy",),
        *,
        layers: frozenset[str] = ALL_LAYERS,
        many: bool = False,
        launched: Launched | None = None,
    ) -> None:
        self.packages = packages
        self._zygote = Zygote(launched or launch(packages, layers, many=many))

    @property
    def isolation(self) -> Isolation:
        """How far submissions are locked away; raises GraderError where the sandbox does not start."""
        return self._zygote.isolation

    def open(self, source: bytes, filename: str, limits: Limits) -> RemoteSubject:
        """A submission that can be asked; its first worker starts when it is loaded or called."""
        return RemoteSubject(self._zygote, source, filename, limits, self.packages)

    def close(self) -> None:
        """End the zygote and every worker."""
        self._zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
