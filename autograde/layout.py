"""A module's layout, and numbers for its parameters that hang on nothing but their shapes.

Two modules whose parameters have the same shapes, in whatever order they are registered, whatever they are called and
whichever way their matrices are turned, get the same numbers in the same places. So what a module computes with them
can be compared, and no layout has to be prescribed. Square matrices are symmetric, since nobody could tell which way
one is turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random
from typing import TypeGuard

from autograde.evidence import Plain

LARGEST = 200_000
"""Elements of all parameters together; a larger module is not filled."""
_LARGEST_SIZE, _MOST_AXES = 1 << 40, 64


def numbers_for(shape: Sequence[int], seed: str) -> list[float]:
    """Numbers between -1 and 1 for a parameter, row major; the same shape gets the same ones."""
    bare, random = _bare(shape), Random(f"{seed}:{_canonical(shape)}")
    drawn = [2 * random.random() - 1 for _ in range(prod(bare))]
    if len(bare) != 2 or bare[0] < bare[1]:
        return drawn
    rows, columns = bare
    if rows > columns:  # the matrix with fewer rows, turned
        return [drawn[column * rows + row] for row in range(rows) for column in range(columns)]
    return [drawn[min(i, j) * rows + max(i, j)] for i in range(rows) for j in range(rows)]


def is_recognised(claimed: Plain, known: Plain) -> bool:
    """Whether two layouts, lists of shapes, are one up to order, turned matrices and axes of size 1."""
    mine, theirs = _shapes(claimed), _shapes(known)
    if mine is None or theirs is None or any(len(_bare(shape)) > 2 for shape in theirs):
        return False
    return sorted(map(_canonical, mine)) == sorted(map(_canonical, theirs))


def is_consistent(claimed: Plain, parameters: Plain) -> bool:
    """Whether a claimed layout is one, and has as many elements as parameters are claimed."""
    shapes = _shapes(claimed)
    if shapes is None or not isinstance(parameters, int):
        return False
    return sum(map(prod, shapes)) == parameters


def _shapes(layout: Plain) -> list[list[int]] | None:
    if not isinstance(layout, list):
        return None
    shapes = []
    for shape in layout:
        if not isinstance(shape, list) or len(shape) > _MOST_AXES:
            return None
        sizes = [size for size in shape if _is_size(size)]
        if len(sizes) < len(shape):
            return None
        shapes.append(sizes)
    return shapes


def _is_size(value: Plain) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_SIZE


def _bare(shape: Sequence[int]) -> list[int]:
    return [size for size in shape if size != 1]


def _canonical(shape: Sequence[int]) -> list[int]:
    bare = _bare(shape)
    return sorted(bare) if len(bare) == 2 else bare
