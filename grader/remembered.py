"""What was concluded before from the same evidence: of so many, those that were met last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Evidence = TypeVar("Evidence", bound=Hashable)
Conclusion = TypeVar("Conclusion")


class Remembered(Generic[Evidence, Conclusion]):
    """Conclusions by their evidence, `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Evidence, Conclusion] = OrderedDict()

    def __contains__(self, evidence: Evidence) -> bool:
        return evidence in self._known

    def __getitem__(self, evidence: Evidence) -> Conclusion:
        """What it leads to; raises KeyError where that is not known."""
        self._known.move_to_end(evidence)
        return self._known[evidence]

    def __setitem__(self, evidence: Evidence, conclusion: Conclusion) -> None:
        self._known[evidence] = conclusion
        if len(self._known) > self._most:
            self._known.popitem(last=False)

    def of(self, evidence: Evidence, conclude: Callable[[], Conclusion]) -> Conclusion:
        """What it leads to, concluded where that is not known."""
        if evidence not in self:
            self[evidence] = conclude()
        return self[evidence]
