"""Counting the heads of an attention module without knowing its layout.

Constants in all parameters make all heads alike. So here they are noise. Two tokens that are moved together keep their
difference, and what attention gives them then differs by a weighted sum of fixed directions, one for each head. How
many directions there are is how many heads weigh the tokens in their own way.
"""

from __future__ import annotations

import math
from typing import Any

from autograde.evidence import Evidence
from autograde.live import attempt, hand_over

_DRAWS = 5  # one in some tens makes a head too weak to be seen
_SENTENCES = 64
_SPREAD = 1.5  # of the inputs: the weights must move, and not be all 0 or 1
_CLEAR = 1e-3  # of the strongest direction; rounding stays below a tenth of it


def observe_heads(evidence: Evidence, label: str, module: Any, width: int) -> None:
    """Put into the evidence how many heads there are, and whether all parameters are used. Overwrites them."""
    evidence[f"{label}: heads"] = attempt(lambda: max(_count(module, width) for _ in range(_DRAWS)))
    evidence[f"{label}: used"] = attempt(lambda: _are_used(module, width))


def _count(module: Any, width: int) -> int:
    """The directions in which two tokens' outputs differ, over many sentences (2 tokens, width) of equal difference."""
    import torch

    _fill_with_noise(module, width)
    pair, moves = torch.randn(1, 2, width), torch.randn(_SENTENCES, 1, width)
    with torch.no_grad():
        output = hand_over(module, _SPREAD * (pair + moves))
    strengths = torch.linalg.svdvals((output[:, 0] - output[:, 1]).double())
    return int((strengths > _CLEAR * strengths[0]).sum())


def _are_used(module: Any, width: int) -> bool:
    """Whether all numbers of the parameters get a gradient, but for the bias of all keys: it moves no weight."""
    import torch

    _fill_with_noise(module, width)
    module.zero_grad(set_to_none=True)
    output = hand_over(module, _SPREAD * torch.randn(_SENTENCES, 2, width))
    (output * torch.randn(output.shape)).sum().backward()
    idle = sum(p.numel() if p.grad is None else int((p.grad == 0).sum()) for p in module.parameters())
    module.zero_grad(set_to_none=True)
    return idle <= width


def _fill_with_noise(module: Any, width: int) -> None:
    import torch

    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape) / math.sqrt(width))
