"""The course is read into a typed model; every fault of course.yml is told with file, line and key, all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import autograde.course
from autograde.course import CourseError, parse_course, read_course, schema

COURSE = """\
id: tiny-course
title: A tiny course
dimensions:
  n_embd: 128
  n_head: 4
policies:
  tries_before_solution: 3
lessons:
  - id: first-steps
    number: 1
    title: First steps
    question: What is a step?
    minutes: 10
    points: 2.5
    objectives:
      - take one
  - id: second-steps
    number: 4
    title: Second steps
    question: And then?
    minutes: 20
    points: 3
    objectives:
      - take another
    prerequisites:
      - First steps
"""


def faults_of(text: str) -> list[str]:
    """The faults of a course.yml."""
    with pytest.raises(CourseError) as caught:
        parse_course(text)
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


def changed(old: str, new: str) -> str:
    """The course with one change."""
    assert COURSE.count(old) == 1
    return COURSE.replace(old, new)


class TestReading:
    def test_a_course_is_read(self) -> None:
        course = parse_course(COURSE)
        assert (course.id, course.title) == ("tiny-course", "A tiny course")
        assert course.dimensions == {"n_embd": 128, "n_head": 4}
        assert course.policies.tries_before_solution == 3
        assert [lesson.stem for lesson in course.lessons] == ["01-first-steps", "04-second-steps"]
        assert course.lessons[0].points == 2.5
        assert course.lessons[0].prerequisites == []

    def test_feedback_has_no_hints_unless_the_course_says_so(self) -> None:
        assert parse_course(COURSE).policies.feedback_hints is False
        hints = "policies:\n  feedback_hints: true\n"
        assert parse_course(changed("policies:\n", hints)).policies.feedback_hints is True
        (told,) = faults_of(changed("policies:\n", hints.replace("true", "perhaps")))
        assert told.startswith("course.yml:7: policies.feedback_hints: ")

    def test_policies_may_be_left_out(self) -> None:
        assert parse_course(changed("policies:\n  tries_before_solution: 3\n", "")).policies.tries_before_solution == 2

    def test_a_clock_and_a_late_policy(self) -> None:
        late = "  late: {penalty_per_day: 0.1, grace_minutes: 10, at_most: 0.5, zero_after_days: 7}\n"
        course = parse_course(changed("policies:\n", f"policies:\n  timezone: Europe/Berlin\n{late}"))
        assert course.policies.timezone == "Europe/Berlin"
        assert course.policies.late.model_dump() == {
            "penalty_per_day": 0.1,
            "grace_minutes": 10,
            "at_most": 0.5,
            "zero_after_days": 7,
        }
        plain = parse_course(COURSE)
        assert (plain.policies.timezone, plain.lessons[0].due) == ("UTC", None)
        assert (plain.policies.late.penalty_per_day, plain.policies.late.zero_after_days) == (0.0, None)

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("2026-10-01T23:59", "2026-10-01T23:59"),
            ("2026-10-01", "2026-10-01"),  # YAML makes a date of it, and times of the next two
            ("2026-10-01T23:59:00", "2026-10-01T23:59:00"),
            ("2026-10-01T23:59:00+02:00", "2026-10-01T23:59:00+02:00"),
            ('"2026-10-01 23:59 Europe/Berlin"', "2026-10-01 23:59 Europe/Berlin"),
        ],
    )
    def test_a_due_time_as_it_is_written(self, written: str, read: str) -> None:
        assert parse_course(changed("    points: 3\n", f"    points: 3\n    due: {written}\n")).lessons[1].due == read

    def test_a_lesson_is_found_by_slug_and_by_file_name(self) -> None:
        course = parse_course(COURSE)
        assert course.lesson("second-steps") is course.lesson("04-second-steps") is course.lessons[1]

    def test_a_lesson_that_is_not_there_is_told_with_those_that_are(self) -> None:
        with pytest.raises(CourseError, match="no lesson 'third'; it has first-steps, second-steps"):
            parse_course(COURSE).lesson("third")

    def test_a_course_cannot_be_changed_by_accident(self) -> None:
        with pytest.raises(ValueError, match="frozen"):
            parse_course(COURSE).title = "Another"

    def test_it_is_found_in_a_folder_above(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "course.yml").write_text(COURSE, encoding="utf-8")
        (tmp_path / "lessons" / "data").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "lessons" / "data")
        assert read_course() == read_course(tmp_path) == parse_course(COURSE)

    def test_where_there_is_none_it_is_said(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for root in (None, tmp_path):
            with pytest.raises(CourseError, match=r"course\.yml: not found here or in a folder above"):
                read_course(root)

    @pytest.mark.parametrize(
        ("encoding", "is_read"), [("utf-8", True), ("utf-8-sig", True), ("latin-1", False), ("utf-16", False)]
    )
    def test_a_course_is_utf_8(self, tmp_path: Path, encoding: str, is_read: bool) -> None:
        (tmp_path / "course.yml").write_text(changed("A tiny course", "Café"), encoding=encoding)
        if is_read:
            assert read_course(tmp_path).title == "Café"
        else:
            with pytest.raises(CourseError, match=r"course\.yml:1: this is no UTF-8 text"):
                read_course(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("id: tiny-course\n", "", "course.yml:1: id: is missing; add it"),
        ("id: tiny-course", "id: Tiny Course", "course.yml:1: id: String should match pattern"),
        ("id: tiny-course", "id: 5", "course.yml:1: id: Input should be a valid string"),
        ("title: A tiny course", "title: A", "course.yml:2: title: String should have at least 3 characters"),
        ("title: A tiny course", "titles: A tiny course", "course.yml:1: title: is missing; add it"),
        ("title: A tiny course", "titles: A tiny course", "course.yml:2: titles: is no known key; check its spelling"),
        ("n_head: 4", "n_head: four", "course.yml:5: dimensions.n_head: Input should be a valid integer"),
        ("n_head: 4", "n_head: 4.5", "course.yml:5: dimensions.n_head: Input should be a valid integer"),
        ("n_head: 4", "n_embd: 4", "course.yml:5: n_embd: this key stands twice; remove one"),
        ("tries_before_solution: 3", "tries_before_solution: -1", "course.yml:7: policies.tries_before_solution: "),
        ("tries_before_solution: 3", "tries: 3", "course.yml:7: policies.tries: is no known key"),
        ("    question: And then?\n", "", "course.yml:17: lessons[1].question: is missing; add it"),
        ("number: 4", "number: 100", "course.yml:18: lessons[1].number: Input should be less than or equal to 99"),
        ("number: 4", "number: 1", "course.yml:18: lessons[1].number: another lesson has the number 1 too"),
        ("number: 4", "number: 0", "course.yml:18: lessons[1].number: lesson 0 stands after a later one"),
        ("id: second-steps", "id: first-steps", "course.yml:17: lessons[1].id: another lesson has the id first"),
        ("minutes: 20", "minutes: 0", "course.yml:21: lessons[1].minutes: Input should be greater than 0"),
        ("minutes: 20", "minutes: soon", "course.yml:21: lessons[1].minutes: Input should be a valid integer"),
        ("points: 3", "points: -3", "course.yml:22: lessons[1].points: Input should be greater than or equal to 0"),
        ("      - take another", "      []", "course.yml:23: lessons[1].objectives: List should have at least 1 item"),
        ("      - take another", "      - it", "course.yml:24: lessons[1].objectives[0]: String should have"),
        ("      - First steps", "      - {a: 1}", "course.yml:26: lessons[1].prerequisites[0]: Input should be"),
        ("policies:\n  tries_before_solution: 3", "policies: 3", "course.yml:6: policies: Input should be"),
    ],
)  # fmt: skip
def test_each_fault_has_its_file_line_and_key(old: str, new: str, fault: str) -> None:
    assert [told for told in faults_of(changed(old, new)) if told.startswith(fault)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "course.yml:1: a course is a mapping"),
        ("- a\n- b\n", "course.yml:1: a course is a mapping"),
        ("just text", "course.yml:1: a course is a mapping"),
        ("id: a\ntitle: [unclosed\n", "course.yml:3: this is no valid YAML"),
        ("id: a\n title: b\n", "course.yml:2: this is no valid YAML"),
        ("id: a\n\ttitle: b\n", "course.yml:2: this is no valid YAML"),
        ("id: a\n---\nid: b\n", "course.yml:2: this is no valid YAML"),
        ("id: !!python/object/apply:os.getcwd []\n", "course.yml:1: this is no valid YAML"),
        ("id: *unknown\n", "course.yml:1: this is no valid YAML"),
        ("? [a, b]\n: c\n", "course.yml:1: this is no valid YAML"),
        ("id: a\ntitle: a bell \x07\n", "course.yml:2: a character that YAML forbids"),
    ],
)
def test_a_text_that_is_no_course_says_where(text: str, fault: str) -> None:
    (told,) = faults_of(text)
    assert told.startswith(fault)


@pytest.mark.parametrize(
    "lessons", ["", " []", " text", " [1, text]", " {a: 1}", "\n  - id: [a]\n    number: {}", "\n  -"]
)
def test_lessons_that_are_none_are_faults_and_nothing_worse(lessons: str) -> None:
    told = faults_of(f"id: tiny-course\ntitle: A tiny course\ndimensions: {{}}\nlessons:{lessons}\n")
    assert all(
        fault.startswith(("course.yml:4: lessons", "course.yml:5: lessons", "course.yml:6: lessons")) for fault in told
    )


def test_all_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = COURSE
    for old, new in (
        ("id: tiny-course", "id: Tiny"),
        ("n_head: 4", "n_embd: many"),
        ("id: second-steps", "id: first-steps"),
        ("number: 4", "number: 1"),
        ("title: Second steps", "titles: Second steps"),
        ("minutes: 20", "minutes: 0"),
    ):
        text = text.replace(old, new)
    told = [fault.split(": ")[:2] for fault in faults_of(text)]
    assert told == [
        ["course.yml:1", "id"],
        ["course.yml:5", "dimensions.n_embd"],
        ["course.yml:5", "n_embd"],
        ["course.yml:17", "lessons[1].id"],
        ["course.yml:17", "lessons[1].title"],
        ["course.yml:18", "lessons[1].number"],
        ["course.yml:19", "lessons[1].titles"],
        ["course.yml:21", "lessons[1].minutes"],
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("    points: 3\n", "    points: 3\n    due: soon\n", "course.yml:23: lessons[1].due: 'soon' is no time."),
        ("    points: 3\n", "    points: 3\n    due: 23:59\n", "course.yml:23: lessons[1].due: '1439' is no time."),
        ("policies:\n", "policies:\n  timezone: Berlin\n", "course.yml:7: policies.timezone: 'Berlin' is no time zone"),
        ("policies:\n", "policies:\n  late: {penalty_per_day: 10}\n", "course.yml:7: policies.late.penalty_per_day: "),
        ("policies:\n", "policies:\n  late: {per_day: 0.1}\n", "course.yml:7: policies.late.per_day: is no known key"),
        ("policies:\n", "policies:\n  late_share: 0.5\n", "course.yml:7: policies.late_share: is no known key"),
    ],
)
def test_faults_of_the_clock_are_told(old: str, new: str, fault: str) -> None:
    (told,) = faults_of(changed(old, new))
    assert told.startswith(fault), told


class TestSchema:
    FILE = Path(autograde.course.__file__).with_name("course.schema.json")

    def test_the_file_for_editors_is_what_the_model_says(self) -> None:
        assert json.loads(self.FILE.read_text(encoding="utf-8")) == schema()

    def test_it_is_a_schema(self) -> None:
        jsonschema.Draft202012Validator.check_schema(schema())

    def test_a_course_fits_it(self) -> None:
        jsonschema.validate(yaml.safe_load(COURSE), schema())

    @pytest.mark.parametrize(
        ("old", "new"),
        [("title: A tiny course", "titles: A"), ("n_head: 4", "n_head: four"), ("number: 4", "number: -4")],
    )
    def test_a_fault_does_not(self, old: str, new: str) -> None:
        data: Any = yaml.safe_load(changed(old, new))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, schema())
