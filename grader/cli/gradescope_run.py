"""What `run_autograder` does: grades one upload to Gradescope, and writes its results.json whatever the upload is."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.files import warn, write_asked
from grader.course import Course
from grader.errors import ContentError, GraderError, UsageError
from grader.model import GradeReport, Language, Message, Submission
from grader.report.feedback import Feedback, reduced
from grader.report.gradescope import gradescope_failure, gradescope_results_of_all

if TYPE_CHECKING:
    from grader.gradebook.inputs.collect import Collected

WHO = "submission"  # Gradescope knows whose it is


def grade_upload(
    course: Course,
    names: Sequence[str],
    upload: Path,
    results: Path,
    language: Language,
    *,
    feedback: Feedback,
    weak: bool,
) -> int:
    """Grade what was uploaded; 0 when the results are written.

    An exercise without a readable file is graded as an empty one, so that all its checks and points are in the results.

    Args:
        weak: grade also where submissions cannot be locked away.

    Raises:
        UsageError: the results cannot be written.
        GraderError, ContentError: nothing that the student can change; the results say so.
    """
    submissions, notes = _submissions(course, names, upload)
    try:
        reports = {report.exercise: report for report in _reports(course, submissions, weak=weak)}
    except (ContentError, GraderError):
        write_asked(results, gradescope_failure(Message("gradescope.not_graded"), language), "--results")
        raise
    parts = [(reduced(reports[name], feedback), notes.get(name)) for name in names]
    write_asked(results, gradescope_results_of_all(parts, language), "--results")
    for note in notes.values():
        warn(language)(note)
    return 0


def _submissions(course: Course, names: Sequence[str], upload: Path) -> tuple[list[Submission], dict[str, Message]]:
    """What to grade for each exercise, and what there is to know of how it was found."""
    from grader.gradebook.inputs.collect import collected_from_one  # noqa: PLC0415

    try:
        with collected_from_one(upload, course, names, WHO) as found:
            return [_submission(course, found, name) for name in names], _notes(found)
    except UsageError as error:
        told = error.message if upload.is_dir() else Message("batch.nothing_for_it")
        return [_empty(course, name) for name in names], dict.fromkeys(names, told)


def _submission(course: Course, found: Collected, name: str) -> Submission:
    row = next((row for row in found.rows if row.exercise == name and row.state == "read"), None)
    return _empty(course, name) if row is None else found.submission(row)


def _empty(course: Course, name: str) -> Submission:
    return Submission(WHO, name, course.exercises[name].filename, b"", hashlib.sha256(b"").hexdigest())


def _notes(found: Collected) -> dict[str, Message]:
    return {row.exercise: row.reason for row in found.rows if row.reason is not None}


def _reports(course: Course, submissions: Sequence[Submission], *, weak: bool) -> Iterator[GradeReport]:
    """One report for each submission; exercises with the same packages share a sandbox."""
    from grader.judge.grading import grade_all  # noqa: PLC0415 - pytest
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    def packages(submission: Submission) -> tuple[str, ...]:
        return course.exercises[submission.exercise].packages

    for needed, group in itertools.groupby(sorted(submissions, key=packages), packages):
        with Sandbox(needed) as sandbox:
            if sandbox.isolation.level == "weak" and not weak:
                raise GraderError("submissions cannot be locked away on this machine (see grade doctor)")
            for submission in group:
                reports: list[GradeReport] = []
                exercise = course.exercises[submission.exercise]
                grade_all(course, exercise, [submission], reports.append, sandbox=sandbox)
                yield from reports
