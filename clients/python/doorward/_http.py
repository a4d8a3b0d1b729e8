"""Requests to Doorward: at most 32 at a time in threads of their own, each with one deadline and a limit of its answer.

Asynchronous applications use the same threads, so that the wire is written once and a request that is cancelled half
way does not cut off a refresh that others wait for.
"""

from __future__ import annotations

import http.client
import io
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from doorward import _json
from doorward._errors import Unavailable
from doorward._steps import LIMIT

T = TypeVar("T")

_MAX_BODY = 256 * 1024


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        """The body's JSON. Anything else, such as a proxy's HTML, is no answer of Doorward."""
        try:
            return _json.loads(self.body)
        except ValueError:
            raise Unavailable("Doorward answered something else than JSON.") from None


class Http:
    """Asks one Doorward."""

    def __init__(self, origin: str) -> None:
        parts = urlsplit(origin)
        self._origin = origin
        self._host, self._port = parts.hostname or "", parts.port
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._begin_process()

    def _begin_process(self) -> None:
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(32, "doorward")
        self._shared: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def ask(self, method: str, path: str, headers: dict[str, str], read: Callable[[Answer], T]) -> Future[T]:
        """Sends one request, once, and reads its answer; `Unavailable` if there is no whole one in time."""
        if self._process != os.getpid():  # A fork has none of the threads.
            self._begin_process()
        deadline = time.monotonic() + LIMIT
        return self._pool.submit(lambda: read(self._exchange(method, path, headers, deadline)))

    def share(self, key: Hashable, begin: Callable[[], Future[T]]) -> Future[T]:
        """What is under way for this key, else what `begin` begins."""
        with self._lock:
            if (running := self._shared.get(key)) is not None:
                return running
            future = self._shared[key] = begin()
        future.add_done_callback(lambda _: self._forget(key))
        return future

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            self._shared.pop(key, None)

    def _exchange(self, method: str, path: str, headers: dict[str, str], deadline: float) -> Answer:
        connection = self._connection(deadline)
        plain: socket.socket | None = None
        try:
            connection.connect()
            plain = connection.sock
            connection.sock = _Timed(plain, deadline)
            connection.request(method, path, headers={**headers, "Connection": "close"})
            with connection.getresponse() as response:
                body = response.read(_MAX_BODY + 1)
                if response.length or len(body) > _MAX_BODY:
                    raise Unavailable("Doorward's answer was cut short, or is too long.")
                return Answer(response.status, response.headers, body)
        except (OSError, http.client.HTTPException, ValueError):
            mend = "is it running, and does DOORWARD_INTERNAL_URL, else DOORWARD_URL, reach it?"
            raise Unavailable(f"{self._origin} does not answer: {mend}") from None
        finally:
            connection.close()
            if plain is not None:
                plain.close()

    def _connection(self, deadline: float) -> http.client.HTTPConnection:
        timeout = _left(deadline)
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise Unavailable("Doorward did not answer in time.")
    return left


class _Timed(io.RawIOBase):
    """A socket for `http.client` whose reads and writes share one deadline, however slowly bytes trickle in."""

    def __init__(self, plain: socket.socket, deadline: float) -> None:
        self._plain, self._deadline = plain, deadline

    def sendall(self, data: bytes) -> None:
        self._plain.settimeout(_left(self._deadline))
        self._plain.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._plain.settimeout(_left(self._deadline))
        return self._plain.recv_into(buffer)

    def close(self) -> None:
        """The socket outlives the connection, which closes it before the body is read."""
