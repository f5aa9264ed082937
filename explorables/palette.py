"""The course's colours and the look of its figures: one thing has one colour in every lesson."""

from __future__ import annotations

from typing import Final

# Okabe and Ito's colours, which people who see few colours can tell apart. Change one here and in every picture's CSS.
COLOURS: Final[dict[str, str]] = {
    "query": "#0072B2",
    "key": "#D55E00",
    "value": "#009E73",
    "token": "#56B4E9",
    "feed_forward": "#CC79A7",
    "neutral": "#808080",  # grey 0.5: about as readable on white as on near black
}


def use_style() -> None:
    """Give matplotlib's figures of this session the course's look: transparent, with mid-grey text and axes."""
    import matplotlib as mpl  # here, so that `import explorables` stays light
    from cycler import cycler

    grey = COLOURS["neutral"]
    # Neutral comes first: a line that was given no colour must not claim to be a query or a key.
    order = ["neutral", "feed_forward", "token", "query", "key", "value"]
    mpl.rcParams.update(
        {
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "savefig.edgecolor": "none",
            "figure.figsize": (7.0, 3.6),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.size": 11,
            "text.color": grey,
            "axes.labelcolor": grey,
            "axes.titlecolor": grey,
            "axes.edgecolor": grey,
            "axes.titlesize": 12,
            "axes.titlelocation": "left",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=[COLOURS[name] for name in order]),
            "xtick.color": grey,
            # A step darker than the x axis: where all tick labels are equally light, IPython tells JupyterLab to lay a
            # plate behind the transparent figure, a dark one in the light theme. Labels that are hidden or taken
            # away do not count: an axis without labels needs an empty one, `set_xticks([0], [""])`.
            "ytick.color": "#7f7f7f",
            "grid.color": grey,
            "grid.alpha": 0.3,
            "lines.linewidth": 2.0,
            "legend.frameon": False,
        }
    )
