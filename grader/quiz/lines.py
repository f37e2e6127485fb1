"""Marks one line of Python: it runs in the sandbox on frozen inputs, and what comes out is compared on our side.

    text --ast--> one expression or assignment --sandbox--> a value for each case --compare--> right, or this mistake

A case is {"given": {name: value}, "right": value, "wrong": [value, …]}. A value is a plain number, {"array": dtype,
"shape": […], "values": […]}, or {"raises": "ValueError"}. Imported only where such a question is asked: numpy.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from grader.model import Limits, Message, Verdict
from grader.quiz.folding import UnreadableError, fold_characters
from grader.sandbox.client import LoadFailed, MissingName, Raised, Sandbox, Stopped, Unsendable
from grader.sandbox.values import Opaque

Case = Mapping[str, Any]
_LIMITS = Limits(wall_s=3.0, cpu_s=5)
MOST = 2000  # characters of a line
_MOST_NODES = 400
_MISSPELT = {"NameError", "AttributeError"}  # a name that does not exist: sent back, it may be a slip of the finger
_KEPT: ContextVar[Sandbox | None] = ContextVar("kept", default=None)
_RTOL, _ATOL = 1e-9, 1e-12


def mark_line(text: str, cases: Sequence[Case], wrong: Sequence[object] = ()) -> tuple[str, int | None, Message | None]:
    """The line that was read, the number of the wrong option that does the same, and what can be said otherwise.

    Both are None where the line is right.

    Args:
        wrong: lines of the wrong options; one that raises shows its mistake only in a line that raises the same words.

    Raises:
        UnreadableError: it is not one line of Python, or names something that does not exist.
        GraderError: the sandbox does not start.
    """
    line, source = read_line(text, tuple(cases[0]["given"]))
    came_out = run_line(source, cases)
    if all(same_value(value, case["right"]) for value, case in zip(came_out, cases, strict=True)):
        return line, None, None
    for option in range(len(cases[0]["wrong"])):
        if all(same_value(value, case["wrong"][option]) for value, case in zip(came_out, cases, strict=True)):
            if wrong and _words(came_out) and _words(came_out) != _words(_came_out(str(wrong[option]), cases)):
                continue
            return line, option, None
    first = next(i for i, value in enumerate(came_out) if not same_value(value, cases[i]["right"]))
    return line, None, _difference(came_out[first], cases[first]["right"])


def _came_out(line: str, cases: Sequence[Case]) -> list[Any]:
    return run_line(read_line(line, tuple(cases[0]["given"]))[1], cases)


def _words(values: Sequence[Any]) -> list[str]:
    """What the exceptions among the values say."""
    return [value["text"] for value in values if isinstance(value, Mapping) and "raises" in value]


# --- the line ------------------------------------------------------------------------------------------------------


def read_line(text: str, names: Sequence[str]) -> tuple[str, str]:
    """The line as it is echoed, and the file that the sandbox loads; nothing is run here.

    Args:
        names: what the line may use, in the order in which it is given.
    """
    if len(text) > MOST:
        raise UnreadableError("too_long", most=str(MOST))
    line = " ".join(fold_characters(text).split()).strip("`").removeprefix(">>> ").removeprefix("return ").rstrip("; ")
    line = re.sub(r"(?<=[)\]])\s*[.。]+$", "", line)
    if not line:
        raise UnreadableError("empty")
    try:
        statements = ast.parse(line).body
        nodes = sum(1 for _ in ast.walk(ast.Module(statements, [])))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableError("code_syntax") from None
    if len(statements) != 1 or nodes > _MOST_NODES:
        raise UnreadableError("code_one_line")
    body = _body(statements[0], line)
    return line, f"import math\nimport numpy\nimport numpy as np\n\n\ndef answer({', '.join(names)}):\n{body}"


def _body(statement: ast.stmt, line: str) -> str:
    """What stands in the function: an expression is returned, of an assignment the array that it writes to."""
    if isinstance(statement, ast.Expr):
        return f"    return (\n        {_unprinted(statement.value, line)}\n    )\n"  # a comment may end the line
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    else:
        raise UnreadableError("code_one_line")
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    if not isinstance(target, ast.Name):
        raise UnreadableError("code_one_line")
    return f"    {line}\n    return {target.id}\n"


def _unprinted(value: ast.expr, line: str) -> str:
    """What stands in a `print(…)` around the whole, else the line itself."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
        inside = ast.get_source_segment(line, value.args[0]) if len(value.args) == 1 and not value.keywords else None
        return inside or line
    return line


def run_line(source: str, cases: Sequence[Case]) -> list[Any]:
    """What the file's `answer` gives for each case, frozen; an exception as {"raises": its name}."""
    with one_sandbox() as sandbox:
        subject = sandbox.open(source.encode(), "answer.py", _LIMITS)
        try:
            return [_outcome(subject.call, case["given"]) for case in cases]
        finally:
            subject.close()


@contextmanager
def one_sandbox() -> Iterator[Sandbox]:
    """The sandbox in which lines run; around many of them it is started only once."""
    kept = _KEPT.get()
    if kept is not None:
        yield kept
        return
    with Sandbox(("numpy",)) as sandbox:
        token = _KEPT.set(sandbox)
        try:
            yield sandbox
        finally:
            _KEPT.reset(token)


def _outcome(call: Any, given: Mapping[str, Any]) -> Any:
    try:
        return freeze(call("answer", **{name: thaw(value) for name, value in given.items()}))
    except Raised as raised:
        if raised.report.type_name in _MISSPELT:
            raise UnreadableError("code_name", text=raised.report.text[:200]) from None
        return {"raises": raised.report.type_name, "text": raised.report.text[:200]}
    except Stopped as stopped:
        return {"raises": stopped.reason, "text": ""}
    except MissingName:
        raise UnreadableError("code_syntax") from None
    except LoadFailed as failed:  # 9**9**9 is computed while the file is loaded
        if failed.verdict is Verdict.INVALID:
            raise UnreadableError("code_syntax") from None
        return {"raises": failed.verdict.value, "text": ""}
    except Unsendable:
        return {"raises": "Unsendable", "text": ""}


# --- values --------------------------------------------------------------------------------------------------------


def freeze(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, np.ndarray):
        return {"array": str(value.dtype), "shape": list(value.shape), "values": [_plain(x) for x in value.flat]}
    if isinstance(value, np.generic):
        return _plain(value)
    if isinstance(value, tuple | list):
        return {"rows": [freeze(each) for each in value]}
    if isinstance(value, Opaque):  # stayed in the sandbox: only its type is known
        return {"other": value.type_name}
    return _plain(value) if isinstance(value, bool | int | float) else {"other": type(value).__name__}


def _plain(number: Any) -> bool | int | float | str:
    plain: bool | int | float = number.item() if isinstance(number, np.generic) else number
    return plain if not isinstance(plain, float) or math.isfinite(plain) else str(plain)  # JSON knows no infinity


def thaw(value: Any) -> Any:
    """The value that `freeze` wrote."""
    if isinstance(value, Mapping):
        numbers = [float(each) if isinstance(each, str) else each for each in value["values"]]
        return np.array(numbers, dtype=value["array"]).reshape(value["shape"])
    return float(value) if isinstance(value, str) else value


def same_value(value: Any, wanted: Any) -> bool:
    """Whether two frozen values are one: the same exception, or the same kind, shape and numbers."""
    if not isinstance(value, Mapping) or not isinstance(wanted, Mapping):
        return _close(value, wanted) if not isinstance(value, Mapping) and not isinstance(wanted, Mapping) else False
    if "raises" in wanted or "raises" in value:
        return value.get("raises") == wanted.get("raises")
    if "array" not in wanted or "array" not in value:
        return bool(value == wanted)
    if value["shape"] != wanted["shape"] or (value["array"] == "bool") != (wanted["array"] == "bool"):
        return False
    return all(map(_close, value["values"], wanted["values"]))


def _close(value: Any, wanted: Any) -> bool:
    if isinstance(value, bool) != isinstance(wanted, bool):
        return False
    left, right = float(value), float(wanted)
    return left == right or abs(left - right) <= _ATOL + _RTOL * abs(right) or (math.isnan(left) and math.isnan(right))


def _difference(value: Any, wanted: Any) -> Message:
    """What can be said of a line that no option explains."""
    if not isinstance(value, Mapping):
        return Message("quiz.code_other", {"type": type(value).__name__})
    if "raises" in value and value["raises"].islower():  # no exception: it was stopped, or stopped Python
        return Message("quiz.code_ended" if value["raises"] == "ended" else "quiz.code_stopped")
    if "raises" in value:
        text = f"{value['raises']}: {value['text']}" if value["text"] else value["raises"]
        return Message("quiz.code_raised", {"text": text})
    if "array" not in value or not isinstance(wanted, Mapping) or "array" not in wanted:
        return Message("quiz.code_other", {"type": value.get("other", "list" if "rows" in value else "ndarray")})
    if value["shape"] != wanted["shape"]:
        shapes = {"got": str(tuple(value["shape"])), "wanted": str(tuple(wanted["shape"]))}
        return Message("quiz.code_shape", shapes)
    return Message("quiz.code_values")
