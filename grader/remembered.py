"""What was concluded before from the same evidence: of so many, those that were met last."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Conclusion = TypeVar("Conclusion")


class Remembered(Generic[Conclusion]):
    """Conclusions by a digest of their evidence, `most` of them.

    In place of functools.lru_cache where not everything that is concluded may be kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[bytes, Conclusion] = OrderedDict()

    def __contains__(self, evidence: bytes) -> bool:
        return evidence in self._known

    def __getitem__(self, evidence: bytes) -> Conclusion:
        """What it leads to; raises KeyError where that is not known."""
        self._known.move_to_end(evidence)
        return self._known[evidence]

    def __setitem__(self, evidence: bytes, conclusion: Conclusion) -> None:
        self._known[evidence] = conclusion
        if len(self._known) > self._most:
            self._known.popitem(last=False)
