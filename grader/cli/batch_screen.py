"""What an instructor sees of a batch: how the input was read, and in the end what to look at."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from grader.cli.batch_doubts import doubt_lines
from grader.cli.batch_progress import MOST_NARROW, Counter
from grader.cli.screen import Screen
from grader.course import shown_path
from grader.gradebook.attention import Case, Why, for_a_person
from grader.gradebook.class_report import INDEX
from grader.gradebook.database import FILE
from grader.gradebook.exports import GRADES, REPORTS, RESULTS, noted, status_of, which_counts, who
from grader.model import Isolation, Language, Message
from grader.report.visible import line, tell
from grader.report.wrap import wrap

if TYPE_CHECKING:
    from grader.gradebook.batch import Outcome
    from grader.gradebook.inputs.collect import Collected
    from grader.gradebook.standings import Standing

MOST_LINES = 15  # of a list
FEWEST_ROWS = 3  # of each reason to look at something
MOST_NAMES, FEWEST_NAMES = 40, 8  # of all groups of names together, and of each
_STRANGER = "batch.not_in_roster"
_OTHER_FILES = "batch.no_file_for_it"


class Page:
    """The text of one run."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._console = Screen(highlight=False, emoji=False)
        self._names: Mapping[str, str] = {}

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"batch.{key}", fields), self._language)

    def _put(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, soft_wrap=True)

    def _put_wrapped(self, text: str, style: str = "", indent: str = "  ") -> None:
        """A paragraph whose lines after the first stand further in."""
        for number, each in enumerate(wrap(text, max(MOST_NARROW, self._console.width - len(indent) - 2))):
            self._put((f"{indent}  " if number else indent) + each, style)

    def say_input(self, found: Collected) -> None:
        """How the input was understood."""
        students = len({row.student for row in found.rows})
        files = sum(row.state == "read" for row in found.rows)
        self._put(self._say("found", students=students, files=files))
        for note in found.notes:
            self._put(tell(note, self._language))

    @contextmanager
    def progress(self) -> Iterator[Counter]:
        """A bar on a terminal, a line now and then elsewhere; both on stderr, so that stdout stays the summary."""
        console = Screen(highlight=False, emoji=False, stderr=True)
        counter = Counter(console, self._language)
        try:
            yield counter
        finally:
            counter.stop()

    def say_end(
        self,
        outcome: Outcome,
        standings: Sequence[Standing],
        found: Collected,
        folder: Path,
        *,
        names: Mapping[str, str],
        url: bool,
        workers_lost: int = 0,
    ) -> None:
        """The summary: scores, then what needs a person, then where everything lies."""
        self._names = names
        self._put_scores(standings)
        self._put_to_look_at(for_a_person(standings))
        self._put_late(standings)
        missing = [one for one in standings if status_of(one) == "missing" and not one.verdict]
        self._put_by_exercise("missing", [one for one in missing if not _has_other_files(one)])
        self._put_by_exercise("no_answer", list(filter(_has_other_files, missing)))
        self._put_by_exercise("not_in_input", _not_in_input(standings, found, outcome.asked))
        strangers = [doubt for doubt in found.doubts if doubt.key == _STRANGER]
        self._put_names("not_in_roster_all", {"": [str(doubt.fields["student"]) for doubt in strangers]})
        known = {(one.student, one.exercise): one for one in standings}
        doubts = [_settled(doubt, known) for doubt in found.doubts if doubt.key != _STRANGER]
        self._put_list("doubts", doubt_lines(doubts, self._language), GRADES)
        changes = sorted(outcome.changes, key=lambda change: (change.after - change.before, change.student))
        self._put_list("changed", [line(self._change(change)) for change in changes])
        self._put("")
        if outcome.again and outcome.graded and not changes:
            self._put(self._say("nothing_changed"))
        self._put(self._say("graded_now", now=outcome.graded))
        if outcome.pages:
            self._put(self._say("pages_now", pages=outcome.pages))
        for differences, workers in outcome.left_out.items():
            fields = {"workers": ", ".join(workers), "differences": differences}
            self._put_wrapped(tell(Message("batch.cluster_left_out", fields), self._language), indent="")
        if workers_lost:
            self._put(self._say("workers_lost", workers=workers_lost))
        if outcome.isolation is not None:
            self._put_isolation(outcome.isolation)
        self.say_where(folder, url=url)

    def say_settled(self, *, pages_stay: bool) -> None:
        """What was asked for without submissions is kept; some pages would have to be made anew for it."""
        self._put_wrapped(self._say("settled"), indent="")
        if pages_stay:
            self._put_wrapped(self._say("pages_stay"), indent="")

    def say_where(self, folder: Path, *, url: bool) -> None:
        """Where everything lies."""
        files = {"folder": shown_path(folder), "index": INDEX, "grades": GRADES, "results": RESULTS, "reports": REPORTS}
        told = self._say("where_with_url", **files) if url else self._say("where", **files, gradebook=FILE)
        self._put_wrapped(told, indent="") if self._console.is_terminal else self._put(told)

    def _put_scores(self, standings: Sequence[Standing]) -> None:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for key in ("exercise", "graded", "full", "some", "none", "not_graded", "middle"):
            table.add_column(self._say(f"column_{key}"), justify="left" if key == "exercise" else "right")
        for name in sorted({one.exercise for one in standings}):
            here = [one for one in standings if one.exercise == name]
            counting = [one for one in here if one.points is not None]
            graded = [one for one in counting if one.graded_points is not None]  # else nothing handed in, and points
            scores = [(one.points or 0, one.max_points or 0) for one in graded]
            full = sum(points >= most for points, most in scores)
            none = sum(points == 0 for points, most in scores if most)
            some = len(scores) - full - none
            most = max((one.max_points or 0 for one in counting), default=0)
            shown = f"{statistics.median(one.points or 0 for one in counting):g} / {most:g}" if counting else "-"
            table.add_row(name or "-", *map(str, (len(graded), full, some, none, len(here) - len(graded))), shown)
        self._put("")
        self._console.print(table)

    def _put_isolation(self, isolation: Isolation) -> None:
        """How far submissions were locked away, and what this machine could not do."""
        style = "bold yellow" if isolation.level == "weak" else "dim"
        told = [self._say(f"isolated_{isolation.level}")]
        if isolation.missing:
            layers = self._listed([self._say(f"layer_{layer}") for layer, _ in isolation.missing])
            told.append(self._say("isolated_without", layers=layers))
        self._put_wrapped(("" if self._language == "zh" else " ").join(told), style, indent="")

    def _listed(self, texts: Sequence[str]) -> str:
        return ("、" if self._language == "zh" else ", ").join(texts)

    def _put_late(self, standings: Sequence[Standing]) -> None:
        """Who is only marked as late, where that costs nothing and so is listed nowhere."""
        late = [one for one in standings if one.marked_late and not one.late_by_unknown and one.state == "read"]
        self._put_by_exercise("marked_late", late)

    def _put_list(self, key: str, rows: Sequence[str], file: str = "") -> None:
        """A heading, and a line for each row; further ones are in the file, where one has them."""
        if not rows:
            return
        self._put("")
        self._put(self._say(key, count=len(rows)), "bold")
        for row in rows[:MOST_LINES]:
            self._put_wrapped(row)
        if len(rows) > MOST_LINES:
            self._put("  " + self._more(len(rows) - MOST_LINES, file), "dim")

    def _more(self, count: int, file: str) -> str:
        return self._say("more", count=count, file=file) if file else self._say("more_alone", count=count)

    def _put_to_look_at(self, cases: Sequence[Case]) -> None:
        """What needs a person, under its reasons, the most urgent first, as on the page."""
        groups = {why: rows for why in Why if (rows := [case for case in cases if case.why is why])}
        most = max(FEWEST_ROWS, MOST_LINES // max(1, len(groups)))
        if groups:
            self._put("")
            self._put(self._say("to_look_at", count=len(cases)), "bold")
        for why, rows in groups.items():
            self._put_wrapped(f"{tell(Message(f'class.why_{why.value}'), self._language)} ({len(rows)})")
            noted_rows = [case for case in rows if noted(case.standing, self._language)]
            for case in noted_rows[:most]:
                self._put_wrapped(line(self._row(case)), indent="    ")
            if len(noted_rows) > most:
                self._put("    " + self._more(len(noted_rows) - most, INDEX), "dim")
            self._put_groups(self._by_exercise(case.standing for case in rows if case not in noted_rows), INDEX, "    ")

    def _by_exercise(self, found: Iterable[Standing]) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for one in found:
            names.setdefault(one.exercise, []).append(who(one.student, self._names))
        return names

    def _put_by_exercise(self, key: str, found: Sequence[Standing]) -> None:
        self._put_names(key, self._by_exercise(found))

    def _put_names(self, key: str, groups: Mapping[str, Sequence[str]]) -> None:
        """A heading, and the names of each group."""
        if count := sum(map(len, groups.values())):
            self._put("")
            self._put_wrapped(self._say(key, count=count), "bold", indent="")
            self._put_groups(groups, GRADES)

    def _put_groups(self, groups: Mapping[str, Sequence[str]], file: str, indent: str = "  ") -> None:
        """The names of each group one after the other; many groups show less of each."""
        most = max(FEWEST_NAMES, MOST_NAMES // max(1, len(groups)))
        for group, names in groups.items():
            between = "; " if any("," in name for name in names) else ", "  # Canvas has the family name first
            between = "、" if self._language == "zh" else between
            shown = between.join(line(name) for name in names[:most])
            if len(names) > most:
                shown += between + self._more(len(names) - most, file)
            self._put_wrapped(
                self._say("names_of", exercise=group, names="") + shown if group else shown, indent=indent
            )

    def _row(self, case: Case) -> str:
        one = case.standing
        notes = noted(one, self._language)
        exercises = self._listed(case.exercises)
        shown = f"{who(one.student, self._names)}  {exercises}".rstrip()
        return self._say("to_look_at_row", who=shown, notes=notes) if notes else shown

    def _change(self, change: object) -> str:
        from grader.gradebook.book import Change  # noqa: PLC0415

        assert isinstance(change, Change)  # noqa: S101
        key = "change_same_file" if change.same_file else "change_new_file"
        fields = {"before": f"{change.before:g}", "after": f"{change.after:g}"}
        return self._say(key, student=change.student, exercise=change.exercise, **fields)


def _settled(doubt: Message, known: Mapping[tuple[str, str], Standing]) -> Message:
    """A doubt with what is known after grading: which of several files counts."""
    one = known.get((str(doubt.fields.get("student")), str(doubt.fields.get("exercise"))))
    return doubt if one is None else which_counts(one, doubt)


def _has_other_files(one: Standing) -> bool:
    return one.reason is not None and one.reason.key == _OTHER_FILES


def _not_in_input(standings: Sequence[Standing], found: Collected, asked: Sequence[str]) -> list[Standing]:
    """What an earlier run saw of the exercises that were asked for, and this one does not."""
    here = {(row.student, row.exercise) for row in found.rows if row.state != "missing"}
    seen = [one for one in standings if one.state != "missing" or one.verdict]
    return [one for one in seen if one.exercise in asked and (one.student, one.exercise) not in here]
