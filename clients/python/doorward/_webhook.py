"""Standard Webhooks: whose they are, when they were sent, and whether they came before."""

from __future__ import annotations

import base64
import hmac
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from doorward import events
from doorward._config import Seen
from doorward._core import Core
from doorward._errors import ConfigurationError, WebhookError

MAX_BODY = 1024 * 1024
"""Bytes; the largest event has some 10 KiB."""

_WINDOW = 300


class Memory:
    """The last event ids, in the memory of this process."""

    def __init__(self, size: int = 10_000) -> None:
        self._size, self._ids = size, dict[str, None]()
        self._lock = threading.Lock()

    def __contains__(self, event_id: object) -> bool:
        return event_id in self._ids

    def add(self, event_id: str) -> None:
        with self._lock:
            self._ids[event_id] = None
            if len(self._ids) > self._size:
                del self._ids[next(iter(self._ids))]


class Webhooks:
    """Checks what arrives. `X-Svc-Signature` is not looked at: it has no time, so anyone could send it again."""

    def __init__(self, core: Core) -> None:
        config, self._lessons = core.config, core.lessons
        self._secrets, self._clock = config.webhook_secrets, config.clock
        self._seen: Seen = Memory() if config.seen is None else config.seen

    def require_secret(self) -> None:
        if not self._secrets:
            raise ConfigurationError("DOORWARD_WEBHOOK_SECRET is missing: set it to SVC_WEBHOOK_SECRET.")

    def open(self, headers: Mapping[str, str], body: bytes) -> events.Event:
        """The event, if its handler is to run; else a `WebhookError`."""
        self.require_secret()
        given = {name.lower(): value for name, value in headers.items()}
        event_id, timestamp, signatures = (
            given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
        )
        if not event_id or not timestamp or not signatures or len(body) > MAX_BODY:
            raise WebhookError("signature")
        signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
        expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in self._secrets]
        found = [value.encode(errors="replace") for value in signatures.split(" ")]
        if not any([hmac.compare_digest(one, other) for one in found for other in expected]):
            raise self._taught("signature", WebhookError("signature"))
        if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(self._clock() - int(timestamp)) > _WINDOW:
            raise self._taught("clock_skew", WebhookError("timestamp"))
        if event_id in self._seen:
            raise WebhookError("replay")
        return events.read(body, event_id)

    def _taught(self, code: str, error: WebhookError) -> WebhookError:
        self._lessons.teach(code, str(error))
        return error

    def note(self, event: events.Event) -> None:
        """Remembers an event whose handler succeeded."""
        self._seen.add(event.id)

    @contextmanager
    def handling(self, headers: Mapping[str, str], body: bytes) -> Iterator[events.Event]:
        event = self.open(headers, body)
        yield event
        self.note(event)
