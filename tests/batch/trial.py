"""Grades one class three times, on SQLite, on PostgreSQL and on a Dask cluster, each killed twice on the way.

    python tests/batch/trial.py FOLDER

The three gradebooks must be identical, or it says what differs and ends with 1. It takes minutes, so it is no test.
Left out of the comparison: times, addresses of objects in texts, and where a submission was caught when its time was
over, and what it had printed by then: that is chance.
"""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import psycopg  # noqa: E402 - the path above comes first
from made_cluster import running_cluster  # noqa: E402
from made_trial import made_trial  # noqa: E402
from server import new_database, running_server  # noqa: E402

from grader.course import load_course  # noqa: E402
from grader.gradebook.book import Gradebook  # noqa: E402
from grader.gradebook.standings import Standing  # noqa: E402

KILLS = (0.2, 0.6)  # of all results, at which the run is killed
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")  # of an object, in a text that a submission made


def graded(folder: Path, url: str | None) -> int:
    """How many results are committed by now."""
    try:
        if url is not None:
            with psycopg.connect(url.replace("+psycopg", "")) as connection:
                return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
        with sqlite3.connect(f"file:{folder / 'gradebook.db'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except (psycopg.errors.UndefinedTable, sqlite3.OperationalError):  # not made yet
        return 0


def run(root: Path, out: str, files: int, options: list[str], url: str | None, on_kill: Callable[[], None]) -> None:
    """The command, killed twice and then let run to its end."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "grader.cli", "batch", "submissions", "--out", out, *options]
    for share in (*KILLS, 2.0):
        running = subprocess.Popen(
            command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while running.poll() is None and graded(root / out, url) < share * files:
            os.sched_yield()
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            on_kill()
        code = running.wait()
        say(f"{out}: ended with {code}, {graded(root / out, url)} results")
    assert code == 1, "something cannot be read, and nothing else is wrong"


def content(folder: Path, url: str | None) -> dict[str, list[object]]:
    """All that a gradebook holds, but for what differs from run to run."""
    book = Gradebook(folder, url)
    standings = [_timeless(replace(one, graded_at=None)) for one in book.standings()]
    reports = [_without_lines(json.loads(ADDRESS.sub("0x", report))) for report in book.reports()]
    held = {"standings": standings, "reports": reports, "tallies": [book.tallies()], "names": [book.names()]}
    book.close()
    return {**held, "history": [graded(folder, url)]}


def _timeless(one: Standing) -> Standing:
    return replace(one, cause=None) if one.verdict == "time_limit" else one


def _without_lines(report: dict) -> dict:
    failures = [failure for check in report["checks"] for failure in check["failures"]]
    for failure in failures:
        if failure["message"]["key"].startswith("sandbox.time_limit"):
            failure.update(message="sandbox.time_limit", line=None, code="", explanation=None)
    if report["verdict"] == "time_limit":
        report.pop("printed")
    return report


def main(root: Path) -> int:
    """Make the class, grade it three times, compare."""
    root.mkdir(parents=True)
    files = made_trial(root / "submissions", load_course(ROOT))
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(root)}
    with running_server() as server, running_cluster(root, environment, workers=3) as cluster:
        url = new_database(server, "grades")
        left = list(cluster.workers[1:])
        run(root, "sqlite", files, [], None, lambda: None)
        run(root, "postgresql", files, ["--gradebook", url], url, lambda: None)
        run(root, "dask", files, ["--cluster", cluster.address], None, lambda: left.pop().kill())
        held = [content(root / "sqlite", None), content(root / "postgresql", url), content(root / "dask", None)]
    differing = [*differences(held[0], held[1], "postgresql"), *differences(held[0], held[2], "dask")]
    say(*differing, f"{files} files, {len(held[0]['reports'])} results, {len(differing)} differences")
    return 1 if differing else 0


def differences(ours: dict[str, list[object]], theirs: dict[str, list[object]], name: str) -> list[str]:
    """Each part in which a gradebook differs from SQLite's, one line each."""
    pairs = [(part, zip(ours[part], theirs[part], strict=True)) for part in ours]
    return [f"{name}, {part}:\n  {one}\n  {two}" for part, both in pairs for one, two in both if one != two]


def say(*lines: str) -> None:
    """On stdout, at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
