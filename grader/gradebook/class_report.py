"""The report on a whole class: what the gradebook holds, counted and put in order for one page.

standings, tallies, names, course --> ClassPage --> DIR/index.html
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from grader.course import Course, load_exercise
from grader.gradebook.attention import Why, for_a_person
from grader.gradebook.exports import REPORTS, noted, status_of, who
from grader.gradebook.nameable import nameable
from grader.gradebook.pages import folder_name
from grader.gradebook.policy import Policy
from grader.gradebook.standings import Standing
from grader.gradebook.tallies import CheckTally, Named, Tallies
from grader.model import Language, Message, Text, Verdict
from grader.report.class_page import (
    UNREADABLE,
    CheckLine,
    ClassPage,
    Discussed,
    ExercisePart,
    Linked,
    Look,
    MistakeLine,
    Pair,
    Share,
    StudentLine,
    class_page,
)
from grader.report.visible import line, tell
from grader.state import write_whole

INDEX, LOOK = "index.html", "look"  # the page, and its part on what needs a person
MOST_PAIRS, MOST_EXAMPLES, LEAST_PAIRS = 10, 3, 3  # two students may share two mistakes by chance
MOST_DISCUSSED, LEAST_PERCENT, LEAST_STUDENTS = 6, 5, 2  # a mistake that fewer make is nothing for the whole class
HARD_PERCENT, MOST_HARD = 50, 4  # checks that fewer pass are worth a word
NAME = 80  # characters of an id or a name


class ClassNotes(NamedTuple):
    """What a page says beside the counts."""

    names: Mapping[str, str]  # of the class list, by id
    language: Language
    made_at: str
    policy: Policy


def write_class_report(
    folder: Path, course: Course, standings: Sequence[Standing], found: Tallies, notes: ClassNotes
) -> None:
    """Write DIR/index.html. Raises OSError."""
    counted = _Class(course, standings, found, notes)
    write_whole(folder / INDEX, class_page(counted.page()))


class _Class:
    """One class, in one language."""

    def __init__(self, course: Course, standings: Sequence[Standing], found: Tallies, notes: ClassNotes) -> None:
        self._course = course
        self._standings = standings
        self._found = found
        self._notes = notes
        self._names = notes.names
        self._language: Language = notes.language
        self._exercises = sorted({one.exercise for one in standings if one.exercise})
        self._by_exercise: dict[str, list[Standing]] = defaultdict(list)
        self._attempted: dict[str, set[str]] = defaultdict(set)
        for one in standings:
            self._by_exercise[one.exercise].append(one)
            if one.verdict not in (None, Verdict.NOT_ATTEMPTED.value):
                self._attempted[one.exercise].add(one.student)
        self._weights = {one.exercise: one.weight for one in standings}
        slugs = frozenset(course.mistakes)
        self._nameable = {name: _nameable(course, name, slugs) for name in self._exercises}
        self._most = {
            name: max((one.max_points or 0 for one in self._by_exercise[name]), default=0) for name in self._exercises
        }

    def page(self) -> ClassPage:
        totals = self._totals()
        whole = sum(most * self._weights[name] for name, most in self._most.items())
        shares = tuple(total / whole for total in totals.values()) if whole else ()
        several = len(self._exercises) > 1
        columns = ("column_points", "column_verdict", "mistakes")
        return ClassPage(
            language=self._language,
            made_at=f"{self._notes.made_at[:16].replace('T', ' ')} UTC",
            whole=f"{whole:g}",
            students=len({one.student for one in self._standings}),
            graded=_graded(self._standings),
            shares=shares,
            median=f"{100 * statistics.median(shares):.0f}%" if shares else "",
            exercises=tuple(self._exercise(name) for name in self._exercises),
            lesson=tuple(self._lesson()),
            mistakes=tuple(self._mistakes()),
            pairs=tuple(self._pairs()),
            discussed=(*self._discussed(), *self._hard_checks()),
            looks=tuple(self._looks()),
            columns=self._short_names() if several else tuple(self._say(key) for key in columns),
            weights=self._shown_weights() if several else (),
            lines=tuple(self._lines(totals, several=several)),
            notes=tuple(tell(note, self._language) for note in self._notes.policy.notes),
        )

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"class.{key}", fields), self._language)

    def _listed(self, texts: Sequence[str]) -> str:
        return ("、" if self._language == "zh" else ", ").join(texts)

    def _text(self, text: Text) -> str:
        return text.in_language(self._language)

    # --- scores ------------------------------------------------------------------------------------------------

    def _totals(self) -> dict[str, float]:
        """Weighted points of each student who has any result; what is not there counts nothing."""
        totals: dict[str, float] = {}
        for one in self._standings:
            if one.points is not None:
                totals[one.student] = totals.get(one.student, 0.0) + one.points * one.weight
        return totals

    def _exercise(self, name: str) -> ExercisePart:
        most = self._most[name]
        points = [one.points for one in self._by_exercise[name] if one.points is not None]
        attempts = len(self._attempted[name])
        known = load_exercise(self._course, name) if name in self._course.names else None
        checks = [check for check in self._found.checks if check.exercise == name]
        return ExercisePart(
            name=name,
            title=self._text(known.title) if known else name,
            graded=_graded(self._by_exercise[name]),
            attempts=attempts,
            full=Share(sum(each >= most for each in points), len(points)),
            median=_of(statistics.median(points), most) if points else "",
            shares=tuple(each / most for each in points) if most else (),
            checks=tuple(CheckLine(self._rule(check), Share(check.passed, check.attempts)) for check in checks),
        )

    def _rule(self, check: CheckTally) -> str:
        """What a check is about; its name alone where the course no longer has it."""
        known = load_exercise(self._course, check.exercise) if check.exercise in self._course.names else None
        return self._text(known.rules[check.name]) if known and check.name in known.rules else check.name

    # --- mistakes ----------------------------------------------------------------------------------------------

    def _lesson(self) -> Iterator[MistakeLine]:
        for row in self._course.rows.values():
            slugs = {slug for slug, mistake in self._course.mistakes.items() if mistake.row == row.id}
            named = [one for one in self._found.named if self._row(one.mistake, one.row) == row.id]
            yield self._line(row.id, self._text(row.title), slugs, named)

    def _mistakes(self) -> Iterator[MistakeLine]:
        lines = [
            (slug, self._line(self._row(slug, named[0].row) or "", self._title(slug), {slug}, named, exercises=True))
            for slug, named in self._by_mistake().items()
        ]
        # ties by the slug, not by the title: the first ones are the same in both languages
        yield from (each for _, each in sorted(lines, key=lambda one: (-one[1].share.count, -one[1].possible, one[0])))

    def _row(self, slug: str, graded: str | None) -> str | None:
        """The lesson's row of a mistake: that of today, as all rows are counted; as graded where it has no card."""
        mistake = self._course.mistakes.get(slug)
        return mistake.row if mistake else graded

    def _by_mistake(self) -> dict[str, list[Named]]:
        found: dict[str, list[Named]] = defaultdict(list)
        for one in self._found.named:
            found[one.mistake].append(one)
        return found

    def _title(self, slug: str) -> str:
        mistake = self._course.mistakes.get(slug)
        return self._text(mistake.title) if mistake else slug

    def _line(
        self, row: str, title: str, slugs: Collection[str], named: Sequence[Named], *, exercises: bool = False
    ) -> MistakeLine:
        """How often any of these mistakes was named, of those who could make it."""
        certain = {one.student for one in named if one.certain}
        possible = {one.student for one in named} - certain
        where = {one.exercise for one in named}
        could = where | {name for name, known in self._nameable.items() if not known.isdisjoint(slugs)}
        share = Share(len(certain), len(set().union(*(self._attempted[name] for name in could))))
        told = self._listed(sorted(where)) if exercises else ""
        return MistakeLine(row, title, share, len(possible), told, can_occur=bool(could))

    def _pairs(self) -> Iterator[Pair]:
        makers: dict[str, set[str]] = defaultdict(set)
        for one in self._found.named:
            if one.certain:  # of mistakes that cannot be told apart, all would come together
                makers[one.mistake].add(one.student)
        of_student: dict[str, list[str]] = defaultdict(list)
        for slug in sorted(makers):
            for student in makers[slug]:
                of_student[student].append(slug)
        counts = Counter(pair for slugs in of_student.values() for pair in combinations(slugs, 2))
        for (first, second), count in counts.most_common(MOST_PAIRS):
            rarer, other = sorted((first, second), key=lambda slug: len(makers[slug]))
            if count >= LEAST_PAIRS and self._is_telling(count, makers[rarer], makers[other], other):
                yield Pair(self._title(first), self._title(second), Share(count, len(makers[rarer])))

    def _is_telling(self, both: int, rarer: set[str], makers: set[str], other: str) -> bool:
        """Whether who made the rarer mistake made the other one more often than everybody who could."""
        could = self._line("", "", {other}, [one for one in self._found.named if one.mistake == other]).share
        return both * could.of > len(makers) * len(rarer)

    # --- to talk about -----------------------------------------------------------------------------------------

    def _discussed(self) -> Iterator[Discussed]:
        """The mistakes that many made, with the question that leads out of each."""
        ranked = []
        for slug, named in self._by_mistake().items():
            share = self._line("", "", {slug}, named).share
            if slug in self._course.mistakes and share.count >= LEAST_STUDENTS and share.percent >= LEAST_PERCENT:
                ranked.append((-share.count, slug, share, named))
        for _, slug, share, named in sorted(ranked)[:MOST_DISCUSSED]:
            mistake = self._course.mistakes[slug]
            where = self._listed(sorted({one.exercise for one in named}))
            certain = [one for one in named if one.certain][:MOST_EXAMPLES]
            yield Discussed(
                title=self._text(mistake.title),
                told=self._say("discuss_mistake", **_told(share), exercises=where),
                question=self._text(mistake.question),
                belief=self._text(mistake.belief),
                examples=tuple(Linked(self._who(one.student), _href(one.student, one.exercise)) for one in certain),
            )

    def _hard_checks(self) -> Iterator[Discussed]:
        """The checks that most did not pass."""
        hard = [(Share(check.passed, check.attempts), check) for check in self._found.checks]
        hard = [each for each in hard if each[0].of >= LEAST_STUDENTS and each[0].percent < HARD_PERCENT]
        for share, check in sorted(hard, key=lambda each: each[0].percent)[:MOST_HARD]:
            told = self._say("discuss_check", **_told(share), exercise=check.exercise)
            yield Discussed(self._rule(check), told, "", "", ())

    def _looks(self) -> Iterator[Look]:
        rows: dict[Why, list[tuple[Linked, str]]] = defaultdict(list)
        for why, one, exercises in for_a_person(self._standings):
            linked = Linked(f"{self._who(one.student)}  {self._listed(exercises)}".rstrip(), self._page_of(one))
            rows[why].append((linked, noted(one, self._language)))
        yield from (Look(why.value, tuple(rows[why])) for why in Why if why in rows)

    # --- everybody ---------------------------------------------------------------------------------------------

    def _short_names(self) -> tuple[str, ...]:
        """Numbers of the exercises, their own where these tell them apart, so that sixteen columns have room."""
        numbers = [name.partition("_")[0] for name in self._exercises]
        own = all(map(str.isdecimal, numbers)) and len(set(numbers)) == len(numbers)
        return tuple(numbers if own else (str(place + 1) for place in range(len(numbers))))

    def _shown_weights(self) -> tuple[str, ...]:
        """How often each exercise counts in a total, "" where it is once."""
        weights = (self._weights[name] for name in self._exercises)
        return tuple("" if weight == 1 else f"×{weight:g}" for weight in weights)

    def _lines(self, totals: Mapping[str, float], *, several: bool) -> Iterator[StudentLine]:
        by_student: dict[str, dict[str, Standing]] = defaultdict(dict)
        for one in self._standings:
            by_student[one.student][one.exercise] = one
        for student in sorted(by_student):
            here = by_student[student]
            cells = [self._cell(here[name]) if name in here else Linked("") for name in self._exercises]
            if not several:
                only = next(iter(here.values()))
                mistakes = self._listed([self._title(slug) for slug in only.mistakes]).replace("`", "")
                cells = [self._points(only), Linked(self._state(only)), Linked(mistakes)]
            total = f"{totals[student]:g}" if student in totals else ""
            yield StudentLine(self._shown(student), line(self._names.get(student, ""), NAME), total, tuple(cells))

    def _cell(self, one: Standing) -> Linked:
        if one.points is None and one.state == "unreadable":  # not the same as nothing
            return Linked(self._say("state_unreadable"), f"#{LOOK}", UNREADABLE)
        return self._points(one)

    def _points(self, one: Standing) -> Linked:
        return Linked("-" if one.points is None else f"{one.points:g}", self._page_of(one))

    def _state(self, one: Standing) -> str:
        if one.verdict is not None:
            return tell(Message(f"report.verdict_{one.verdict}"), self._language)
        return self._say(f"state_{status_of(one)}")

    def _page_of(self, one: Standing) -> str:
        return _href(one.student, one.exercise) if one.verdict is not None else ""

    def _who(self, student: str) -> str:
        return line(who(student, self._names), NAME) or "-"

    def _shown(self, student: str) -> str:
        return line(student, NAME) or "-"


def _nameable(course: Course, exercise: str, slugs: frozenset[str]) -> frozenset[str]:
    """The mistakes that can be named in an exercise; all of them where the course no longer has it."""
    return nameable(course.exercises[exercise].solution, slugs) if exercise in course.names else slugs


def _of(points: float, most: float) -> str:
    """Points of how many, which no line end may part."""
    return f"{points:g} / {most:g}".replace(" ", "\N{NO-BREAK SPACE}")


def _told(share: Share) -> dict[str, int]:
    return {"count": share.count, "of": share.of, "percent": share.percent}


def _href(student: str, exercise: str) -> str:
    return quote(f"{REPORTS}/{folder_name(student)}/{exercise}.html")


def _graded(standings: Sequence[Standing]) -> int:
    """How many the grader gave points; for what was not handed in, zero counts or a person gives some."""
    return sum(one.graded_points is not None for one in standings)
