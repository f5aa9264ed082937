"""The feed-forward that can be dragged: two inputs, h hinge lines, one output. The showpiece of lesson 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

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

    weights h x 2, biases h, outputs h (the narrow layer's weights), output_bias: laid out as in torch. relu False takes the
    activation out. point is the chosen input, each number from -1 to 1; neuron is the chosen neuron, from 0. target is a
    square grid of heights over the plane, target[0] at the bottom (x2 = -1). Numbers that do not fit together are a TraitError.
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
        """A picture of nn.Sequential(Linear(2, h), ReLU(), Linear(h, 1)), or without the ReLU; ValueError for another shape."""
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
        """Refuse h numbers here and another h there: the page would draw neither. Set together, with `hold_trait_notifications`."""
        sizes = {name: len(getattr(self, name)) for name in ("weights", "biases", "outputs")}
        sizes[proposal.trait.name] = len(proposal.value)
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
            raise traitlets.TraitError(f"One number of neurons is needed, but {listed}. `load(module)` sets all of them at once.")
        if not 1 <= len(proposal.value) <= MOST_NEURONS:
            raise traitlets.TraitError(f"The picture shows 1 to {MOST_NEURONS} neurons, not {len(proposal.value)}.")
        if proposal.trait.name == "weights" and any(len(row) != 2 for row in proposal.value):
            raise traitlets.TraitError("Each row of weights needs two numbers, one an input.")
        return proposal.value

    @traitlets.validate("point")
    def _two_inputs(self, proposal: Any) -> Any:
        if len(proposal.value) != 2:
            raise traitlets.TraitError(f"A point has two numbers, not {len(proposal.value)}.")
        return proposal.value


def _read(module: nn.Module) -> dict[str, Any]:
    from torch import nn

    layers = [layer for layer in module.modules() if isinstance(layer, nn.Linear)]
    others = [layer for layer in module.modules() if not isinstance(layer, nn.Linear) and not list(layer.children())]
    if len(layers) != 2 or layers[0].in_features != 2 or layers[1].out_features != 1:
        found = ", ".join(f"Linear({layer.in_features}, {layer.out_features})" for layer in layers) or "no Linear"
        raise ValueError(f"The picture shows Linear(2, h), ReLU, Linear(h, 1); this module has {found}.")
    if len(others) > 1 or not all(isinstance(layer, nn.ReLU) for layer in others):
        raise ValueError(f"Between the two layers the picture knows ReLU or nothing, not {', '.join(map(str, others))}.")
    wide, narrow = layers
    zeros = [0.0] * wide.out_features
    return {
        "weights": wide.weight.tolist(),
        "biases": zeros if wide.bias is None else wide.bias.tolist(),
        "outputs": narrow.weight[0].tolist(),
        "output_bias": 0.0 if narrow.bias is None else narrow.bias.item(),
        "relu": bool(others),
    }
