"""Rosters: the vendors' own files, read without changing a cell, and who is whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograde.grading.fit import fit
from autograde.grading.roster import Roster, RosterError, read_roster

CANVAS = '''\
Student,ID,SIS User ID,SIS Login ID,Section,"Widen, ReLU, narrow (4711)",Current Score,Final Score
,,,,,Manual Posting,,
    Points Possible,,,,,8.00,(read only),(read only)
"Åström, Zoë",1001,00123,zoe@uni.example,S1,,,
"=""=CMD()""",1002,0042,anna maria,S1,3.5,43.75,43.75
"Müller, Jörg",1003,42,jm3,"S1 and S2",EX,,
"Student, Test",1999,,9e107d9d372bb6826bd81d3542a419d6bd81d354,S1,,,
'''
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),\
Last modified (grade),Feedback comments
Participant 77001,Zoë Åström,zoe@uni.example,Submitted for grading - ,,8.00,Yes,"Monday, 2 March 2026, 9:15 AM",-,
Participant 77002,Jörg Müller,jm3@uni.example,No submission - ,,8.00,Yes,-,-,
"""
GERMAN = """\
ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;\
Zuletzt geändert (Abgabe);Zuletzt geändert (Bewertung);Feedback als Kommentar
Teilnehmer/in77001;Zoë Åström;zoe@uni.example;Zur Bewertung abgegeben;"6,50";"8,00";Ja;-;-;
"""
MOODLE = """\
First name,Last name,ID number,Institution,Department,Email address,Assignment: Widen (Real),\
Assignment: Widen (Feedback),Course total (Real),Last downloaded from this course
Zoë,Åström,00123,,,zoe@uni.example,-,,-,1772400000
Jörg,Müller,0042,,,jm3@uni.example,4.00,good,4.00,1772400000
"""


def read(tmp_path: Path, text: str | bytes) -> Roster:
    file = tmp_path / "gradebook.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(file)


def test_canvas_keeps_every_cell_and_knows_who_is_no_student(tmp_path: Path) -> None:
    roster = read(tmp_path, CANVAS)
    assert roster.kind == "canvas"
    assert [student.name for student in roster.students] == ["Åström, Zoë", '="=CMD()"', "Müller, Jörg"]
    assert [student.id for student in roster.students] == ["zoe@uni.example", "anna maria", "jm3"]
    assert dict(roster.students[0].keys)["number"] == "00123", "ids are text"
    assert roster.points_line == 1
    assert roster.to_bytes(roster.columns, roster.lines).decode() == CANVAS.replace('"S1 and S2"', "S1 and S2")


def test_canvas_with_first_and_last_names_and_without_sis_ids(tmp_path: Path) -> None:
    roster = read(tmp_path, "LastName,FirstName,ID,SIS Login ID,Section,HW (1)\nDoe,Jo,17,jo,S\n")
    assert roster.kind == "canvas"
    assert (roster.students[0].id, roster.students[0].name) == ("jo", "Jo Doe")


@pytest.mark.parametrize(("text", "kind"), [(WORKSHEET, "worksheet"), (GERMAN, "worksheet"), (MOODLE, "moodle")])
def test_moodle_files_are_told_apart(tmp_path: Path, text: str, kind: str) -> None:
    roster = read(tmp_path, text)
    assert roster.kind == kind
    assert (roster.students[0].email, roster.students[0].name) == ("zoe@uni.example", "Zoë Åström")
    assert roster.decimal_comma == (text is GERMAN)
    assert roster.separator == (";" if text is GERMAN else ",")


def test_a_plain_list(tmp_path: Path) -> None:
    roster = read(tmp_path, "student_id\tname\n007\tJames\n 8 \t\n")
    assert (roster.kind, roster.separator) == ("plain", "\t")
    assert [student.id for student in roster.students] == ["007", " 8 "]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    roster = read(tmp_path, CANVAS.encode(encoding))
    assert roster.students[0].name == "Åström, Zoë"
    assert roster.bom == (encoding != "cp1252")
    assert bool(roster.notes) == (encoding == "cp1252")
    assert roster.to_bytes(roster.columns, roster.lines).decode("utf-8-sig").startswith("Student,ID")


def test_line_ends_and_the_separator_that_a_spreadsheet_states(tmp_path: Path) -> None:
    text = "sep=;\r\n" + 'student_id;name\r\na;"one\nline"\r\nb;x;\r\n;;\r\n'
    roster = read(tmp_path, text)
    assert [student.id for student in roster.students] == ["a", "b"]
    assert roster.students[0].name == "one\nline"
    assert roster.to_bytes(roster.columns, roster.lines[:1]) == b'student_id;name\r\na;"one\nline"\r\n'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no column says"),
        (b"Zoe,Jo\n1,2\n", "no column says who the students are (the first line is 'Zoe,Jo')"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"student_id,name\n", "no student"),
        (b"Grade,Section\n1,2\n", "call the column with the ids student_id"),
        (b'student_id\n"a', None),
    ],
)
def test_faults_say_what_to_do(tmp_path: Path, data: bytes, says: str | None) -> None:
    if says is None:
        assert read(tmp_path, data).students[0].id == "a"
        return
    with pytest.raises(RosterError) as fault:
        read(tmp_path, data)
    assert says in str(fault.value)
    assert str(tmp_path / "gradebook.csv") in str(fault.value)


def test_a_missing_file_is_a_fault_of_the_roster(tmp_path: Path) -> None:
    with pytest.raises(RosterError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")


def test_a_long_cell_is_read_and_csvs_own_limit_is_put_back(tmp_path: Path) -> None:
    import csv

    before = csv.field_size_limit()
    assert read(tmp_path, f"student_id,name\na,{'x' * 300_000}\n").students[0].id == "a"
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("one", "who"),
    [
        ("00123", 0),
        ("zoe@uni.example", 0),
        ("ZOE@uni.example", 0),
        ("zoe", 0),
        ("åströmzoë", 0),
        ("A\u030astro\u0308m, Zoe\u0308", 0),
        ("Zoë Åström", 0),
        ("anna maria", 1),
        ("0042", 1),
        ("42", 2),
        ("1003", 2),
        ("mullerjorg", None),
        ("nobody", None),
    ],
)
def test_who_is_whom_in_canvas(tmp_path: Path, one: str, who: int | None) -> None:
    roster = read(tmp_path, CANVAS)
    found = fit([one], roster)
    assert found.students == ({} if who is None else {one: roster.students[who]})
    assert list(found.unknown) == ([one] if who is None else [])


def test_who_is_whom_in_moodle(tmp_path: Path) -> None:
    roster = read(tmp_path, WORKSHEET)
    zoe, joerg = roster.students
    wanted = {"77001": zoe, "Jörg Müller": joerg}
    assert fit(wanted, roster).students == wanted
    assert fit(["Participant 77002"], roster).students == {"Participant 77002": joerg}
    assert fit(["77001"], read(tmp_path, GERMAN)).students.keys() == {"77001"}


FOLDER = "{}_assignsubmission_file_"


@pytest.mark.parametrize("text", [WORKSHEET, GERMAN])
def test_a_folder_of_moodles_is_known_by_its_participant(tmp_path: Path, text: str) -> None:
    roster = read(tmp_path, text)
    for folder in ("Zoë Åström_77001", "zoe\u0308 A\u030aSTRO\u0308M_77001", "Participant_77001", "Z. A._77001"):
        one = FOLDER.format(folder)
        assert fit([one], roster).students == {one: roster.students[0]}


def test_a_folder_of_moodles_is_known_by_its_name_where_there_are_no_participants(tmp_path: Path) -> None:
    roster = read(tmp_path, MOODLE)
    one, other = (FOLDER.format(name) for name in ("Jörg Müller_77002", "Somebody Else_77003"))
    found = fit([one, other], roster)
    assert found.students == {one: roster.students[1]}
    assert found.unknown == {other: "fits no student of gradebook.csv"}


def test_a_participants_number_is_no_other_number(tmp_path: Path) -> None:
    roster = read(tmp_path, MOODLE.replace("0042", "77001"))
    one = FOLDER.format("Zoë Åström_77001")
    assert fit([one], roster).students == {one: roster.students[0]}, "the ID number 77001 is somebody else's"


def test_a_folder_that_contradicts_the_worksheet_is_left_to_a_human(tmp_path: Path) -> None:
    one = FOLDER.format("Jörg Müller_77001")
    found = fit([one], read(tmp_path, WORKSHEET))
    assert found.students == {}
    assert "participant 77001 is Zoë Åström in gradebook.csv, and the folder is Jörg Müller's" in found.unknown[one]


def test_two_of_one_name_are_told_apart_by_their_participants(tmp_path: Path) -> None:
    twins = WORKSHEET.replace("Jörg Müller", "Zoë Åström")
    ones = [FOLDER.format(f"Zoë Åström_{number}") for number in (77002, 77001, 77003)]
    found = fit(ones, read(tmp_path, twins))
    assert [student.line for student in found.students.values()] == [1, 0]
    assert "'Zoë Åström' fits 2 students" in found.unknown[ones[2]]


def test_leading_zeros_count_and_the_likely_reason_is_said(tmp_path: Path) -> None:
    found = fit(["123"], read(tmp_path, CANVAS))
    assert found.students == {}
    assert "'00123' differs in leading zeros" in found.unknown["123"]


def test_the_column_that_knows_most_ids_counts_first(tmp_path: Path) -> None:
    text = "Student,ID,SIS User ID,SIS Login ID,Section\nA,7,9,a,S\nB,8,7,b,S\nC,9,8,c,S\nD,1,5,d,S\n"
    roster = read(tmp_path, text)
    assert [student.name for student in fit(["7", "8", "9", "5"], roster).students.values()] == ["B", "C", "A", "D"]


def test_what_fits_two_is_left_to_a_human(tmp_path: Path) -> None:
    text = "student_id,name,email\na,Jo Doe,jo@x.example\nb,Jo Doe,jo@y.example\n"
    found = fit(["Jo Doe", "jo", "a", "A"], read(tmp_path, text))
    assert found.students == {}
    assert "fits 2 students" in found.unknown["jo"]
    assert "and so does 'A'" in found.unknown["a"]
