"""The files that set the course up agree with each other."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
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


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """What make says."""
    return subprocess.run(["make", *words], cwd=ROOT, check=False, capture_output=True, text=True)


def test_a_python_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    done = make("PYTHON=python3.99", f"VENV={tmp_path / 'venv'}", "lab")
    assert done.returncode == 2
    todo = "Install Python 3.11 or newer, or name the one that you have, for example: make PYTHON=python3.12 lab\n"
    assert f"There is no python3.99 here. {todo}" in done.stderr
    assert "No such file" not in done.stderr
    assert not (tmp_path / "venv").exists()


def test_pip_tells_errors_and_no_warnings(tmp_path: Path) -> None:
    # A pip that notes how it was called in place of the new environment's.
    pip = tmp_path / "venv" / "bin" / "pip"
    pip.parent.mkdir(parents=True)
    pip.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n', encoding="utf-8")
    pip.chmod(0o755)
    done = make(f"PYTHON={sys.executable}", f"VENV={tmp_path / 'venv'}", "setup")
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    installs = [call for call in calls if call.startswith("install")]
    assert len(installs) >= 2
    assert all(call.startswith("install --quiet --quiet ") for call in installs)
    real = [sys.executable, "-m", "pip", *installs[0].split()[:3], "--no-index", "attention-to-nothing"]
    said = subprocess.run(real, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert said.returncode == 1
    assert "ERROR: No matching distribution found for attention-to-nothing" in said.stderr


def test_make_explains_itself() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "make lab" in shown
    assert "make test" in shown
