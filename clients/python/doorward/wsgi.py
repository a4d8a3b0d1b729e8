"""Doorward for WSGI applications, such as Flask's: `app.wsgi_app = Doorward().protect(app.wsgi_app)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from doorward import _request, _rules
from doorward._core import Refused
from doorward._errors import Unavailable
from doorward._functions import SyncFunctions
from doorward._request import Request, Visit
from doorward._steps import run
from doorward.events import Event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from doorward._rules import RuleOptions

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

_KEY = "doorward"


class Doorward(SyncFunctions[Environ]):
    """One Doorward for an application. Wrap the application once, by `protect`, `optional` or `middleware`; inside,
    the functions take the request's `environ`."""

    def protect(self, app: Application, **rules: Unpack[RuleOptions]) -> Application:
        """The application, for people who meet the rules; others are redirected to the login, or get 401 or 403. With
        `live`, `verified`, `mfa` or `fresh` a logout is seen within a second, else within SVC_ACCESS_TTL."""
        checked = _rules.read(rules)

        def protected(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
            run(self._core.protect(environ[_KEY], checked))
            return app(environ, start_response)

        return self.middleware(protected)

    def optional(self, app: Application) -> Application:
        """The application, public; sessions are renewed, so that `who` finds the person. A logout is seen within
        SVC_ACCESS_TTL."""

        def open_to_all(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
            run(self._core.protect(environ[_KEY], _rules.Rules(), optional=True))
            return app(environ, start_response)

        return self.middleware(open_to_all)

    def middleware(self, app: Application) -> Application:
        """The application, whose answers set the cookies of a refresh. It protects nothing."""

        def carrying(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
            visit = environ[_KEY] = self._core.visit(request_of(environ))

            def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
                return start_response(status, with_headers(visit, headers), *exc_info)

            try:
                return app(environ, start)
            except Refused as refused:
                refusal = refused
            except Unavailable as error:
                refusal = self._core.unavailable(error)
            headers = [("Content-Type", refusal.content_type), *refusal.headers.items()]
            start(f"{refusal.status} {HTTPStatus(refusal.status).phrase}", headers)
            return [refusal.body.encode()]

        return carrying

    def webhook(self, headers: Mapping[str, str], body: bytes) -> AbstractContextManager[Event]:
        """`with doorward.webhook(headers, body) as event:` runs the handler of a genuine event, and then remembers
        it. Else `WebhookError`, whose `status` is the answer: 204 for an event that was processed before."""
        return self._webhooks.handling(headers, body)

    def _visit(self, request: Environ) -> Visit:
        visit = request.get(_KEY)
        return visit if isinstance(visit, Visit) else self._core.visit(request_of(request))


def with_headers(visit: Visit, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The answer's headers with the session's."""
    stated = next((value for name, value in headers if name.lower() == "cache-control"), None)
    control = visit.cache_control(stated)
    kept = headers if control == stated else [pair for pair in headers if pair[0].lower() != "cache-control"]
    added = [("Cache-Control", control)] if control is not None and control != stated else []
    return [*kept, *added, *(("Set-Cookie", line) for line in visit.set_cookie)]


def request_of(environ: Environ) -> Request:
    """The request in a WSGI environ."""
    names = ((key[5:] if key.startswith("HTTP_") else "", value) for key, value in environ.items())
    path = str(environ.get("SCRIPT_NAME", "")) + str(environ.get("PATH_INFO", ""))
    return Request(
        method=str(environ["REQUEST_METHOD"]),
        address=_request.address(
            _request.encoded_path(path.encode("latin-1")) or b"/",
            str(environ.get("QUERY_STRING", "")).encode("latin-1"),
        ),
        headers={name.lower().replace("_", "-"): str(value) for name, value in names if name},
        scheme=str(environ.get("wsgi.url_scheme", "http")),
    )
