"""The class report: one HTML page for the instructor, and a table for the terminal."""

from __future__ import annotations

import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from autograde.grading.assignment import Assignment
from autograde.grading.page import clean, how_late, number, page, points, ring, sentence, text, tone, word
from autograde.grading.submission import ExerciseRow, Row
from autograde.wording import counted

_BINS = 10
_MOST_LISTED = 300  # students in one table of the page
_MOST_SHOWN = 25  # lines in the terminal
_SENTENCES = 4  # of an exercise
_FINE = ("graded", "not_started")
_ORDER = ("passed", "partial", "needs_manual", "failed", "error", "timeout", "uncheckable", "not_attempted")
_STYLE = """
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.2rem, 1fr)); gap: .8rem; margin: 1.6rem 0 0;
  padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; }
.tiles strong { display: block; font-size: 1.8rem; line-height: 1.15; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) { .tiles { grid-template-columns: 1fr 1fr; } .tiles li:last-child { grid-column: 1 / -1; } }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 1rem 1.1rem; }
figcaption { font-size: .88rem; margin-top: .6rem; }
.bins { display: grid; grid-template-columns: repeat(10, 1fr); gap: .3rem; align-items: end; height: 9.5rem;
  list-style: none; margin: 0; padding: 0; font-variant-numeric: tabular-nums; }
.bins li { display: flex; flex-direction: column; justify-content: flex-end; height: 100%; text-align: center;
  font-size: .8rem; min-width: 0; }
.bins i { display: block; background: var(--manual); border-radius: 3px 3px 0 0;
  margin: .15rem 0 .25rem; min-height: 1px; flex: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.bins span { color: var(--quiet); }
.exercise { padding: 1rem 0 .9rem; border-bottom: 1px solid var(--line); break-inside: avoid; }
.exercise:first-of-type { border-top: 1px solid var(--line); }
.exercise .top { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline; margin-bottom: .45rem; }
.exercise .top .id { color: inherit; font-weight: 600; flex: 1 1 12rem; }
.keys { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .45rem 0 0; padding: 0; list-style: none;
  font-size: .85rem; color: var(--quiet); }
.keys i { display: inline-block; width: .65em; height: .65em; border-radius: 2px; background: var(--tone);
  margin-right: .4em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.said { margin: .6rem 0 0; padding: 0; list-style: none; font-size: .92rem; }
.said li { display: grid; grid-template-columns: 3.2rem 1fr; gap: .5rem; padding: .25rem 0; }
.said b { text-align: right; font-variant-numeric: tabular-nums; }
.error i, .bar i.error, .bar i.timeout { opacity: .72; } .bar i.not_attempted { opacity: .55; }
.scroll { overflow-x: auto; }
table.c2 td:first-child, table.c3 td:first-child { width: 30%; } table.c3 td:nth-child(2) { white-space: nowrap; }
"""


def class_report(rows: Sequence[Row], assignment: Assignment, off: Sequence[str], title: str = "") -> str:
    """The page. off names the sandbox's layers that were not there."""
    looks = _looks(rows)
    body: list[str] = [
        f'<header><p class="over">Class report</p><h1>{text(title or assignment.id)}</h1></header>',
        _tiles(rows, len(looks)),
        _sandbox(off),
        "<h2>Scores</h2>",
        _distribution(rows, assignment.max_score),
        "<h2>Exercise by exercise</h2>",
        *(_exercise(name, worth, rows) for name, worth in _exercises(rows, assignment).items()),
        "<h2>Who needs a look</h2>",
        *_look(rows, looks),
        _all_table(rows),
        f"<footer>{_cost(rows)} This page is one file. It loads nothing, and it can be kept and printed.</footer>",
    ]
    return page(
        f"Class report: {title or assignment.id}", "\n".join(part for part in body if part), style=_STYLE, wide=True
    )


def _tiles(rows: Sequence[Row], looks: int) -> str:
    scores = [row.score for row in rows if row.score is not None]
    full = sum(row.score is not None and row.max_score > 0 and row.score >= row.max_score for row in rows)
    median = number(statistics.median(scores)) if scores else "–"
    tiles = [
        (f"{len(rows):,}", "submission" if len(rows) == 1 else "submissions"),
        (f"{len(scores):,}", "with a score"),
        (median, f"median of {points(max((row.max_score for row in rows), default=0))}"),
        (f"{full:,}", "with all points"),
        (f"{looks:,}", "need a look" if looks != 1 else "needs a look"),
    ]
    items = "".join(
        f'<li><strong>{value}</strong><span class="quiet small">{label}</span></li>' for value, label in tiles
    )
    return f'<ul class="tiles">{items}</ul>'


def _sandbox(off: Sequence[str]) -> str:
    if not off:
        return ""
    layers = ", ".join(f"<code>{text(layer)}</code>" for layer in off)
    return (
        f'<section class="card partial" style="margin-top:1.4rem"><div class="head">{ring("error")}<div>'
        f"<h3>The sandbox was not whole</h3></div></div><p>Off on this machine: {layers}. "
        "What that means, and how to get them, says <code>autograde doctor</code>.</p></section>"
    )


def _distribution(rows: Sequence[Row], most: float) -> str:
    """Ten bars, the numbers written on them."""
    scores = [row.score for row in rows if row.score is not None]
    if not scores or not most:
        return '<p class="quiet">There are no scores yet.</p>'
    bins = [0] * _BINS
    for score in scores:
        bins[min(int(max(score, 0) / most * _BINS), _BINS - 1)] += 1
    bars = []
    for place, count in enumerate(bins):
        low, high = place * 100 // _BINS, (place + 1) * 100 // _BINS
        shown = f"{count:,}" if count else ""
        height = count / max(bins)
        bars.append(
            f'<li><span class="away">{low} to {high} percent: {count}</span><b aria-hidden="true">{shown}</b>'
            f'<i style="height:calc((100% - 2.9rem)*{height:.3f})" aria-hidden="true"></i>'
            f'<span aria-hidden="true">{low}</span></li>'
        )
    mean, median = statistics.fmean(scores), statistics.median(scores)
    missing = len(rows) - len(scores)
    said = f"Submissions by percent of {points(most)}. Mean {number(mean)}, median {number(median)}."
    if missing:
        said += f" {missing:,} without a score {'is' if missing == 1 else 'are'} not in it."
    return f'<figure><ol class="bins">{"".join(bars)}</ol><figcaption>{said}</figcaption></figure>'


def _exercises(rows: Sequence[Row], assignment: Assignment) -> dict[str, float]:
    """Exercise -> points: the assignment's, and any more that rows hold (of an older release)."""
    own = {cell.grade_id: cell.points for cell in assignment.exercises}
    return own | {e.id: e.max_score for row in rows for e in row.exercises if e.id not in own}


def _exercise(name: str, worth: float, rows: Sequence[Row]) -> str:
    found = [exercise for row in rows for exercise in row.exercises if exercise.id == name]
    statuses = Counter(exercise.status for exercise in found)
    known = [status for status in (*_ORDER, *sorted(statuses.keys() - set(_ORDER))) if statuses[status]]
    share = f"{statuses['passed']:,} of {len(found):,} passed"
    if not found:
        share = "nobody's was checked"
    elif set(statuses) == {"needs_manual"}:
        share = f"{len(found):,} to grade by hand"
    bar = "".join(f'<i class="{tone(s)}" style="flex:{statuses[s]}"></i>' for s in known)
    keys = "".join(
        f'<li class="{tone(s)}"><i aria-hidden="true"></i>{text(word(s))} {statuses[s]:,}</li>' for s in known
    )
    return (
        f'<section class="exercise" aria-label="{text(name)}"><div class="top"><span class="id">{text(name)}</span>'
        f'<span>{share}</span><span class="quiet">{points(worth) if worth else "no points"}</span></div>'
        f'<div class="bar" aria-hidden="true">{bar}</div><ul class="keys">{keys}</ul>{_sentences(found)}</section>'
    )


def _sentences(found: Sequence[ExerciseRow]) -> str:
    """What was said most often to those who did not pass."""
    said = Counter(
        exercise.message
        for exercise in found
        if exercise.status not in ("passed", "needs_manual", "not_attempted") and exercise.message
    )
    if not said:
        return ""
    items = "".join(
        f"<li><b>{count:,} ×</b><span>{sentence(_short(message, 400))}</span></li>"
        for message, count in said.most_common(_SENTENCES)
    )
    rest = sum(said.values()) - sum(count for _, count in said.most_common(_SENTENCES))
    more = f'<li class="quiet"><b>{rest:,} ×</b><span>other sentences</span></li>' if rest else ""
    return f'<ul class="said">{items}{more}</ul>'


def _looks(rows: Sequence[Row]) -> list[tuple[Row, str, str]]:
    """Whom a human should look at, what it is, and why: the most pressing first."""
    found: list[tuple[Row, str, str]] = []
    for row in rows:
        stopped = [exercise.id for exercise in row.exercises if exercise.status == "timeout"]
        if row.status not in _FINE:
            found.append((row, row.status, row.message or "no reason was given"))
        elif stopped:
            found.append((row, "timeout", f"stopped at the time limit: {', '.join(stopped)}"))
    rank = {status: place for place, status in enumerate(("failed", "refused", "unreadable", "timeout"))}
    return sorted(found, key=lambda look: (rank[look[1]], look[0].student_id))


def _look(rows: Sequence[Row], looks: Sequence[tuple[Row, str, str]]) -> Iterator[str]:
    """What a human has to do, and what else is worth knowing."""
    if looks:
        yield _table(("Student", "What", "Why"), [(row.student_id, word(what), why) for row, what, why in looks])
    else:
        yield "<p>Nobody: all were graded, and nothing was stopped.</p>"
    waiting = Counter(e.id for row in rows for e in row.exercises if e.status == "needs_manual")
    if waiting:
        named = ", ".join(f"<code>{text(name)}</code> of {count:,}" for name, count in waiting.items())
        yield f"<p>To be graded by hand, in formgrader: {named}.</p>"
    late = sorted((row for row in rows if row.late), key=lambda row: row.student_id)
    if late:
        lines = [(row.student_id, how_late(row), number(row.penalty) if row.penalty else "–") for row in late]
        yield (
            f"<details><summary>{len(late):,} {'were' if len(late) > 1 else 'was'} handed in late</summary>"
            f"{_table(('Student', 'How late', 'Points off'), lines)}</details>"
        )
    repaired = [(row.student_id, "; ".join(row.repairs)) for row in rows if row.repairs]
    if repaired:
        count = len(repaired)
        yield (
            f"<details><summary>{count:,} file{'s were' if count > 1 else ' was'} put right before grading</summary>"
            f"{_table(('Student', 'What was done'), sorted(repaired))}</details>"
        )
    idle = sorted(row.student_id for row in rows if row.status == "not_started")
    if idle:
        listed = _table(("Student",), [(student,) for student in idle])
        yield f"<details><summary>{len(idle):,} handed in what was handed out</summary>{listed}</details>"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table; the last column may hold sentences."""
    headed = "".join(f'<th scope="col">{name}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{sentence(_short(cell, 600))}</td>" for cell in line) + "</tr>"
        for line in lines[:_MOST_LISTED]
    )
    table = f'<table class="c{len(head)}"><thead><tr>{headed}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="scroll">{table}</div>{_more(len(lines))}'


def _all_table(rows: Sequence[Row]) -> str:
    lines = "".join(
        f"<tr><td>{text(row.student_id)}</td><td>{text(word(row.status))}</td>"
        f'<td class="number">{"–" if row.score is None else number(row.score)}</td></tr>'
        for row in sorted(rows, key=lambda row: row.student_id)[:_MOST_LISTED]
    )
    more = _more(len(rows))
    return (
        f"<details><summary>All {counted(len(rows), 'submission')}</summary>"
        '<div class="scroll"><table><thead><tr><th scope="col">Student</th><th scope="col">Status</th>'
        f'<th scope="col" class="number">Score</th></tr></thead><tbody>{lines}</tbody></table></div>{more}</details>'
    )


def _more(count: int) -> str:
    rest = count - _MOST_LISTED
    return f'<p class="quiet small">And {rest:,} more, which the JSON lists.</p>' if rest > 0 else ""


def _cost(rows: Sequence[Row]) -> str:
    cpu = sum(row.cpu_s for row in rows)
    return f"Running them took {cpu:,.1f} s of CPU time." if cpu else "Nothing had to be run."


def summary_table(rows: Sequence[Row]) -> str:
    """What happened, for the terminal: a line an assignment, then who was not simply graded."""
    head = ("assignment", "submissions", "graded", "not started", "not graded", "by hand", "mean", "of")
    table: list[tuple[str, ...]] = [head]
    for assignment in dict.fromkeys(row.assignment_id for row in rows):
        own = [row for row in rows if row.assignment_id == assignment]
        count = Counter(row.status for row in own)
        scores = [row.score for row in own if row.score is not None]
        rest = len(own) - count["graded"] - count["not_started"]
        mean = number(statistics.fmean(scores)) if scores else "-"
        numbers = (len(own), count["graded"], count["not_started"], rest, sum(row.needs_manual for row in own))
        most = number(max(row.max_score for row in own))
        table.append((assignment, *(f"{value:,}" for value in numbers), mean, most))
    lines = list(_aligned(table))
    looks = [look for look in _looks(rows) if look[0].status not in _FINE]
    if looks:
        lines += ["", "Not graded:"]
        named = [(row.student_id, row.assignment_id, word(what), why) for row, what, why in looks[:_MOST_SHOWN]]
        lines += [f"  {line}" for line in _aligned(named, numbers=False)]
        lines += [f"  and {len(looks) - _MOST_SHOWN:,} more"] if len(looks) > _MOST_SHOWN else []
    return "\n".join(lines)


def _aligned(table: Sequence[Sequence[str]], *, numbers: bool = True) -> Iterator[str]:
    """Columns side by side; all but the first at the right where they are numbers."""
    cells = [[_short(" ".join(clean(cell).split()), 100) for cell in line] for line in table]
    widths = [max(_width(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        padded = []
        for column, cell in enumerate(line):
            space = " " * (widths[column] - _width(cell))
            padded.append(space + cell if numbers and column else cell + space)
        yield "  ".join(padded).rstrip()


def _width(value: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in value)
    return len(value) + wide - sum(unicodedata.combining(c) > 0 for c in value)


def _short(value: str, most: int) -> str:
    return value if len(value) <= most else value[: most - 1].rstrip() + "…"
