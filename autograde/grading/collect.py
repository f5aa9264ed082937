"""Collecting: a folder or an archive of submissions, as it comes, into one file a learner and assignment.

Read are a folder a learner, nbgrader's submitted/STUDENT/ASSIGNMENT/, the downloads of Canvas, Moodle and Blackboard,
and loose files named by learner; archives within are opened, one level deep. Nothing is written, no link is followed.
"""

from __future__ import annotations

import os
import stat
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograde.grading.archive import ENDINGS, MAX_FILES, Item, is_archive, items_in
from autograde.grading.choose import STAMP, Choice, File, choose, is_notebook, stem_of
from autograde.grading.lms import is_typed, known_as, lms_name
from autograde.grading.naming import Naming
from autograde.grading.read import MAX_BYTES
from autograde.grading.submission import Refused

_SKIPPED = {"__MACOSX", "__pycache__", "node_modules", "site-packages", "venv", "Thumbs.db", "desktop.ini"}
# Loose files that are the instructor's rather than a learner's.
_NOT_HANDED_IN = (".csv", ".xlsx", ".db", ".sqlite", ".log", ".md", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_HANDED_IN = (".ipynb", ".ipynb.txt", *ENDINGS)
_DEEPEST = 12


@dataclass(frozen=True)
class Found:
    """One learner's file for one assignment, as it was read. Where fault is not empty it was refused, and data is None.

    assignment_id is empty where it cannot be told. handed_in says when, as nbgrader's timestamp.txt or a file's name
    has it; late is an LMS's mark. notes say what was chosen and what was left.
    """

    student_id: str
    assignment_id: str
    file: str
    data: bytes | None
    fault: str = ""
    late: bool = False
    notes: tuple[str, ...] = ()
    handed_in: str = ""


@dataclass(frozen=True)
class HandedIn:
    """One learner's file for one assignment, to be read when its turn comes: a class's files need not fit in memory."""

    found: Found
    reader: Callable[[], bytes] | None = None

    def read(self) -> Found:
        """The file with its bytes, or with the reason why there are none."""
        if self.reader is None:
            return self.found
        try:
            return replace(self.found, data=self.reader())
        except Refused as reason:
            return replace(self.found, fault=f"{self.found.file}: {reason}")
        except OSError as reason:
            return replace(self.found, fault=f"{self.found.file}: it cannot be read ({reason.strerror})")


def collect(path: Path, assignments: Sequence[str]) -> list[Found]:
    """All that was handed in for some assignments, with its bytes. See find."""
    return [one.read() for one in find(path, assignments)]


def check_submissions(path: Path) -> None:
    """Raises Refused where a path is neither a folder nor an archive with something that could be a submission."""
    if not path.exists():
        raise Refused(f"{path}: there is no such folder or archive. Name what the LMS gave you")
    if path.is_file() and not path.name.lower().endswith(_HANDED_IN) and not _may_be_handed_in(*_top(path)):
        kinds = ", ".join(ENDINGS)
        raise Refused(f"{path}: this is no archive ({kinds}) and no notebook. Name the folder or archive of the class")
    if not any(item.fault or _may_be_handed_in(item) for item in _top(path)):
        raise Refused(f"{path}: there is no notebook in it, and no archive that may hold one. Name another folder")


def _may_be_handed_in(item: Item) -> bool:
    """Whether a file is a notebook by its name, an archive, or a notebook by what is in it."""
    if item.parts[-1].lower().endswith(_HANDED_IN):
        return True
    return item.parts[-1] != "" and is_notebook(File(item, item.parts))


def find(path: Path, assignments: Sequence[str]) -> Iterator[HandedIn]:
    """What each learner handed in for each assignment, in order of learners; of its files no bytes are kept.

    Raises FileNotFoundError, Refused where path itself is no archive, ValueError without assignments.
    """
    if not assignments:
        raise ValueError("there is no assignment to collect for. Name one")
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such folder or archive")
    naming = Naming(assignments)
    items = _top(path)
    bad = [item for item in items if item.fault] if path.is_file() else []
    yield from map(HandedIn, _bad_entries(path, bad, naming))
    learners = _by_learner(_unwrapped([item for item in items if not bad or not item.fault], path, naming), naming)
    others = _other_assignments(learners, naming)
    for student in sorted(learners):
        stamps = _stamps(student, learners[student])
        for choice in choose(learners.pop(student), naming, others):
            yield _handed_in(student, choice, stamps)


def _handed_in(student: str, choice: Choice, stamps: Mapping[tuple[str, ...], File]) -> HandedIn:
    """A choice, and how to read it."""
    file = choice.file
    if file is None:
        fault = "" if choice.assignment_id else "Nothing was handed in"
        return HandedIn(Found(student, choice.assignment_id, "", None if fault else b"", fault))
    above = [stamps[file.path[:depth]] for depth in range(len(file.path)) if file.path[:depth] in stamps]
    handed_in = above[-1].content[:200].decode("utf-8", "replace").strip() if above else ""
    handed_in = file.lms.time if file.lms else handed_in
    late = file.lms is not None and file.lms.late
    found = Found(student, choice.assignment_id, file.shown, None, choice.fault, late, choice.notes, handed_in)
    return HandedIn(found, None if choice.fault else file.unpack or file.item.read)


def _stamps(student: str, files: Sequence[File]) -> dict[tuple[str, ...], File]:
    """nbgrader's time stamps by folder. In what an LMS packed such a file is the learner's own, and says nothing."""
    return {} if known_as(student) else {file.path[:-1]: file for file in files if file.name == STAMP}


def _other_assignments(learners: Mapping[str, Sequence[File]], naming: Naming) -> set[str]:
    """In a tree of nbgrader's: folders of assignments that are not asked for; several learners have them."""
    folders = Counter(name for files in learners.values() for name in {f.path[0] for f in files if len(f.path) > 1})
    if not any(naming.of(name) for name in folders):
        return set()
    return {name for name, learners_with_it in folders.items() if learners_with_it > 1 and not naming.of(name)}


def _top(path: Path) -> list[Item]:
    """All files below a folder or in an archive, or the one file."""
    if path.is_dir():
        return list(_walk(path, ()))
    if is_archive(path.name):
        try:
            return [item for item in items_in(path, path.name, strict=False) if not _is_hidden(item)]
        except Refused as fault:
            what = str(fault).partition(". ")[0]  # what follows is for a learner
            raise Refused(f"{path}: {what}. Get it from the LMS again, or unpack it and name the folder") from None
    return [Item((path.name,), _file_reader(path))]


def _is_hidden(item: Item) -> bool:
    return any(part in _SKIPPED or (part.startswith(".") and part != "..") for part in item.parts)


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[Item]:
    """The files below a folder; the folder itself as a path that ends in an empty part."""
    if parts:
        yield Item((*parts, ""))
    count = 0
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as fault:
        yield Item(parts, fault=f"it cannot be opened ({fault.strerror})")
        return
    for entry in entries:
        here = (*parts, os.fsencode(entry.name).decode("utf-8", "replace"))
        if entry.name in _SKIPPED or entry.name.startswith("."):
            continue
        if parts and (count := count + 1) > MAX_FILES:
            yield Item(here, fault=f"more than {MAX_FILES:,} files lie beside it; the rest was not looked at")
            return
        if entry.is_symlink():
            yield Item(here, fault="it is a link; links are not followed")
        elif entry.is_dir(follow_symlinks=False) and len(here) <= _DEEPEST:
            yield from _walk(Path(entry.path), here)
        elif entry.is_file(follow_symlinks=False):
            changed = time.localtime(entry.stat(follow_symlinks=False).st_mtime)
            yield Item(here, _file_reader(Path(entry.path)), int(time.strftime("%Y%m%d%H%M%S", changed)))
        else:
            yield Item(here, fault="it is no file: a device or pipe, or folders without end")


def _file_reader(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        flags = os.O_RDONLY
        for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):  # not on every system
            flags |= getattr(os, name, 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused("It is no file")
            return file.read(MAX_BYTES + 1)

    return read


def _bad_entries(path: Path, bad: Sequence[Item], naming: Naming) -> Iterator[Found]:
    """One row for the entries of a class's archive that lead outside; nothing of them is read."""
    if bad:
        shown = ", ".join(repr("/".join(item.parts)[:200]) for item in bad[:5]) + (" and more" if len(bad) > 5 else "")
        fault = f"{path.name}: not read because of {bad[0].fault}: {shown}"
        yield Found(path.name, naming.only, "/".join(bad[0].parts), None, fault)


def _unwrapped(items: Sequence[Item], path: Path, naming: Naming) -> list[File]:
    """The items without the folder that holds the whole class: submitted/, or what an archive was packed from."""
    files = [File(item, item.parts, None) for item in items]
    tops = {file.path[0] for file in files if len(file.path) > 1}
    if "submitted" in tops:  # a course folder of nbgrader's, which holds much else
        return [replace(file, path=file.path[1:]) for file in files if file.path[0] == "submitted" and file.path[1]]
    if (
        len(tops) == 1
        and all(len(file.path) > 1 for file in files)
        and _is_wrapper(tops.copy().pop(), files, path, naming)
    ):
        return [replace(file, path=file.path[1:]) for file in files if file.path[1]]
    return files


def _is_wrapper(top: str, files: Sequence[File], path: Path, naming: Naming) -> bool:
    """Whether the only folder at the top holds a class rather than one learner's work."""
    folders = {file.path[1] for file in files if len(file.path) > 2}
    loose = [file.path[1] for file in files if len(file.path) == 2 and file.path[1]]
    if top == "submissions" or any(lms_name(name) for name in loose):
        return True
    if path.is_dir() or any(naming.of(name) for name in (*folders, *(Path(name).stem for name in loose))):
        return False
    if folders:
        return not loose and (len(folders) > 1 or top == path.stem)
    return top == path.stem and sum(name.endswith(".ipynb") for name in loose) > 1


def _by_learner(files: Sequence[File], naming: Naming) -> dict[str, list[File]]:
    """Learner -> their files, paths below their folder; a learner whose folder is empty has none."""
    learners: dict[str, list[File]] = defaultdict(list)
    folders = {file.path[0] for file in files if len(file.path) > 1}
    for file in files:
        top, *below = file.path
        if below:
            mine = learners[top]
            if below[-1]:
                mine.append(replace(file, path=tuple(below), lms=lms_name(below[-1])))
        elif lms := lms_name(top):
            learners[lms.student].append(replace(file, lms=lms))
        elif file.item.fault and not top.lower().endswith(_NOT_HANDED_IN):
            learners[naming.without(stem_of(top)) if top.lower().endswith(_HANDED_IN) else top].append(file)
        elif _is_handed_in(file, alone=not folders):
            learners[naming.without(stem_of(top))].append(file)
    for student in [name for name in learners if is_typed(name)]:  # beside the file that was handed in with it
        if any(
            other.startswith(student.partition("_assignsubmission_")[0] + "_") for other in learners.keys() - {student}
        ):
            del learners[student]
    return learners


def _is_handed_in(file: File, *, alone: bool) -> bool:
    """Whether a loose file is a learner's: beside learners' folders only a notebook or an archive is."""
    name = file.path[0].lower()
    return name.endswith(_HANDED_IN) or (alone and not name.endswith(_NOT_HANDED_IN))
