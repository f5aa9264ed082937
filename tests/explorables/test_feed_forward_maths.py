"""JavaScript's sums against torch's, on random states."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import torch

Node = Callable[[str, str], Any]
Net = dict[str, Any]

MODULE = "feed_forward_maths.js"
LEAKS = [0.0, 0.3, 1.0]  # ReLU, on its way, no activation


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-5, abs=1e-9)


def random_net(h: int, seed: int) -> Net:
    torch.manual_seed(seed)
    parts = {"weights": torch.randn(h, 2), "biases": 0.5 * torch.randn(h), "outputs": torch.randn(h)}
    return {**{name: part.double() for name, part in parts.items()}, "output_bias": torch.randn(()).double()}


def written(net: Net) -> str:
    return json.dumps({name: part.tolist() for name, part in net.items()})


def leaky(z: torch.Tensor, leak: float) -> torch.Tensor:
    return torch.where(z > 0, z, leak * z)


def output(net: Net, points: torch.Tensor, leak: float) -> torch.Tensor:
    wide = torch.nn.functional.linear(points, net["weights"], net["biases"])
    return leaky(wide, leak) @ net["outputs"] + net["output_bias"]


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("h", [1, 6, 32])
def test_flow(node: Node, h: int, leak: float) -> None:
    net, points = random_net(h, seed=h), torch.rand(40, 2).double() * 2 - 1
    got = node(MODULE, f"const net = {written(net)}; answer({points.tolist()}.map((p) => flow(net, p, {leak})));")
    wide = points @ net["weights"].T + net["biases"]
    assert [one["wide"] for one in got] == [close(row) for row in wide.tolist()]
    assert [one["kept"] for one in got] == [close(row) for row in leaky(wide, leak).tolist()]
    assert [one["parts"] for one in got] == [close(row) for row in (leaky(wide, leak) * net["outputs"]).tolist()]
    assert [one["output"] for one in got] == close(output(net, points, leak).tolist())


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize(("h", "away"), [(1, [0, 1]), (6, [0.6, 0.8]), (32, [-1, 0])])
def test_facets_are_the_surface(node: Node, h: int, away: list[float], leak: float) -> None:
    net = random_net(h, seed=100 + h)
    got = node(MODULE, f"answer(facets({written(net)}, {leak}, {away}));")
    area = 0.0
    for facet in got:
        corners = torch.tensor(facet["points"]).double()
        x, y = corners.T
        area += 0.5 * abs(float((x * y.roll(-1) - x.roll(-1) * y).sum()))
        middle = corners.mean(0)
        points = torch.cat([corners, corners.lerp(middle, 0.5), middle[None]])  # a flat piece, from its corners inwards
        heights = points @ torch.tensor(facet["slope"]).double() + facet["level"]
        assert heights.tolist() == pytest.approx(output(net, points, leak).tolist(), rel=1e-5, abs=1e-6)
    assert area == pytest.approx(4.0, abs=1e-6)  # they cover the whole plane, once
    assert len(got) == 1 if leak == 1.0 else len(got) <= 1 + h + h * (h - 1) // 2


def test_facets_come_far_ones_first(node: Node) -> None:
    net, away = random_net(12, seed=7), torch.tensor([0.6, 0.8]).double()
    got = node(MODULE, f"answer(facets({written(net)}, 0, {away.tolist()}));")
    # Two pieces can hide each other only along one ray: walk rays away from the eye, pieces must come in falling order.
    for start in torch.linspace(-1, 1, 21).tolist():
        middle = start * torch.tensor([away[1], -away[0]])
        met = []
        for step in torch.linspace(-1.5, 1.5, 120).double():
            point = middle + step * away
            inside = [i for i, facet in enumerate(got) if holds(facet["points"], point.tolist())]
            met += [inside[0]] if inside and inside[0] not in met[-1:] else []
        assert met == sorted(met, reverse=True)


def holds(corners: list[list[float]], point: list[float]) -> bool:
    x, y = point
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    turns = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in sides]
    return all(turn > 1e-6 for turn in turns)


@pytest.mark.parametrize("leak", LEAKS)
def test_gradient_is_torchs(node: Node, leak: float) -> None:
    net, samples = random_net(8, seed=3), torch.rand(50, 3).double() * 2 - 1
    got = node(MODULE, f"answer(gradient({written(net)}, {samples.tolist()}, {leak}));")
    for part in net.values():
        part.requires_grad_()
    loss = ((output(net, samples[:, :2], leak) - samples[:, 2]) ** 2).mean()
    loss.backward()
    assert got["loss"] == close(loss.item())
    for name, part in net.items():
        expected = part.grad.tolist()
        assert got["by"][name] == ([close(row) for row in expected] if name == "weights" else close(expected))


def test_descent_is_torchs_adam(node: Node) -> None:
    net, samples = random_net(6, seed=4), torch.rand(60, 3).double() * 2 - 1
    steps = f"let net = {written(net)}, memory = null; const samples = {samples.tolist()};"
    steps += "for (let i = 0; i < 50; i++) ({ net, memory } = descend(net, samples, 0, 0.02, memory)); answer(net);"
    got = node(MODULE, steps)
    optimizer = torch.optim.Adam([part.requires_grad_() for part in net.values()], lr=0.02)
    for _ in range(50):
        optimizer.zero_grad()
        ((output(net, samples[:, :2], 0.0) - samples[:, 2]) ** 2).mean().backward()
        optimizer.step()
    for name, part in net.items():
        assert torch.tensor(got[name]).double().flatten().tolist() == close(part.flatten().tolist())


def test_a_moved_and_turned_line_goes_through_its_point(node: Node) -> None:
    code = """
    const weight = turned(1.7, 2.5), bias = through(weight, [0.3, -0.6]), at = foot(weight, bias, [0.9, 0.9]);
    answer({ length: lengthOf(weight), held: distance(weight, bias, [0.3, -0.6]), foot: distance(weight, bias, at),
             right: (0.9 - at[0]) * weight[1] - (0.9 - at[1]) * weight[0],
             ends: segment(weight, bias).map((end) => [distance(weight, bias, end), Math.max(...end.map(Math.abs))]),
             outside: segment([1, 0], 3) });"""
    got = node(MODULE, code)
    assert got["length"] == close(1.7)
    assert [got["held"], got["foot"], got["right"]] == close([0, 0, 0])
    assert got["ends"] == [close([0, 1])] * 2
    assert got["outside"] is None


def test_contours_lie_at_their_height(node: Node) -> None:
    net = random_net(6, seed=9)
    code = f"answer(facets({written(net)}).flatMap((f) => [contour(f, 0.2)].filter(Boolean).flat()));"
    points = torch.tensor(node(MODULE, code)).double()
    assert len(points) >= 2
    assert output(net, points, 0.0).tolist() == pytest.approx([0.2] * len(points), abs=1e-6)
