"""What a solution calls its parameters is read from its source, without running it."""

from __future__ import annotations

import pytest

from autograde.signature import parameters_of

MODULE = """
import torch

class FeedForward(torch.nn.Module):
    size = 3

    def __init__(self, n_embd: int, widen: int = 4) -> None:
        super().__init__()

    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("source", "name", "parameters"),
    [
        ("def attention(q, k, v, mask=None):\n    return q", "attention", {"attention": ["q", "k", "v", "mask"]}),
        ("def f(a, /, b, *rest, c=1, **more): ...", "f", {"f": ["a", "b"]}),
        ("def other(x): ...\ndef f(y): ...", "f", {"f": ["y"]}),
        ("def f(x): ...\ndef f(y): ...", "f", {"f": ["y"]}),
        (MODULE, "FeedForward", {"__init__": ["n_embd", "widen"], "forward": ["x"]}),
        ("class F:\n    def forward(): ...", "F", {"forward": []}),
        ("f = lambda x: x", "f", {}),
        ("def f(x)", "f", {}),
        ("x = '\0'", "f", {}),
    ],
)
def test_the_parameters(source: str, name: str, parameters: dict[str, list[str]]) -> None:
    assert parameters_of(source, name) == parameters
