from __future__ import annotations

import pytest
import torch
import traitlets
from torch import nn

from explorables import FeedForwardPicture


def feed_forward(h: int, *, relu: bool = True, bias: bool = True) -> nn.Sequential:
    layers = [nn.Linear(2, h, bias=bias), nn.ReLU(), nn.Linear(h, 1, bias=bias)]
    return nn.Sequential(*layers) if relu else nn.Sequential(layers[0], layers[2])


@pytest.mark.parametrize("relu", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("h", [1, 5, 32])
def test_shows_a_module_and_gives_it_back(h: int, bias: bool, relu: bool) -> None:
    torch.manual_seed(h)
    module = feed_forward(h, relu=relu, bias=bias)
    picture = FeedForwardPicture.from_module(module)
    points = torch.rand(20, 2) * 2 - 1
    expected = module(points)[:, 0].tolist()
    assert [picture.output(point) for point in points.tolist()] == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert picture.module()(points)[:, 0].tolist() == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert picture.hidden(points[0].tolist()) == pytest.approx(module[:-1](points[0]).tolist(), rel=1e-5, abs=1e-6)


def test_load_replaces_all_numbers_at_once() -> None:
    picture = FeedForwardPicture()
    sent: list[str] = []
    picture.observe(lambda change: sent.append(change["name"]), ["weights", "biases", "outputs"])
    picture.load(feed_forward(9))
    assert len(picture.weights) == len(picture.biases) == len(picture.outputs) == 9
    assert sorted(sent) == ["biases", "outputs", "weights"]


def test_output_is_of_the_chosen_point_where_none_is_given() -> None:
    picture = FeedForwardPicture(point=[0.1, -0.2])
    assert picture.output() == picture.output([0.1, -0.2])
    assert repr(picture) == f"FeedForwardPicture(6 neurons, output {picture.output():.2f} at (0.10, -0.20))"


def test_takes_tensors() -> None:
    picture = FeedForwardPicture()
    picture.weights = torch.full((6, 2), 0.5)
    assert picture.weights == [[0.5, 0.5]] * 6


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("weights", [[1.0, 2.0]], "weights has 1, biases has 6"),
        ("weights", [[1.0]] * 6, "two numbers, one an input"),
        ("biases", [0.0] * 7, "biases has 7"),
        ("point", [0.0, 1.5], "from -1 to 1"),
        ("point", [0.0], "two numbers"),
        ("target", [[0.0, 1.0], [0.0]], "a grid"),
        ("target", [[0.0, 1.0]], "a grid"),
        ("output_bias", float("nan"), "a number"),
    ],
)
def test_refuses_what_does_not_fit_and_keeps_what_was(name: str, value: object, says: str) -> None:
    picture = FeedForwardPicture()
    before = getattr(picture, name)
    with pytest.raises(traitlets.TraitError, match=says):
        setattr(picture, name, value)
    assert getattr(picture, name) == before


@pytest.mark.parametrize(
    ("module", "says"),
    [
        (nn.Linear(2, 1), "this module has Linear"),
        (nn.Sequential(nn.Linear(2, 4), nn.GELU(), nn.Linear(4, 1)), "Linear, GELU, Linear"),
        (nn.Sequential(nn.Linear(2, 4), nn.Linear(4, 1), nn.ReLU()), "Linear, Linear, ReLU"),
        (nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)), "3 -> 4, 4 -> 1"),
        (nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2)), "2 -> 4, 4 -> 2"),
    ],
)
def test_refuses_other_modules_by_name(module: nn.Module, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        FeedForwardPicture.from_module(module)


def test_refuses_more_neurons_than_it_can_draw() -> None:
    with pytest.raises(traitlets.TraitError, match="1 to 32 neurons, not 33"):
        FeedForwardPicture.from_module(feed_forward(33))
