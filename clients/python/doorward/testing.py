"""A real Doorward for tests: `doorward serve --ephemeral`, which starts in a moment and leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit

from doorward._errors import ConfigurationError

_START_LIMIT = 30.0


@dataclass(frozen=True)
class Session:
    """A session as after a login."""

    user_id: str
    session_id: str
    cookies: Mapping[str, str]
    """By name; give them to the client that plays the browser."""

    @property
    def cookie_header(self) -> str:
        """The cookies as the header `Cookie`."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


@dataclass(frozen=True)
class Mail:
    """An email that Doorward would have sent."""

    id: str
    kind: str
    to: str
    subject: str
    text: str
    link: str | None
    code: str | None


class Server:
    """A running Doorward. Use it as a context manager, or call `stop`; it ends with this process at the latest."""

    url: str
    """Its address in browsers."""
    internal_url: str
    """Its address for programs."""
    api_key: str
    """An API key of every scope."""
    webhook_secret: str

    def __init__(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        described = json.loads(line)
        self._process = process
        self._ahead = 0.0
        self.url, self.internal_url = str(described["url"]), str(described["internal_url"])
        self.api_key, self.webhook_secret = str(described["api_key"]), str(described["webhook_secret"])
        self.pid = int(described["pid"])

    def session(self, email: str = "ada@example.com", **fields: Any) -> Session:
        """Opens a session, and makes the account with a verified address if there is none. `organization_id` is the
        active organization, `mfa=True` lets a second factor count as shown."""
        answer = self._ask("POST", "/auth/dev/session", {"email": email, **fields})
        return Session(answer["user_id"], answer["session_id"], answer["cookies"])

    def mails(self, to: str | None = None) -> list[Mail]:
        """The emails so far, newest first."""
        answer = self._ask("GET", "/auth/dev/mails" + (f"?to={quote(to, safe='')}" if to else ""))
        return [Mail(**{name: mail[name] for name in Mail.__annotations__}) for mail in answer["data"]]

    def advance(self, duration: str) -> datetime:
        """Moves Doorward's clock forward, such as by `15m`; what follows the time has followed. Returns the time."""
        now = datetime.fromisoformat(
            self._ask("POST", "/auth/dev/clock", {"advance": duration})["now"].replace("Z", "+00:00")
        )
        self._ahead = now.timestamp() - time.time()
        return now

    def clock(self) -> float:
        """Doorward's time in seconds since 1970. Give it to the application as the option `clock`, and both agree on
        what has expired."""
        return time.time() + self._ahead

    def api(self, method: str, path: str, body: object = None) -> Any:
        """Asks API v2, such as `api("DELETE", "/users/…/sessions")`, and returns the JSON of its answer, if any."""
        return self._ask(method, f"/auth/api/v2{path}", body)

    def stop(self) -> None:
        """Ends it, with all it kept."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.internal_url).netloc, timeout=10)
        try:
            headers = {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{method} {path} got {answer.status}: {content.decode(errors='replace')[:500]}")
        return json.loads(content) if content else None


def start_doorward(settings: Mapping[str, str] | None = None) -> Server:
    """Starts a Doorward with further variables, such as `{"SVC_ACCESS_TTL": "2s"}`. The program is DOORWARD_BIN, else
    `doorward` in PATH; without one, `binary_missing`."""
    program = os.environ.get("DOORWARD_BIN") or shutil.which("doorward")
    if not program or not os.access(program, os.X_OK):
        raise ConfigurationError(
            "The program doorward is missing: install it into PATH, or set DOORWARD_BIN to it.", "binary_missing"
        )
    process = subprocess.Popen(
        [program, "serve", "--ephemeral", "--until-stdin-closes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(settings or {})},
    )
    assert process.stdout is not None
    limit = threading.Timer(_START_LIMIT, process.kill)
    limit.start()
    line = process.stdout.readline()
    limit.cancel()
    if not line:
        raise ConfigurationError(
            f"Doorward ended at its start with exit code {process.wait()}: run `{program} serve --ephemeral` to see why."
        )
    return Server(process, line)
