"""Cards: how verdicts and notes look in a notebook. Calm, readable in light and dark, never by colour alone."""

from __future__ import annotations

import html
import re

_CARD = (
    "border-left:4px solid {colour};padding:.6em 1em;margin:.3em 0;max-width:46em;line-height:1.5;"
    "font-family:var(--jp-content-font-family,system-ui,sans-serif)"
)
_SHAPE = (
    "display:inline-block;width:1.5em;height:1.5em;line-height:1.5em;margin-right:.6em;box-sizing:content-box;"
    "border:2px solid {colour};border-radius:50%;text-align:center"
)
_CODE = (
    "margin:.45em 0;padding:.5em .7em;white-space:pre-wrap;border-radius:4px;background:rgba(128,128,128,.14);"
    "color:inherit;font-size:.92em"
)


def card(colour: str, head: str, body: list[str], *, kind: str, label: str) -> str:
    """A card's HTML; head and body are HTML already, label is what a screen reader calls it."""
    style = _CARD.format(colour=colour)
    top = f'<div style="display:flex;align-items:center;flex-wrap:wrap">{head}</div>'
    return (
        f'<div class="autograde-card" data-kind="{html.escape(kind)}" role="group" '
        f'aria-label="{html.escape(label)}" style="{style}">{top}{"".join(body)}</div>'
    )


def title(text: str, shape: str = "", colour: str = "") -> str:
    """A card's title, with its shape in a ring where it has one."""
    ring = f'<span aria-hidden="true" style="{_SHAPE.format(colour=colour)}">{shape}</span>' if shape else ""
    return f"<strong>{ring}{html.escape(text)}</strong>"


def aside(text: str) -> str:
    """A quiet text at the right of a title."""
    return f'<span style="opacity:.8;margin-left:auto;padding-left:1em">{html.escape(text)}</span>'


def paragraph(text: str, *, quiet: bool = False) -> str:
    """A paragraph; `backticks` are code."""
    return f'<div style="margin-top:.45em{";opacity:.85" if quiet else ""}">{inline(text)}</div>'


def block(text: str) -> str:
    """Code, or what code printed."""
    return f'<pre style="{_CODE}">{html.escape(text)}</pre>'


def inline(text: str) -> str:
    """Escaped text in which `backticks` are code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(text)).replace("\n", "<br>")
