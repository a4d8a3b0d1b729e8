"""What plays the browser: it keeps cookies for as long as they say, and may close a connection before the answer."""

from __future__ import annotations

import http.client
import random
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"}
SCRIPT = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin"}


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def location(self) -> str:
        return self.headers["Location"] or ""

    @property
    def set_cookie(self) -> list[str]:
        return self.headers.get_all("Set-Cookie", [])


class Browser:
    """Cookies are one host's, whatever its port, as in browsers."""

    def __init__(self, cookies: Mapping[str, str] = {}, clock: Callable[[], float] | None = None) -> None:
        self.cookies = dict(cookies)
        self._ends: dict[str, float] = {}
        self._clock = clock

    def get(self, url: str, **headers: str) -> Answer:
        return self.send("GET", url, NAVIGATION | _named(headers))

    def post(self, url: str, body: str = "", **headers: str) -> Answer:
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        return self.send("POST", url, {**NAVIGATION, **form, **_named(headers)}, body)

    def fetch(self, url: str, method: str = "GET", **headers: str) -> Answer:
        return self.send(method, url, SCRIPT | _named(headers))

    def send(self, method: str, url: str, headers: Mapping[str, str], body: str = "") -> Answer:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(method, path, body or None, {"Cookie": self._header(), **headers})
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        self._keep(answer.headers.get_all("Set-Cookie", []))
        return Answer(answer.status, answer.headers, text)

    def cancel(self, url: str, after: float) -> None:
        """Opens a page and leaves it again, `after` some seconds, whatever has arrived."""
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
            head = {"Host": parts.netloc, "Cookie": self._header(), **NAVIGATION}
            lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
            connection.sendall(f"GET {parts.path} HTTP/1.1\r\n{lines}\r\n".encode())
            connection.settimeout(max(after, 0.0001))
            try:
                connection.recv(random.randint(1, 100))
            except TimeoutError:
                pass

    def _header(self) -> str:
        if self._clock is not None:
            now = self._clock()
            for name in [name for name, end in self._ends.items() if end <= now]:
                self.cookies.pop(name, None)
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _keep(self, lines: list[str]) -> None:
        for line in lines:
            pair, *attributes = line.split("; ")
            name, _, value = pair.partition("=")
            age = next((int(it[8:]) for it in attributes if it.lower().startswith("max-age=")), None)
            self.cookies.pop(name, None)
            if age != 0:
                self.cookies[name] = value
            if age and self._clock is not None:
                self._ends[name] = self._clock() + age


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
