"""A probe that many submissions are asked: what is sent for it, and what was made of the replies before."""

from __future__ import annotations

from collections.abc import Callable

from grader.diagnosis.models import Probe
from grader.diagnosis.observation import Observation
from grader.diagnosis.trusted import Requests
from grader.remembered import Remembered
from grader.sandbox.client import RemoteSubject, Subject

MOST_SEEN = 32  # observations that are remembered for each probe


class Planned:
    """One probe, and what right code is asked for it."""

    def __init__(self, probe: Probe, requests: Requests) -> None:
        self.probe = probe
        self._requests = requests
        self._payloads: Remembered[int, tuple[bytes, ...]] = Remembered(1)
        self._seen: Remembered[tuple[int, bytes], Observation] = Remembered(MOST_SEEN)

    def payloads(self, first: int) -> tuple[bytes, ...]:
        """What can be sent ahead to a subject whose objects are numbered from `first`."""
        return self._payloads.of(first, lambda: tuple(self._requests.payloads(first)))

    def observation(self, subject: Subject, first: int, observe: Callable[[], Observation]) -> Observation:
        """What `observe` gives; not observed where what was sent ahead had these replies before.

        Remembered is what came of these requests and no others: then nothing but their replies decides it.

        Args:
            first: number of the first object that is made.
        """
        if not isinstance(subject, RemoteSubject):
            return observe()
        payloads = self.payloads(first)
        replies = subject.replied_ahead(payloads) if payloads else None
        if replies is None:
            return observe()
        if (first, replies) in self._seen:
            subject.pass_over(payloads)
            return self._seen[first, replies]
        before = len(subject.asked)
        seen = observe()
        asked = tuple(subject.asked[before:])
        if asked == payloads[: len(asked)]:
            self._seen[first, replies] = seen
        return seen
