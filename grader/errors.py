"""Three errors, one for each person who can put things right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model import Message


class SubmissionError(Exception):
    """Something the student has to change; costs points and is told in the student's language.

    Attributes:
        message: the sentence for the student, rendered late by `grader.texts.say`.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(f"{message.key} {dict(message.fields)}")
        self.message = message


class UsageError(SubmissionError):
    """The command line names a file, folder or exercise that is not there: exit code 2, nothing is graded."""


class ContentError(Exception):
    """Something the author of a course has to change: names the file, the field and the fix."""


class GraderError(Exception):
    """Something the operator has to change, or a fault of ours: exit code 3, never costs a point."""
