"""Connections to the app: those that send no request are closed, and never keep out one that does."""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from vorlage.command.progress import log

HEADER_SECONDS = 10  # that a connection may take until the header of its request is complete
MAX_WAITING = 100  # connections without a complete header; the oldest makes room for a new one
BACKLOG = 100  # connections accepted at once, before any of them is closed


class Connection(H11Protocol):
    """A connection that is closed when it sends no complete header for a while, or too many others wait."""

    _waiting: ClassVar[dict["Connection", asyncio.TimerHandle]] = {}  # the oldest first
    _is_logged: ClassVar[bool] = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a header."""
        super().connection_made(transport)
        if len(self._waiting) >= MAX_WAITING:
            if not self._is_logged:
                log.warning(f"{MAX_WAITING} connections send no request; the oldest are closed")
                Connection._is_logged = True
            next(iter(self._waiting))._close()
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop waiting when the header is complete; wait for the next one when that has begun."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait(self) -> None:
        if self not in self._waiting:
            self._waiting[self] = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if timer := self._waiting.pop(self, None):
            timer.cancel()

    def _close(self) -> None:
        self._stop_waiting()
        self.transport.abort()
