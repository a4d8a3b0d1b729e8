"""Real servers in threads of this process: uvicorn, Django's own, and a proxy before Doorward that misbehaves."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadedWSGIServer):
    daemon_threads = True
    request_queue_size = 512


@contextmanager
def serve_asgi(app: Any, port: int = 0) -> Iterator[str]:
    """The address of an ASGI application under uvicorn."""
    listener = socket.create_server(("127.0.0.1", port), backlog=512)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    threading.Thread(target=lambda: asyncio.run(server.serve([listener]))).start()
    try:
        yield f"http://localhost:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True  # Its thread ends at the next tick, for which no test waits.


@contextmanager
def serve_wsgi(app: Any, port: int = 0) -> Iterator[str]:
    """The address of a WSGI application under the server of `manage.py runserver`."""
    server = _Server(("127.0.0.1", port), _Quiet)
    server.set_app(app)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Proxy:
    """Stands before Doorward, counts what is asked, and gives the answers that a test wants instead."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.asked: list[str] = []
        self.heads: list[str] = []
        self.answer: Callable[[str], bytes | None] = lambda path: None
        """Bytes to answer with; None asks Doorward."""
        self.delay = 0.0
        threading.Thread(target=self._accept, daemon=True).start()

    def count(self, part: str) -> int:
        return sum(part in path for path in self.asked)

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client:
            head = b""
            while b"\r\n\r\n" not in head and (part := client.recv(65536)):
                head += part
            path = head.split(b" ")[1].decode() if b" " in head else ""
            self.asked.append(path)
            self.heads.append(head.decode("latin-1"))
            answer = self.answer(path)
            if self.delay:
                time.sleep(self.delay)
            try:
                client.sendall(self._forwarded(head) if answer is None else answer)
            except OSError:
                pass

    def _forwarded(self, head: bytes) -> bytes:
        with socket.create_connection((self._target.hostname, self._target.port), timeout=20) as server:
            server.sendall(head)
            answer = b""
            while part := server.recv(65536):
                answer += part
            return answer
