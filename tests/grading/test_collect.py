"""A class's submissions as they come: a file a learner and assignment, or a plain reason why there is none."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import random
import shutil
import socket
import stat
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from plain_week import dumped, solved

from autograde.grading import archive
from autograde.grading import collect as collecting
from autograde.grading.archive import items_in
from autograde.grading.collect import Found, collect
from autograde.grading.lms import attempt, known_as, lms_name
from autograde.grading.naming import Naming
from autograde.grading.submission import Refused

NOTEBOOK = dumped(solved())
LESSON = b'{"nbformat": 4, "cells": [{"source": "lesson(\\"widen-relu-narrow\\", \\"...\\")"}]}'
LESSONS = ["weighted-average", "widen-relu-narrow"]

Files = Mapping[str, bytes]


def written(root: Path, files: Files) -> Path:
    """A folder of files."""
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def zipped(files: Files) -> bytes:
    """A zip of files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return held.getvalue()


def tarred(files: Files, mode: str = "w:gz", **kinds: bytes) -> bytes:
    """A tar of files; kinds: other entries, name -> type."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as made:  # type: ignore[call-overload]
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            made.addfile(entry, io.BytesIO(data))
        for name, kind in kinds.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            made.addfile(entry)
    return held.getvalue()


def brief(found: list[Found]) -> list[tuple[str, str]]:
    """Learner and file."""
    return [(one.student_id, one.file) for one in found]


def one(path: Path, assignment: str = "week1") -> Found:
    """The only thing found."""
    (found,) = collect(path, [assignment])
    return found


def test_a_folder_a_learner_and_the_folders_exact_name_is_the_id(tmp_path: Path) -> None:
    names = ["0042", "42", "Zoë Å", "ann@uni.example", "o'brien, j", "a+b", "s.1", "week1", "数学"]
    written(tmp_path, {f"{name}/week1.ipynb": name.encode() for name in names})
    found = collect(tmp_path, ["week1"])
    assert [one.student_id for one in found] == sorted(names)
    assert all(one.data == one.student_id.encode() and one.assignment_id == "week1" for one in found)
    assert all(one.file == f"{one.student_id}/week1.ipynb" for one in found)


def test_files_within_a_learners_folder_may_be_called_anything(tmp_path: Path) -> None:
    written(tmp_path, {"0042/doejane_4711_99880_homework.ipynb": NOTEBOOK, "0043/deep/down/Untitled.ipynb": NOTEBOOK})
    assert brief(collect(tmp_path, ["week1"])) == [
        ("0042", "0042/doejane_4711_99880_homework.ipynb"),
        ("0043", "0043/deep/down/Untitled.ipynb"),
    ]


def test_what_editors_and_systems_leave_is_not_looked_at(tmp_path: Path) -> None:
    left = ["s1/.ipynb_checkpoints/week1-checkpoint.ipynb", "s1/__MACOSX/._week1.ipynb", "s1/._week1.ipynb",
            "s1/venv/x.ipynb", "s1/Thumbs.db", "__MACOSX/s1/._week1.ipynb", ".git/x.ipynb", ".DS_Store"]  # fmt: skip
    written(tmp_path, {"s1/week1.ipynb": NOTEBOOK} | dict.fromkeys(left, b"junk"))
    assert collect(tmp_path, ["week1"]) == [Found("s1", "week1", "s1/week1.ipynb", NOTEBOOK)]
    (tmp_path / "all.zip").write_bytes(zipped({"s1/week1.ipynb": NOTEBOOK} | dict.fromkeys(left, b"junk")))
    assert collect(tmp_path / "all.zip", ["week1"]) == [Found("s1", "week1", "s1/week1.ipynb", NOTEBOOK)]


@pytest.mark.parametrize("inside", ["", "submitted"])
def test_nbgraders_tree_and_its_time_stamp(tmp_path: Path, inside: str) -> None:
    written(
        tmp_path / inside,
        {
            "s1/week1/week1.ipynb": NOTEBOOK,
            "s1/week1/timestamp.txt": b"2026-03-01 12:00:00 UTC\n",
            "s1/week2/week2.ipynb": b"other",
            "s2/week2/week2.ipynb": b"other",
            "s3/week1/problem.ipynb": NOTEBOOK,
        },
    )
    if inside:
        written(
            tmp_path, {"source/week1/week1.ipynb": b"secret", "autograded/s9/week1/week1.ipynb": b"old", "a.db": b""}
        )
    prefix = f"{inside}/" if inside else ""
    assert collect(tmp_path, ["week1"]) == [
        Found("s1", "week1", f"{prefix}s1/week1/week1.ipynb", NOTEBOOK, handed_in="2026-03-01 12:00:00 UTC"),
        Found("s3", "week1", f"{prefix}s3/week1/problem.ipynb", NOTEBOOK),
    ]


def test_the_nearest_time_stamp_above_a_notebook_is_its_own(tmp_path: Path) -> None:
    inner = zipped({"work/week1.ipynb": NOTEBOOK, "work/timestamp.txt": b"1999-01-01 00:00:00"})
    written(
        tmp_path,
        {
            "s1/week1/work/week1.ipynb": NOTEBOOK,
            "s1/week1/timestamp.txt": b"2026-03-01 12:00:00 UTC\n",
            "s1/timestamp.txt": b"2026-01-01 12:00:00 UTC\n",
            "s2/week1/work.zip": inner,  # a learner's own word of it is none
            "s3/week1/work.zip": inner,
            "s3/week1/timestamp.txt": b"2026-03-02 12:00:00 UTC\n",
        },
    )
    stamps = {one.student_id: one.handed_in for one in collect(tmp_path, ["week1"])}
    assert stamps == {"s1": "2026-03-01 12:00:00 UTC", "s2": "", "s3": "2026-03-02 12:00:00 UTC"}


def test_a_time_stamp_in_an_lms_download_is_the_learners_own_file(tmp_path: Path) -> None:
    folder = "Jane Doe_77001_assignsubmission_file_"
    written(tmp_path, {f"{folder}/week1.ipynb": NOTEBOOK, f"{folder}/timestamp.txt": b"1999-01-01 00:00:00"})
    assert one(tmp_path, "week1").handed_in == ""


def test_a_blackboard_download_says_when(tmp_path: Path) -> None:
    attempts = {f"Week 1_jdoe42_attempt_2026-10-0{day}-23-59-30": day for day in (1, 2)}
    written(
        tmp_path,
        {f"{name}_week1.ipynb": NOTEBOOK if day == 2 else b"old" for name, day in attempts.items()}
        | {f"{name}.txt": b"Name: Jane Doe" for name in attempts},
    )
    found = one(tmp_path, "week1")
    assert (found.student_id, found.data, found.handed_in) == ("jdoe42", NOTEBOOK, "2026-10-02 23:59:30")
    assert "the latest counts" in found.notes[0]


def test_an_odd_folder_of_one_learner_is_no_assignment_of_others(tmp_path: Path) -> None:
    written(tmp_path, {"s1/week1/a.ipynb": NOTEBOOK, "s2/my notebooks/hw.ipynb": NOTEBOOK})
    assert [one.student_id for one in collect(tmp_path, ["week1"])] == ["s1", "s2"]


@pytest.mark.parametrize(
    "name",
    ["widen-relu-narrow", "04-widen-relu-narrow", "4-Widen-ReLU-narrow", "04_widen_relu_narrow",
     "04-widen-relu-narrow (2)", "04-widen-relu-narrow-Copy1", "04-widen-relu-narrow-2", "my widen relu narrow final"],
)  # fmt: skip
def test_an_assignment_is_known_by_a_notebooks_name(tmp_path: Path, name: str) -> None:
    written(tmp_path, {f"s1/{name}.ipynb": NOTEBOOK, "s1/02-weighted-average.ipynb": NOTEBOOK})
    assert [one.assignment_id for one in collect(tmp_path, LESSONS)] == LESSONS
    assert one(tmp_path, "widen-relu-narrow").file == f"s1/{name}.ipynb"


def test_an_assignment_is_known_by_the_lesson_inside(tmp_path: Path) -> None:
    written(tmp_path, {"s1/hw.ipynb": LESSON, "s2/hw.ipynb": NOTEBOOK})
    first, second = collect(tmp_path, LESSONS)
    assert (first.student_id, first.assignment_id) == ("s1", "widen-relu-narrow")
    assert (second.student_id, second.assignment_id, second.data) == ("s2", "", NOTEBOOK)  # it cannot be told
    found = collect(tmp_path, ["weighted-average"])
    assert [one.assignment_id for one in found] == [
        "widen-relu-narrow",
        "weighted-average",
    ]  # another lesson's is no guess


def test_canvas_names(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "doejane_4711_99880_week1.ipynb": b"old",
            "doejane_LATE_4711_99881_week1-2.ipynb": NOTEBOOK,
            "o-brienpat_0815_99882_final.ipynb": NOTEBOOK,
            "anon_LATE_aB3x9_99883_week1.ipynb": NOTEBOOK,
            "roejo_4713_text.html": b"<p>I have no notebook</p>",
        },
    )
    found = collect(tmp_path, ["week1"])
    assert [(one.student_id, one.late, one.file.rpartition("_")[2]) for one in found] == [
        ("0815", False, "final.ipynb"),
        ("4711", True, "week1-2.ipynb"),
        ("4713", False, "text.html"),
        ("aB3x9", True, "week1.ipynb"),
    ]
    (note,) = found[1].notes
    assert "the latest counts: graded is doejane_LATE_4711_99881_week1-2.ipynb, not graded: doejane_4711" in note
    assert [one.notes for one in found[2:]] == [(), ()]


def test_the_latest_attachment_counts_whatever_the_attempt_is_called(tmp_path: Path) -> None:
    written(
        tmp_path, {"doe_1_100_week1-3.ipynb": b"old", "doe_1_2000_week1.ipynb": NOTEBOOK, "doe_1_3000_data.csv": b"1"}
    )
    assert one(tmp_path).file == "doe_1_2000_week1.ipynb"


def test_a_canvas_zip_with_a_zip_inside(tmp_path: Path) -> None:
    inner = zipped({"week1.ipynb": NOTEBOOK, "data/x.csv": b"1"})
    (tmp_path / "submissions.zip").write_bytes(zipped({"doejane_LATE_4711_99881_work.zip": inner}))
    found = one(tmp_path / "submissions.zip")
    assert (found.student_id, found.late, found.data) == ("4711", True, NOTEBOOK)
    assert found.file == "doejane_LATE_4711_99881_work.zip/week1.ipynb"


@pytest.mark.parametrize("end", ["_", ""])
def test_moodles_folders_and_files(tmp_path: Path, end: str) -> None:
    written(
        tmp_path / "a",
        {
            f"Zoë Å_77001_assignsubmission_file{end}/week1.ipynb": NOTEBOOK,
            f"Zoë Å_77001_assignsubmission_onlinetext{end}/onlinetext.html": b"<p>see file</p>",
            f"Jo_77002_assignsubmission_onlinetext{end}/onlinetext.html": b"<p>only text</p>",
        },
    )
    assert [one.student_id for one in collect(tmp_path / "a", ["week1"])] == [
        f"Jo_77002_assignsubmission_onlinetext{end}",
        f"Zoë Å_77001_assignsubmission_file{end}",
    ]
    assert known_as(f"Zoë Å_77001_assignsubmission_file{end}") == ("77001", "Zoë Å")
    assert known_as("Zoë Å") == ()
    written(tmp_path / "b", {"Zoë Å_77001_assignsubmission_file_week1.ipynb": NOTEBOOK})
    assert one(tmp_path / "b").student_id == "77001"


def test_loose_files_are_named_by_learner(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "ann.ipynb": NOTEBOOK,
            "0042.ipynb": NOTEBOOK,
            "bob_week1.ipynb": NOTEBOOK,
            "cy.zip": zipped({"week1.ipynb": NOTEBOOK}),
            "dan.ipynb.txt": NOTEBOOK,
            "eve.pdf": b"%PDF",
            "grades.csv": b"a,b",
            "README.md": b"read me",
        },
    )
    assert [one.student_id for one in collect(tmp_path, ["week1"])] == ["0042", "ann", "bob", "cy", "dan", "eve"]
    (tmp_path / "fay").mkdir()
    written(tmp_path, {"fay/week1.ipynb": NOTEBOOK})  # beside folders, a loose pdf is the instructor's
    assert [one.student_id for one in collect(tmp_path, ["week1"])] == ["0042", "ann", "bob", "cy", "dan", "fay"]
    assert one(tmp_path / "ann.ipynb") == Found("ann", "week1", "ann.ipynb", NOTEBOOK)


def test_of_several_notebooks_the_assignments_own_counts_and_it_is_said(tmp_path: Path) -> None:
    good = ["s1/week1.ipynb", "s2/week1 (1).ipynb", "s3/week1.ipynb", "s4/a.ipynb"]
    other = ["s1/scratch.ipynb", "s2/week1.ipynb", "s3/week1-Copy1.ipynb", "s4/b.ipynb"]
    written(tmp_path, dict.fromkeys(good, NOTEBOOK) | dict.fromkeys(other, b"{}"))
    first, second, third, fourth = collect(tmp_path, ["week1"])
    assert first.file == "s1/week1.ipynb"
    assert first.notes == ("More than one notebook: graded is s1/week1.ipynb, not graded: s1/scratch.ipynb",)
    assert second.file == "s2/week1 (1).ipynb"
    assert "the latest counts" in second.notes[0]
    assert third.file == "s3/week1.ipynb"
    assert fourth.file == "s4/a.ipynb"  # the one that holds cells of nbgrader
    assert fourth.notes == ("More than one notebook: graded is s4/a.ipynb, not graded: s4/b.ipynb",)


def test_a_notebook_called_json_or_txt_is_looked_into(tmp_path: Path) -> None:
    written(
        tmp_path, {"s1/week1.json": NOTEBOOK, "s1/data.json": b"{}", "s2/week1.txt": NOTEBOOK.decode().encode("utf-16")}
    )
    assert [one.file for one in collect(tmp_path, ["week1"])] == ["s1/week1.json", "s2/week1.txt"]


def test_where_no_notebook_is_a_file_is_given_so_that_reading_it_says_what_it_is(tmp_path: Path) -> None:
    written(tmp_path, {"s1/week1.pdf": b"%PDF", "s2/a.py": b"x", "s2/b.py": b"y"})
    (tmp_path / "s3").mkdir()
    first, second, third = collect(tmp_path, ["week1"])
    assert (first.data, first.fault) == (b"%PDF", "")
    assert second.notes == ("No notebook among s2/a.py, s2/b.py",)
    assert third == Found("s3", "week1", "", b"")
    assert collect(tmp_path, LESSONS)[-1] == Found("s3", "", "", None, "Nothing was handed in")


def test_wrapping_folders_of_an_archive_are_taken_off(tmp_path: Path) -> None:
    shapes: dict[str, tuple[Files, list[str]]] = {
        "class.zip": ({"class/s1/week1.ipynb": b"1", "class/s2/week1.ipynb": b"1"}, ["s1", "s2"]),
        "one.zip": ({"one/s1/week1.ipynb": b"1"}, ["s1"]),
        "loose.zip": ({"loose/ann.ipynb": b"1", "loose/bob.ipynb": b"1"}, ["ann", "bob"]),
        "sub.zip": ({"submissions/doe_1_2_week1.ipynb": b"1"}, ["1"]),
        "nb.zip": ({"submitted/s1/week1/week1.ipynb": b"1"}, ["s1"]),
        "learner.zip": ({"s1/week1/week1.ipynb": b"1"}, ["s1"]),
        "flat.zip": ({"s1/week1.ipynb": b"1", "s1/other.ipynb": b"1"}, ["s1"]),
    }
    for name, (files, learners) in shapes.items():
        (tmp_path / name).write_bytes(zipped(files))
        assert [found.student_id for found in collect(tmp_path / name, ["week1"])] == learners, name
    (tmp_path / "t.tar.gz").write_bytes(tarred({"./s1/week1.ipynb": NOTEBOOK}))
    assert one(tmp_path / "t.tar.gz").data == NOTEBOOK


def test_names_in_a_zip_that_does_not_say_that_they_are_utf_8(tmp_path: Path) -> None:
    data = bytearray(zipped({"Zo\u00eb/week1.ipynb": NOTEBOOK}))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        flags = data.index(sign) + at
        data[flags : flags + 2] = b"\0\0"
    (tmp_path / "all.zip").write_bytes(data)
    assert one(tmp_path / "all.zip").student_id == "Zoë"


OUTSIDE = [
    "../evil.ipynb",
    "a/../../evil.ipynb",
    "/etc/evil.ipynb",
    "..\\evil.ipynb",
    "\\evil.ipynb",
    "C:\\evil.ipynb",
    "C:evil.ipynb",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_learners_archive_with_a_path_that_leads_outside_is_refused(tmp_path: Path, path: str) -> None:
    for name, pack in (("a.zip", zipped), ("a.tar", lambda files: tarred(files, "w")), ("a.tgz", tarred)):
        shutil.rmtree(tmp_path / "s1", ignore_errors=True)
        written(tmp_path, {f"s1/{name}": pack({"week1.ipynb": NOTEBOOK, path: b"x"})})
        found = one(tmp_path)
        assert (found.student_id, found.data) == ("s1", None)
        assert found.fault.startswith(f"s1/{name}: It holds ")
        assert "outside" in found.fault or "root of a disk" in found.fault


def test_a_class_archive_keeps_its_good_entries_and_refuses_the_others_in_one_row(tmp_path: Path) -> None:
    inner = zipped({"week1.ipynb": NOTEBOOK})
    files = {"s001/inner.zip": inner, "../evil.txt": b"x", "/etc/evil.ipynb": b"x", "s2/week1.ipynb": b"1"}
    (tmp_path / "outer.zip").write_bytes(zipped(files))
    refused, *good = collect(tmp_path / "outer.zip", ["week1"])
    assert (refused.student_id, refused.data) == ("outer.zip", None)
    assert "'../evil.txt', '/etc/evil.ipynb'" in refused.fault
    assert brief(good) == [("s001", "s001/inner.zip/week1.ipynb"), ("s2", "s2/week1.ipynb")]


def test_an_archive_inside_an_archive_inside_is_not_opened(tmp_path: Path) -> None:
    deep = zipped({"inner.zip": zipped({"week1.ipynb": NOTEBOOK})})
    found = one(written(tmp_path, {"s1/outer.zip": deep}))
    assert found.data is None
    assert found.fault.startswith("s1/outer.zip/inner.zip: an archive inside an archive is not opened")


def test_links_in_archives_are_refused(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        entry = zipfile.ZipInfo("week1.ipynb")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(entry, "/etc/passwd")
    written(
        tmp_path,
        {
            "s1/a.zip": held.getvalue(),
            "s2/a.tar": tarred({}, "w", **{"week1.ipynb": tarfile.SYMTYPE}),
            "s3/a.tgz": tarred({}, **{"week1.ipynb": tarfile.LNKTYPE}),
            "s4/a.tar": tarred({}, "w", pipe=tarfile.FIFOTYPE),
        },
    )
    found = collect(tmp_path, ["week1"])
    assert [one.data for one in found] == [None] * 4
    assert ["a link" in one.fault for one in found] == [True, True, True, False]
    assert "device or pipe" in found[3].fault


def test_links_and_devices_in_folders_are_not_followed(tmp_path: Path) -> None:
    secret = written(tmp_path / "outside", {"week1.ipynb": NOTEBOOK})
    root = tmp_path / "class"
    for student in ("s1", "s2", "s3", "s4"):
        (root / student).mkdir(parents=True)
    (root / "s1/week1.ipynb").symlink_to(secret / "week1.ipynb")
    (root / "s2/inside").symlink_to(secret)
    os.mkfifo(root / "s3/week1.ipynb")
    written(root, {"s4/week1.ipynb": NOTEBOOK})
    (root / "s4/more").symlink_to(secret)
    (root / "s5").symlink_to(secret)
    (root / "s6.ipynb").symlink_to(secret / "week1.ipynb")
    found = {one.student_id: one for one in collect(root, ["week1"])}
    assert list(found) == ["s1", "s2", "s3", "s4", "s5", "s6"]
    assert [student for student, one in found.items() if one.data is not None] == ["s4"]
    assert found["s1"].fault == "s1/week1.ipynb: it is a link; links are not followed"
    assert "pipe" in found["s3"].fault
    assert found["s4"].notes == ("s4/more: it is a link; links are not followed",)


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s1").mkdir()
    monkeypatch.chdir(tmp_path)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s1/week1.ipynb")
        assert "pipe" in one(tmp_path).fault


def test_what_may_not_be_read_says_so(tmp_path: Path) -> None:
    written(tmp_path, {"s1/week1.ipynb": NOTEBOOK, "s2/week1.ipynb": NOTEBOOK})
    (tmp_path / "s1/week1.ipynb").chmod(0)
    if os.access(tmp_path / "s1/week1.ipynb", os.R_OK):
        pytest.skip("who runs this may read everything")
    (tmp_path / "s2").chmod(0)
    assert ["ermission denied" in one.fault for one in collect(tmp_path, ["week1"])] == [True, True]
    (tmp_path / "s2").chmod(0o700)


def test_a_bomb_is_refused_by_what_it_says_and_by_what_it_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(archive, "MAX_UNPACKED", 3_000_000)
    zeros = b"\0" * 2_000_000
    honest = zipped({"week1.ipynb": zeros})
    liar = bytearray(honest)
    for sign, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # it says that it is small
        struct.pack_into("<I", liar, liar.index(sign) + at, 1_000)
    bombs = {
        "a.zip": honest,
        "b.zip": bytes(liar),
        "c.zip": zipped({"x.bin": zeros, "y.bin": zeros, "week1.ipynb": NOTEBOOK}),
        "d.tgz": tarred({"week1.ipynb": zeros}),
        "e.tgz": tarred({"x": zeros, "y": zeros}),
        "f.tgz": gzip.compress(b"\0" * 5_000_000),
    }
    found = collect(written(tmp_path, {f"s{name[0]}/{name}": data for name, data in bombs.items()}), ["week1"])
    assert [one.data for one in found] == [None] * 6
    assert [("MB" in one.fault, "damaged" in one.fault) for one in found] == [
        (True, False), (False, True), (True, False), (True, False), (True, False), (True, False)
    ]  # fmt: skip


def test_a_zip_is_read_in_bounds_whatever_its_entry_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000_000)
    big = bytearray(zipped({"week1.ipynb": b"\0" * 5_000_000}))
    struct.pack_into("<I", big, big.index(b"PK\x01\x02") + 24, 900_000)
    (item,) = items_in(bytes(big), "a.zip", strict=True)
    with pytest.raises(Refused):
        item.read()


def test_an_archive_of_too_many_files_or_packed_oddly_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = zipped({f"{i}.txt": b"" for i in range(5_001)})
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("week1.ipynb", b"\0" * 100_000)
    locked = bytearray(zipped({"week1.ipynb": NOTEBOOK}))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(sign) + at] |= 1
    torn = zipped({"week1.ipynb": NOTEBOOK})
    flipped = bytearray(torn)
    flipped[60:70] = b"0123456789"
    files = {
        "a.zip": many,
        "b.zip": held.getvalue(),
        "c.zip": bytes(locked),
        "d.zip": torn[:-30],
        "e.zip": bytes(flipped),
        "f.zip": b"",
        "g.tar": b"x" * 2_000,
        "h.tgz": b"\x1f\x8b\x08junk",
    }
    found = collect(written(tmp_path, {f"s{name[0]}/{name}": data for name, data in files.items()}), ["week1"])
    says = ["more than 5,000 files", "unusual way", "password", "no zip", "damaged", "no zip", "no tar", "damaged"]
    assert [what in one.fault for what, one in zip(says, found, strict=True)] == [True] * 8
    monkeypatch.setattr(archive, "_MAX_DIRECTORY", 100_000)
    assert "far too many files" in collect(tmp_path, ["week1"])[0].fault


def test_an_archive_larger_than_anything_sensible_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (archive, collecting):
        monkeypatch.setattr(module, "MAX_BYTES", 1_000)
    noise = random.Random(0).randbytes(5_000)
    assert "more than 0 MB" in one(written(tmp_path, {"s1/a.zip": zipped({"week1.ipynb": noise})})).fault


def test_any_damage_to_an_archive_is_refused_and_nothing_else() -> None:
    draw = random.Random(0)
    packed = {"a.zip": zipped({"a/week1.ipynb": NOTEBOOK}), "a.tar": tarred({"n" * 120: NOTEBOOK}, "w")}
    for name, data in packed.items():
        for _ in range(1_000):
            torn = bytearray(data)
            torn[draw.choice([draw.randrange(len(torn)), -draw.randrange(1, 200), draw.randrange(600)])] = (
                draw.randrange(256)
            )
            with contextlib.suppress(Refused):
                for item in items_in(bytes(torn), name, strict=True):
                    item.read()


def test_a_bad_archive_beside_a_notebook_costs_nothing_and_is_said(tmp_path: Path) -> None:
    found = one(written(tmp_path, {"s1/week1.ipynb": NOTEBOOK, "s1/data.zip": zipped({"../x": b""})}))
    assert (found.data, found.fault) == (NOTEBOOK, "")
    assert found.notes[0].startswith("s1/data.zip: It holds '../x'")


def test_tars_of_all_dialects_are_read(tmp_path: Path) -> None:
    long = "folder-" * 20 + "/" + "name-" * 30 + "week1.ipynb"
    for dialect in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        name = "deep/" * 25 + "week1.ipynb" if dialect == tarfile.USTAR_FORMAT else long
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode="w", format=dialect) as made:
            entry = tarfile.TarInfo(name)
            entry.size, entry.pax_headers = len(NOTEBOOK), {"comment": "x"}
            made.addfile(entry, io.BytesIO(NOTEBOOK))
        (item,) = items_in(held.getvalue(), "a.tar", strict=True)
        assert "/".join(item.parts) == name
        assert item.read() == NOTEBOOK
    cut = tarred({"week1.ipynb": NOTEBOOK}, "w")[:1024]
    with pytest.raises(Refused, match="damaged"):
        items_in(cut, "a.tar", strict=True)


def test_a_folder_without_end_and_one_of_too_many_files_are_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "MAX_FILES", 10)
    written(tmp_path, {"s1/" + "d/" * 15 + "week1.ipynb": NOTEBOOK})
    written(tmp_path, {f"s2/{i:02}.csv": b"" for i in range(20)} | {"s2/00.ipynb": NOTEBOOK})
    first, second = collect(tmp_path, ["week1"])
    assert "folders without end" in first.fault
    assert second.data == NOTEBOOK
    assert "more than 10 files" in second.notes[0]


def test_originals_are_never_changed_and_nothing_is_written(tmp_path: Path) -> None:
    written(
        tmp_path,
        {"s1/week1.ipynb": NOTEBOOK, "s2/a.zip": zipped({"week1.ipynb": NOTEBOOK}), "s3/b.tgz": tarred({"../x": b""})},
    )
    before = {
        path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns) for path in tmp_path.rglob("*")
    }
    collect(tmp_path, ["week1"])
    assert before == {
        path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns) for path in tmp_path.rglob("*")
    }


def test_what_cannot_be_begun_with_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such folder or archive"):
        collect(tmp_path / "nowhere", ["week1"])
    with pytest.raises(ValueError, match="Name one"):
        collect(tmp_path, [])
    (tmp_path / "torn.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(Refused, match=r"torn\.zip: It is no zip archive"):
        collect(tmp_path / "torn.zip", ["week1"])


@pytest.mark.parametrize(
    ("name", "student", "file", "late"),
    [
        ("doejane_4711_99880_week1.ipynb", "4711", "week1.ipynb", False),
        ("doejane_LATE_4711_99881_week1-2.ipynb", "4711", "week1-2.ipynb", True),
        ("doejane_4711_99880_my_2_3_file.ipynb", "4711", "my_2_3_file.ipynb", False),
        ("o-brien-pat_1_2_a b.ipynb", "1", "a b.ipynb", False),
        ("ünal_1_2_a.ipynb", "1", "a.ipynb", False),
        ("anon_aB3x9_77_a.ipynb", "aB3x9", "a.ipynb", False),
        ("doejane_LATE_4711_text.html", "4711", "text.html", True),
        ("J. Doe_77001_assignsubmission_file_a_b.ipynb", "77001", "a_b.ipynb", False),
        ("Week_1_jdoe42_attempt_2026-10-01-23-59-30_week1.ipynb", "jdoe42", "week1.ipynb", False),
        ("Week 1_j.doe_attempt_2026-10-01-23-59-30.txt", "j.doe", "comment.txt", False),
    ],
)
def test_an_lms_name_is_taken_apart(name: str, student: str, file: str, late: bool) -> None:
    found = lms_name(name)
    assert found is not None
    assert (found.student, found.file, found.late) == (student, file, late)


@pytest.mark.parametrize(
    "name", ["ann.ipynb", "0042.ipynb", "0042_1_2_a.ipynb", "ann_1_a.ipynb", "04-widen.ipynb", "_1_2_a", "a" * 9_999]
)
def test_any_other_name_is_no_lms_name(name: str) -> None:
    assert lms_name(name) is None


@pytest.mark.parametrize(
    ("stem", "number"),
    [("week1", 0), ("week1-2", 2), ("week1 (3)", 3), ("week1(1)", 1), ("week1-Copy2", -1), ("week1 - Copy (2)", -1),
     ("week1 copy", -1)],
)  # fmt: skip
def test_attempts_and_copies(stem: str, number: int) -> None:
    assert attempt(stem) == ("week1", number)


def test_names_that_two_assignments_share_mean_neither() -> None:
    naming = Naming(["01-lab", "02-lab", "03-project"])
    assert [naming.of(name) for name in ("01-lab", "lab", "Project", "02_Lab")] == [
        "01-lab",
        "",
        "03-project",
        "02-lab",
    ]
    assert naming.inside("ann 03-project v2") == "03-project"
    assert naming.inside("ann projects") == ""
    assert Naming(["week1"]).without("0042_week1") == "0042"
    assert Naming(["widen-relu-narrow"]).without("ann_04-widen-relu-narrow") == "ann"
    assert Naming(["week1"]).without("week1") == "week1"
