"""The only road from our side to untrusted code: subjects that are asked, and may answer, raise, stall or lie.

    Sandbox --starts--> zygote --forks--> worker
       |                                    ^
     opens                                  | one request, one reply, one deadline over both
       v                                    |
    RemoteSubject ------ Worker ------------+        LocalSubject ---- worker.answer, in this process

A subject is asked for one thing at a time. A worker that dies, stalls, floods or talks nonsense is killed and the call
raises `Stopped`; the next call finds a fresh worker with the file loaded again. Expected values never travel.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

from grader.errors import SubmissionError
from grader.model import CaseFailure, Isolation, Limits, Message, Printed, Verdict
from grader.sandbox import replies, sentences, wire, worker
from grader.sandbox.exchange import Lost, Output, Worker
from grader.sandbox.failures import LoadFailed, MissingName, Raised, Stopped, Unsendable
from grader.sandbox.launch import ALL_LAYERS, Launched, launch
from grader.sandbox.process import Zygote
from grader.sandbox.tensors import is_tensor
from grader.sandbox.unreadable import load_failure
from grader.sandbox.values import MAX_ARRAYS, MAX_CODE, MAX_LABEL, source_lines

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


# --- subjects ----------------------------------------------------------------------------------------------------


class Subject:
    """Something that can be asked: `subject.concat_heads(heads)` calls that function there and returns its value.

    Attributes:
        changed: names of the arguments that the last call changed in place.
        answers: how many replies have come back so far, exceptions of the submission included.
    """

    def __init__(self) -> None:
        self.changed: tuple[str, ...] = ()
        self.answers = 0
        self.defined: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.call(name, *args, **kwargs)

    def call(self, name: str, /, *args: object, **kwargs: object) -> Any:
        """Call a function and return its value; raises a SubmissionError for anything but an answer."""
        return self.ask("call", None, name, args=args, kwargs=kwargs)

    def gradients(self, name: str, /, *args: object, cotangent: object, **kwargs: object) -> dict[str, Any]:
        """Call a function and differentiate sum(cotangent * output) there; objects.gradients says what comes back."""
        return _gradients(self, None, name, args=args, kwargs=kwargs, cotangent=cotangent)

    def build(self, build: wire.Build) -> RemoteObject:
        """Make the described object there, to be passed to later calls; raises a SubmissionError."""
        made = self.ask("build", None, build.target, value=build)
        if not isinstance(made, RemoteObject):
            raise _nonsense()
        return made

    def make(self, name: str, /, *args: object, **kwargs: object) -> RemoteObject:
        """Call a class or function whose result stays where it is; raises a SubmissionError.

        Args:
            name: dotted for a class method, `make("MultiHeadAttention.from_torch", mha)`.
        """
        made: RemoteObject = self.ask("make", None, name, args=args, kwargs=kwargs)
        return made

    def ask(self, do: str, on: int | None, name: str, **fields: object) -> Any:
        """One request of the wire (see worker.py); `call`, `make` and RemoteObject say it more readably."""
        self.changed = ()
        reply = self._exchange(request(do, on, name, fields))
        self.answers += 1
        if "raised" in reply:
            raise self._raised(reply["raised"])
        if "missing" in reply:
            raise MissingName(name, self.defined)
        if "unsendable" in reply:
            raise Unsendable(reply["unsendable"])
        self.changed = tuple(name[:MAX_LABEL] for name in reply["changed"][:MAX_ARRAYS])
        value = reply["value"]
        return RemoteObject(self, value) if isinstance(value, wire.Handle) else value

    def _raised(self, report: wire.ExceptionReport) -> SubmissionError:
        return Raised(report)

    def _exchange(self, payload: bytes) -> dict[str, Any]:
        raise NotImplementedError


def request(do: str, on: int | None, name: str, fields: dict[str, object]) -> bytes:
    """The payload of one request, see worker.py."""
    return wire.encode({"do": do, "on": on, "name": name, **_sent(fields)})


def _sent(value: Any) -> Any:
    """What travels for an argument: of an object that stays there, its handle."""
    if isinstance(value, RemoteObject):
        return value.handle
    if type(value) in (list, tuple):
        return type(value)(_sent(item) for item in value)
    if type(value) is dict:
        return {key: _sent(item) for key, item in value.items()}
    return value


class RemoteObject:
    """An object that stays with its subject: get and set its attributes, call its methods, pass it to functions."""

    def __init__(self, subject: Subject, handle: wire.Handle) -> None:
        self._subject = subject
        self.handle = handle

    @property
    def type_name(self) -> str:
        return self.handle.type_name

    def get(self, name: str) -> Any:
        return self._subject.ask("get", self.handle.id, name)

    def set(self, **values: object) -> None:
        """Set attributes, in this order; one request for all of them, since each takes a turn of the worker."""
        self._subject.ask("set", self.handle.id, "", values=values)

    def call(self, name: str, /, *args: object, **kwargs: object) -> Any:
        return self._subject.ask("call", self.handle.id, name, args=args, kwargs=kwargs)

    def gradients(self, name: str, /, *args: object, cotangent: object, **kwargs: object) -> dict[str, Any]:
        """As Subject.gradients, with the gradients of its own parameters as well."""
        return _gradients(self._subject, self.handle.id, name, args=args, kwargs=kwargs, cotangent=cotangent)

    def calls(self) -> list[dict[str, Any]]:
        """Of a module that was built recording: the arguments of each call of `forward`, tensors as their shapes."""
        told: list[dict[str, Any]] = self._subject.ask("calls", self.handle.id, "")
        try:
            replies.require_calls(told)
        except wire.WireError as error:
            raise _nonsense() from error
        return told


def _gradients(subject: Subject, on: int | None, name: str, **fields: Any) -> dict[str, Any]:
    given = (*fields["args"], *fields["kwargs"].values())
    count = sum(is_tensor(type(item)) and item.requires_grad for item in given)
    told: dict[str, Any] = subject.ask("gradients", on, name, **fields)
    try:
        replies.require_gradients(told, count)
    except wire.WireError as error:
        raise _nonsense() from error
    return told


def _nonsense() -> Stopped:
    return Stopped("nonsense", Message("sandbox.nonsense"))


class LocalSubject(Subject):
    """A trusted module or namespace behind the same verbs, in this process and through the same wire."""

    def __init__(self, namespace: object) -> None:
        super().__init__()
        filename = getattr(namespace, "__file__", None) or "reference.py"
        lines = [line.rstrip("\n") for line in linecache.getlines(filename)]
        self._served = worker.Served(namespace, filename, lines)

    def _exchange(self, payload: bytes) -> dict[str, Any]:
        decoded: dict[str, Any] = wire.decode(self._reply(payload))
        if "raised" in decoded and decoded["raised"].type_name == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return decoded

    def _reply(self, payload: bytes) -> bytes:
        return worker.answer(self._served, payload)[1]


class RemoteSubject(Subject):
    """A submission behind the sandbox, with a budget for each check and one for all of them.

    Time counts while the submission is loaded or called, never while we start, compare or write.

    Attributes:
        first_exchange: the first request that any process of it answered, and the reply; None before.
    """

    def __init__(self, zygote: Zygote, source: bytes, filename: str, limits: Limits, packages: tuple[str, ...]) -> None:
        super().__init__()
        self.empty = False
        self.first_exchange: tuple[bytes, dict[str, Any]] | None = None
        self._zygote = zygote
        self._source = source
        self._filename = filename
        self._limits = limits
        self._packages = packages
        self._worker: Worker | None = None
        self._check_s = limits.wall_s
        self._submission_s = 3 * limits.wall_s
        self._ahead: dict[bytes, dict[str, Any]] = {}  # what was asked ahead -> its reply
        self._output = Output()

    @property
    def printed(self) -> Printed:
        """What all its workers wrote to stdout and stderr."""
        return self._output.printed

    def begin_check(self) -> None:
        """The next calls belong to another check, which has a `wall_s` of its own."""
        self._check_s = self._limits.wall_s

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
        try:
            (reply,) = self._exchanges(fresh, "load", [payload], min(self._limits.wall_s, self._submission_s))
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

    def ask_ahead(self, payloads: Sequence[bytes]) -> None:
        """Send requests that will be asked soon, all at once; when one of them is asked, its reply is there.

        Our side and the worker take turns for each request, which costs more than most answers. Those that are not
        asked before the next call of this are forgotten.

        Args:
            payloads: as `request` makes them.

        Raises:
            Stopped, LoadFailed: as each of them would.
        """
        self._ahead = dict(zip(payloads, self._asked(payloads), strict=True)) if payloads else {}

    def _exchange(self, payload: bytes) -> dict[str, Any]:
        known = self._ahead.pop(payload, None)
        return known if known is not None else self._asked([payload])[0]

    def _asked(self, payloads: Sequence[bytes]) -> list[dict[str, Any]]:
        if self._submission_s <= 0:
            raise Stopped("not_run", Message("sandbox.not_run", {"seconds": f"{3 * self._limits.wall_s:g}"}))
        if self._worker is None:
            self._worker = self._loaded_worker()
        if self._check_s <= 0:
            raise Stopped("time_limit", Message("sandbox.time_limit_busy", {"seconds": f"{self._limits.wall_s:g}"}))
        found = self._exchanges(self._worker, "ask", payloads, min(self._check_s, self._submission_s))
        self.first_exchange = self.first_exchange or (payloads[0], found[0])
        return found

    def _exchanges(
        self, asked: Worker, do: Literal["load", "ask"], payloads: Sequence[bytes], seconds: float
    ) -> list[dict[str, Any]]:
        try:
            found = asked.exchange(payloads, seconds)
            for reply in found:
                replies.require_reply(reply, do)
        except Lost as lost:
            self._drop(asked)
            raise self._stopped(lost) from lost
        except wire.WireError as error:
            self._drop(asked)
            raise _nonsense() from error
        finally:
            self._check_s -= asked.waited_s
            self._submission_s -= asked.waited_s
        return found

    def _raised(self, report: wire.ExceptionReport) -> SubmissionError:
        if sentences.is_out_of_memory(report) and self._worker is not None:
            self._drop(self._worker)  # what is left of its memory is of no use to the next check
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
