"""Time: the instant that a time stamp or a due time means, in UTC.

What is written without a zone is read in the course's zone. Where that names two instants (the hour that is repeated
when clocks go back) or none (the hour that is left out), it is read in the learner's favour: a stamp as the earlier of
the two, a due time as the later.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_TIME = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})|(?P<day_>\d{1,2})\.(?P<month_>\d{1,2})\.(?P<year_>\d{4}))"
    r"(?:(?:[Tt]|,? +)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r" *(?P<zone>[A-Za-z][\w/+-]*|[+-]\d\d(?::?\d\d)?)?"
)
_SMALLEST = timedelta(microseconds=1)


class BadTime(ValueError):
    """A text that names no instant or no zone; says what would."""


@dataclass(frozen=True)
class _Written:
    """A time as it was written: by whose clock, and how long the unit is that it names."""

    local: datetime
    zone: str
    unit: timedelta


def zone_of(name: str) -> tzinfo:
    """A zone by its IANA name. Raises BadTime."""
    if name.upper() in ("UTC", "GMT", "Z"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        todo = "Use UTC or a name like Europe/Berlin (on Windows install tzdata)"
        raise BadTime(f"{name!r} is no time zone that is known here. {todo}") from None


def stamp_instant(text: str, zone: tzinfo) -> datetime:
    """When a time stamp says that something happened, in UTC; zone is whose clock it is without one. Raises BadTime."""
    return min(_instants(_read(text), text, zone))


def due_instant(text: str, zone: tzinfo) -> datetime:
    """The last instant that is in time, in UTC: a due minute ends at :59.999999, a due day with its day.

    Raises BadTime.
    """
    written = _read(text)
    if written.unit == timedelta(days=1):  # days may have 23 or 25 hours: their last minute ends them
        written = _Written(written.local.replace(hour=23, minute=59), written.zone, timedelta(minutes=1))
    return max(_instants(written, text, zone)) + written.unit - _SMALLEST


def utc_text(instant: datetime) -> str:
    """An instant as it is stored: ISO, in UTC, with Z."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _read(text: str) -> _Written:
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise _no_time(text)
    year, month, day = (int(found[name] or found[f"{name}_"]) for name in ("year", "month", "day"))
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    micro = int((found["fraction"] or "0")[:6].ljust(6, "0"))
    unit = "day" if found["hour"] is None else "minute" if found["second"] is None else "second"
    unit = "microsecond" if found["fraction"] else unit
    try:
        local = datetime(year, month, day, hour, minute, second, micro)
    except ValueError:
        raise _no_time(text) from None
    return _Written(local, found["zone"] or "", timedelta(**{f"{unit}s": 1}))


def _instants(written: _Written, text: str, zone: tzinfo) -> list[datetime]:
    """The instants that it may be, in UTC. Raises BadTime."""
    try:
        if written.zone[:1] in ("+", "-"):
            return [written.local.replace(tzinfo=_offset(written.zone)).astimezone(UTC)]
        both = [written.local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
        named = [time for time in both if time.tzname() == written.zone]  # CET or CEST, by the course's own clock
        if written.zone and not named:
            named = [time.replace(tzinfo=zone_of(written.zone)) for time in both]
        return [time.astimezone(UTC) for time in named or both]
    except OverflowError:
        raise _no_time(text) from None
    except BadTime as fault:
        raise BadTime(f"{text.strip()[:60]!r}: {fault}") from None


def _offset(text: str) -> timezone:
    """The zone of an offset such as +02:00, +0200 or +02. Raises OverflowError where no place has it."""
    digits = text[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 18 or minutes > 59:
        raise OverflowError(text)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)


def _no_time(text: str) -> BadTime:
    return BadTime(f"{text.strip()[:60]!r} is no time. Write it like 2026-10-01T23:59 or 2026-10-01 23:59:00 +02:00")
