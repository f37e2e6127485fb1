"""A frozen bank with one question of every type, full of signs that mean something to one format or another."""

from __future__ import annotations

import hashlib
from typing import Any

from grader.quiz.lock import Bank

NASTY = "a<b & c>d, \\(QK^T\\), ~ = # { } : \\ \"q\" 's' → -> * `x[:, 0]` 100% &lt; <b>"
TWO_LINES = f"{NASTY}\nsecond line"
MISTAKES = ("every-head-gets-all-columns", "head-count-and-width-exchanged", "scores-not-scaled")


def text(en: str, zh: str | None = None) -> dict[str, str]:
    """A text of the bank."""
    return {"en": en, "zh": en if zh is None else zh}


def record(kind: str, *variants: dict[str, Any], name: str = "", **fields: Any) -> dict[str, Any]:
    """One item as it stands in the lock."""
    wrongs = fields.pop("wrongs", [None, None])
    return {
        "id": f"made.{name or kind}",
        "version": 1,
        "type": kind,
        "topic": "made",
        "title": text("Made/up", "自编/题"),
        "exercise": "01_split_heads",
        "family": f"made.{name or kind}",
        "prompt": text(f"{kind}: {TWO_LINES}", f"{kind}：题目 {TWO_LINES}"),
        "hint": text(f"hint {NASTY}", f"提示 {NASTY}"),
        "explain": text(f"because {NASTY}", f"因为 {NASTY}"),
        "line": "python -c 'print(1 < 2 and {\"a\": 3})'",
        "tolerance": "0",
        "right": [],
        "wrong": [
            {"mistake": MISTAKES[i], "why": text(f"why {i} {NASTY}", f"原因 {i} {NASTY}"), "text": option}
            for i, option in enumerate(wrongs)
        ],
        **fields,
        "variants": list(variants) or [variant(None)],
    }


def variant(key: Any, *wrong: Any, **fields: Any) -> dict[str, Any]:
    """One variant as it stands in the lock."""
    name = hashlib.sha256(str(key).encode()).hexdigest()[:10]
    return {"id": name, "texts": {}, "sizes": {}, "key": key, "wrong": list(wrong), **fields}


def options(*texts: str) -> list[dict[str, str]]:
    """Texts of options."""
    return [text(each, f"{each} 选项") for each in texts]


def made_bank(edition: int = 1, wording: str = "") -> Bank:
    """The bank; with another wording, as an author might change it."""
    picked = {"wrongs": options(f"no {NASTY}", "=never")}
    records = [
        record("number", variant("2359296", "768", "12"), variant("10", "20", "2")),
        record("number", variant("1/4", "1/2", "3/4"), name="rounded", tolerance="0.01"),
        record("number", variant("1/100000", "1/2", "3/4"), name="tiny", tolerance="0.000001"),
        record("shape", variant([2, 8, 5], [8, 2, 5], "error")),
        record("shape", variant("error", [8, 2, 5], [8, 5]), name="raising"),
        record("formula", variant("4*d_model^2", "3*d_model^2", "4*d_k^2")),
        record("vector", variant(["1/4", "1/4", "1/2"], ["1", "0", "0"], ["1/4", "1/2", "1/4"]), tolerance="0.01"),
        record("cloze", variant(["average_attn_weights|avg"], ["need_weights"], ["batch_first|bf"])),
        record("cloze", variant(["L", "B|batch"], ["B", "L"], ["L", "h"]), name="gaps"),
        record("code", variant("S[:, ~m] = -1e9", "S[~m] = -1e9", "S[:, m] = 0")),
        record(
            "order", variant([0, 1, 2], [1, 0, 2], [2, 1, 0], orders=[[0, 1, 2]]), right=options("split", "mix", "->")
        ),
        record(
            "order",
            variant([0, 1, 2], [2, 1, 0], [2, 0, 1], orders=[[0, 1, 2], [1, 0, 2]]),
            name="free-order",
            right=options("q", "k", "scores"),
        ),
        record(
            "match", variant(None, [0, 1], [1, 0]), right=options(f"h {NASTY}", "i"), ends=options("heads", "number")
        ),
        record("choice", right=options(f"yes {NASTY}"), **picked),
        record("multi", right=options("one", "two", "three"), **picked),
        record("error", right=options("the cause"), **picked),
        record("predict", variant("wrong"), right=options("mixed up"), **picked),
        record("recall", right=options("project", "split"), points=[["project"], ["split"]]),
    ]
    for each in records:
        if each["type"] == "predict":
            each["wrong"][0]["outcome"], each["wrong"][1]["outcome"] = "raises", "right"
        each["prompt"] = text(each["prompt"]["en"] + wording, each["prompt"]["zh"] + wording)
    return Bank(f"revision-{edition}", tuple(records), edition)
