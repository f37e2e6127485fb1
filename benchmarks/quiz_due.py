"""Times `grade quiz due`, on a month of answers, against the imports that any such command needs.

    python benchmarks/quiz_due.py [PAIRS]

The other process is `python -c "import click, sqlite3, tomllib, json"`; target: 2.5 times that. Both are started in
turn, so that whatever else the machine does hits both; each pair gives one ratio. `same` is a prompt that asks again,
`next day` the first one of a day, `changed` one after an answer that came from elsewhere (a session leaves its result
behind), which has to read the bank and ask the scheduler.
"""

import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.quiz.events import Event, blank_event
from grader.quiz.lock import read_lock
from grader.quiz.log import Log

ROOT = Path(__file__).parents[1]
TARGET = 2.5
BASE = [sys.executable, "-c", "import click, sqlite3, tomllib, json"]
DUE = [sys.executable, "-c", "from grader.cli.main import main; main()", "quiz", "due"]
FIRST = datetime(2026, 3, 1, 20, tzinfo=UTC)
DAYS, A_DAY = 30, 8
DONE = (0, 10)  # exit codes: nothing due, or something


def answer(log: Log, moment: datetime, item: str) -> Event:
    """One answer, right three times in four."""
    outcome = "right" if secrets.randbelow(4) else "wrong"
    blank = blank_event("scheduled", moment, UTC, moment.date())
    return replace(blank, id=log.new_id(moment), item=item, version=1, outcome=outcome, confidence=2, ms=20_000)


def month(path: Path) -> Log:
    """The log of somebody who answered every day for a month."""
    items = [record["id"] for record in read_lock(ROOT).records]
    log = Log(path)
    moments = [FIRST + timedelta(days=day, minutes=minute) for day in range(DAYS) for minute in range(A_DAY)]
    log.absorb([answer(log, moment, items[i % len(items)]) for i, moment in enumerate(moments)])
    return log


def seconds(command: list[str], environ: dict[str, str]) -> float:
    """Wall time of one process."""
    begun = time.perf_counter()
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in DONE:
        sys.exit(f"{command} ended with {done.returncode}")
    return time.perf_counter() - begun


def main(pairs: int) -> int:
    """Print the ratios; 1 where the one of a prompt that asks again misses its target."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "MANYHEADS_DATA": folder, "TZ": "UTC"}
        log = month(Path(folder) / "answers.db")
        worst = 0.0
        for name in ("same", "next day", "changed"):
            day = FIRST + timedelta(days=DAYS)
            seconds([*DUE, "--now", day.isoformat()], environ)
            ratios, mine = [], []
            for _ in range(pairs):
                if name == "next day":
                    day += timedelta(days=1)
                elif name == "changed":
                    log.append(answer(log, day, "splitting.shape"))
                base = seconds(BASE, environ)
                mine.append(seconds([*DUE, "--now", day.isoformat()], environ))
                ratios.append(mine[-1] / base)
            ratio = statistics.median(ratios)
            print(f"{name:>8}: {statistics.median(mine) * 1000:4.0f} ms, {ratio:.2f} times the imports alone")
            worst = max(worst, ratio) if name != "changed" else worst
        log.close()
    print(f"target: {TARGET}")
    return int(worst > TARGET)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
