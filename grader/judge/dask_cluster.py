"""Connects to a Dask cluster that runs already, and makes a `Cluster` of its workers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from grader.errors import UsageError
from grader.installing import not_installed
from grader.judge.cluster import Cluster
from grader.judge.share import Graded, Share, grade_share
from grader.model import Message

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 5

_Client = TypeVar("_Client")


def _in_time(connect: Callable[[], _Client]) -> _Client:
    """What `connect` returns or raises; TimeoutError where it goes on for ever, as with a server that is no Dask."""
    ended: SimpleQueue[_Client | Exception] = SimpleQueue()

    def run() -> None:
        try:
            ended.put(connect())
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            ended.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        found = ended.get(timeout=2 * CONNECT_S)
    except Empty as error:
        raise TimeoutError("what listens there does not answer as a scheduler") from error
    if isinstance(found, Exception):
        raise found
    return found


class Workers(NamedTuple):
    """Who grades: the workers of a cluster, or the processes of this machine.

    Attributes:
        width: how many submissions they grade at a time, as of now.
        cluster: makes a `Cluster` of them; None for this machine.
        lost: how many of them went away since.
    """

    width: int
    cluster: Callable[..., Cluster] | None
    lost: Callable[[], int]


class Roll:
    """Who of a cluster's workers is there; one that starts again comes back under another address.

    Attributes:
        lost: How many have gone, as of the last look.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._there: frozenset[str] = frozenset()
        self.lost = 0

    def threads(self) -> dict[str, int]:
        """How many threads each worker has; raises UsageError where the scheduler is gone."""
        try:
            threads = dict(self._client.nthreads())
        except Exception as error:  # whatever it is, nobody answers any more
            raise UsageError(Message("batch.cluster_gone")) from error
        self.lost += len(self._there - threads.keys())
        self._there = frozenset(threads)
        return threads

    def lost_in_the_end(self) -> int:
        """How many have gone, after one more look; where the scheduler is gone too, as of the look before."""
        with suppress(UsageError):
            self.threads()
        return self.lost


@contextmanager
def dask_cluster(address: str) -> Iterator[Workers]:
    """The workers of an existing Dask cluster.

    Raises:
        UsageError: no scheduler answers there, it has no workers, or `distributed` is not installed.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise not_installed("distributed", "cluster") from error
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what is lost is told by us, in a sentence
    try:
        client = _in_time(lambda: Client(address, timeout=CONNECT_S, set_as_default=False))
    except (OSError, ValueError) as error:  # a time limit is an OSError as well
        fields = {"address": address, "reason": str(error) or type(error).__name__}
        raise UsageError(Message("batch.cluster_out_of_reach", fields)) from error

    with client:
        roll = Roll(client)
        if not (first := roll.threads()):
            raise UsageError(Message("batch.cluster_empty", {"address": address}))
        executor = client.get_executor(pure=False)
        cluster = partial(Cluster, executor, roll.threads, lost=(KilledWorker,), grade=_grade)
        yield Workers(sum(first.values()), cluster, roll.lost_in_the_end)


def _grade(share: Share) -> Graded:
    """Grade a share on a worker, which calls itself as the scheduler does."""
    from distributed import get_worker  # noqa: PLC0415 - an extra

    return grade_share(share, str(get_worker().address))
