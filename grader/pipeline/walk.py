r"""Walks through the steps of multi-head attention, with a student's own functions.

    full q, k, v -> split -> scores -> scale -> mask -> softmax -> values -> concat -> W^O
    reference      each step, from the reference's values
    student        each step, from their own values before it: asked where an exercise holds it (FROM in pipeline.py),
                   calculated from these values where none does, or where theirs gives nothing that can be passed on
    whole          what the exercise itself gives for everything at once: weights and output

Nothing here gives or takes a point; only what the student's functions return is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from grader.course import load_module
from grader.errors import ContentError, SubmissionError
from grader.model import Exercise, Message
from grader.pipeline import arithmetic
from grader.pipeline.answers import UNUSABLE, Answer, answer_of, looked_at, state_of
from grader.pipeline.arithmetic import Array
from grader.pipeline.inputs import Sentence
from grader.pipeline.steps import Part, State, Step, Walk, Whole, equal
from grader.sandbox.client import Subject


class Pipeline(NamedTuple):
    """What `pipeline.py` of an exercise says: whose function makes which step, and how each is asked."""

    path: Path
    holders: Mapping[str, str]  # step -> exercise
    asks: Mapping[str, Callable[..., Any]]  # step, or "whole"


def load_pipeline(exercise: Exercise) -> Pipeline | None:
    """The pipeline of an exercise, None where it has none; raises ContentError."""
    path = exercise.solution / "pipeline.py"
    if not path.is_file():
        return None
    found = vars(load_module(path))
    holders = found.get("FROM")
    if not isinstance(holders, dict):
        raise ContentError(f'{path}: FROM: found {holders!r}; write {{"split": "01_split_heads", ...}}.')
    for name in (*holders, "whole"):
        if not callable(found.get(name)):
            raise ContentError(f"{path}: {name}: found no such function; write it.")
    return Pipeline(path, holders, {name: found[name] for name in (*holders, "whole")})


# --- walking -----------------------------------------------------------------------------------------------------

_WORST_FIRST: tuple[State, ...] = ("failed", "wrong", "not_written", "carried", "right", "inside", "given")


def walk(pipeline: Pipeline, sentence: Sentence, subjects: Mapping[str, Subject], exercise: str) -> Walk:
    """Every step of the pipeline.

    Args:
        subjects: the student's files by exercise; one that is not here is not written.
        exercise: the one that computes everything at once.
    """
    walker = _Walker(pipeline, sentence, subjects)
    steps = walker.steps()
    return Walk(sentence, steps, walker.whole(exercise, {step.name: step.parts[-1] for step in steps}))


class _Walker:
    """The arrays so far by name, of the reference and of the student."""

    def __init__(self, pipeline: Pipeline, sentence: Sentence, subjects: Mapping[str, Subject]) -> None:
        self._pipeline = pipeline
        self._sentence = sentence
        self._subjects = subjects
        self._want: dict[str, Array] = {}
        self._have: dict[str, Array] = {}

    def steps(self) -> tuple[Step, ...]:
        """All of them, in order; each goes on from what those before have left."""
        d_k, w_o, have = self._sentence.d_k, self._sentence.matrices["w_o"], self._have

        def mixed(heads: Array) -> Array:
            return arithmetic.output(arithmetic.concat(heads), w_o)

        return (
            self._full(),
            self._split(),
            self._inside("scores", "scores", "h L L", self._both(arithmetic.scores, "q", "k")),
            self._asked(
                "scale",
                "scaled",
                "h L L",
                self._both(lambda scores: arithmetic.scale(scores, d_k), "scores"),
                lambda: (have["q"], have["k"]),
            ),
            self._mask(),
            self._asked(
                "softmax",
                "weights",
                "h L L",
                self._both(arithmetic.softmax, "masked"),
                lambda: (have["scaled"], have["allowed"] if self._sentence.causal else None),
            ),
            self._inside("values", "heads", "h L d_k", self._both(arithmetic.weigh, "weights", "v")),
            self._asked(
                "concat",
                "joined",
                "L d_model",
                self._both(arithmetic.concat, "heads"),
                lambda: (have["heads"],),
            ),
            self._asked(
                "output",
                "out",
                "L d_model",
                self._both(mixed, "heads"),  # an exercise for this step joins the heads itself
                lambda: (have["heads"], w_o),
                otherwise=arithmetic.output(have["joined"], w_o),
            ),
        )

    def _both(self, calculate: Callable[..., Array], *names: str) -> tuple[Array, Array]:
        """What these arrays give: those of the reference, and those of the student."""
        want, have = (calculate(*(values[name] for name in names)) for values in (self._want, self._have))
        return want, have

    # --- one step each ---

    def _full(self) -> Step:
        parts = []
        for name in "qkv":
            full = arithmetic.output(self._sentence.x, self._sentence.matrices[f"w_{name}"])
            self._want[f"full {name}"] = self._have[f"full {name}"] = full
            parts.append(Part(name, ("L", "d_model"), full))
        return Step("full", tuple(parts), "given")

    def _split(self) -> Step:
        heads = self._sentence.num_heads
        made = []
        for name in "qkv":
            full = self._have[f"full {name}"]
            pair = self._both(lambda full: arithmetic.split(full, heads), f"full {name}")
            made.append(self._asked("split", name, "h L d_k", pair, lambda full=full: (full, heads)))  # type: ignore[misc]
        return _together(*made)

    def _mask(self) -> Step:
        """Two arrays: what is allowed, and the scores behind it."""
        length = self._sentence.length
        may = arithmetic.allowed(length, causal=self._sentence.causal)
        if self._sentence.causal:
            allowed = self._asked("mask", "allowed", "L L", (may, may), lambda: (length,))
        else:
            self._want["allowed"] = self._have["allowed"] = may
            allowed = Step("mask", (Part("allowed", ("L", "L"), may),), "given")
        return _together(
            allowed, self._inside("mask", "masked", "h L L", self._both(arithmetic.mask, "scaled", "allowed"))
        )

    def _inside(self, name: str, part: str, axes: str, pair: tuple[Array, Array]) -> Step:
        """What no function of the student gives, calculated from their values before it."""
        self._want[part], self._have[part] = pair
        want, have = pair
        same = equal(have, want)
        made = Part(part, tuple(axes.split()), want, None if same else have)
        return Step(name, (made,), "inside" if same else "carried")

    def _asked(
        self,
        name: str,
        part: str,
        axes: str,
        pair: tuple[Array, Array],
        arguments: Callable[[], tuple[object, ...]],
        *,
        otherwise: Array | None = None,
    ) -> Step:
        """What the student's function gives for their own values; without one, what is calculated.

        Args:
            pair: what is right for the reference's values, and what is right for the student's.
            otherwise: what is calculated where there is no function, if it is not the second of the pair.
        """
        want, right = pair
        calculated = right if otherwise is None else otherwise
        exercise = self._pipeline.holders.get(name, "")
        if not exercise:
            return self._inside(name, part, axes, (want, calculated))
        answer = self._answer_of(exercise, name, arguments(), right)
        shown, state = answer.shown, answer.state
        if answer.fits and shown is not None:
            state = "right" if equal(shown, want) else "carried" if equal(shown, right) else "wrong"
        self._want[part], self._have[part] = want, shown if answer.fits and shown is not None else calculated
        asked = shown is not None
        if shown is None and not equal(calculated, want):
            shown = calculated
        made = Part(part, tuple(axes.split()), want, shown, asked)
        return Step(name, (made,), state, exercise, answer.trouble)

    # --- asking ---

    def _answer_of(self, exercise: str, step: str, arguments: tuple[object, ...], like: Array) -> Answer:
        """The answer to one step, within the time of one check; not written where there is no such file."""
        subject = self._subject(exercise)
        if subject is None:
            return Answer("not_written")
        ask = self._pipeline.asks[step]
        return answer_of(lambda: ask(subject, *arguments), like)

    def _subject(self, exercise: str) -> Subject | None:
        subject = self._subjects.get(exercise)
        if subject is not None:
            subject.begin_check()
        return subject

    def whole(self, exercise: str, parts: Mapping[str, Part]) -> Whole:
        """Weights and output of everything at once, each beside the reference.

        Args:
            parts: the last array of each step.
        """
        subject, sentence = self._subject(exercise), self._sentence
        if subject is None:
            return Whole(exercise, "not_written")
        ask = self._pipeline.asks["whole"]
        try:
            out, weights = ask(subject, sentence.x, dict(sentence.matrices), sentence.num_heads, causal=sentence.causal)
        except SubmissionError as error:
            state = state_of(error)
            return Whole(exercise, state, trouble=error.message if state == "failed" else None)
        except UNUSABLE:  # the author's function took apart an answer of another form, such as unpacking None
            return Whole(exercise, "wrong", trouble=Message("show.no_pair"))
        pairs = {"softmax": (parts["softmax"], weights), "output": (parts["output"], out)}
        answers = {name: looked_at(value, part.expected) for name, (part, value) in pairs.items()}
        made = {name: replace(pairs[name][0], own=each.shown) for name, each in answers.items()}
        troubles = {name: each.trouble for name, each in answers.items() if each.trouble is not None}
        whole = Whole(exercise, "right", made, troubles=troubles)
        return replace(whole, state="wrong") if any(map(whole.differs_at, pairs)) else whole


def _together(first: Step, *others: Step) -> Step:
    """Several arrays of one step as one, whose state is the worst of theirs."""
    steps = (first, *others)
    worst = min(steps, key=lambda step: _WORST_FIRST.index(step.state))
    return replace(
        worst, parts=tuple(part for step in steps for part in step.parts), exercise=first.exercise or worst.exercise
    )
