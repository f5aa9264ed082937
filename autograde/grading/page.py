"""A page that is one file: style, verdicts and code for feedback and reports. It asks nobody for anything.

The pages hold what learners wrote, so everything is escaped, and the page's own policy forbids scripts and requests.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from autograde.grading.submission import Row

SHAPES = {
    "passed": "✓",
    "partial": "◐",
    "failed": "✗",
    "not_attempted": "·",
    "error": "!",
    "timeout": "⧖",
    "uncheckable": "?",
    "needs_manual": "✎",
}
WORDS = {"not_attempted": "not attempted", "uncheckable": "cannot be read", "needs_manual": "to be graded by hand"}
_LONGEST_CODE = 20_000  # characters of one answer that are shown
_TOKENS = {"Keyword": "k", "Name.Builtin": "b", "String": "s", "Comment": "c", "Number": "n", "Operator.Word": "k"}
_MARKUP = re.compile(r"(?i)(?<=<)(?=[a-z/!?])|(?<=&)(?=[#a-z])|((?<=script)|(?<=data)|(?<=file))(?=\s*\\?:)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_STYLE = """
:root { color-scheme: light dark;
  --paper: #faf9f6; --card: #ffffff; --ink: #1c1f23; --quiet: #5a6068; --line: #e0dcd4; --code: #f4f2ed;
  --passed: #009e73; --partial: #e69f00; --failed: #d55e00; --none: #8a8f96; --manual: #0072b2;
  --k: #8a3b9c; --s: #00704f; --c: #61666e; --n: #9a4a00; --b: #005f95; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #141619; --card: #1c1f23; --ink: #e7e5e0; --quiet: #a2a7ae; --line: #32363c; --code: #24282d;
  --passed: #2cc295; --partial: #f2b441; --failed: #f0803c; --none: #7d838b; --manual: #56b4e9;
  --k: #d49be3; --s: #6fd3ac; --c: #8f959d; --n: #f0a868; --b: #7cc4f0; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font: 400 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 47rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
main.wide { max-width: 62rem; }
header { margin-bottom: 1.4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; letter-spacing: -.015em; margin: .15rem 0 0; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 2.6rem 0 .8rem; letter-spacing: -.005em; }
h3 { font-size: 1.02rem; line-height: 1.35; margin: 0; }
p { margin: .5rem 0; }
.over, .quiet, figcaption { color: var(--quiet); }
.over { font-size: .9rem; margin: 0; overflow-wrap: anywhere; }
.small { font-size: .9rem; }
.away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: .88em; }
code { background: var(--code); border-radius: 3px; padding: .08em .3em; overflow-wrap: anywhere; }
.id { color: var(--quiet); overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--tone, var(--none));
  border-radius: 6px; padding: 1rem 1.15rem 1.05rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
.card > :last-child { margin-bottom: 0; }
.head { display: flex; gap: .75rem; align-items: flex-start; }
.head > div { flex: 1; min-width: 0; }
.ring { flex: none; display: inline-grid; place-items: center; width: 1.7em; height: 1.7em; border-radius: 50%;
  border: 2px solid var(--tone); font-weight: 700; line-height: 1; margin-top: -.05rem; }
.ring.little { width: 1.45em; height: 1.45em; font-size: .8em; margin: 0; }
.passed { --tone: var(--passed); } .partial { --tone: var(--partial); }
.failed, .error, .timeout, .refused, .unreadable { --tone: var(--failed); }
.not_attempted, .uncheckable, .not_started { --tone: var(--none); } .needs_manual { --tone: var(--manual); }
.says { margin: .7rem 0 0; }
details { margin: .8rem 0 0; } details + details { margin-top: .25rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .9rem; padding: .15rem 0; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--manual); outline-offset: 2px; border-radius: 3px; }
pre { margin: .35rem 0 0; padding: .75rem .9rem; background: var(--code); border-radius: 5px; line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
pre.code { counter-reset: line; padding-left: 3.1rem; }
pre.code .l { display: block; position: relative; min-height: 1.5em; }
pre.code .l::before { counter-increment: line; content: counter(line); position: absolute; left: -2.7rem; width: 1.9rem;
  text-align: right; color: var(--quiet); user-select: none; }
.k { color: var(--k); } .s { color: var(--s); } .c { color: var(--c); font-style: italic; } .n { color: var(--n); }
.b { color: var(--b); }
a { color: inherit; text-underline-offset: .18em; text-decoration-color: var(--line); }
a:hover { text-decoration-color: currentColor; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { font-weight: 600; font-size: .88rem; color: var(--quiet); overflow-wrap: normal; }
th.number, td.number { text-align: right; white-space: nowrap; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet);
  font-size: .85rem; }
.bar { display: flex; height: .7rem; border-radius: .35rem; overflow: hidden; background: var(--line); gap: 1px; }
.bar i { background: var(--tone); min-width: 2px; }
@media (max-width: 30rem) {
  main { padding: 1.5rem .9rem 3rem; } h1 { font-size: 1.4rem; } .card { padding: .85rem .85rem .9rem; }
  pre.code { padding-left: 2.4rem; } pre.code .l::before { left: -2.25rem; width: 1.6rem; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --quiet: #444; --line: #bbb; --code: #f4f4f4;
    --passed: #009e73; --partial: #b87f00; --failed: #d55e00; --none: #777; --manual: #0072b2;
    --k: #6b2d7a; --s: #00553c; --c: #555; --n: #7a3b00; --b: #004a75; }
  body { font-size: 10.5pt; } main, main.wide { max-width: none; padding: 0; }
  .card, tr, figure { break-inside: avoid; } .card.long { break-inside: auto; }
  h2, h3, .head { break-after: avoid; } .screen { display: none; }
  .bar, .bar i, .ring { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(title: str, body: str, *, style: str = "", wide: bool = False) -> str:
    """A whole HTML page; title is text, body is HTML already."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="robots" content="noindex">\n<title>{text(title)}</title>\n'
        f"<style>{_STYLE}{style}</style>\n</head>\n"
        f"<body>\n<main{' class=wide' if wide else ''}>\n{body}\n</main>\n</body>\n</html>\n"
    )


def text(value: str) -> str:
    """Escaped text, without characters that are no text."""
    return html.escape(clean(value))


def clean(value: str) -> str:
    """Text without control characters (a terminal would obey them) and without marks that turn its direction."""
    return _CONTROL.sub("\ufffd", value.replace("\r\n", "\n").replace("\r", "\n"))


def no_markup(value: str) -> str:
    """Text that Markdown takes for text: a zero-width space breaks up tags, entities and links that run something."""
    return _MARKUP.sub("\u200b", clean(value))


def sentence(value: str) -> str:
    """Escaped text in which `backticks` are code."""
    parts = text(value.strip()).split("`")
    whole = len(parts) % 2 == 1
    shown = (f"<code>{part}</code>" if i % 2 and whole else part for i, part in enumerate(parts))
    return ("" if whole else "`").join(shown).replace("\n", "<br>")


def ring(status: str, *, little: bool = False) -> str:
    """The sign of a status in its ring; the word stands beside it."""
    return f'<span class="ring{" little" if little else ""}" aria-hidden="true">{SHAPES.get(status, "!")}</span>'


def tone(status: str) -> str:
    """The class that gives a status its colour."""
    return re.sub(r"\W", "", status)


def word(status: str) -> str:
    """A status in words."""
    return WORDS.get(status, status.replace("_", " "))


def points(value: float) -> str:
    """How many points, with their unit."""
    return f"{number(value)} point{'' if value == 1 else 's'}"


def how_late(row: Row) -> str:
    """How late it was handed in, in words: two units at most. Empty where it was in time."""
    if not row.late:
        return ""
    if row.late_by_s is None:
        return "late"
    left, parts = row.late_by_s, list[str]()
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, left = divmod(left, seconds)
        if parts and not count:
            break
        parts += [f"{count} {unit}{'s' * (count != 1)}"] if count else []
    return f"{' '.join(parts[:2])} late"


def number(value: float) -> str:
    """A number of points: at most two decimals, none that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def code(source: str) -> str:
    """Python with numbered lines, coloured."""
    shown = clean(source.strip("\n"))
    cut = len(shown) > _LONGEST_CODE
    lines = "".join(f'<span class="l">{line}</span>' for line in _coloured(shown[:_LONGEST_CODE]))
    more = f'<p class="quiet small">Cut here: the answer has {len(shown):,} characters.</p>' if cut else ""
    return f'<pre class="code" tabindex="0" aria-label="Code">{lines}</pre>{more}'


def _coloured(source: str) -> Iterator[str]:
    """The lines of a source as HTML."""
    from pygments.lexers import PythonLexer

    line: list[str] = []
    for kind, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        name = str(kind).removeprefix("Token.")
        colour = next((c for prefix, c in _TOKENS.items() if name == prefix or name.startswith(f"{prefix}.")), "")
        first, *others = value.split("\n")
        for number, part in enumerate((first, *others)):
            if number:
                yield "".join(line)
                line = []
            if part:
                shown = html.escape(part)
                line.append(f'<span class="{colour}">{shown}</span>' if colour else shown)
    yield "".join(line)
