"""Gives each student a pseudonym that stays the same as long as the gradebook does, and puts it wherever a name stood.

The gradebook alone knows who is who. What students wrote into their own code stays as they wrote it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.course import Course, load_exercise
from grader.gradebook.standings import Cause, Standing
from grader.gradebook.tallies import Tallies
from grader.model import CaseFailure, GradeReport, Message
from grader.report.places import NOTEBOOK

if TYPE_CHECKING:
    from grader.gradebook.book import Gradebook

SETTING = "pseudonym_secret"
LETTERS = 10  # of a pseudonym: 50 bits, so that two of a hundred thousand students hardly ever share one
LEFT_OUT = "…"


@dataclass(frozen=True)
class Pseudonyms:
    """A pseudonym for each id: without the secret nobody can tell whose it is by trying out ids."""

    secret: bytes

    @classmethod
    def of(cls, book: Gradebook) -> Pseudonyms:
        """Those of one gradebook; its secret is made when it is first needed."""
        found = book.setting(SETTING)
        if found is None:
            found = secrets.token_hex(16)
            book.settle(SETTING, found)
        return cls(bytes.fromhex(found))

    def __call__(self, student: str) -> str:
        digest = hmac.new(self.secret, student.encode("utf-8", "surrogateescape"), hashlib.sha256).digest()
        return f"student-{base64.b32encode(digest).decode()[:LETTERS].lower()}"


def anonymous_standings(standings: Iterable[Standing], pseudonyms: Pseudonyms) -> list[Standing]:
    """The standings under pseudonyms, in their order.

    Left out are paths and hashes of files, texts of the input in reasons, and who overrode points and why.
    """
    found = [_anonymous(one, pseudonyms(one.student)) for one in standings]
    return sorted(found, key=lambda one: (one.exercise, one.student))


def _anonymous(one: Standing, student: str) -> Standing:
    cause = _without_name(one.cause) if one.cause else None
    # people write names into reasons; and who has the files can tell by a hash whose it is
    override = replace(one.override, made_by=LEFT_OUT, why=LEFT_OUT) if one.override else None
    reason = _without_texts(one.reason)
    return replace(one, student=student, place="", sha256="", reason=reason, cause=cause, override=override)


def _without_name(cause: Cause) -> Cause:
    """A cause without the name of the file; only whether it is a notebook is still told, where lines are of cells."""
    message = _renamed(cause.message, lambda text: text.replace(cause.filename, LEFT_OUT) if cause.filename else text)
    return Cause(message, cause.line, NOTEBOOK if cause.filename.casefold().endswith(NOTEBOOK) else "")


def _without_texts(reason: Message | None) -> Message | None:
    """A reason may name files, and a file may be called after its student."""
    if reason is None:
        return None
    fields = {name: LEFT_OUT if isinstance(value, str) else value for name, value in reason.fields.items()}
    return Message(reason.key, fields)


def anonymous_tallies(found: Tallies, pseudonyms: Pseudonyms) -> Tallies:
    """The counts of a class under pseudonyms."""
    return found._replace(named=tuple(one._replace(student=pseudonyms(one.student)) for one in found.named))


def anonymous_report(report: GradeReport, pseudonyms: Pseudonyms, course: Course) -> GradeReport:
    """A report under a pseudonym; the file is called as the exercise calls it, whatever its student called it.

    So it is called while it is graded; reports of earlier versions have its own name wherever Python told it.
    """
    module = load_exercise(course, report.exercise).module if report.exercise in course.names else "submission"
    filename = module + (NOTEBOOK if report.filename.casefold().endswith(NOTEBOOK) else ".py")  # lines of cells
    own_name = re.compile(rf"(?<![\w.-]){re.escape(report.filename)}(?![\w-])")

    def renamed(text: str) -> str:
        return own_name.sub(filename, text) if report.filename else text

    def failure(told: CaseFailure) -> CaseFailure:
        explanation = _renamed(told.explanation, renamed) if told.explanation else None
        message = _renamed(told.message, renamed)
        return replace(told, message=message, explanation=explanation, traceback=renamed(told.traceback))

    return replace(
        report,
        who=pseudonyms(report.who),
        filename=filename,
        reason=failure(report.reason) if report.reason else None,
        checks=tuple(replace(check, failures=tuple(map(failure, check.failures))) for check in report.checks),
        printed=replace(report.printed, text=renamed(report.printed.text)),
        provenance=replace(report.provenance, submission_sha256=LEFT_OUT),
    )


def _renamed(message: Message, renamed: Callable[[str], str]) -> Message:
    fields = {name: renamed(value) if isinstance(value, str) else value for name, value in message.fields.items()}
    return Message(message.key, fields)
