"""Work folders: where a submission may write when it has no mounts of its own, and how all of it is taken away.

What lies in one was made by a submission: links to elsewhere, folders nobody may enter, deeper than any path can say.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path


def work_folder(within: Path | None = None) -> Path:
    """A new, empty one."""
    return Path(tempfile.mkdtemp(prefix="autograde-work-", dir=within))


def remove(folder: Path) -> None:
    """Take a folder away with all that is in it. What cannot go stays, and stops nobody."""
    if not hasattr(os, "O_PATH"):  # elsewhere than on Linux
        shutil.rmtree(folder, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        top = _opened(str(folder))
        try:
            _empty(top)
        finally:
            os.close(top)
        folder.rmdir()


def _opened(name: str, within: int | None = None) -> int:
    """A folder itself, no link to one, which may be read and changed from now on."""
    found = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
    try:
        os.chmod(f"/proc/self/fd/{found}", 0o700)  # noqa: PTH101  # this very folder, whatever its name means by now
        return os.open(f"/proc/self/fd/{found}", os.O_RDONLY | os.O_DIRECTORY)
    finally:
        os.close(found)


def _empty(top: int) -> None:
    """Empty a folder. What lies in its folders is moved to the top: depth costs neither stack nor long paths."""
    names = os.listdir(top)
    fresh = (f"{secrets.token_hex(8)}-{number}" for number in count())
    while names:
        with contextlib.suppress(OSError):
            names += _without(names.pop(), top, fresh)


def _without(name: str, top: int, fresh: Iterator[str]) -> list[str]:
    """Remove one entry; of a folder, the names under which its folders now stand at the top."""
    with contextlib.suppress(OSError):
        os.unlink(name, dir_fd=top)
        return []
    moved, folder = list[str](), _opened(name, top)
    try:
        for inner in os.listdir(folder):  # noqa: PTH208  # by its descriptor
            try:
                os.unlink(inner, dir_fd=folder)
            except OSError:  # a folder: only one that may be changed can be moved
                os.close(_opened(inner, folder))
                moved.append(next(fresh))
                os.rename(inner, moved[-1], src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)
    return moved
