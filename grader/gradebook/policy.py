"""What a course makes of points: weights of exercises, and what is taken off for handing in late.

policy.toml --read_policy--> Policy --kept as text in the gradebook--> Standing.late_days, late_percent, weight
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from grader.course import Course, shown_path
from grader.errors import UsageError
from grader.gradebook.standings import Standing
from grader.model import Message

DAY = timedelta(days=1)
_KEYS = ("time_zone", "weights", "late", "due", "extensions")
_LATE = ("percent_per_day", "most_percent", "grace_minutes")


@dataclass(frozen=True)
class Policy:
    """How points count.

    Attributes:
        zone: of times that name none, "" where no time is named.
        weights: how often an exercise counts in a total; 1 where it is not there.
        percent_per_day: taken off for each day that has begun since it was due.
        most_percent: and never more than this.
        grace_minutes: handed in within these, it is in time; after them, days count from when it was due.
        due: exercise -> when it had to be there.
        extensions: student -> exercise -> a later time, for this student alone.
    """

    zone: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    percent_per_day: float = 0.0
    most_percent: float = 100.0
    grace_minutes: float = 0.0
    due: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)

    @property
    def notes(self) -> list[Message]:
        """What a reader of totals and points has to know."""
        told = [f"{name} × {weight:g}" for name, weight in self.weights.items() if weight != 1]
        notes = [Message("policy.weighted", {"weights": ", ".join(told)})] if told else []
        return [*notes, Message("policy.times", {"zone": self.zone})] if self.due and self.zone else notes

    def applied(self, standings: Iterable[Standing]) -> list[Standing]:
        """The standings with their weights and what is taken off."""
        return [self._applied(one) for one in standings]

    def _applied(self, one: Standing) -> Standing:
        weight = self.weights.get(one.exercise, 1.0)
        due = self.extensions.get(one.student, {}).get(one.exercise, self.due.get(one.exercise))
        if due is None:
            return replace(one, weight=weight)
        if one.submitted_at is None:
            return replace(one, weight=weight, late_by_unknown=one.marked_late and self.percent_per_day > 0)
        days = self.days_late(due, datetime.fromisoformat(one.submitted_at))
        percent = min(self.most_percent, days * self.percent_per_day)
        if one.state != "read":  # that time is not of the file that any points are for: a person decides
            percent = 0.0
        return replace(one, weight=weight, late_days=days, late_percent=percent)

    def days_late(self, due: datetime, submitted: datetime) -> int:
        """Days begun since it was due, each of 24 hours whatever the clocks of the zone do; 0 within the grace."""
        # Two times of one zone are subtracted by their clocks; in UTC they are not.
        over = submitted.timestamp() - due.timestamp()
        return 0 if over <= self.grace_minutes * 60 else math.ceil(over / DAY.total_seconds())


def read_policy(path: Path, course: Course) -> tuple[Policy, str]:
    """The policy in a file, and its text, to be kept.

    Raises:
        UsageError: it cannot be read, or says something that means nothing.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(Message("policy.unreadable", {"path": shown_path(path), "reason": reason})) from error
    try:
        return parse_policy(text, course.names), text
    except ValueError as error:
        raise UsageError(Message("policy.wrong", {"path": shown_path(path), "reason": str(error)})) from error


def parse_policy(text: str, exercises: Iterable[str] | None = None) -> Policy:
    """The policy in a text.

    Args:
        exercises: names that are known; None takes any.

    Raises:
        ValueError: says which field, and what was expected of it.
    """
    table = tomllib.loads(text)
    _known("", table, _KEYS)
    late = _table("late", table.get("late", {}))
    _known("late.", late, _LATE)
    zone = table.get("time_zone", "")
    weights = {
        name: _number(f"weights.{name}", value) for name, value in _table("weights", table.get("weights")).items()
    }
    times = _times(zone)
    due = {name: times(f"due.{name}", value) for name, value in _table("due", table.get("due")).items()}
    extensions = {
        student: {
            name: times(f"extensions.{student}.{name}", value)
            for name, value in _table(f"extensions.{student}", told).items()
        }
        for student, told in _table("extensions", table.get("extensions")).items()
    }
    named = {*weights, *due, *(name for told in extensions.values() for name in told)}
    if exercises is not None and (unknown := sorted(named - set(exercises))):
        raise ValueError(f"expected names of exercises, found {', '.join(unknown)}")
    if due and "percent_per_day" not in late:
        raise ValueError("due needs late.percent_per_day: how many percent of the points a day costs")
    return Policy(
        zone=zone,
        weights=weights,
        percent_per_day=_number("late.percent_per_day", late.get("percent_per_day", 0), most=100),
        most_percent=_number("late.most_percent", late.get("most_percent", 100), most=100),
        grace_minutes=_number("late.grace_minutes", late.get("grace_minutes", 0)),
        due=due,
        extensions=extensions,
    )


def _times(zone: object) -> Callable[[str, object], datetime]:
    """Reads a time; one without an offset is one of the zone, which then has to be named."""
    if not isinstance(zone, str):
        raise ValueError(f"time_zone: expected a name such as Europe/Zurich, found {zone!r}")  # noqa: TRY004
    try:
        named = ZoneInfo(zone) if zone else None
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"time_zone: expected a name such as Europe/Zurich, found {zone!r}") from error

    def read(where: str, value: object) -> datetime:
        if not isinstance(value, datetime):
            kind = "a day without a time" if isinstance(value, date) else repr(value)
            raise ValueError(f"{where}: expected a time such as 2026-03-02T23:59:00, found {kind}")  # noqa: TRY004
        if value.tzinfo is not None:
            return value
        if named is None:
            raise ValueError(f"{where}: expected time_zone to be named, as this time has no offset")
        return value.replace(tzinfo=named)

    return read


def _table(where: str, value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"{where}: expected a table, found {value!r}")  # noqa: TRY004
    return value


def _known(prefix: str, table: Mapping[str, Any], names: tuple[str, ...]) -> None:
    if unknown := [name for name in table if name not in names]:
        raise ValueError(f"{prefix}{unknown[0]}: expected one of {', '.join(names)}")


def _number(where: str, value: object, most: float = 1e6) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(f"{where}: expected a number from 0 to {most:g}, found {value!r}")
    return float(value)
