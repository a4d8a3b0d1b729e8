"""The keys that verify tokens: fetched when first needed, kept, and fetched again before they are too old."""

from __future__ import annotations

import re
from concurrent.futures import Future
from dataclasses import dataclass

from doorward import _jwt
from doorward._config import Config
from doorward._errors import Lessons, Unavailable
from doorward._http import Answer, Http
from doorward._steps import Steps

PATH = "/auth/.well-known/jwks.json"

_DAY = 86_400
_HOUR = 3600
_UNKNOWN_EVERY = 60


@dataclass(frozen=True)
class _Kept:
    keys: tuple[_jwt.Key, ...]
    fetched_at: float
    max_age: float

    def is_younger(self, age: float, now: float) -> bool:
        return 0 <= now - self.fetched_at < age


class Keys:
    """Published keys, or shared ones, which need no network."""

    def __init__(self, config: Config, http: Http, lessons: Lessons) -> None:
        self._config, self._http, self._lessons = config, http, lessons
        self._kept: _Kept | None = None
        self._looked_for_unknown_at = float("-inf")
        self._shared = None
        if config.keys is not None:
            self._shared = tuple(_jwt.shared_key(kid, secret) for kid, secret in config.keys.items())

    @property
    def algorithms(self) -> tuple[str, ...]:
        return ("EdDSA", "ES256") if self._shared is None else ("HS256",)

    def find(self, kid: str) -> Steps[list[_jwt.Key]]:
        """The keys with this id. While Doorward is away, kept ones are good for a day; without any: `Unavailable`."""
        if self._shared is not None:
            return [key for key in self._shared if key.kid == kid]
        kept, now = self._kept, self._config.clock()
        if kept is None or not kept.is_younger(_DAY, now):
            kept = yield self._fetch()
        elif not kept.is_younger(kept.max_age, now):
            self._fetch()
        found = [key for key in kept.keys if key.kid == kid]
        if not found and not 0 <= now - self._looked_for_unknown_at < _UNKNOWN_EVERY:
            kept = yield self._fetch()
            self._looked_for_unknown_at = now
            found = [key for key in kept.keys if key.kid == kid]
        return found

    def _fetch(self) -> Future[_Kept]:
        return self._http.share(PATH, self._begin)

    def _begin(self) -> Future[_Kept]:
        future = self._http.ask("GET", PATH, {}, self._keep)
        future.add_done_callback(self._teach)
        return future

    def _teach(self, future: Future[_Kept]) -> None:
        if future.exception() is not None:
            self._lessons.teach(
                "keys_unreachable",
                f"the keys at {self._config.internal_url}{PATH} cannot be fetched: start Doorward, or set "
                "DOORWARD_INTERNAL_URL to where this server reaches it.",
            )

    def _keep(self, answer: Answer) -> _Kept:
        keys = _jwt.read_set(answer.json()) if answer.status == 200 else None
        if keys is None:
            raise Unavailable("Doorward did not publish its keys.")
        stated = re.search(r"\bmax-age=(\d{1,9})\b", answer.headers.get("Cache-Control", ""))
        max_age = min(max(int(stated[1]), 300), _DAY) if stated else _HOUR
        self._kept = _Kept(keys, self._config.clock(), max_age)
        return self._kept
