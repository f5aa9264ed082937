"""Reading one notebook, as it comes: any format from 3 to 4.5, any encoding, whatever an editor left in it.

Only what is graded is kept: each cell's kind, source and ids. Outputs are dropped while the file is parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from autograde.grading.submission import Cell, Unreadable

MAX_BYTES = 100_000_000
"""The largest file that is read; stored outputs count here, and only here."""
MAX_SOURCE = 5_000_000
MAX_CELLS = 5_000
# Brackets, braces and commas outside strings: what parsing costs memory for.
_MAX_PIECES = 5_000_000
_PIECES = (b"{", b"[", b",")
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

_WANTED = "Hand in the notebook itself, the file that ends in .ipynb"
_CONFLICT = re.compile(r"^(<{7})(?: (.*?))?\r?$", re.MULTILINE)
_DROPPED = {"outputs", "attachments", "widgets"}
_NOTHING = "\ufeff\0 \t\r\n"
_ZERO, _SURROGATE = re.compile("\0"), re.compile("[\ud800-\udfff]")
# How a file begins that is something else.
_SIGNS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a text document"),
    (b"version https://git-lfs", "a placeholder of Git LFS, not the file itself"),
)
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_ENDINGS = {
    "pdf": "a PDF",
    "py": "a Python script",
    "html": "a web page",
    "htm": "a web page",
    "md": "a text",
    "txt": "a text",
    "docx": "an office document",
    "odt": "an office document",
}


def read_notebook(data: bytes, name: str) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """The cells of a file and what was mended in reading it. Raises Unreadable, in words for its learner.

    name is the file's name, for the messages; the content decides what it is.
    """
    repairs: list[str] = []
    name = name.rpartition("/")[2]
    _look(data, name)
    text = _text(data, repairs)
    notebook = _json(text, name, repairs)
    cells = _cleaned([_cell(cell) for cell in _cells(notebook, name, repairs)], repairs)
    if sum(len(cell.source) for cell in cells) > MAX_SOURCE:
        raise Unreadable(f"The cells hold more than {MAX_SOURCE:,} characters. {_WANTED}, without data pasted into it")
    if name and not name.lower().endswith(".ipynb"):
        repairs.append(f"{name} holds a notebook and was read as one; its name should end in .ipynb")
    return cells, tuple(repairs)


def _look(data: bytes, name: str) -> None:
    """Before anything is parsed: size and kind. Raises Unreadable."""
    if not name and not data:
        raise Unreadable(f"Nothing was handed in. {_WANTED}")
    if not data.strip():
        raise Unreadable(f"The file is empty. Save the notebook again. {_WANTED}")
    if not data.strip(b"\0"):
        raise Unreadable("The file holds zeros only: saving or sending it was interrupted. Save and hand in again")
    if len(data) > MAX_BYTES:
        raise Unreadable(
            f"The file has more than {MAX_BYTES // 10**6} MB. "
            "Clear the outputs (Kernel > Restart, Clear Outputs), save and hand in again"
        )
    for sign, what in _SIGNS:
        if data.startswith(sign):
            raise Unreadable(f"This is {what}. {_WANTED}")
    if sum(map(data.count, _PIECES)) > _MAX_PIECES and sum(map(_STRINGS.sub(b"", data).count, _PIECES)) > _MAX_PIECES:
        raise Unreadable("The file holds millions of nested pieces. Clear the outputs, save and hand in again")


def _text(data: bytes, repairs: list[str]) -> str:
    """The file as text."""
    encoding = json.detect_encoding(data)
    try:
        text = data.decode(encoding)
        if not encoding.startswith("utf-8"):
            repairs.append(f"The file is {encoding.upper()}, not UTF-8; it was read as such")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        text = data.decode("cp1252" if encoding.startswith("utf-8") else encoding, errors="replace")
        repairs.append(f"The file is no clean {encoding.upper()} (line {line}); some letters may be wrong")
    return text


def _drop(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as it is parsed: what is large and not graded goes at once, its name stays."""
    return {key: None if key in _DROPPED else value for key, value in pairs}


def _json(text: str, name: str, repairs: list[str]) -> Any:
    """The first JSON value of the text. Raises Unreadable."""
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_drop)
    start = len(text) - len(text.lstrip(_NOTHING))
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as fault:
        raise Unreadable(_why_no_json(text, start, name, fault)) from None
    except RecursionError:
        raise Unreadable(f"The file is nested deeper than any notebook. {_WANTED}") from None
    except ValueError:  # a number of thousands of digits
        raise Unreadable(f"The file holds a number that no notebook has. {_WANTED}") from None
    rest = text[end:].strip(_NOTHING)
    if rest:
        line = text.count("\n", 0, text.index(rest, end)) + 1
        what = "a second notebook, as two saves at once leave it," if rest.startswith("{") else "something else"
        repairs.append(f"Line {line}: {what} follows the end of the notebook. The first was graded, the rest ignored")
    return value


def _why_no_json(text: str, start: int, name: str, fault: json.JSONDecodeError) -> str:
    ending = name.lower().rpartition(".")[2]
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        side = f" (your side is named {conflict[2]})" if conflict[2] else ""
        return (
            f"Line {line}: an unresolved merge conflict. Keep one of the two sides{side}, remove the lines "
            "<<<<<<<, ======= and >>>>>>>, open the notebook to see that it is whole, and hand in again"
        )
    if text[start : start + 1] not in ("{", "[") or ending in ("py", "md"):
        page = text[start : start + 200].lower().startswith(("<!doctype html", "<html", "<?xml"))
        what = "a web page" if page else _ENDINGS.get(ending, "no notebook")
        return f"This is {what}. {_WANTED}"
    rest = text[fault.pos :].rstrip(_NOTHING)
    if len(rest) <= 1 or any(word.startswith(rest) for word in _WORDS) or fault.msg.startswith("Unterminated string"):
        return f"The file ends in the middle of the notebook (line {fault.lineno}). Save it and hand in again"
    return (
        f"Line {fault.lineno}, column {fault.colno}: the notebook's JSON is damaged ({fault.msg}). "
        "Open it in Jupyter, save it there and hand in again"
    )


def _cells(notebook: Any, name: str, repairs: list[str]) -> Iterator[dict[str, Any]]:
    """The cells, whichever format holds them. Raises Unreadable."""
    found = _listed(notebook, name)
    if len(found) > MAX_CELLS:
        raise Unreadable(f"The notebook has {len(found):,} cells; at most {MAX_CELLS:,} are read")
    major = notebook.get("nbformat")
    if isinstance(major, int) and major < 4:
        repairs.append(f"The notebook is in the old format {major}; it was read as format 4")
    elif isinstance(major, int) and major > 4:
        repairs.append(f"The notebook is in format {major}, newer than is known here; it was read as format 4")
    strange = sum(not isinstance(cell, dict) for cell in found)
    if strange:
        repairs.append(f"{strange} of the notebook's cells {'is' if strange == 1 else 'are'} no cell at all; left out")
    return (cell for cell in found if isinstance(cell, dict))


def _listed(notebook: Any, name: str) -> list[Any]:
    if isinstance(notebook, dict):
        sheets = notebook.get("worksheets")
        if isinstance(notebook.get("cells"), list):
            return list(notebook["cells"])
        if isinstance(sheets, list):
            return [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or []]
    raise Unreadable(f"{name or 'The file'} is JSON, but no notebook: it has no cells. {_WANTED}")


def _cell(cell: dict[str, Any]) -> Cell:
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    grader = metadata.get("nbgrader")
    grader = grader if isinstance(grader, dict) else {}
    source = _joined(cell.get("source", cell.get("input"))).replace("\r\n", "\n").replace("\r", "\n")
    if cell.get("cell_type") == "heading":
        level = cell.get("level")
        source = "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " " + source
    cell_id = _id(cell.get("id")) or _id(metadata.get("id"))
    return Cell(_kind(cell, grader), source, _id(grader.get("grade_id")), cell_id)


def _kind(cell: dict[str, Any], grader: dict[str, Any]) -> str:
    kind = cell.get("cell_type")
    if kind in ("code", "markdown", "raw"):
        return str(kind)
    if kind in ("heading", "html"):  # of format 3
        return "markdown"
    if kind is None and (known := grader.get("cell_type")) in ("code", "markdown", "raw"):
        return str(known)
    return "code" if {"outputs", "execution_count", "input"} & cell.keys() else "raw" if kind else "markdown"


def _joined(source: Any) -> str:
    """A source, which is a text or a list of lines."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _cleaned(cells: list[Cell], repairs: list[str]) -> tuple[Cell, ...]:
    """The cells without what no text file can hold: zero bytes and halves of surrogate pairs."""
    for pattern, instead, what in (
        (_ZERO, "", "zero bytes were removed"),
        (_SURROGATE, "\ufffd", "broken characters were replaced"),
    ):
        places = [place for place, cell in enumerate(cells) if pattern.search(cell.source)]
        for place in places:
            cells[place] = replace(cells[place], source=pattern.sub(instead, cells[place].source))
        if places:
            shown = ", ".join(str(place + 1) for place in places[:5]) + (" and more" if len(places) > 5 else "")
            repairs.append(f"Cell{'s' if len(places) > 1 else ''} {shown}: {what}")
    return tuple(cells)


def _id(value: Any) -> str:
    """An id as text; empty where there is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return _SURROGATE.sub("\ufffd", str(value)).replace("\0", "")[:200]
