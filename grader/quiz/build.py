"""Builds the bank: runs every key and every wrong option, refuses what cannot be asked fairly, freezes the rest.

quizzes/*.toml --read_bank--> questions --draws, run--> variants --checks--> quizzes/bank.lock.json
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from grader.course import Course
from grader.diagnosis.models import load_models
from grader.model import LANGUAGES, Text
from grader.quiz.answers import Asked, Outcome, mark, show_value
from grader.quiz.bank import Question, read_bank
from grader.quiz.drawing import Draw, ModelOf, draws, execute, holds, texts_of, value_of
from grader.quiz.formulas import evaluate, parse_formula, points
from grader.quiz.lock import FORMAT, HOLE, frozen

_CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_ALL_OF_THEM = re.compile(r"(?:all|none) of (?:the above|these|them)|以上(?:都|全|皆)", re.IGNORECASE)
_LETTER = re.compile(r"\b(?:[Oo]ption|[Aa]nswer|[Cc]hoice) [A-E1-5]\b|选项\s*[A-E1-5]")
_LONGEST = 3  # times the median of the wrong options: a key that long gives itself away


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
    records = [_record(course, question, _models(course)) for question in questions]
    order = {name: i for i, name in enumerate(course.names)}
    records.sort(key=lambda record: order[record["exercise"]])  # stable: within an exercise as the author wrote them
    text = _written(records)
    templates = sum(1 for question in questions if question.params)
    return Built(text, len(records), templates, sum(len(record["variants"]) for record in records))


def _written(records: list[dict[str, Any]]) -> str:
    """One line for each item and each variant: a change shows as what it is."""
    revision = hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()[:16]
    items = []
    for record in records:
        variants = ",\n".join(json.dumps(each, ensure_ascii=False) for each in record["variants"])
        head = json.dumps({**record, "variants": "@"}, ensure_ascii=False)
        items.append(head.replace('"@"', f"[\n{variants}\n]"))
    return f'{{"format": {FORMAT}, "revision": "{revision}", "items": [\n' + ",\n".join(items) + "\n]}\n"


def _models(course: Course) -> ModelOf:
    @cache
    def model(exercise: str, slug: str) -> Any:
        path = Path(course.root) / "solutions" / exercise / "mistakes.py"
        models = load_models(path, frozenset(course.mistakes), course.exercises[exercise].defines)
        return models.build(**(models.options([slug]) if slug else {}))

    return model


# --- one question ----------------------------------------------------------------------------------------------------


def _record(course: Course, question: Question, model_of: ModelOf) -> dict[str, Any]:
    _check_plain(course, question)
    holes = _holes(question)
    variants = []
    for draw in draws(question):
        variant = _variant(question, draw, model_of)
        variant["texts"] = texts_of(question, iter(holes), draw.names)
        _check_texts(question, variant["texts"])
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
        "right": [] if question.typed else [_both(each.text) for each in question.right if each.text],
        "wrong": [
            {"mistake": each.mistake, "why": _both(each.why), "text": None if question.typed else _both(each.text)}
            for each in question.wrong
        ],
        "also": list(question.also),
        "variants": variants,
    }


def _both(text: Text | None) -> dict[str, str] | None:
    return {"en": text.en, "zh": text.zh} if text else None


def _variant(question: Question, draw: Draw, model_of: ModelOf) -> dict[str, Any]:
    found: dict[str, Any] = {"id": draw.id, "texts": {}, "sizes": {}, "key": None, "wrong": []}
    if not question.typed:
        _check_claims(question, draw)
        return found
    key = value_of(question, question.right[0], draw, model_of)
    wrong = [value_of(question, option, draw, model_of) for option in question.wrong]
    sizes = _sizes(question, draw)
    asked = Asked(question.kind, key, wrong, Fraction(question.tolerance), sizes, question.also)
    _check_apart(question, asked, draw)
    _check_typed(question, asked, draw)
    _check_claims(question, draw)
    return {**found, "sizes": sizes, "key": frozen(key), "wrong": [frozen(each) for each in wrong]}


def _sizes(question: Question, draw: Draw) -> dict[str, int]:
    """Names that a learner may type for a number of a shape."""
    known = {name: value for name, value in draw.names.items() if name in {"B", "L", "S", "h", "k", "d"}}
    if question.kind != "shape":
        return {}
    if len(set(known.values())) < len(known):
        raise question.error("require", f"equal sizes in {known}", "require that all of them differ")
    return {**known, "v": known["k"]} if "k" in known else known


# --- checks ----------------------------------------------------------------------------------------------------------


def _check_plain(course: Course, question: Question) -> None:
    """What can be seen without running anything."""
    if question.exercise not in course.names:
        raise question.error("exercise", repr(question.exercise), f"name one of: {', '.join(course.names)}")
    for option in question.wrong:
        if option.mistake not in course.mistakes:
            raise question.error("wrong.mistake", repr(option.mistake), "name a slug of exercises/mistakes.toml")
    if len(question.wrong) < 2:
        raise question.error("wrong", f"{len(question.wrong)} wrong options", "write at least two")
    if question.kind == "choice" and len(question.right) != 1:
        raise question.error("right", f"{len(question.right)} right options", "write one, or make it a multi")
    options = [*question.right, *question.wrong]
    if not question.typed and any(option.text is None for option in options):
        raise question.error("text", "an option without a text", "write it in both languages")
    whole = question.typed and (question.right[0].run or question.right[0].holds)
    if not whole and question.source is None and any(option.holds is None for option in options):
        raise question.error(
            "holds", "a claim that nothing runs", "write `holds`, or `source` for what no code can show"
        )
    if not question.typed:
        _check_lengths(question)


def _check_lengths(question: Question) -> None:
    for language in LANGUAGES:
        right = max(len(each.text.in_language(language)) for each in question.right if each.text)
        usual = median(len(each.text.in_language(language)) for each in question.wrong if each.text)
        if right > max(_LONGEST * usual, 24):
            raise question.error("right.text", f"{right} characters ({language})", "write options of similar length")


def _texts(question: Question) -> Iterator[tuple[str, Text]]:
    yield from (("prompt", question.prompt), ("hint", question.hint), ("explain", question.explain))
    for option in (*question.right, *question.wrong):
        if option.why is not None:
            yield "why", option.why
        if option.text is not None and option.text.en != option.text.zh:
            yield "text", option.text


def _holes(question: Question) -> list[str]:
    """Every {{…}} of the question, in order; both languages have to name the same."""
    holes: dict[str, None] = {}
    for field, text in _texts(question):
        if _CHINESE.search(text.en) or not _CHINESE.search(text.zh):
            raise question.error(field, f"{text.en!r} and {text.zh!r}", "write English and Chinese, each in its place")
        if field == "text" and (_ALL_OF_THEM.search(text.en) or _ALL_OF_THEM.search(text.zh)):
            raise question.error(field, "an option about the other options", "let each option stand for itself")
        if field != "prompt" and (_LETTER.search(text.en) or _LETTER.search(text.zh)):
            raise question.error(field, "an option named by its place", "name it by what it says; options are shuffled")
        holes |= dict.fromkeys(HOLE.findall(text.en) + HOLE.findall(text.zh))
    for option in (*question.right, *question.wrong):
        holes |= dict.fromkeys(HOLE.findall(option.text.en) if option.text else [])
    holes |= dict.fromkeys(HOLE.findall(question.line or ""))
    return list(holes)


def _check_texts(question: Question, texts: Mapping[str, str]) -> None:
    """No brace is left over, and the options of one draw read differently."""
    for field, text in _texts(question):
        for language in LANGUAGES:
            left = HOLE.sub(lambda hole: texts[hole[1]], text.in_language(language))
            if "{{" in left or "}}" in left:
                raise question.error(field, repr(left), "close each {{…}}")
    for language in LANGUAGES:
        shown = [
            HOLE.sub(lambda hole: texts[hole[1]], option.text.in_language(language))
            for option in (*question.right, *question.wrong)
            if option.text is not None
        ]
        if len(set(shown)) < len(shown):
            raise question.error("wrong.text", f"two options that read the same: {shown}", "change one, or `require`")


def _check_apart(question: Question, asked: Asked, draw: Draw) -> None:
    """Each option is told from the key and from the others by the checker itself, in the spelling it is shown in."""
    shown = show_value(asked.kind, asked.key)
    if mark(asked, shown).outcome is not Outcome.RIGHT:
        raise question.error("answer", f"{shown} is not taken as right ({dict(draw.names)})", "mend the answer")
    for i, wrong in enumerate(asked.wrong):
        text = show_value(asked.kind, wrong).split("|")[0]
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
    for option, wanted in [*((each, True) for each in question.right), *((each, False) for each in question.wrong)]:
        claim = option.holds if question.kind not in {"word", "formula"} else question.right[0].holds
        if claim is None or (question.kind == "formula" and option.text is None):
            continue
        for names in _claimed_about(question, option.text, draw):
            if question.kind == "formula" and option.text is not None:
                value = evaluate(parse_formula(option.text.en).readings[0], {k: Fraction(v) for k, v in names.items()})
                true = value == execute(question, claim, names)
            else:
                true = holds(question, claim, names)
            if true is not wanted:
                named = option.text.en if option.text else option.mistake
                raise question.error("holds", f"{true} for {named!r} ({dict(names)})", "mend the claim or the option")


def _claimed_about(question: Question, text: Text | None, draw: Draw) -> Iterator[Mapping[str, Any]]:
    if question.kind == "formula":
        yield from ({name: int(value) for name, value in point.items()} for point in _small_points())
    elif question.kind == "word" and text is not None:
        yield from ({**draw.names, "word": word} for word in text.en.split("|"))
    else:
        yield draw.names


def _small_points() -> Collection[Mapping[str, Fraction]]:
    """Sizes for which a module is quickly made; those at which formulas are compared are much larger."""
    sizes = [(3, 4), (5, 9), (2, 16)]
    usual = points()[0]
    return [{**usual, "h": Fraction(h), "k": Fraction(k), "v": Fraction(k), "d": Fraction(h * k)} for h, k in sizes]
