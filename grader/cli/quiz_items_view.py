"""Puts what the answers of a class say of questions into words, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course import Course
from grader.model import Language, Message
from grader.quiz.exports.entries import entries_of
from grader.quiz.exports.entry import Entry
from grader.quiz.items.analysis import LEAST_CORRELATION, LEAST_FACILITY, Analysis, Flag, ItemFigures
from grader.quiz.items.joined import JoinedMistake, Share
from grader.quiz.lock import Bank
from grader.report.items_page import Bar, GivenLine, ItemLine, ItemsPage, JoinedLine
from grader.report.visible import line, tell

_LONGEST_KEY = 200  # characters
_BETWEEN: dict[Language, str] = {"en": ", ", "zh": "、"}  # two entries of a list


@dataclass(frozen=True)
class Told:
    """An analysis, and the language it is told in."""

    course: Course
    bank: Bank
    found: Analysis
    joined: Sequence[JoinedMistake]
    with_code: bool
    language: Language

    def say(self, key: str, **fields: str | int) -> str:
        """One sentence."""
        return tell(Message(f"quiz_items.{key}", fields), self.language)

    def listed(self, entries: Iterable[str]) -> str:
        """Several entries in one line."""
        return _BETWEEN[self.language].join(entries)

    # --- parts -------------------------------------------------------------------------------------------------

    def heading(self) -> list[str]:
        """Whose answers these are, and what does not count."""
        asked = sum(each.answers > 0 for each in self.found.items)
        counts = {"learners": self.found.learners, "answers": self.found.answers}
        lines = [self.say("told", **counts, asked=asked, items=len(self.found.items))]
        older = sum(each.older for each in self.found.items)
        lines += [self.say("older_told", count=older)] if older else []
        return lines + ([self.say("unknown_told", count=self.found.unknown)] if self.found.unknown else [])

    def facility(self, item: ItemFigures) -> str:
        """Share of right answers with its interval, "" without answers."""
        if item.facility is None:
            return ""
        share, low, high = (round(100 * each) for each in item.facility)
        return self.say("facility", share=share, low=low, high=high)

    def correlation(self, item: ItemFigures) -> str:
        """With its sign; "" where there are too few answers."""
        return "" if item.correlation is None else _signed(item.correlation)

    def time(self, item: ItemFigures) -> str:
        """The median time, "" where none was taken."""
        return "" if item.seconds is None else self.say("seconds", seconds=round(item.seconds))

    def flags(self, item: ItemFigures) -> list[str]:
        """What speaks against a question, each in a word."""
        return [self.say(f"flag_{flag}") for flag in item.flags]

    def why(self, item: ItemFigures) -> list[str]:
        """What speaks against a question, each in a sentence."""
        return [self.say(f"why_{flag}", **_figures(item, flag)) for flag in item.flags]

    def share(self, share: Share | None) -> str:
        """How many of how many."""
        return "" if share is None else self.say("share", count=share.count, of=share.of)

    def title(self, slug: str) -> str:
        """What a mistake is called."""
        known = self.course.mistakes.get(slug)
        return known.title.in_language(self.language) if known else slug

    # --- the page ----------------------------------------------------------------------------------------------

    def page(self) -> ItemsPage:
        """All of it."""
        entries = {each.item: each for each in entries_of(self.bank, self.course.mistakes, self.language, 1)}
        lines = {each.item.id: self._item(each, entries[each.item.id]) for each in self.found.items}
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        return ItemsPage(
            language=self.language,
            told=tuple(self.heading()),
            rewritten=tuple(lines[each.item.id] for each in self.found.rewritten()),
            items=tuple(lines.values()),
            mistakes=tuple(map(self._mistake, self.joined)),
            with_code=self.with_code,
            correlation_told=self.say("correlation_told", least=LEAST_CORRELATION),
            made_at=self.say("made_at", time=moment, revision=self.bank.revision, edition=self.bank.edition),
        )

    def _item(self, item: ItemFigures, entry: Entry) -> ItemLine:
        few = 0 < item.answers < LEAST_FACILITY
        texts: dict[str, list[str]] = {}
        for wrong in entry.wrong:
            texts.setdefault(wrong.mistake, []).append(wrong.text)
        typed = self.listed(line(text, 40) for text, _ in item.typed)
        return ItemLine(
            name=item.item.id,
            prompt=entry.prompt,
            key=line(entry.key, _LONGEST_KEY),
            answers=item.answers,
            facility=self.say("few", least=LEAST_FACILITY) if few else self.facility(item),
            bar=None if few or item.facility is None else Bar(*(round(100 * each) for each in item.facility)),
            correlation=self.correlation(item),
            time=self.time(item),
            flags=self.listed(self.flags(item)),
            why=tuple(self.why(item)),
            given=tuple(_given(item, texts, self.title(each.mistake), each.mistake) for each in item.options),
            unexplained=self.say("unexplained_told", count=item.unexplained, answers=typed) if item.unexplained else "",
            variants=self._variants(item),
        )

    def _variants(self, item: ItemFigures) -> str:
        """How often each variant with enough answers was answered right; "" where there are not two."""
        enough = [(right, answers) for answers, right in item.by_variant.values() if answers >= LEAST_FACILITY]
        if len(enough) < 2:
            return ""
        shares = self.listed(f"{right}/{answers}" for right, answers in enough)
        return self.say("variants_told", least=LEAST_FACILITY, shares=shares)

    def _mistake(self, each: JoinedMistake) -> JoinedLine:
        where = self.listed(_unique([*each.items, *each.exercises]))
        both = str(each.both) if self.with_code else ""
        return JoinedLine(self.title(each.slug), self.share(each.quiz), self.share(each.code), both, where)


def _given(item: ItemFigures, texts: Mapping[str, Sequence[str]], title: str, slug: str) -> GivenLine:
    count = next(each.count for each in item.options if each.mistake == slug)
    return GivenLine(" / ".join(texts.get(slug, ())), title, count)


def _signed(value: float) -> str:
    """Two places, with the sign that is as wide as a plus."""
    return f"{value:+.2f}".replace("-", "−")


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _figures(item: ItemFigures, flag: Flag) -> dict[str, str | int]:
    """The numbers in the sentence of a flag."""
    facility = item.facility
    if flag == "variants" and item.variants:
        return {"low": round(100 * item.variants.low), "high": round(100 * item.variants.high)}
    if flag in {"hard", "easy"} and facility:
        return {"high": round(100 * facility.high)} if flag == "hard" else {"low": round(100 * facility.low)}
    idle = ", ".join(each.mistake for each in item.options if each.count == 0)
    fields: dict[Flag, dict[str, str | int]] = {
        "against": {"correlation": _signed(item.correlation or 0)},
        "unexplained": {"count": item.unexplained, "of": item.answers - item.right},
        "sure": {"count": item.sure_wrong, "of": item.sure},
        "stuck": {"count": item.stuck},
        "idle": {"options": idle},
    }
    return fields[flag]
