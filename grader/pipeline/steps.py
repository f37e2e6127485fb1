"""What is known of one walk through the pipeline: its steps, their arrays, and how the student's compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from grader.diagnosis.leaves import elementwise
from grader.model import Message
from grader.pipeline.arithmetic import Array
from grader.pipeline.inputs import Sentence

State = Literal["given", "right", "wrong", "carried", "inside", "not_written", "failed"]
TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class Part:
    """One array of a step.

    Attributes:
        name: as it is written: "q", "weights".
        axes: names of its axes.
        expected: of the reference.
        own: the student's, None where it is not looked at beside the reference.
        asked: `own` is what their function gave, not what was calculated from their values before it.
    """

    name: str
    axes: tuple[str, ...]
    expected: Array
    own: Array | None = None
    asked: bool = False

    @property
    def wrong(self) -> Array | None:
        """True where the student's differs; None where the two cannot be compared."""
        return None if self.own is None else differs(self.own, self.expected)


@dataclass(frozen=True, eq=False)
class Step:
    """One step of the pipeline.

    Attributes:
        state: given (it was put in), right, wrong (this step itself), carried (right in itself, from values that were
            wrong before), inside (no function of the student gives it), not_written, failed (it raised or stopped).
        exercise: whose function was asked, "" where none.
        trouble: what came instead of a usable answer.
    """

    name: str
    parts: tuple[Part, ...]
    state: State
    exercise: str = ""
    trouble: Message | None = None


@dataclass(frozen=True, eq=False)
class Whole:
    """What the exercise gives for everything at once.

    Attributes:
        parts: by step, weights at "softmax", out at "output".
        trouble: why there is nothing of it.
        troubles: by step, why an array is none that could be right.
    """

    exercise: str
    state: State
    parts: Mapping[str, Part] = field(default_factory=dict)
    trouble: Message | None = None
    troubles: Mapping[str, Message] = field(default_factory=dict)

    def differs_at(self, step: str) -> bool:
        """Whether it gives something else for a step."""
        own = self.parts[step].own if step in self.parts else None
        return step in self.troubles or (own is not None and not equal(own, self.parts[step].expected))


@dataclass(frozen=True, eq=False)
class Walk:
    """All steps in their order, for one input."""

    sentence: Sentence
    steps: tuple[Step, ...]
    whole: Whole


def differs(got: Array, want: Array) -> Array | None:
    """True where two arrays of one shape differ; None where their shapes do. Infinities equal themselves, NaN NaN."""
    if got.shape != want.shape:
        return None
    return ~np.asarray(elementwise(got.astype(float), want.astype(float)) <= TOLERANCE)


def equal(got: Array, want: Array) -> bool:
    wrong = differs(got, want)
    return wrong is not None and not wrong.any()
