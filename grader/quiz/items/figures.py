"""The arithmetic of a question's statistics: an interval for a share, a correlation, each with the least it needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_Z = 1.959964  # of a 95 % interval


class Interval(NamedTuple):
    """A share with its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(count: int, of: int) -> Interval | None:
    """Wilson's score interval for `count` of `of`; None for none of none. It stays within 0 and 1, also at the ends."""
    if of == 0:
        return None
    share = count / of
    spread = _Z * math.sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    middle = share + _Z**2 / (2 * of)
    scale = 1 + _Z**2 / of
    return Interval(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None where one side does not vary."""
    count = len(pairs)
    if count < 2:
        return None
    one, other = (math.fsum(pair[i] for pair in pairs) / count for i in (0, 1))
    both = math.fsum((a - one) * (b - other) for a, b in pairs)
    first = math.fsum((a - one) ** 2 for a, _ in pairs)
    second = math.fsum((b - other) ** 2 for _, b in pairs)
    if first <= 1e-12 or second <= 1e-12:
        return None
    return both / math.sqrt(first * second)
