"""Options and the DOORWARD_ variables, read once, where the application starts."""

from __future__ import annotations

import base64
import binascii
import logging
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypedDict
from urllib.parse import urlsplit

from doorward._errors import ConfigurationError


class Seen(Protocol):
    """Where the ids of processed events are kept: a set will do, or a table that all processes share."""

    def __contains__(self, event_id: object, /) -> bool: ...

    def add(self, event_id: str, /) -> object: ...


class Options(TypedDict, total=False):
    """What a `Doorward` takes. The first seven may stand in the environment instead, as DOORWARD_URL and so on."""

    url: str
    """Doorward's address in browsers, such as `https://auth.example.com`. Required."""
    internal_url: str
    """Where this server asks Doorward; by default `url`."""
    name: str
    """The service name, after which cookies and platform roles are named; by default `svc`."""
    audience: str
    """The audience of the access tokens; by default `app`."""
    app_url: str
    """The application's address in browsers; by default the scheme of `url` and the request's `Host`."""
    webhook_secret: str
    """The secret of webhooks, SVC_WEBHOOK_SECRET."""
    webhook_secret_previous: str
    """The secret before, while it is being changed."""
    issuer: str
    """The `iss` of tokens, SVC_JWT_ISSUER; by default `url`."""
    keys: Mapping[str, bytes] | str
    """Shared keys by their ids, or the text of SVC_JWT_KEYS: then only HS256 is accepted."""
    origins: Iterable[str]
    """Further origins whose pages may send unsafe methods."""
    seen: Seen
    """Remembers processed events; by default the last 10,000, in memory."""
    clock: Callable[[], float]
    """The time in seconds since 1970; by default `time.time`."""
    log: logging.Logger
    """Where lessons for the operator go; by default the logger `doorward`."""


_VARIABLES = ("url", "internal_url", "name", "audience", "app_url", "webhook_secret", "webhook_secret_previous")


@dataclass(frozen=True)
class Config:
    """Options that were checked. Addresses are origins: scheme, host and port."""

    url: str
    internal_url: str
    name: str
    audience: str
    app_url: str | None
    webhook_secrets: tuple[bytes, ...]
    issuer: str
    keys: Mapping[str, bytes] | None
    origins: frozenset[str]
    seen: Seen | None
    clock: Callable[[], float]
    log: logging.Logger

    @property
    def access_cookie(self) -> str:
        return f"{self.name}_access"

    @property
    def refresh_cookie(self) -> str:
        return f"{self.name}_refresh"

    @property
    def csrf_cookie(self) -> str:
        return f"{self.name}_csrf"


def read(options: Options) -> Config:
    """The configuration, or a `ConfigurationError` that names the option and its variable."""
    unknown = sorted(set(options) - set(Options.__annotations__))
    if unknown:
        raise ConfigurationError(f"There is no option {unknown[0]!r}; there are {', '.join(Options.__annotations__)}.")
    values = _texts(options)
    if "url" not in values:
        raise ConfigurationError(
            "DOORWARD_URL is missing: set it to Doorward's address in browsers, such as http://localhost:8080.",
            "missing_url",
        )
    url = _origin("url", values["url"])
    app_url = values.get("app_url")
    keys = options.get("keys")
    clock, seen, log = options.get("clock", time.time), options.get("seen"), options.get("log")
    if not callable(clock):
        raise ConfigurationError("The option clock must be a function that returns seconds since 1970.")
    if seen is not None and not (hasattr(seen, "add") and hasattr(seen, "__contains__")):
        raise ConfigurationError("The option seen must have add() and answer `in`, as a set does.")
    if log is not None and not isinstance(log, logging.Logger):
        raise ConfigurationError("The option log must be a logging.Logger.")
    return Config(
        url=url,
        internal_url=_origin("internal_url", values.get("internal_url", url)),
        name=_match("name", values.get("name", "svc"), "[a-z][a-z0-9]{0,31}", "a service name such as svc"),
        audience=_match("audience", values.get("audience", "app"), "[!-~]{1,128}", "one of SVC_AUDIENCES"),
        app_url=None if app_url is None else _origin("app_url", app_url),
        webhook_secrets=_secrets(values),
        issuer=_match("issuer", options.get("issuer", url), r"\S+", "the text of SVC_JWT_ISSUER"),
        keys=None if keys is None else _shared_keys(keys),
        origins=frozenset(_origin("origins", origin) for origin in _list(options.get("origins", ()))),
        seen=seen,
        clock=clock,
        log=log or logging.getLogger("doorward"),
    )


def origin_of(url: str) -> str | None:
    """The origin as browsers write it, lower case and without the scheme's own port; None if the text has none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or not re.fullmatch(r"[a-z0-9._:-]+", host):
        return None
    host = f"[{host}]" if ":" in host else host
    own = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if own else f":{port}")


def _variable(name: str) -> str:
    return f"DOORWARD_{name.upper()}"


def _named(name: str) -> str:
    return f"{_variable(name)} (option {name})" if name in _VARIABLES else f"The option {name}"


def _texts(options: Options) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _VARIABLES:
        value = options.get(name)
        if value is None:
            value = os.environ.get(_variable(name)) or None
        if value is None:
            continue
        if not isinstance(value, str) or not value or value != value.strip():
            raise ConfigurationError(f"{_named(name)} must be a text without blanks around it.")
        found[name] = value
    return found


def _origin(name: str, value: object) -> str:
    origin = origin_of(value) if isinstance(value, str) else None
    if origin is None or not isinstance(value, str) or not re.fullmatch(r"https?://[^/?#@\\\s]+/?", value):
        raise ConfigurationError(
            f"{_named(name)} must be http:// or https:// and a host, without a path, such as https://example.com."
        )
    return origin


def _match(name: str, value: object, pattern: str, what: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        raise ConfigurationError(f"{_named(name)} must be {what}.")
    return value


def _list(value: Iterable[str]) -> Iterable[str]:
    if isinstance(value, str):
        raise ConfigurationError("The option origins must be a list of addresses.")
    return value


def _secrets(values: dict[str, str]) -> tuple[bytes, ...]:
    names = [name for name in ("webhook_secret", "webhook_secret_previous") if name in values]
    if names == ["webhook_secret_previous"]:
        raise ConfigurationError(
            "DOORWARD_WEBHOOK_SECRET is missing beside DOORWARD_WEBHOOK_SECRET_PREVIOUS: set both."
        )
    return tuple(webhook_key(values[name], _named(name)) for name in names)


def webhook_key(secret: str, what: str = "The secret") -> bytes:
    """The bytes that sign: what follows `whsec_`, base64-decoded, else the secret's own."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    encoded = secret[len("whsec_") :].rstrip("=")
    try:
        key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ConfigurationError(f"{what} is not base64 behind whsec_: copy the whole of SVC_WEBHOOK_SECRET.")
    return key


def _shared_keys(keys: Mapping[str, bytes] | str) -> dict[str, bytes]:
    wrong = ConfigurationError("The option keys must be the text of SVC_JWT_KEYS, or at least 32 bytes by each key id.")
    try:
        if isinstance(keys, str):
            pairs = (item.strip().split(":", 1) for item in keys.split(","))
            found = {kid: base64.b64decode(key, validate=True) for kid, key in pairs}
        else:
            found = {kid: bytes(memoryview(key)) for kid, key in keys.items()}
    except (ValueError, TypeError, AttributeError):
        raise wrong from None
    if not found or any(not kid or len(key) < 32 for kid, key in found.items()):
        raise wrong
    return found
