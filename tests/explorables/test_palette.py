from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from matplotlib_inline.backend_inline import _fetch_figure_metadata

import explorables
from explorables import COLOURS, use_style


def test_import_is_light() -> None:
    heavy = "{'anywidget', 'matplotlib', 'torch', 'numpy', 'IPython'}"
    code = f"import sys, explorables; explorables.COLOURS; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_pictures_come_by_name() -> None:
    assert explorables.FeedForwardPicture.__module__ == "explorables.feed_forward"
    assert "FeedForwardPicture" in dir(explorables)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = explorables.Nothing


def test_every_thing_has_a_colour_of_its_own() -> None:
    assert set(COLOURS) == {"query", "key", "value", "token", "feed_forward", "neutral"}
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_style_is_transparent_and_grey() -> None:
    with mpl.rc_context():
        use_style()
        assert mpl.rcParams["figure.facecolor"] == mpl.rcParams["axes.facecolor"] == "none"
        assert mpl.rcParams["text.color"] == mpl.rcParams["xtick.color"] == COLOURS["neutral"]


def test_no_theme_lays_a_plate_behind_a_figure() -> None:
    with mpl.rc_context():
        use_style()
        figure = Figure()
        left, right = figure.subplots(1, 2, sharey=True)
        left.plot([0, 1])
        right.plot([0, 1])
        assert _fetch_figure_metadata(figure) is None
        for axes in (left, right):
            axes.set_xticks([0], [""])
        assert _fetch_figure_metadata(figure) is None
