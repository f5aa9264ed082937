from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
import traitlets

from explorables import FeedForwardPicture
from explorables.page import page
from explorables.picture import Numbers, join


class Holder(traitlets.HasTraits):
    flat = Numbers([0.0], depth=1)
    one = Numbers(0.0, depth=0)


def test_joined_module_imports_nothing_and_parses(tmp_path: Path) -> None:
    module = join("feed_forward.js")
    assert not re.search(r"^\s*import\b", module, re.MULTILINE)
    assert module.count("export ") == module.count("export default") == 1
    if shutil.which("node") is None:
        pytest.skip("node is not installed, so the module cannot be parsed")
    file = tmp_path / "joined.mjs"
    file.write_text(module, encoding="utf-8")
    subprocess.run(["node", "--check", str(file)], check=True)


def test_missing_module_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.js"):
        join("nowhere.js")


def test_numbers_take_tensors_and_arrays() -> None:
    holder = Holder(flat=torch.tensor([1.0, 2.5]), one=np.float64(3))
    assert holder.flat == [1.0, 2.5]
    assert holder.one == 3.0
    holder.flat = torch.nn.Parameter(torch.ones(2))
    assert holder.flat == [1.0, 1.0]


@pytest.mark.parametrize("bad", ["12", 3, [[1.0]], [float("inf")], [None], None])
def test_numbers_refuse_what_no_page_can_draw(bad: object) -> None:
    with pytest.raises(traitlets.TraitError, match="list of numbers"):
        Holder(flat=bad)


def test_page_holds_the_state_and_cannot_be_broken_out_of() -> None:
    picture = FeedForwardPicture(point=[0.25, -0.5])
    html = page(picture, "<b>Title</b>")
    assert '"point": [0.25, -0.5]' in html
    assert "&lt;b&gt;Title" in html
    state = html.split('<script id="state" type="application/json">')[1].split("</script>")[0]
    assert "<" not in state
    assert "http://" not in html.replace("http://www.w3.org", "")
    assert "https://" not in html
