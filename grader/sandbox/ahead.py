"""What was sent to a worker before it is asked, and what became of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from grader.sandbox.failures import Stopped

MOST_BYTES = 2**15  # of replies that something is concluded from


class SentAhead:
    """Requests whose replies are there already; the same request may have been sent several times."""

    def __init__(self) -> None:
        self._became: dict[bytes, list[bytes | Stopped]] = {}

    def __bool__(self) -> bool:
        return any(self._became.values())

    def clear(self) -> None:
        """Forget them."""
        self._became.clear()

    def put(self, payload: bytes, became: bytes | Stopped) -> None:
        """Note the reply to a request, or what it ended with."""
        self._became.setdefault(payload, []).append(became)

    def take(self, payload: bytes) -> bytes | Stopped | None:
        """What became of this request, which is not known any more after that; None where it was not sent."""
        became = self._became.get(payload)
        return became.pop(0) if became else None

    def evidence(self, payloads: Sequence[bytes]) -> bytes | None:
        """A digest of these requests and the replies to them, which stay known; None where some of them has none.

        So also where they are long: what is made of them would be, too, and is not worth remembering.
        """
        digest = hashlib.sha256()
        before: Counter[bytes] = Counter()
        length = 0
        for payload in payloads:
            became = self._became.get(payload, ())
            place = before[payload]
            reply = became[place] if place < len(became) else None
            if not isinstance(reply, bytes) or (length := length + len(reply)) > MOST_BYTES:
                return None
            for part in (payload, reply):
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
            before[payload] += 1
        return digest.digest()
