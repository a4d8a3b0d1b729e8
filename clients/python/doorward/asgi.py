"""Doorward for ASGI applications on asyncio, such as Starlette's: `app = Doorward().protect(app)`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from doorward import _request, _rules
from doorward._core import Core, Refused
from doorward._errors import Unavailable
from doorward._functions import AsyncFunctions
from doorward._request import Request, Visit
from doorward._steps import run_async
from doorward._webhook import Webhooks
from doorward.events import Event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from doorward._rules import RuleOptions

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

KEY = "doorward"


class Doorward(AsyncFunctions[Scope]):
    """One Doorward for an application. Wrap the application once, by `protect`, `optional` or `middleware`; inside,
    the functions take the request's `scope`."""

    def protect(self, app: Application, **rules: Unpack[RuleOptions]) -> Application:
        """The application, for people who meet the rules; others are redirected to the login, or get 401 or 403. With
        `live`, `verified`, `mfa` or `fresh` a logout is seen within a second, else within SVC_ACCESS_TTL."""
        checked = _rules.read(rules)

        async def protected(scope: Scope, receive: Receive, send: Send) -> None:
            if KEY in scope:
                await run_async(self._core.protect(scope[KEY], checked))
            await app(scope, receive, send)

        return self.middleware(protected)

    def optional(self, app: Application) -> Application:
        """The application, public; sessions are renewed, so that `who` finds the person. A logout is seen within
        SVC_ACCESS_TTL."""

        async def open_to_all(scope: Scope, receive: Receive, send: Send) -> None:
            if KEY in scope:
                await run_async(self._core.protect(scope[KEY], _rules.Rules(), optional=True))
            await app(scope, receive, send)

        return self.middleware(open_to_all)

    def middleware(self, app: Application) -> Application:
        """The application, whose answers set the cookies of a refresh. It protects nothing."""

        return carrying(self._core, self._webhooks, app)

    @asynccontextmanager
    async def webhook(self, headers: Mapping[str, str], body: bytes) -> AsyncIterator[Event]:
        """`async with doorward.webhook(headers, body) as event:` runs the handler of a genuine event, and then
        remembers it. Else `WebhookError`, whose `status` is the answer: 204 for an event that was processed before."""
        event = await asyncio.to_thread(self._webhooks.open, headers, body)
        yield event
        await asyncio.to_thread(self._webhooks.note, event)

    def _visit(self, request: Scope) -> Visit:
        visit = request.get(KEY)
        return visit if isinstance(visit, Visit) else self._core.visit(request_of(request))


def carrying(core: Core, webhooks: Webhooks, app: Application) -> Application:
    """The application, whose answers set the cookies of a refresh; a webhook is noted once its answer is 2xx."""

    async def carry(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await app(scope, receive, send)
        visit = core.visit(request_of(scope))
        has_started = False

        async def send_with_session(message: Message) -> None:
            nonlocal has_started
            if message["type"] in ("http.response.start", "websocket.accept"):
                if visit.event is not None and message.get("status", 500) < 300:
                    await asyncio.to_thread(webhooks.note, visit.event)
                message = {**message, "headers": with_headers(visit, message.get("headers", ()))}
            has_started = True
            await send(message)

        try:
            return await app({**scope, KEY: visit}, receive, send_with_session)
        except Refused as refused:
            refusal = refused
        except Unavailable as error:
            refusal = core.unavailable(error)
        if has_started:
            raise refusal
        await _refuse(scope, refusal, send_with_session)

    return carry


async def _refuse(scope: Scope, refusal: Refused, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": close_code(refusal), "reason": refusal.message})
        return
    headers = {"Content-Type": refusal.content_type, **refusal.headers}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
    await send({"type": "http.response.body", "body": refusal.body.encode()})


def close_code(refusal: Refused) -> int:
    """What closes a WebSocket: a violated policy, or to try again later (RFC 6455 and its registry)."""
    return 1013 if refusal.status == 503 else 1008


def with_headers(visit: Visit, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The answer's headers with the session's."""
    pairs = [(name, value) for name, value in headers]
    stated = next((value.decode("latin-1") for name, value in pairs if name.lower() == b"cache-control"), None)
    control = visit.cache_control(stated)
    if control is not None and control != stated:
        pairs = [pair for pair in pairs if pair[0].lower() != b"cache-control"]
        pairs.append((b"cache-control", control.encode()))
    return pairs + [(b"set-cookie", line.encode("latin-1")) for line in visit.set_cookie]


def request_of(scope: Scope) -> Request:
    """The request in an ASGI scope."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = headers[name] + ("; " if name == "cookie" else ", ") + value if name in headers else value
    path = scope.get("raw_path") or _request.encoded_path(str(scope["path"]).encode())
    return Request(
        method=str(scope.get("method", "GET")),
        address=_request.address(path, scope.get("query_string", b"")),
        headers=headers,
        scheme=str(scope.get("scheme", "http")),
        is_websocket=scope["type"] == "websocket",
    )
