"""Dask's scheduler, asked before anything is begun whether it is there."""

from __future__ import annotations

import asyncio
from typing import Any

_SECONDS = 5.0


class ClusterMissing(RuntimeError):
    """There is no cluster to grade on; says why and what to do. Nothing was begun."""


class ClusterLost(RuntimeError):
    """The scheduler went away on the way. What was done is stored."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"The Dask scheduler{' at ' + address if address else ''} is gone. "
            "Nothing that was done is lost: run the same command again, and it goes on where it was."
        )


def check_scheduler(address: str) -> None:
    """Raises ClusterMissing where Dask is not installed, or where no scheduler answers under the address."""
    try:
        import distributed
    except ImportError:
        raise ClusterMissing("--engine dask needs Dask: pip install -e .[cluster]") from None
    if not address:
        return
    try:
        answer = asyncio.run(asyncio.wait_for(_identity(distributed, address), _SECONDS))
    except ValueError as fault:
        raise ClusterMissing(f"--scheduler {address}: {fault}. Write it as tcp://HOST:PORT.") from None
    except TimeoutError:
        raise ClusterMissing(_missing(address, f"nothing answered within {_SECONDS:g} seconds")) from None
    except Exception as fault:  # whoever answers there may say anything
        raise ClusterMissing(_missing(address, f"no Dask scheduler answered ({type(fault).__name__})")) from None
    if answer.get("type") != "Scheduler":
        raise ClusterMissing(_missing(address, f"a Dask {answer.get('type')} answered"))


async def _identity(distributed: Any, address: str) -> dict[str, Any]:
    tls = distributed.security.Security().get_connection_args("client")  # as Dask's own configuration says
    async with distributed.rpc(address, connection_args=tls) as remote:
        answer = await remote.identity()
    return answer if isinstance(answer, dict) else {}


def _missing(address: str, reason: str) -> str:
    return f"--scheduler {address}: {reason}. Give the address that `dask scheduler` prints when it starts."
