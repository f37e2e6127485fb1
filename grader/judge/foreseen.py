"""What the checks of a suite ask, learned from submissions that pass them, so that it can be sent to the next at once.

Only where a submission whose answers depend on what it was asked cannot tell: each case of the check makes one request,
and makes the same one each time. Then it is asked the same in the same order, and no more than it would have been: what
raises, or answers at length, is waited for. Code that measures the time between its calls can tell.

A case that makes one request, the same for everybody, judges by the reply alone: a reply that somebody else gave before
is not judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.judge.fate import Fate
from grader.remembered import Remembered
from grader.sandbox.client import RemoteSubject

MOST_JUDGED = 64  # replies that are remembered for each request, with what became of the case


class Foreseen:
    """The requests of each check, by its name, and what the replies to them led to."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[bytes, ...]] = {}  # () once it was not the same each time
        self._twice: set[str] = set()
        self._judged: dict[tuple[str, int], Remembered[tuple[Fate | None, int]]] = {}

    def requests(self, check: str) -> tuple[bytes, ...]:
        """What the cases of a check will ask, in their order; nothing where that is not known."""
        return self._asked[check] if check in self._twice else ()

    def fate(self, check: str, number: int, subject: RemoteSubject, judge: Callable[[], Fate | None]) -> Fate | None:
        """What becomes of one case of a check, None where it passes: judged, or known from a reply that was the same.

        Args:
            number: of the case.
            judge: runs it.
        """
        request = self.requests(check)[number : number + 1]
        if not request:
            return judge()
        judged = self._judged.setdefault((check, number), Remembered(MOST_JUDGED))
        return subject.concluded(request, judged, judge, keeps=lambda fate: fate is None or fate.is_by_reply)

    def learn(self, check: str, cases: int, asked: Sequence[bytes]) -> None:
        """Note what a check has asked of a submission that passed it: known once two have been asked the same."""
        found = tuple(asked) if len(asked) == cases else ()  # no case passes without asking anything
        if check in self._asked:
            self._twice.add(check)
        self._asked[check] = found if self._asked.get(check, found) == found else ()
