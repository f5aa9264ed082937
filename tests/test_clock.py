"""Time stamps and due times: every way to write one, the repeated and the missing hour, what is no time at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from autograde.clock import BadTime, due_instant, stamp_instant, utc_text, zone_of

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")

# Stamps, read in Berlin, where on 25 October 2026 the hour from two to three comes twice: from 00:00 and 01:00 UTC.
STAMPS = {
    "2026-10-25 02:30:00": "2026-10-25T00:30:00Z",  # without a zone: the course's, and the earlier of the two
    "2026-10-25T02:30:00+02:00": "2026-10-25T00:30:00Z",
    "2026-10-25T02:30:00+01:00": "2026-10-25T01:30:00Z",
    "2026-10-25 00:30:00 UTC": "2026-10-25T00:30:00Z",
    "25.10.2026 02:30": "2026-10-25T00:30:00Z",
    "2026-10-25 02:30:00 CEST": "2026-10-25T00:30:00Z",  # the course's own clock says which
    "2026-10-25 02:30:00 CET": "2026-10-25T01:30:00Z",
    "2026-10-25 03:00": "2026-10-25T02:00:00Z",
    "2026-03-29 02:30": "2026-03-29T00:30:00Z",  # left out when clocks go forward: also the earlier reading
    "2026-07-01 12:00": "2026-07-01T10:00:00Z",
    "2026-01-01 12:00": "2026-01-01T11:00:00Z",
    "2015-02-02 15:58:23.948203 America/New_York": "2015-02-02T20:58:23.948203Z",  # nbgrader's own form
    "2026-03-02 09:15:00.000000 UTC": "2026-03-02T09:15:00Z",
    "2026-03-02 09:15:00 GMT": "2026-03-02T09:15:00Z",
    "2026-03-02T09:15:00Z": "2026-03-02T09:15:00Z",
    "2026-03-02T09:15:00.123456789Z": "2026-03-02T09:15:00.123456Z",
    "2026-03-02 09:15 -0530": "2026-03-02T14:45:00Z",
    "2026-03-02 09:15:00 +02": "2026-03-02T07:15:00Z",
    "  2026-3-2 9:15  ": "2026-03-02T08:15:00Z",
    "2026-03-02, 09:15": "2026-03-02T08:15:00Z",
    "2026-03-02": "2026-03-01T23:00:00Z",
}


@pytest.mark.parametrize(("text", "instant"), STAMPS.items())
def test_a_stamp_is_an_instant_in_utc(text: str, instant: str) -> None:
    found = stamp_instant(text, BERLIN)
    assert found.tzinfo is UTC
    assert utc_text(found) == instant


def test_what_is_stored_is_read_again_as_the_same_whatever_the_zone() -> None:
    for text in STAMPS:
        found = stamp_instant(text, BERLIN)
        assert stamp_instant(utc_text(found), NEW_YORK) == found


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2026-10-01T23:59", "2026-10-01T21:59:59.999999Z"),  # a due minute ends with its last microsecond
        ("2026-10-01 23:59", "2026-10-01T21:59:59.999999Z"),
        ("2026-10-01T23:59:00", "2026-10-01T21:59:00.999999Z"),
        ("2026-10-01T23:59:00.5", "2026-10-01T21:59:00.500000Z"),
        ("2026-10-01T23:59Z", "2026-10-01T23:59:59.999999Z"),
        ("2026-10-01", "2026-10-01T21:59:59.999999Z"),
        ("2026-10-25", "2026-10-25T22:59:59.999999Z"),  # a day of 25 hours
        ("2026-10-25T02:30", "2026-10-25T01:30:59.999999Z"),  # due in the repeated hour: the later one
        ("2026-10-25T01:59", "2026-10-24T23:59:59.999999Z"),
        ("2026-03-29T02:30", "2026-03-29T01:30:59.999999Z"),
        ("2026-03-29T01:59", "2026-03-29T00:59:59.999999Z"),
    ],
)
def test_a_due_time_ends_with_the_unit_that_it_names(text: str, last: str) -> None:
    assert due_instant(text, BERLIN).isoformat().replace("+00:00", "Z") in (last, last.replace(".500000", ".5"))


def test_handed_in_within_the_due_minute_is_in_time() -> None:
    due = due_instant("2026-10-01T23:59", BERLIN)
    assert stamp_instant("2026-10-01T23:59:30", BERLIN) <= due
    assert stamp_instant("2026-10-01T23:59:59.999999", BERLIN) == due
    assert stamp_instant("2026-10-02T00:00:00", BERLIN) - due == timedelta(microseconds=1)


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "23:59", "2026-10-01T24:00", "2026-13-01", "2026-02-30 10:00", "10/01/2026 23:59", "1790000000",
     "2026-10-01T23:59 PM", "2026-10-01 11:59 PM", "2026-10-01 23:59 XYZT", "2026-10-01 23:59 Europe/Nowhere",
     "2026-10-01 23:59 +99:00", "0001-01-01 00:00 +10:00", "9999-12-31 23:59 -10:00", "0001-01-01", "9" * 10_000],
)  # fmt: skip
def test_what_names_no_instant_is_no_time(text: str) -> None:
    with pytest.raises(BadTime, match=r"is no time|no time zone") as told:
        stamp_instant(text, BERLIN)
    assert len(str(told.value)) < 250


@pytest.mark.parametrize("name", ["Europe/Nowhere", "", "../../etc/passwd", "Europe", "Berlin", "+02:00", "a\0b", "é"])
def test_what_is_no_zone(name: str) -> None:
    with pytest.raises(BadTime, match=r"Use UTC or a name like Europe/Berlin"):
        zone_of(name)


def test_zones_by_name() -> None:
    assert zone_of("UTC") is UTC
    summer = datetime(2026, 7, 1, tzinfo=zone_of("Europe/Berlin"))
    assert summer.utcoffset() == timedelta(hours=2)
