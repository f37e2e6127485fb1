"""The verbs that a subject answers to, whether it is a submission in the sandbox or trusted code in this process."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any

from grader.errors import SubmissionError
from grader.sandbox import answering, replies, wire
from grader.sandbox.failures import MissingName, Raised, Unsendable, nonsense
from grader.sandbox.tensors import is_tensor
from grader.sandbox.values import MAX_ARRAYS, MAX_LABEL

MAKING = ("make", "build")  # requests whose answer may be an object that stays there


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
        self._next_object = 0

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
            raise nonsense()
        return made

    def make(self, name: str, /, *args: object, **kwargs: object) -> RemoteObject:
        """Call a class or function whose result stays where it is; raises a SubmissionError.

        Args:
            name: dotted for a class method, `make("MultiHeadAttention.from_torch", mha)`.
        """
        made: RemoteObject = self.ask("make", None, name, args=args, kwargs=kwargs)
        return made

    def begin_check(self) -> None:
        """Have time as for a check of its own, where time is limited."""

    def ask_ahead(self, payloads: Sequence[bytes], *, only_after_values: bool = False) -> None:
        """Be told what will be asked next, where that saves time."""

    def _number(self, do: str, fields: dict[str, Any]) -> None:
        """Give the object that a request may make its number."""
        if do in MAKING:
            fields["as"], self._next_object = self._next_object, self._next_object + 1

    def number_objects_from(self, first: int) -> None:
        """Which numbers the next objects get; those that had them before are let go."""
        self._next_object = first

    def ask(self, do: str, on: int | None, name: str, **fields: object) -> Any:
        """One request of the wire (see answering.py); `call`, `make` and RemoteObject say it more readably."""
        self.changed = ()
        self._number(do, fields)
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


def request(do: str, on: int | None, name: str, fields: dict[str, Any], first: int = 0) -> bytes:
    """The payload of one request, see answering.py.

    Args:
        first: what is added to the number of each object.
    """
    sent = _sent(fields, first)
    if "as" in fields:
        sent["as"] = first + fields["as"]
    return wire.encode({"do": do, "on": None if on is None else first + on, "name": name, **sent})


def _sent(value: Any, first: int) -> Any:
    """What travels for an argument: of an object that stays there, its number."""
    if isinstance(value, RemoteObject):
        return wire.Handle(first + value.handle.id, "")
    if type(value) in (list, tuple):
        return type(value)(_sent(item, first) for item in value)
    if type(value) is dict:
        return {key: _sent(item, first) for key, item in value.items()}
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
            raise nonsense() from error
        return told


def _gradients(subject: Subject, on: int | None, name: str, **fields: Any) -> dict[str, Any]:
    given = (*fields["args"], *fields["kwargs"].values())
    count = sum(is_tensor(type(item)) and item.requires_grad for item in given)
    told: dict[str, Any] = subject.ask("gradients", on, name, **fields)
    try:
        replies.require_gradients(told, count)
    except wire.WireError as error:
        raise nonsense() from error
    return told


class LocalSubject(Subject):
    """A trusted module or namespace behind the same verbs, in this process and through the same wire."""

    def __init__(self, namespace: object) -> None:
        super().__init__()
        filename = getattr(namespace, "__file__", None) or "reference.py"
        lines = [line.rstrip("\n") for line in linecache.getlines(filename)]
        self._served = answering.Served(namespace, filename, lines)

    def _exchange(self, payload: bytes) -> dict[str, Any]:
        decoded: dict[str, Any] = wire.decode(self._reply(payload))
        if "raised" in decoded and decoded["raised"].type_name == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return decoded

    def _reply(self, payload: bytes) -> bytes:
        return answering.answer(self._served, payload)[1]
