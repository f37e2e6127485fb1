"""Builds the bank: runs every key and every wrong option, refuses what cannot be asked fairly, freezes the rest.

quizzes/*.toml --read_bank--> questions --draws, run--> variants --checks--> quizzes/bank.lock.json
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.diagnosis.models import load_models
from grader.model import Text
from grader.quiz.answers import mark, typed_value
from grader.quiz.asked import OFFERED, Asked, Outcome, Value
from grader.quiz.bank import Option, Question, read_bank
from grader.quiz.cases import cases_of
from grader.quiz.drawing import REFUSALS, Draw, ModelOf, draws, execute, holds, texts_of, value_of
from grader.quiz.formulas import evaluate, parse_formula, points
from grader.quiz.lines import one_sandbox
from grader.quiz.lock import FORMAT, HOLE, PATH, frozen
from grader.quiz.proving import (
    check_ending,
    check_points,
    check_words,
    message_of,
    orders_of,
    wrong_orders,
    wrong_pairs,
)
from grader.quiz.reading import check_plain, check_texts, holes_of

MESSAGE = "message"  # hole of a question about an error: what was raised


@dataclass(frozen=True)
class Built:
    """A bank that passed every check."""

    text: str  # of bank.lock.json
    items: int
    templates: int
    variants: int


def build(course: Course) -> Built:
    """Check the whole bank and freeze it; the same bank gives the same bytes.

    Raises:
        ContentError: the first thing that is wrong; names file, question, field and fix.
    """
    questions = read_bank(course.root)
    with one_sandbox(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # models of mistakes divide by 0, and steps in a wrong order overflow
        model_of = models_of(course)
        records = [_record(course, question, model_of) for question in questions]
    order = {name: i for i, name in enumerate(course.names)}
    records.sort(key=lambda record: order[record["exercise"]])  # stable: within an exercise as the author wrote them
    text = _written(records, course.root / PATH)
    templates = sum(1 for question in questions if question.params)
    return Built(text, len(records), templates, sum(len(record["variants"]) for record in records))


def _written(records: list[dict[str, Any]], before: Path) -> str:
    """One line for each item and each variant: a change shows as what it is."""
    revision = hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()[:16]
    items = []
    for record in records:
        variants = ",\n".join(json.dumps(each, ensure_ascii=False) for each in record["variants"])
        head = json.dumps({**record, "variants": "@"}, ensure_ascii=False)
        items.append(head.replace('"@"', f"[\n{variants}\n]"))
    head = f'{{"format": {FORMAT}, "revision": "{revision}", "edition": {_edition(before, revision)}, "items": [\n'
    return head + ",\n".join(items) + "\n]}\n"


def _edition(before: Path, revision: str) -> int:
    """Number of this revision: that of the frozen bank where it is the same one, else the next."""
    try:
        frozen_bank = json.loads(before.read_bytes())
        return int(frozen_bank.get("edition", 0)) + int(frozen_bank["revision"] != revision)
    except (OSError, ValueError, KeyError, TypeError):
        return 1


def models_of(course: Course) -> ModelOf:
    """Right code and the models of mistakes of the exercises of a course; None for a mistake without a model."""

    @cache
    def model(exercise: str, slug: str) -> Any:
        path = Path(course.root) / "solutions" / exercise / "mistakes.py"
        models = load_models(path, frozenset(course.mistakes), course.exercises[exercise].defines)
        if slug and slug not in models.mistakes:
            return None
        return models.build(**(models.options([slug]) if slug else {}))

    return model


# --- one question ----------------------------------------------------------------------------------------------------


def _record(course: Course, question: Question, model_of: ModelOf) -> dict[str, Any]:
    check_plain(course, question)
    holes = [hole for hole in holes_of(question) if hole != MESSAGE]
    variants = []
    for draw in draws(question):
        variant = _variant(question, draw, model_of)
        variant["texts"] |= texts_of(question, iter(holes), draw.names)
        check_texts(question, variant["texts"])
        if question.kind == "recall":
            check_points(question, variant["texts"])
        variants.append(variant)
    return {
        "id": question.id,
        "version": question.version,
        "type": question.kind,
        "topic": question.topic,
        "title": _both(question.title),
        "exercise": question.exercise,
        "family": question.family,
        "prompt": _both(question.prompt),
        "hint": _both(question.hint),
        "explain": _both(question.explain),
        "line": question.line,
        "tolerance": question.tolerance,
        "right": [] if question.kind in OFFERED else [_both(each.text) for each in question.right],
        "wrong": [_wrong_record(question, each) for each in question.wrong],
        **({"ends": [_both(each.end) for each in question.right]} if question.kind == "match" else {}),
        **({"points": [list(each.found) for each in question.right]} if question.kind == "recall" else {}),
        "variants": variants,
    }


def _wrong_record(question: Question, option: Option) -> dict[str, Any]:
    text = None if question.kind in OFFERED else _both(option.text)
    record: dict[str, Any] = {"mistake": option.mistake, "why": _both(option.why), "text": text}
    return {**record, "outcome": option.outcome} if option.outcome else record


def _both(text: Text | None) -> dict[str, str] | None:
    return {"en": text.en, "zh": text.zh} if text else None


def _variant(question: Question, draw: Draw, model_of: ModelOf) -> dict[str, Any]:
    """One draw with everything that was computed for it, each claim proved."""
    found: dict[str, Any] = {"id": draw.id, "texts": {}, "sizes": {}, "key": None, "wrong": []}
    wrong: Sequence[Value] = ()
    if question.kind == "order":
        orders = orders_of(question, draw)
        wrong = wrong_orders(question, orders)
        found |= {"key": list(orders[0]), "orders": [list(each) for each in orders]}
        asked = Asked("order", orders[0], wrong, shown=orders[0], orders=tuple(orders))
    elif question.kind == "match":
        wrong = wrong_pairs(question)
        asked = Asked("match", "", wrong, shown=tuple(range(len(question.right))))
    elif question.kind in OFFERED:
        asked = _asked(question, draw, model_of)
        wrong = asked.wrong
        found |= {"sizes": dict(asked.sizes), "key": frozen(asked.key)}
        found |= {"cases": list(asked.cases)} if asked.cases else {}
    else:
        found |= _of_picked(question, draw, model_of)
        _check_claims(question, draw)
        return found
    _check_apart(question, asked, draw)
    _check_typed(question, asked, draw)
    _check_claims(question, draw)
    return {**found, "wrong": [frozen(each) for each in wrong]}


def _asked(question: Question, draw: Draw, model_of: ModelOf) -> Asked:
    if question.kind == "code":
        wrong = tuple(option.line or "" for option in question.wrong)
        cases = cases_of(question, draw, model_of)
        return Asked("code", question.right[0].line or "", wrong, cases=cases)
    key = value_of(question, question.right[0], draw, model_of)
    values = [value_of(question, option, draw, model_of) for option in question.wrong]
    return Asked(question.kind, key, values, Fraction(question.tolerance), _sizes(question, draw))


def _of_picked(question: Question, draw: Draw, model_of: ModelOf) -> dict[str, Any]:
    if question.kind == "error":
        return {"texts": {MESSAGE: message_of(question, draw)}}
    return {"key": check_ending(question, draw, model_of)} if question.kind == "predict" else {}


def _sizes(question: Question, draw: Draw) -> dict[str, int]:
    """Names that a learner may type for a number of a shape, or name beside a number; of a cloze the axes."""
    if question.kind not in {"shape", "number"}:
        return {name: place for place, name in enumerate(question.axes)}
    known = {name: value for name, value in draw.names.items() if name in {"B", "L", "S", "h", "k", "d"}}
    if question.kind == "shape" and len(set(known.values())) < len(known):
        raise question.error("require", f"equal sizes in {known}", "require that all of them differ")
    return {**known, "v": known["k"]} if "k" in known else known


# --- what the checker and the code say of it ------------------------------------------------------------------------


def _check_apart(question: Question, asked: Asked, draw: Draw) -> None:
    """Each option is told from the key and from the others by the checker itself, in the spelling it is shown in."""
    shown = typed_value(asked, asked.key)
    if mark(asked, shown).outcome is not Outcome.RIGHT:
        raise question.error("answer", f"{shown} is not taken as right ({dict(draw.names)})", "mend the answer")
    for i, wrong in enumerate(asked.wrong if asked.kind != "match" else ()):  # pairs differ, and so do ends
        text = typed_value(asked, wrong)
        marked = mark(asked, text)
        if marked.outcome is not Outcome.WRONG or marked.option != i:
            found = f"{text} for {question.wrong[i].mistake}: {marked.outcome.value}, option {marked.option}"
            raise question.error("wrong", f"{found} ({dict(draw.names)})", "change the option, or `require` more")


def _check_typed(question: Question, asked: Asked, draw: Draw) -> None:
    """The author's own examples of right and wrong answers."""
    for field, texts in (("accepted", question.accepted), ("refused", question.refused)):
        for text in texts:
            typed = _filled(question, text, draw)
            if (mark(asked, typed).outcome is Outcome.RIGHT) != (field == "accepted"):
                raise question.error(field, f"{typed!r}: {mark(asked, typed)}", "change the example or the answer")


def _filled(question: Question, text: str, draw: Draw) -> str:
    values = texts_of(question, iter(HOLE.findall(text)), draw.names)
    return HOLE.sub(lambda hole: values[hole[1]], text)


def _check_claims(question: Question, draw: Draw) -> None:
    """The code of every claim: true for a right option, false for a wrong one; formulas agree with what they count."""
    if question.kind == "formula":
        _check_formulas(question)
    elif question.kind == "cloze":
        check_words(question, draw)
    elif question.kind != "order":
        for option in (*question.right, *question.wrong):
            wanted = not option.mistake
            refuted_by = () if wanted else REFUSALS
            if option.holds is not None and holds(question, option.holds, draw.names, refuted_by) is not wanted:
                named = option.text.en if option.text else option.mistake
                found = f"{not wanted} for {named!r} ({dict(draw.names)})"
                raise question.error("holds", found, "mend the claim or the option")


def _check_formulas(question: Question) -> None:
    claim = question.right[0].holds
    for option in (*question.right, *question.wrong) if claim else ():
        for point in _small_points():
            tree = parse_formula(option.text.en if option.text else "").readings[0]
            counted = execute(question, claim or "", {name: int(value) for name, value in point.items()})
            if (evaluate(tree, point) == counted) is not (not option.mistake):
                named = option.text.en if option.text else option.mistake
                raise question.error("holds", f"{option.mistake != ''} for {named!r}", "mend the claim or the option")


def _small_points() -> Collection[Mapping[str, Fraction]]:
    """Sizes for which a module is quickly made; those at which formulas are compared are much larger."""
    sizes = [(3, 4), (5, 9), (2, 16)]
    usual = points()[0]
    return [{**usual, "h": Fraction(h), "k": Fraction(k), "v": Fraction(k), "d": Fraction(h * k)} for h, k in sizes]
