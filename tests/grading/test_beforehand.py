"""Beforehand: what cannot be had is told in a line before anything is run or written, and a class fits in memory."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from autograde.grading.collect import Found, HandedIn, find
from autograde.grading.engine import Task
from autograde.grading.evening import grade
from autograde.grading.hand_back import Evening, hand_back
from autograde.grading.store import Store
from autograde.grading.submission import Row

NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


class Began(Exception):
    """Grading went on to ask for its tasks."""


def begin(store: Store) -> Mapping[str, Task]:
    raise Began


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class of one, and things that are none."""
    files = {"sub/ann/week1.ipynb": NOTEBOOK, "no/ann/notes.txt": "hello", "x.zip": "hello", "x.rar": "hello"}
    for name, text in {**files, "roster.csv": "student_id\nann\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "empty" / "ann").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    return tmp_path


def told(evening: Evening) -> list[str]:
    """What is said of an evening that must not begin; nothing may be written."""
    lines: list[str] = []
    around = evening.submissions.parent
    before = sorted(around.rglob("*"))
    assert grade(evening, begin, lines.append) == 2
    assert sorted(around.rglob("*")) == before
    (said,) = lines
    return said.replace(f"{around}/", "").split("\n")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("nowhere", "nowhere: there is no such folder or archive. Name what the LMS gave you"),
        (
            "x.zip",
            "x.zip: It is no zip archive, or a damaged one. Get it from the LMS again, or unpack it and name",
        ),
        ("x.rar", "x.rar: this is no archive (.zip, .tar, .tar.gz, .tgz) and no notebook. Name the folder or archive"),
        ("empty", "empty: there is no notebook in it, and no archive that may hold one. Name another folder"),
        ("empty.zip", "empty.zip: there is no notebook in it, and no archive that may hold one. Name another folder"),
        ("no", "no: there is no notebook in it, and no archive that may hold one. Name another folder"),
    ],
)
def test_submissions_that_are_none_are_told(folder: Path, name: str, line: str) -> None:
    (said,) = told(Evening(folder / name))
    assert said.startswith(line)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"workers": 0}, "--workers 0: name 1 or more, or leave it out for the number of cores."),
        ({"workers": -3}, "--workers -3: name 1 or more, or leave it out for the number of cores."),
        ({"roster": "none.csv"}, "none.csv: the roster cannot be read: No such file or directory"),
        (
            {"json": "none/rows.json"},
            "--json none/rows.json: it cannot be written (No such file or directory). Name",
        ),
        ({"json": "sub"}, "--json sub: it cannot be written (Is a directory). Name a file in a folder that is there."),
        ({"export": ("excel", "g.csv")}, "--export excel: there is no such export; take one of canvas, moodle, csv"),
        ({"export": ("csv", "none/g.csv")}, "--export csv none/g.csv: it cannot be written (No such file or directory"),
        (
            {"export": ("csv", "roster.csv"), "roster": "roster.csv"},
            "roster.csv: this is the name of the roster, which is never changed; choose another name",
        ),
        ({"gradebook": "nonsense"}, "--gradebook: this is no address of a database. Write it as sqlite:///FILE.db"),
        ({"gradebook": "sqlite:////none/g.db"}, "--gradebook sqlite:////none/g.db: the folder /none is not there."),
    ],
)
def test_what_cannot_be_had_is_told_before_anything_is_run(folder: Path, change: dict[str, object], line: str) -> None:
    for key in ("roster", "json"):
        if key in change:
            change = change | {key: folder / str(change[key])}
    if "export" in change:
        kind, name = change["export"]  # type: ignore[misc]
        change = change | {"export": (kind, folder / name)}
    (said,) = told(replace(Evening(folder / "sub"), **change))  # type: ignore[arg-type]
    assert said.startswith(line)


def test_all_obstacles_are_told_at_once(folder: Path) -> None:
    evening = Evening(folder / "x.zip", folder / "none.csv", folder / "none" / "rows.json", workers=0)
    assert len(told(evening)) == 4


def test_a_class_whose_wishes_can_be_had_begins(folder: Path) -> None:
    own = folder / "sub.grading"
    for evening in (
        Evening(folder / "sub", folder / "roster.csv", own / "rows.json", ("csv", folder / "g.csv"), workers=1),
        Evening(folder / "sub" / "ann" / "week1.ipynb", gradebook=f"sqlite:///{folder}/g.db"),
    ):
        with pytest.raises(Began):
            grade(evening, begin, print)
    assert not (folder / "g.csv").exists()
    assert not (folder / "g.db").exists()


def test_a_file_that_is_there_stays_as_it_is(folder: Path) -> None:
    (folder / "g.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(Began):
        grade(Evening(folder / "sub", export=("csv", folder / "g.csv")), begin, print)
    assert (folder / "g.csv").read_text(encoding="utf-8") == "mine"


def test_the_rows_are_written_whatever_stops_the_beginning(folder: Path) -> None:
    assert grade(Evening(folder / "x.zip", json=folder / "rows.json"), begin, print) == 2
    assert json.loads((folder / "rows.json").read_text(encoding="utf-8")) == []


def test_the_class_of_the_folder_that_one_is_in_lies_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "sub")
    assert Evening(Path()).folder == folder / "sub.grading"
    assert Evening(Path("..")).folder == folder.with_name(f"{folder.name}.grading")
    assert Evening(Path("ann")).folder == Path("ann.grading")


MANY, LARGE = 24, 1_000_000


def class_of_many(folder: Path, *, packed: bool) -> int:
    """Many learners with a large notebook each, in a folder or in an archive of their own; the size of all."""
    for i in range(MANY):
        notes = f"learner {i} " + "x" * LARGE
        cells = [{"cell_type": "markdown", "metadata": {}, "source": notes}]
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        (folder / f"s{i:02}").mkdir(parents=True)
        if packed:
            with zipfile.ZipFile(folder / f"s{i:02}" / "work.zip", "w", zipfile.ZIP_STORED) as archive:
                archive.writestr("notes.txt", "see the notebook")
                archive.writestr("week1.ipynb", text)
        else:
            (folder / f"s{i:02}" / "week1.ipynb").write_text(text, encoding="utf-8")
    return MANY * LARGE


@pytest.mark.parametrize("packed", [False, True], ids=["in folders", "in archives of their own"])
def test_a_class_that_was_found_is_not_held_in_memory(tmp_path: Path, packed: bool) -> None:
    size = class_of_many(tmp_path / "sub", packed=packed)
    tracemalloc.start()
    try:
        handed_in = list(find(tmp_path / "sub", ["week1"]))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(handed_in) == MANY
    assert held < size / 10
    for i, one in enumerate(handed_in):
        data = one.read().data
        assert data is not None
        assert f"learner {i} x".encode() in data
        assert one.found.data is None


def test_a_class_that_is_handed_back_is_not_held_in_memory(tmp_path: Path) -> None:
    size = class_of_many(tmp_path / "sub", packed=False)
    handed_in = list(find(tmp_path / "sub", ["week1"]))
    rows = [Row.empty(one.found.student_id, "week1", one.found.file, 1.0) for one in handed_in]
    peaks = []
    for count in (1, 1, MANY):  # what is loaded once is loaded with the first
        tracemalloc.start()
        try:
            hand_back(Evening(tmp_path / "sub"), {}, handed_in[:count], rows[:count], None)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[2] < peaks[1] + size / 2


def test_a_file_that_went_away_since_it_was_found_has_its_reason(tmp_path: Path) -> None:
    class_of_many(tmp_path / "sub", packed=False)
    first, second, *_ = find(tmp_path / "sub", ["week1"])
    (tmp_path / "sub" / "s00" / "week1.ipynb").unlink()
    assert first.read().fault == "s00/week1.ipynb: it cannot be read (No such file or directory)"
    assert second.read().fault == ""
    kept = Found("ann", "week1", "", b"")
    assert HandedIn(kept).read() is kept
