"""Hand-ins: what was typed into the answer cells, and the points that it is worth. Twelve of lesson 04, one of 02."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LESSON = "widen-relu-narrow"
POINTS = {
    "ff-hidden-shape": 1, "ff-weight-shape": 1, "ff-output-shape": 1, "ff-predict-negatives": 0, "ff-second-layer": 1,
    "ff-parameters": 1, "ff-collapsed": 1, "ff-module": 5, "ff-widen": 1, "ff-other-width": 1,
}  # fmt: skip
MODULE = """\
import os
import sys
import warnings


class FeedForward(nn.Module):
    def __init__(self, n_embd, widen=4):
        super().__init__()
        self.widen = nn.Linear(n_embd, widen * n_embd)
        self.narrow = nn.Linear(widen * n_embd, n_embd)

    def forward(self, x):
        {}
        return self.narrow(torch.relu(self.widen(x)))
"""
WRONG = {
    "ff-hidden-shape": "ff_hidden_shape = (2, 128)",
    "ff-weight-shape": "ff_weight_shape = (128, 512)",
    "ff-output-shape": "ff_output_shape = (2, 512)",
    "ff-predict-negatives": 'ff_predict_negatives = "a"',
    "ff-second-layer": "ff_second_layer = 65_536",
    "ff-parameters": "ff_parameters = 131_072",
    "ff-collapsed": "ff_collapsed = 16_384",
    "ff-module": MODULE.format("pass").replace("torch.relu", ""),
    "ff-widen": "ff_widen = 65_536",
    "ff-other-width": "ff_other_width = 395_136",
}  # fmt: skip
SPELLED = {
    "ff-hidden-shape": "ff_hidden_shape = [2, 512]",
    "ff-weight-shape": 'ff_weight_shape = "(512, 128)"',
    "ff-output-shape": "ff_output_shape = narrow(torch.relu(widen(x[:2]))).shape",
    "ff-second-layer": "ff_second_layer = 65_664.0",
    "ff-parameters": "ff_parameters = 131,712",
    "ff-collapsed": "ff_collapsed = torch.tensor(16_512)",
    "ff-widen": 'ff_widen = "65,920"',
}
UNREADABLE = MODULE.format("pass").replace("def forward(self, x):", "def forward(self, x)")


@dataclass(frozen=True)
class HandIn:
    """What one student typed, by exercise; where `rest` is given, the solutions stand in the other answer cells."""

    points: float
    typed: Mapping[str, str] = field(default_factory=dict)
    rest: bool = True
    grade_cells: str = ""
    """What was written over every grade cell."""
    lesson: str = LESSON

    def answers(self, solutions: Mapping[str, str]) -> dict[str, str]:
        """The source of each answer cell that was touched."""
        return (dict(solutions) if self.rest else {}) | dict(self.typed)


DETACHED = """\
def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores.detach(), dim=-1) @ v
"""
DEFAULTS = """\
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.manual_seed(7)
ff_hidden_shape = (2, 512)
"""
ALL = {
    "all-right": HandIn(13),
    "all-wrong": HandIn(0, WRONG),
    "empty": HandIn(0, rest=False),
    "half": HandIn(6, {exercise: WRONG[exercise] for exercise in ("ff-module", "ff-widen", "ff-parameters")}),
    "spells-otherwise": HandIn(13, SPELLED),
    "warns": HandIn(13, {"ff-module": MODULE.format('warnings.warn("careful", stacklevel=1)')}),
    "prints": HandIn(13, {"ff-module": MODULE.format('print("here", file=sys.stderr); os.write(2, b"there")')}),
    "shadows": HandIn(
        13,
        {
            "ff-hidden-shape": 'list = (2, 512)\nff_hidden_shape = list\ncheck = hint = print = "mine"',
            "ff-collapsed": 'ff_collapsed = 16_512\ntorch = "mine"',
            "ff-module": MODULE.format("pass"),
        },
    ),
    "raises": HandIn(7, {"ff-parameters": "ff_parameters = 1 / 0", "ff-module": MODULE.format("return x[0, 0, 0, 0]")}),
    "mistypes": HandIn(
        6,
        {
            "ff-weight-shape": "ff_weight_shape = (512, 128",
            "ff-second-layer": "ff_second_layer = 65,064",
            "ff-module": UNREADABLE,
        },
    ),
    "changes-defaults": HandIn(13, {"ff-hidden-shape": DEFAULTS}),
    "cheats": HandIn(
        0, {"ff-hidden-shape": "check = lambda *_: 1.0\nff_hidden_shape = ..."}, rest=False, grade_cells="5.0"
    ),
    "earns-a-part": HandIn(9, {"wa-attention": DETACHED}, lesson="weighted-average"),
}
OF_LESSON = [student for student, hand_in in ALL.items() if hand_in.lesson == LESSON]
