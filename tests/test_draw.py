"""Drawn inputs: the same for the same seed, different sizes, no seed of anybody else's touched."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograde.draw import PUBLIC_SEED, Draw

DRAWS: list[Callable[[Draw], Any]] = [
    lambda draw: draw.sizes(5),
    lambda draw: draw.integer(0, 10**9),
    lambda draw: draw.choice(range(10**9)),
    lambda draw: draw.normal(2, 3).tolist(),
    lambda draw: draw.uniform(0, 1, 4).tolist(),
    lambda draw: draw.integers(0, 10**9, 4).tolist(),
    lambda draw: draw.boolean(40).tolist(),
    lambda draw: draw.mask(5, 6, 7).tolist(),
]


@pytest.mark.parametrize("act", DRAWS)
def test_a_seed_draws_the_same_again_and_another_does_not(act: Callable[[Draw], Any]) -> None:
    drawn = {str([act(Draw(seed, "ff-module")) for _ in range(1)]) for seed in map(str, range(50))}
    assert act(Draw(PUBLIC_SEED, "ff-module")) == act(Draw(PUBLIC_SEED, "ff-module"))
    assert len(drawn) > 25


@pytest.mark.parametrize("act", DRAWS)
def test_another_exercise_draws_something_else(act: Callable[[Draw], Any]) -> None:
    assert len({str(act(Draw("seed", f"exercise-{i}"))) for i in range(50)}) > 25


@pytest.mark.parametrize("act", DRAWS)
def test_nobody_elses_random_numbers_are_touched_or_used(act: Callable[[Draw], Any]) -> None:
    random.seed(1)
    torch.manual_seed(1)
    first = act(Draw("seed", "id"))
    assert random.random() == random.Random(1).random()
    assert torch.equal(torch.rand(3), torch.rand(3, generator=torch.Generator().manual_seed(1)))
    assert act(Draw("seed", "id")) == first


def test_sizes_are_pairwise_different_and_within_bounds() -> None:
    for seed in map(str, range(50)):
        sizes = Draw(seed, "id").sizes(6)
        assert sorted(sizes) == [2, 3, 4, 5, 6, 7]
        assert set(Draw(seed, "id").sizes(2, 3, 4)) == {3, 4}


def test_more_sizes_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="larger than population"):
        Draw("seed", "id").sizes(7)


def test_tensors_have_the_shape_and_kind_that_is_asked_for() -> None:
    draw = Draw("seed", "id")
    for drawn, dtype in (
        (draw.normal(2, 3), torch.float32),
        (draw.uniform(-1, 1, 2, 3), torch.float32),
        (draw.integers(0, 5, 2, 3), torch.int64),
        (draw.boolean(2, 3), torch.bool),
    ):
        assert drawn.shape == (2, 3)
        assert drawn.dtype == dtype
    assert draw.normal().shape == ()


def test_a_learners_default_dtype_changes_nothing() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        assert Draw("seed", "id").normal(3).dtype == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)


def test_numbers_lie_where_they_should() -> None:
    draw = Draw("seed", "id")
    assert draw.uniform(3, 4, 1_000).clamp(3, 4).equal(Draw("seed", "id").uniform(3, 4, 1_000))
    assert set(draw.integers(2, 4, 200).tolist()) == {2, 3, 4}
    assert {draw.integer(2, 4) for _ in range(200)} == {2, 3, 4}
    assert {draw.choice("abc") for _ in range(200)} == set("abc")
    wide = draw.normal(2_000, scale=3.0)
    assert abs(float(wide.mean())) < 0.5
    assert 2.5 < float(wide.std()) < 3.5


@pytest.mark.parametrize("keys", [2, 3, 7])
def test_each_row_of_a_mask_shows_a_key_and_hides_one(keys: int) -> None:
    for seed in map(str, range(50)):
        mask = Draw(seed, "id").mask(2, 3, keys)
        assert mask.shape == (2, 3, keys)
        assert mask.dtype == torch.bool
        assert mask.any(-1).all()
        assert not mask.all(-1).any()


def test_the_only_key_is_shown() -> None:
    assert Draw("seed", "id").mask(2, 3, 1).all()
