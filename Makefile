# The commands of this project. `make help` lists them.

PYTHON ?= python3
VENV ?= .venv
# JupyterLab's further arguments, for example LAB_ARGS="--port=9000".
LAB_ARGS ?=
# pytest's further arguments, for example PYTEST_ARGS="-k ff_module".
PYTEST_ARGS ?=
# What `make look` opens.
LESSON ?= lessons/04-widen-relu-narrow.ipynb
# Where PyTorch keeps its CPU builds; where it cannot be reached the default index is asked.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# pip's errors are shown, its warnings are not: they would hide what is said here.
QUIET := --quiet --quiet
BIN := $(VENV)/bin
TORCH := $(shell sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements.txt)
LEARNER := $(VENV)/.ready
DEVELOPER := $(VENV)/.ready-development

# JupyterLab reads the learner's configuration, which Binder uses too, and keeps its settings, trust and runtime files
# in the project, not in your home.
JUPYTER_HOME := $(CURDIR)/.jupyter
JUPYTER_HOMES := JUPYTER_CONFIG_PATH=$(CURDIR)/binder/jupyter JUPYTER_CONFIG_DIR=$(JUPYTER_HOME)/config JUPYTER_DATA_DIR=$(JUPYTER_HOME)/data \
    JUPYTER_RUNTIME_DIR=$(JUPYTER_HOME)/runtime JUPYTERLAB_SETTINGS_DIR=$(JUPYTER_HOME)/lab/settings \
    JUPYTERLAB_WORKSPACES_DIR=$(JUPYTER_HOME)/lab/workspaces IPYTHONDIR=$(JUPYTER_HOME)/ipython
# Without a display there is no browser to open: the printed address is enough.
NO_BROWSER := $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname -s)),,--no-browser)
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: help setup lab test lint format build verify bench look clean
.DEFAULT_GOAL := help

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

$(LEARNER): requirements.txt pyproject.toml
	@echo "Setting up the course in $(VENV). The first time this takes some minutes."
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or name the one that you have, for example: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit("Python 3.11 or newer is needed, this is %d.%d. Try: make PYTHON=python3.12 ..." % v[:2])'
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@# Elsewhere than on Linux the default index has the CPU build.
	@if [ "$$(uname -s)" = Linux ] && ! $(BIN)/pip freeze 2>/dev/null | grep -q '^$(TORCH)'; then \
	    echo "- $(TORCH), the CPU build"; \
	    $(BIN)/pip install $(QUIET) --no-deps --retries 0 --timeout 10 --index-url $(TORCH_INDEX) $(TORCH) 2>/dev/null \
	    || echo "  $(TORCH_INDEX) does not have it: the default index is asked, whose build may be large"; \
	fi
	@echo "- the packages of requirements.txt"
	@$(BIN)/pip install $(QUIET) -r requirements.txt
	@touch $@
	@echo "Set up."

$(DEVELOPER): $(LEARNER)
	@echo "Adding the tools for development."
	@$(BIN)/pip install $(QUIET) -r requirements.txt -e '.[development]'
	@touch $@

setup: $(DEVELOPER) ## set up for development

lab: $(LEARNER) ## open the course in JupyterLab
	@echo "JupyterLab opens on the course. Ctrl-C here ends it."
	@exec env $(JUPYTER_HOMES) $(BIN)/jupyter lab -y $(NO_BROWSER) $(AS_ROOT) $(LAB_ARGS)

lint: $(DEVELOPER) ## read the code: ruff, mypy, codespell
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/codespell

format: $(DEVELOPER) ## lay the code out
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

test: lint ## lint, then every test but the heavy ones
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadgroup -m "not heavy" $(PYTEST_ARGS)

build: $(DEVELOPER) ## make lessons/ from solutions/
	$(BIN)/autograde build

verify: $(DEVELOPER) ## prove every exercise of every lesson
	$(BIN)/autograde verify

bench: $(DEVELOPER) ## what grading costs, against stock nbgrader and the floor; writes docs/benchmarks.md
	$(BIN)/python benchmarks/grading.py

look: $(DEVELOPER) ## write pictures of a lesson as JupyterLab shows it: make look LESSON=lessons/04-...ipynb
	$(BIN)/python tests/browser/screenshot.py $(LESSON)

clean: ## remove what was made here; progress/ and a class in build/nbgrader/ are yours and stay
	rm -rf $(VENV) build/screens build/stamps build/nbgrader/source build/nbgrader/release dist .jupyter .mypy_cache .pytest_cache .ruff_cache
