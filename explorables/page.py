"""A picture on a page of its own: one HTML file that needs no kernel, no server and no network."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorables.picture import Picture

_SHIM = Path(__file__).with_name("shim.js")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; background: #fff; color: #1d1a1c; font: 16px/1.5 system-ui, sans-serif; }}
main {{ max-width: 1180px; margin: 0 auto; padding: 16px; }}
h1 {{ font-size: 22px; margin: 0 0 12px; }}
[data-theme="dark"] body {{ background: #111; color: #eee; }}
</style>
<main><h1>{title}</h1><div id="picture"></div></main>
<script id="state" type="application/json">{state}</script>
<script type="module">
{shim}
document.documentElement.dataset.theme ||= matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const state = JSON.parse(document.getElementById("state").textContent);
window.picture = await revive(document.getElementById("picture"), state);
</script>
</html>
"""


def page(picture: Picture, title: str) -> str:
    """The HTML of a page that shows `picture` as it is now. In the page, `window.picture` is its model."""
    state = json.dumps(picture.embedded()).replace("<", "\\u003c")  # so that no text of ours can end the script
    return _PAGE.format(title=html.escape(title), state=state, shim=_SHIM.read_text(encoding="utf-8"))
