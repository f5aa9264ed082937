"""Exports: the vendors' own columns, points filled in, nothing else touched, nothing dropped silently."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from test_roster import CANVAS, GERMAN, MOODLE, WORKSHEET

from autograde.grading.export import Exported, ExportError, export, neutral
from autograde.grading.roster import read_roster
from autograde.grading.submission import ExerciseRow, Row

NAMES = {"widen-relu-narrow": ("Widen, ReLU, narrow", "04-widen-relu-narrow")}


def row(student: str, score: float | None = 6.5, assignment: str = "widen-relu-narrow", **more: object) -> Row:
    data: dict[str, object] = {
        "student_id": student,
        "assignment_id": assignment,
        "file": f"{student}/04-{assignment}.ipynb",
        "status": "unreadable" if score is None else "graded",
        "score": score,
        "max_score": 8.0,
    }
    return Row(**(data | more))  # type: ignore[arg-type]


def lines(data: bytes | str, separator: str = ",") -> list[list[str]]:
    text = data if isinstance(data, str) else data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def run(
    tmp_path: Path, kind: str, rows: list[Row], text: str | None = CANVAS, names: dict[str, tuple[str, ...]] = NAMES
) -> Exported:
    roster = None
    if text is not None:
        (tmp_path / "gradebook.csv").write_text(text, encoding="utf-8", newline="")
        roster = read_roster(tmp_path / "gradebook.csv")
    if not (tmp_path / "out").exists():
        (tmp_path / "out").mkdir()
    return export(kind, rows, roster, tmp_path / "out" / "grades.csv", names)


def test_canvas_gets_its_own_file_back_with_the_points_in_it(tmp_path: Path) -> None:
    done = run(tmp_path, "canvas", [row("00123")])
    before, after = lines(CANVAS), lines(done.path.read_bytes())
    assert done.written == 1
    assert after[3][5] == "6.5"
    after[3][5] = before[3][5]
    assert after == before, "every other cell is as it came, the name that is a formula too"


def test_no_score_stays_as_it_was_and_has_its_reason_beside(tmp_path: Path) -> None:
    rows = [row("00123", None, message="The file is not a notebook."), row("0042", None, status="failed", message="-x")]
    done = run(tmp_path, "canvas", rows)
    after = lines(done.path.read_bytes())
    assert (after[3][5], after[4][5]) == ("", "3.5")
    assert done.written == 0
    assert done.beside is not None
    assert done.beside.name == "grades.not-written.csv"
    beside = lines(done.beside.read_bytes())
    assert beside[0] == ["student_id", "name", "assignment_id", "reason"]
    assert beside[1][::3] == ["00123", "unreadable: The file is not a notebook."]
    assert beside[2][::3] == ["0042", "failed: -x; the LMS's own 3.5 was kept"]
    assert beside[3] == ["jm3", "Müller, Jörg", "widen-relu-narrow", "no submission"]
    assert "3 not written, never as 0" in str(done)


def test_who_is_in_no_roster_is_listed(tmp_path: Path) -> None:
    done = run(tmp_path, "canvas", [row("00123"), row("=cmd|' /C calc'!A0"), row("123")])
    left = {one.student_id: one.reason for one in done.left}
    assert left["=cmd|' /C calc'!A0"] == "fits no student of gradebook.csv"
    assert "leading zeros" in left["123"]
    assert done.beside is not None
    assert lines(done.beside.read_bytes())[1][0] == "'=cmd|' /C calc'!A0", "a file's name is no formula"


def test_excused_students_stay_excused(tmp_path: Path) -> None:
    done = run(tmp_path, "canvas", [row("jm3")])
    assert lines(done.path.read_bytes())[5][5] == "EX"
    assert "excused" in done.left[0].reason
    assert "6.5" in done.left[0].reason


def test_zero_is_a_score(tmp_path: Path) -> None:
    done = run(tmp_path, "canvas", [row("00123", 0.0, status="not_started")])
    assert lines(done.path.read_bytes())[3][5] == "0"


def test_a_new_column_goes_before_the_computed_ones_and_states_its_points(tmp_path: Path) -> None:
    done = run(
        tmp_path, "canvas", [row("00123", assignment="lists"), row("00123", 2)], names=NAMES | {"lists": ("Lists",)}
    )
    after = lines(done.path.read_bytes())
    assert after[0][4:] == ["Section", "Widen, ReLU, narrow (4711)", "Lists", "Current Score", "Final Score"]
    assert after[1] == ["", "", "", "", "", "Manual Posting", "", "", ""]
    assert after[2][5:] == ["8.00", "8", "(read only)", "(read only)"]
    assert after[3][5:] == ["2", "6.5", "", ""]
    assert any("a new one, 'Lists'" in note for note in done.notes)


def test_the_only_column_is_taken_when_it_is_empty(tmp_path: Path) -> None:
    text = "Student,ID,SIS Login ID,Section,Homework (9)\n    Points Possible,,,,10\nA,1,a,S,\n"
    done = run(tmp_path, "canvas", [row("a")], text)
    assert lines(done.path.read_bytes())[2] == ["A", "1", "a", "S", "6.5"]
    assert any("was taken" in note for note in done.notes)
    assert any("8 points, and 10 in gradebook.csv" in note for note in done.notes), "nothing is converted silently"
    filled = run(tmp_path, "canvas", [row("a")], text.replace("S,\n", "S,3\n"))
    assert lines(filled.path.read_bytes())[2] == ["A", "1", "a", "S", "3", "6.5"]


def test_a_teachers_notes_are_no_grades(tmp_path: Path) -> None:
    text = (
        "Student,ID,SIS Login ID,Section,Notes,HW (9),Final Score\n    Points Possible,,,,,8,(read only)\nA,1,a,S,,3,\n"
    )
    done = run(tmp_path, "canvas", [row("a")], text)
    after = lines(done.path.read_bytes())
    assert after[0][4:] == ["Notes", "HW (9)", "Widen, ReLU, narrow", "Final Score"]
    assert after[2][4:] == ["", "3", "6.5", ""]


def test_two_columns_that_fit_are_a_question(tmp_path: Path) -> None:
    text = "Student,ID,SIS Login ID,Section,Widen (1),Widen (2)\nA,1,a,S,,\n"
    with pytest.raises(ExportError, match=r"'Widen \(1\)', 'Widen \(2\)'"):
        run(tmp_path, "canvas", [row("a", assignment="widen")], text)


def test_semicolons_and_decimal_commas_stay(tmp_path: Path) -> None:
    text = "\ufeffStudent;ID;SIS Login ID;Section;Widen (1)\r\n    Points Possible;;;;8,00\r\nA;1;a;S;\r\n"
    done = run(tmp_path, "canvas", [row("a", assignment="widen")], text)
    assert done.path.read_bytes() == (text[:-2] + "6,5\r\n").encode()


def test_moodles_worksheet(tmp_path: Path) -> None:
    exercise = ExerciseRow("ff-shape", "failed", 0.0, 1.0, "You <b>widened</b> twice.\n=1+1")
    rows = [row("Zoë Åström", exercises=(exercise,)), row("77002", None, message="Not a notebook.")]
    done = run(tmp_path, "moodle", rows, WORKSHEET)
    before, after = lines(WORKSHEET), lines(done.path.read_bytes())
    assert after[0] == before[0]
    assert (after[1][4], after[2][4]) == ("6.5", "")
    assert after[1][9].startswith("<p>Graded by autograde: 6.5 of 8 points.</p>")
    assert "&lt;b&gt;widened&lt;/b&gt;" in after[1][9], "Moodle takes feedback for HTML"
    assert "no score of 8 points" in after[2][9]
    assert [line[:4] + line[5:9] for line in after] == [line[:4] + line[5:9] for line in before]


def test_moodles_feedback_of_a_human_stays_and_ours_is_renewed(tmp_path: Path) -> None:
    mine = WORKSHEET.replace('9:15 AM",-,\n', '9:15 AM",-,Well done\n')
    done = run(tmp_path, "moodle", [row("77001")], mine)
    assert lines(done.path.read_bytes())[1][9] == "Well done"
    done = run(tmp_path, "moodle", [row("77001", 1.0)], WORKSHEET)
    again = export("moodle", [row("77001", 2.0)], read_roster(done.path), tmp_path / "again.csv")
    assert "2 of 8 points" in lines(again.path.read_bytes())[1][9]


def test_moodles_locked_grades_stay(tmp_path: Path) -> None:
    done = run(tmp_path, "moodle", [row("77001")], WORKSHEET.replace(",Yes,", ",No,"))
    assert lines(done.path.read_bytes())[1][4] == ""
    assert "cannot be changed" in done.left[0].reason


def test_moodles_worksheet_in_german(tmp_path: Path) -> None:
    done = run(tmp_path, "moodle", [row("77001", 7.25)], GERMAN)
    assert lines(done.path.read_bytes(), ";")[1][4] == "7,25"


def test_moodles_worksheet_is_for_one_assignment(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="for one assignment"):
        run(tmp_path, "moodle", [row("77001"), row("77001", assignment="lists")], WORKSHEET)


def test_moodles_gradebook(tmp_path: Path) -> None:
    rows = [row("00123", assignment="widen"), row("jm3@uni.example", 1, assignment="lists")]
    done = run(tmp_path, "moodle", rows, MOODLE)
    after = lines(done.path.read_bytes())
    assert after[0][6:] == [
        "Assignment: Widen (Real)",
        "Assignment: Widen (Feedback)",
        "Course total (Real)",
        "Assignment: lists (Real)",
        "Last downloaded from this course",
    ]
    assert [line[6] for line in after[1:]] == ["6.5", "4.00"]
    assert [line[9] for line in after[1:]] == ["", "1"]


@pytest.mark.parametrize("kind", ["canvas", "moodle"])
@pytest.mark.parametrize("text", [None, "student_id,name,email\n007,Bond,b@x.example\n8,Q,q@x.example\n"])
def test_without_the_vendors_roster_its_columns_are_built(tmp_path: Path, kind: str, text: str | None) -> None:
    done = run(tmp_path, kind, [row("007")], text)
    after = lines(done.path.read_bytes())
    if kind == "canvas":
        assert after[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Widen, ReLU, narrow"]
        assert after[1] == ["    Points Possible", "", "", "", "", "8"]
        assert after[2] == ["007" if text is None else "Bond", "", "007", "007", "", "6.5"]
    else:
        assert after[0][:4] == ["First name", "Last name", "ID number", "Email address"]
        assert after[1][2:] == ["007", "" if text is None else "b@x.example", "6.5"]
    assert done.notes


def test_plain_csv(tmp_path: Path) -> None:
    rows = [
        row("00123", 6.0, needs_manual=True, message="=HYPERLINK(1)", repairs=("put\nback", "joined")),
        row("@anna", None, message="Not a notebook."),
        row("=1+1"),
    ]
    done = run(tmp_path, "csv", rows, None)
    table = list(csv.DictReader(io.StringIO(done.path.read_text(encoding="utf-8"), newline="")))
    assert [line["student_id"] for line in table] == ["00123", "@anna", "'=1+1"]
    assert [line["score"] for line in table] == ["6", "", "6.5"]
    assert table[0]["message"] == "'=HYPERLINK(1)"
    assert table[0]["repairs"] == "put back; joined"
    assert (table[1]["status"], table[1]["message"]) == ("unreadable", "Not a notebook.")
    assert done.written == 2


def test_plain_csv_of_a_class_lists_who_handed_in_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, "csv", [row("00123"), row("x")])
    table = lines(done.path.read_bytes())
    assert [line[0] for line in table[1:]] == ["00123", "x", "anna maria", "jm3"]
    assert [line[3] for line in table[1:]] == ["6.5", "6.5", "", ""]
    assert table[2][12] == "fits no student of gradebook.csv."
    assert table[3][5] == "no submission"


def test_a_second_row_of_one_student_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, "canvas", [row("00123", 1.0), row("00123", 2.0, file="late.ipynb")])
    assert lines(done.path.read_bytes())[3][5] == "1"
    assert "second row" in done.left[0].reason


def test_the_roster_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "gradebook.csv").write_text(CANVAS, encoding="utf-8")
    roster = read_roster(tmp_path / "gradebook.csv")
    with pytest.raises(ExportError, match="never changed"):
        export("canvas", [row("00123")], roster, tmp_path / "gradebook.csv")
    with pytest.raises(ExportError, match="canvas, moodle, csv"):
        export("excel", [], roster, tmp_path / "x.csv")
    assert (tmp_path / "gradebook.csv").read_text(encoding="utf-8") == CANVAS


def test_an_old_list_of_what_was_not_written_goes(tmp_path: Path) -> None:
    text = "Student,ID,SIS Login ID,Section,Widen (1)\nA,1,a,S,\n"
    assert run(tmp_path, "canvas", [row("b", assignment="widen")], text).beside
    done = run(tmp_path, "canvas", [row("a", assignment="widen")], text)
    assert done.beside is None
    assert sorted(file.name for file in done.path.parent.iterdir()) == ["grades.csv"]


def test_a_full_disk_or_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(ExportError, match="cannot be written"):
        run(tmp_path, "csv", [row("a")], None)


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"the grades cannot be written: No such file"):
        export("csv", [row("a")], None, tmp_path / "none" / "grades.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", " \t=1", "\r\n=1"])
def test_our_texts_are_no_formulas(text: str) -> None:
    assert neutral(text).startswith("'")
    assert neutral("a=1") == "a=1"


def test_many_rows_are_quick(tmp_path: Path) -> None:
    text = "Student,ID,SIS User ID,SIS Login ID,Section,Widen (1)\n" + "".join(
        f'"Last{i}, First{i}",{i},0{i},u{i}@x.example,S,\n' for i in range(20_000)
    )
    done = run(tmp_path, "canvas", [row(f"u{i}@x.example", assignment="widen") for i in range(20_000)], text)
    assert done.written == 20_000
