"""Reads the attacks: what each one tries, what has to come of it, and the bytes that a student would hand in.

An attack is a file of `attacks/`. It opens with a sentence that says what it tries; comment lines below say the rest:

    # verdict: wrong | crashed      what the report may say, the likeliest first
    # points: as zeros              none, all, any, or "as zeros": what an honest array of zeros of the right shape gets
    # needs: seccomp, landlock      layers without which it may succeed; left out, it is held with any one of them off
    # says: sandbox.time_limit      keys of sentences of which the report must have one
    # file: numpy.py                its name in the student's folder, if not concat.py
    # bytes: crlf                   how its text is written

Names between two pairs of @ stand for places that exist only while the tests run, and for bytes no editor keeps.
An attack says "breach: ..." on standard output where something succeeded that must not, and "rotten: ..." where it
could not even be tried, because the grader has changed and the attack has to follow. No attack is ever imported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "attacks"
TORCH_FOLDER = Path(__file__).parent / "torch_attacks"  # against an exercise that uses torch
POINTS = ("none", "as zeros", "all", "any")
LAYERS = frozenset({"uid", "namespaces", "landlock", "seccomp"})

_HEADER = re.compile(r"^# (verdict|points|needs|says|file|bytes): (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r'(?:"""|^# )(.+?)(?:"""|$)', re.MULTILINE)
_MADE = {
    "@@NUL@@": "\0",
    "@@ESCAPE@@": "\x1b",
    "@@DIGITS@@": "7" * 1_000_000,
    "@@LETTERS@@": "a" * 1_000_000,
    "@@OPEN@@": "(" * 100_000,
    "@@CLOSE@@": ")" * 100_000,
    "@@MINUS@@": "-" * 100_000,
    "@@PLUS_ZERO@@": "+0" * 500_000,
}


@dataclass(frozen=True)
class Attack:
    """One hostile submission and what is expected of the grader."""

    name: str
    tries: str
    verdicts: tuple[str, ...]
    points: str
    needs: frozenset[str]
    says: frozenset[str]
    filename: str
    written: str
    text: str

    def source(self, places: Mapping[str, str]) -> bytes:
        """The bytes to hand in; `places` maps a name such as "@@GRADER_PID@@" to what it stands for."""
        text = self.text
        for name, meaning in {**_MADE, **places}.items():
            text = text.replace(name, meaning)
        return _written(text, self.written)


def _written(text: str, how: str) -> bytes:
    ways = {
        "plain": text.encode,
        "bom": lambda: b"\xef\xbb\xbf" + text.encode(),
        "crlf": lambda: text.replace("\n", "\r\n").encode(),
        "cr": lambda: text.replace("\n", "\r").encode() + b"\x0c# the end",
        "latin-1": lambda: text.encode("latin-1"),
        "utf-16": lambda: text.encode("utf-16"),
    }
    return ways[how]()


def _read(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    header = dict(_HEADER.findall(text))
    sentence = _SENTENCE.search(re.sub(r"\A# -\*- .+\n", "", text))
    attack = Attack(
        name=path.stem,
        tries=sentence[1] if sentence else "",
        verdicts=tuple(header["verdict"].split(" | ")),
        points=header["points"],
        needs=frozenset(header["needs"].split(", ")) if "needs" in header else frozenset(),
        says=frozenset(header["says"].split(" | ")) if "says" in header else frozenset(),
        filename=header.get("file", "concat.py").replace("@@ESCAPE@@", "\x1b"),
        written=header.get("bytes", "plain"),
        text=text,
    )
    assert attack.tries.endswith("."), f"{path}: opens with no sentence"
    assert attack.points in POINTS, f"{path}: points: {attack.points}"
    assert attack.needs <= LAYERS, f"{path}: needs: {sorted(attack.needs)}"
    return attack


ATTACKS = tuple(_read(path) for path in sorted(FOLDER.glob("*.py")))
TORCH_ATTACKS = tuple(_read(path) for path in sorted(TORCH_FOLDER.glob("*.py")))
