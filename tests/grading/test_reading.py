"""One file as it comes: whatever an editor, a download or a merge did to it, it is read, or refused in plain words."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from plain_week import NbCell, Notebook, dumped, find, solved

from autograde.grading import read
from autograde.grading.read import read_notebook
from autograde.grading.submission import Cell, ExerciseRow, Row, Submission, Unreadable

HONEST = read_notebook(dumped(solved()), "week1.ipynb")[0]
LATIN = json.dumps({"cells": [{"cell_type": "code", "source": "x = 'é'"}]}, ensure_ascii=False).encode("cp1252")


def test_cells_come_with_kind_source_and_both_ids() -> None:
    assert HONEST[1] == Cell("code", "import math", "setup", "id-01")
    assert HONEST[2] == Cell("markdown", "Write `mean`.", "", "id-02")
    assert read_notebook(dumped(solved()), "week1.ipynb")[1] == ()


def each(change: Callable[[NbCell], object]) -> Callable[[Notebook], object]:
    """A change of every cell."""
    return lambda notebook: [change(cell) for cell in notebook["cells"]]


def to_lines(cell: NbCell) -> None:
    cell["source"] = cell["source"].splitlines(keepends=True)


def windows(cell: NbCell) -> None:
    cell["source"] = cell["source"].replace("\n", "\r\n")


def to_schema_2(cell: NbCell) -> None:
    if grader := cell["metadata"].get("nbgrader"):
        grader["schema_version"] = 2
        del grader["task"]


# What an editor does to a file and no learner can help: it is read as if nothing were, and nothing is said.
QUIET: dict[str, Callable[[Notebook], object]] = {
    "source as a list of lines": each(to_lines),
    "Windows' line ends": each(windows),
    "ids in a file that says 4.4": lambda nb: nb.update(nbformat_minor=4),
    "a minor version from the future": lambda nb: nb.update(nbformat_minor=9),
    "no minor version": lambda nb: nb.pop("nbformat_minor"),
    "no version at all": lambda nb: nb.pop("nbformat"),
    "no metadata": lambda nb: nb.pop("metadata"),
    "unknown keys": lambda nb: (nb.update(editor={"a": 1}), nb["cells"][0].update(outputExpanded=False)),
    "outputs of a markdown cell": lambda nb: nb["cells"][0].update(outputs=[], execution_count=None),
    "an output with keys that none has": lambda nb: find(nb, "mean").update(outputs=[{"transient": None}]),
    "an output that is no list": lambda nb: find(nb, "mean").update(outputs="text"),
    "attachments": lambda nb: nb["cells"][0].update(attachments={"a.png": {"image/png": "x" * 9}}),
    "NaN and Infinity": lambda nb: nb["metadata"].update(lr=float("nan"), top=float("inf")),
    "the kernel of somebody's own environment": lambda nb: nb["metadata"].update(kernelspec={"name": "conda-root-py"}),
    "nbgrader's schema 2, without its task": each(to_schema_2),
}  # fmt: skip


@pytest.mark.parametrize("what", QUIET)
def test_an_editors_ways_change_nothing_and_nothing_is_said(what: str) -> None:
    notebook = solved()
    QUIET[what](notebook)
    assert read_notebook(dumped(notebook), "week1.ipynb") == (HONEST, ())


def test_cell_ids_may_be_missing_or_somewhere_else() -> None:
    notebook = solved()
    for cell in notebook["cells"][::2]:
        cell.pop("id")
    notebook["cells"][1]["metadata"]["id"] = "colab"
    notebook["cells"][1].pop("id")
    assert [cell.cell_id for cell in read_notebook(dumped(notebook), "a.ipynb")[0][:4]] == ["", "colab", "", "id-03"]


@pytest.mark.parametrize(
    ("encoding", "says"),
    [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32")],
)
def test_encodings(encoding: str, says: str) -> None:
    text = json.dumps(solved(), ensure_ascii=False).replace("One large", "Één große")
    cells, repairs = read_notebook(text.encode(encoding), "week1.ipynb")
    assert cells[8].source == "Één große number pulls it."
    assert [says in repair for repair in repairs] == [True] * bool(says)


def test_a_file_in_an_old_windows_encoding_is_read_and_said() -> None:
    cells, (said,) = read_notebook(LATIN, "a.ipynb")
    assert cells[0].source == "x = 'é'"
    assert "no clean UTF-8 (line 1)" in said


def test_format_3_with_worksheets_headings_and_inputs() -> None:
    old = {
        "nbformat": 3,
        "worksheets": [
            {"cells": [{"cell_type": "heading", "level": 2, "source": ["Week"]},
                       {"cell_type": "html", "source": "<b>x</b>"}]},
            {"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"], "prompt_number": 3, "outputs": [],
                        "metadata": {"nbgrader": {"grade_id": "mean", "solution": True}}}]},
        ],
    }  # fmt: skip
    cells, repairs = read_notebook(json.dumps(old).encode(), "a.ipynb")
    assert cells == (Cell("markdown", "## Week"), Cell("markdown", "<b>x</b>"), Cell("code", "x = 1\ny = 2", "mean"))
    assert "old format 3" in repairs[0]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ({"source": "x", "execution_count": 1}, Cell("code", "x")),
        ({"source": "x", "outputs": []}, Cell("code", "x")),
        ({"source": "x", "metadata": {"nbgrader": {"cell_type": "code", "grade_id": 7}}}, Cell("code", "x", "7")),
        ({"source": "x"}, Cell("markdown", "x")),
        ({"cell_type": "sql", "source": "x"}, Cell("raw", "x")),
        ({"cell_type": ["code"], "source": "x"}, Cell("raw", "x")),
        ({"cell_type": "code", "source": None, "metadata": None}, Cell("code", "")),
        ({"cell_type": "code", "source": ["a", 1, None, "b"], "metadata": []}, Cell("code", "ab")),
        ({"cell_type": "code", "source": {"a": 1}, "id": {}, "metadata": {"nbgrader": "x"}}, Cell("code", "")),
        ({"cell_type": "code", "metadata": {"nbgrader": {"grade_id": True}}}, Cell("code", "")),
    ],
)
def test_cells_that_lack_much(cell: dict[str, Any], expected: Cell) -> None:
    assert read_notebook(json.dumps({"cells": [cell]}).encode(), "a.ipynb") == ((expected,), ())


def test_what_is_no_cell_is_left_out_and_said() -> None:
    cells, repairs = read_notebook(b'{"cells": [1, {"cell_type": "code", "source": "x"}, null]}', "a.ipynb")
    assert cells == (Cell("code", "x"),)
    assert repairs == ("2 of the notebook's cells are no cell at all; left out",)


def test_zero_bytes_and_halves_of_characters_are_taken_out_and_said() -> None:
    data = dumped({"cells": [{"cell_type": "code", "source": source} for source in ("x\0y", "\ud800z \U0001f600")]})
    cells, repairs = read_notebook(data, "a.ipynb")
    assert [cell.source for cell in cells] == ["xy", "\ufffdz \U0001f600"]
    assert [repair.partition(":")[0] for repair in repairs] == ["Cell 1", "Cell 2"]
    assert Submission("a", "b", "c", cells).digest


def test_a_raw_line_break_in_a_text_and_zero_bytes_at_the_end_are_no_fault() -> None:
    data = b'{"cells": [{"cell_type": "code", "source": "x\ny"}]}' + b"\0" * 9
    assert read_notebook(data, "a.ipynb") == ((Cell("code", "x\ny"),), ())


def test_what_follows_the_notebook_is_ignored_and_said_with_its_line() -> None:
    data = dumped(solved())
    line = data.count(b"\n") + 2
    for rest, what in ((b'\n{"cells": []}', "a second notebook"), (b"\nrest", "something else")):
        cells, (said,) = read_notebook(data + rest, "a.ipynb")
        assert cells == HONEST
        assert said.startswith(f"Line {line}: {what}")


def test_a_merge_conflict_is_named_with_its_line_and_side() -> None:
    lines = dumped(solved()).split(b"\n")
    lines[20:20] = [b"<<<<<<< HEAD", b'    "# a\\n",', b"=======", b'    "# b\\n",', b">>>>>>> 0123abc"]
    with pytest.raises(Unreadable, match=r"^Line 21: an unresolved merge conflict.*your side is named HEAD"):
        read_notebook(b"\r\n".join(lines), "week1.ipynb")
    with pytest.raises(Unreadable, match=r"^Line 1: an unresolved merge conflict"):
        read_notebook(b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x", "week1.ipynb")


@pytest.mark.parametrize(
    ("data", "name", "what"),
    [
        (b"", "", "Nothing was handed in"),
        (b" \n", "a.ipynb", "The file is empty"),
        (b"\0" * 5000, "a.ipynb", "zeros only"),
        (b"%PDF-1.7 ...", "week1.pdf", "This is a PDF"),
        (b"%PDF-1.7 ...", "week1.ipynb", "This is a PDF"),
        (b"# %%\nprint(1)\n", "week1.py", "This is a Python script"),
        (b"<!DOCTYPE html><html>", "week1.ipynb", "This is a web page"),
        (b"PK\x03\x04 word/document.xml", "week1.docx", "an office document"),
        (b"dear grader", "week1.txt", "This is a text"),
        (b"a,b\n", "week1.csv", "This is no notebook"),
        (b'{"a": 1}', "deep/in/progress.json", "progress.json is JSON, but no notebook"),
        (b"[1]", "a.ipynb", "JSON, but no notebook"),
        (b'{"cells": {}}', "a.ipynb", "JSON, but no notebook"),
    ],
)
def test_another_kind_of_file_is_told_what_it_is_and_what_is_wanted(data: bytes, name: str, what: str) -> None:
    with pytest.raises(Unreadable) as told:
        read_notebook(data, name)
    assert what in str(told.value)
    assert ".ipynb" in str(told.value) or "hand in again" in str(told.value)


@pytest.mark.parametrize("name", ["week1.ipynb.txt", "week1.json", "s1/week1.json", "week1"])
def test_a_notebook_under_another_name_is_read_and_said(name: str) -> None:
    cells, (said,) = read_notebook(dumped(solved()), name)
    assert cells == HONEST
    assert "should end in .ipynb" in said


def test_a_file_that_was_cut_off_says_so_wherever_it_was_cut() -> None:
    data = json.dumps(solved()).encode()
    for end in range(1, len(data) - 1, 7):
        with pytest.raises(Unreadable, match="ends in the middle"):
            read_notebook(data[:end], "week1.ipynb")


def test_any_damage_to_a_file_is_unreadable_and_nothing_else() -> None:
    draw, data = random.Random(0), dumped(solved())
    pieces = [b"null", b"{}", b"[]", b'"', b"\\ud800", b"1e999", b"\0", b"-1", b"\xff"]
    for _ in range(1_000):
        at = draw.randrange(len(data))
        torn = data[:at] + draw.choice(pieces) + data[at + draw.randrange(9) :]
        with contextlib.suppress(Unreadable):
            Submission("a", "b", "c", read_notebook(torn, "a.ipynb")[0]).digest.encode()


def test_damaged_json_names_line_and_column() -> None:
    with pytest.raises(Unreadable, match=r"^Line 2, column 3: the notebook's JSON is damaged"):
        read_notebook(b'{"cells": [],\n  broken: 1, "more": "text"}', "a.ipynb")


@pytest.mark.parametrize("deep", ["[" * 200_000, '{"a":' * 200_000, '{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}"])
def test_what_is_nested_too_deep_is_refused(deep: str) -> None:
    with pytest.raises(Unreadable, match="nested deeper"):
        read_notebook(deep.encode(), "a.ipynb")


def test_a_number_without_end_is_refused() -> None:
    with pytest.raises(Unreadable, match="a number"):
        read_notebook(b'{"cells": [], "n": ' + b"9" * 10_000 + b"}", "a.ipynb")


def test_stored_outputs_of_any_size_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = solved()
    find(notebook, "mean")["outputs"] = [{"output_type": "stream", "text": "[1.0],\n" * 1_000_000}]
    monkeypatch.setattr(read, "_MAX_PIECES", 10_000)  # brackets in a printed text are no pieces
    assert read_notebook(dumped(notebook), "a.ipynb") == (HONEST, ())


def test_limits_are_said_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="millions of nested pieces"):
        read_notebook(b'{"cells": [' + b"{}," * 6_000_000, "a.ipynb")
    with pytest.raises(Unreadable, match="5,001 cells"):
        read_notebook(json.dumps({"cells": [{}] * 5_001}).encode(), "a.ipynb")
    with pytest.raises(Unreadable, match="5,000,000 characters"):
        read_notebook(json.dumps({"cells": [{"source": "x" * 5_000_001}]}).encode(), "a.ipynb")
    monkeypatch.setattr(read, "MAX_BYTES", 1_000)
    with pytest.raises(Unreadable, match=r"more than 0 MB.*Clear the outputs"):
        read_notebook(dumped(solved()), "a.ipynb")


def test_the_digest_is_of_what_is_graded_and_nothing_else() -> None:
    def digest(*cells: Cell, student: str = "a", file: str = "f") -> str:
        return Submission(student, "week1", file, cells).digest

    one = digest(Cell("code", "x", "mean", "id"))
    assert one == digest(Cell("code", "x", "mean", "other"), student="b", file="g")
    assert (
        len({one, digest(Cell("raw", "x", "mean")), digest(Cell("code", "y", "mean")), digest(Cell("code", "x"))}) == 4
    )


def test_a_row_is_one_json_object() -> None:
    row = Row(
        "0042",
        "week1",
        "0042/a.ipynb",
        "graded",
        2.5,
        7.0,
        True,
        "all",
        ("mended",),
        "",
        (ExerciseRow("a", "passed", 2.5, 3.0),),
    )
    data = json.loads(json.dumps(row.to_data()))
    assert list(data) == [
        "student_id", "assignment_id", "file", "status", "score", "max_score", "needs_manual", "sandbox", "repairs",
        "message", "exercises", "cpu_s", "wall_s", "submitted_at", "late", "late_by_s", "raw_score", "penalty",
    ]  # fmt: skip
    assert data["exercises"] == [{"id": "a", "status": "passed", "score": 2.5, "max_score": 3.0, "message": ""}]
    assert Row.empty("a", "b", "c", 7.0).to_data()["score"] is None
    with pytest.raises(ValueError, match="status is 'great'"):
        Row("a", "b", "c", "great", None, 1.0)
    with pytest.raises(ValueError, match="kind is 'sql'"):
        Cell("sql", "")
