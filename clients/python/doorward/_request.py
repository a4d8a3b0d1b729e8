"""A request as the rules see it, whatever framework brought it."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from doorward._config import Config, origin_of
from doorward.events import Event

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")

_PREFETCH = ("sec-purpose", "purpose", "next-router-prefetch", "next-router-segment-prefetch")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,4096}")
_CSRF = re.compile(r"[A-Za-z0-9_-]{43,128}")
_HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
_REFUSED_PATH = re.compile(r"//|.*(%2f|%5c|%[01][0-9a-f]|%7f)", re.IGNORECASE | re.DOTALL)
_MAX_RETURN_TO = 2048


@dataclass(frozen=True)
class Request:
    """Headers have names in lower case; several of one name are joined by `, `, those of cookies by `; `."""

    method: str
    address: str
    """Path and query as they were asked for, percent-encoded."""
    headers: dict[str, str]
    scheme: str = "http"
    is_websocket: bool = False

    @property
    def is_navigation(self) -> bool:
        """Whether a browser opens a page."""
        if self.method not in ("GET", "HEAD") or self.is_websocket:
            return False
        if "sec-fetch-mode" not in self.headers:
            return "text/html" in self.headers.get("accept", "").lower()
        return self._is_for_page

    @property
    def is_form(self) -> bool:
        """Whether a browser shows the answer to a form as a page."""
        return not self.is_safe and self._is_for_page

    @property
    def _is_for_page(self) -> bool:
        mode, destination = self.headers.get("sec-fetch-mode"), self.headers.get("sec-fetch-dest", "document")
        return mode == "navigate" and destination == "document"

    @property
    def is_prefetch(self) -> bool:
        return any(self.headers.get(name) for name in _PREFETCH)

    @property
    def is_htmx(self) -> bool:
        return bool(self.headers.get("hx-request"))

    @property
    def is_safe(self) -> bool:
        """Whether it changes nothing. A WebSocket may, once it is open."""
        opens_websocket = (
            self.is_websocket
            or self.headers.get("sec-fetch-mode") == "websocket"
            or "sec-websocket-key" in self.headers
        )
        return self.method in SAFE_METHODS and not opens_websocket


@dataclass
class Visit:
    """One request with its session: the cookies that came, and those that a refresh brought."""

    config: Config
    request: Request
    set_cookie: list[str] = field(default_factory=list)
    """Lines for the answer, as Doorward wrote them."""
    is_personal: bool = False
    """Whether the answer may depend on who asks."""
    has_refreshed: bool = False
    shows_logout: bool = False
    """Whether the answer has a form that Doorward must see the origin of."""
    event: Event | None = None
    """A webhook's event, to be noted once the answer says that it was processed."""
    form_page: str | None = None
    """What answers a refused form where the framework's own answer is no page."""

    def __post_init__(self) -> None:
        self.access = self._cookies(self.config.access_cookie, _TOKEN)[:4]
        self.refresh = self._cookies(self.config.refresh_cookie, _TOKEN)[:16]
        self.csrf = self._cookies(self.config.csrf_cookie, _CSRF)[:16]

    def _cookies(self, name: str, form: re.Pattern[str]) -> list[str]:
        """The readable values of a cookie, each once; browsers send one for each path and domain it was set for."""
        pairs = (pair.strip().partition("=") for pair in self.request.headers.get("cookie", "").split(";"))
        values = (_unquoted(value) for key, _, value in pairs if key == name)
        return list(dict.fromkeys(value for value in values if form.fullmatch(value)))

    @property
    def cookie_header(self) -> str:
        """The session's three cookies, and no other."""
        names = (self.config.access_cookie, self.config.refresh_cookie, self.config.csrf_cookie)
        values = (self.access, self.refresh, self.csrf[:1])
        return "; ".join(f"{name}={value}" for name, of_name in zip(names, values) for value in of_name)

    def take(self, lines: list[str]) -> None:
        """Takes Doorward's `Set-Cookie` lines, for the answer and for what this request asks next."""
        self.set_cookie.extend(lines)
        for line in lines:
            name, _, value = line.partition(";")[0].partition("=")
            values = [value] if value else []
            if name == self.config.access_cookie:
                self.access = values
            elif name == self.config.refresh_cookie:
                self.refresh = values
            elif name == self.config.csrf_cookie:
                self.csrf = values

    def cache_control(self, stated: str | None) -> str | None:
        """The `Cache-Control` of the answer: no cache stores a person's page, and above all not with new cookies."""
        return "private, no-store" if self.set_cookie or (self.is_personal and stated is None) else stated

    @property
    def host(self) -> str | None:
        """The origin that the browser shows, by `Host`. The scheme is that of Doorward, as both get its cookies."""
        scheme, host = self.config.url.partition(":")[0], self.request.headers.get("host", "")
        return origin_of(f"{scheme}://{host}") if _HOST.fullmatch(host) else None

    @property
    def origin(self) -> str | None:
        """The application's origin."""
        return self.config.app_url or self.host

    @property
    def is_own(self) -> bool:
        """Whether it changes nothing, or was sent by a page of the application or of a permitted origin (CSRF)."""
        site, origin = (self.request.headers.get(name) for name in ("sec-fetch-site", "origin"))
        if self.request.is_safe or site in ("same-origin", "none"):
            return True
        if origin is None:
            return site is None
        return origin == self.origin or origin in self.config.origins

    def has_csrf_token(self, submitted: str | None) -> bool:
        """Whether the header, else what a form submitted, repeats the cookie."""
        repeated = (self.request.headers.get("x-csrf-token") or submitted or "").encode(errors="replace")
        return any([hmac.compare_digest(token.encode(), repeated) for token in self.csrf])

    def return_to(self, address: str | None = None) -> str | None:
        """What leads back: a path where Doorward has the application's origin, else a URL; None if that is unknown.
        What Doorward would refuse becomes the root."""
        if self.origin is None:
            return None
        prefix = "" if self.origin == self.config.url else self.origin
        target = self.request.address if address is None else address
        if not _is_accepted(target) or len(prefix + target) > _MAX_RETURN_TO:
            target = "/"
        return prefix + target

    @property
    def page(self) -> str:
        """The page that sent a request of a script or a form, else what it asked for, if that can be opened."""
        for name in ("hx-current-url", "referer"):
            url = self.request.headers.get(name, "")
            if self.origin is not None and origin_of(url) == self.origin:
                parts = urlsplit(url)
                return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return self.request.address if self.request.method == "GET" else "/"


def address(path: bytes, query: bytes) -> str:
    """Path and query as they came over the wire, with what is not printable ASCII percent-encoded."""
    printable = "".join(map(chr, range(0x21, 0x7F)))
    return quote(path, safe=printable) + (f"?{quote(query, safe=printable)}" if query else "")


def encoded_path(path: bytes) -> bytes:
    """A path that the server has decoded, percent-encoded again."""
    return quote(path, safe="/:@!$&'()*+,;=~").encode()


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _is_accepted(target: str) -> bool:
    path = re.split("[?#]", target, maxsplit=1)[0]
    is_printable = all("\x20" < sign < "\x7f" and sign != "\\" for sign in target)
    return path.startswith("/") and is_printable and not _REFUSED_PATH.match(path)
