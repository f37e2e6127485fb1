"""What time it is for a learner, and where they are."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import FIRST_DAY, LAST_DAY
from grader.quiz.schedule import learning_day


class Clocked(Protocol):
    """Options that may name another time and place."""

    @property
    def now(self) -> str | None: ...
    @property
    def zone(self) -> str | None: ...


def clock(options: Clocked) -> tuple[datetime, tzinfo]:
    """The moment, and where the learner is.

    Raises:
        UsageError: the options name no time or no zone.
    """
    place = local_zone(options.zone)
    try:
        moment = datetime.fromisoformat(options.now) if options.now is not None else datetime.now(UTC)
    except ValueError as error:
        raise UsageError(Message("quiz.bad_time", {"text": options.now or ""})) from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=place)
    if not FIRST_DAY < moment.date() < LAST_DAY:
        if options.now is not None:
            raise UsageError(Message("quiz.bad_time", {"text": options.now}))
        raise UsageError(Message("quiz.bad_clock", {"date": moment.date().isoformat()}))
    return moment, place


def today(options: Clocked) -> date:
    """The learning day; raises UsageError as `clock` does."""
    return learning_day(*clock(options))


def local_zone(asked: str | None = None) -> ZoneInfo:
    """The zone that was asked for, else that of $TZ or of the machine, by name; UTC where it has none."""
    if asked is None:
        local = Path("/etc/localtime")
        linked = str(local.resolve()).partition("zoneinfo/")[2] if local.is_symlink() else ""
        for name in (os.environ.get("TZ", "").lstrip(":"), linked, "UTC"):
            try:
                return ZoneInfo(name)
            except (ValueError, OSError):
                continue
            except LookupError:
                continue
    try:
        return ZoneInfo(asked or "UTC")
    except (LookupError, ValueError, OSError) as error:
        raise UsageError(Message("quiz.no_zone", {"zone": asked or ""})) from error


def moment_of(text: str, options: Clocked) -> datetime:
    """A moment as typed: 13:00 is the last time that it was one o'clock, or a whole date with a time.

    Raises:
        UsageError: it is neither.
    """
    now, zone = clock(options)
    try:
        moment = datetime.fromisoformat(text) if len(text) > len("13:00:00") else None
        hour = None if moment else time.fromisoformat(text)
    except ValueError as error:
        raise UsageError(Message("schedule.bad_since", {"text": text})) from error
    if moment is None:
        here = now.astimezone(zone)
        moment = datetime.combine(here.date(), hour or time(), zone)
        if moment > here:  # yesterday's
            moment = datetime.combine(here.date().fromordinal(here.toordinal() - 1), hour or time(), zone)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
