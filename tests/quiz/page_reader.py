"""A frozen bank with a question of each type, as a build writes it, and a browser without a window for its page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from grader.course import Course
from grader.quiz.events import Event
from grader.quiz.lock import Bank, Item
from grader.quiz.log import Log
from grader.quiz.session import Turn, arranged
from grader.quizpage.app import make_app
from grader.quizpage.guard import Guard
from grader.quizpage.sitting import Sitting

PORT = 8765
SLUGS = (
    "every-head-gets-all-columns",
    "head-count-and-width-exchanged",
    "count-multiplied-by-the-heads",
    "heads-left-behind-the-positions",
)


def both(en: str, zh: str | None = None) -> dict[str, str]:
    """A text in both languages."""
    return {"en": en, "zh": zh if zh is not None else f"{en}（中文）"}


def record(kind: str, prompt: dict[str, str], *, wrong: list[Any], values: bool = True, **own: Any) -> dict[str, Any]:
    """One item; `wrong` are values of a typed question, or texts of one that is picked from."""
    variant = {
        "id": f"{kind}-a",
        "texts": {},
        "sizes": {},
        "key": own.pop("key", None),
        "wrong": wrong if values else [],
    }
    variant |= {name: own.pop(name) for name in ("orders", "cases") if name in own}
    return {
        "id": f"kinds.{kind}",
        "version": 1,
        "type": kind,
        "topic": "kinds",
        "title": both("Kinds", "各种题型"),
        "exercise": "01_split_heads",
        "family": f"kinds.{kind}",
        "prompt": prompt,
        "tolerance": "0",
        "hint": both("Think of d_k = d_model / h.", "想一想 d_k = d_model ÷ h。"),
        "explain": both("Because √d_k it is, and W_i^Q too.", "因为是 √d_k，W_i^Q 也一样。"),
        "line": "python -c 'print(2 ** 10)'",
        "right": own.pop("right", []),
        "wrong": [
            {
                "mistake": slug,
                "why": both(f"That is the mistake number {i}.", f"这是第 {i} 个错误。"),
                "text": None if values else both(text),
                "outcome": own.get("outcomes", ["", "", ""])[i],
            }
            for i, (slug, text) in enumerate(zip(SLUGS, wrong, strict=False))
        ],
        "variants": [variant],
        **{name: value for name, value in own.items() if name != "outcomes"},
    }


ROWS = {"array": "float64", "shape": [2, 2, 1], "values": [1.0, 2.0, 3.0, 4.0]}
CASE = {
    "given": {"heads": ROWS},
    "right": {"array": "float64", "shape": [2, 2], "values": [1.0, 3.0, 2.0, 4.0]},
    "wrong": [{"array": "float64", "shape": [2, 2], "values": [1.0, 2.0, 3.0, 4.0]}],
}
RECORDS = {
    "shape": record(
        "shape",
        both("x has shape (3, 5, 96). What does x.view(3, 5, 4, -1).transpose(1, 2) have?"),
        key=[3, 4, 5, 24],
        wrong=[[3, 5, 4, 24], [3, 4, 5, 96], "raises"],
    ),
    "number": record("number", both("d_model = 96, 4 heads. d_k?"), key="24", wrong=["96", "4", "384"]),
    "formula": record(
        "formula", both("How many parameters? Write it with d_model."), key="4*d_model^2", wrong=["3*d_model^2", "d_k"]
    ),
    "vector": record(
        "vector", both("Which weights?", "权重是多少？"), key=["0.25", "0.25", "0.5"], wrong=[["1", "0", "0"]]
    ),
    "cloze": record(
        "cloze",
        both("mha(x, x, x, ______=False) keeps the weights of each head."),
        key=["average_attn_weights"],
        wrong=[["need_weights"], ["batch_first"]],
    ),
    "code": record(
        "code",
        both("heads has shape (h, L, d_v). Join them in one line."),
        key="heads.transpose(1, 0, 2).reshape(2, 2)",
        wrong=["heads.reshape(2, 2)"],
        cases=[CASE],
    ),
    "order": record(
        "order",
        both("Put the steps of a layer in order.", "按顺序排列一层的各个步骤。"),
        key=[0, 1, 2],
        wrong=[[1, 0, 2]],
        orders=[[0, 1, 2]],
        right=[both("scores"), both("softmax"), both("weights @ v")],
    ),
    "match": record(
        "match",
        both("What do the symbols mean?", "这些符号是什么意思？"),
        wrong=[[0, 1]],
        right=[both("h", "h"), both("d_k", "d_k"), both("W^O", "W^O")],
        ends=[both("number of heads"), both("width of one head"), both("mixes the heads & joins <b>nothing</b>")],
    ),
    "choice": record(
        "choice",
        both("What sums to 1?"),
        values=False,
        right=[both("Each row: one query over all keys")],
        wrong=["Each column: one key over all queries", "Each table"],
    ),
    "multi": record(
        "multi",
        both("d_model = 96. Which numbers of heads fit?"),
        values=False,
        right=[both("h = 1"), both("h = 6")],
        wrong=["h = 5", "h = 7"],
    ),
    "error": record(
        "error",
        both("RuntimeError: view size is not compatible with input tensor's size and stride. Why?"),
        values=False,
        right=[both("transpose changed the strides")],
        wrong=["The number of elements is wrong"],
    ),
    "predict": record(
        "predict",
        both("heads.reshape(L, h * d_v) joins the heads. What happens?"),
        values=False,
        key="wrong",
        right=[both("The order of the numbers stays")],
        wrong=["The sizes do not fit", "It is the same as a transpose"],
        outcomes=["raises", "right", ""],
    ),
    "recall": record(
        "recall",
        both("Write down the steps of a layer with their shapes.", "写出一层的步骤和各步的形状。"),
        values=False,
        right=[both("scores (B, h, L, L)"), both("softmax over keys")],
        wrong=["-", "-"],
        points=[["(B, h, L, L)"], ["softmax"]],
    ),
}
RIGHT = {
    "shape": "(3, 4, 5, 24)",
    "number": "24",
    "formula": "4d²",
    "vector": "0.25, 0.25, 0.50",
    "cloze": "average_attn_weights",
    "code": "heads.transpose(1, 0, 2).reshape(2, 2)",
}
WRONG = {
    "shape": "(3, 5, 4, 24)",
    "number": "96",
    "formula": "3d²",
    "vector": "1, 0, 0",
    "cloze": "need_weights",
    "code": "heads.reshape(2, 2)",
}


def bank_of(*kinds: str) -> Bank:
    """A bank with these questions, all where none is named."""
    return Bank("kinds", tuple(RECORDS[kind] for kind in kinds or RECORDS))


def turn_of(item: Item) -> Turn:
    """An item as it is asked for the first time."""
    variant = item.variant(0)
    return Turn(item, variant, "scheduled", arranged(item, variant, 0, date(2026, 12, 1)))


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, moment: datetime = datetime(2026, 12, 1, 9, tzinfo=UTC)) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def move(self, **by: float) -> None:
        """Move it on, or back."""
        self.moment += timedelta(**by)


@dataclass
class Reader:
    """Somebody at a page: follows where it leads, and sends its forms as they stand."""

    client: FlaskClient
    guard: Guard
    path: Path
    page: str = ""
    code: int = 0
    at: str = ""
    base: str = field(init=False)
    clock: Clock | None = None

    def __post_init__(self) -> None:
        self.base = f"http://127.0.0.1:{self.guard.port}"
        self.client.get(f"/?token={self.guard.token}", base_url=self.base)

    def get(self, path: str = "/", **more: Any) -> str:
        """Open a page."""
        return self._seen(self.client.get(path, base_url=self.base, follow_redirects=True, **more))

    def post(self, path: str, data: Mapping[str, Any], **more: Any) -> str:
        """Send a form as a browser does."""
        headers = {"Origin": self.base, **more.pop("headers", {})}
        return self._seen(
            self.client.post(path, base_url=self.base, data=data, headers=headers, follow_redirects=True, **more)
        )

    def _seen(self, response: TestResponse) -> str:
        self.page, self.code, self.at = response.text, response.status_code, response.request.path
        return self.page

    def fields(self, page: str | None = None) -> dict[str, str]:
        """The hidden fields of the first form of a page."""
        form = (self.page if page is None else page).partition("<form")[2].partition("</form>")[0]
        return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))

    def answer(self, **given: Any) -> str:
        """Answer the question that is open."""
        return self.post("/answer", {**self.fields(), "do": "answer", **given})

    def answer_undone(self) -> str:
        """Take the last answer back."""
        return self.post("/undo", {"form": self.guard.form_token, "entry": self.events()[-1].id})

    def events(self) -> list[Event]:
        """The whole log."""
        log = Log(self.path)
        events = log.events()
        log.close()
        return events


def reader(course: Course, path: Path, bank: Bank, clock: Clock, language: str = "en", **limits: Any) -> Reader:
    """Somebody who has opened the printed address; each call is a server of its own."""
    guard = Guard(PORT)
    sitting = Sitting(bank, path, clock, UTC, **{"minutes": 100, "new": 20, **limits})
    app = make_app(course, sitting, guard, language)
    app.testing = True
    return Reader(app.test_client(), guard, path)
