"""Feedback for one learner: one HTML page that opens anywhere, and a plain text for mail.

It shows the learner's own code, the verdict of each exercise and what the verdict means; never a test, hidden or not,
nor an expected value.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from autograde.grading.answers import Answer, answers, loose_code
from autograde.grading.assignment import Assignment
from autograde.grading.page import SHAPES, clean, code, how_late, number, page, points, ring, sentence, text, tone, word
from autograde.grading.submission import Cell, ExerciseRow, Row
from autograde.wording import counted

_STYLE = """
.score { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .6rem; margin: 1.3rem 0 .5rem; }
.score strong { font-size: 2.6rem; line-height: 1; letter-spacing: -.03em; font-variant-numeric: tabular-nums; }
.list { list-style: none; padding: 0; margin: 0 0 2.2rem; display: grid; gap: .1rem;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.list a { display: flex; gap: .55rem; align-items: center; padding: .3rem .1rem; text-decoration: none; min-width: 0; }
.list a span:last-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list a:hover span:last-child { text-decoration: underline; }
.meta { font-size: .88rem; color: var(--quiet); margin: .1rem 0 0; }
ul.repairs { padding-left: 1.2rem; margin: .4rem 0 0; }
.hint p { margin: .1rem 0 .6rem 1.05rem; }
.bar.total { height: .55rem; margin-bottom: .55rem; }
"""
_NEXT = {
    "unreadable": "Open your notebook in JupyterLab; if it opens without an error, save it and hand it in again.",
    "refused": "Hand in the notebook itself (the .ipynb file) instead of a folder or an archive.",
    "failed": "This is not your doing, and it costs you no points: your instructor has been told.",
    "not_started": "No answer cell was changed. If you did work on it, the wrong file may have been handed in.",
}


def feedback_page(
    row: Row,
    cells: Sequence[Cell],
    title: str,
    assignment: Assignment | None = None,
    hints: Mapping[str, str] | None = None,
) -> str:
    """The page. cells are the submission's; the assignment tells what answers what where ids were lost.

    hints, one an exercise, are shown folded where it did not pass.
    """
    found = answers(row.exercises, cells, assignment)
    body = [_header(row, title)]
    if len(row.exercises) > 1:
        body.append(_contents(row, found))
    body += [
        _exercise(exercise, found.get(exercise.id, Answer()), _hint(exercise, hints), place)
        for place, exercise in enumerate(row.exercises, start=1)
    ]
    if row.exercises and (loose := loose_code(cells, found)):
        shown = "".join(code(source) for source in loose)
        body.append(f"<details><summary>The code in your file</summary>{shown}</details>")
    body.append("<footer>This page is one file. It loads nothing, and it can be kept and printed.</footer>")
    return page(f"Feedback: {title}", "\n".join(body), style=_STYLE)


def feedback_text(row: Row, title: str = "", width: int = 76, hints: Mapping[str, str] | None = None) -> str:
    """The same in plain text, wrapped at width characters; hints stand at the end, for whoever reads on."""
    lines = [f"{title or row.assignment_id}: {_total(row)}"]
    lines += [_late(row)] if row.late else []
    lines += [_wrapped(row.message, width)] if row.message else []
    lines += [_wrapped(_NEXT[row.status], width)] if row.status in _NEXT else []
    for exercise in row.exercises:
        lines += ["", f"{SHAPES.get(exercise.status, '!')} {exercise.id}: {_earned(exercise)}"]
        lines += [_wrapped(_message(exercise), width, "  ")] if _message(exercise) else []
    lines += _hint_lines(row, hints, width)
    if row.repairs:
        lines += ["", "Put right in your file:"]
        lines += [
            textwrap.indent(_wrapped(repair, width - 4), "    ").replace("    ", "  - ", 1) for repair in row.repairs
        ]
    return clean("\n".join(lines)).rstrip() + "\n"


def _header(row: Row, title: str) -> str:
    lines = [
        f'<header><p class="over">Feedback for {text(row.student_id)}</p><h1>{text(title)}</h1>',
        _score(row),
        f'<p class="over">{_counted(row)}</p>' if row.exercises else "",
        f'<p class="over">{_late(row)}</p>' if row.late else "",
    ]
    if row.message or row.status in _NEXT:
        said = [f'<p class="says">{sentence(part)}</p>' for part in (row.message, _NEXT.get(row.status, "")) if part]
        sign = ring(_RINGS.get(row.status, "needs_manual"))
        head = f'<div class="head">{sign}<div><h3>{text(_told(row))}</h3></div></div>'
        lines.append(
            f'<section class="card {tone(row.status)}" style="margin-top:1.4rem">{head}{"".join(said)}</section>'
        )
    if row.repairs:
        items = "".join(f"<li>{sentence(repair)}</li>" for repair in row.repairs)
        count = len(row.repairs)
        what = "One thing in your file was put right" if count == 1 else f"{count} things in your file were put right"
        lines.append(
            f'<details><summary>{what} before grading</summary><ul class="repairs small">{items}</ul></details>'
        )
    return "".join(lines) + "</header>"


_RINGS = {"unreadable": "uncheckable", "refused": "error", "failed": "error", "not_started": "not_attempted"}


def _told(row: Row) -> str:
    told = {
        "unreadable": "Your file could not be read",
        "refused": "Your file was not accepted",
        "failed": "Grading did not finish",
        "not_started": "Nothing was answered yet",
    }
    return told.get(row.status, "About your file")


def _score(row: Row) -> str:
    if row.score is None:
        return f'<p class="score"><strong>No score</strong><span class="quiet">of {points(row.max_score)}</span></p>'
    share = min(max(row.score / row.max_score, 0), 1) if row.max_score else 1
    waits = sum(exercise.max_score for exercise in row.exercises if exercise.score is None)
    bar = f'<i class="passed" style="width:{share:.1%}"></i>' if share else ""
    bar += (
        f'<i class="needs_manual" style="width:{waits / row.max_score:.1%};opacity:.35"></i>'
        if row.max_score and waits
        else ""
    )
    total = f'<strong>{number(row.score)}</strong><span class="quiet">of {points(row.max_score)}</span>'
    return f'<p class="score">{total}</p><div class="bar total" aria-hidden="true">{bar}</div>'


def _counted(row: Row) -> str:
    """How many exercises passed, and what waits."""
    passed = sum(exercise.status == "passed" for exercise in row.exercises)
    manual = sum(exercise.score is None for exercise in row.exercises)
    automatic = len(row.exercises) - manual
    parts = [f"{passed} of {counted(automatic, 'exercise')} passed"] if automatic else []
    if manual:
        worth = sum(exercise.max_score for exercise in row.exercises if exercise.score is None)
        parts.append(f"{manual} for your instructor to grade ({points(worth)})")
    return " · ".join(parts)


def _late(row: Row) -> str:
    """That it was late, and what it cost."""
    said = f"Handed in {how_late(row)}"
    return f"{said}: {number(row.raw_score or 0)} less {points(row.penalty)}" if row.penalty else said


def _total(row: Row) -> str:
    if row.score is None:
        return f"no score of {points(row.max_score)}"
    waits = f" so far, {sum(e.score is None for e in row.exercises)} to be graded by hand" if row.needs_manual else ""
    return f"{number(row.score)} of {points(row.max_score)}{waits}"


def _contents(row: Row, found: Mapping[str, Answer]) -> str:
    items = []
    for place, exercise in enumerate(row.exercises, start=1):
        name = found.get(exercise.id, Answer()).title or exercise.id
        items.append(
            f'<li class="{tone(exercise.status)}"><a href="#e{place}">{ring(exercise.status, little=True)}'
            f'<span>{text(name)}<span class="away">: {text(word(exercise.status))}</span></span></a></li>'
        )
    return f'<nav class="screen" aria-label="Exercises"><ul class="list">{"".join(items)}</ul></nav>'


def _message(exercise: ExerciseRow) -> str:
    """What is said of it; of one that waits for a human, nothing that its status does not say."""
    return "" if exercise.status == "needs_manual" and exercise.message == "Graded by hand." else exercise.message


def _earned(exercise: ExerciseRow) -> str:
    if exercise.score is None:
        return f"{word(exercise.status)} ({points(exercise.max_score)})"
    if not exercise.max_score:
        return f"{word(exercise.status)} (no points)"
    return f"{word(exercise.status)} ({number(exercise.score)} of {points(exercise.max_score)})"


def _exercise(exercise: ExerciseRow, answer: Answer, hint: str, place: int) -> str:
    named = f'<span class="id">{text(exercise.id)}</span>'
    title = (
        f"{text(answer.title)}"
        if answer.title
        else f'<span class="id" style="color:inherit">{text(exercise.id)}</span>'
    )
    meta = text(_earned(exercise)) + (f" · {named}" if answer.title else "")
    parts = [
        f'<div class="head">{ring(exercise.status)}<div><h3>{title}</h3><p class="meta">{meta}</p></div></div>',
        f'<p class="says">{sentence(_message(exercise))}</p>' if _message(exercise) else "",
    ]
    if hint:
        parts.append(f'<details class="hint"><summary>A hint</summary><p>{sentence(hint)}</p></details>')
    parts += [_source(answer.kind, source) for source in answer.sources]
    long = " long" if sum(source.count("\n") for source in answer.sources) > 30 else ""
    return (
        f'<section class="card {tone(exercise.status)}{long}" id="e{place}" '
        f'aria-label="{text(answer.title or exercise.id)}">{"".join(parts)}</section>'
    )


def _hint(exercise: ExerciseRow, hints: Mapping[str, str] | None) -> str:
    """The hint of an exercise that did not pass; what a human grades has none."""
    return "" if exercise.status in ("passed", "needs_manual") else (hints or {}).get(exercise.id, "")


def _hint_lines(row: Row, hints: Mapping[str, str] | None, width: int) -> list[str]:
    given = [(exercise.id, hint) for exercise in row.exercises if (hint := _hint(exercise, hints))]
    lines = [_wrapped(f"{name}: {hint}", width - 4, "    ").replace("    ", "  - ", 1) for name, hint in given]
    return ["", "Hints, if you want to try again:", *lines] if lines else []


def _source(kind: str, source: str) -> str:
    shown = code(source) if kind == "code" else f"<pre>{text(source.strip())}</pre>"
    return f"<details open><summary>Your answer</summary>{shown}</details>"


def _wrapped(value: str, width: int, indent: str = "") -> str:
    lines = [textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent) for line in value.splitlines()]
    return "\n".join(part for line in lines for part in line or [""])
