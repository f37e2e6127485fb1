"""Several files of one student for one exercise, of which the best counts: graded one by one, kept as one result.

What is kept has a key made of all of them: it is done when all are graded, and graded again when one is added.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.gradebook.inputs.collect import Row
from grader.judge.shard import Done
from grader.model import Verdict


def attempts_of(row: Row) -> tuple[Row, ...]:
    """The files of a row, each content once, the one that would count without being graded first."""
    return tuple({one.sha256: one for one in reversed((row, *row.others))}.values())[::-1]


def digest_of(attempts: Sequence[Row]) -> str:
    """A hash of all of them, whatever their order; of a single one its own."""
    if len(attempts) == 1:
        return attempts[0].sha256
    return hashlib.sha256("".join(sorted(one.sha256 for one in attempts)).encode()).hexdigest()


@dataclass
class Contest:
    """The attempts of one student while they are graded."""

    attempts: tuple[Row, ...]
    _done: dict[str, Done | None] = field(default_factory=dict)

    def take(self, sha256: str, done: Done | None) -> bool:
        """One has been graded, or lost for None; whether that was the last."""
        self._done[sha256] = done
        return len(self._done) == len(self.attempts)

    def winner(self) -> tuple[Row, Done] | None:
        """The attempt that counts: one that met a fault of ours, so that all are tried again; else the best.

        None where one was lost.
        """
        graded = [(row, self._done[row.sha256]) for row in self.attempts]
        known = [(row, done) for row, done in graded if done is not None]
        if len(known) < len(graded):
            return None
        faults = [one for one in known if one[1].report.verdict is Verdict.GRADER_ERROR]
        return max(faults or known, key=lambda one: one[1].report.points)  # the first of equals


def page_of_attempt(page: Path, sha256: str) -> Path:
    """Where the page of one of several attempts lies until it is known which one counts."""
    return page.with_name(f"{page.stem}.{sha256[:12]}.html")


def keep_page(page: Path, attempts: Sequence[Row], winner: str | None) -> None:
    """Put the page of the attempt that counts into its place, and take the others away; raises OSError."""
    if winner is not None:
        os.replace(page_of_attempt(page, winner), page)  # noqa: PTH105 - one call, as everywhere a page is put
    for one in attempts:
        page_of_attempt(page, one.sha256).unlink(missing_ok=True)
