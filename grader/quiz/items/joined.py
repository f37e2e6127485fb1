"""Sets the mistakes that a class shows in questions beside those that it shows in code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.quiz.items.reading import Learner, answers_of
from grader.quiz.lock import Bank


@dataclass(frozen=True)
class Share:
    """How many of how many learners."""

    count: int
    of: int


@dataclass(frozen=True)
class InCode:
    """What a gradebook knows: who showed a mistake for certain, and who attempted an exercise.

    Attributes:
        shown: students by mistake.
        exercises: exercises in which a mistake was shown.
        attempted: students by exercise.
    """

    shown: Mapping[str, frozenset[str]] = field(default_factory=dict)
    exercises: Mapping[str, frozenset[str]] = field(default_factory=dict)
    attempted: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class JoinedMistake:
    """One mistake.

    Attributes:
        quiz: learners who gave an answer that shows it, of those who were asked a question that can.
        code: students whose code shows it, of those who attempted an exercise in which anybody's does; None without a
            gradebook.
        both: names that are in both.
        items: questions in which it was shown.
    """

    slug: str
    quiz: Share
    code: Share | None
    both: int
    items: tuple[str, ...]
    exercises: tuple[str, ...]


def joined_mistakes(bank: Bank, learners: Sequence[Learner], code: InCode | None) -> list[JoinedMistake]:
    """Every mistake that was shown anywhere, the most frequent first."""
    shown: dict[str, set[str]] = defaultdict(set)
    where: dict[str, set[str]] = defaultdict(set)
    asked: dict[str, set[str]] = defaultdict(set)
    for learner in learners:
        for event in answers_of(learner):
            if event.item not in bank.items:
                continue
            for option in bank.items[event.item].wrong:
                asked[option.mistake].add(learner.name)
            if event.outcome == "wrong" and event.mistake:
                shown[event.mistake].add(learner.name)
                where[event.mistake].add(event.item)
                asked[event.mistake].add(learner.name)
    slugs = {*shown, *(code.shown if code else ())}
    found = [_joined(slug, shown[slug], asked[slug], where[slug], code) for slug in slugs]
    return sorted(found, key=lambda each: (-each.quiz.count - (each.code.count if each.code else 0), each.slug))


def _joined(slug: str, shown: set[str], asked: set[str], where: set[str], code: InCode | None) -> JoinedMistake:
    quiz = Share(len(shown), len(asked))
    if code is None:
        return JoinedMistake(slug, quiz, None, 0, tuple(sorted(where)), ())
    makers = code.shown.get(slug, frozenset())
    exercises = sorted(code.exercises.get(slug, ()))
    attempted = set().union(*(code.attempted.get(name, ()) for name in exercises))
    share = Share(len(makers), len(attempted))
    return JoinedMistake(slug, quiz, share, len(makers & shown), tuple(sorted(where)), tuple(exercises))
