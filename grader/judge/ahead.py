"""What the checks of a suite ask, learned from submissions that pass them, so that it can be sent to the next at once.

Only where a submission whose answers depend on what it was asked cannot tell: each case of the check makes one request,
and makes the same one each time. Then it is asked the same in the same order, and no more than it would have been: what
raises, or answers at length, is waited for. Code that measures the time between its calls can tell.
"""

from __future__ import annotations

from collections.abc import Sequence


class Ahead:
    """The requests of each check, by its name."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[bytes, ...]] = {}  # () once it was not the same each time
        self._twice: set[str] = set()

    def requests(self, check: str) -> tuple[bytes, ...]:
        """What the cases of a check will ask, in their order; nothing where that is not known."""
        return self._asked[check] if check in self._twice else ()

    def learn(self, check: str, cases: int, asked: Sequence[bytes]) -> None:
        """Note what a check has asked of a submission that passed it: known once two have been asked the same."""
        found = tuple(asked) if len(asked) == cases else ()  # no case passes without asking anything
        if check in self._asked:
            self._twice.add(check)
        self._asked[check] = found if self._asked.get(check, found) == found else ()
