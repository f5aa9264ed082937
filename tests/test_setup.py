"""The files that set the course up agree with each other."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What conda-forge calls something else.
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}


def plain(name: str) -> str:
    """A distribution's name as every index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    """The versions of requirements.txt."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {plain(name): version for name, _, version in (line.partition("==") for line in lines) if version}


def named(requirements: list[str]) -> set[str]:
    """The distributions that these requirements name, extras of this project left out."""
    names = {plain(re.split(r"[<>=!~ \[;]", requirement)[0]) for requirement in requirements}
    return names - {plain(PROJECT["name"])}


def test_the_distribution_is_not_called_autograde() -> None:
    # On the public index that name is somebody else's.
    assert PROJECT["name"] == "attention-to-gpt"


def test_every_pin_is_exact_and_everything_a_user_needs_is_pinned() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"(#.*|-e \.|[\w.-]+==[\w.]+|)", line) for line in lines)
    extras = PROJECT["optional-dependencies"]
    needed = named(PROJECT["dependencies"]) | named(extras["authors"]) | named(extras["graders"])
    assert needed <= pinned().keys()


def test_binder_has_the_learners_packages_at_the_same_versions() -> None:
    listed = yaml.safe_load((ROOT / "binder/environment.yml").read_text(encoding="utf-8"))["dependencies"]
    versions = {plain(CONDA_NAMES.get(name, name)): version for name, version in (line.split("=") for line in listed)}
    assert versions.pop("python").startswith("3.")
    assert versions == {name: pinned()[name] for name in versions}
    assert named(PROJECT["dependencies"]) <= versions.keys()


def test_the_binder_image_holds_no_solutions() -> None:
    assert {"solutions", ".git", "tests"} <= set((ROOT / "binder/.dockerignore").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("script", ["binder/postBuild", "binder/start", ".ci/run"])
def test_scripts_can_be_run(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


def test_the_learners_jupyterlab_has_no_news_and_no_instructors_menu() -> None:
    disabled = json.loads((ROOT / "binder/jupyter/labconfig/page_config.json").read_text(encoding="utf-8"))
    assert {"@jupyter/nbgrader", "@jupyterlab/apputils-extension:announcements"} <= disabled[
        "disabledExtensions"
    ].keys()


def test_make_explains_itself() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "make lab" in shown
    assert "make test" in shown
