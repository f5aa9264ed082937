"""Seeded inputs for probes.

An exercise's calls and cases are drawn: with a public seed for the sealed notebook, with a class's secret seed for
grading. Numbers come from Python's own generator, so that a seed draws the same inputs on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import torch

T = TypeVar("T")
PUBLIC_SEED = "public"


class Draw:
    """A source of random tensors (float32), sizes and choices; the same seed and exercise id draw the same."""

    def __init__(self, seed: str, exercise_id: str) -> None:
        self._random = random.Random(f"{seed}:{exercise_id}")

    def sizes(self, count: int, low: int = 2, high: int = 7) -> list[int]:
        """Pairwise different sizes in low..high, both included: square shapes hide a swapped axis."""
        return self._random.sample(range(low, high + 1), count)

    def integer(self, low: int, high: int) -> int:
        """One whole number in low..high, both included."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self._random.choice(options)

    def normal(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """A tensor of the standard normal distribution, times scale."""
        return self._tensor(shape, lambda: self._random.gauss(0.0, scale))

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        """A tensor of numbers between low and high."""
        return self._tensor(shape, lambda: self._random.uniform(low, high))

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """An int64 tensor of whole numbers in low..high, both included."""
        return self._tensor(shape, lambda: self._random.randint(low, high))

    def boolean(self, *shape: int) -> torch.Tensor:
        """A boolean tensor."""
        return self._tensor(shape, lambda: self._random.random() < 0.5)

    def mask(self, batch: int, queries: int, keys: int) -> torch.Tensor:
        """A boolean mask (batch, queries, keys), True where a query may attend.

        Each row has a True and, with two keys or more, a False.
        """
        mask = self.boolean(batch, queries, keys)
        for row in mask.view(-1, keys):
            shown, hidden = self._random.sample(range(keys), 2) if keys > 1 else (0, None)
            row[shown] = True
            if hidden is not None:
                row[hidden] = False
        return mask

    def _tensor(self, shape: tuple[int, ...], one: Any) -> torch.Tensor:
        import torch

        count = 1
        for size in shape:
            count *= size
        values = [one() for _ in range(count)]
        dtype = torch.float32 if values and isinstance(values[0], float) else None
        return torch.tensor(values, dtype=dtype).reshape(shape)
