"""The toy course, for all platform tests: built once, and copied for the tests that change it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import TinyCourse


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """The toy course, built. Only to be looked at."""
    course = TinyCourse.copied(tmp_path_factory.mktemp("built") / "course")
    course.build()
    return course


@pytest.fixture
def course(built: TinyCourse, tmp_path: Path) -> TinyCourse:
    """A copy of the built toy course, to be changed."""
    return TinyCourse.copied(tmp_path / "course", built.root)
