"""Heads are counted whatever the layout of an attention module is."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograde.calm import calm
from autograde.evidence import Evidence
from autograde.probe_heads import observe_heads

SIZES = [(8, 2), (12, 3), (16, 4)]


class Library(nn.Module):
    """torch's own."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.inner = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x, x, x, need_weights=False)[0]


class ByHand(nn.Module):
    """One weight and one bias for query, key and value of all heads."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3, width, heads, width // heads))
        self.bias = nn.Parameter(torch.zeros(3, heads, width // heads))
        self.out = nn.Linear(width, width)

    def table(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        return torch.softmax(torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5, dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = torch.einsum("btc,pchd->pbthd", x, self.weight) + self.bias[:, None, None]
        return self.out(torch.einsum("bhij,bjhd->bihd", self.table(q, k), v).flatten(2))


class SharedTable(ByHand):
    """One table of weights for all heads."""

    def table(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        return super().table(q, k).mean(dim=1, keepdim=True).expand(-1, q.shape[2], -1, -1)


class Sliced(nn.Module):
    """Head h reads `size` numbers from h * step on."""

    def __init__(self, width: int, heads: int, step: int) -> None:
        super().__init__()
        self.starts, self.size = range(0, heads * step, step) if step else [0] * heads, width // heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = [[p[..., s : s + self.size] for p in self.qkv(x).chunk(3, dim=-1)] for s in self.starts]
        return self.out(torch.cat([F.scaled_dot_product_attention(*part) for part in parts], dim=-1))


def seen(module: nn.Module, width: int, seed: int = 0) -> tuple[Any, Any]:
    """How many heads are counted, and whether everything is used."""
    evidence: Evidence = {}
    with calm(seed):
        observe_heads(evidence, "one", module.eval(), width)
    return evidence["one: heads"], evidence["one: used"]


@pytest.mark.parametrize(("width", "heads"), SIZES)
@pytest.mark.parametrize("seed", range(20))
def test_right_heads_are_counted(width: int, heads: int, seed: int) -> None:
    for module in (Library(width, heads), ByHand(width, heads), Sliced(width, heads, width // heads)):
        assert seen(module, width, seed) == (heads, True)


@pytest.mark.parametrize(("width", "heads"), SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_heads_that_share_are_seen(width: int, heads: int, seed: int) -> None:
    assert seen(SharedTable(width, heads), width, seed)[0] == 1
    assert seen(Sliced(width, heads, 0), width, seed) == (1, False)
    assert seen(Sliced(width, heads, 1), width, seed) == (heads, False)


def test_what_raises_is_evidence() -> None:
    heads, used = seen(nn.Bilinear(8, 8, 8), 8)
    assert (heads.type, used.type) == ("TypeError", "TypeError")
