"""Words for what no student can mend: one traceback, the one that says where, and what to do about it."""

from __future__ import annotations

import re
import traceback

from grader.errors import ContentError, GraderError
from grader.model import Message

_CHAINED = "\nThe above exception was the direct cause"  # between two tracebacks: the first says what happened
# of a file of the course: it lies in an exercise's folder of `solutions`, wherever the checkout itself lies
_FRAME = re.compile(
    r'File "(?P<file>.+/solutions/[^/]+/(?:accepted/)?[^/]+\.py)", line (?P<line>\d+), in (?P<name>\S+)'
)


def told(error: Exception, *, graded: bool) -> tuple[str, Message]:
    """The traceback to show, "" where a sentence says it all, and that sentence.

    Args:
        graded: submissions were graded when it was met.
    """
    content = error.__cause__ if isinstance(error, GraderError) else error
    if isinstance(content, ContentError):
        return "", Message("cli.content_fault" if graded else "cli.content_fault_ungraded", {"text": str(content)})
    text = _traceback(error)
    frames = list(_FRAME.finditer(text))
    if frames and isinstance(error, GraderError):
        return text, Message("cli.check_fault", frames[-1].groupdict())
    return text, Message("cli.grader_fault")


def _traceback(error: Exception) -> str:
    """What went wrong in a check or on a process that grades; what it then ended here is of no use to anybody."""
    if isinstance(error, GraderError):
        if error.__cause__ is not None:
            return "".join(traceback.format_exception(error.__cause__))
        if "\nTraceback" in str(error):
            return str(error).partition(_CHAINED)[0].rstrip() + "\n"
    return "".join(traceback.format_exception(error))
