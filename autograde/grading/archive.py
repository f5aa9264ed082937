"""Archives that were handed in: looked into without writing a file, and never past a limit.

Zip, tar and tar.gz. Bytes are counted as they are unpacked; what an archive says of itself is not believed.
"""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from autograde.grading.read import MAX_BYTES
from autograde.grading.submission import Refused

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
MAX_FILES = 5_000
MAX_UNPACKED = 400_000_000
"""What a learner's archive may hold, by its own word; and the most that a tar is unpacked to."""
_MAX_DIRECTORY = 4_000_000
_BLOCK = 512
# What the standard library says of bytes that are no zip.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, ValueError, EOFError, LookupError, OverflowError, RuntimeError,
)  # fmt: skip
_TODO = "Hand in the notebook itself, or a plain zip of it"


@dataclass(frozen=True)
class Item:
    """A file somewhere: its path from the top, how to read it (raises Refused, OSError), when it was changed.

    fault says why it is not touched; it is empty where all is well. time is YYYYMMDDhhmmss, local.
    """

    parts: tuple[str, ...]
    read: Callable[[], bytes] = bytes
    time: int = 0
    fault: str = ""


def is_archive(name: str) -> bool:
    """Whether a file's name is an archive's that can be looked into."""
    return name.lower().endswith(ENDINGS)


def items_in(archive: bytes | Path, name: str, *, strict: bool) -> list[Item]:
    """The files in an archive; a folder is an item whose path ends in an empty part.

    strict, for what a learner packed: one path that leads outside, one link, or too much of all raises Refused. Else
    (an LMS packed it) such an entry is an item with a fault. Raises Refused where it is no archive, OSError.
    """
    if isinstance(archive, bytes) and len(archive) > MAX_BYTES:
        raise Refused(f"It has more than {MAX_BYTES // 10**6} MB. {_TODO}")
    if name.lower().endswith(".zip"):
        found = _in_zip(archive, strict=strict)
    else:
        found = _in_tar(archive if isinstance(archive, bytes) else archive.read_bytes())
    items: list[Item] = []
    for item in found:
        if not any(item.parts):
            continue
        if strict and item.fault:
            raise Refused(f"It holds {'/'.join(item.parts)[:200]!r}: {item.fault}. {_TODO}")
        if strict and len(items) >= MAX_FILES:
            raise Refused(f"It holds more than {MAX_FILES:,} files. {_TODO}")
        items.append(item)
    return items


def _checked(path: str, read: Callable[[], bytes], time: int, fault: str = "") -> Item:
    """An entry as an item; its path is refused where it leads outside."""
    parts = tuple(part for part in re.split(r"[\\/]+", path) if part != ".")
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        fault = "a path that begins at the root of a disk"
    elif ".." in parts:
        fault = "a path with '..', which leads outside"
    return Item(parts, read, time, fault)


def _in_zip(archive: bytes | Path, *, strict: bool) -> Iterator[Item]:
    if isinstance(archive, bytes):
        _check_directory(archive)
    try:
        opened = zipfile.ZipFile(BytesIO(archive) if isinstance(archive, bytes) else archive)
    except _DAMAGE:
        raise Refused(f"It is no zip archive, or a damaged one. {_TODO}") from None
    if strict and sum(info.file_size for info in opened.infolist()) > MAX_UNPACKED:
        raise Refused(f"It would unpack to more than {MAX_UNPACKED // 10**6} MB. {_TODO}")
    for info in opened.infolist():
        time = int("{:04d}{:02d}{:02d}{:02d}{:02d}{:02d}".format(*info.date_time))
        yield _checked(_name(info), _zip_reader(opened, info), time, _odd(info.external_attr >> 16))


def _check_directory(data: bytes) -> None:
    """Before a list of a million entries is read: how long the list is. Raises Refused."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if end >= 0 and len(data) >= end + 16 and struct.unpack_from("<I", data, end + 12)[0] > _MAX_DIRECTORY:
        raise Refused(f"It lists far too many files. {_TODO}")


def _name(info: zipfile.ZipInfo) -> str:
    """An entry's path; many tools write UTF-8 without saying so."""
    if not info.flag_bits & 0x800:
        try:
            return info.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return info.filename


def _odd(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        return "a device or pipe, no file"
    return ""


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        if info.flag_bits & 1:
            raise Refused(f"It is locked with a password. {_TODO}")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others cannot be unpacked in bounds
            raise Refused(f"It is packed in an unusual way. {_TODO}")
        data = bytearray()
        try:
            with archive.open(info) as stream:
                while chunk := stream.read(1 << 20):
                    data += chunk
                    if len(data) > MAX_BYTES:
                        raise Refused(f"It unpacks to more than {MAX_BYTES // 10**6} MB. {_TODO}")
        except Refused:
            raise
        except _DAMAGE:
            raise Refused("It is damaged inside its archive. Pack and hand it in again") from None
        return bytes(data)

    return read


def _in_tar(data: bytes) -> Iterator[Item]:
    """The entries of a tar, read by hand: headers of 512 bytes, the long names of GNU and of POSIX."""
    data = _unzipped(data)
    at, long_name = 0, ""
    while at + _BLOCK <= len(data) and data[at : at + _BLOCK].strip(b"\0"):
        header = data[at : at + _BLOCK]
        kind, size = header[156:157], _number(header[124:136])
        body = at + _BLOCK
        at = body + -(-size // _BLOCK) * _BLOCK
        if at > len(data) + _BLOCK or not _is_header(header):
            raise Refused(f"It is no tar archive, or a damaged one. {_TODO}")
        if kind == b"L":
            long_name = _plain(data[body : body + min(size, 4096)])
        elif kind == b"x":
            found = re.search(rb"\d+ path=([^\n]{1,4096})\n", data[body : body + min(size, 65_536)])
            long_name = _plain(found[1]) if found else ""
        elif kind != b"g":
            prefix = _plain(header[345:500]) if header[257:263] == b"ustar\0" else ""
            path = long_name or (f"{prefix}/" if prefix else "") + _plain(header[:100])
            long_name = ""
            folder = kind == b"5" and not path.endswith("/")
            fault = {b"1": "a link", b"2": "a link"}.get(kind, "" if kind in b"\x0005" else "a device or pipe, no file")
            yield _checked(path + "/" * folder, _slice_reader(data, body, size), 0, fault)


def _unzipped(data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, MAX_UNPACKED + 1)
        except zlib.error:
            raise Refused(f"It is damaged. {_TODO}") from None
    if len(data) > MAX_UNPACKED:
        raise Refused(f"It unpacks to more than {MAX_UNPACKED // 10**6} MB. {_TODO}")
    return data


def _is_header(header: bytes) -> bool:
    """Whether a tar header's own sum is right."""
    return _number(header[148:156]) == sum(header[:148]) + 8 * 32 + sum(header[156:])


def _number(field: bytes) -> int:
    """A number of a tar header: octal digits; a size that needs more is too large anyway."""
    digits = field.strip(b"\0 ")
    return int(digits, 8) if re.fullmatch(rb"[0-7]+", digits) else 1 << 62 if digits else 0


def _plain(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "replace")


def _slice_reader(data: bytes, start: int, size: int) -> Callable[[], bytes]:
    def read() -> bytes:
        if size > MAX_BYTES:
            raise Refused(f"It has more than {MAX_BYTES // 10**6} MB. {_TODO}")
        if start + size > len(data):
            raise Refused("It is cut off inside its archive. Pack and hand it in again")
        return data[start : start + size]

    return read
