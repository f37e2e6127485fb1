"""`grade batch --cluster`: the same results from other machines, whatever happens to one of them."""

import os
import re
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

from grader.course import Course, load_exercise
from grader.errors import ContentError, GraderError, UsageError
from grader.judge import cluster as cluster_module
from grader.judge import dask_cluster as dask_module
from grader.judge.cluster import AHEAD, FEWEST, MOST, Cluster, Graded, Share, _Here, _TooWeak, grade_share
from grader.judge.dask_cluster import Roll
from grader.judge.identity import identity
from grader.judge.shard import Done, Ended, Setup, Work
from grader.model import Isolation, Message, Submission

STRONG = Isolation("strong", ("process",))
LOOP_OF_ONE_LINE = "def concat_heads(heads):\n    while True: pass\n"  # where it is stopped is always told alike


class Workers(Executor):
    """Stands in for other machines: answers each share as it is told to, and keeps what was sent."""

    def __init__(self, answer: Callable[[Share], Graded]) -> None:
        self._answer = answer
        self.shares: list[Share] = []

    def submit(self, fn, /, *args, **kwargs):
        """A future that is done at once."""
        assert fn is grade_share
        self.shares.append(args[0])
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
        tuple(Done(made_report(course, one.who, [True]), None) for one in share.submissions), isolation=STRONG
    )


def grade(setup: Setup, workers: Workers, count: int, *, width: int = 2, accept=lambda _: None) -> Heard:
    """Grade some submissions; every one of them is heard of, and at least once a share."""
    heard = Heard()

    def arriving() -> Iterator[Submission]:
        for place in range(count):
            heard.asked += 1
            yield Submission(f"s{place}", EXERCISE, "concat.py", b"", str(place))

    def on_done(done: Done) -> None:
        assert done.finished == f"page of {done.report.who}"  # made here: a worker has no folder of ours
        heard.asked_before_the_first = heard.asked_before_the_first or heard.asked
        heard.done.append(done.report.who)

    with Cluster(workers, lambda: width, accept, lost=(KilledWorker,)) as cluster:
        cluster.grade(Work(setup, arriving(), count, on_done, lambda one: heard.lost.append(one.who)))
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
    assert heard.asked_before_the_first <= 2 * AHEAD * size


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
        (Graded(refused=Message("batch.cluster_refuses")), UsageError, "cluster_refuses"),
        (Graded(ended=Ended(content="points: expected 1")), ContentError, "points: expected 1"),
        (Graded(ended=Ended(fault="worker a: MemoryError")), GraderError, "04_concat: .*\nworker a: MemoryError"),
        (ModuleNotFoundError("No module named 'grader'"), UsageError, "cluster_cannot.*No module named 'grader'"),
        (CancelledError(), UsageError, "cluster_gone"),
    ],
)
def test_what_goes_wrong_elsewhere_is_told_here(
    setup: Setup, answer: Graded | Exception, kind: type[Exception], says: str
) -> None:
    """A worker that refuses, a fault of the course or of ours, and a cluster that is gone end with a sentence."""

    def answers(_share: Share) -> Graded:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(kind, match=says):
        grade(setup, Workers(answers), 30)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers end and none comes back, while the scheduler answers: after many looks, that is told."""
    monkeypatch.setattr(cluster_module, "LOOK_S", 0)

    class Silent(Workers):
        def submit(self, fn, /, *args, **kwargs):
            return Future()

    class Width:
        asked = 0

        def __call__(self) -> int:
            self.asked += 1
            return int(self.asked < 3)

    submissions = [Submission("s", EXERCISE, "concat.py", b"", "0")]
    with pytest.raises(UsageError, match="cluster_forsaken"), Cluster(Silent(None), Width(), print) as cluster:
        cluster.grade(Work(setup, submissions, 1, print, print))


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
    assert [(roll.width(), roll.lost) for _ in range(4)] == [(3, 0), (1, 1), (3, 1), (2, 2)]
    assert (roll.lost_in_the_end(), roll.lost_in_the_end()) == (3, 3)
    with pytest.raises(UsageError, match="cluster_gone"):
        roll.width()


def test_isolation_is_judged_before_a_result_counts(setup: Setup, answered: Callable[[Share], Graded]) -> None:
    """Where the coordinator does not accept how a worker locks submissions away, nothing of it is taken."""

    def refuse(isolation: Isolation) -> None:
        raise UsageError(Message("batch.weak_isolation", {"missing": isolation.level}))

    with pytest.raises(UsageError, match="weak_isolation"):
        grade(setup, Workers(answered), 30, accept=refuse)


def test_a_worker_that_cannot_lock_submissions_away_grades_only_where_it_may() -> None:
    """The worker itself stops before it grades anything; where weak isolation is allowed, it goes on."""
    here, weak = _Here(), Isolation("weak", ("process",))
    with pytest.raises(_TooWeak):
        here._note(weak)
    here.weak = True
    here._note(weak)
    assert here.isolation == weak


@pytest.mark.parametrize("part", ["manyheads", "Python", "numpy", f"solutions/{EXERCISE}", "exercises/mistakes.toml"])
def test_a_worker_that_would_grade_otherwise_refuses(course: Course, setup: Setup, part: str) -> None:
    """A share says what it needs; a worker with another course, grader or package grades nothing and says which."""
    needs = {**identity(course, load_exercise(course, EXERCISE)), part: "another"}
    graded = grade_share(Share(setup, (), needs, weak=False))
    assert (graded.done, graded.ended) == ((), Ended())
    assert graded.refused is not None
    assert re.fullmatch(f"{part}: [^;]+ ≠ another", str(graded.refused.fields["differences"]))


def test_a_course_that_is_not_there_is_the_installed_one(course: Course, setup: Setup, tmp_path: Path) -> None:
    """A worker on another machine takes its own course, which must be the same; an unknown exercise is refused."""
    needs = identity(course, load_exercise(course, EXERCISE))
    assert grade_share(Share(replace(setup, course=tmp_path / "no"), (), needs, weak=False)).refused is None
    other = replace(setup, course=tmp_path / "no", exercise="99_other")
    refused = grade_share(Share(other, (), needs, weak=False)).refused
    assert refused is not None
    assert refused.fields["differences"] == "exercises/99_other: -"


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
