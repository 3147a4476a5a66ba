"""Runs what takes long in threads, and refuses what would have to wait too long."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

AT_ONCE = 2  # alignments that are computed at the same time
MOST_PENDING = 8  # requests that are computed or wait

Result = TypeVar("Result")


class Work:
    """The requests that are computed, `AT_ONCE` at a time, and those that wait."""

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(AT_ONCE)
        self._pending = 0

    async def run(self, request: Request, function: Callable[[], Result]) -> Result:
        """Return the result of `function`, computed in a thread.

        Raise `HTTPException` (503) if `MOST_PENDING` requests are before this one, and
        `ClientDisconnect` if nobody waits for the result any more when its turn comes.
        """
        if self._pending >= MOST_PENDING:
            raise HTTPException(503, "The app is busy; try again in a moment.", {"Retry-After": "5"})
        self._pending += 1
        try:
            async with self._limiter:
                if await request.is_disconnected():
                    raise ClientDisconnect
                return await to_thread.run_sync(function, abandon_on_cancel=True)
        finally:
            self._pending -= 1
