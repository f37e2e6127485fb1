"""Turns a walk through the pipeline into the strings and drawings of its page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.model import Exercise, Language, Message
from grader.pipeline.arithmetic import Array
from grader.pipeline.steps import Part, Step, Walk, differs, equal
from grader.report.grids import Cell, Format, number_format
from grader.report.heatmap import Scale
from grader.report.steps_page import PanelView, PartView, PictureView, StepsPage, StepView, ToldView, steps_page
from grader.report.tensors import Table
from grader.report.visible import line, tell

SYMBOLS = {"right": "✓", "wrong": "✗", "failed": "✗", "carried": "↳", "inside": "·", "not_written": "○", "given": "·"}
TITLE, TOKEN = 120, 12  # characters
SOURCES = {  # what each step is calculated from; the first and the last take matrices too
    "split": ("q", "k", "v"),
    "scores": ("q", "k"),
    "scale": ("scores",),
    "mask": ("scaled",),
    "softmax": ("masked",),
    "values": ("weights", "v"),
    "concat": ("heads",),
}
OWNED_COLUMNS = ("q", "k", "v", "joined")  # of shape (L, d_model), whose columns belong to heads


def html_page(walk: Walk, exercise: Exercise, language: Language) -> str:
    """The page on one walk, in one language."""
    return steps_page(_Page(walk, exercise, language).view())


class _Version(NamedTuple):
    """One array beside others: whose it is, and whether its first wrong cell is where somebody should look."""

    whose: str
    values: Array
    ringed: bool = False


class _Page:
    def __init__(self, walk: Walk, exercise: Exercise, language: Language) -> None:
        self._walk = walk
        self._exercise = exercise
        self._language = language
        self._tokens = [line(token.in_language(language), TOKEN) for token in walk.sentence.tokens]

    def _say(self, key: str, /, **fields: str | float) -> str:
        area = "" if "." in key else "show."
        return tell(Message(f"{area}{key}", fields), self._language)

    def view(self) -> StepsPage:
        sentence, steps = self._walk.sentence, self._walk.steps
        first = first_wrong(self._walk)
        return StepsPage(
            exercise=self._exercise.name,
            title=line(self._exercise.title.in_language(self._language), TITLE),
            language=self._language,
            about=tuple(self._about()),
            verdict=tell(verdict(self._walk, self._language), self._language),
            to_look_at=first,
            heads=tuple((head, self._say("figure.head", number=head)) for head in range(sentence.num_heads)),
            steps=tuple(self._step(number) for number in range(len(steps))),
        )

    def _about(self) -> Iterator[str]:
        sentence = self._walk.sentence
        sizes = {"L": sentence.length, "d_model": sentence.d_model, "h": sentence.num_heads, "d_k": sentence.d_k}
        if sentence.by_hand:
            yield self._say("by_hand")
        told = " · ".join(self._tokens)
        yield self._say("sizes", tokens=told, sizes=", ".join(f"{name} = {size}" for name, size in sizes.items()))

    # --- one step ---

    def _step(self, number: int) -> StepView:
        step = self._walk.steps[number]
        known = {part.name: part for each in self._walk.steps[:number] for part in each.parts}
        return StepView(
            number=number,
            title=step_title(step.name, self._language),
            arrow=_shape(step.parts[-1]),
            source=self._sources(step.name, known),
            result=_named_shapes(step.parts),
            about=tuple(self._what(step)),
            told=tuple(self._told(step)),
            parts=tuple(self._part(step, part, f"step-{number}-{place}") for place, part in enumerate(step.parts)),
        )

    def _sources(self, name: str, known: Mapping[str, Part]) -> str:
        """What goes into a step, with its shapes."""
        sentence = self._walk.sentence
        given = {
            "full": (Part("x", ("L", "d_model"), sentence.x), *self._matrices("w_q", "w_k", "w_v")),
            "output": (known.get("joined"), *self._matrices("w_o")),
        }
        parts = given.get(name) or tuple(known[source] for source in SOURCES[name])
        return _named_shapes([part for part in parts if part is not None])

    def _matrices(self, *names: str) -> Iterator[Part]:
        for name in names:
            written = f"W^{name[-1].upper()}"
            yield Part(written, ("d_model", "d_model"), self._walk.sentence.matrices[name])

    def _what(self, step: Step) -> Iterator[str]:
        """What the step does."""
        sentence = self._walk.sentence
        if step.name == "mask" and not sentence.causal:
            yield self._say("about_mask_none")
            return
        yield self._say(f"about_{step.name}", d_k=sentence.d_k, root=f"{math.sqrt(sentence.d_k):.3f}")
        if step.name == "output" and equal(sentence.matrices["w_o"], np.eye(sentence.d_model)):
            yield self._say("identity")

    def _told(self, step: Step) -> Iterator[ToldView]:
        yield self._told_as(step.state, self._told_key(step), step.exercise)
        if step.trouble is not None:
            yield ToldView("reason", "", tell(step.trouble, self._language))
        whole = self._walk.whole
        trouble = whole.troubles.get(step.name)
        if whole.differs_at(step.name):
            yield self._told_as("wrong", "whole_other" if trouble else "differs", whole.exercise)
        elif step.name in whole.parts:
            yield self._told_as("right", "whole_same", whole.exercise)
        elif step.name == "softmax":  # the first step at which the whole gives anything
            yield self._told_as(whole.state, f"whole_{whole.state}", whole.exercise)
            trouble = whole.trouble
        if trouble is not None:
            yield ToldView("reason", "", tell(trouble, self._language))

    def _told_as(self, kind: str, key: str, exercise: str) -> ToldView:
        return ToldView(kind, SYMBOLS[kind], self._say(key, exercise=exercise))

    @staticmethod
    def _told_key(step: Step) -> str:
        if step.state == "wrong":
            return "told_unusable" if step.trouble else "differs"
        return "told_calculated" if step.state == "carried" and not step.exercise else f"told_{step.state}"

    # --- arrays ---

    def _part(self, step: Step, part: Part, name: str) -> PartView:
        alone = step.state == "given" and part.own is None
        versions = [_Version("" if alone else self._say("figure.expected"), part.expected)]
        if part.own is not None:
            whose = self._say("figure.yours" if part.asked else "from_yours")
            versions.append(_Version(whose, part.own, ringed=part.asked and step.state == "wrong"))
        whole = self._walk.whole
        of_whole = whole.parts.get(step.name)
        if of_whole is not None and of_whole.own is not None and part is step.parts[-1]:
            whose = self._say("figure.yours") + f" · {whole.exercise}"
            versions.append(_Version(whose, of_whole.own, ringed=True))
        return PartView(part.name, _shape(part), tuple(self._panels(part, versions, name)))

    def _panels(self, part: Part, versions: Sequence[_Version], name: str) -> Iterator[PanelView]:
        """A panel for each head with all versions side by side; what has another shape stands in one of its own."""
        colours = Scale(*_range([version.values for version in versions]))
        form = _form([version.values for version in versions])
        alike = [version for version in versions if version.values.shape == part.expected.shape]
        for head, at in _slices(part.expected.ndim, len(part.expected)):
            owner = None if head is None else self._say("figure.head", number=head)
            pictures = []
            for place, (whose, values, ringed) in enumerate(alike):
                wrong = None if place == 0 else differs(values, part.expected)
                cells = _cells(values, at, form, wrong, ringed=ringed)
                table = self._table(part, values[at], cells, colours, head)
                title = " · ".join(filter(None, (part.name, owner, whose)))
                svg = table.svg(f"{name}-{head or 0}-{place}", title, self._spoken(table))
                pictures.append(PictureView(whose, svg))
            yield PanelView(head, owner or "", tuple(pictures))
        for place, (whose, values, _ringed) in enumerate(versions):
            if values.shape != part.expected.shape:
                yield self._other(part, values, whose, f"{name}-other-{place}", (form, colours))

    def _other(self, part: Part, values: Array, whose: str, name: str, look: tuple[Format, Scale]) -> PanelView:
        """An array of another shape: no head owns anything in it."""
        form, colours = look
        flat = values.reshape(1, -1) if values.ndim == 1 else values
        pictures = []
        for number, at in _slices(flat.ndim, len(flat)):
            columns, rows = ([str(place) for place in range(size)] for size in (flat.shape[-1], flat.shape[-2]))
            table = Table(rows, columns, _cells(flat, at, form, None), (), colours)
            title = f"{part.name} · {whose}" + (f" [{number}]" if number is not None else "")
            pictures.append(PictureView(title, table.svg(f"{name}-{number or 0}", title, self._spoken(table))))
        return PanelView(None, f"{whose} {values.shape}", tuple(pictures))

    def _table(
        self, part: Part, values: Array, cells: Sequence[Sequence[Cell]], colours: Scale, head: int | None
    ) -> Table:
        length, width = values.shape
        squared = part.axes[-2:] == ("L", "L")
        columns = self._tokens if squared else [str(place) for place in range(width)]
        owned = range(self._walk.sentence.num_heads) if part.name in OWNED_COLUMNS and head is None else ()
        return Table(self._tokens[:length], columns, cells, owned if head is None else (head,), colours)

    def _spoken(self, table: Table) -> str:
        """The numbers in words, row by row."""
        rows = zip(table.rows, table.cells, strict=True)
        said = [self._say("spoken_row", row=row, numbers="; ".join(c.text for c in cells)) for row, cells in rows]
        ringed = [cell.text for cells in table.cells for cell in cells if cell.first_wrong]
        said += [self._say("spoken_wrong", number=text) for text in ringed]
        return " ".join(said)


# --- what is known of a walk -------------------------------------------------------------------------------------


def step_title(name: str, language: Language) -> str:
    """What a step is called."""
    return tell(Message(f"show.title_{name}"), language)


def first_wrong(walk: Walk) -> int | None:
    """Number of the first step that the student should look at; None where none differs."""
    for number, step in enumerate(walk.steps):
        if step.state in ("wrong", "failed") or walk.whole.differs_at(step.name):
            return number
    return None


def verdict(walk: Walk, language: Language) -> Message:
    """How far the student's values agree, in one sentence."""
    first = first_wrong(walk)
    if first is not None:
        step = walk.steps[first]
        exercise = step.exercise if step.state in ("wrong", "failed") else walk.whole.exercise
        title = step_title(step.name, language)
        return Message("show.first_wrong", {"number": first, "title": title, "exercise": exercise})
    if walk.whole.state in ("failed", "wrong"):
        return Message("show.whole_stopped", {"exercise": walk.whole.exercise})
    right = {step.exercise for step in walk.steps if step.state == "right"}
    right |= {walk.whole.exercise} if walk.whole.state == "right" else set()
    if not right:
        return Message("show.nothing_written")
    return Message("show.all_agree", {"exercises": ", ".join(sorted(right))})


# --- numbers -----------------------------------------------------------------------------------------------------


def _shape(part: Part) -> str:
    return f"({', '.join(part.axes)}) = ({', '.join(map(str, part.expected.shape))})"


def _named_shapes(parts: Sequence[Part]) -> str:
    """The shapes of some arrays, those of one shape together: "q, k (h, L, d_k) = (2, 3, 2)"."""
    names: dict[str, list[str]] = {}
    for part in parts:
        names.setdefault(_shape(part), []).append(part.name)
    return "; ".join(f"{', '.join(of_shape)} {shape}" for shape, of_shape in names.items())


def _slices(ndim: int, heads: int) -> list[tuple[int | None, Any]]:
    """Of each head its table; of an array without heads the whole."""
    return [(None, ...)] if ndim < 3 else [(head, head) for head in range(heads)]


def _range(arrays: Sequence[Array]) -> tuple[float, float]:
    numbers = np.concatenate([values.ravel().astype(float) for values in arrays])
    finite = numbers[np.isfinite(numbers)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def _form(arrays: Sequence[Array]) -> Format:
    """One way to write all these numbers; what is infinite has a sign of its own."""
    values = [each for array in arrays for each in array.ravel().tolist()]
    write = number_format(values)

    def form(value: Any) -> str:
        infinite = isinstance(value, float) and math.isinf(value)
        return ("∞" if value > 0 else "-∞") if infinite else write(value)

    return form


def _cells(values: Array, at: Any, form: Format, wrong: Array | None, *, ringed: bool = False) -> list[list[Cell]]:
    """The cells of one table of an array; where it is asked for, the first wrong one of the whole array is ringed."""
    flags = np.zeros(values.shape, dtype=bool) if wrong is None else wrong
    first = np.zeros(values.shape, dtype=bool)
    if ringed and flags.any():
        first.ravel()[int(flags.argmax())] = True
    rows = zip(values[at].tolist(), flags[at].tolist(), first[at].tolist(), strict=True)
    return [[_cell(form, *each) for each in zip(*row, strict=True)] for row in rows]


def _cell(form: Format, value: Any, wrong: bool, first: bool) -> Cell:
    number = float(value) if math.isfinite(value) else None
    return Cell(form(value), number, wrong, first)
