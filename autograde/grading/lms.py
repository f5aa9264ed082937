"""What Canvas, Moodle and Blackboard call the files that an instructor downloads from them."""

from __future__ import annotations

import re
from dataclasses import dataclass

# name_LATE_user_attachment_file: Canvas takes the spaces and commas out of a name; an anonymous one is anon, its user a
# code of five letters and digits.
_CANVAS = re.compile(
    r"(?P<name>[^\W\d_][^/]*?)(?P<late>_LATE)?_(?P<student>\d+)_(?P<number>\d+)_(?P<file>.+)", re.DOTALL
)
_ANONYMOUS = re.compile(
    r"(?P<name>anon)(?P<late>_LATE)?_(?P<student>[A-Za-z0-9]{5})_(?P<number>\d+)_(?P<file>.+)", re.DOTALL
)
# What a learner typed into Canvas instead of a file.
_TYPED = re.compile(r"(?P<name>[^\W\d_][^/]*?)(?P<late>_LATE)?_(?P<student>\d+)_(?P<file>(?:text|link)\.html)")
# Full Name_participant_assignsubmission_file_ is a folder, or, with the file's name behind it, a file.
_MOODLE = re.compile(r"(?P<name>.+)_(?P<student>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)", re.DOTALL)
# Blackboard: assignment_user_attempt_time_file; without a file it is what the learner wrote beside it.
_BLACKBOARD = re.compile(
    r"(?P<name>.+)_(?P<student>[^_/]+)_attempt_(?P<day>\d{4}-\d\d-\d\d)-(?P<clock>\d\d-\d\d-\d\d)"
    r"(?:_(?P<file>.+)|\.txt)",
    re.DOTALL,
)
_LONGEST = 1_000
_ATTEMPT = re.compile(r"(?P<stem>.+?)(?:-(?P<canvas>\d{1,3})| ?\((?P<browser>\d{1,3})\))")
_COPY = re.compile(r"(?P<stem>.+?)(?:-Copy\d*|[ -]copy(?: \d+)?| - Copy(?: \(\d+\))?)", re.IGNORECASE)


@dataclass(frozen=True)
class LmsName:
    """A downloaded file's name, taken apart. number grows with time; file is what the learner called it.

    time is when it was handed in, where the name says so.
    """

    student: str
    name: str
    file: str
    late: bool = False
    number: int = 0
    time: str = ""


def lms_name(file: str) -> LmsName | None:
    """The parts of a file's name that one of them made; None for any other name."""
    if len(file) > _LONGEST:
        return None
    if moodle := _MOODLE.fullmatch(file):
        return LmsName(moodle["student"], moodle["name"], moodle["file"]) if moodle["file"] else None
    if board := _BLACKBOARD.fullmatch(file):
        day, clock = board["day"], board["clock"]
        time, number = f"{day} {clock.replace('-', ':')}", int((day + clock).replace("-", ""))
        return LmsName(board["student"], board["name"], board["file"] or "comment.txt", number=number, time=time)
    found = _ANONYMOUS.fullmatch(file) or _CANVAS.fullmatch(file) or _TYPED.fullmatch(file)
    if found is None:
        return None
    number = int(found.groupdict().get("number") or 0)
    return LmsName(found["student"], found["name"], found["file"], found["late"] is not None, number)


def known_as(student_id: str) -> tuple[str, ...]:
    """What else the LMS calls a student whose id is the name of a folder that it made: (participant, full name)."""
    found = _MOODLE.fullmatch(student_id)
    return (found["student"], found["name"]) if found else ()


def is_typed(folder: str) -> bool:
    """Whether a folder of Moodle's holds what a learner typed into the page, not a file."""
    found = _MOODLE.fullmatch(folder)
    return found is not None and found["kind"] != "file"


def attempt(stem: str) -> tuple[str, int]:
    """A file's name without what a download or a copy added, and which attempt it is: 0 the first, -1 a copy."""
    if copied := _COPY.fullmatch(stem):
        return copied["stem"], -1
    if again := _ATTEMPT.fullmatch(stem):
        return again["stem"], int(again["canvas"] or again["browser"])
    return stem, 0
