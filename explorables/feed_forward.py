"""The feed-forward that can be dragged: two inputs, h hinge lines, one output. The showpiece of lesson 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import traitlets

from explorables.picture import Numbers, Picture, join, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import nn

MOST_NEURONS = 32


# The start: four hinges that fold down and two that fold up, around the middle. A mountain with a valley at its foot;
# without ReLU a tilted plane; and from here gradient descent finds the saddle below, which not every start does.
_WEIGHTS = [[0.83, 0.55], [-0.12, 0.99], [-0.92, 0.39], [-0.98, -0.21], [-0.18, -0.98], [0.85, -0.53]]
_BIASES = [-0.17, -0.47, -0.4, -0.2, -0.46, -0.36]
_OUTPUTS = [0.8, -0.7, -0.9, 0.9, -0.8, -1.1]


def _saddle(size: int = 15) -> list[list[float]]:
    """XOR as a landscape: high in two opposite corners, low in the other two."""
    steps = [2 * i / (size - 1) - 1 for i in range(size)]
    return [[round(0.9 * x * y, 2) for x in steps] for y in steps]


class FeedForwardPicture(Picture):
    """h neurons with two inputs each, and their one output. What the reader drags is here, what is set here is shown.

    Laid out as in torch: weights h x 2, biases h, outputs h (the narrow layer's weights), output_bias a number. relu
    False takes the activation out; point is the chosen input, two numbers from -1 to 1; neuron is the chosen neuron,
    from 0; target is a grid of heights over the plane, its first row at the bottom (x2 = -1), first column at the left.
    Numbers that do not fit together are a TraitError.
    """

    _esm = join("feed_forward.js")
    _css = style("feed_forward.css")

    weights = Numbers(_WEIGHTS, depth=2)
    biases = Numbers(_BIASES, depth=1)
    outputs = Numbers(_OUTPUTS, depth=1)
    output_bias = Numbers(0.4, depth=0)
    relu = traitlets.Bool(True).tag(sync=True)
    point = Numbers([0.45, 0.6], depth=1)
    neuron = traitlets.Int(0).tag(sync=True)
    target = Numbers(_saddle(), depth=2)

    @classmethod
    def from_module(cls, module: nn.Module, **traits: Any) -> Self:
        """Show nn.Sequential(Linear(2, h), ReLU(), Linear(h, 1)), or one without the ReLU; ValueError for another."""
        return cls(**_read(module), **traits)

    def load(self, module: nn.Module) -> None:
        """Show another module, as `from_module` reads it, in this picture."""
        numbers = _read(module)
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in numbers.items():
                setattr(self, name, value)

    def module(self) -> nn.Sequential:
        """What is shown, as a torch module of its own."""
        import torch
        from torch import nn

        wide, narrow = nn.Linear(2, len(self.weights)), nn.Linear(len(self.weights), 1)
        with torch.no_grad():
            wide.weight.copy_(torch.tensor(self.weights))
            wide.bias.copy_(torch.tensor(self.biases))
            narrow.weight.copy_(torch.tensor([self.outputs]))
            narrow.bias.fill_(self.output_bias)
        return nn.Sequential(wide, nn.ReLU(), narrow) if self.relu else nn.Sequential(wide, narrow)

    def hidden(self, point: Sequence[float] | None = None) -> list[float]:
        """What each of the h neurons hands to the narrow layer at a point (the chosen one where none is given)."""
        x, y = self.point if point is None else map(float, point)
        wide = [a * x + b * y + bias for (a, b), bias in zip(self.weights, self.biases, strict=True)]
        return [max(z, 0.0) for z in wide] if self.relu else wide

    def output(self, point: Sequence[float] | None = None) -> float:
        """The output at a point (the chosen one where none is given): the height of the surface there."""
        kept = self.hidden(point)
        return float(self.output_bias + sum(v * a for v, a in zip(self.outputs, kept, strict=True)))

    @traitlets.validate("weights", "biases", "outputs")
    def _fit_together(self, proposal: Any) -> Any:
        """Refuse h numbers here and another h there: no page could draw that."""
        sizes = {name: len(getattr(self, name)) for name in ("weights", "biases", "outputs")}
        sizes[proposal.trait.name] = len(proposal.value)
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
            raise traitlets.TraitError(f"All need the same h, but {listed}. `load(module)` sets all of them at once.")
        if not 1 <= len(proposal.value) <= MOST_NEURONS:
            raise traitlets.TraitError(f"The picture shows 1 to {MOST_NEURONS} neurons, not {len(proposal.value)}.")
        if proposal.trait.name == "weights" and any(len(row) != 2 for row in proposal.value):
            raise traitlets.TraitError("Each row of weights needs two numbers, one an input.")
        return proposal.value

    @traitlets.validate("point")
    def _in_the_plane(self, proposal: Any) -> Any:
        if len(proposal.value) != 2 or any(abs(x) > 1 for x in proposal.value):
            raise traitlets.TraitError(f"A point is two numbers from -1 to 1, not {proposal.value}.")
        return proposal.value

    @traitlets.validate("target")
    def _a_grid(self, proposal: Any) -> Any:
        rows = proposal.value
        if len(rows) < 2 or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
            raise traitlets.TraitError("A target is a grid: at least two rows, all with the same two or more numbers.")
        return rows

    def __repr__(self) -> str:
        x, y = self.point
        return f"FeedForwardPicture({len(self.biases)} neurons, output {self.output():.2f} at ({x:.2f}, {y:.2f}))"


def _read(module: nn.Module) -> dict[str, Any]:
    from torch import nn

    layers = [layer for layer in module.modules() if not list(layer.children())]
    kinds = [type(layer) for layer in layers]
    if kinds not in ([nn.Linear, nn.ReLU, nn.Linear], [nn.Linear, nn.Linear]):
        found = ", ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"The picture shows Linear, ReLU, Linear, or two Linear and no ReLU; this module has {found}.")
    wide, narrow = cast("nn.Linear", layers[0]), cast("nn.Linear", layers[-1])
    sizes = (wide.in_features, wide.out_features, narrow.in_features, narrow.out_features)
    if sizes != (2, sizes[1], sizes[1], 1):
        raise ValueError("The picture shows 2 -> h -> 1; this module is {} -> {}, {} -> {}.".format(*sizes))
    return {
        "weights": wide.weight.tolist(),
        "biases": [0.0] * sizes[1] if wide.bias is None else wide.bias.tolist(),
        "outputs": narrow.weight[0].tolist(),
        "output_bias": 0.0 if narrow.bias is None else narrow.bias.item(),
        "relu": len(layers) == 3,
    }
