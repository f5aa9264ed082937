"""The environment of processes that run lessons or submissions: one thread, no progress kept, no display."""

from __future__ import annotations

import os

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
SETTINGS = dict.fromkeys(THREADS, "1") | {"MPLBACKEND": "agg", "AUTOGRADE_RECORD": "0", "PYTHONHASHSEED": "0"}


def child_environment() -> dict[str, str]:
    """This process's environment with the settings above."""
    return os.environ | SETTINGS
