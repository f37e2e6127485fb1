"""What can be seen of a question without running it: whether it is whole, reads well, and gives nothing away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from statistics import median

from grader.course import Course
from grader.model import LANGUAGES, Text
from grader.quiz.asked import PICKED, Kind
from grader.quiz.bank import Question
from grader.quiz.lock import HOLE

_CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_ALL_OF_THEM = re.compile(r"(?:all|none) of (?:the above|these|them)|以上(?:都|全|皆)", re.IGNORECASE)
_LETTER = re.compile(r"\b(?:[Oo]ption|[Aa]nswer|[Cc]hoice) [A-E1-5]\b|选项\s*[A-E1-5]")
_BLANK = re.compile(r"_{3,}")
_ONE_RIGHT: tuple[Kind, ...] = ("choice", "error", "predict")
_LONGEST = 3  # times the median of the wrong options: a key that long gives itself away


def check_plain(course: Course, question: Question) -> None:
    """What can be seen without running anything."""
    if question.exercise not in course.names:
        raise question.error("exercise", repr(question.exercise), f"name one of: {', '.join(course.names)}")
    for option in question.wrong:
        if option.mistake not in course.mistakes:
            raise question.error("wrong.mistake", repr(option.mistake), "name a slug of exercises/mistakes.toml")
    if len(question.wrong) < 2:
        raise question.error("wrong", f"{len(question.wrong)} wrong options", "write at least two")
    if question.source is None and not _proved(question):
        raise question.error(
            "holds", "a claim that nothing runs", "write `holds`, or `source` for what no code can show"
        )
    if question.kind in PICKED:
        _check_picked(question)
    elif question.kind == "recall" and len(question.wrong) != len(question.right):
        raise question.error("wrong", f"{len(question.wrong)} for {len(question.right)} points", "write one for each")
    elif question.kind == "cloze":
        _check_blanks(question)


def _check_picked(question: Question) -> None:
    if question.kind in _ONE_RIGHT and len(question.right) != 1:
        raise question.error("right", f"{len(question.right)} right options", "write one, or make it a multi")
    if any(option.text is None for option in (*question.right, *question.wrong)):
        raise question.error("text", "an option without a text", "write it in both languages")
    _check_lengths(question)


def _proved(question: Question) -> bool:
    """Whether code shows what the question claims; an outcome, a message and a line are run in any case."""
    answer = question.answer
    if question.kind in {"predict", "code"}:
        return True
    if question.kind == "order":
        return bool(answer and answer.holds) and all(step.run for step in question.right)
    if question.kind in {"match", "recall"}:
        return all(part.holds for part in question.right)
    if question.kind == "error":
        return all(option.run or option.holds for option in (*question.right, *question.wrong))
    whole = answer is not None and (answer.run or answer.holds)
    return bool(whole) or all(option.holds for option in (*question.right, *question.wrong))


def _check_blanks(question: Question) -> None:
    blanks = len(question.right[0].words)
    for language in LANGUAGES:
        found = len(_BLANK.findall(question.prompt.in_language(language)))
        if found != blanks:
            raise question.error("prompt", f"{found} blanks ({language}) for {blanks} words", "write ____ for each")
    for option in question.wrong:
        if len(option.words) != blanks:
            raise question.error("wrong.words", f"{len(option.words)} words for {blanks} blanks", "write one for each")


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
        for field, part in (("text", option.text), ("end", option.end)):
            if part is not None and part.en != part.zh:
                yield field, part


def holes_of(question: Question) -> list[str]:
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
        for part in (option.text, option.end):
            holes |= dict.fromkeys(HOLE.findall(part.en) if part else [])
    holes |= dict.fromkeys(HOLE.findall(question.line or ""))
    return list(holes)


def check_texts(question: Question, texts: Mapping[str, str]) -> None:
    """No brace is left over, and the options of one draw read differently."""
    for field, text in _texts(question):
        for language in LANGUAGES:
            left = HOLE.sub(lambda hole: texts[hole[1]], text.in_language(language))
            if "{{" in left or "}}" in left:
                raise question.error(field, repr(left), "close each {{…}}")
    options = (*question.right, *question.wrong)
    for language in LANGUAGES:
        for parts in ([each.text for each in options], [each.end for each in options]):
            shown = [HOLE.sub(lambda hole: texts[hole[1]], part.in_language(language)) for part in parts if part]
            if len(set(shown)) < len(shown):
                raise question.error("text", f"two options that read the same: {shown}", "change one, or `require`")
