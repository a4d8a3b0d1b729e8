"""A server that answers a byte at a time, and never ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def trickling() -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def answer() -> None:
        client, _ = listener.accept()
        with client:
            client.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            while not ended.wait(0.2):
                try:
                    client.sendall(b"x")
                except OSError:
                    return

    thread = threading.Thread(target=answer)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    ended.set()
    thread.join()
    listener.close()
