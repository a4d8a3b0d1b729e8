"""Errors, each a sentence that says what is wrong and how to mend it; none holds a token or a secret."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_TEACH_EVERY = 3600.0

_TOKEN_ERRORS = {
    "malformed": "The token is no JWT of Doorward.",
    "algorithm": "The token's algorithm is not accepted: only EdDSA and ES256 are, and HS256 with the option keys.",
    "key": "No published key fits the token.",
    "signature": "The token's signature is wrong.",
    "typ": "The token is of another kind: access tokens and gate assertions do not stand in for each other.",
    "issuer": "The token is from another issuer.",
    "audience": "The token is for another audience.",
    "expired": "The token has expired.",
    "not_yet": "The token is not valid yet.",
}

_WEBHOOK_ERRORS = {
    "signature": (
        401,
        "The webhook's signature is wrong or missing: compare DOORWARD_WEBHOOK_SECRET with SVC_WEBHOOK_SECRET, or look for "
        "who else sends here.",
    ),
    "timestamp": (401, "The webhook is more than five minutes from this machine's clock: set it, such as with NTP."),
    "replay": (204, "The event has been processed before."),
    "malformed": (400, "The webhook's body is no event of Doorward."),
}


class DoorwardError(Exception):
    """Base of all errors of this library. `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ConfigurationError(DoorwardError):
    """A missing or wrong option; raised where the application starts."""

    def __init__(self, message: str, code: str = "invalid_option") -> None:
        super().__init__(code, message)


class TokenError(DoorwardError):
    """A token that is not believed. `code` is `malformed`, `algorithm`, `key`, `signature`, `typ`, `issuer`,
    `audience`, `expired` or `not_yet`."""

    def __init__(self, code: str) -> None:
        super().__init__(code, _TOKEN_ERRORS[code])


class Unavailable(DoorwardError):
    """Doorward gave no usable answer, so nobody can tell who is there: answer 503. `code` is `unavailable`."""

    def __init__(self, message: str = "Doorward cannot be asked at the moment.") -> None:
        super().__init__("unavailable", message)


class WebhookError(DoorwardError):
    """A webhook that is not handled. `code` is `signature`, `timestamp`, `replay` or `malformed`; answer with
    `status`: 401, 204 for a replay, 400."""

    def __init__(self, code: str) -> None:
        self.status, message = _WEBHOOK_ERRORS[code]
        super().__init__(code, message)


class Lessons:
    """Logs what an operator has to mend, each code at most once an hour."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float]) -> None:
        self._log, self._clock = log, clock
        self._taught_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def teach(self, code: str, sentence: str) -> None:
        now = self._clock()
        with self._lock:
            if 0 <= now - self._taught_at.get(code, float("-inf")) < _TEACH_EVERY:
                return
            self._taught_at[code] = now
        self._log.warning("%s: %s", code, sentence)
