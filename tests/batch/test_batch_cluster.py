"""`grade batch --cluster`: the same results from other machines, whatever happens to one of them."""

import itertools
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, ROOT, STARTER, SYNTAX, WRONG, Ran, written
from made_cluster import running_cluster
from made_results import made_report
from server import free_port

from grader.course import Course
from grader.errors import ContentError, GraderError, UsageError
from grader.judge import cluster as cluster_module
from grader.judge import dask_cluster as dask_module
from grader.judge.cluster import FEWEST, MOST, SHARES_EACH, Cluster
from grader.judge.dask_cluster import Roll
from grader.judge.shard import Done, Ended, Setup, Work
from grader.judge.share import Graded, Share, grade_share
from grader.model import Isolation, Message, Submission

STRONG = Isolation("strong", ("process",))
LOOP_OF_ONE_LINE = "def concat_heads(heads):\n    while True: pass\n"  # where it is stopped is always told alike


class Workers(Executor):
    """Stands in for other machines: answers each share as it is told to, and keeps what was sent, and to whom."""

    def __init__(self, answer: Callable[[Share], Graded]) -> None:
        self._answer = answer
        self.shares: list[Share] = []
        self.only: list[list[str]] = []

    def submit(self, fn, /, *args, workers=()):
        """A future that is done at once."""
        assert fn is grade_share
        self.shares.append(args[0])
        self.only.append(list(workers))
        future: Future[Graded] = Future()
        try:
            future.set_result(self._answer(args[0]))
        except Exception as error:  # noqa: BLE001 - what a worker raises is raised by its future
            future.set_exception(error)
        return future


class KilledWorker(Exception):
    """As Dask's: a scheduler has tried by itself, more often than is allowed."""

    allowed_failures = 3


@dataclass
class Heard:
    """What a coordinator is told, and how many submissions it asked for before it heard of the first one."""

    done: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0
    asked_before_the_first: int = 0


@pytest.fixture
def setup() -> Setup:
    """What is graded."""
    return Setup(ROOT, EXERCISE, lambda report: f"page of {report.who}", ("numpy",))


@pytest.fixture
def answered(course: Course) -> Callable[[Share], Graded]:
    """What a worker answers that grades everything."""
    return lambda share: Graded(
        *("a", tuple(Done(made_report(course, one.who, [True]), None) for one in share.submissions)), isolation=STRONG
    )


def grade(
    setup: Setup,
    workers: Workers,
    *counts: int,
    places: Callable[[], dict[str, int]] = lambda: {"a": 1, "b": 1},
    accept: Callable[[Isolation], None] = lambda _: None,
    on_tick: Callable[[], None] = lambda: None,
) -> Heard:
    """Grade so many submissions of one exercise after the other; what is heard of them."""
    heard, numbers = Heard(), itertools.count()

    def arriving(count: int) -> Iterator[Submission]:
        for _ in range(count):
            heard.asked += 1
            place = next(numbers)
            yield Submission(f"s{place}", EXERCISE, "concat.py", b"", str(place))

    def on_done(done: Done) -> None:
        assert done.finished == f"page of {done.report.who}"  # made here: a worker has no folder of ours
        heard.asked_before_the_first = heard.asked_before_the_first or heard.asked
        heard.done.append(done.report.who)

    def on_refused(worker: str, differences: str) -> None:
        heard.refused.append((worker, differences))

    with Cluster(workers, places, accept, on_refused, lost=(KilledWorker,)) as cluster:
        cluster.grade(
            (
                Work(setup, arriving(n), n, on_done, lambda one: heard.lost.append(one.who), heard.faults.append)
                for n in counts
            ),
            on_tick,
        )
    return heard


@pytest.mark.parametrize(("count", "size"), [(7, 7), (45, FEWEST), (1000, 125), (10_000, MOST)])
def test_shares_are_large_enough_to_pay_and_few_at_a_time(
    setup: Setup, answered: Callable[[Share], Graded], count: int, size: int
) -> None:
    """A share has at least twenty submissions, a worker no more than two shares, and everybody is graded once."""
    workers = Workers(answered)
    heard = grade(setup, workers, count)
    assert sorted(heard.done) == sorted(f"s{place}" for place in range(count))
    assert max(len(share.submissions) for share in workers.shares) == size
    assert [len(share.submissions) for share in workers.shares if len(share.submissions) < size][1:] == []
    assert heard.asked_before_the_first <= 2 * SHARES_EACH * size


@pytest.mark.parametrize(("kind", "tries"), [(BrokenExecutor, 3), (KilledWorker, 1)])
def test_a_submission_that_kills_workers_is_handed_back_alone(
    setup: Setup, answered: Callable[[Share], Graded], kind: type[Exception], tries: int
) -> None:
    """The share of a lost worker is tried again one by one; who kills three workers is reported, nobody else is."""

    def answer(share: Share) -> Graded:
        if any(one.who == "s5" for one in share.submissions):
            raise kind
        return answered(share)

    workers = Workers(answer)
    heard = grade(setup, workers, 50)
    assert heard.lost == ["s5"]
    assert sorted(heard.done) == sorted(f"s{place}" for place in range(50) if place != 5)
    assert sum(share.submissions[0].who == "s5" for share in workers.shares) == tries


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (Graded(ended=Ended(content="points: expected 1")), ContentError, "points: expected 1"),
        (Graded("a", ended=Ended(fault="04_concat: MemoryError")), GraderError, "^worker a: 04_concat: MemoryError$"),
        (ModuleNotFoundError("No module named 'grader'"), UsageError, "cluster_cannot.*No module named 'grader'"),
        (CancelledError(), UsageError, "cluster_gone"),
    ],
)
def test_what_goes_wrong_elsewhere_is_told_here(
    setup: Setup, answer: Graded | Exception, kind: type[Exception], says: str
) -> None:
    """A fault of the course or of ours is told for its exercise; a cluster that is gone ends it with a sentence."""

    def answers(_share: Share) -> Graded:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(kind, match=says):
        raise grade(setup, Workers(answers), 30).faults[0]


def test_what_was_graded_before_a_fault_of_the_course_is_kept(
    setup: Setup, answered: Callable[[Share], Graded]
) -> None:
    """A worker finds the course at fault on its way: its results count, and nothing more of the exercise is sent."""
    workers = Workers(lambda share: replace(answered(share), ended=Ended(content="points: expected 1")))
    heard = grade(setup, workers, 200)
    assert sorted(heard.done) == sorted(one.who for share in workers.shares for one in share.submissions)
    assert len(heard.faults) == len(workers.shares) == 2 * SHARES_EACH


def test_no_exercise_waits_for_the_last_share_of_the_one_before(
    setup: Setup, answered: Callable[[Share], Graded], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A share of the first exercise is answered when all of the second are: it keeps one place busy, no more."""
    monkeypatch.setattr(cluster_module, "LOOK_S", 0)
    ticks = iter(range(100))

    class Slow(Workers):
        first: tuple[Future[Graded], Share] | None = None

        def submit(self, fn, /, *args, **kwargs):
            future = super().submit(fn, *args, **kwargs)
            if self.first is None:
                self.first = Future(), args[0]
                return self.first[0]
            if args[0].submissions[-1].who == "s69":
                self.first[0].set_result(answered(self.first[1]))
            return future

    heard = grade(setup, Slow(answered), 20, 50, on_tick=lambda: assert_more(ticks))
    assert sorted(heard.done) == sorted(f"s{place}" for place in range(70))


def assert_more(ticks: Iterator[int]) -> None:
    assert next(ticks, None) is not None, "it waits for ever"


def test_workers_that_fit_do_the_work_of_those_that_refuse(setup: Setup, answered: Callable[[Share], Graded]) -> None:
    """A worker that would grade otherwise is named once, with what differs; it gets no more shares."""
    workers = Workers(lambda share: answered(share) if workers.only[-1] == ["b"] else Graded("a", refused="numpy: 1"))
    heard = grade(setup, workers, 90, 10)
    assert sorted(heard.done) == sorted(f"s{place}" for place in range(100))
    assert heard.refused == [("a", "numpy: 1")]
    assert workers.only.count([]) == 2 * SHARES_EACH  # those that were on their way to whoever was free


def test_where_all_refuse_nothing_is_graded(setup: Setup) -> None:
    """No worker fits: one of them is named, with what differs."""
    names = iter(["a", "b"])
    workers = Workers(lambda _share: Graded(next(names), refused="numpy: 1"))
    with pytest.raises(UsageError, match=r"cluster_refuses.*numpy: 1"):
        grade(setup, workers, 45, places=lambda: {"a": 1, "b": 0})


def test_a_share_for_a_worker_that_is_gone_is_given_to_another(
    setup: Setup, answered: Callable[[Share], Graded], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One refused, and the one that fits starts again under another name: what waited for it is sent anew."""
    monkeypatch.setattr(cluster_module, "LOOK_S", 0)
    ticks, there = iter(range(100)), {"a": 1, "b": 1}

    class Restarting(Workers):
        def submit(self, fn, /, *args, **kwargs):
            future = super().submit(fn, *args, **kwargs)
            if self.only[-1] == ["b"]:
                there.update(c=there.pop("b", 1))
                return Future()
            return future

    workers = Restarting(lambda s: answered(s) if workers.only[-1] == ["c"] else Graded("a", refused="numpy: 1"))
    heard = grade(setup, workers, 45, places=lambda: dict(there), on_tick=lambda: assert_more(ticks))
    assert sorted(heard.done) == sorted(f"s{place}" for place in range(45))


def test_a_cluster_without_workers_is_not_waited_for_for_ever(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers end and none comes back, while the scheduler answers: after many looks, that is told."""
    monkeypatch.setattr(cluster_module, "LOOK_S", 0)

    class Silent(Workers):
        def submit(self, fn, /, *args, **kwargs):
            return Future()

    looks = itertools.count()
    with pytest.raises(UsageError, match="cluster_forsaken"):
        grade(setup, Silent(None), 1, places=lambda: {"a": 1} if next(looks) < 2 else {})


def test_a_server_that_is_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something listens at the address and says nothing of Dask's: one sentence, instead of waiting for ever."""
    pytest.importorskip("distributed", reason="the cluster is an extra: pip install 'manyheads[cluster]'")
    monkeypatch.setattr(dask_module, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(UsageError, match="cluster_out_of_reach"):
        dask_module.dask_cluster(f"tcp://127.0.0.1:{server.getsockname()[1]}").__enter__()


def test_a_worker_that_goes_away_is_counted_once() -> None:
    """One that starts again has another address, and a new one is no loss; a scheduler that is gone is told.

    In the end one more look is taken; a scheduler that is gone by then spoils nothing.
    """
    seen: list[dict[str, int]] = [{"a": 1, "b": 2}, {"a": 1}, {"a": 1, "c": 2}, {"c": 2}, {}]

    class Client:
        def nthreads(self) -> dict[str, int]:
            return seen.pop(0)

    roll = Roll(Client())
    assert [(sum(roll.threads().values()), roll.lost) for _ in range(4)] == [(3, 0), (1, 1), (3, 1), (2, 2)]
    assert (roll.lost_in_the_end(), roll.lost_in_the_end()) == (3, 3)
    with pytest.raises(UsageError, match="cluster_gone"):
        roll.threads()


def test_isolation_is_judged_before_a_result_counts(setup: Setup, answered: Callable[[Share], Graded]) -> None:
    """Where the coordinator does not accept how a worker locks submissions away, nothing of it is taken."""

    def refuse(isolation: Isolation) -> None:
        raise UsageError(Message("batch.weak_isolation", {"missing": isolation.level}))

    with pytest.raises(UsageError, match="weak_isolation"):
        grade(setup, Workers(answered), 30, accept=refuse)


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_told(batch: Callable[..., Ran], tmp_path: Path) -> None:
    """Nothing answers there, or it is no address: one sentence, and nothing is graded."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT})
    told = batch(folder, "--cluster", f"tcp://127.0.0.1:{free_port()}")
    assert (told.code, "No Dask scheduler answers at tcp://127.0.0.1:" in told.err) == (2, True)
    told = batch(folder, "--cluster", "nonsense://x")
    assert (told.code, "No Dask scheduler answers at nonsense://x" in told.err) == (2, True)


@pytest.mark.slow
def test_a_worker_killed_on_the_way_changes_no_verdict(
    batch: Callable[..., Ran], environment: dict[str, str], tmp_path: Path
) -> None:
    """A scheduler and two workers, one of them killed while it grades: every row is that of a run on this machine."""
    kinds = (RIGHT, WRONG, SYNTAX, STARTER)
    files = {f"s{i:03}/concat.py": f"{kinds[i % 4]}# {i}\n" for i in range(160)}
    folder = written(tmp_path / "in", {**files, "loop/concat.py": LOOP_OF_ONE_LINE})
    with running_cluster(tmp_path, environment) as cluster:
        arguments = ["batch", "in", "--out", "out", "--exercise", EXERCISE, "--cluster", cluster.address]
        with subprocess.Popen(
            [sys.executable, "-m", "grader.cli", *arguments], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
        ) as running:
            while running.poll() is None and not results(tmp_path / "out"):
                os.sched_yield()
            cluster.workers[0].kill()
            left = len(files) + 1 - results(tmp_path / "out")
            told, _ = running.communicate()
            assert running.returncode == 0
    assert left > 0
    assert b"\nWorkers of the cluster lost on the way: 1; what they had in hand went to others.\n" in told
    local = batch(folder, out="local")
    assert local.code == 0, local.err
    elsewhere = Ran(0, "", "", tmp_path / "out")
    timeless = [{name: {**row, "graded_at": ""} for name, row in ran.rows.items()} for ran in (elsewhere, local)]
    assert timeless[0] == timeless[1]
    pages = [{str(path.relative_to(ran.folder)) for path in ran.folder.rglob("*.html")} for ran in (elsewhere, local)]
    assert pages[0] == pages[1]


def results(folder: Path) -> int:
    """How many results a gradebook has by now."""
    if not (folder / "gradebook.db").exists():
        return 0
    try:
        with sqlite3.connect(f"file:{folder / 'gradebook.db'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0
