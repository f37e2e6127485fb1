"""Tells an exception in plain text, with the student's line and the shapes of the arrays there."""

from __future__ import annotations

import types
from collections.abc import Sequence
from types import TracebackType

import numpy as np

from grader.sandbox import tensors, wire
from grader.sandbox.values import MAX_ARRAYS, MAX_CODE, MAX_LABEL, MAX_TEXT, MAX_TRACE, MAX_TYPES

MAX_FRAMES = 12  # of a traceback


def told(error: BaseException, filename: str, lines: Sequence[str]) -> wire.ExceptionReport:
    """An exception in plain text, with the student's line and the shapes of the arrays there."""
    frames = _student_frames(error.__traceback__, filename)
    line, function = (frames[-1][0], frames[-1][1].f_code.co_name) if frames else (None, "")
    if isinstance(error, SyntaxError) and error.filename == filename and not frames:
        line = error.lineno if type(error.lineno) is int else None
    code = lines[line - 1][:MAX_CODE] if line and line <= len(lines) else ""
    return wire.ExceptionReport(
        types=tuple(_plain(kind.__name__) for kind in type.mro(type(error))[:-1])[:MAX_TYPES] or ("BaseException",),
        text=_text(error),
        name=_plain(getattr(error, "name", "")),
        line=line,
        code=code.strip(),
        function=_plain(function),
        traceback=_trace(frames, filename, lines, error),
        arrays=_arrays(frames[-1][1]) if frames else (),
    )


def _text(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return _plain(error.msg)
    try:
        return _plain(str(error))
    except Exception:  # noqa: BLE001 - its __str__ is the submission's code
        return ""


def _plain(value: object) -> str:
    return str.__str__(value)[:MAX_TEXT] if isinstance(value, str) else ""


def _student_frames(trace: TracebackType | None, filename: str) -> list[tuple[int, types.FrameType]]:
    found = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            found.append((trace.tb_lineno, trace.tb_frame))
        trace = trace.tb_next
    return found


def _trace(
    frames: list[tuple[int, types.FrameType]], filename: str, source: Sequence[str], error: BaseException
) -> str:
    shown = frames if len(frames) <= MAX_FRAMES else [*frames[:4], *frames[4 - MAX_FRAMES :]]
    lines = []
    for line, frame in shown:
        code = source[line - 1].strip()[:MAX_CODE] if line <= len(source) else ""
        lines.append(f'File "{filename}", line {line}, in {_plain(frame.f_code.co_name)}\n    {code}')
    return "\n".join([*lines, f"{_plain(type(error).__name__)}: {_text(error)}"])[:MAX_TRACE]


def _arrays(frame: types.FrameType) -> tuple[wire.ArrayShape, ...]:
    arrays = [
        wire.ArrayShape(_plain(name)[:MAX_LABEL], str(value.dtype).removeprefix("torch."), tuple(value.shape))
        for name, value in frame.f_locals.items()
        if type(value) is np.ndarray or tensors.is_tensor(type(value))
    ]
    return tuple(arrays[:MAX_ARRAYS])
