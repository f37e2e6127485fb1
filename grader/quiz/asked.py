"""What is asked and what became of an answer: the kinds of questions, keys, and the verdict of the checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from grader.model import Message

# fmt: off
Kind = Literal[
    "shape", "number", "formula", "vector", "cloze", "code", "order", "match",
    "choice", "multi", "error", "predict", "recall",
]
# fmt: on
TYPED: tuple[Kind, ...] = ("shape", "number", "formula", "vector", "cloze", "code", "order", "match")  # `mark` reads it
OFFERED: tuple[Kind, ...] = TYPED[:6]  # typed at first, and picked from options after a miss
PICKED: tuple[Kind, ...] = ("choice", "multi", "error", "predict")  # options from the start; predict has two steps
KINDS: tuple[Kind, ...] = (*TYPED, *PICKED, "recall")  # recall is written freely, then ticked off

Value = tuple[int, ...] | tuple[Fraction, ...] | tuple[str, ...] | Fraction | str


class Outcome(StrEnum):
    """What became of an answer; only the first two are kept and count."""

    RIGHT = "right"
    WRONG = "wrong"
    RETYPE = "retype"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Asked:
    """What an answer is compared with.

    Attributes:
        key: a shape, a number, numbers, a formula, words, a line of code, or an order; see grader.quiz.lock.Item.
        wrong: values of the wrong options, in their order; of match the pairs that show a mistake.
        tolerance: of a number or of each number of a vector, edges included; 0 is exact.
        sizes: names that may stand for a number: in a shape, in what is said to equal a number (`d_k = 64`), and in a
            blank for axes, where they are the places of the axes.
        shown: which step or right end stands at each place of the screen.
        orders: every order of the steps that is right.
        cases: inputs of a line of code and what has to come out.
        question: its words in every language; "" where they are not known.
    """

    kind: Kind
    key: Value
    wrong: Sequence[Value] = ()
    tolerance: Fraction = Fraction(0)
    sizes: Mapping[str, int] = field(default_factory=dict)
    shown: tuple[int, ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    cases: tuple[Mapping[str, Any], ...] = ()
    question: str = ""


@dataclass(frozen=True)
class Marked:
    """What the checker says of one answer.

    Attributes:
        understood: what was read, as it is echoed; "" where nothing was.
        option: number of the wrong option that it equals, counted from 0.
        message: why it is sent back, or what can be said of a wrong answer that no option explains.
    """

    outcome: Outcome
    understood: str = ""
    option: int | None = None
    message: Message | None = None
