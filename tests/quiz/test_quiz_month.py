"""A month of evenings on the page, over real HTTP: what is asked, how much, and that the terminal says the same."""

from __future__ import annotations

import hashlib
import html
import json
import re
import threading
from collections import Counter
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from http.client import HTTPConnection
from itertools import pairwise
from urllib.parse import urlencode

import pytest
from page_reader import Clock
from quiz_course import ROOT, Learner

from grader.course import installed_course, load_course
from grader.quiz.agenda import MOST_A_DAY, NEW_A_DAY
from grader.quiz.answers import typed_value
from grader.quiz.due import agenda
from grader.quiz.lock import Bank, read_lock
from grader.quiz.log import Log
from grader.quiz.session import Turn, arranged
from grader.quiz.state import state_of
from grader.quizpage.app import make_app
from grader.quizpage.guard import Guard
from grader.quizpage.server import listening, server
from grader.quizpage.sitting import Sitting

DAYS, START = 30, datetime(2026, 3, 1, 20, tzinfo=UTC)
WHOLE = read_lock(ROOT)
BANK = Bank("month", tuple(each for each in WHOLE.records if each["type"] != "code"))  # a line of code starts a sandbox


class Browser:
    """Somebody who opens the printed address, and sends the forms that the page shows."""

    def __init__(self, guard: Guard) -> None:
        self._wire = HTTPConnection("127.0.0.1", guard.port, timeout=60)
        self._own = {"Origin": f"http://127.0.0.1:{guard.port}"}
        self._wire.request("GET", guard.address.partition(str(guard.port))[2])
        reply = self._wire.getresponse()
        reply.read()
        self._own["Cookie"] = str(reply.getheader("Set-Cookie")).partition(";")[0]
        self.asked = 0  # requests

    def get(self, path: str = "/") -> str:
        """A page, or the one that it leads to."""
        return self._sent("GET", path, None)

    def post(self, path: str, form: dict[str, object]) -> str:
        """What comes after a form."""
        return self._sent("POST", path, urlencode(form, doseq=True))

    def _sent(self, method: str, path: str, body: str | None) -> str:
        self.asked += 1
        head = {**self._own, "Content-Type": "application/x-www-form-urlencoded"} if body is not None else self._own
        self._wire.request(method, path, body, head)
        reply = self._wire.getresponse()
        text = reply.read().decode()
        if reply.status == 303:
            return self._sent("GET", str(reply.getheader("Location")), None)
        assert reply.status == 200, text
        return text


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of the question of a page."""
    form = page.partition('<form method="post" action="/answer"')[2].partition("</form>")[0]
    return {
        name: html.unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    }


def answer_to(fields: dict[str, str], *, right: bool) -> tuple[Turn, dict[str, object]]:
    """The question of a form, and what somebody puts into it who knows the answer or does not."""
    item, count = BANK.items[fields["item"]], int(fields["count"])
    variant = item.variant(count)
    turn = Turn(item, variant, "scheduled", arranged(item, variant, count, date.fromisoformat(fields["day"])))
    if item.kind == "match":
        places = [turn.options.index(left) for left in range(len(item.right))]
        chosen = places if right else places[1:] + places[:1]
        return turn, {f"pair{i}": place + 1 for i, place in enumerate(chosen)}
    if item.typed:
        return turn, {"text": typed_value(turn.asked(), variant.answer if right else variant.wrong[0])}
    if item.kind == "recall":
        return turn, {"text": "-", "listed": 1, "tick": range(len(item.right)) if right else []}
    fitting = [place for place, option in enumerate(turn.options) if (option < len(item.right)) == right]
    picked = fitting if item.kind == "multi" and right else fitting[:1]
    outcome = {"outcome": variant.answer, "listed": 1} if item.kind == "predict" else {}
    return turn, {**outcome, "pick": picked}


def knows(item: str, day: int) -> bool:
    """Three times out of four, the same in every run."""
    return hashlib.sha256(f"{item} {day}".encode()).digest()[0] >= 64


def evening(browser: Browser, day: int, clock: Clock) -> list[tuple[str, str, bool]]:
    """One sitting, to its end: (item, family, right) of each answer."""
    given: list[tuple[str, str, bool]] = []
    page = browser.get("/")
    while 'action="/answer"' in page or 'action="/help"' in page:
        if 'action="/help"' in page:
            fields = dict(
                re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.partition('action="/help"')[2])
            )
            page = browser.post("/help", fields)
            continue
        fields = hidden(page)
        again = fields["item"] in {item for item, _, _ in given}
        right = again or knows(fields["item"], day)
        turn, answer = answer_to(fields, right=right)
        verdict = browser.post("/answer", {**fields, "do": "answer", "sure": 2, **answer})
        assert "<h2" in verdict or 'class="given' in verdict, verdict
        clock.move(seconds=20)
        given.append((turn.item.id, turn.item.family, right))
        page = browser.get("/")
        assert len(given) < 200
    return given


def assert_interleaved(topics: list[str]) -> None:
    """Neighbours differ in topic until only one topic is left."""
    for place, (one, other) in enumerate(pairwise(topics)):
        assert one != other or set(topics[place:]) == {one}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_month_on_the_page(tmp_path, language):
    """No day asks an item or its sibling twice or too much, neighbours differ, nothing is lost, the terminal agrees."""
    course, clock = load_course(installed_course()), Clock(START)
    path, loads, seen = tmp_path / "answers.db", [], 0
    with closing(listening(0)) as sock:
        guard = Guard(sock.getsockname()[1])
        made = server(sock, make_app(course, Sitting(BANK, path, clock, UTC), guard, language))
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        browser = Browser(guard)
        known: set[str] = set()
        for day in range(DAYS):
            given = evening(browser, day, clock)
            first = list(dict.fromkeys((item, family) for item, family, _ in given))
            assert max(Counter(family for _, family in first).values(), default=1) == 1
            assert len({item for item, _ in first} - known) <= NEW_A_DAY
            assert_interleaved([BANK.items[item].topic for item, _ in first if item in known])
            known |= {item for item, _ in first}
            loads.append(len(first))
            seen += len(given)
            clock.moment = START + timedelta(days=day + 1)
        made.shutdown()
        thread.join()
        made.server_close()
    with closing(Log(path)) as log:
        events = log.events()
        assert len(events) >= seen
        assert len([event for event in events if event.mode in {"scheduled", "retry"}]) == seen
        once = Counter((event.item, event.day) for event in events if event.mode == "scheduled")
        assert set(once.values()) == {1}
        today = clock().date()
        kept, anew = agenda(log, course.root, today), state_of(events, WHOLE)
        assert kept.known == anew.known
    assert 0 < min(loads[1:]) <= max(loads) <= MOST_A_DAY
    assert len(known) > 60
    told = json.loads(Learner(tmp_path).quiz("due", "--json", "--now", f"{today}T20:00+00:00", "--zone", "UTC").out)
    assert told["due"] == list(kept.due)
