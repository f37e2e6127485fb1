"""A probe that many submissions are asked: what is sent for it, and what was made of the replies before."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from grader.diagnosis.models import Probe
from grader.diagnosis.observation import Observation
from grader.diagnosis.trusted import Requests
from grader.remembered import Remembered
from grader.sandbox.client import RemoteSubject, Subject

MOST_SEEN = 16  # observations that are remembered for each probe


class Planned:
    """One probe, and what right code is asked for it.

    Attributes:
        payloads: what can be sent ahead to a subject whose objects are numbered from the number that is given.
    """

    def __init__(self, probe: Probe, requests: Requests) -> None:
        self.probe = probe
        self.payloads = lru_cache(1)(requests.payloads)
        self._seen: Remembered[tuple[Observation, int]] = Remembered(MOST_SEEN)

    def observation(self, subject: Subject, first: int, observe: Callable[[], Observation]) -> Observation:
        """What `observe` gives, or gave before of the same replies.

        Args:
            first: number of the first object that is made.
        """
        if not isinstance(subject, RemoteSubject) or not subject.has_sent_ahead:
            return observe()
        return subject.concluded(self.payloads(first), self._seen, observe)
