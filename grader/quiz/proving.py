"""Proves what a question of the newer types claims, by running it: orders, pairs, endings, messages, lines, blanks.

Every function raises ContentError with file, question and field where the author's claim does not come out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from grader.errors import ContentError
from grader.quiz.arranging import read_order
from grader.quiz.asked import Value
from grader.quiz.bank import Option, Question
from grader.quiz.drawing import REFUSALS, Draw, ModelOf, execute, holds, raised_by
from grader.quiz.folding import UnreadableError
from grader.quiz.recalling import found_points

MOST_ORDERS = 24  # right ones; a question with more of them asks for little
_MOST_STEPS = 6

# --- order and match -------------------------------------------------------------------------------------------------


def orders_of(question: Question, draw: Draw) -> list[tuple[int, ...]]:
    """Every order of the steps for which the claim holds, the author's own first; found by running all of them."""
    steps = tuple(range(len(question.right)))
    if all(step.run is None for step in question.right):
        return [steps]  # `source` vouches for it
    if len(steps) > _MOST_STEPS:
        raise question.error("right", f"{len(steps)} steps", f"write at most {_MOST_STEPS}: each order of them is run")
    right = [order for order in permutations(steps) if _comes_out(question, order, draw)]
    if right[:1] != [steps]:
        raise question.error("answer.holds", "that it is false for the author's own order", "mend a step or the claim")
    if len(right) > MOST_ORDERS:
        raise question.error("right", f"{len(right)} orders that are right", f"allow at most {MOST_ORDERS}")
    return right


def _comes_out(question: Question, order: tuple[int, ...], draw: Draw) -> bool:
    answer = question.answer
    claim = (answer.holds if answer else None) or "True"
    pieces = [answer.given if answer and answer.given else "", *(question.right[step].run or "" for step in order)]
    code = "\n".join([*pieces, f"ans = bool({claim})"])
    return holds(question, code, draw.names, (Exception,))  # steps in a wrong order may well raise


def wrong_orders(question: Question, right: list[tuple[int, ...]]) -> list[Value]:
    """The orders of the wrong options; none of them is right."""
    found: list[Value] = []
    for option in question.wrong:
        order = _order(question, option)
        if order in right or order in found:
            raise question.error("wrong.order", f"{option.place!r}: right, or there already", "write another order")
        found.append(order)
    return found


def wrong_pairs(question: Question) -> list[Value]:
    """(left, right) of the pair that each wrong option names."""
    count = len(question.right)
    found: list[Value] = []
    for option in question.wrong:
        left, number = option.place[:1], option.place[1:]
        well = number.isdigit() and 0 < int(number) <= count and 0 <= ord(left) - ord("a") < count
        pair = (ord(left) - ord("a"), int(number) - 1) if well else (0, 0)
        if pair[0] == pair[1] or pair in found:
            raise question.error("wrong.pair", repr(option.place), 'write a left letter and a right number, "a2"')
        found.append(pair)
    return found


def _order(question: Question, option: Option) -> tuple[int, ...]:
    try:
        return read_order(option.place, len(question.right))
    except UnreadableError:
        raise question.error("wrong.order", repr(option.place), "name every step once") from None


# --- how code ends -----------------------------------------------------------------------------------------------


def check_ending(question: Question, draw: Draw, model_of: ModelOf) -> str:
    """What becomes of the code of a prediction; it is what the author wrote."""
    answer = question.answer
    assert answer is not None  # noqa: S101 - the bank reads one for this type
    assert answer.run is not None  # noqa: S101
    names: dict[str, Any] = dict(draw.names)
    code = answer.run + (answer.want or "")
    right = model_of(question.exercise, "") if "code." in code else None
    want = execute(question, answer.want or "", {**names, "code": right})
    model = model_of(question.exercise, answer.mistake) if answer.mistake else right
    if model is None and answer.mistake:
        raise question.error("answer.mistake", repr(answer.mistake), "name a mistake that this exercise has a model of")
    try:
        got = execute(question, answer.run, {**names, "code": model})
    except ContentError:
        outcome = "raises"
    else:
        outcome = "right" if alike(got, want) else "wrong"
    if outcome != answer.outcome:
        raise question.error("answer.outcome", f"{answer.outcome!r}, but it is {outcome!r}", "mend it")
    if all(option.outcome == outcome for option in question.wrong):
        raise question.error("wrong.outcome", f"only {outcome!r}", "add a reason for another outcome")
    return outcome


def alike(left: Any, right: Any) -> bool:
    """Whether two values are one, arrays and tensors by shape and numbers."""
    import numpy as np  # noqa: PLC0415 - only an author's machine needs it here

    left, right = (each.detach().numpy() if hasattr(each, "detach") else each for each in (left, right))
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.shape(left) == np.shape(right) and np.allclose(left, right, rtol=1e-5, atol=1e-7, equal_nan=True)
    return bool(left == right)


def message_of(question: Question, draw: Draw) -> str:
    """The message that the right cause leads to; no wrong cause does."""
    cause = question.right[0].run
    message = raised_by(question, cause, draw.names) if cause else None
    if message is None:
        raise question.error("right.run", "code that raises nothing", "write the code that leads to the message")
    for option in question.wrong:
        if option.run is not None and raised_by(question, option.run, draw.names) == message:
            raise question.error("wrong.run", f"the same message for {option.mistake}", "change one of the two")
    return message


# --- blanks and checklists -----------------------------------------------------------------------------------------


def check_words(question: Question, draw: Draw) -> None:
    """Every spelling of every blank comes out, and no wrong option does."""
    answer = question.right[0]
    if answer.run is not None:
        value = execute(question, answer.run, draw.names)
        said = (value,) if isinstance(value, str) else tuple(value)
        if said != tuple(each.partition("|")[0] for each in answer.words):
            raise question.error("answer.words", f"{answer.words}, but the code says {said}", "mend one of them")
    if answer.holds is None:
        return
    for words in _each_spelling(answer.words):
        if not holds(question, answer.holds, {**draw.names, "words": words, "word": words[0]}):
            raise question.error("answer.holds", f"that it is false for {words}", "mend the claim or the spelling")
    for option in question.wrong:
        first = tuple(each.partition("|")[0] for each in option.words)
        names = {**draw.names, "words": first, "word": first[0]}
        if holds(question, answer.holds, names, (*REFUSALS, TypeError, AttributeError)):
            raise question.error("wrong.words", f"that the claim holds for {first}", "change the option")


def _each_spelling(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    first = [each.partition("|")[0] for each in words]
    for i, each in enumerate(words):
        for spelling in each.split("|"):
            yield (*first[:i], spelling, *first[i + 1 :])


def check_points(question: Question, fill: Mapping[str, str]) -> None:
    """The explanation names every point in each language, as the author's examples do or do not."""
    points = [option.found for option in question.right]
    examples = [("explain", text, True) for text in (question.explain.en, question.explain.zh)]
    examples += [("accepted", text, True) for text in question.accepted]
    examples += [("refused", text, False) for text in question.refused]
    for field, text, wanted in examples:
        for hole, value in fill.items():
            text = text.replace("{{" + hole + "}}", value)  # noqa: PLW2901
        missing = sorted(set(range(len(points))) - set(found_points(text, points)))
        if (not missing) is not wanted:
            numbers = [each + 1 for each in missing]
            raise question.error(field, f"points {numbers} missing in {text!r}", "change the text or `found`")
